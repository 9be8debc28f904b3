"""Links to the other pages of a sequence: 1 2 3, next, previous, first, last.

Each link is described by its words in some twenty languages, its attributes, how its address
differs from that of its page, and by its neighbours; a model decides (`classify`).
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from webstencil.markup import Node, attribute
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
ARROWS = "«»‹›←→<>⟨⟩◀▶◄►⇐⇒❮❯"  # noqa: RUF001 - these are meant
ONWARD = frozenset(f"{NEXT} {PREVIOUS}".split())
LAST = frozenset(ENDS.split())
WORD = re.compile(r"[^\W\d_]+")
NUMBER = re.compile(r"\d{1,5}")
DIGITS = re.compile(r"\d+")
NUMBERED = re.compile(r"\D{0,8}\d{1,5}\D{0,3}")  # "Page 2", "[2]"
ADDRESS = re.compile(r"(?i)(?:\b|_)(?:page|paged|pg|p|start|offset|from|seite|pagina|pn)[=/_-]?\d")
LONGEST = 30  # characters of what a link of a sequence says
FAR = 8  # elements: links further apart are no neighbours

SAID = (
    *("number", "number with words", "next or previous", "first or last", "arrow", "only arrows"),
    *("long text", "no text", "words"),
)
FEATURE_NAMES = (
    *SAID,
    *("relation", "label", "page in the address", "own address but for numbers"),
    *("own address but for its query", "number in the address"),
    *("hint: pages", "hint: pages above", "hint: comments above", "hint: details above"),
    *(f"{side}: {name}" for side in ("before", "after") for name in SAID[:6]),
    *("near before", "near after", "counts on from before", "counts on to after"),
    *("numbers around", "words around"),
)
PAGES, COMMENTS, DETAILS = (GROUPS.index(name) for name in ("pages", "comments", "details"))
NOBODY = (0.0,) * len(SAID)
REMEMBERED = 1 << 14  # texts; the pages of a site share most of them
WINDOW = 3  # links to each side that are its neighbours


def pagination_links(page: Page, links: Links, others: Iterable[range] = ()) -> frozenset[int]:
    """Return the links that lead to other pages of a sequence, none of those in `others`."""
    known = {link for block in others for link in block}
    likely = [link for link in likely_links(links) if link not in known]
    if not likely:
        return frozenset()
    model, rows = shipped("pagination"), link_rows(page, links, likely)
    return frozenset(link for link, row in rows.items() if model.score(row) > 0)


def likely_links(links: Links) -> list[int]:
    """Return the links that may be of a sequence: by their words, or as pictures beside such."""
    texts = links.texts
    found = {link for link, text in enumerate(texts) if len(text) <= LONGEST and is_likely(text)}
    beside = {near for link in found for near in (link - 1, link + 1)}
    return sorted(found | {link for link in beside if 0 <= link < len(texts) and not texts[link]})


@lru_cache(maxsize=REMEMBERED)
def is_likely(text: str) -> bool:
    """Tell at a glance whether a link may be one of a sequence."""
    return any(said(text)[:6])


def link_rows(page: Page, links: Links, wanted: Iterable[int]) -> dict[int, Row]:
    """Describe some links with their neighbours."""
    skeleton = DIGITS.sub("0", page.url.partition("://")[2].removeprefix("www."))
    return {
        link: said(links.texts[link]) + own_row(page, links, link, skeleton) + around(links, link)
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


def own_row(page: Page, links: Links, link: int, skeleton: str) -> Row:
    """Describe a link by its attributes and its target."""
    node, text, href = links.nodes[link], links.texts[link], links.hrefs[link]
    label = f"{attribute(node, 'title')} {attribute(node, 'aria-label')}".lower()
    hints = 0
    for element in above_of(node):
        hints |= hints_of(element)
    target = DIGITS.sub("0", href)
    return (
        float(not {"next", "prev"}.isdisjoint(attribute(node, "rel").lower().split())),
        float(not ONWARD.isdisjoint(WORD.findall(label))),
        float(ADDRESS.search(href) is not None),
        float(bool(target) and same_but_numbers(skeleton, target)),
        float(href.startswith("?") or same_path(page.url, href)),
        float(NUMBER.fullmatch(text) is not None and text in DIGITS.findall(href)),
        float(hints_of(node) >> PAGES & 1),
        float(hints >> PAGES & 1),
        float(hints >> COMMENTS & 1),
        float(hints >> DETAILS & 1),
    )


def above_of(node: Node, levels: int = 3) -> list[Node]:
    """Return the nearest elements around a link."""
    found: list[Node] = []
    above = node.parent
    while above is not None and len(found) < levels:
        found.append(above)
        above = above.parent
    return found


def same_but_numbers(skeleton: str, target: str) -> bool:
    """Tell whether an address is that of the page but for numbers, or adds a number to it."""
    place = target.partition("://")[2].removeprefix("www.") if "://" in target else target
    tail = place.partition("/")[2] if "://" in target else place.lstrip("./")
    own = skeleton.partition("/")[2]
    return bool(tail) and (own.endswith(tail) or (bool(own) and tail.startswith(own.rstrip("/"))))


def same_path(url: str, href: str) -> bool:
    """Tell whether an address differs from that of the page in its query only."""
    path, mark, _ = href.partition("?")
    own = url.partition("?")[0]
    return bool(mark) and bool(path) and own.endswith(path.lstrip("."))


def around(links: Links, link: int) -> Row:
    """Describe the neighbours of a link."""
    texts = links.texts
    before, after = near(links.places, link - 1, link), near(links.places, link, link + 1)
    left = said(texts[link - 1]) if before else NOBODY
    right = said(texts[link + 1]) if after else NOBODY
    beside = [*texts[max(0, link - WINDOW) : link], *texts[link + 1 : link + WINDOW + 1]]
    window = list(map(said, beside))
    number = number_of(texts[link])
    return (
        *left[:6],
        *right[:6],
        float(before),
        float(after),
        float(before and counts_on(number_of(texts[link - 1]), number)),
        float(after and counts_on(number, number_of(texts[link + 1]))),
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
