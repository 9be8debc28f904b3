"""Pages with hand-marked blocks, in the form of Kreuzer et al. (2013).

A folder holds a folder for each site, which holds a folder for each host. `X.dom.html` is a page;
`X.blocks.html` is the same page with `data-block="1"` or `"2"` (level) and `data-block-type` at the
elements that people marked as blocks. Segmenters must not see these attributes, so the first file
is rendered and the labels are carried over to it, node by node.

Scripts have changed some pages between the two: texts of `noscript` became elements, a `meta` is
gone. Then the nodes are aligned. Where less than half of the labels can be carried over, the first
file is another page; then the second one is rendered, with its labels removed.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from difflib import SequenceMatcher
from pathlib import Path

from webstencil.errors import ParseError, SourceError
from webstencil.evaluate.floors import corpus_digest
from webstencil.evaluate.labelled_data import LeftOut, nobody
from webstencil.evaluate.scores import (
    AgreementScore,
    Masks,
    Weights,
    bits,
    extended_bcubed,
    patches,
)
from webstencil.geometry import EMPTY, Rect, bounding
from webstencil.markup import attribute
from webstencil.markup.parse import parse
from webstencil.model import NO_PARENT, Area, BoxKind, NodeId, Page, RawPage, Snapshot, Tree
from webstencil.sources.folder import Folder

PLAIN_ENDING, LABELLED_ENDING = (
    ".dom.html",
    ".blocks.html",
)  # how the names of the two files of a page end
LEVEL_ATTRIBUTE, KIND_ATTRIBUTE = "data-block", "data-block-type"
BLOCK_LEVELS = (1, 2)
ATTRIBUTES = re.compile(rb"""\sdata-block(-type)?=("[^"]*"|'[^']*'|[^\s>]*)""")
SAME_PAGE = 0.5  # share of the labels; 40 of 42 pages of the popular set reach 1, two are below 0.2


