"""The outline of a page: what it tells of its site, from one walk over its elements.

An outline lists the distinct *places* of a page. A place is a chain of labels from the root down to
an element that begins a line: a `div`, a list item, a table cell; links and emphasis are text. A
label is the tag with its class and id tokens, as written but for their numbers: which tokens name
parts of templates is decided by the whole site (`places.py`), without a second parse.

Of each place an outline has the number of its elements, the size of its own text, hashes of what it
says and of where its links lead, and which places follow each other in one element. It is a value
of a few kilobytes, and the same on every machine for the same bytes.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TypeAlias
from zlib import crc32

from webstencil.markup import Markup, Node
from webstencil.markup.text_units import STRUCTURE, own_lines, unread_elements, unusual_blocks
from webstencil.model import Page
from webstencil.site.targets import hashes_of, name_targets
from webstencil.urls import sampling_key

# Texts are counted by hashes. Digits and case do not matter: "12 comments" equals "7 comments".
# 32 bits are enough: a collision with a text of many pages is most unlikely.
TEXT_END = "\x01"  # between texts, while all of a page are hashed at once

_SPACES = (0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F)
_OTHER_SPACES = (0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
_WIDE_SPACES = tuple(map(chr, _OTHER_SPACES))  # those that `str.split` knows beyond ASCII
_PLAIN = bytes(
    ord(" ") if code in _SPACES else ord("0") if chr(code).isdigit() and code < 0x80 else code
    for code in bytes(range(256)).lower()
)
_numbers_as_zero = re.compile(rb"00+").sub
_one_space = re.compile(rb"  +").sub


def hashed_texts(texts: Sequence[str]) -> tuple[list[int], list[int]]:
    """Hash the texts of a page; return also the size of each in bytes. All at once is faster."""
    if not texts:
        return [], []
    together = TEXT_END.join(texts)
    if together.count(TEXT_END) != len(texts) - 1:
        together = TEXT_END.join([text.replace(TEXT_END, " ") for text in texts])
    if not together.isascii():
        for space in _WIDE_SPACES:
            together = together.replace(space, " ")
    plain = together.encode("utf-8", "surrogatepass").translate(_PLAIN)
    lines = _one_space(b" ", _numbers_as_zero(b"0", plain)).split(TEXT_END.encode())
    return list(map(crc32, lines)), list(map(len, lines))


def number_repeated(hashes: Iterable[int]) -> list[int]:
    """Number repeated texts of a page: a menu's text may be content elsewhere on it."""
    counts: dict[int, int] = {}
    numbered = []
    for text in hashes:
        count = counts[text] = counts.get(text, 0) + 1
        numbered.append(text if count == 1 else crc32(b"\n%d" % count, text))
    return numbered


Neighbours: TypeAlias = tuple[int, int]  # places in one element: one ends, the other begins
Heard: TypeAlias = tuple[int, str]  # a place in the head, or of the heading, and what it says

TOP_PLACE = 0  # the place of the root; as a neighbour: the beginning of an element
NO_PLACE = -1
MOST_PLACES_OF_PAGE = 4_000  # of a page; what comes later counts for its container
MOST_HASHES = 20_000  # of texts, and of links, of a page: the smallest are kept
MOST_NEIGHBOURS = 20_000  # of a page: those of the first places are kept
MOST_META_ELEMENTS = 100  # of a page
LONGEST_TOKEN = 40  # characters; longer ones are written by programs
READ_OF_CLASSES = 400  # characters of a class attribute that are read
MOST_TOKENS = 8  # of a label
LONGEST_SAYING = 24  # characters of a meta element that are kept as they are
LABELS_KEPT = 1 << 15  # cached
UNNAMED = frozenset({"html", "body"})  # their classes say what the page is about
WITHOUT_TEXT = frozenset({"table", "tbody", "thead", "tfoot", "tr", "html"})  # of its own
HASH_BITS = 32
HASH_MASK = (1 << HASH_BITS) - 1
HEAD_LABELS = ("meta@", "link@")  # how labels of elements of the head begin; they have no tokens
EXCERPT = 80  # characters
NOTICE_BYTES = 200  # bytes of text: if it is for readers without scripts, the page says nothing
IN_ADDRESS = "//"  # in a URL, and URLs do not count

