"""VIPS, second and third step: separators between blocks, and the page split along them.

Cai, Yu, Wen, Ma: VIPS, a Vision-based Page Segmentation Algorithm, MSR-TR-2003-79, sections 4.2
and 4.3.
"""

import math
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import accumulate, groupby, pairwise
from operator import attrgetter

from webstencil.geometry import Interval, Rect, bounding, joined_intervals
from webstencil.model import NO_PARENT, BoxKind
from webstencil.segment.vips.blocks import (
    MAX_DOC,
    RUNNING_TEXT_DOC,
    BlockLimits,
    VisualBlock,
    extract_blocks,
)
from webstencil.segment.vips.canvas import CanvasLine, VipsCanvas, is_box_of_text

# Second step, section 4.2: separators.
#
# A separator is a band without blocks that runs across the whole sub-page, from side to side or
# from top to bottom. The report carves one large separator by each block in turn; the result are
# the gaps between the blocks' projections on an axis, so one sweep over the sorted blocks finds the
# same.
#
# Where this differs from the report, and why:
# - Blocks that touch have a separator of no thickness between them if an edge is visible there: two
#   backgrounds, or a line. Today's pages stack coloured bands without a gap.
# - The report says only in which direction each fact changes a weight; the numbers are those of
#   public implementations. The gap's part of the weight is bounded, because one huge gap would make
#   all other separators of a page look alike.
# - Only blocks that face each other across a band show edges and fonts at it. The last line of one
#   column and the next box of another have nothing between them.
# - A level band that cuts through two boxes side by side is chance: columns have gaps at the same
#   height now and then. It separates nothing until they are separated.
# - Gaps are those of pages in the fonts of 2003. In a larger font they are wider and mean no more,
#   so they are measured by the mean size of the page's letters.

BASE_WEIGHT = 3
GAP_WEIGHTS = (  # px, and what a gap of at least this width adds to the weight
    *((56.0, 12), (46.0, 10), (36.0, 8), (26.0, 6), (16.0, 4), (9.0, 2), (0.0, 1)),
)
USUAL_FONT = 13.0  # px; of the pages for which the gaps were chosen
LINE_WEIGHT = 2
BACKGROUND_WEIGHT = 2
FONT_WEIGHT = 2
LARGER_FONT_WEIGHT = 2  # the larger font is below: something new begins
ALIKE_WEIGHT = -3  # enough for a list with gaps of a line and a half to stay whole
LINE_SHARE = 0.5  # share of the separator's length that lines must cover
FONT_SIZE_STEP = 1.0  # px; closer mean sizes look the same
FONT_WEIGHT_STEP = 150.0  # halfway from normal (400) to bold (700)
TOUCHING_OVERLAP = 1.0  # px; borders drawn over each other (margin -1px) just touch


@dataclass(frozen=True, slots=True)
class BlockSeparator:
    """A band between blocks, across the whole sub-page."""

    horizontal: bool
    start: float  # px: its top, or its left side
    end: float  # px
    weight: int


@dataclass(frozen=True, slots=True)
class BlockSpacing:
    """What may count as a separator."""

    thickness: float  # px; a thinner band is none, unless an edge is visible in it
    adjacency: float  # px; a block no farther from the band is beside it


@dataclass(frozen=True, slots=True)
class Gap:
    """A band without blocks, and the blocks beside it."""

    horizontal: bool
    start: float  # px
    end: float  # px
    before: tuple[VisualBlock, ...]
    after: tuple[VisualBlock, ...]

    @property
    def thickness(self) -> float:
        return self.end - self.start


