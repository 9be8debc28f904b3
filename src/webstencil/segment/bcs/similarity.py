"""Box Clustering Segmentation, second and third step: neighbours, and their similarity.

What the paper calls similarity is a distance: 0 for boxes that are alike and close, 1 for boxes
with nothing in common. There are two formulas: that of the paper, and that of its authors'
reference implementation.

Where this differs from them, and why:
- The ratio term of the paper leaves 0..1, or divides by 0, unless the more elongated box is wider
  than high. If it is upright, both boxes are first turned by a right angle.
- A pair is related if one of its boxes is a neighbour of the other; the reference implementation
  forgets the pairs it finds to the left and above.
- Both mistakes of the reference implementation are fixed: its size term, rounded to 0 or 1, and its
  search downwards, which ended at the page's width.
- Reference formula only: boxes on different panels, that is on different backgrounds or in
  different frames, have distance 1 unless they overlap. Neither formula sees what is drawn around
  text.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from math import dist, floor, inf, sqrt
from typing import TypeAlias

from webstencil.geometry import Rect
from webstencil.segment.bcs.boxes import CellIndex, Colour, Leaf
from webstencil.segment.boxes import find_head

# Second step: which boxes are neighbours.
#
# The direct neighbourhood of a box are the nearest boxes to its right, below, to its left and above
# it that share at least a pixel row or column with it.
#
# Where this differs from the paper, and why:
# - Edges are shared from 1 px on, not from a contact of 0 px: layouts round.
# - Boxes as near as the nearest one within 1 px are neighbours as well, for the same reason.
# - Boxes that overlap have a direction too, along the axis on which they overlap less: lines of
#   text with a tight line height overlap by a few px and must stay neighbours.


CONTACT = 1.0  # px; less is rounding


class NeighbourDirection(IntEnum):
    """The direction of a neighbour."""

    RIGHT = 0
    BELOW = 1
    LEFT = 2
    ABOVE = 3

    @property
    def level(self) -> bool:
        """Return whether it is a direction along a line of text."""
        return self in {NeighbourDirection.RIGHT, NeighbourDirection.LEFT}


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A box seen from another one."""

    leaf: int  # its number
    gap: float  # px from edge to edge, below 0 if the boxes overlap


def find_neighbours(rects: Sequence[Rect]) -> list[tuple[tuple[Neighbour, ...], ...]]:
    """Return the direct neighbourhood of each box, by direction."""
    grid = CellIndex(rects)
    return [
        tuple(_nearest(grid, rects, number, direction) for direction in NeighbourDirection)
        for number in range(len(rects))
    ]


def _nearest(
    grid: CellIndex, rects: Sequence[Rect], number: int, direction: NeighbourDirection
) -> tuple[Neighbour, ...]:
    """Return the boxes nearest to a box in one direction, in the order of their numbers."""
    own = rects[number]
    found: dict[int, float] = {}
    seen = {number}
    reach = inf
    for least, cells in _bands(grid, own, direction):
        if least > reach:
            break
        for other in (other for cell in cells for other in grid.cells[cell]):
            if other in seen:
                continue
            seen.add(other)
            where = position(own, rects[other])
            if where is not None and where[0] is direction:
                found[other] = where[1]
                reach = min(reach, where[1] + CONTACT)
    return tuple(Neighbour(n, gap) for n, gap in sorted(found.items()) if gap <= reach)


def position(one: Rect, other: Rect) -> tuple[NeighbourDirection, float] | None:
    """Return the direction and distance from `one` to the `other`, None if there is none."""
    across = max(other.left - one.right, one.left - other.right)
    down = max(other.top - one.bottom, one.top - other.bottom)
    share_columns = -across > min(CONTACT, one.width / 2, other.width / 2)
    share_rows = -down > min(CONTACT, one.height / 2, other.height / 2)
    if share_columns and (not share_rows or down >= across):
        is_below = (one.top + one.bottom, one) < (other.top + other.bottom, other)
        return (NeighbourDirection.BELOW if is_below else NeighbourDirection.ABOVE), down
    if share_rows:
        is_right = (one.left + one.right, one) < (other.left + other.right, other)
        return (NeighbourDirection.RIGHT if is_right else NeighbourDirection.LEFT), across
    return None


