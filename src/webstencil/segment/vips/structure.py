"""VIPS, third step: the content structure, the degrees of coherence, and the cut.

Cai, Yu, Wen, Ma: MSR-TR-2003-79, section 4.3. The report joins blocks across the lightest
separators first; splitting a sub-page along the heaviest ones first gives the same tree. A part
that is not split any further is entered again as a sub-page of its own, where smaller boxes count
as blocks, until nothing changes. The whole tree is made before it is cut, so that a larger
permitted degree of coherence only splits areas further.

Where this differs from the report, and why:
- A part whose blocks overlap has no separator, however much is in it. Its blocks are then taken
  without their backgrounds, and the largest of them is opened as if it were alone (rule 3). A logo
  that overlaps a menu would otherwise keep the whole page in one piece. Running text that is opened
  this way stays as coherent as rule 4 says.
- A degree of coherence has a floor. The rule that kept a block sets one for all that later rounds
  find in it, as the report does by not entering a block that is coherent enough; a part that is
  small enough to be seen at a glance has one, too. Without floors, menus and list items fall apart:
  their gaps are as wide as those between columns.
- Separators in a part seen at a glance do not count for its parents: the gap beside the picture of
  a list item says nothing about the list.
- The scale of weights is the same for all pages. With the report's, from the page's lightest to its
  heaviest separator, one thin gap somewhere made lists at the other end of the page fall apart.
- Layers are split from the page before anything else, see `canvas.py`.
"""

import math
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from webstencil.geometry import Rect, bounding
from webstencil.model import NO_PARENT
from webstencil.segment.vips.blocks import (
    MAX_DOC,
    RUNNING_TEXT_DOC,
    BlockLimits,
    VisualBlock,
    extract_blocks,
)
from webstencil.segment.vips.canvas import VipsCanvas
from webstencil.segment.vips.separators import BlockSeparator, BlockSpacing, find_separators
from webstencil.segment.vips.texts import is_running_text

LOWEST_DOC = 1  # report, section 3
LIGHTEST = 2  # weight of a gap of a line between similar blocks, or less
HEAVIEST = 15  # weight of the widest gap: the two sides have nothing in common
LAYER_WEIGHT = HEAVIEST  # as if the widest gap were between the layer and the page
GLANCE_DOC = 9  # floor for parts seen at a glance: only the finest cuts split them


@dataclass(frozen=True, slots=True)
class StructureNode:
    """A node of the content structure; parts come parents before children."""

    parent: int  # index among the parts, NO_PARENT for the whole page
    blocks: tuple[VisualBlock, ...]
    rect: Rect  # the sub-page, around its blocks
    cell: Rect  # its limits: the blocks on the other side of its separators
    floor: int = LOWEST_DOC  # least degree of coherence of it and of all its parts
    weight: int = 0  # of the separators that split it, 0 if none does
    separators: tuple[BlockSeparator, ...] = ()  # between its parts, in order


@dataclass(frozen=True, slots=True)
class Measures:
    """The settings of a structure."""

    limits: BlockLimits
    spacing: BlockSpacing
    rounds: int  # most rounds


def content_structure(
    canvas: VipsCanvas, page: Rect, measures: Measures
) -> tuple[StructureNode, ...]:
    """Split a page into parts, and these again, until nothing changes."""
    parts = first_parts(canvas, page, measures.limits)
    pending = deque((index, 1) for index in unsplit(parts))
    while pending:
        index, rounds = pending.popleft()
        before = parts[index]
        entered, separators = enter(canvas, before, measures)
        changed = separators or boxes_of(entered.blocks) != boxes_of(before.blocks)
        tree = split(entered, separators)
        places = [index, *range(len(parts), len(parts) + len(tree) - 1)]
        parts[index] = tree[0]
        parts.extend(replace(part, parent=places[part.parent]) for part in tree[1:])
        if changed and rounds < measures.rounds:
            again = (leaf for leaf in unsplit(tree) if can_be_entered(canvas, tree[leaf]))
            pending.extend((places[leaf], rounds + 1) for leaf in again)
    return tuple(parts)


def first_parts(canvas: VipsCanvas, page: Rect, limits: BlockLimits) -> list[StructureNode]:
    """Return the page as one part, and its layers as parts of it if there are several."""
    blocks = tuple(VisualBlock(box, canvas.rects[box], LOWEST_DOC) for box in canvas.layers)
    if len(blocks) == 1:
        return [StructureNode(NO_PARENT, blocks, page, page)]
    whole = StructureNode(NO_PARENT, blocks, page, page, weight=LAYER_WEIGHT)
    return [whole, *(_layer(canvas, page, block, limits) for block in blocks)]


def _layer(
    canvas: VipsCanvas, page: Rect, block: VisualBlock, limits: BlockLimits
) -> StructureNode:
    """Return a layer; if it is one block, it is as coherent as the rules say."""
    found = extract_blocks(canvas, [block.box], block.rect, limits)
    lifted = canvas.boxes[block.box].parent != NO_PARENT
    floor = found[0].doc if lifted and len(found) == 1 else LOWEST_DOC
    return StructureNode(0, (block,), block.rect, page, floor)


def unsplit(parts: Sequence[StructureNode]) -> list[int]:
    """Return the parts that have no parts."""
    return [index for index, part in enumerate(parts) if not part.weight]


def can_be_entered(canvas: VipsCanvas, part: StructureNode) -> bool:
    """Return whether a part is more than one indivisible block."""
    return len(part.blocks) > 1 or canvas.divisible(part.blocks[0].box)


def boxes_of(blocks: Sequence[VisualBlock]) -> list[int]:
    """Return the boxes of blocks, in their order."""
    return [block.box for block in blocks]


