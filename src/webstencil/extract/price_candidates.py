"""The asking price of a page without data for programs.

A price is asked if the words before it or the names of elements around it say so, and none says
that it is another one: a former price, shipping, a rate, that of an accessory. Different prices
with the same elements around them and the same words before them belong to a list. The first of the
remaining prices is the page's.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from webstencil import markup
from webstencil.extract.about.page_places import ELSEWHERE
from webstencil.extract.prices import PRICE, Price, find_prices, has_sign
from webstencil.markup import Node

NEAR = 4  # ancestors of a price whose names describe it
CLOSE = 3  # ancestors that may strike a price out, or make it a link or a choice
CLIMB = 2  # ancestors of a sign that are searched for the number: <b>$</b>20<sup>99</sup>
DEEPEST = 100  # ancestors of a price that are compared
LONGEST = 40  # characters of a price and the words beside it
LONGEST_LABEL = 30  # characters of a separate text before it
LOOK_BACK = 4  # texts before a price that may be its label
MOST = 200  # texts with signs; a page with more is a list
UNASKED = frozenset({"del", "s", "strike", "a", "option", "select", "button"})

_ASKED = (
    "price|msrp|now|only|today|buy|sale|preis|jetzt|nur|prix|precio|prezzo|preço|prijs|pris"
    "|cena|hinta|fiyat|цена"
)
_OTHER = (
    "list|regular|reg|original|was|were|saves?|savings?|ship|shipping|invoice|months?|monthly|mo"
    "|destination|under|over|above|below|cart|items?|years?|yr|rebate|fee|tax|coupon|gift|orders?"
    "|off|used|deposit|delivery|payments?|handling|discount|market|compare|value|minimum|subtotal"
    "|warranty|plan|charge|options?|salary|hour|per|combo|rrp|points|financing|similar|similarly"
    "|also|bundle|with|each|from|dealer|statt|uvp|ab|versand|zzgl|monat|alt|instead|ancien|livraison"
    "|envío|antes|old"
)
ASKED = re.compile(rf"(?i)\b(?:{_ASKED})\b")
OTHER = re.compile(rf"(?i)\b(?:{_OTHER})\b")
NAMED = re.compile(r"pric(?:e|ing)|msrp|preis|prix|precio|prezzo|preco|prijs")
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
    signed = (number for number, text in enumerate(texts) if has_sign(text))
    for number in islice(signed, MOST):
        asked = _asked(leaves[number], _words_before(texts, number))
        if asked is not None:
            yield asked


def _words_before(texts: Sequence[str], number: int) -> str:
    """Return the text before another, signs skipped: it may be the label of a price."""
    before = texts[max(number - LOOK_BACK, 0) : number]
    return next((text for text in reversed(before) if any(map(str.isalnum, text))), "")


def _asked(leaf: Node, before: str) -> PriceCandidate | None:
    node, text = _holder(leaf)
    prices = find_prices(text)
    if len(prices) != 1 or not prices[0].amount.strip("0."):
        return None
    around = markup.line(node, DEEPEST)[::-1]
    label, behind = _words_beside(text, before)
    named = " ".join([markup.called(one) for one in around[:NEAR]])
    if not (ASKED.search(label) or NAMED.search(named.lower())) or _is_other(named, label, behind):
        return None
    if any(markup.tag(one) in UNASKED for one in around[:CLOSE]) or node.closest(ELSEWHERE):
        return None
    line = tuple([(markup.tag(one), markup.attribute(one, "class")) for one in around])
    place = line, label if ASKED.search(label) else ""
    return PriceCandidate(prices[0], node, place)


def _holder(leaf: Node) -> tuple[Node, str]:
    """Return the element around a price and its text, which may be in several pieces."""
    text = markup.leaf_text(leaf)
    node = markup.parent(leaf)
    for _ in range(CLIMB):
        if node is None or PRICE.search(text) or markup.length(node, LONGEST + 1) > LONGEST:
            break
        text = _joined([markup.leaf_text(piece) for piece in markup.text_leaves(node)])
        node = node if PRICE.search(text) else markup.parent(node)
    return (node or leaf), (text if len(text) <= LONGEST else "")


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
        alone = len(before) <= LONGEST_LABEL and not PRICE.search(before)
        label = before if alone else ""
    return label.lower(), behind


def _is_other(named: str, *words: str) -> bool:
    """Return whether names or words say that it is not the asking price."""
    parts = {part.lower() for part in _PART.findall(_PRICE_NAME.sub(r" \1 ", named))}
    return bool(parts & NAMED_OTHER) or any(map(OTHER.search, words))
