"""Links to the other pages of a sequence: 1 2 3, next, previous, first, last.

Each link is described by its words in some twenty languages, its attributes, how its address
differs from that of its page, and by its neighbours; a model decides (`classify`).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from webstencil.markup import attribute
from webstencil.model import NO_PARENT, Page
from webstencil.navigation.classify import shipped
from webstencil.navigation.features import Row
from webstencil.navigation.hints import NAMES as GROUPS
from webstencil.navigation.hints import Reader
from webstencil.navigation.links import Links

NEXT = (
    "next weiter nächste naechste vor suivant suivante siguiente próxima próximo proxima proximo "
    "avanti successiva successivo volgende nästa næste neste seuraava następna następny dalej "
    "další ďalšia következő sonraki ileri далее следующая следующие вперед вперёд наступна напред "
    "επόμενη 下一页 下一頁 下页 次へ 次の 次 다음 التالي הבא older"
)
PREVIOUS = (
    "prev previous zurück vorherige précédent précédente anterior atrás precedente indietro vorige "
    "föregående forrige edellinen poprzednia poprzedni wstecz předchozí előző önceki geri назад "
    "предыдущая предыдущие попередня προηγούμενη 上一页 上一頁 上页 前へ 前の 前 이전 السابق הקודם "
    "newer"
)
ENDS = (
    "first last erste letzte première dernière premier dernier primera última primero último prima "
    "ultima eerste laatste första sista første sidste первая последняя первый последний ilk son "
    "首页 尾页 末页 最初 最後 처음 끝"
)
ARROWS = frozenset("«»‹›←→<>⟨⟩◀▶◄►⇐⇒❮❯")  # noqa: RUF001 - these are meant
ONWARD = frozenset(f"{NEXT} {PREVIOUS}".split())
LAST = frozenset(ENDS.split())
KNOWN = ONWARD | LAST
RELATIONS = frozenset({"next", "prev"})
WORD = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(r"\d{1,5}")
DIGITS = re.compile(r"\d+")
NUMBERED = re.compile(r"\D{0,8}\d{1,5}\D{0,3}")  # "Page 2", "[2]"
ADDRESS = re.compile(r"(?i)(?:\b|_)(?:page|paged|pg|p|start|offset|from|seite|pagina|pn)[=/_-]?\d")
LONGEST = 30  # characters of what a link of a sequence says
LEVELS = 3  # elements around a link whose names may call it one of a sequence
FAR = 8  # elements: links further apart are no neighbours

SAID = (
    *("number", "number with words", "next or previous", "first or last", "arrow", "only arrows"),
    *("long text", "no text", "words"),
)
FEATURE_NAMES = (
    *SAID,
    *("relation", "label"),
    *("hint: pages", "hint: pages above", "hint: comments above", "hint: details above"),
    *("page in the address", "own address but for numbers", "own address but for its query"),
    *("number in the address",),
    *(f"{side}: {name}" for side in ("before", "after") for name in SAID[:6]),
    *("near before", "near after", "counts on from before", "counts on to after"),
    *("numbers around", "words around"),
)
PAGES, COMMENTS, DETAILS = (GROUPS.index(name) for name in ("pages", "comments", "details"))
NOBODY = (0.0,) * len(SAID)
REMEMBERED = 1 << 14  # texts; the pages of a site share most of them
WINDOW = 3  # links to each side that are its neighbours


def pagination_links(page: Page, links: Links, wanted: Sequence[int]) -> frozenset[int]:
    """Return those of some links that lead to other pages of a sequence."""
    likely = likely_links(links, wanted)
    if not likely:
        return frozenset()
    model, rows = shipped("pagination"), link_rows(page, links, likely)
    return frozenset(link for link, row in rows.items() if model.score(row) > 0)


def likely_links(links: Links, wanted: Sequence[int]) -> list[int]:
    """Return the links that may be of a sequence: by their words, or as pictures beside such."""
    texts = links.texts(wanted)
    return [
        link
        for link in wanted
        if (is_likely(texts[link]) if texts[link] else is_beside_likely(links, link))
    ]


def is_beside_likely(links: Links, link: int) -> bool:
    """Tell whether a neighbour of a link may be one of a sequence."""
    before = link > 0 and is_likely(links.text(link - 1))
    return before or (link + 1 < len(links) and is_likely(links.text(link + 1)))


@lru_cache(maxsize=REMEMBERED)
def is_likely(text: str) -> bool:
    """Tell at a glance whether a link may be one of a sequence."""
    return len(text) <= LONGEST and (
        not ARROWS.isdisjoint(text)
        or not KNOWN.isdisjoint(WORD.findall(text.lower()))
        or NUMBERED.fullmatch(text) is not None
    )


def link_rows(page: Page, links: Links, wanted: Iterable[int]) -> dict[int, Row]:
    """Describe some links with their neighbours."""
    own, reader = Own.of(page.url), Reader(links.elements)
    return {
        link: said(links.text(link))
        + marks(links, link, reader)
        + address(own, links.hrefs[link], links.text(link))
        + around(links, link)
        for link in wanted
    }


@lru_cache(maxsize=REMEMBERED)
def said(text: str) -> Row:
    """Describe the text of a link."""
    words = set(map(str.lower, WORD.findall(text))) if len(text) <= LONGEST else set()
    arrows = sum(character in ARROWS for character in text)
    return (
        float(NUMBER.fullmatch(text) is not None),
        float(NUMBERED.fullmatch(text) is not None),
        float(not words.isdisjoint(ONWARD)),
        float(not words.isdisjoint(LAST)),
        float(arrows > 0 and len(text) <= LONGEST),
        float(0 < arrows == len(text)),
        float(len(text) > LONGEST),
        float(not text),
        float(len(words)),
    )


def marks(links: Links, link: int, reader: Reader) -> Row:
    """Describe a link by its attributes and by the names of the elements around it."""
    node, place = links.nodes[link], links.places[link]
    relation = attribute(node, "rel")
    label = f"{attribute(node, 'title')} {attribute(node, 'aria-label')}"
    own, above = reader.at(place), reader.along(above_of(place, links.parents))
    return (
        float(bool(relation) and not RELATIONS.isdisjoint(relation.lower().split())),
        float(label != " " and not ONWARD.isdisjoint(WORD.findall(label.lower()))),
        float(own >> PAGES & 1),
        float(above >> PAGES & 1),
        float(above >> COMMENTS & 1),
        float(above >> DETAILS & 1),
    )


def above_of(element: int, parents: Sequence[int]) -> list[int]:
    """Return the nearest elements around a link."""
    found: list[int] = []
    while (element := parents[element]) != NO_PARENT and len(found) < LEVELS:
        found.append(element)
    return found


@dataclass(frozen=True, slots=True)
class Own:
    """The address of a page, as its links are compared with it."""

    url: str  # without its query
    skeleton: str  # of what follows the host, with 0 for each number

    @classmethod
    def of(cls, url: str) -> Self:
        """Read the address of a page."""
        return cls(url.partition("?")[0], DIGITS.sub("0", after_host(url)))


def address(own: Own, href: str, text: str) -> Row:
    """Describe the address of a link against that of its page."""
    known = read_address(href)
    return (
        known.paged,
        float(same_but_numbers(own.skeleton, known.tail)),
        float(href[:1] == "?" or (bool(known.path) and own.url.endswith(known.path))),
        float(text in known.numbers and NUMBER.fullmatch(text) is not None),
    )


@dataclass(frozen=True, slots=True)
class Address:
    """What an address tells by itself."""

    paged: float  # 1 if it names a page of a sequence
    tail: str  # what follows the host, or the way up, with 0 for each number
    path: str  # where there is a query: what comes before it
    numbers: frozenset[str]


@lru_cache(maxsize=REMEMBERED)
def read_address(href: str) -> Address:
    """Read an address."""
    target = DIGITS.sub("0", href)
    path, mark, _ = href.partition("?")
    return Address(
        paged=float(ADDRESS.search(href) is not None),
        tail=after_host(target) if "://" in target else target.lstrip("./"),
        path=path.lstrip(".") if mark else "",
        numbers=frozenset(DIGITS.findall(href)),
    )


def after_host(url: str) -> str:
    """Return what follows the host in a full address."""
    return url.partition("://")[2].partition("/")[2]


def same_but_numbers(own: str, tail: str) -> bool:
    """Tell whether an address is that of the page but for numbers, or adds a number to it."""
    return bool(tail) and (own.endswith(tail) or (bool(own) and tail.startswith(own.rstrip("/"))))


def around(links: Links, link: int) -> Row:
    """Describe the neighbours of a link."""
    text, count = links.text, len(links)
    before, after = near(links.places, link - 1, link), near(links.places, link, link + 1)
    left = said(text(link - 1)) if before else NOBODY
    right = said(text(link + 1)) if after else NOBODY
    beside = [*range(max(0, link - WINDOW), link), *range(link + 1, min(count, link + WINDOW + 1))]
    window = list(map(said, map(text, beside)))
    number = number_of(text(link))
    return (
        *left[:6],
        *right[:6],
        float(before),
        float(after),
        float(before and counts_on(number_of(text(link - 1)), number)),
        float(after and counts_on(number, number_of(text(link + 1)))),
        sum(row[0] for row in window) / (2 * WINDOW),
        sum(row[2] + row[5] for row in window) / (2 * WINDOW),
    )


def number_of(text: str) -> int | None:
    """Return the number that a text is."""
    return int(text) if NUMBER.fullmatch(text) else None


def near(places: Sequence[int], left: int, right: int) -> bool:
    """Tell whether two links are neighbours."""
    return left >= 0 and right < len(places) and places[right] - places[left] <= FAR


def counts_on(left: int | None, right: int | None) -> bool:
    """Tell whether a number follows another."""
    return left is not None and right is not None and 0 < right - left <= 2
