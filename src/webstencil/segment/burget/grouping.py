"""Burget's grouping: leaves of one style become one leaf, then adjacent areas become super areas.

FitLayout calls them HomogeneousLeaves and SuperAreas. Both grow areas on the grid of their parent;
the first joins what looks the same, the second encloses what no separator divides.

Where this differs from the public implementation, and why:
- Leaves that look the same are joined to one leaf, as in the CPS paper (4.1: "merging similar
  visual areas"); there, they are enclosed like all others.
- Only texts are similar: pictures below each other are not one picture.
- Leaves with the same frame or background, such as the entries of a menu, are joined.
- A parent whose areas would all make one group is marked as whole; there, it looks like one in
  which nothing belongs together.
- Areas are grouped again even if the first round found no groups: other parts of the page must not
  decide that. A level line across all areas is kept in all rounds.
- A member of a group cannot be grown over in the same round, nor be part of a second group that it
  overlaps.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from webstencil.geometry import Rect, bounding
from webstencil.segment.burget.areas import (
    Tiles,
    Visual,
    enclose,
    join_leaves,
    same_style,
    with_children,
)
from webstencil.segment.burget.separators import (
    AreaSeparator,
    AreaSpacing,
    area_separators,
    carve,
    drawn_lines,
    is_line_area,
)

# The topographical grid: the arrangement of areas, whatever the distances.
#
# The left and right sides of all areas are the lines between the columns, their tops and bottoms
# those between the rows.


class GridSpan(NamedTuple):
    """A rectangle of grid cells, its last column and row included; its sides come as in `Rect`."""

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


def spans_meet(one: GridSpan, other: GridSpan) -> bool:
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


# Growing: from one area over the grid to all that no separator divides from it.
#
# A rectangle of cells grows to the right, left, down and up, as long as possible, over empty cells
# and over areas that fit into it.
#
# Where this differs from the public implementation, and why:
# - Areas narrower than the rectangle are not first grown recursively; the strip is made thicker
#   until all that it touches fits into it, which accepts the same.
# - All areas of a strip must be acceptable; there, the first that fits decides.
# - A strip may not be crossed by a separator: a heading is not grown over two columns below it.
# - A separator is searched within the grid's tolerance of an edge; there, on the exact pixel.


class GrowthDirection(IntEnum):
    """Where to grow, in the order of trying: the place of the growing side in a `GridSpan`."""

    RIGHT = 2
    LEFT = 0
    DOWN = 3
    UP = 1

    @property
    def sideways(self) -> bool:
        return self % 2 == 0

    @property
    def outwards(self) -> int:
        """Return the step to the next cell."""
        return 1 if self >= 2 else -1

    @property
    def opposite(self) -> "GrowthDirection":
        return GrowthDirection((self + 2) % 4)


class SeparatedGrid:
    """The grid of some areas with the separators between them."""

    def __init__(self, grid: AreaGrid, separators: Sequence[AreaSeparator], snap: float) -> None:
        self.grid = grid
        self.whole = grid.whole
        self._reach = snap + 1.0  # px; a separator this near to an edge is on it
        self._rows = tracks(grid.spans, rows=True)
        self._columns = tracks(grid.spans, rows=False)
        self._upright = Tiles(found.rect for found in separators if found.upright)
        self._level = Tiles(found.rect for found in separators if not found.upright)

    def areas_on(self, span: GridSpan) -> set[int]:
        """Return the areas on some cells."""
        found: set[int] = set()
        if span.height <= span.width:
            for track in self._rows[span.row : span.last_row + 1]:
                found.update(track.between(span.column, span.last_column))
        else:
            for track in self._columns[span.column : span.last_column + 1]:
                found.update(track.between(span.row, span.last_row))
        return {area for area in found if spans_meet(self.grid.spans[area], span)}

    def areas_in(self, span: GridSpan) -> tuple[int, ...]:
        """Return the areas that are wholly on some cells, in order."""
        inside = (area for area in self.areas_on(span) if span.contains(self.grid.spans[area]))
        return tuple(sorted(inside))

    def closed(self, span: GridSpan, direction: GrowthDirection) -> bool:
        """Return whether a separator is on this side of some cells, at its middle."""
        rect, reach = self.grid.rect(span), self._reach
        if direction.sideways:
            edge = rect.right if direction is GrowthDirection.RIGHT else rect.left
            middle = (rect.top + rect.bottom) / 2
            return self._upright.meets(Rect(edge - reach, middle - 0.5, edge + reach, middle + 0.5))
        edge = rect.bottom if direction is GrowthDirection.DOWN else rect.top
        middle = (rect.left + rect.right) / 2
        return self._level.meets(Rect(middle - 0.5, edge - reach, middle + 0.5, edge + reach))

    def crossed(self, strip: GridSpan, direction: GrowthDirection) -> bool:
        """Return whether a separator runs through a strip to grow over."""
        rect, reach = self.grid.rect(strip), self._reach
        if direction.sideways:
            inner = Rect(rect.left, rect.top + reach, rect.right, rect.bottom - reach)
            return not inner.empty and self._level.meets(inner)
        inner = Rect(rect.left + reach, rect.top, rect.right - reach, rect.bottom)
        return not inner.empty and self._upright.meets(inner)


def grow(field: SeparatedGrid, seed: int, accepts: Callable[[int], bool]) -> GridSpan:
    """Grow the cells of one area as far as there is no separator."""
    span = start = field.grid.spans[seed]
    directions = tuple(GrowthDirection)
    turn = failures = 0
    while failures < len(directions) and span != field.whole:
        direction = directions[turn]
        closed = field.closed(_pushed(start, span, direction), direction)
        wider = None if closed else step(field, span, direction, accepts)
        if wider is None:
            turn = (turn + 1) % len(directions)
            failures += 1
        else:
            span, failures = wider, 0
    return span


def step(
    field: SeparatedGrid, span: GridSpan, direction: GrowthDirection, accepts: Callable[[int], bool]
) -> GridSpan | None:
    """Grow by one strip of cells and the areas on it; None if something is in the way."""
    spans = field.grid.spans
    wider, reach = span, _moved(span, direction)
    while wider != reach:
        wider = reach
        strip = _beyond(span, wider, direction)
        if not field.whole.contains(wider) or field.crossed(strip, direction):
            return None
        fresh = [area for area in field.areas_on(strip) if not span.contains(spans[area])]
        for area in fresh:
            if not _fits(spans[area], span, direction) or not accepts(area):
                return None
            beside = _next_to(spans[area], span, direction)
            if beside and field.closed(spans[area], direction.opposite):
                return None
        reach = _reaching(wider, [spans[area] for area in fresh], direction)
    return wider


def _with_side(span: GridSpan, direction: GrowthDirection, cell: int) -> GridSpan:
    sides = list(span)
    sides[direction] = cell
    return GridSpan(*sides)


def _moved(span: GridSpan, direction: GrowthDirection) -> GridSpan:
    """Move one side outwards by a cell."""
    return _with_side(span, direction, span[direction] + direction.outwards)


def _beyond(span: GridSpan, wider: GridSpan, direction: GrowthDirection) -> GridSpan:
    """Return the additional cells of the wider rectangle."""
    strip = _with_side(span, direction, wider[direction])
    return _with_side(strip, direction.opposite, span[direction] + direction.outwards)


def _fits(area: GridSpan, span: GridSpan, direction: GrowthDirection) -> bool:
    """Return whether an area is within the rectangle, across the direction of growth."""
    if direction.sideways:
        return span.row <= area.row and area.last_row <= span.last_row
    return span.column <= area.column and area.last_column <= span.last_column


def _next_to(area: GridSpan, span: GridSpan, direction: GrowthDirection) -> bool:
    """Return whether an area starts on the first cells beyond the rectangle."""
    return area[direction.opposite] == span[direction] + direction.outwards


def _reaching(span: GridSpan, areas: Sequence[GridSpan], direction: GrowthDirection) -> GridSpan:
    """Move one side outwards until areas are within."""
    farthest = max if direction.outwards > 0 else min
    return _with_side(span, direction, farthest(it[direction] for it in (span, *areas)))


def _pushed(start: GridSpan, span: GridSpan, direction: GrowthDirection) -> GridSpan:
    """Return the seed's own cells, moved to the growing side of the rectangle."""
    if direction.sideways:
        return GridSpan(span.column, start.row, span.last_column, start.last_row)
    return GridSpan(start.column, span.row, start.last_column, span.last_row)


