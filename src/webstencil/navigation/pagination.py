"""Features of links to other pages of a sequence: 1 2 3, next, previous, first, last.

Each link is described by its words in some twenty languages, its relation, the names around it, how
its URL differs from its page's, and by the links beside it; a model decides (`sequences`). Other
features made it worse on unseen sites: more links beside it, whether numbers count on, labels and
titles, queries.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from webstencil.markup import Node, above, attribute, fitting_line
from webstencil.model import Page
from webstencil.navigation.classify import Row
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
ARROWS = frozenset("«»‹›←→<>⟨⟩◀▶◄►⇐⇒❮❯")  # noqa: RUF001 - on purpose
ONWARD = frozenset(f"{NEXT} {PREVIOUS}".split())
LAST = frozenset(ENDS.split())
KNOWN = ONWARD | LAST | ARROWS
RELATIONS = frozenset({"next", "prev"})
PAGE_NAMES = ("page", "p", "pagina", "página", "seite", "sayfa", "strona", "стр")
WORD = re.compile(r"[^\W\d_]+")
TOKEN = re.compile(f"[^\\W\\d_]+|[{''.join(sorted(ARROWS))}]")
ASCII_TOKEN = re.compile(r"[a-z]+|[<>]")  # the same for lower-case ASCII, faster
NUMBER = re.compile(r"\d{1,5}")
NUMBERED = re.compile(r"\D{0,8}\d{1,5}\D{0,3}")  # "Page 2", "[2]", but also "May 2009"
FRAMED = re.compile(rf"\W{{0,2}}(?:(?:{'|'.join(PAGE_NAMES)})\W{{0,2}})?\d{{1,5}}\W{{0,2}}")
LONGEST = 30  # characters of a link of a sequence
LEVELS = 3  # ancestors of a link whose names may call it one of a sequence
FAR = 8  # elements; links further apart are not beside each other

SAID = (
    *("number", "number with words", "next or previous", "first or last", "arrow", "only arrows"),
    *("long text", "no text", "words"),
)
TELLING = 6  # so many of these also describe the links beside it
MARKS = ("relation", "hint: pages", "hint: pages above")
ADDRESSES = ("page in the address", "own address but for numbers")
FEATURE_NAMES = (
    *SAID,
    *MARKS,
    *ADDRESSES,
    *(f"{side}: {name}" for side in ("before", "after") for name in SAID[:TELLING]),
)
PAGES = 1 << GROUPS.index("pages")
NAMED_PAGES = ", ".join(  # a quick check before names are read
    f"[{name}*='{part}' i]"
    for name in ("class", "id", "aria-label")
    for part in ("pag", "prev", "next", "older", "newer")
)
MARKED = f"[rel], {NAMED_PAGES}"
# Words before the number of a page in a URL, by length, because they are searched backwards.
ADDRESS_WORDS = (
    *("p|P", "pg|pn", "page|Page|from", "paged|Paged|start|Start|seite|Seite"),
    "pagina|Pagina|offset",
)
LAST_LETTERS = "[pPgnemdta]"
ADDRESS = re.compile(
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
NOBODY = (0.0,) * TELLING
UNMARKED, ONLY_AROUND = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def likeliness(text: str) -> int:
    """Return how likely a text is that of a link of a sequence."""
    if not text:
        return PICTURE
    if len(text) > LONGEST:
        return NONE
    written = text.lower()
    tokens = ASCII_TOKEN if written.isascii() else TOKEN
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
            *beside(links, link),
        )
        for link in wanted
    }


def beside(links: Links, link: int) -> Row:
    """Describe the texts of the links beside one."""
    places = links.places
    return (
        *(telling(links.text(link - 1)) if is_near(places, link - 1, link) else NOBODY),
        *(telling(links.text(link + 1)) if is_near(places, link, link + 1) else NOBODY),
    )


def is_near(places: Sequence[int], left: int, right: int) -> bool:
    """Return whether two links are beside each other."""
    return left >= 0 and right < len(places) and places[right] - places[left] <= FAR


def telling(text: str) -> Row:
    """Describe the text of a link beside another."""
    return said(text)[:TELLING] if likeliness(text) in {WEAK, STRONG} else NOBODY


def said(text: str) -> Row:
    """Describe the text of a link."""
    words = set(map(str.lower, WORD.findall(text))) if len(text) <= LONGEST else set()
    arrows = not ARROWS.isdisjoint(text)
    return (
        float(NUMBER.fullmatch(text) is not None),
        float(NUMBERED.fullmatch(text) is not None),
        float(not words.isdisjoint(ONWARD)),
        float(not words.isdisjoint(LAST)),
        float(arrows and len(text) <= LONGEST),
        float(arrows and ARROWS.issuperset(text)),
        float(len(text) > LONGEST),
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
            line = fitting_line(parent, NAMED_PAGES, LEVELS)
            around = self._around[parent] = any(hints_of(one) & PAGES for one in line)
        if not fitting_line(node, MARKED, 1):  # a quick check, mostly enough
            return ONLY_AROUND if around else UNMARKED
        relation = is_relation(attribute(node, "rel"))
        return float(relation), float(bool(hints_of(node) & PAGES)), float(around)


def is_relation(written: str) -> bool:
    """Return whether the relation of a link is that of a sequence."""
    return bool(written) and not RELATIONS.isdisjoint(written.lower().split())


def zeros(url: str) -> str:
    """Replace each digit in a URL by 0."""
    return url.encode("ascii", "replace").translate(TO_ZEROS).decode()


def shortened(url: str) -> str:
    """Replace each number in a URL by 0."""
    written = zeros(url)
    while "00" in written:
        written = written.replace("00", "0")
    return written


@lru_cache(maxsize=1)  # called for each link of a page
def own_path(url: str) -> str:
    """Return the URL of a page without its host, numbers replaced by 0."""
    return shortened(after_host(url))


def names_page(href: str) -> bool:
    """Return whether a word for pages is alone before a number in a URL."""
    return ADDRESS.search(f"/{zeros(href)}") is not None


def is_own(own: str, href: str) -> bool:
    """Return whether a URL equals that of a page, except for numbers, or extends it."""
    path = shortened(after_host(href) if "://" in href else href.lstrip("./"))
    if not path or not own:
        return False
    return own.endswith(path) or path.startswith(own.rstrip("/"))


def after_host(url: str) -> str:
    """Return an absolute URL without its host."""
    return url.partition("://")[2].partition("/")[2]