_NUMBER = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")
_ERROR_PAGE = re.compile(
    r"(?i)\b(404|not found|403 forbidden|forbidden|access denied|internal server error|"
    r"bad gateway|service unavailable|page introuvable|nicht gefunden|no encontrada)\b"
)
_LITTLE = 2_000  # bytes of text; a page with more is no redirect and no error


class Oddity(StrEnum):
    """Why a page follows no template."""

    NONE = ""
    EMPTY = "empty"  # no text
    REDIRECT = "redirect"  # it sends its reader elsewhere
    FRAMES = "frames"  # it shows other pages
    ERROR = "error"  # its title says that there is no page


@dataclass(frozen=True, slots=True)
class Outline:
    """The places of a page as columns, in the order of their first elements.

    A container comes before what it holds. Texts and links are sorted by place.
    """

    labels: tuple[str, ...]  # of each place: "div.post#main", numbers as 0
    containers: tuple[int, ...]  # of each place: the place around it, NO_PLACE for the root
    times: tuple[int, ...]  # of each place: its elements
    sizes: tuple[int, ...]  # of each place: bytes of its own text in UTF-8
    texts: tuple[int, ...] = ()  # hashes of what is said, digits and case aside
    text_places: tuple[int, ...] = ()  # where each text stands
    links: tuple[int, ...] = ()  # hashes of the targets of links
    link_places: tuple[int, ...] = ()  # where each link stands
    neighbours: tuple[Neighbours, ...] = ()  # each once, sorted
    heard: tuple[Heard, ...] = ()  # what meta elements and the heading say
    oddity: Oddity = Oddity.NONE

    @property
    def size(self) -> int:
        """Return the size of all text, in bytes."""
        return sum(self.sizes)


EMPTY_OUTLINE = Outline((), (), (), (), oddity=Oddity.EMPTY)


@dataclass(frozen=True, slots=True)
class OutlinedPage:
    """A page as a model has it."""

    url: str
    outline: Outline
    digest: bytes = b""  # of the page's bytes; equal pages have equal ones
    types: bytes = b""  # what it says of its type (`type_votes`), if that is known

    @property
    def key(self) -> int:
        """Return the page's number among the others."""
        return sampling_key(self.url)


@dataclass(frozen=True, slots=True)
class Excerpts:
    """What the places of a page say, to look at: the beginning of one of the texts of each."""

    title: str
    texts: tuple[tuple[int, str], ...]  # place of the outline, and the text


@dataclass(slots=True)
class _Walk:
    """What a walk has found so far."""

    labels: list[str] = field(default_factory=lambda: ["html"])
    containers: list[int] = field(default_factory=lambda: [NO_PLACE])
    times: list[int] = field(default_factory=lambda: [1])
    below: list[dict[str, int]] = field(default_factory=lambda: [{}])  # of each place, by label
    places: dict[Node | None, int] = field(default_factory=dict)  # of blocks, in document order
    blocks: dict[Node | None, Node | None] = field(default_factory=dict)  # around inline elements
    neighbours: set[Neighbours] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    text_places: list[int] = field(default_factory=list)

    def new(self, container: int, label: str) -> int:
        """Return a new place in a container; the container itself if there are too many."""
        place = len(self.labels)
        if place >= MOST_PLACES_OF_PAGE:
            return container
        self.labels.append(label)
        self.containers.append(container)
        self.times.append(0)
        self.below.append({})
        self.below[container][label] = place
        return place

    def block_around(self, inline: Node | None) -> Node:
        """Return the block around an inline element, cached: they may nest 100,000 deep."""
        climbed = []
        while inline not in self.places:
            if inline in self.blocks:
                inline = self.blocks[inline]
                break
            climbed.append(inline)
            inline = inline.parent  # type: ignore[union-attr]  # the body is around all
        self.blocks.update(dict.fromkeys(climbed, inline))
        return inline  # type: ignore[return-value]  # the same


