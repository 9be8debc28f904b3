"""Areas against blocks on one rendered page: over nodes, characters and pixels.

Atoms of the three measures:
- nodes: the visible boxes of texts and of replaced content (images, videos, form controls), each of
  weight 1. Kiesel et al. count the elements around them, too; here areas consist of nodes, so
  elements would add nothing.
- characters: the visible texts, weighted by their length, white space collapsed.
- pixels: all pixels in an area or a block.

An area has the nodes below its roots, a block those below the marked element; pixels are those of
the area's rectangle and of the element's box. What an area shares with one of its child areas
belongs to the child only.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webstencil.evaluate.bcubed import (
    AgreementScore,
    Masks,
    Weights,
    bits,
    extended_bcubed,
    patches,
)
from webstencil.evaluate.kreuzer import LEVELS, BlockLabel
from webstencil.geometry import EMPTY, Rect, bounding
from webstencil.model import NO_PARENT, Area, BoxKind, NodeId, Snapshot, Tree

FINEST = "finest"  # each node belongs to the smallest block around it, of any level
GRAINS = (*map(str, LEVELS), FINEST)  # which blocks areas are compared with


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of areas with blocks, by the atoms that are counted."""

    nodes: AgreementScore
    characters: AgreementScore
    pixels: AgreementScore


def compare(
    tree: Tree, snapshot: Snapshot, areas: Sequence[Area], blocks: Sequence[Area]
) -> Agreement:
    """Score the areas of a page against its blocks."""
    nodes, characters = node_weights(tree, snapshot, areas, blocks)
    pixels = patches(rects(snapshot, areas), rects(snapshot, blocks))
    above = (outer(areas), outer(blocks))
    return Agreement(*(score(weights, above) for weights in (nodes, characters, pixels)))


def node_weights(
    tree: Tree, snapshot: Snapshot, areas: Sequence[Area], blocks: Sequence[Area]
) -> tuple[Counter[Masks], Counter[Masks]]:
    """Count the nodes and the characters in each combination of areas and blocks."""
    found, gold = owners(tree, areas), owners(tree, blocks)
    nodes: Counter[Masks] = Counter()
    characters: Counter[Masks] = Counter()
    for box in snapshot.boxes:
        if box.visible and box.kind is not BoxKind.ELEMENT:
            masks = (found[box.node], gold[box.node])
            nodes[masks] += 1
            characters[masks] += len(box.text)
    return nodes, +characters


def owners(tree: Tree, areas: Sequence[Area]) -> list[int]:
    """Return for each node a number whose bit i is set if the node is below a root of area i."""
    own: Counter[NodeId] = Counter()
    for number, area in enumerate(areas):
        for node in area.nodes:
            own[node] |= 1 << number
    masks: list[int] = []
    for node, parent in enumerate(tree.parents):
        masks.append(own.get(node, 0) | (masks[parent] if parent != NO_PARENT else 0))
    return masks


def rects(snapshot: Snapshot, areas: Sequence[Area]) -> list[Rect]:
    """Return the rectangle of each area; one without nodes only groups others."""
    return [area.rect.clip(snapshot.rect) if area.nodes else EMPTY for area in areas]


def outer(areas: Sequence[Area]) -> list[int]:
    """Return for each area a number whose bit i is set if it lies in area i."""
    above: list[int] = []
    for area in areas:
        inside = area.parent != NO_PARENT
        above.append((1 << area.parent) | above[area.parent] if inside else 0)
    return above


def score(weights: Weights, above: tuple[Sequence[int], Sequence[int]]) -> AgreementScore:
    """Score combinations of areas and blocks, each atom in the innermost ones only."""
    reduced: dict[Masks, float] = {}
    for (found, gold), weight in weights.items():
        masks = (innermost(found, above[0]), innermost(gold, above[1]))
        reduced[masks] = reduced.get(masks, 0.0) + weight
    return extended_bcubed(reduced)


def innermost(mask: int, above: Sequence[int]) -> int:
    """Remove the areas that hold others of the same mask."""
    covered = 0
    for bit in bits(mask):
        covered |= above[bit]
    return mask & ~covered


def blocks_of(
    labels: Iterable[BlockLabel], grain: str, tree: Tree, snapshot: Snapshot
) -> tuple[Area, ...]:
    """Return the visible blocks that people marked, as areas."""
    ends = tree.ends()
    wanted = [label for label in labels if grain == FINEST or int(grain) in label.levels]
    found: list[Area] = []
    open_blocks: list[int] = []  # those around the label, outermost first
    for label in wanted:
        rect = seen(label.node, ends[label.node], snapshot)
        if rect.empty:
            continue
        while open_blocks and ends[found[open_blocks[-1]].nodes[0]] <= label.node:
            open_blocks.pop()
        parent = open_blocks[-1] if open_blocks and grain == FINEST else NO_PARENT
        open_blocks.append(len(found))
        found.append(Area(rect, (label.node,), parent, label.kind))
    return tuple(found)


def seen(node: NodeId, end: NodeId, snapshot: Snapshot) -> Rect:
    """Return the visible rectangle of an element: its box, or if that is empty its content.

    An element around floating content only has a box without height.
    """
    below = [box for box in snapshot.boxes if node <= box.node < end]
    if below and below[0].node == node and below[0].visible:
        return below[0].clip
    return bounding(box.clip for box in below if box.visible)