def block_separators(
    canvas: VipsCanvas, blocks: Sequence[VisualBlock], spacing: BlockSpacing
) -> tuple[BlockSeparator, ...]:
    """Return the separators between blocks with their weights, the horizontal ones first."""
    whole = bounding(block.rect for block in blocks)
    found = []
    for horizontal in (True, False):
        sides = _span(whole, horizontal=not horizontal)
        for gap in find_gaps(blocks, spacing.adjacency, horizontal=horizontal):
            lined = is_lined(canvas, gap, sides, spacing.adjacency)
            coloured = is_coloured(canvas, gap)
            if lined or coloured or gap.thickness >= spacing.thickness:
                weight = _weigh(canvas, gap, lined=lined, coloured=coloured)
                found.append(BlockSeparator(horizontal, gap.start, gap.end, weight))
    level = [separator for separator in found if separator.horizontal]
    chance = by_chance(canvas, blocks, level)
    return tuple(separator for separator in found if separator not in chance) or tuple(found)


def find_gaps(blocks: Sequence[VisualBlock], adjacency: float, *, horizontal: bool) -> list[Gap]:
    """Return the bands between blocks along one axis, those of no thickness included."""
    spans = [_span(block.rect, horizontal=horizontal) for block in blocks]
    by_start = sorted(range(len(blocks)), key=lambda i: (spans[i], i))
    by_end = sorted(range(len(blocks)), key=lambda i: (spans[i][1], i))
    starts = [spans[i][0] for i in by_start]
    ends = [spans[i][1] for i in by_end]
    gaps = []
    reach = -math.inf
    for previous, current in pairwise(by_start):
        reach = max(reach, spans[previous][1])
        start = spans[current][0]
        if start >= reach - TOUCHING_OVERLAP and start > spans[previous][0]:
            before = by_end[bisect_left(ends, reach - adjacency) : bisect_right(ends, reach)]
            after = by_start[bisect_left(starts, start) : bisect_right(starts, start + adjacency)]
            sides = [tuple(blocks[i] for i in side) for side in (before, after)]
            beside = facing(*sides, level=horizontal), facing(*sides[::-1], level=horizontal)
            gaps.append(Gap(horizontal, min(reach, start), start, *beside))
    return gaps


def facing(
    blocks: Sequence[VisualBlock], others: Sequence[VisualBlock], *, level: bool
) -> tuple[VisualBlock, ...]:
    """Return the blocks that face one of the others across the band."""
    stretches = joined_intervals(_span(block.rect, horizontal=not level) for block in others)
    ends = [end for _, end in stretches]
    faced = []
    for block in blocks:
        start, end = _span(block.rect, horizontal=not level)
        first = bisect_right(ends, start)
        if first < len(stretches) and stretches[first][0] < end:
            faced.append(block)
    return tuple(faced)


def by_chance(
    canvas: VipsCanvas, blocks: Sequence[VisualBlock], level: Sequence[BlockSeparator]
) -> frozenset[BlockSeparator]:
    """Return the level separators that cut through two or more boxes side by side."""
    ends = [separator.end for separator in level]
    passed = {block.box: _bands(ends, block.rect.top) for block in blocks}
    times_cut = [0] * (len(level) + 1)  # changes from each separator to the next
    for spans in _spans_of_children(canvas, passed).values():
        reach = 0
        for first, last in sorted(spans):
            if first < min(reach, last):
                times_cut[first] += 1
                times_cut[min(reach, last)] -= 1
            reach = max(reach, last)
    cut = accumulate(times_cut)
    return frozenset(separator for separator, times in zip(level, cut, strict=False) if times)


def _bands(ends: Sequence[float], top: float) -> tuple[int, int]:
    bands = bisect_right(ends, top)
    return bands, bands


def _spans_of_children(
    canvas: VipsCanvas, passed: Mapping[int, tuple[int, int]]
) -> dict[int, list[tuple[int, int]]]:
    """Return the separators that cut through the children of each box around blocks."""
    spans = dict(passed)
    pending = [-box for box in spans]
    heapify(pending)
    children: dict[int, list[tuple[int, int]]] = {}
    while pending:
        box = -heappop(pending)
        parent = canvas.boxes[box].parent
        if parent == NO_PARENT:
            continue
        if parent not in spans:
            heappush(pending, -parent)
        first, last = spans[box]
        before = spans.get(parent, (first, last))
        spans[parent] = min(first, before[0]), max(last, before[1])
        if first < last:
            children.setdefault(parent, []).append((first, last))
    return children


