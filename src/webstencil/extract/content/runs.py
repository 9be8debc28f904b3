"""Page to runs of text, in one walk over the parsed page.

A run is the inline text between two borders of blocks (or `br`), white space collapsed, in document
order: a phrase that inline markup divides stays whole. Blocks are the elements of the list of
ContentExtractor with those that later HTML brought and without `span`; only blocks with text in
them are kept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from webstencil.extract.content.names import SELDOM
from webstencil.markup import Element, Markup, Node, Text

UNREAD = frozenset(  # elements whose text is no part of what a reader reads
    [
        "noscript",
        "head",
        "title",
        "svg",
        "math",
        "iframe",
        "object",
        "select",
        "option",
        "datalist",
        "textarea",
        "button",
        "input",
        "audio",
        "video",
        "canvas",
        "map",
        "script",
        "style",
        "template",
    ]
)
BLOCKS = frozenset(
    [
        "html",
        "body",
        "table",
        "tr",
        "hr",
        "ul",
        "p",
        "div",
        "section",
        "article",
        "main",
        "header",
        "footer",
        "nav",
        "aside",
        "li",
        "ol",
        "dl",
        "dt",
        "dd",
        "td",
        "th",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "blockquote",
        "pre",
        "figure",
        "figcaption",
        "details",
        "summary",
        "form",
        "tbody",
        "thead",
        "tfoot",
        "center",
        "address",
        "fieldset",
        "caption",
    ]
)
NO_BLOCK = -1
BORDERS = BLOCKS | {"br"}  # where a run ends

INLINE, LINKED, BOLD, BLOCK = 0, 1, 2, 4  # what an element makes of the text in it
SHIFT = 2  # bits of these flags
ANY = LINKED | BOLD
OUTSIDE = NO_BLOCK << SHIFT  # the place of what is in no block
UNREAD_PLACE = OUTSIDE << 1  # the place of what is in an element that is not read
KINDS = {"a": LINKED, "b": BOLD, "strong": BOLD, **dict.fromkeys(BLOCKS, BLOCK)}


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of a page and the blocks around them, as columns."""

    texts: list[str]
    lengths: list[int]  # units: characters, but up to 5/3 for those of dense scripts
    links: list[int]  # units of a run inside links
    bolds: list[int]  # characters of a run that are bold
    pieces: list[Text]  # of all runs, one after the other
    firsts: list[int]  # of a run: the place of its first piece
    blocks: list[int]  # the nearest block around a run
    elements: list[Element]  # of the blocks; parents come before children
    tags: list[str]  # of the blocks
    parents: list[int]  # of the blocks: the block around, NO_BLOCK at the top
    starts: list[int]  # of the blocks: the first run in them or below
    ends: list[int]  # of the blocks: the run after the last in them or below
    seldom: frozenset[Node]  # the elements with attributes that few have

    def __len__(self) -> int:
        return len(self.texts)

    def nodes(self, run: int) -> list[Text]:
        """List the texts of a page that a run is made of, and the blank ones between them."""
        first, *after = self.firsts[run : run + 2]
        return self.pieces[first : after[0] if after else None]


def flatten(markup: Markup) -> Runs:
    """List the runs of a page."""
    around, found = _walk(markup.root)
    measured = list(map(_measured, found.texts))
    lengths = [length for _, length in measured]
    return Runs(
        texts=[text for text, _ in measured],
        lengths=lengths,
        links=[min(pair) if pair[0] else 0 for pair in zip(found.links, lengths, strict=True)],
        bolds=found.bolds,
        pieces=found.pieces,
        firsts=found.firsts,
        blocks=found.blocks,
        elements=around.elements,
        tags=around.tags,
        parents=around.parents,
        starts=around.starts,
        ends=_ends(found.blocks, around.parents),
        seldom=frozenset(markup.select(SELDOM)),
    )