def _bands(
    grid: CellIndex, own: Rect, direction: NeighbourDirection
) -> Iterator[tuple[float, range]]:
    """Yield the rows or columns of cells away from a box.

    With each comes the smallest possible gap of a box that begins, or ends, in it.
    """
    width, columns, rows = grid.width, grid.columns_of(own), grid.rows_of(own)
    if direction.level:
        ahead = range(columns.start, width)
        back = range(columns.stop - 1, -1, -1)
        for column in ahead if direction is NeighbourDirection.RIGHT else back:
            least = _least(grid.columns, column, (own.left, own.right), direction)
            yield least, range(rows.start * width + column, rows.stop * width + column, width)
    else:
        ahead = range(rows.start, len(grid.rows) + 1)
        back = range(rows.stop - 1, -1, -1)
        for row in ahead if direction is NeighbourDirection.BELOW else back:
            least = _least(grid.rows, row, (own.top, own.bottom), direction)
            yield least, range(row * width + columns.start, row * width + columns.stop)


def _least(
    lines: Sequence[float], band: int, own: tuple[float, float], direction: NeighbourDirection
) -> float:
    start, end = own
    if direction in {NeighbourDirection.RIGHT, NeighbourDirection.BELOW}:
        return lines[band - 1] - end if band else -inf
    return start - lines[band] if band < len(lines) else -inf


Neighbourhoods: TypeAlias = Sequence[Sequence[Sequence[Neighbour]]]  # by leaf, by direction

MAX_COLOUR_DISTANCE = sqrt(3)  # from black to white
UNLIKE = 1.0

# Reference formula.
SHAPE_WEIGHT = 0.3
COLOUR_WEIGHT = 0.5
DISTANCE_WEIGHT = 0.2
ALIGNED_GAP = 1.5  # times the smallest side; farther boxes are not aligned


@dataclass(frozen=True, slots=True)
class BoxPair:
    """Two boxes of which one is a direct neighbour of the other."""

    one: int  # number of a leaf
    other: int  # number of a leaf, larger than `one`
    level: bool  # beside each other, not above each other
    gap: float  # px from edge to edge, below 0 if they overlap


@dataclass(frozen=True, slots=True)
class Relation:
    """A pair and its similarity."""

    one: int  # number of a leaf
    other: int  # number of a leaf, larger than `one`
    level: bool  # beside each other, not above each other
    similarity: float  # 0..1, 0 for boxes that are alike and close


def relate(leaves: Sequence[Leaf], *, reference: bool) -> tuple[Relation, ...]:
    """Return the relations of all neighbouring leaves by one of the two formulas."""
    neighbourhoods = find_neighbours([leaf.rect for leaf in leaves])
    pairs = find_pairs(neighbourhoods)
    if not reference:
        farthest = farthest_seen(neighbourhoods)
        return tuple(_related(leaves, pair, farthest) for pair in pairs)
    farthest = farthest_related(pairs, len(leaves))
    runs = aligned_runs([leaf.rect for leaf in leaves], pairs)
    return tuple(_related(leaves, pair, farthest, runs[pair]) for pair in pairs)


def find_pairs(neighbourhoods: Neighbourhoods) -> list[BoxPair]:
    """List the pairs of neighbours, each once, in order."""
    pairs = {}
    for leaf, neighbourhood in enumerate(neighbourhoods):
        for direction, neighbours in zip(NeighbourDirection, neighbourhood, strict=True):
            for neighbour in neighbours:
                one, other = sorted((leaf, neighbour.leaf))
                pairs[one, other] = BoxPair(one, other, direction.level, neighbour.gap)
    return [pairs[key] for key in sorted(pairs)]


def farthest_seen(neighbourhoods: Neighbourhoods) -> list[float]:
    """Return the distance of the farthest neighbour of each box (paper: maxd)."""
    return [
        max((0.0, *(neighbour.gap for neighbours in neighbourhood for neighbour in neighbours)))
        for neighbourhood in neighbourhoods
    ]


def farthest_related(pairs: Iterable[BoxPair], leaves: int) -> list[float]:
    """Return the distance of the farthest box that is a neighbour of each box, or vice versa."""
    farthest = [0.0] * leaves
    for pair in pairs:
        farthest[pair.one] = max(farthest[pair.one], pair.gap)
        farthest[pair.other] = max(farthest[pair.other], pair.gap)
    return farthest


def relative_distance(gap: float, farthest: tuple[float, float]) -> float:
    """Compare a gap with the farthest neighbours of the two boxes on its sides."""
    if gap <= 0.0:
        return 0.0
    one, other = (gap / far if far else 1.0 for far in farthest)
    return min(1.0, (one + other) / 2)


