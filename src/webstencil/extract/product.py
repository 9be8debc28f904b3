"""The product of a page that sells one: name, price, and further facts.

Ways, the surest first: JSON-LD, microdata and RDFa of schema.org's Product, Open Graph; they
complete each other. A page without any of them has a product if it has an asking price (see
`price_candidates`). A page with several products is a list (see `rows`) and has none.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webstencil import markup
from webstencil.extract.about.json_ld import Json, as_text, read_json_ld
from webstencil.extract.about.page_places import ELSEWHERE
from webstencil.extract.about.reading import one_line, value_of
from webstencil.extract.metadata import page_title
from webstencil.extract.price_candidates import asking_price
from webstencil.extract.prices import Price, amount, find_prices
from webstencil.markup import Node
from webstencil.model import Item, Page
from webstencil.urls import join

KIND = "product"
FIELDS = ("name", "price", "currency", "availability", "brand", "sku", "image", "description")
TYPES = ("Product", "ProductGroup", "IndividualProduct", "ProductModel")
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
CARDS = "li, article"  # elements around a product of a list
PLAIN = re.compile(r"\d+(?:\.\d+)?")  # a number in the form of programs
TOLD, MARKED, META_TOLD, SEEN = 0.95, 0.9, 0.85, 0.6  # 0..1, confidence of each way

Facts = dict[str, str]  # by name of FIELDS


@dataclass(frozen=True, slots=True)
class ProductSource:
    """The facts that one way finds about a product."""

    how: str
    confidence: float  # 0..1
    facts: Facts
    node: Node | None = None  # None if it is in a script or in the head


NOTHING = ProductSource("", 0.0, {})


def product(page: Page) -> tuple[Item, ...]:
    """Return the product of a page, if it sells one."""
    root = page.markup.root
    told = [
        ProductSource("JSON-LD", TOLD, _one(map(_from_json, read_json_ld(page).of_types(TYPES)))),
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
    if "image" in facts:
        facts = facts | {"image": join(page.base_url, facts["image"]) or facts["image"]}
    return Item(
        kind=KIND,
        text=facts["name"],
        selector="" if node is None else markup.selector(node),
        xpath="" if node is None else markup.xpath(node),
        confidence=min(known[0].confidence, _sure_of_price(known)),
        how=", ".join([source.how for source in known]),
        fields=tuple((name, facts[name]) for name in FIELDS if name in facts),
    )


def _sure_of_price(known: Iterable[ProductSource]) -> float:
    """Return the confidence of the first way that finds the price."""
    return next((source.confidence for source in known if "price" in source.facts), TOLD)


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
        name=as_text(thing.get("name")),
        price=str(price) if isinstance(price, (str, int, float)) else "",
        currency=as_text(told.get("priceCurrency")),
        availability=as_text(told.get("availability")),
        brand=as_text(thing.get("brand")),
        sku=as_text(thing.get("sku")),
        image=as_text(image.get("url") if isinstance(image, dict) else image),
        description=as_text(thing.get("description")),
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
    if PLAIN.fullmatch(text):
        return Price(text, "")
    found = find_prices(text)
    return found[0] if found else Price(amount(text) if text[:1].isdigit() else "", "")


def _in_scope(root: Node) -> ProductSource:
    """Return the facts of the only product marked by microdata or RDFa."""
    scopes = [scope for scope in root.select(SCOPE) if scope.closest(ELSEWHERE) is None]
    outer = [scope for scope in scopes if not any(around in scopes for around in scope.ancestors)]
    if len(outer) != 1:
        return NOTHING
    told = {name: _property(outer[0], name) for name in FIELDS if name != "currency"}
    facts = _facts(**told, currency=_property(outer[0], "priceCurrency"))
    enough = "name" in facts and len(facts) > 1  # a name alone is not for sale
    return ProductSource("microdata", MARKED, facts, outer[0]) if enough else NOTHING


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
        return NOTHING
    card = asked.node.closest(CARDS)
    if card is not None and (name.node is None or card not in name.node.ancestors):
        return NOTHING
    facts = {"name": name.text, "price": asked.price.amount, "currency": asked.price.currency}
    return ProductSource("price that is asked", SEEN, facts, asked.node)