class _Labels(dict[tuple[str, str | None, str | None], str]):
    """The labels of elements by tag, class and id as written, cached."""

    def __missing__(self, written: tuple[str, str | None, str | None]) -> str:
        if len(self) >= LABELS_KEPT:
            self.clear()
        label = self[written] = label_of(*written)
        return label


_labels = _Labels()


def label_of(tag: str, classes: str | None, identifier: str | None) -> str:
    """Return the label of an element, its tokens as written but for numbers, which are 0.

    >>> label_of("div", "post-17 hentry post", "main")
    'div.post-0.hentry.post#main'
    """
    if tag in UNNAMED:
        return tag
    written = _NUMBER.sub("0", (classes or "")[:READ_OF_CLASSES]).split()
    tokens = list(dict.fromkeys(one for one in written if len(one) <= LONGEST_TOKEN))[:MOST_TOKENS]
    label = ".".join((tag, *tokens))
    names = _NUMBER.sub("0", (identifier or "")[: LONGEST_TOKEN + 1]).split()
    if names and len(names[0]) <= LONGEST_TOKEN:
        label += f"#{names[0]}"
    return storable_text(label)


def outline(page: Page) -> Outline:
    """Return the outline of a page."""
    return _outline_of(page, _walk(page.markup.body))


def outline_and_excerpts(page: Page) -> tuple[Outline, Excerpts]:
    """Return the outline of a page, and what its places say."""
    found = _walk(page.markup.body)
    first = {}
    for place, text in zip(found.text_places, found.texts, strict=True):
        if place not in first:
            first[place] = storable_text(" ".join(text[: 2 * EXCERPT].split())[:EXCERPT])
    title = storable_text(page.markup.title()[:EXCERPT])
    return _outline_of(page, found), Excerpts(title, tuple(sorted(first.items())))