def _weigh(canvas: VipsCanvas, gap: Gap, *, lined: bool, coloured: bool) -> int:
    """Return the weight of a separator."""
    weight = BASE_WEIGHT + gap_weight(gap.thickness * print_scale(canvas))
    weight += LINE_WEIGHT * lined + BACKGROUND_WEIGHT * coloured
    if gap.horizontal:
        weight += font_weight(canvas, gap) + alike_weight(canvas, gap)
    return weight


def print_scale(canvas: VipsCanvas) -> float:
    """Return the factor that scales distances to the usual font size."""
    size = canvas.fonts[canvas.layers[0]].size
    return USUAL_FONT / max(size, USUAL_FONT)


def gap_weight(thickness: float) -> int:
    """Weigh a band by its thickness."""
    return next(weight for least, weight in GAP_WEIGHTS if thickness >= least)


def font_weight(canvas: VipsCanvas, gap: Gap) -> int:
    """Weigh a change of font across a horizontal band; more if a larger font is below."""
    above = [canvas.fonts[block.box] for block in gap.before if canvas.fonts[block.box].letters]
    below = [canvas.fonts[block.box] for block in gap.after if canvas.fonts[block.box].letters]
    if not above or not below:
        return 0
    larger, smaller = _changes([font.size for font in above], [font.size for font in below])
    changes = _changes([font.weight for font in above], [font.weight for font in below])
    changed = max(larger, smaller) >= FONT_SIZE_STEP or max(changes) >= FONT_WEIGHT_STEP
    return FONT_WEIGHT * changed + LARGER_FONT_WEIGHT * (larger >= FONT_SIZE_STEP)


def _changes(above: Sequence[float], below: Sequence[float]) -> tuple[float, float]:
    """Return the largest rise and the largest fall from a value above to one below."""
    return max(below) - min(above), max(above) - min(below)


def alike_weight(canvas: VipsCanvas, gap: Gap) -> int:
    """Make a horizontal band lighter if the blocks on both sides are built alike."""
    shapes = {_shape(canvas, block.box) for block in (*gap.before, *gap.after)}
    return ALIKE_WEIGHT if len(shapes) == 1 else 0


def _shape(canvas: VipsCanvas, box: int) -> tuple[str, ...]:
    """Describe how a block is built: only text, or the kinds of boxes in it."""
    children = canvas.children[box]
    if canvas.textual[box] or (children and canvas.all_text(box)):
        return (BoxKind.TEXT,)
    inside = {_sort_of_box(canvas, child) for child in children}
    return (_sort_of_box(canvas, box), *sorted(inside))


def _sort_of_box(canvas: VipsCanvas, box: int) -> str:
    return f"{canvas.boxes[box].kind} {canvas.boxes[box].style.display}"


def is_coloured(canvas: VipsCanvas, gap: Gap) -> bool:
    """Return whether the blocks on the two sides have different backgrounds."""
    before = {canvas.boxes[block.box].backdrop for block in gap.before}
    after = {canvas.boxes[block.box].backdrop for block in gap.after}
    return bool(before) and before.isdisjoint(after)


def is_lined(canvas: VipsCanvas, gap: Gap, sides: Interval, slack: float) -> bool:
    """Return whether lines are drawn along most of a band, in it or at its edge."""
    lines = canvas.level_lines if gap.horizontal else canvas.upright_lines
    first = bisect_left(lines, gap.start - slack, key=attrgetter("at"))
    last = bisect_right(lines, gap.end + slack, key=attrgetter("at"))
    return line_cover(lines[first:last], sides) >= LINE_SHARE * (sides[1] - sides[0])


