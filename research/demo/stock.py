"""The shop: its shelves and the products on them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice
from random import Random

from research.demo.album import gear_picture
from research.demo.newsroom import NOW
from research.demo.prose import Rules, deal, polish, read_words, say, slugify
from research.demo.values import (
    DemoSection,
    ImageFile,
    Paragraph,
    Part,
    Points,
    Product,
    Review,
    Table,
)

FIRST_SKU = 40100
REVIEWS = (0, 0, 0, 1, 2, 3, 5, 8, 14)  # below a product
STARS = (5, 5, 5, 4, 4, 3, 2)
PRAISE = 4  # stars, and more
PRICES = {  # pounds: from, to
    "tents": (89, 420),
    "packs": (29, 180),
    "footwear": (69, 210),
    "clothing": (39, 260),
    "lighting": (15, 95),
    "camp-kitchen": (8, 80),
}
DISCOUNTS = (0, 0, 0, 0, 10, 15, 20, 30)  # per cent
SIZES = {
    "footwear": (("Size", "UK", "Foot, cm"), ("38 5 24.0", "39 6 24.7", "40 6½ 25.3", "41 7½ 26.0",
                 "42 8 26.7", "43 9 27.3", "44 9½ 28.0")),
    "clothing": (("Size", "Chest, cm", "Waist, cm"), ("S 88 76", "M 96 84", "L 104 92",
                 "XL 112 100", "XXL 120 108")),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shop:
    """What all products are made from."""

    seed: int
    count: int
    words: Rules
    shelves: tuple[DemoSection, ...]
    kinds: tuple[str, ...]  # the drawing of each shelf's products


def open_shop(seed: int, count: int) -> Shop:
    """Make the shelves."""
    words = read_words("shared") | read_words("people") | read_words("shop")
    lines = [line.split("|") for line in words["shelf"]]
    shelves = tuple(
        DemoSection(n, slug, name, blurb, colour)
        for n, (slug, name, blurb, colour, _) in enumerate(lines)
    )
    return Shop(seed, count, words, shelves, tuple(line[-1] for line in lines))


def stock_up(shop: Shop) -> tuple[Product, ...]:
    """Return the products, in turn from each shelf."""
    rng = Random(f"{shop.seed}/products")
    names = [deal(rng, product_names(shop.words, shelf.slug)) for shelf in shop.shelves]
    reviews = deal(rng, REVIEWS)
    return tuple(
        make(shop, index, next(names[index % len(names)]), next(reviews))
        for index in range(shop.count)
    )


def product_names(words: Rules, shelf: str) -> list[str]:
    """Return all the names that a shelf's products can have."""
    return [polish(f"{series} {kind}") for series in words["series"] for kind in words[shelf]]


def make(shop: Shop, index: int, name: str, reviews: int) -> Product:
    """Make one product; discount, size table and the like are random."""
    rng = Random(f"{shop.seed}/product/{index}")
    shelf = shop.shelves[index % len(shop.shelves)]
    first, last = rng.choice(shop.words["first_names"]), rng.choice(shop.words["last_names"])
    rules = {**shop.words, "name": (name,), "person": (f"{first} {last}",)}
    price, was = set_price(rng, shelf.slug)
    colours = tuple(rng.sample(shop.words["colour"], rng.randrange(1, 5)))
    return Product(
        number=FIRST_SKU + index,
        slug=f"{slugify(name)}-{FIRST_SKU + index}",
        shelf=shelf,
        name=name,
        tagline=say(rng, rules, rng.choice(rules["tagline"])),
        price=price,
        was=was,
        colours=colours,
        pictures=pictures(shop.kinds[shelf.number], colours, name),
        parts=tuple(describe(rng, rules)),
        specs=tuple(specify(rng, rules, shelf.slug)),
        sizes=size_table(rng, shelf.slug),
        reviews=tuple(review(rng, rules, reviews)),
        stock=say(rng, rules, rng.choice(rules["stock"])),
        related=others(rng, index, shop),
    )


def set_price(rng: Random, shelf: str) -> tuple[int, int | None]:
    """Return the price in pence, and what it was before if there is a discount."""
    full = rng.randrange(*PRICES[shelf]) * 100 + rng.choice((0, 50, 95))
    discount = rng.choice(DISCOUNTS)
    return (full * (100 - discount) // 100, full) if discount else (full, None)


def pictures(kind: str, colours: tuple[str, ...], name: str) -> tuple[ImageFile, ...]:
    """Return a picture of the product in each of its colours."""
    return tuple(gear_picture(kind, colour, name) for colour in colours)


def describe(rng: Random, rules: Rules) -> Iterator[Part]:
    """Yield a description of one to four paragraphs, with or without a list of features."""
    sentences = deal(rng, rules["about"])
    texts = [rng.choice(rules["opening"]), next(sentences)]
    for _ in range(rng.randrange(1, 5)):
        yield Paragraph(" ".join(say(rng, rules, text) for text in texts))
        texts = list(islice(sentences, rng.randrange(2, 4)))
    if rng.random() < 0.7:
        features = rng.sample(rules["feature"], rng.randrange(3, 8))
        yield Points(tuple(say(rng, rules, feature) for feature in features))


def specify(rng: Random, rules: Rules, shelf: str) -> Iterator[tuple[str, str]]:
    """Yield what can be measured; some lines are missing from some products."""
    for line in rules[f"spec_{shelf}"]:
        if rng.random() < 0.85:
            name, value = line.split("|")
            yield name, say(rng, rules, value)


def size_table(rng: Random, shelf: str) -> Table | None:
    """Return the sizes of boots and clothes; most of them have a table."""
    if shelf not in SIZES or rng.random() < 0.25:
        return None
    heads, lines = SIZES[shelf]
    rows = tuple(tuple(line.split()) for line in lines)
    return Table("Sizes", heads, rows[rng.randrange(2) : len(rows) - rng.randrange(2)])


def review(rng: Random, rules: Rules, count: int) -> Iterator[Review]:
    """Yield what customers think, the newest first."""
    when = NOW
    for _ in range(count):
        when -= timedelta(hours=rng.randrange(10, 900))
        name = f"{rng.choice(rules['first_names'])} {rng.choice(rules['last_names'])[0]}."
        stars = rng.choice(STARS)
        title = rng.choice(rules["praise_title" if stars >= PRAISE else "grumble_title"])
        texts = rng.sample(rules["review"], rng.randrange(1, 4))
        text = " ".join(say(rng, rules, line) for line in texts)
        yield Review(name, when, stars, title, text)


def others(rng: Random, index: int, shop: Shop) -> tuple[int, ...]:
    """Choose other products to show beside this one, or none."""
    rest = [n for n in range(shop.count) if n != index]
    return tuple(rng.sample(rest, min(rng.choice((0, 3, 4, 4, 5)), len(rest))))