BESIDE_SEPARATOR = 2.0  # px; an area no farther from a separator is beside it

Group: TypeAlias = tuple[int, ...]  # numbers of areas of one parent
Fits: TypeAlias = Callable[[Visual, Visual], bool]  # a seed, and an area to grow over


@dataclass(frozen=True, slots=True)
class GroupingOrder:
    """How areas are grouped."""

    spacing: AreaSpacing
    snap: float  # px; sides no farther apart are one line of the grid
    rounds: int  # of enclosing; from the second on, simple separators do not count


def join_alike(parent: Visual, order: GroupingOrder) -> Visual:
    """Join adjacent leaves of the same style (HomogeneousLeaves)."""
    areas = parent.children
    if len(areas) < 2:
        return parent
    lines = (line for area in areas if is_line_area(area) for line in drawn_lines(area))
    separators = (*lines, *carve(parent, order.spacing))
    seeds = [number for number, area in enumerate(areas) if _is_text(area)]
    groups = find_groups(
        areas, seeds, SeparatedGrid(_grid(areas, order), separators, order.snap), _alike
    )
    return with_children(parent, _put_together(areas, groups, join_leaves))


def enclose_neighbours(parent: Visual, order: GroupingOrder) -> Visual:
    """Enclose areas without a separator between them (SuperAreas).

    Enclosed areas are grouped again, by themselves and with one round less.
    """
    if len(parent.children) < 2:
        return parent
    inside = replace(order, rounds=order.rounds - 1)
    separators = area_separators(parent, order.spacing)
    for turn in range(order.rounds):
        areas = parent.children
        field = SeparatedGrid(_grid(areas, order), separators, order.snap)
        seeds = [number for number, area in enumerate(areas) if area.leaf and not area.coloured]
        groups = find_groups(areas, seeds, field, anything)
        if groups == [tuple(range(len(areas)))]:
            return parent if turn else replace(parent, whole=True)
        make = partial(_super_area, order=inside, loose=turn > 0)
        parent = with_children(parent, _put_together(areas, groups, make))
        left = without_simple(separators, parent.children)
        if not groups and left == separators:
            break  # another round would find the same
        separators = left
    return parent