def enter(
    canvas: VipsCanvas, part: StructureNode, measures: Measures
) -> tuple[StructureNode, tuple[BlockSeparator, ...]]:
    """Return a part with its blocks as a sub-page of its own, and the separators between them."""
    boxes = boxes_of(part.blocks)
    opened = boxes[0] if len(boxes) == 1 else None
    blocks = extract_blocks(canvas, boxes, part.rect, measures.limits, opened)
    separators = find_separators(canvas, blocks, measures.spacing)
    if separators or boxes_of(blocks) != boxes:
        return replace(part, blocks=blocks), separators
    bare = tuple(replace(block, rect=canvas.contents[block.box]) for block in blocks)
    separators = find_separators(canvas, bare, measures.spacing)
    opened = largest_to_open(canvas, blocks)
    if separators or opened is None:
        return replace(part, blocks=bare if separators else blocks), separators
    blocks = extract_blocks(canvas, boxes, part.rect, measures.limits, opened)
    text = RUNNING_TEXT_DOC if is_running_text(canvas, opened) else LOWEST_DOC
    part = replace(part, blocks=blocks, floor=max(part.floor, text))
    return part, find_separators(canvas, blocks, measures.spacing)


def largest_to_open(canvas: VipsCanvas, blocks: Sequence[VisualBlock]) -> int | None:
    """Return the largest divisible box, None if there is none."""
    divisible = (block for block in blocks if canvas.divisible(block.box))
    largest = max(divisible, key=lambda block: (block.rect.area, -block.box), default=None)
    return largest.box if largest else None


def split(part: StructureNode, separators: Sequence[BlockSeparator]) -> list[StructureNode]:
    """Return a part and its parts between separators, the heaviest first."""
    tree = [part]
    for _, run in groupby(sorted(separators, key=_heaviest_first), key=_rank):
        parting = list(run)
        for index in unsplit(tree):
            parts = split_once(tree[index], parting)
            if len(parts) > 1:
                between = tuple(it for it in parting if is_between(it, parts))
                weight = parting[0].weight
                tree[index] = replace(tree[index], weight=weight, separators=between)
                tree.extend(replace(below, parent=index) for below in parts)
    return tree


def is_between(separator: BlockSeparator, parts: Sequence[StructureNode]) -> bool:
    """Return whether there are parts on both sides of a separator."""
    starts = [part.rect.top if separator.horizontal else part.rect.left for part in parts]
    return min(starts) < separator.end <= max(starts)


def _rank(separator: BlockSeparator) -> tuple[int, bool]:
    return -separator.weight, not separator.horizontal


def _heaviest_first(separator: BlockSeparator) -> tuple[int, bool, float]:
    return *_rank(separator), separator.start


def split_once(part: StructureNode, separators: Sequence[BlockSeparator]) -> list[StructureNode]:
    """Split a part along separators of one direction, by position."""
    horizontal = separators[0].horizontal
    ends = [separator.end for separator in separators]
    groups: dict[int, list[VisualBlock]] = {}  # by the number of separators before them
    for block in part.blocks:
        start = block.rect.top if horizontal else block.rect.left
        groups.setdefault(bisect_right(ends, start), []).append(block)
    parts = []
    for place in sorted(groups):
        start = separators[place - 1].start if place else -math.inf
        end = ends[place] if place < len(ends) else math.inf
        band = (
            (-math.inf, start, math.inf, end) if horizontal else (start, -math.inf, end, math.inf)
        )
        parts.append(_part_of(part, tuple(groups[place]), part.cell.clip(Rect(*band))))
    return parts


def _part_of(part: StructureNode, blocks: tuple[VisualBlock, ...], cell: Rect) -> StructureNode:
    own = blocks[0].doc if len(blocks) == 1 else LOWEST_DOC
    rect = bounding(block.rect for block in blocks)
    return StructureNode(NO_PARENT, blocks, rect, cell, max(part.floor, own))


def heaviest(parts: Sequence[StructureNode], glance: float = 0.0) -> list[int]:
    """Return the weight of the heaviest separator in each part and in all its parts.

    Separators in a part of less than `glance` px² count for that part alone.
    """
    weights = [part.weight for part in parts]
    for index in range(len(parts) - 1, 0, -1):
        part = parts[index]
        if part.rect.area >= glance:
            weights[part.parent] = max(weights[part.parent], weights[index])
    return weights


def degrees(parts: Sequence[StructureNode], glance: float) -> list[int]:
    """Return the degree of coherence of each part, never below its parent's.

    Parts smaller than `glance` px² are seen at a glance.
    """
    docs: list[int] = []
    for part, weight in zip(parts, heaviest(parts, glance), strict=True):
        doc = max(part.floor, doc_of_weight(weight))
        if part.parent != NO_PARENT:
            least = GLANCE_DOC if part.rect.area < glance else LOWEST_DOC
            doc = max(doc, least, docs[part.parent])
        docs.append(doc)
    return docs


def doc_of_weight(weight: int) -> int:
    """Map the heaviest separator of a part to a degree from 10, if there is none, down to 1."""
    heaviness = (weight - LIGHTEST) / (HEAVIEST - LIGHTEST)
    return MAX_DOC - math.ceil((MAX_DOC - LOWEST_DOC) * min(max(heaviness, 0.0), 1.0))


def cut(parts: Sequence[StructureNode], docs: Sequence[int], pdoc: int) -> list[int]:
    """Return the parts that are left if coherent ones stay whole, in reading order."""
    children: list[list[int]] = [[] for _ in parts]
    for index, part in enumerate(parts):
        if part.parent != NO_PARENT:
            children[part.parent].append(index)
    left = []
    pending = [0]
    while pending:
        index = pending.pop()
        left.append(index)
        if docs[index] <= pdoc:
            pending.extend(reversed(children[index]))
    return left
