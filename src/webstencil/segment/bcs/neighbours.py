"""Box Clustering Segmentation, second step: which boxes are neighbours.

The direct neighbourhood of a box are the nearest boxes to its right, below, to its left and above
it that share at least a pixel row or column with it.

Where this differs from the paper, and why:
- Edges are shared from 1 px on, not from a contact of 0 px: layouts round.
- Boxes as near as the nearest one within 1 px are neighbours as well, for the same reason.
- Boxes that overlap have a direction too, along the axis on which they overlap less: lines of text
  with a tight line height overlap by a few px and must stay neighbours.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import inf

from webstencil.geometry import Rect
from webstencil.segment.bcs.grid import CellIndex

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
        tuple(nearest(grid, rects, number, direction) for direction in NeighbourDirection)
        for number in range(len(rects))
    ]


def nearest(
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
