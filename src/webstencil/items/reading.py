"""A page read for its facts: metas, JSON-LD, the main heading and the texts around it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from math import exp, inf
from urllib.parse import urlsplit

from webstencil import markup
from webstencil.items.dates import DateFound, find_date
from webstencil.items.json_ld import THREAD, JsonLd, folder_signs, page_signs, read_json_ld, slug_of
from webstencil.markup import Element, Node, Text
from webstencil.markup.source import mended
from webstencil.model import Page

# Where on a page an element is: in its own text, among replies, or aside.

REPLIES, ASIDE, OWN = " in replies", " aside", ""
REPLIES_NAMES = re.compile(r"comment|reviews").search  # in classes and ids
ASIDE_NAMES = re.compile(r"related").search  # in classes
# Classes of elements around the whole page describe its parts.
WHOLE_PAGE = frozenset({"html", "body", "article", "main"})  # elements around all of a page
PLACE_NAMES_KEPT = 1 << 15
NAMES_ELSEWHERE = ("comment", "related", "reviews", "sidebar", "widget")
# About comments, other pages or the site, not about the page.
ELSEWHERE_ON_PAGE = "aside, nav, footer:not(article *), " + ", ".join(
    f"[{attribute}*={name}]:not(html, body, main, article)"
    for name in NAMES_ELSEWHERE
    for attribute in ("class", "id")
)


@lru_cache(maxsize=PLACE_NAMES_KEPT)
def _place_named(names: str) -> str:
    """Return the place that classes speak of."""
    lower = names.lower()
    return REPLIES if REPLIES_NAMES(lower) else ASIDE if ASIDE_NAMES(lower) else OWN


class PagePlaces:
    """The places of the elements of a page, found once for each.

    What is around the main heading is around the page's own text, whatever its name.
    """

    def __init__(self, heading: Node | None) -> None:
        self._known: dict[Node, str] = {}
        while heading is not None:
            self._known[heading] = OWN
            heading = markup.parent(heading)

    def of(self, node: Node) -> str:
        """Return the place of an element or text."""
        known = self._known
        path: list[Node] = []
        at: Node | None = node
        while at is not None and at not in known:
            path.append(at)
            at = markup.parent(at)
        place = OWN if at is None else known[at]
        for one in reversed(path):
            if place != REPLIES:
                place = _own_place(one) or place
            known[one] = place
        return place


def _own_place(node: Node) -> str:
    """Return the place that an element itself speaks of."""
    tag = markup.tag(node)
    if not tag or tag in WHOLE_PAGE:
        return OWN
    named = _place_named(markup.attribute(node, "class"))
    identifier = markup.identifier(node)
    if named == REPLIES or (identifier and REPLIES_NAMES(identifier.lower())):
        return REPLIES
    if named or tag in ("nav", "aside"):
        return ASIDE
    return ASIDE if tag == "footer" and node.closest("article") is None else OWN


ANY_WORD = re.compile(r"\w+")
AFTER, BEFORE = 20, 6  # texts around the heading that are read
LONGEST_LEAF = 200  # characters; more is running text
MOST_METAS_READ = 500
BLANK_LINE = re.compile(r"\n\s*\n")
MOST_HEADINGS = 12  # below the first level
HALF_OF_WORDS = 0.4  # 0..1, of the words of title and heading; the title also has the site's name
LOWER = frozenset({"h2", "h3"})
READ_TAGS = ("meta", "h1", "h2", "h3", "time", "address")
NO_FACTS = (False, False)  # neither dates nor authors
FACT_PROPERTIES = (
    "[itemprop*=author], [itemprop*=creator], [itemprop^=date], [property~=author], "
    '[property~="schema:author"], [property~="datePublished"], [rel~=author], [id*=author]'
)
DATE_NAMES = re.compile(r"date|time|publish|posted|byline|meta")
ANY_NAMES = re.compile(
    r"date|time|publish|posted|byline|meta|author|writer|user|contributor|poster|creator"
)
AUTHOR_NAMES = re.compile(r"author|byline|writer|user-?_?name|contributor|poster|creator")
AUTHOR_LINKS = re.compile(
    r"/(?:author|people|profile|user|member|u(?!s)|staff|team|contributor|writer|by)s?[/-]"
).search
BYLINE_START = re.compile(r"(?i)(?:(?:written|posted|published) )?by\s|von |par |por |da |door ")
PROFILE_LINKS = re.compile(  # to people, which head no entry
    r"/(?:author|people|profile|user|member|staff|team|contributor|writer|editor)|action=profile"
).search


@dataclass(frozen=True, slots=True)
class NearText:
    """A text near the heading."""

    text: str
    distance: int  # in texts; negative before the heading
    node: Node
    date: DateFound | None  # in it
    of_entry: bool = False  # it follows the heading of an entry of a list, which leads elsewhere


@dataclass(frozen=True)  # without slots, for `cached_property`
class PageReading:
    """What the candidates of all facts are made from."""

    page: Page
    root: Node
    told: JsonLd
    metas: dict[str, list[str]]  # contents by lower-case name
    title: str  # of the title element
    headings: tuple[tuple[str, Node], ...]  # h1, not empty
    heading: Node | None  # the main one
    places: PagePlaces
    near: tuple[NearText, ...]
    dated: tuple[Node, ...]  # elements named after dates, in document order
    signed: tuple[Node, ...]  # elements named after authors, in document order
    site_names: frozenset[str]  # as keys
    slug: frozenset[str]  # words of the last part of the URL's path
    signs: frozenset[str]  # about the whole page
    folders: frozenset[str]  # what the folders of its address say of it

    @cached_property
    def shown(self) -> str:
        """Return the text of the page."""
        return self.page.markup.text()

    def meta(self, *names: str) -> Iterator[tuple[str, str]]:
        """Yield the names and contents of meta elements under these names."""
        for name in names:
            for content in self.metas.get(name, ()):
                if content:
                    yield name, content


def meta_key(text: str) -> str:
    """Return what equal texts share: their words in lower case.

    >>> meta_key("Rain, in Rome!") == meta_key("rain in  Rome")
    True
    """
    return " ".join(ANY_WORD.findall(text.replace("\N{SOFT HYPHEN}", "").casefold()))


def read_facts(page: Page) -> PageReading:
    """Read a page."""
    root = page.markup.root
    told = read_json_ld(page)
    walk = _walked(root)
    title = one_line(page.markup.title())
    places = PagePlaces(None)
    texts = [(heading_text(one), one) for one in walk.headings]
    headings = tuple([(text, one) for text, one in texts if text and places.of(one) != ASIDE])
    known = " ".join([title, *walk.metas.get("og:title", ())[:1]])
    heading = main_heading(headings, walk.lower_headings, set(ANY_WORD.findall(known.casefold())))
    signs = frozenset(page_signs(page, told, walk.metas))
    return PageReading(
        page=page,
        root=root,
        told=told,
        metas=walk.metas,
        title=title,
        headings=headings,
        heading=heading,
        places=PagePlaces(heading),
        near=tuple(leaves_near(heading) if heading is not None else first_leaves(page.markup.body)),
        dated=tuple(walk.dated),
        signed=tuple(walk.signed),
        site_names=frozenset(site_names(page, told, walk.metas)),
        slug=frozenset(ANY_WORD.findall(slug_of(page.url))),
        signs=signs,
        folders=frozenset(() if THREAD in signs else folder_signs(page.url)),
    )


@dataclass(slots=True)
class _FactWalk:
    """What one walk over the elements of a page finds."""

    metas: dict[str, list[str]] = field(default_factory=dict)
    headings: list[Node] = field(default_factory=list)
    lower_headings: list[Node] = field(default_factory=list)
    dated: list[Node] = field(default_factory=list)
    signed: list[Node] = field(default_factory=list)


@lru_cache(maxsize=PLACE_NAMES_KEPT)
def _named_after(names: str) -> tuple[bool, bool]:
    """Return whether names of elements speak of dates, and of authors."""
    lower = names.lower()
    if not ANY_NAMES.search(lower):
        return NO_FACTS
    return bool(DATE_NAMES.search(lower)), bool(AUTHOR_NAMES.search(lower))


def _walked(root: Node) -> _FactWalk:
    """Find the elements that may hold facts; selections by the parser, few loops in Python."""
    found = _FactWalk()
    for element in root.iter_elements(READ_TAGS):
        name = element.tag
        if name == "meta":
            _read_meta(found.metas, element)
        elif name == "h1":
            found.headings.append(element)
        elif name in LOWER:
            if len(found.lower_headings) < MOST_HEADINGS:
                found.lower_headings.append(element)
        else:
            (found.dated if name == "time" else found.signed).append(element)
    for element in root.select(FACT_PROPERTIES):
        said = f"{element.attr('itemprop') or ''} {element.attr('property') or ''}"
        (found.dated if "date" in said else found.signed).append(element)
    for element in root.select("[class]"):
        about = _named_after(element.attr("class") or "")
        if about is not NO_FACTS and element.tag not in WHOLE_PAGE:
            dated, signed = about
            if dated and element.tag != "time":
                found.dated.append(element)
            if signed:
                found.signed.append(element)
    links = [one for one in root.iter_elements(("a",)) if AUTHOR_LINKS(one.attr("href") or "")]
    found.signed = list(dict.fromkeys([*found.signed, *links]))
    found.dated = list(dict.fromkeys(found.dated))
    return found


def _read_meta(metas: dict[str, list[str]], element: Element) -> None:
    """Add what a meta element says."""
    name = element.attr("property") or element.attr("name")
    content = element.attr("content")
    if name and content and len(metas) < MOST_METAS_READ:
        metas.setdefault(name.strip().lower(), []).append(one_line(content))


MOST_TIMES = 4  # that a heading is written
SELF_LINK = re.compile(r"\s*¶\s*$|\s+[#§🔗⚓]\s*$")
# In a heading: what they say is for no reader, or is the label of a thread.
NO_HEADING_WORDS = "button, svg, span.label, span.label-append, span[class*=prefix]"


def heading_text(one: Node) -> str:
    """Return the text of a heading, which may end with the sign of a link to itself."""
    text = markup.text([one])
    if one.select_one(NO_HEADING_WORDS) is not None:
        leaves = (leaf for leaf in one.descendants if isinstance(leaf, Text))
        said = " ".join(leaf.data for leaf in leaves if leaf.closest(NO_HEADING_WORDS) is None)
        text = said if said.strip() else text
    line = SELF_LINK.sub("", one_line(text))
    return said_once(line)


def said_once(text: str) -> str:
    """Return a text that is there several times, as for several widths of the screen, once.

    >>> said_once("Rain Rain"), said_once("Rain, Rain, Rain")
    ('Rain', 'Rain, Rain, Rain')
    """
    for times in range(MOST_TIMES, 1, -1):
        once = text[: (len(text) + 1) // times - 1]
        if once and text == " ".join([once] * times):
            return once
    return text


def main_heading(
    headings: Iterable[tuple[str, Node]], lower: Iterable[Node], known: set[str]
) -> Node | None:
    """Return the heading with the most words of the title, the first of equal ones.

    Only if no heading of the first level has half of them, lower ones are considered.
    """
    best, most = None, -1.0
    for text, node in headings:
        share = words_shared(text, known)
        if share > most:
            best, most = node, share
    if most >= HALF_OF_WORDS:
        return best
    for node in lower:
        share = words_shared(markup.text([node]), known)
        if share > max(most, HALF_OF_WORDS):
            best, most = node, share
    return best


def words_shared(text: str, known: set[str]) -> float:
    """Return the share of words that a text and a title have in common."""
    words = set(ANY_WORD.findall(text.casefold()))
    return len(words & known) / (len(words | known) or 1)


def leaves_near(heading: Node) -> Iterator[NearText]:
    """Yield the texts near a heading: those before it backwards, then those after it."""
    for number, leaf in enumerate(markup.leaves_before(heading, BEFORE), 1):
        text = markup.leaf_text(leaf)
        if len(text) <= LONGEST_LEAF:
            yield NearText(text, -number, leaf, find_date(text))
    last = heading
    for leaf in reversed(list(islice(heading.descendants, 50))):
        if isinstance(leaf, Text):
            last = leaf
            break
    of_entry = False
    for number, leaf in enumerate(markup.leaves_after(last, AFTER), 1):
        text = paragraphs(leaf)
        of_entry = of_entry or heads_entry(leaf)
        if len(text) <= LONGEST_LEAF:
            yield NearText(text, number, leaf, find_date(text), of_entry)


def heads_entry(leaf: Node) -> bool:
    """Return whether a text is a link in a heading, or a heading in a link, to another page."""
    heading = leaf.closest("h2, h3, h4")
    link = leaf.closest("a[href]") if heading is not None else None
    if heading is None or link is None:
        return False
    to = markup.attribute(link, "href")
    titled = any(letter.isalpha() for letter in markup.leaf_text(leaf))
    return (
        titled
        and not to.startswith("#")
        and not PROFILE_LINKS(to.lower())
        and not AUTHOR_NAMES.search(markup.attribute(heading, "class").lower())
        and not BYLINE_START.match(markup.text([heading]).lstrip())
    )


def first_leaves(body: Node) -> Iterator[NearText]:
    """Yield the first texts of a page without a heading."""
    texts = (one for one in body.descendants if isinstance(one, Text) and not one.data.isspace())
    for number, leaf in enumerate(islice(texts, AFTER), 1):
        text = paragraphs(leaf)
        if len(text) <= LONGEST_LEAF:
            yield NearText(text, number, leaf, find_date(text))


def side_by_side(one: Node, other: Node) -> bool:
    """Return whether two elements are in one container, or their containers are."""
    first, second = markup.parent(one), markup.parent(other)
    if first is None or second is None or first is second:
        return first is second
    return markup.parent(first) is markup.parent(second)


def paragraphs(leaf: Node) -> str:
    """Return a text; what blank lines separate in it, as generators write names, is a list."""
    if not isinstance(leaf, Text) or "\n" not in leaf.data.strip():
        return markup.leaf_text(leaf)
    parts = [one_line(part) for part in BLANK_LINE.split(leaf.data.strip())]
    return ", ".join(parts)


def site_names(page: Page, told: JsonLd, metas: dict[str, list[str]]) -> Iterator[str]:
    """Yield keys of the names of the page's site."""
    for name in ("og:site_name", "application-name", "apple-mobile-web-app-title", "twitter:site"):
        for content in metas.get(name, ()):
            yield meta_key(content.lstrip("@"))
    for thing in told.of_types(("WebSite", "Organization")):
        for name, _ in told.names(thing):
            yield meta_key(name)
    host = (urlsplit(page.url).hostname or "").removeprefix("www.")
    yield meta_key(host)
    yield meta_key(page.site)
    yield meta_key(page.site.split(".")[0])


