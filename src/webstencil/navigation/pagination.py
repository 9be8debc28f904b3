"""Links to other pages of a sequence: 1 2 3, next, previous, first, last.

Each link is described by its words in some twenty languages, its relation, the names around it, how
its URL differs from its page's, and by the links beside it; a linear model decides. Other
features made it worse on unseen sites: more links beside it, whether numbers count on, labels and
titles, queries.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import mul
from typing import NamedTuple

from webstencil.markup import Node, above, attribute, fitting_line
from webstencil.model import Page
from webstencil.navigation.classify import LinkWeights, Row, read_weights, shipped_text
from webstencil.navigation.features import HINT_NAMES as GROUPS
from webstencil.navigation.features import hints_of
from webstencil.navigation.links import Links

NEXT_WORDS = (
    "next weiter nächste naechste vor suivant suivante siguiente próxima próximo proxima proximo "
    "avanti successiva successivo volgende nästa næste neste seuraava następna następny dalej "
    "další ďalšia következő sonraki ileri далее следующая следующие вперед вперёд наступна напред "
    "επόμενη 下一页 下一頁 下页 次へ 次の 次 다음 التالي הבא older"
)
PREVIOUS_WORDS = (
    "prev previous zurück vorherige précédent précédente anterior atrás precedente indietro vorige "
    "föregående forrige edellinen poprzednia poprzedni wstecz předchozí előző önceki geri назад "
    "предыдущая предыдущие попередня προηγούμενη 上一页 上一頁 上页 前へ 前の 前 이전 السابق הקודם "
    "newer"
)
END_WORDS = (
    "first last erste letzte première dernière premier dernier primera última primero último prima "
    "ultima eerste laatste första sista første sidste первая последняя первый последний ilk son "
    "首页 尾页 末页 最初 最後 처음 끝"
)
PAGE_ARROWS = frozenset("«»‹›←→<>⟨⟩◀▶◄►⇐⇒❮❯")  # noqa: RUF001 - on purpose
ONWARD = frozenset(f"{NEXT_WORDS} {PREVIOUS_WORDS}".split())
LAST = frozenset(END_WORDS.split())
KNOWN = ONWARD | LAST | PAGE_ARROWS
RELATIONS = frozenset({"next", "prev"})
PAGE_NAMES = ("page", "p", "pagina", "página", "seite", "sayfa", "strona", "стр")
LINK_WORD = re.compile(r"[^\W\d_]+")
WORD_OR_ARROW = re.compile(f"[^\\W\\d_]+|[{''.join(sorted(PAGE_ARROWS))}]")
ASCII_WORD_OR_ARROW = re.compile(r"[a-z]+|[<>]")  # the same for lower-case ASCII, faster
ONLY_NUMBER = re.compile(r"\d{1,5}")
NUMBER_WITH_WORDS = re.compile(r"\D{0,8}\d{1,5}\D{0,3}")  # "Page 2", "[2]", but also "May 2009"
FRAMED = re.compile(rf"\W{{0,2}}(?:(?:{'|'.join(PAGE_NAMES)})\W{{0,2}})?\d{{1,5}}\W{{0,2}}")
LONGEST_PAGE_LINK = 30  # characters of a link of a sequence
PAGING_LEVELS = 3  # ancestors of a link whose names may call it one of a sequence
FARTHEST_BESIDE = 8  # elements; links further apart are not beside each other

TEXT_FEATURES = (
    *("number", "number with words", "next or previous", "first or last", "arrow", "only arrows"),
    *("long text", "no text", "words"),
)
TELLING_FEATURES = 6  # so many of these also describe the links beside it
MARK_FEATURES = ("relation", "hint: pages", "hint: pages above")
ADDRESS_FEATURES = ("page in the address", "own address but for numbers")
FEATURE_NAMES = (
    *TEXT_FEATURES,
    *MARK_FEATURES,
    *ADDRESS_FEATURES,
    *(
        f"{side}: {name}"
        for side in ("before", "after")
        for name in TEXT_FEATURES[:TELLING_FEATURES]
    ),
)
PAGES_BIT = 1 << GROUPS.index("pages")
NAMED_PAGES = ", ".join(  # a quick check before names are read
    f"[{name}*='{part}' i]"
    for name in ("class", "id", "aria-label")
    for part in ("pag", "prev", "next", "older", "newer")
)
MARKED_LINKS = f"[rel], {NAMED_PAGES}"
# Words before the number of a page in a URL, by length, because they are searched backwards.
ADDRESS_WORDS = (
    *("p|P", "pg|pn", "page|Page|from", "paged|Paged|start|Start|seite|Seite"),
    "pagina|Pagina|offset",
)
LAST_LETTERS = "[pPgnemdta]"
PAGE_IN_ADDRESS = re.compile(
    f"0(?:(?<={LAST_LETTERS}0)|(?<={LAST_LETTERS}[=/_-]0))(?:"
    + "|".join(
        rf"(?<=[^0-9A-Za-z](?:{words}){sign}0)"
        for words in ADDRESS_WORDS
        for sign in ("", "[=/_-]")
    )
    + ")"
)
TO_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
NONE, PICTURE, WEAK, STRONG = range(4)  # how much a text looks like such a link
NO_TEXT_BESIDE = (0.0,) * TELLING_FEATURES
UNMARKED, ONLY_AROUND = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def likeliness(text: str) -> int:
    """Return how likely a text is that of a link of a sequence."""
    if not text:
        return PICTURE
    if len(text) > LONGEST_PAGE_LINK:
        return NONE
    written = text.lower()
    tokens = ASCII_WORD_OR_ARROW if written.isascii() else WORD_OR_ARROW
    if text.isdecimal() or not KNOWN.isdisjoint(tokens.findall(written)):
        return STRONG
    return WEAK if FRAMED.fullmatch(written) else NONE


def link_rows(page: Page, links: Links, wanted: Iterable[int]) -> dict[int, Row]:
    """Describe some links, with those beside them."""
    own, marks = own_path(page.url), Marks()
    return {
        link: (
            *said(links.text(link)),
            *marks.of(links.nodes[link]),
            float(names_page(links.hrefs[link])),
            float(is_own(own, links.hrefs[link])),
            *_beside(links, link),
        )
        for link in wanted
    }


def _beside(links: Links, link: int) -> Row:
    """Describe the texts of the links beside one."""
    places = links.places
    return (
        *(telling(links.text(link - 1)) if _is_near(places, link - 1, link) else NO_TEXT_BESIDE),
        *(telling(links.text(link + 1)) if _is_near(places, link, link + 1) else NO_TEXT_BESIDE),
    )


def _is_near(places: Sequence[int], left: int, right: int) -> bool:
    """Return whether two links are beside each other."""
    return left >= 0 and right < len(places) and places[right] - places[left] <= FARTHEST_BESIDE


def telling(text: str) -> Row:
    """Describe the text of a link beside another."""
    return said(text)[:TELLING_FEATURES] if likeliness(text) in {WEAK, STRONG} else NO_TEXT_BESIDE


def said(text: str) -> Row:
    """Describe the text of a link."""
    words = (
        set(map(str.lower, LINK_WORD.findall(text))) if len(text) <= LONGEST_PAGE_LINK else set()
    )
    arrows = not PAGE_ARROWS.isdisjoint(text)
    return (
        float(ONLY_NUMBER.fullmatch(text) is not None),
        float(NUMBER_WITH_WORDS.fullmatch(text) is not None),
        float(not words.isdisjoint(ONWARD)),
        float(not words.isdisjoint(LAST)),
        float(arrows and len(text) <= LONGEST_PAGE_LINK),
        float(arrows and PAGE_ARROWS.issuperset(text)),
        float(len(text) > LONGEST_PAGE_LINK),
        float(not text),
        float(len(words)),
    )


class Marks:
    """Reads the relations of the links of a page, and the names of the elements around them."""

    def __init__(self) -> None:
        self._around: dict[Node, bool] = {}

    def of(self, node: Node) -> Row:
        """Describe a link by its relation and by the names of the elements around it."""
        parent = above(node)
        around = self._around.get(parent)
        if around is None:
            line = fitting_line(parent, NAMED_PAGES, PAGING_LEVELS)
            around = self._around[parent] = any(hints_of(one) & PAGES_BIT for one in line)
        if not fitting_line(node, MARKED_LINKS, 1):  # a quick check, mostly enough
            return ONLY_AROUND if around else UNMARKED
        relation = is_relation(attribute(node, "rel"))
        return float(relation), float(bool(hints_of(node) & PAGES_BIT)), float(around)


def is_relation(written: str) -> bool:
    """Return whether the relation of a link is that of a sequence."""
    return bool(written) and not RELATIONS.isdisjoint(written.lower().split())


def zeros(url: str) -> str:
    """Replace each digit in a URL by 0."""
    return url.encode("ascii", "replace").translate(TO_ZEROS).decode()


def _shortened(url: str) -> str:
    """Replace each number in a URL by 0."""
    written = zeros(url)
    while "00" in written:
        written = written.replace("00", "0")
    return written


@lru_cache(maxsize=1)  # called for each link of a page
def own_path(url: str) -> str:
    """Return the URL of a page without its host, numbers replaced by 0."""
    return _shortened(after_host(url))


def names_page(href: str) -> bool:
    """Return whether a word for pages is alone before a number in a URL."""
    return PAGE_IN_ADDRESS.search(f"/{zeros(href)}") is not None


def is_own(own: str, href: str) -> bool:
    """Return whether a URL equals that of a page, except for numbers, or extends it."""
    path = _shortened(after_host(href) if "://" in href else href.lstrip("./"))
    if not path or not own:
        return False
    return own.endswith(path) or path.startswith(own.rstrip("/"))


def after_host(url: str) -> str:
    """Return an absolute URL without its host."""
    return url.partition("://")[2].partition("/")[2]


# The model is linear: the score of a text is computed once, and each link is read only as far as
# needed for a decision.


MOST_TEXTS_SCORED = 1 << 14  # texts; the pages of a site share most of them


class Worth(NamedTuple):
    """The scores of a text."""

    likely: int  # see `likeliness`
    own: float  # as text of a link, with the bias of the model
    before: float  # as text of the link before
    after: float  # as text of the link after


WORTH_NOTHING = Worth(NONE, 0.0, 0.0, 0.0)


class Judge:
    """Recognises links of a sequence by the weights of their features."""

    def __init__(self, model: LinkWeights) -> None:
        ends = accumulate(
            (
                len(TEXT_FEATURES),
                len(MARK_FEATURES),
                len(ADDRESS_FEATURES),
                TELLING_FEATURES,
                TELLING_FEATURES,
            ),
            initial=0,
        )
        parts = [model.weights[start:end] for start, end in pairwise(ends)]
        self._said, self._marks, self._address, self._before, self._after = parts
        self._bias = model.bias
        self._worth = lru_cache(maxsize=MOST_TEXTS_SCORED)(self._worth_of)

    def found(self, page: Page, links: Links, wanted: Sequence[int]) -> frozenset[int]:
        """Return those links that are to other pages of a sequence."""
        worths = self._worths(wanted, links.texts(wanted))
        marks = Marks()
        found = []
        for link, worth in worths.items():
            mark = marks.of(links.nodes[link])
            if mark == UNMARKED and worth.likely == WEAK:
                continue  # a number in the page's frame needs a mark
            score = self._by_texts(links, link, worths)
            if mark != UNMARKED:
                score += dot(mark, self._marks)
            if self._with_address(score, links.hrefs[link], page.url) > 0:
                found.append(link)
        return frozenset(found)

    def _worths(self, wanted: Sequence[int], texts: Sequence[str]) -> dict[int, Worth]:
        """Return the scores of those texts of links that may be of a sequence."""
        glanced = [  # most others are words, none of them known
            (link, text)
            for link, text in zip(wanted, texts, strict=True)
            if len(text) <= LONGEST_PAGE_LINK
            and not (text.replace(" ", "").isalpha() and KNOWN.isdisjoint(text.lower().split()))
        ]
        worths = {link: worth for link, text in glanced if (worth := self._worth(text)).likely}
        return {
            link: worth
            for link, worth in worths.items()
            if worth.likely != PICTURE or is_beside(link, worths)
        }

    def _by_texts(self, links: Links, link: int, worths: Mapping[int, Worth]) -> float:
        """Return the score of the texts of a link and those beside it."""
        score, places = worths[link].own, links.places
        if link - 1 in worths and places[link] - places[link - 1] <= FARTHEST_BESIDE:
            score += worths[link - 1].before
        if link + 1 in worths and places[link + 1] - places[link] <= FARTHEST_BESIDE:
            score += worths[link + 1].after
        return score

    def _with_address(self, score: float, href: str, url: str) -> float:
        """Add the score of a URL on this page, if it can matter."""
        paged, own = self._address
        if score + max(paged, 0.0) + max(own, 0.0) > 0 and names_page(href):
            score += paged
        if score + max(own, 0.0) > 0 and is_own(own_path(url), href):
            score += own
        return score

    def _worth_of(self, text: str) -> Worth:
        """Compute the scores of a text."""
        likely = likeliness(text)
        if likely == NONE:
            return WORTH_NOTHING
        row = telling(text)
        own = self._bias + dot(said(text), self._said)
        return Worth(likely, own, dot(row, self._before), dot(row, self._after))


def is_beside(link: int, worths: Mapping[int, Worth]) -> bool:
    """Return whether a text (no picture) right before or after a link is likely."""
    before, after = worths.get(link - 1, WORTH_NOTHING), worths.get(link + 1, WORTH_NOTHING)
    return before.likely > PICTURE or after.likely > PICTURE


def dot(row: Row, weights: Row) -> float:
    """Return the weighted sum of a row."""
    total: float = sum(map(mul, row, weights))
    return total


@lru_cache(maxsize=1)
def shipped_judge() -> Judge:
    """Return the judge with the model of the package."""
    return Judge(read_weights(shipped_text("pagination")))


def pagination_links(page: Page, links: Links, wanted: Sequence[int]) -> frozenset[int]:
    """Return those links that are to other pages of a sequence."""
    return shipped_judge().found(page, links, wanted)