def storable_text(text: str) -> str:
    """Return a text without halves of characters, which no store takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _outline_of(page: Page, found: _Walk) -> Outline:
    markup, places = page.markup, found.places
    heard = _heard_in_head(found, markup)
    # The first word of the heading; several at one place head the entries of a list.
    headings = [(places[one], one) for one in markup.named("h1") if one in places]
    often = Counter(place for place, _ in headings)
    heard += [(place, first_word(one.text)) for place, one in headings if often[place] == 1]
    hashes, sizes = hashed_texts(found.texts)
    widths = [0] * len(found.labels)
    for place, size in zip(found.text_places, sizes, strict=True):
        widths[place] += size
    texts, text_places = _sorted(hashes, found.text_places)
    anchors, hrefs = markup.hyperlinks()
    around = [anchor.parent for anchor in anchors]
    homes = [places[one if one in places else found.block_around(one)] for one in around]
    targets = hashes_of(name_targets(page.url, page.base_url, hrefs))
    links, link_places = _sorted(targets, homes)
    return Outline(
        labels=tuple(found.labels),
        containers=tuple(found.containers),
        times=tuple(found.times),
        sizes=tuple(widths),
        texts=texts,
        text_places=text_places,
        links=links,
        link_places=link_places,
        neighbours=tuple(sorted(found.neighbours)[:MOST_NEIGHBOURS]),
        heard=tuple(heard),
        oddity=_oddity(markup, sum(widths)),
    )


def _walk(body: Node) -> _Walk:
    """Find the places of a page, in one loop, because it is the slowest."""
    found = _Walk()
    unread = _unread_blocks(body)
    unusual = unusual_blocks(body) | unread  # and those with blocks in them: read at the end
    places, times, below, neighbours = found.places, found.times, found.below, found.neighbours
    texts, text_places = found.texts, found.text_places
    last: dict[Node | None, int] = {}  # place of the last child so far, of blocks with children
    parent: Node | None = body
    before: Node = body
    upper: Node | None
    places[body] = place = around = TOP_PLACE
    here, last[body] = below[TOP_PLACE], TOP_PLACE
    unusual.add(body)
    for element in body.iter_elements(STRUCTURE):
        upper = element.parent
        if upper is not parent:
            if upper not in places:
                upper = found.block_around(upper)
            parent, around = upper, places[upper]
            here = below[around]
        if upper is before:
            last[upper] = TOP_PLACE
            if upper.tag not in WITHOUT_TEXT:  # type: ignore[attr-defined]  # it is an element
                unusual.add(upper)
        elif before not in unusual and (text := before.text.strip()):
            texts.append(text)
            text_places.append(place)
        classes, identifier = element.attr("class"), element.attr("id")
        tag = element.tag
        label = _labels[tag, classes, identifier] if classes or identifier else tag
        known = here.get(label)
        place = found.new(around, label) if known is None else known
        times[place] += 1
        neighbours.add((last.get(upper, TOP_PLACE), place))
        last[upper] = places[element] = place
        before = element
    if before not in unusual and (text := before.text.strip()):
        texts.append(text)
        text_places.append(place)
    unusual -= unread
    for block in [block for block in places if block in unusual and block is not None]:
        if lines := own_lines(block):
            texts.extend(lines)
            text_places.extend([places[block]] * len(lines))
    return found


def _unread_blocks(body: Node) -> set[Node]:
    """Return the blocks in elements that are not read, as in `noscript` and in buttons."""
    blocks: set[Node] = set()
    inside: set[Node] = set()  # elements that are not read, in others: they may nest 100,000 deep
    for element in unread_elements(body):
        if element not in inside:
            inside.update(unread_elements(element))
            blocks.update(element.iter_elements(STRUCTURE))
    return blocks


def _heard_in_head(found: _Walk, markup: Markup) -> list[Heard]:
    """Add the places of meta and link elements; return what they say, unless that is content."""
    head = found.new(TOP_PLACE, "head")
    found.times[head] += 1
    heard = []
    for about, says in markup.metas()[:MOST_META_ELEMENTS]:
        label = _meta_label(about)
        known = found.below[head].get(label)
        place = found.new(head, label) if known is None else known
        found.times[place] += 1
        if says and IN_ADDRESS not in says:
            heard.append((place, saying(says)))
    return [one for one in heard if found.times[one[0]] == 1]  # else it is one of several things


@lru_cache(maxsize=LABELS_KEPT)
def _meta_label(about: str) -> str:
    return storable_text(_NUMBER.sub("0", about[: LONGEST_TOKEN + 5]))


def saying(text: str) -> str:
    """Return what a meta element says, if it is long a hash of it.

    >>> saying("article"), saying("A description of the page, of some length.")
    ('article', '~89031243')
    """
    if len(text) <= LONGEST_SAYING:
        return storable_text(text)
    return f"~{crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def first_word(text: str) -> str:
    """Return the first letters of a text up to anything else, empty if there are none.

    >>> first_word("  Category: News")
    'Category'
    """
    word = _LETTERS.search(text[:READ_OF_CLASSES])
    return storable_text(word[0][:LONGEST_TOKEN]) if word else ""


def _sorted(hashes: Sequence[int], places: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Sort hashes by place; of very many, keep the smallest."""
    pairs = list(zip(places, hashes, strict=True))
    if len(pairs) > MOST_HASHES:
        pairs = sorted(pairs, key=lambda pair: (pair[1], pair[0]))[:MOST_HASHES]
    packed = sorted([place << HASH_BITS | one for place, one in pairs])
    return tuple([one & HASH_MASK for one in packed]), tuple([one >> HASH_BITS for one in packed])


def _oddity(markup: Markup, size: int) -> Oddity:
    """Return why a page follows no template, if there is a reason."""
    if markup.frames():
        return Oddity.FRAMES
    if size > _LITTLE:
        return Oddity.NONE
    if "url" in markup.meta("refresh").lower():
        return Oddity.REDIRECT
    if size < NOTICE_BYTES and size <= sum([len(one.text) for one in markup.named("noscript")]):
        return Oddity.EMPTY
    return Oddity.ERROR if _ERROR_PAGE.search(markup.title()) else Oddity.NONE
