"""Split a page into runs of text, in one walk over the parsed page.

A run is the inline text between two borders of blocks (or `br`), white space collapsed, in document
order: inline markup does not divide a phrase. Blocks are ContentExtractor's elements, without
`span` and with those of later HTML; only blocks with text are kept.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from webstencil.extract.content.element_names import SELDOM, seldom_names
from webstencil.extract.content.text_runs import NO_BLOCK, BlockNames, TextRuns
from webstencil.markup import Element, Markup, Node, Text
from webstencil.markup.text_units import (
    BORDERS,
    INTO_PAGE,
    PERMALINKS,
    STRUCTURE,
    unread_elements,
)

INLINE, LINKED, BOLD, BLOCK = 0, 1, 2, 4  # effect of an element on the text in it
SHIFT = 2  # bits of the flags of a spot: LINKED and BOLD
MARKED = LINKED | BOLD
OUTSIDE = NO_BLOCK << SHIFT  # the spot of text in no block
UNREAD_SPOT = OUTSIDE << 1  # the spot of text in an element that is not read
KINDS = {"a": LINKED, "b": BOLD, "strong": BOLD, **dict.fromkeys(STRUCTURE, BLOCK)}


def flatten(markup: Markup) -> TextRuns:
    """Return the runs of a page."""
    around, found = _walk(markup.root)
    texts = [" ".join(text.split()) for text in found.texts]
    lengths = [len(text) if text.isascii() else units(text) for text in texts]
    names = _names(around, markup.select(SELDOM))
    different = list(dict.fromkeys(names))
    numbers = dict(zip(different, range(len(different)), strict=True))
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
        names=[BlockNames(*one) for one in different],
        named=[numbers[one] for one in names],
    )


def units(text: str) -> int:
    """Measure a text across languages: three Chinese characters equal five letters."""
    if text.isascii():
        return len(text)
    return (len(text.encode("utf-8", "replace")) + 2 * len(text)) // 3


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks found so far (see `TextRuns`), and the spot of each element's content.

    A spot is the number of the nearest block, shifted, with the flags of the element; content of an
    element that is not read has UNREAD_SPOT.
    """

    kept: list[Element]  # all of the page, or the parser would make new objects at each visit
    spots: dict[Node | None, int]
    elements: list[Element] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def spot(self, node: Node | None, run: int) -> int:
        """Return the spot of a node's content; new blocks around it start with `run`."""
        spots, path = self.spots, []
        while (spot := spots.get(node)) is None:
            path.append(node)
            node = node.parent  # type: ignore[union-attr]  # the spot of None is known
        if spot == UNREAD_SPOT:
            spots.update(dict.fromkeys(path, spot))
            return spot
        for element in reversed(path):
            tag = element.tag  # type: ignore[union-attr]  # only elements are around a text
            kind = KINDS.get(tag, INLINE)
            if kind == LINKED and element.attr("href") is None:  # type: ignore[union-attr]  # the same
                kind = INLINE  # an anchor; unclosed, it is around all that follows
            if kind == BLOCK or spot < 0:
                self.parents.append(spot >> SHIFT)
                self.starts.append(run)
                self.elements.append(element)  # type: ignore[arg-type]  # the same
                spot = len(self.tags) << SHIFT | spot & MARKED
                self.tags.append(tag)
            else:
                spot |= kind
            spots[element] = spot
        return spot


@dataclass(frozen=True, slots=True)
class _Found:
    """The runs found so far (see `TextRuns`), before white space is collapsed."""

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


def _known_spots(root: Node, body: Node) -> dict[Node | None, int]:
    """Return the spots known from the start: of what is not read, and of the root."""
    unread: dict[Node | None, int] = dict.fromkeys(unread_elements(body), UNREAD_SPOT)
    marks = [link for link in body.select(INTO_PAGE) if link.text.strip() in PERMALINKS]
    unread.update(dict.fromkeys(marks, UNREAD_SPOT))
    return {**unread, None: OUTSIDE, root.parent: OUTSIDE}


def _walk(root: Node) -> tuple[_Blocks, _Found]:
    """Find the runs and the blocks around them, in one loop, because it is the slowest."""
    body = next(root.iter_elements("body"), root)  # nothing is read before it
    around = _Blocks(list(body.iter_elements()), _known_spots(root, body))
    found = _Found([], [], [], [], [], [])
    known, texts, pieces = around.spots.get, found.texts, found.pieces
    links, bolds = found.links, found.bolds
    owner, bordered = NO_BLOCK, True
    blank: Text | None = None
    for node in body.descendants:
        if type(node) is Text:
            data = node.data
            if data.isspace():
                blank = node
                continue
            spot = known(node.parent)
            if spot is None:
                spot = around.spot(node.parent, len(texts))
            if spot == UNREAD_SPOT:
                continue
            if bordered or spot >> SHIFT != owner:
                owner, bordered = spot >> SHIFT, False
                found.start(data, owner)
            elif blank is None:
                texts[-1] += data
            else:
                texts[-1] += " " + data
                pieces.append(blank)
            pieces.append(node)
            blank = None
            if spot & LINKED:
                links[-1] += units(data.strip())
            if spot & BOLD:
                bolds[-1] += units(data.strip())
        elif type(node) is Element and node.tag in BORDERS:
            bordered = True
    return around, found


def _names(around: _Blocks, seldom: Iterable[Node]) -> list[tuple[str, ...]]:
    """Return the names of each block; `seldom` are elements with names that few have."""
    elements = around.elements
    classes = [element.attr("class") or "" for element in elements]
    identifiers = [element.attr("id") or "" for element in elements]
    names: list[tuple[str, ...]] = list(zip(around.tags, classes, identifiers, strict=True))
    for element in seldom:
        block = around.spots.get(element, OUTSIDE) >> SHIFT
        if block >= 0 and elements[block] == element:
            names[block] += seldom_names(elements[block])
    return names


def _ends(blocks: Sequence[int], parents: Sequence[int]) -> list[int]:
    """Return the end of each block; its runs are consecutive."""
    ends = [0] * len(parents)
    for run in range(len(blocks), 0, -1):
        block = blocks[run - 1]
        while block >= 0 and not ends[block]:
            ends[block] = run
            block = parents[block]
    return ends