@dataclass(frozen=True, slots=True)
class BlockLabel:
    """What people marked at a node."""

    node: NodeId
    levels: tuple[int, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page without labels, and its labels."""

    name: str
    page: Page
    source: Folder
    labels: tuple[BlockLabel, ...]
    lost: int = 0  # labels that could not be carried over
    swapped: bool = False  # rendered is the file with the labels, after they were removed


def read_marked_pages(folder: Path, left_out: LeftOut = nobody) -> Iterator[LabelledPage]:
    """Read the labelled pages below a folder, in the order of their names."""
    top = folder.resolve()
    files = sorted(top.rglob(f"*{PLAIN_ENDING}"))
    if not files:
        raise SourceError(f"{folder} has no page X{PLAIN_ENDING} with its X{LABELLED_ENDING}")
    for file in files:
        inside = file.relative_to(top).parts
        source = Folder(top / inside[0] if len(inside) > 2 else top)
        name = "/".join(inside).removesuffix(PLAIN_ENDING)
        try:
            yield read_marked_page(name, file, source)
        except ParseError:
            left_out(name)


def read_marked_page(name: str, file: Path, source: Folder) -> LabelledPage:
    """Read a page and the labels of its twin."""
    twin = file.with_name(file.name.removesuffix(PLAIN_ENDING) + LABELLED_ENDING)
    if not twin.is_file():
        raise SourceError(f"{twin} is missing; it holds the labels of {file}")
    page = parse(RawPage(source.address(file), file.read_bytes(), origin=str(file)))
    body = twin.read_bytes()
    labelled = parse(RawPage(page.url, body, origin=str(twin)))
    labels = tuple(block_labels(labelled))
    carried = carry(labels, labelled, page)
    if len(carried) >= SAME_PAGE * len(labels):
        return LabelledPage(name, page, source, carried, lost=len(labels) - len(carried))
    bare = parse(RawPage(page.url, ATTRIBUTES.sub(b"", body), origin=str(twin)))
    return LabelledPage(name, bare, source, labels, swapped=True)


def block_labels(page: Page) -> Iterator[BlockLabel]:
    """Yield the labels in a page, in document order."""
    for number, node in enumerate(page.markup.nodes(range(len(page.tree)))):
        levels = tuple(
            int(word) for word in attribute(node, LEVEL_ATTRIBUTE).split() if word.isdecimal()
        )
        if levels:
            yield BlockLabel(number, levels, attribute(node, KIND_ATTRIBUTE))


def carry(labels: Sequence[BlockLabel], labelled: Page, page: Page) -> tuple[BlockLabel, ...]:
    """Move labels from one page to another, except those of nodes that are not on it."""
    if labelled.tree == page.tree:
        return tuple(labels)
    aligned = align(node_words(labelled), node_words(page))
    return tuple(
        BlockLabel(aligned[label.node], label.levels, label.kind)
        for label in labels
        if label.node in aligned
    )


def node_words(page: Page) -> list[tuple[str, str]]:
    """Describe each node: an element by its tag and id, a text by its letters."""
    tree = page.tree
    return [
        (tag, name or "".join(text.split()))
        for tag, name, text in zip(tree.tags, tree.ids, page.texts, strict=True)
    ]


def align(ours: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]]) -> dict[int, int]:
    """Return the index in the second list of entries of the first.

    Between equal stretches of the same length, entries with the same tag count as the same.
    """
    aligned: dict[int, int] = {}
    for change, i, i_end, j, j_end in SequenceMatcher(
        None, ours, theirs, autojunk=False
    ).get_opcodes():
        if change == "equal" or i_end - i == j_end - j:
            aligned.update(
                (i + step, j + step)
                for step in range(i_end - i)
                if ours[i + step][0] == theirs[j + step][0]
            )
    return aligned


def marked_corpus(pages: Sequence[LabelledPage]) -> str:
    """Hash the pages and their labels; style sheets and images are not hashed."""
    return corpus_digest(
        piece
        for page in pages
        for piece in (repr((page.name, *map(astuple, page.labels))).encode(), page.page.body)
    )


# Areas against blocks on one rendered page: over nodes, characters and pixels.
#
# Atoms of the three measures:
# - nodes: the visible boxes of texts and of replaced content (images, videos, form controls), each
#   of weight 1. Kiesel et al. count the elements around them, too; here areas consist of nodes, so
#   elements would add nothing.
# - characters: the visible texts, weighted by their length, white space collapsed.
# - pixels: all pixels in an area or a block.
#
# An area has the nodes below its roots, a block those below the marked element; pixels are those of
# the area's rectangle and of the element's box. What an area shares with one of its child areas
# belongs to the child only.


FINEST = "finest"  # each node belongs to the smallest block around it, of any level
GRAINS = (*map(str, BLOCK_LEVELS), FINEST)  # which blocks areas are compared with


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of areas with blocks, by the atoms that are counted."""

    nodes: AgreementScore
    characters: AgreementScore
    pixels: AgreementScore


def compare_areas(
    tree: Tree, snapshot: Snapshot, areas: Sequence[Area], blocks: Sequence[Area]
) -> Agreement:
    """Score the areas of a page against its blocks."""
    nodes, characters = node_weights(tree, snapshot, areas, blocks)
    pixels = patches(marked_rects(snapshot, areas), marked_rects(snapshot, blocks))
    above = (areas_above(areas), areas_above(blocks))
    return Agreement(*(innermost_score(weights, above) for weights in (nodes, characters, pixels)))


def node_weights(
    tree: Tree, snapshot: Snapshot, areas: Sequence[Area], blocks: Sequence[Area]
) -> tuple[Counter[Masks], Counter[Masks]]:
    """Count the nodes and the characters in each combination of areas and blocks."""
    found, gold = area_masks(tree, areas), area_masks(tree, blocks)
    nodes: Counter[Masks] = Counter()
    characters: Counter[Masks] = Counter()
    for box in snapshot.boxes:
        if box.visible and box.kind is not BoxKind.ELEMENT:
            masks = (found[box.node], gold[box.node])
            nodes[masks] += 1
            characters[masks] += len(box.text)
    return nodes, +characters


def area_masks(tree: Tree, areas: Sequence[Area]) -> list[int]:
    """Return for each node a number whose bit i is set if the node is below a root of area i."""
    own: Counter[NodeId] = Counter()
    for number, area in enumerate(areas):
        for node in area.nodes:
            own[node] |= 1 << number
    masks: list[int] = []
    for node, parent in enumerate(tree.parents):
        masks.append(own.get(node, 0) | (masks[parent] if parent != NO_PARENT else 0))
    return masks


def marked_rects(snapshot: Snapshot, areas: Sequence[Area]) -> list[Rect]:
    """Return the rectangle of each area; one without nodes only groups others."""
    return [area.rect.clip(snapshot.rect) if area.nodes else EMPTY for area in areas]


def areas_above(areas: Sequence[Area]) -> list[int]:
    """Return for each area a number whose bit i is set if it is inside area i."""
    above: list[int] = []
    for area in areas:
        inside = area.parent != NO_PARENT
        above.append((1 << area.parent) | above[area.parent] if inside else 0)
    return above


def innermost_score(weights: Weights, above: tuple[Sequence[int], Sequence[int]]) -> AgreementScore:
    """Score combinations of areas and blocks, each atom in the innermost ones only."""
    reduced: dict[Masks, float] = {}
    for (found, gold), weight in weights.items():
        masks = (innermost_only(found, above[0]), innermost_only(gold, above[1]))
        reduced[masks] = reduced.get(masks, 0.0) + weight
    return extended_bcubed(reduced)


def innermost_only(mask: int, above: Sequence[int]) -> int:
    """Remove the areas that hold others of the same mask."""
    covered = 0
    for bit in bits(mask):
        covered |= above[bit]
    return mask & ~covered


def marked_areas(
    labels: Iterable[BlockLabel], grain: str, tree: Tree, snapshot: Snapshot
) -> tuple[Area, ...]:
    """Return the visible blocks that people marked, as areas."""
    ends = tree.ends()
    wanted = [label for label in labels if grain == FINEST or int(grain) in label.levels]
    found: list[Area] = []
    open_blocks: list[int] = []  # those around the label, outermost first
    for label in wanted:
        rect = seen_rect(label.node, ends[label.node], snapshot)
        if rect.empty:
            continue
        while open_blocks and ends[found[open_blocks[-1]].nodes[0]] <= label.node:
            open_blocks.pop()
        parent = open_blocks[-1] if open_blocks and grain == FINEST else NO_PARENT
        open_blocks.append(len(found))
        found.append(Area(rect, (label.node,), parent, label.kind))
    return tuple(found)


def seen_rect(node: NodeId, end: NodeId, snapshot: Snapshot) -> Rect:
    """Return the visible rectangle of an element: its box, or if that is empty its content.

    An element around floating content only has a box without height.
    """
    below = [box for box in snapshot.boxes if node <= box.node < end]
    if below and below[0].node == node and below[0].visible:
        return below[0].clip
    return bounding(box.clip for box in below if box.visible)