def found_at(text: str, word: str) -> Iterator[int]:
    """Yield where a word is in a text."""
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))


def one_line(text: str) -> str:
    """Collapse white space, and mend what was encoded twice."""
    return " ".join(mended(text).split())


def value_of(element: Node) -> str:
    """Return the value of an element: its attribute for programs, a name in it, or its text."""
    for name in ("content", "datetime"):
        if markup.attribute(element, name):
            return markup.attribute(element, name)
    inside = element.select_one('[itemprop~="name"]')
    return markup.text([element if inside is None else inside])


# Candidates for a fact of a page, the signs that speak for and against each, and their ranking.
#
# Every place of a page that may hold a fact adds a candidate; equal ones are one, with the signs of
# all. The score of a candidate is the sum of the weights of its signs, and its confidence follows
# by the softmax over all candidates and "none of them". So each answer can be explained by its
# signs.

NONE_RIGHT = "none"  # the sign of "no candidate is right"


@dataclass(slots=True)
class FactCandidate:
    """A value that may be the fact."""

    text: str
    signs: set[str] = field(default_factory=set)
    hows: list[str] = field(default_factory=list)  # where it was found
    node: Node | None = None  # None if no element has it


class Candidates:
    """The candidates of a page by a key that equal values share."""

    def __init__(self) -> None:
        self.known: dict[str, FactCandidate] = {}

    def __iter__(self) -> Iterator[FactCandidate]:
        return iter(self.known.values())

    def add(
        self, key: str, text: str, how: str, signs: Iterable[str], node: Node | None = None
    ) -> FactCandidate:
        """Add a value, or more signs to the one that is known."""
        one = self.known.get(key)
        if one is None:
            one = self.known[key] = FactCandidate(text)
        one.signs.update(signs)
        if how not in one.hows:
            one.hows.append(how)
        if one.node is None:
            one.node = node
        return one


