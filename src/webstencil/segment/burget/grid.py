"""Burget's topographical grid: the arrangement of areas, whatever the distances.

The left and right sides of all areas are the lines between the columns, their tops and bottoms
those between the rows.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from webstencil.geometry import Rect


@dataclass(frozen=True, slots=True)
class GridSpan:
    """A rectangle of grid cells, its last column and row included."""

    column: int
    row: int
    last_column: int
    last_row: int

    @property
    def width(self) -> int:
        return self.last_column - self.column + 1

    @property
    def height(self) -> int:
        return self.last_row - self.row + 1

    def contains(self, other: "GridSpan") -> bool:
        return (
            self.column <= other.column
            and self.row <= other.row
            and self.last_column >= other.last_column
            and self.last_row >= other.last_row
        )


@dataclass(frozen=True, slots=True)
class Track:
    """The areas on one row or column of the grid, in order; cells are counted along it."""

    firsts: tuple[int, ...]
    reaches: tuple[int, ...]  # the farthest cell of this and all before it
    areas: tuple[int, ...]

    def between(self, first: int, last: int) -> tuple[int, ...]:
        """Return the areas that may be on one of these cells: all that are, and few others."""
        start = bisect_left(self.reaches, first)
        return self.areas[start : bisect_right(self.firsts, last)]


@dataclass(frozen=True, slots=True)
class AreaGrid:
    """The grid of some areas, numbered in their order."""

    columns: tuple[float, ...]  # px: the lines between the columns, the outer ones included
    rows: tuple[float, ...]  # px
    spans: tuple[GridSpan, ...]  # of each area

    @property
    def whole(self) -> GridSpan:
        return GridSpan(0, 0, len(self.columns) - 2, len(self.rows) - 2)

    def rect(self, span: GridSpan) -> Rect:
        """Return the rectangle of some cells in px."""
        return Rect(
            self.columns[span.column],
            self.rows[span.row],
            self.columns[span.last_column + 1],
            self.rows[span.last_row + 1],
        )


def meet(one: GridSpan, other: GridSpan) -> bool:
    """Return whether two rectangles of cells have a cell in common."""
    return (
        one.column <= other.last_column
        and other.column <= one.last_column
        and one.row <= other.last_row
        and other.row <= one.last_row
    )


def make_grid(rects: Sequence[Rect], snap: float = 0.0) -> AreaGrid:
    """Make the grid of areas; sides no farther than `snap` px apart are one line."""
    columns = grid_lines((side for rect in rects for side in (rect.left, rect.right)), snap)
    rows = grid_lines((side for rect in rects for side in (rect.top, rect.bottom)), snap)
    spans = []
    for rect in rects:
        column, last_column = _cells(columns, rect.left, rect.right)
        row, last_row = _cells(rows, rect.top, rect.bottom)
        spans.append(GridSpan(column, row, last_column, last_row))
    return AreaGrid(columns, rows, tuple(spans))


def grid_lines(sides: Iterable[float], snap: float) -> tuple[float, ...]:
    """Return the positions of the lines, at least two; the first of sides that are close."""
    places = sorted(set(sides))
    lines = places[:1]
    for side in places:
        if side - lines[-1] > snap:
            lines.append(side)
    return tuple(lines) if len(lines) > 1 else (places[0], places[-1])


def _cells(lines: Sequence[float], start: float, end: float) -> tuple[int, int]:
    """Return the first and the last cell between two sides, at least one cell."""
    first = min(bisect_right(lines, start) - 1, len(lines) - 2)
    return first, max(first, bisect_right(lines, end) - 2)


def tracks(spans: Sequence[GridSpan], *, rows: bool) -> list[Track]:
    """Sort areas by their rows, or by their columns."""
    found: list[list[tuple[int, int, int]]] = []
    for area, span in enumerate(spans):
        first, last = (span.row, span.last_row) if rows else (span.column, span.last_column)
        along = (span.column, span.last_column) if rows else (span.row, span.last_row)
        found.extend([] for _ in range(last + 1 - len(found)))
        for cell in range(first, last + 1):
            found[cell].append((*along, area))
    return [_track(sorted(entries)) for entries in found]


def _track(entries: Sequence[tuple[int, int, int]]) -> Track:
    return Track(
        tuple(first for first, _, _ in entries),
        tuple(accumulate((last for _, last, _ in entries), max)),
        tuple(area for _, _, area in entries),
    )
