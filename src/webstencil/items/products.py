"""The product of a page that sells one: name, price, and further facts.

Ways, the surest first: JSON-LD, microdata and RDFa of schema.org's Product, Open Graph; they
complete each other. A page without any of them has a product if it has an asking price. A
page with several products is a list (see `rows`) and has none.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from webstencil import markup
from webstencil.items.json_ld import Json, json_text, read_json_ld
from webstencil.items.metadata import page_title
from webstencil.items.reading import ELSEWHERE_ON_PAGE, one_line, value_of
from webstencil.markup import Node
from webstencil.model import Item, Page
from webstencil.urls import written_link

# Prices as people write them: `£1,299.00`, `1.299,00 EUR`, `US$ 20`.

CODES = "USD|EUR|GBP|JPY|CNY|INR|CAD|AUD|NZD|CHF|SEK|NOK|DKK|PLN|CZK|RUB|BRL|KRW|ZAR|MXN|TRY"
CURRENCY_SIGNS = {"£": "GBP", "€": "EUR", "₹": "INR", "₽": "RUB", "₩": "KRW", "zł": "PLN"}
CURRENCY_SIGNS |= {"US$": "USD", "C$": "CAD", "A$": "AUD", "R$": "BRL", "NZ$": "NZD"}
# $ and ¥ are of several countries, so they stay as they are.
_CURRENCY = rf"(?:US|NZ|[CAR])?\$|[£€₹₽₩¥]|zł|\b(?:{CODES})\b"
_AMOUNT = r"\d{1,3}(?:[.,' \N{NO-BREAK SPACE}]\d{3})+(?:[.,]\d{2})?|\d+(?:[.,]\d{2})?"
PRICE = re.compile(
    rf"(?P<before>{_CURRENCY})\s?(?P<first>{_AMOUNT})(?![\d%])|"
    rf"(?<![\d.,])(?P<second>{_AMOUNT})\s?(?P<after>{_CURRENCY})"
)
_SIGNED = re.compile(r"[$£€₹₽₩¥]|zł|[A-Z]{3}")  # fast, because most texts have none
_SIGN_ALONE = re.compile(_CURRENCY)
_CENTS = re.compile(r"[.,]\d{1,2}$")
_NO_DIGIT = re.compile(r"\D")


@dataclass(frozen=True, slots=True)
class Price:
    """An amount of money."""

    amount: str  # digits, with a point before cents
    currency: str  # ISO 4217 if unambiguous, else the sign; empty if there is none


def find_prices(text: str) -> list[Price]:
    """List the prices in a text that have a currency."""
    found = []
    for match in PRICE.finditer(text):
        sign = match["before"] or match["after"]
        found.append(
            Price(amount(match["first"] or match["second"]), CURRENCY_SIGNS.get(sign, sign))
        )
    return found


def amount(number: str) -> str:
    """Return a number without grouping; its last point or comma may be before cents."""
    cents = _CENTS.search(number)
    whole = _NO_DIGIT.sub("", number[: cents.start()] if cents else number)
    return f"{whole}.{cents[0][1:]}" if cents else whole


# The asking price of a page without data for programs.
#
# A price is asked if the words before it or the names of elements around it say so, and none says
# that it is another one: a former price, shipping, a rate, that of an accessory. Different prices
# with the same elements around them and the same words before them belong to a list. The first of
# the remaining prices is the page's.

NEAR_PRICE = 4  # ancestors of a price whose names describe it
CLOSE_TO_PRICE = 3  # ancestors that may strike a price out, or make it a link or a choice
CLIMB = 2  # ancestors of a sign that are searched for the number: <b>$</b>20<sup>99</sup>
DEEPEST_PRICE = 100  # ancestors of a price that are compared
LONGEST_PRICE = 40  # characters of a price and the words beside it
LONGEST_PRICE_LABEL = 30  # characters of a separate text before it
LOOK_BACK = 4  # texts before a price that may be its label
MOST_PRICES = 200  # texts with signs; a page with more is a list
UNASKED = frozenset({"del", "s", "strike", "a", "option", "select", "button"})

_ASKED = (
    "price|msrp|now|only|today|buy|sale|preis|jetzt|nur|prix|precio|prezzo|preço|prijs|pris"
    "|cena|hinta|fiyat|цена"
)
_OTHER_PRICES = (
    "list|regular|reg|original|was|were|saves?|savings?|ship|shipping|invoice|months?|monthly|mo"
    "|destination|under|over|above|below|cart|items?|years?|yr|rebate|fee|tax|coupon|gift|orders?"
    "|off|used|deposit|delivery|payments?|handling|discount|market|compare|value|minimum|subtotal"
    "|warranty|plan|charge|options?|salary|hour|per|combo|rrp|points|financing|similar|similarly"
    "|also|bundle|with|each|from|dealer|statt|uvp|ab|versand|zzgl|monat|alt|instead|ancien|livraison"
    "|envío|antes|old"
)
ASKED_WORDS = re.compile(rf"(?i)\b(?:{_ASKED})\b")
OTHER = re.compile(rf"(?i)\b(?:{_OTHER_PRICES})\b")
PRICE_NAMES = re.compile(r"pric(?:e|ing)|msrp|preis|prix|precio|prezzo|preco|prijs")
_NAMED_OTHER = (  # parts of names of elements around a price
    "accessories accessory addon addons also carousel cart combo bundle compare coupon cross deal"
    " deals discount invoice list marketplace menu month monthly nav offers old orig original other"
    " others rebate recommend recommendations recommended reg regular related save saving savings"
    " sell ship shipping similar strike tooltip upsell used was"
)
NAMED_OTHER = frozenset(_NAMED_OTHER.split())
CENTS = re.compile(r"\d\d")
PARTED = re.compile(r"[.,]\d\d$")  # with cents
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_PRICE_NAME = re.compile(r"(?i)(price)")  # listprice is a list price


@dataclass(frozen=True, slots=True)
class PriceCandidate:
    """A price that may be the asking price."""

    price: Price
    node: Node
    place: Hashable  # elements around it and words before it


def asking_price(leaves: Sequence[Node]) -> PriceCandidate | None:
    """Return the first asking price of a page that is not of a list, None if there is none."""
    found = list(asked_prices(leaves))
    amounts = defaultdict(set)
    for asked in found:
        amounts[asked.place].add(asked.price)
    return next((asked for asked in found if len(amounts[asked.place]) == 1), None)


def asked_prices(leaves: Sequence[Node]) -> Iterator[PriceCandidate]:
    """Yield the prices that words or names call prices, and none calls otherwise."""
    texts = list(map(markup.leaf_text, leaves))
    signed = (
        number
        for number, text in enumerate(texts)
        if _SIGNED.search(text) is not None and _SIGN_ALONE.search(text) is not None
    )
    for number in islice(signed, MOST_PRICES):
        asked = _price_candidate(leaves[number], _words_before(texts, number))
        if asked is not None:
            yield asked


def _words_before(texts: Sequence[str], number: int) -> str:
    """Return the text before another, signs skipped: it may be the label of a price."""
    before = texts[max(number - LOOK_BACK, 0) : number]
    return next((text for text in reversed(before) if any(map(str.isalnum, text))), "")


def _price_candidate(leaf: Node, before: str) -> PriceCandidate | None:
    node, text = _holder(leaf)
    prices = find_prices(text)
    if len(prices) != 1 or not prices[0].amount.strip("0."):
        return None
    around = markup.line(node, DEEPEST_PRICE)[::-1]
    label, behind = _words_beside(text, before)
    named = " ".join([markup.called(one) for one in around[:NEAR_PRICE]])
    if not (ASKED_WORDS.search(label) or PRICE_NAMES.search(named.lower())) or _is_other(
        named, label, behind
    ):
        return None
    if any(markup.tag(one) in UNASKED for one in around[:CLOSE_TO_PRICE]) or node.closest(
        ELSEWHERE_ON_PAGE
    ):
        return None
    line = tuple([(markup.tag(one), markup.attribute(one, "class")) for one in around])
    place = line, label if ASKED_WORDS.search(label) else ""
    return PriceCandidate(prices[0], node, place)


def _holder(leaf: Node) -> tuple[Node, str]:
    """Return the element around a price and its text, which may be in several pieces."""
    text = markup.leaf_text(leaf)
    node = markup.parent(leaf)
    for _ in range(CLIMB):
        if (
            node is None
            or PRICE.search(text)
            or markup.length(node, LONGEST_PRICE + 1) > LONGEST_PRICE
        ):
            break
        text = _joined([markup.leaf_text(piece) for piece in markup.text_leaves(node)])
        node = node if PRICE.search(text) else markup.parent(node)
    return (node or leaf), (text if len(text) <= LONGEST_PRICE else "")


def _joined(pieces: Sequence[str]) -> str:
    """Join the pieces of a price; two digits after others are cents, set small."""
    text = ""
    for piece in pieces:
        cents = CENTS.fullmatch(piece) and text[-1:].isdigit() and not PARTED.search(text)
        text += f".{piece}" if cents else piece
    return text


def _words_beside(text: str, before: str) -> tuple[str, str]:
    """Return the words before a price, maybe in a separate text, and those after it."""
    price = PRICE.search(text)
    if price is None:
        return "", ""
    label, behind = text[: price.start()], text[price.end() :]
    if not any(map(str.isalpha, label)):
        alone = len(before) <= LONGEST_PRICE_LABEL and not PRICE.search(before)
        label = before if alone else ""
    return label.lower(), behind


def _is_other(named: str, *words: str) -> bool:
    """Return whether names or words say that it is not the asking price."""
    parts = {part.lower() for part in _PART.findall(_PRICE_NAME.sub(r" \1 ", named))}
    return bool(parts & NAMED_OTHER) or any(map(OTHER.search, words))


PRODUCT_KIND = "product"
PRODUCT_FIELDS = (
    "name", "price", "currency", "availability", "brand", "sku", "image", "description",
)  # fmt: skip
PRODUCT_TYPES = ("Product", "ProductGroup", "IndividualProduct", "ProductModel")
# The ends of names of meta elements, without product: and og: before them.
META = {
    "title": "name",
    "price:amount": "price",
    "sale_price:amount": "price",
    "price:currency": "currency",
    "sale_price:currency": "currency",
    "availability": "availability",
    "brand": "brand",
    "retailer_item_id": "sku",
    "image": "image",
    "description": "description",
}
PREFIXES = ("product:", "og:")
SCOPE = '[itemtype$="schema.org/Product" i], [typeof~="Product"], [typeof~="schema:Product"]'
PRODUCT_CARDS = "li, article"  # elements around a product of a list
PLAIN_NUMBER = re.compile(r"\d+(?:\.\d+)?")  # a number in the form of programs
TOLD, MARKED, META_TOLD, SEEN = 0.95, 0.9, 0.85, 0.6  # 0..1, confidence of each way

Facts = dict[str, str]  # by name of PRODUCT_FIELDS


@dataclass(frozen=True, slots=True)
class ProductSource:
    """The facts that one way finds about a product."""

    how: str
    confidence: float  # 0..1
    facts: Facts
    node: Node | None = None  # None if it is in a script or in the head


NO_PRODUCT = ProductSource("", 0.0, {})


def product(page: Page) -> tuple[Item, ...]:
    """Return the product of a page, if it sells one."""
    root = page.markup.root
    told = [
        ProductSource(
            "JSON-LD", TOLD, _one(map(_from_json, read_json_ld(page).of_types(PRODUCT_TYPES)))
        ),
        _in_scope(root),
        ProductSource("Open Graph", META_TOLD, _from_metas(root)),
    ]
    if not any("price" in source.facts for source in told):
        told.append(_asked(page))
    known = [source for source in told if source.facts]
    facts = {name: value for source in reversed(known) for name, value in source.facts.items()}
    # Open Graph has a title for any page: only a price makes it a product.
    if "name" not in facts or not ("price" in facts or known[0].confidence > META_TOLD):
        return ()
    return (_item(page, facts, known),)


def _item(page: Page, facts: Facts, known: Sequence[ProductSource]) -> Item:
    node = next((source.node for source in known if source.node is not None), None)
    sure_of_price = next((one.confidence for one in known if "price" in one.facts), TOLD)
    if "image" in facts:
        facts = facts | {"image": written_link(page.base_url, facts["image"]) or facts["image"]}
    return Item(
        kind=PRODUCT_KIND,
        text=facts["name"],
        selector="" if node is None else markup.selector(node),
        xpath="" if node is None else markup.xpath(node),
        confidence=min(known[0].confidence, sure_of_price),
        how=", ".join([source.how for source in known]),
        fields=tuple((name, facts[name]) for name in PRODUCT_FIELDS if name in facts),
    )


def _one(found: Iterable[Facts]) -> Facts:
    """Return the facts of the only product; without a name it is none."""
    named = {facts["name"]: facts for facts in found if "name" in facts}
    return next(iter(named.values())) if len(named) == 1 else {}


def _from_json(thing: dict[str, Json]) -> Facts:
    offers = thing.get("offers")
    offer = offers[0] if isinstance(offers, list) and offers else offers
    told = offer if isinstance(offer, dict) else {}
    images = thing.get("image")
    image = images[0] if isinstance(images, list) and images else images
    price = told.get("price", told.get("lowPrice"))
    return _facts(
        name=json_text(thing.get("name")),
        price=str(price) if isinstance(price, (str, int, float)) else "",
        currency=json_text(told.get("priceCurrency")),
        availability=json_text(told.get("availability")),
        brand=json_text(thing.get("brand")),
        sku=json_text(thing.get("sku")),
        image=json_text(image.get("url") if isinstance(image, dict) else image),
        description=json_text(thing.get("description")),
    )


def _facts(**told: str) -> Facts:
    """Normalise facts, and drop empty ones."""
    facts = {name: one_line(value) for name, value in told.items() if value and value.strip()}
    if "price" in facts:
        price = _price(facts["price"])
        facts["price"] = price.amount
        if price.currency:
            facts.setdefault("currency", price.currency)
        if not price.amount.strip("0."):
            del facts["price"]  # unknown, or free
    if "availability" in facts:
        facts["availability"] = facts["availability"].rpartition("/")[2]
    return facts


def _price(text: str) -> Price:
    """Read a price for programs, with or without a currency."""
    if PLAIN_NUMBER.fullmatch(text):
        return Price(text, "")
    found = find_prices(text)
    return found[0] if found else Price(amount(text) if text[:1].isdigit() else "", "")


def _in_scope(root: Node) -> ProductSource:
    """Return the facts of the only product marked by microdata or RDFa."""
    scopes = [scope for scope in root.select(SCOPE) if scope.closest(ELSEWHERE_ON_PAGE) is None]
    outer = [scope for scope in scopes if not any(around in scopes for around in scope.ancestors)]
    if len(outer) != 1:
        return NO_PRODUCT
    told = {name: _property(outer[0], name) for name in PRODUCT_FIELDS if name != "currency"}
    facts = _facts(**told, currency=_property(outer[0], "priceCurrency"))
    enough = "name" in facts and len(facts) > 1  # a name alone is not for sale
    return ProductSource("microdata", MARKED, facts, outer[0]) if enough else NO_PRODUCT


def _property(scope: Node, name: str) -> str:
    """Return the first value of a property in a scope; of several prices, the low one."""
    names = ("price", "lowPrice") if name == "price" else (name,)
    for known in names:
        found = scope.select_one(f'[itemprop~="{known}"], [property~="{known}"]')
        if found is not None:
            for attribute in ("content", "src", "href"):
                if markup.attribute(found, attribute) and name != "brand":
                    return markup.attribute(found, attribute)
            return value_of(found)
    return ""


def _from_metas(root: Node) -> Facts:
    """Return the facts of meta elements of a page that declares a product."""
    told: Facts = {}
    kind = ""
    for meta in root.select("meta[content]"):
        name = (markup.attribute(meta, "property") or markup.attribute(meta, "name")).lower()
        value = markup.attribute(meta, "content")
        kind = value.lower() if name == "og:type" else kind
        for prefix in PREFIXES:
            if name.startswith(prefix) and name.removeprefix(prefix) in META:
                told.setdefault(META[name.removeprefix(prefix)], value)
    return _facts(**told) if "product" in kind or "price" in told else {}


def _asked(page: Page) -> ProductSource:
    """Return the page's title and asking price."""
    asked = asking_price(page.markup.leaves())
    name = page_title(page) if asked is not None else None
    if asked is None or name is None:
        return NO_PRODUCT
    card = asked.node.closest(PRODUCT_CARDS)
    if card is not None and (name.node is None or card not in name.node.ancestors):
        return NO_PRODUCT
    facts = {"name": name.text, "price": asked.price.amount, "currency": asked.price.currency}
    return ProductSource("price that is asked", SEEN, facts, asked.node)