def line_cover(lines: Iterable[CanvasLine], sides: Interval) -> float:
    """Return how much of the distance between two sides lines cover, in px."""
    reach, end = sides
    total = 0.0
    for line in sorted(lines, key=lambda line: line.start):
        total += max(0.0, min(line.end, end) - max(line.start, reach))
        reach = max(reach, line.end)
    return total


def _span(rect: Rect, *, horizontal: bool) -> Interval:
    """Return where a block begins and ends on the axis that a separator cuts."""
    return (rect.top, rect.bottom) if horizontal else (rect.left, rect.right)


# Third step, section 4.3: the content structure, the degrees of coherence, and the cut.
#
# The report joins blocks across the lightest separators first; splitting a sub-page along the
# heaviest ones first gives the same tree. A part that is not split any further is entered again as
# a sub-page of its own, where smaller boxes count as blocks, until nothing changes. The whole tree
# is made before it is cut, so that a larger permitted degree of coherence only splits areas
# further.
#
# Where this differs from the report, and why:
# - A part whose blocks overlap has no separator, however much is in it. Its blocks are then taken
#   without their backgrounds, and the largest of them is opened as if it were alone (rule 3). A
#   logo that overlaps a menu would otherwise keep the whole page in one piece. Running text that is
#   opened this way stays as coherent as rule 4 says.
# - A degree of coherence has a floor. The rule that kept a block sets one for all that later rounds
#   find in it, as the report does by not entering a block that is coherent enough; a part that is
#   small enough to be seen at a glance has one, too. Without floors, menus and list items fall
#   apart: their gaps are as wide as those between columns.
# - Separators in a part seen at a glance do not count for its parents: the gap beside the picture
#   of a list item says nothing about the list.
# - The scale of weights is the same for all pages. With the report's, from the page's lightest to
#   its heaviest separator, one thin gap somewhere made lists at the other end of the page fall
#   apart.
# - Layers are split from the page before anything else, see `canvas.py`.

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
        entered, separators = _enter(canvas, before, measures)
        changed = separators or boxes_of(entered.blocks) != boxes_of(before.blocks)
        tree = split_part(entered, separators)
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


def _enter(
    canvas: VipsCanvas, part: StructureNode, measures: Measures
) -> tuple[StructureNode, tuple[BlockSeparator, ...]]:
    """Return a part with its blocks as a sub-page of its own, and the separators between them."""
    boxes = boxes_of(part.blocks)
    opened = boxes[0] if len(boxes) == 1 else None
    blocks = extract_blocks(canvas, boxes, part.rect, measures.limits, opened)
    separators = block_separators(canvas, blocks, measures.spacing)
    if separators or boxes_of(blocks) != boxes:
        return replace(part, blocks=blocks), separators
    bare = tuple(replace(block, rect=canvas.contents[block.box]) for block in blocks)
    separators = block_separators(canvas, bare, measures.spacing)
    opened = largest_to_open(canvas, blocks)
    if separators or opened is None:
        return replace(part, blocks=bare if separators else blocks), separators
    blocks = extract_blocks(canvas, boxes, part.rect, measures.limits, opened)
    text = RUNNING_TEXT_DOC if is_box_of_text(canvas, opened) else LOWEST_DOC
    part = replace(part, blocks=blocks, floor=max(part.floor, text))
    return part, block_separators(canvas, blocks, measures.spacing)


def largest_to_open(canvas: VipsCanvas, blocks: Sequence[VisualBlock]) -> int | None:
    """Return the largest divisible box, None if there is none."""
    divisible = (block for block in blocks if canvas.divisible(block.box))
    largest = max(divisible, key=lambda block: (block.rect.area, -block.box), default=None)
    return largest.box if largest else None


def split_part(part: StructureNode, separators: Sequence[BlockSeparator]) -> list[StructureNode]:
    """Return a part and its parts between separators, the heaviest first."""
    tree = [part]
    for _, run in groupby(sorted(separators, key=lambda it: (*_rank(it), it.start)), key=_rank):
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


def cut_parts(parts: Sequence[StructureNode], docs: Sequence[int], pdoc: int) -> list[int]:
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