@lru_cache(maxsize=1 << 14)  # most texts of a page are those of the page before
def _measured(text: str) -> tuple[str, int]:
    """Collapse the white space of a text, and measure it."""
    collapsed = " ".join(text.split())
    return collapsed, units(collapsed)


def units(text: str) -> int:
    """Measure a text so that languages compare: three Chinese characters are like five letters."""
    if text.isascii():
        return len(text)
    return (len(text.encode("utf-8", "replace")) + 2 * len(text)) // 3


@dataclass(frozen=True, slots=True)
class _Found:
    """The runs of a page as they are found; see `Runs`. White space is not collapsed yet."""

    texts: list[str] = field(default_factory=list)
    links: list[int] = field(default_factory=list)
    bolds: list[int] = field(default_factory=list)
    pieces: list[Text] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    blocks: list[int] = field(default_factory=list)

    def start(self, text: str, block: int) -> None:
        """Begin a run."""
        self.texts.append(text)
        self.links.append(0)
        self.bolds.append(0)
        self.firsts.append(len(self.pieces))
        self.blocks.append(block)

    def mark(self, text: str, place: int) -> None:
        """Count a text of the last run that is in a link or bold."""
        size = units(text.strip())
        if place & LINKED:
            self.links[-1] += size
        if place & BOLD:
            self.bolds[-1] += size


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of a page as they are found, and the place of what is in an element.

    A place is the number of the nearest block, shifted, with the flags of the element; what is in
    an element that is not read has the place UNREAD_PLACE.
    """

    places: dict[Node | None, int]
    elements: list[Element] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def place(self, node: Node | None, run: int) -> int:
        """Find the place of what is in a node, and list new blocks around it: `run` is the first.
        """
        places, path = self.places, [node]
        known = places.get
        above = node.parent
        while (place := known(above)) is None:
            path.append(above)
            above = above.parent  # type: ignore[union-attr]  # the place of None is known
        if place == UNREAD_PLACE:
            places.update(dict.fromkeys(path, place))
            return place
        for element in reversed(path):
            tag = element.tag
            kind = KINDS.get(tag, INLINE)
            if kind == BLOCK or place < 0:
                tags = self.tags
                self.elements.append(element)
                self.parents.append(place >> SHIFT)
                self.starts.append(run)
                place = len(tags) << SHIFT | place & ANY
                tags.append(tag)
            else:
                place |= kind
            places[element] = place
        return place


def _walk(root: Node) -> tuple[_Blocks, _Found]:
    """Find the texts that are read and the blocks around them; no loop over a page is as long."""
    body = next(root.iter_elements("body"), root)  # there is no text to be read before it
    kept = list(body.iter_elements())  # noqa: F841
    around, found = _Blocks(dict.fromkeys(body.iter_elements(UNREAD), UNREAD_PLACE)), _Found()
    around.places[None] = around.places[root.parent] = OUTSIDE
    known, texts, pieces = around.places.get, found.texts, found.pieces
    owner, bordered = NO_BLOCK, True
    blank: Text | None = None
    for node in body.descendants:
        if type(node) is Text:
            data = node.data
            if data.isspace():
                blank = node
                continue
            place = known(node.parent)
            if place is None:
                place = around.place(node.parent, len(texts))
            if place == UNREAD_PLACE:
                continue
            if bordered or place >> SHIFT != owner:
                owner = place >> SHIFT
                found.start(data, owner)
                bordered = False
            elif blank is None:
                texts[-1] += data
            else:
                texts[-1] += " " + data
                pieces.append(blank)
            pieces.append(node)
            blank = None
            if place & ANY:
                found.mark(data, place)
        elif type(node) is Element and node.tag in BORDERS:
            bordered = True
    return around, found


def _ends(blocks: Sequence[int], parents: Sequence[int]) -> list[int]:
    """Find where each block ends: all runs in it follow each other."""
    ends = [0] * len(parents)
    for run in range(len(blocks), 0, -1):
        block = blocks[run - 1]
        while block >= 0 and not ends[block]:
            ends[block] = run
            block = parents[block]
    return ends