def ratio_distance(one: Rect, other: Rect) -> float:
    """Compare the boxes' ratios of width to height."""
    low, high = sorted((one.width / one.height, other.width / other.height))
    if low * high < 1.0:
        low, high = 1 / high, 1 / low
    return (high - low) / (high - 1 / high) if high > 1.0 else 0.0


def size_distance(one: Rect, other: Rect) -> float:
    """Compare the boxes' areas."""
    small, large = sorted((one.area, other.area))
    return 1 - small / large


def shape_distance(one: Rect, other: Rect) -> float:
    """Compare the boxes' ratios and areas."""
    return (ratio_distance(one, other) + size_distance(one, other)) / 2


def colour_distance(one: Colour, other: Colour) -> float:
    """Compare two colours as points in the RGB cube."""
    return dist(one, other) / MAX_COLOUR_DISTANCE


def paper_similarity(shape: float, colour: float, distance: float) -> float:
    """Weigh the three equally, unless the distance alone decides (paper: bsim)."""
    if distance in {0.0, 1.0}:
        return distance
    return (distance + shape + colour) / 3


def reference_similarity(shape: float, colour: float, distance: float, aligned: int) -> float:
    """Weigh the three; the longer the run of aligned boxes around the two, the less."""
    if distance == 0.0:
        return 0.0
    weighed = SHAPE_WEIGHT * shape + COLOUR_WEIGHT * colour + DISTANCE_WEIGHT * distance
    return weighed / (2 * aligned)


def aligned_runs(rects: Sequence[Rect], pairs: Iterable[BoxPair]) -> dict[BoxPair, int]:
    """Return the number of boxes in the longest aligned run of each pair, at least 1.

    A run is a chain of neighbours in one direction with an edge in line and equal gaps.
    """
    pairs = list(pairs)
    ends: defaultdict[tuple[int, bool, int], list[tuple[float, int]]] = defaultdict(list)
    links: list[BoxPair] = []
    for pair in pairs:
        for side in aligned_sides(rects[pair.one], rects[pair.other], pair):
            for leaf in (pair.one, pair.other):
                ends[leaf, pair.level, side].append((pair.gap, len(links)))
            links.append(pair)
    runs = dict.fromkeys(pairs, 1)
    for chain in _chained(len(links), ends.values()):
        boxes = {leaf for link in chain for leaf in (links[link].one, links[link].other)}
        for link in chain:
            runs[links[link]] = max(runs[links[link]], len(boxes))
    return runs


def aligned_sides(one: Rect, other: Rect, pair: BoxPair) -> list[int]:
    """List the edges that two boxes have in line: 0 left or top, 1 right or bottom."""
    sides = (one.width, one.height, other.width, other.height)
    if pair.gap > floor(ALIGNED_GAP * min(sides)):
        return []
    level = ((one.top, other.top), (one.bottom, other.bottom))
    upright = ((one.left, other.left), (one.right, other.right))
    edges = level if pair.level else upright
    return [side for side, (a, b) in enumerate(edges) if abs(a - b) <= CONTACT]


def _chained(count: int, ends: Iterable[list[tuple[float, int]]]) -> Iterable[list[int]]:
    """Join links that end at the same box with equal gaps."""
    parents = list(range(count))
    for meeting in ends:
        meeting.sort()
        for (gap, link), (next_gap, next_link) in pairwise(meeting):
            if next_gap - gap <= CONTACT:
                parents[find_head(parents, next_link)] = find_head(parents, link)
    chains: Mapping[int, list[int]] = defaultdict(list)
    for link in range(count):
        chains[find_head(parents, link)].append(link)
    return chains.values()


def _related(
    leaves: Sequence[Leaf], pair: BoxPair, farthest: Sequence[float], aligned: int | None = None
) -> Relation:
    """Compare the two leaves of a pair; by the reference formula if a run's length is given."""
    one, other = leaves[pair.one], leaves[pair.other]
    distance = relative_distance(pair.gap, (farthest[pair.one], farthest[pair.other]))
    shape = shape_distance(one.rect, other.rect)
    colour = colour_distance(one.colour, other.colour)
    if aligned is None:
        similarity = paper_similarity(shape, colour, distance)
    elif one.panel != other.panel and pair.gap >= -CONTACT:
        similarity = UNLIKE
    else:
        similarity = reference_similarity(shape, colour, distance, aligned)
    return Relation(pair.one, pair.other, pair.level, similarity)