OF_ENTRY = "of an entry"  # the sign of what is about one of the entries of a list
OF_PAGE = "of the page"  # the sign of what stands between the main heading and any entry
TOLD_SIGNS = ("json", "meta", "url", OF_PAGE)  # beginnings of signs of what is about the whole page


def own(candidates: Candidates) -> Candidates:
    """Leave out what is about entries of a list, unless the page tells it of itself."""
    for key, one in list(candidates.known.items()):
        if OF_ENTRY in one.signs and not any(sign.startswith(TOLD_SIGNS) for sign in one.signs):
            del candidates.known[key]
    return candidates


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best candidate, and how sure it is."""

    candidate: FactCandidate
    confidence: float  # 0..1


def _score(signs: Iterable[str], weights: Mapping[str, float]) -> float:
    """Add up the weights of signs; unknown ones do not count."""
    return sum(weights.get(sign, 0.0) for sign in sorted(signs))


def best(
    candidates: Iterable[FactCandidate], weights: Mapping[str, float], against: Iterable[str]
) -> Ranked | None:
    """Return the best candidate; None if "none of them", with the signs `against`, is likelier."""
    scored = [(_score(one.signs, weights), one) for one in candidates]
    if not scored:
        return None
    none = _score((NONE_RIGHT, *against), weights) if NONE_RIGHT in weights else -inf
    top = max(value for value, _ in scored)
    if none > top:
        return None
    total = sum(exp(value - top) for value, _ in scored) + exp(none - top)
    chosen = next(one for value, one in scored if value == top)
    return Ranked(chosen, 1 / total)
