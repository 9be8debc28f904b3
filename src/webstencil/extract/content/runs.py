"""Page to runs of text, in one walk over the parsed page.

A run is the inline text between two borders of blocks (or `br`), white space collapsed, in document
order: a phrase that inline markup divides stays whole. Blocks are the elements of the list of
ContentExtractor with those that later HTML brought and without `span`; only blocks with text in
them are kept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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

LINKED, BOLD = 1, 2  # what an element makes of the text in it
SHIFT = 2  # bits of these flags
ANY = LINKED | BOLD
OUTSIDE = NO_BLOCK << SHIFT  # the place of what is in no block
FLAGS = {"a": LINKED, "b": BOLD, "strong": BOLD}


Piece = tuple[int, Text, str, bool, Text | None]
# the place of a text, the text; whether a border, and which blank text, come before it


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs of a page and the blocks around them, as columns."""

    texts: list[str]
    lengths: list[int]  # units: characters, but up to 5/3 for those of dense scripts
    links: list[int]  # units of a run inside links
    bolds: list[int]  # characters of a run that are bold
    nodes: list[list[Text]]  # of a run
    blocks: list[int]  # the nearest block around a run
    elements: list[Element]  # of the blocks; parents come before children
    tags: list[str]  # of the blocks
    parents: list[int]  # of the blocks: the block around, NO_BLOCK at the top
    starts: list[int]  # of the blocks: the first run in them or below
    ends: list[int]  # of the blocks: the run after the last in them or below
    seldom: frozenset[Node]  # the elements with attributes that few have

    def __len__(self) -> int:
        return len(self.texts)


def flatten(markup: Markup) -> Runs:
    """List the runs of a page."""
    pieces, found = _walk(markup.root)
    blocks: list[int] = []
    nodes: list[list[Text]] = []
    parts: list[list[str]] = []
    links: list[int] = []
    bolds: list[int] = []
    owner = NO_BLOCK
    for place, node, data, bordered, blank in pieces:
        marked = units(data.strip()) if place & ANY else 0
        linked = marked if place & LINKED else 0
        bold = marked if place & BOLD else 0
        if bordered or place >> SHIFT != owner:
            owner = place >> SHIFT
            blocks.append(owner)
            nodes.append([node])
            parts.append([data])
            links.append(linked)
            bolds.append(bold)
        else:
            nodes[-1] += (node,) if blank is None else (blank, node)
            parts[-1] += (data,) if blank is None else (" ", data)
            links[-1] += linked
            bolds[-1] += bold
    texts = [" ".join("".join(part).split()) for part in parts]
    lengths = list(map(units, texts))
    return Runs(
        texts=texts,
        lengths=lengths,
        links=list(map(min, links, lengths)),
        bolds=bolds,
        nodes=nodes,
        blocks=blocks,
        elements=found.elements,
        tags=found.tags,
        parents=found.parents,
        starts=_starts(blocks),
        ends=_ends(blocks, found.parents),
        seldom=frozenset(markup.select(SELDOM)),
    )


def units(text: str) -> int:
    """Measure a text so that languages compare: three Chinese characters are like five letters."""
    if text.isascii():
        return len(text)
    return (len(text.encode("utf-8", "replace")) + 2 * len(text)) // 3


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of a page as they are found, and the place of what is in an element.

    A place is the number of the nearest block, shifted, with the flags of the element.
    """

    elements: list[Element]
    tags: list[str]
    parents: list[int]
    places: dict[Node | None, int]

    def place(self, node: Node) -> int:
        """Find the place of what is in a node, and list the blocks around it that are new."""
        known = self.places.get
        path: list[Element] = []
        above: Node | None = node
        while (place := known(above)) is None and above is not None:
            path.append(above)  # type: ignore[arg-type]  # around a text there are only elements
            above = above.parent
        place = OUTSIDE if place is None else place
        for element in reversed(path):
            name = element.tag
            if name in BLOCKS or place < 0:
                self.parents.append(place >> SHIFT)
                self.elements.append(element)
                place = len(self.tags) << SHIFT | place & ANY
                self.tags.append(name)
            elif name in FLAGS:
                place |= FLAGS[name]
            self.places[element] = place
        return place


def _walk(root: Node) -> tuple[list[Piece], _Blocks]:
    """List the texts that are read, but for blank ones, and the blocks around them."""
    found = _Blocks([], [], [], {root.parent: OUTSIDE})
    body = next(root.iter_elements("body"), root)  # there is no text to be read before it
    unread = _unread(body)
    pieces: list[Piece] = []
    bordered = True
    blank: Text | None = None
    for node in body.descendants:
        if type(node) is Text:
            data = node.data
            if data.isspace():
                blank = node
            elif data and node not in unread:
                place = found.place(node.parent or root)
                pieces.append((place, node, data, bordered, blank))
                bordered = False
                blank = None
        elif type(node) is Element and node.tag in BORDERS:
            bordered = True
    return pieces, found


def _unread(root: Node) -> set[Node]:
    """List what is in elements whose text is not read."""
    found: set[Node] = set()
    for element in root.iter_elements(UNREAD):
        if element not in found:
            found.update(element.descendants)
    return found


def _starts(blocks: Iterable[int]) -> list[int]:
    """Find the first run of each block: blocks were numbered as their first runs came."""
    starts: list[int] = []
    for run, block in enumerate(blocks):
        if block >= len(starts):
            starts += [run] * (block + 1 - len(starts))
    return starts


def _ends(blocks: Sequence[int], parents: Sequence[int]) -> list[int]:
    """Find where each block ends: all runs in it follow each other."""
    ends = [0] * len(parents)
    for run in range(len(blocks), 0, -1):
        block = blocks[run - 1]
        while block >= 0 and not ends[block]:
            ends[block] = run
            block = parents[block]
    return ends
