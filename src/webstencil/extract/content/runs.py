"""Page to runs of text, in one walk over the parsed page.

A run is the inline text between two borders of blocks (or `br`), white space collapsed, in document
order: a phrase that inline markup divides stays whole. Blocks are the elements of the list of
ContentExtractor with those that later HTML brought and without `span`; only blocks with text in
them are kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from webstencil.extract.content.names import SELDOM
from webstencil.extract.content.text_runs import NO_BLOCK, TextRuns
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
INTO_PAGE = 'a[href^="#"]'
PERMALINKS = frozenset("¶#§🔗⚓")  # links of headings to themselves, as manuals have them
BORDERS = BLOCKS | {"br"}  # where a run ends

INLINE, LINKED, BOLD, BLOCK = 0, 1, 2, 4  # what an element makes of the text in it
SHIFT = 2  # bits of the flags of a place: LINKED and BOLD
MARKED = LINKED | BOLD
OUTSIDE = NO_BLOCK << SHIFT  # the place of what is in no block
UNREAD_PLACE = OUTSIDE << 1  # the place of what is in an element that is not read
KINDS = {"a": LINKED, "b": BOLD, "strong": BOLD, **dict.fromkeys(BLOCKS, BLOCK)}


def flatten(markup: Markup) -> TextRuns:
    """List the runs of a page."""
    around, found = _walk(markup.root)
    texts = [" ".join(text.split()) for text in found.texts]
    lengths = [len(text) if text.isascii() else units(text) for text in texts]
    return TextRuns(
        texts=texts,
        lengths=lengths,
        links=list(map(min, found.links, lengths)),
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


def units(text: str) -> int:
    """Measure a text so that languages compare: three Chinese characters are like five letters."""
    if text.isascii():
        return len(text)
    return (len(text.encode("utf-8", "replace")) + 2 * len(text)) // 3


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of a page as they are found (see `TextRuns`), and where an element's contents go.

    A place is the number of the nearest block, shifted, with the flags of the element; what is in
    an element that is not read has the place UNREAD_PLACE.
    """

    kept: list[Element]  # all of the page; the parser would make them anew each time they are met
    places: dict[Node | None, int]
    elements: list[Element] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def place(self, node: Node | None, run: int) -> int:
        """Find the place of what is in a node; blocks around it that are new begin with `run`."""
        places, path = self.places, []
        while (place := places.get(node)) is None:
            path.append(node)
            node = node.parent  # type: ignore[union-attr]  # the place of None is known
        if place == UNREAD_PLACE:
            places.update(dict.fromkeys(path, place))
            return place
        for element in reversed(path):
            tag = element.tag  # type: ignore[union-attr]  # around a text there are only elements
            kind = KINDS.get(tag, INLINE)
            if kind == LINKED and element.attr("href") is None:  # type: ignore[union-attr]  # the same
                kind = INLINE  # a mark to jump to; left open, it is around all that follows
            if kind == BLOCK or place < 0:
                self.parents.append(place >> SHIFT)
                self.starts.append(run)
                self.elements.append(element)  # type: ignore[arg-type]  # the same
                place = len(self.tags) << SHIFT | place & MARKED
                self.tags.append(tag)
            else:
                place |= kind
            places[element] = place
        return place


@dataclass(frozen=True, slots=True)
class _Found:
    """The runs of a page as they are found, see `TextRuns`; white space is not collapsed yet."""

    texts: list[str]
    links: list[int]
    bolds: list[int]
    pieces: list[Text]
    firsts: list[int]
    blocks: list[int]

    def start(self, text: str, block: int) -> None:
        """Begin a run."""
        self.texts.append(text)
        self.links.append(0)
        self.bolds.append(0)
        self.firsts.append(len(self.pieces))
        self.blocks.append(block)


def _known_places(root: Node, body: Node) -> dict[Node | None, int]:
    """Return the places that are known from the start: of what is not read, and of the root."""
    unread: dict[Node | None, int] = dict.fromkeys(body.iter_elements(UNREAD), UNREAD_PLACE)
    marks = [link for link in body.select(INTO_PAGE) if link.text.strip() in PERMALINKS]
    unread.update(dict.fromkeys(marks, UNREAD_PLACE))
    return {**unread, None: OUTSIDE, root.parent: OUTSIDE}


def _walk(root: Node) -> tuple[_Blocks, _Found]:
    """Find the runs and the blocks around them, in one loop: no other takes as long."""
    body = next(root.iter_elements("body"), root)  # there is no text to be read before it
    around = _Blocks(list(body.iter_elements()), _known_places(root, body))
    found = _Found([], [], [], [], [], [])
    known, texts, pieces = around.places.get, found.texts, found.pieces
    links, bolds = found.links, found.bolds
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
                owner, bordered = place >> SHIFT, False
                found.start(data, owner)
            elif blank is None:
                texts[-1] += data
            else:
                texts[-1] += " " + data
                pieces.append(blank)
            pieces.append(node)
            blank = None
            if place & LINKED:
                links[-1] += units(data.strip())
            if place & BOLD:
                bolds[-1] += units(data.strip())
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