def _super_area(group: Sequence[Visual], *, order: GroupingOrder, loose: bool) -> Visual:
    return enclose_neighbours(replace(enclose(group), loose=loose), order)


def find_groups(
    areas: Sequence[Visual], seeds: Iterable[int], field: SeparatedGrid, fits: Fits
) -> list[Group]:
    """Grow each free seed; return the groups of more than one area."""
    taken: set[int] = set()
    groups: list[Group] = []
    for seed in seeds:
        if seed in taken:
            continue
        inside = field.areas_in(grow(field, seed, _acceptance(areas, seed, taken, fits)))
        group = tuple(area for area in inside if area not in taken)
        if len(group) > 1:
            groups.append(group)
            taken.update(group)
    return groups


def _alike(seed: Visual, other: Visual) -> bool:
    """Return whether two leaves are texts of one style in the same kind of frame."""
    framed = (seed.coloured, any(seed.border)) == (other.coloured, any(other.border))
    return framed and _is_text(other) and same_style(seed, other)


def anything(_seed: Visual, _other: Visual) -> bool:
    """Accept any area for a super area."""
    return True


def without_simple(
    separators: Iterable[AreaSeparator], areas: Sequence[Visual]
) -> tuple[AreaSeparator, ...]:
    """Drop the separators with no more than one area on each side.

    A level line across all areas stays: it divides the page, not two of its areas.
    """
    tiles = Tiles(area.rect for area in areas)
    width = bounding(area.rect for area in areas).width
    return tuple(
        found
        for found in separators
        if (found.drawn and not found.upright and found.rect.width >= width)
        or not _is_simple(found, tiles)
    )


def _is_simple(separator: AreaSeparator, tiles: Tiles) -> bool:
    rect = separator.rect
    if separator.upright:
        before = Rect(rect.left - BESIDE_SEPARATOR, rect.top, rect.left, rect.bottom)
        after = Rect(rect.right, rect.top, rect.right + BESIDE_SEPARATOR, rect.bottom)
    else:
        before = Rect(rect.left, rect.top - BESIDE_SEPARATOR, rect.right, rect.top)
        after = Rect(rect.left, rect.bottom, rect.right, rect.bottom + BESIDE_SEPARATOR)
    return len(tiles.over(before)) <= 1 and len(tiles.over(after)) <= 1


def _acceptance(
    areas: Sequence[Visual], seed: int, taken: Container[int], fits: Fits
) -> Callable[[int], bool]:
    return lambda other: other not in taken and fits(areas[seed], areas[other])


def _is_text(area: Visual) -> bool:
    return area.leaf and area.look.letters > 0


def _grid(areas: Sequence[Visual], order: GroupingOrder) -> AreaGrid:
    return make_grid([area.rect for area in areas], order.snap)


def _put_together(
    areas: Sequence[Visual], groups: Iterable[Group], make: Callable[[list[Visual]], Visual]
) -> list[Visual]:
    """Replace each group by one area, at the position of its first member."""
    made = {group[0]: make([areas[number] for number in group]) for group in groups}
    gone = {number for group in groups for number in group[1:]}
    return [made.get(number, area) for number, area in enumerate(areas) if number not in gone]
