"""Links to the other pages of a sequence: 1 2 3, next, previous, first, last.

Each link is described by its words in some twenty languages, its relation, the names around it, how
its address differs from that of its page, and by its neighbours; a model decides (`classify`).
What else was tried made it worse on sites it had not seen: more neighbours, whether numbers count
on, labels and titles, queries.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Self

from webstencil.markup import Node, attribute, fitting, line_end
from webstencil.model import Page
from webstencil.navigation.classify import shipped
from webstencil.navigation.features import Row
from webstencil.navigation.hints import NAMES as GROUPS
from webstencil.navigation.hints import hints_of
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
KNOWN = ONWARD | LAST | ARROWS
RELATIONS = frozenset({"next", "prev"})
WORD = re.compile(r"[^\W\d_]+")
TOKEN = re.compile(f"[^\\W\\d_]+|[{''.join(sorted(ARROWS))}]")
ASCII_TOKEN = re.compile(r"[a-z]+|[<>]")  # the same of what is in lower case and ASCII, faster
NUMBER = re.compile(r"\d{1,5}")
DIGITS = re.compile(r"\d+")
NUMBERED = re.compile(r"\D{0,8}\d{1,5}\D{0,3}")  # "Page 2", "[2]", but "May 2009", too
FRAMED = re.compile(
    r"\W{0,2}(?:(?:page|p|pagina|página|seite|sayfa|strona|стр)\W{0,2})?\d{1,5}\W{0,2}"
)
ADDRESS = re.compile(  # letters one by one, [Pp] would take five times as long to search
    r"(?:page|Page|paged|Paged|pagina|Pagina|pg|pn|p|P|start|Start|offset|from|seite|Seite)[=/_-]?\d"
)
LONGEST = 30  # characters of what a link of a sequence says
LEVELS = 3  # elements around a link whose names may call it one of a sequence
FAR = 8  # elements: links further apart are no neighbours

SAID = (
    *("number", "number with words", "next or previous", "first or last", "arrow", "only arrows"),
    *("long text", "no text", "words"),
)
TELLING = 6  # of these tell something of a neighbour
FEATURE_NAMES = (
    *SAID,
    *("relation", "hint: pages", "hint: pages above"),
    *("page in the address", "own address but for numbers"),
    *(f"{side}: {name}" for side in ("before", "after") for name in SAID[:TELLING]),
)
PAGES = 1 << GROUPS.index("pages")
NAMED_PAGES = ", ".join(  # as a glance before the names are read
    f"[{name}*='{part}' i]"
    for name in ("class", "id", "aria-label")
    for part in ("pag", "prev", "next", "older", "newer")
)
NONE, PICTURE, WEAK, STRONG = range(4)  # how much a text looks like that of such a link
NOBODY = (0.0,) * TELLING
REMEMBERED = 1 << 14  # texts and addresses; the pages of a site share most of them


@dataclass(frozen=True, slots=True)
class Own:
    """The address of a page without its host, 0 for each number."""

    path: str
    start: str  # what comes before its first number

    @classmethod
    def of(cls, url: str) -> Self:
        """Read the address of a page."""
        path = DIGITS.sub("0", after_host(url))
        return cls(path, path.rstrip("/").partition("0")[0])


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
    glances = [(link, likeliness(texts[link])) for link in wanted if len(texts[link]) <= LONGEST]
    return [
        link
        for link, likely in glances
        if likely and (likely == STRONG or is_likely(links, link, likely))
    ]


def is_likely(links: Links, link: int, likely: int) -> bool:
    """Look again at a link: numbers in a frame need a mark, pictures a neighbour."""
    if likely == WEAK:
        return any(marks(links, [link])[0])
    before = link > 0 and likeliness(links.text(link - 1)) in {WEAK, STRONG}
    return before or (link + 1 < len(links) and likeliness(links.text(link + 1)) in {WEAK, STRONG})


@lru_cache(maxsize=REMEMBERED)
def likeliness(text: str) -> int:
    """Tell at a glance whether a text may be that of a link of a sequence."""
    if not text:
        return PICTURE
    if len(text) > LONGEST:
        return NONE
    written = text.lower()
    if written.replace(" ", "").isalpha():  # as most are: neither numbers nor arrows
        return NONE if KNOWN.isdisjoint(written.split()) else STRONG
    tokens = ASCII_TOKEN if written.isascii() else TOKEN
    if text.isdecimal() or not KNOWN.isdisjoint(tokens.findall(written)):
        return STRONG
    return WEAK if FRAMED.fullmatch(written) else NONE


def link_rows(page: Page, links: Links, wanted: Iterable[int]) -> dict[int, Row]:
    """Describe some links with their neighbours."""
    own, chosen = Own.of(page.url), list(wanted)
    marked = zip(chosen, marks(links, chosen), strict=True)
    return {link: link_row(links, link, own, mark) for link, mark in marked}


def link_row(links: Links, link: int, own: Own, mark: Row) -> Row:
    """Describe a link with this mark, on a page with this address."""
    places = links.places
    return (
        *said(links.text(link)),
        *mark,
        *address(own, links.hrefs[link]),
        *(beside(links, link - 1) if is_near(places, link - 1, link) else NOBODY),
        *(beside(links, link + 1) if is_near(places, link, link + 1) else NOBODY),
    )


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


def marks(links: Links, wanted: Sequence[int]) -> list[Row]:
    """Describe links by their relations and by the names of the elements around them."""
    lines = [line_end(links.nodes[link], LEVELS + 1) for link in wanted]
    named = called_pages(dict.fromkeys(chain.from_iterable(lines)))
    return [
        (
            float(is_relation(attribute(line[-1], "rel"))),
            float(line[-1] in named),
            float(not named.isdisjoint(line[:-1])),
        )
        for line in lines
    ]


def called_pages(nodes: Iterable[Node]) -> frozenset[Node]:
    """Return the elements whose names hint at pages of a sequence."""
    return frozenset([node for node in fitting(nodes, NAMED_PAGES) if hints_of(node) & PAGES])


def is_relation(written: str) -> bool:
    """Tell whether the relation of a link is that of a sequence."""
    return bool(written) and not RELATIONS.isdisjoint(written.lower().split())


def address(own: Own, href: str) -> Row:
    """Describe the address of a link against that of its page."""
    paged, tail = read_address(href)
    return paged, float(bool(tail) and is_own(own, tail))


def is_own(own: Own, tail: str) -> bool:
    """Tell whether an address is that of the page but for numbers, or adds to it."""
    end = "0" if tail[-1].isdecimal() else tail[-1]
    if own.path[-1:] != end and not tail.startswith(own.start):  # a glance, and mostly enough
        return False
    path, like = own.path, DIGITS.sub("0", tail)
    return path.endswith(like) or (bool(path) and like.startswith(path.rstrip("/")))


@lru_cache(maxsize=REMEMBERED)
def read_address(href: str) -> tuple[float, str]:
    """Tell whether an address names a page, and return it without its host or way up."""
    tail = after_host(href) if "://" in href else href.lstrip("./")
    return float(ADDRESS.search(href) is not None and names_page(href)), tail


def names_page(address: str) -> bool:
    """Tell whether one of the words for pages stands alone in an address, before a number."""
    return any(not address[: found.start()][-1:].isalnum() for found in ADDRESS.finditer(address))


def after_host(url: str) -> str:
    """Return what follows the host in a full address."""
    return url.partition("://")[2].partition("/")[2]


def is_near(places: Sequence[int], left: int, right: int) -> bool:
    """Tell whether two links are neighbours."""
    return left >= 0 and right < len(places) and places[right] - places[left] <= FAR


def beside(links: Links, link: int) -> Row:
    """Describe what a neighbour says."""
    text = links.text(link)
    return said(text)[:TELLING] if likeliness(text) in {WEAK, STRONG} else NOBODY
