"""Burget's growing: from one area over the grid to all that no separator divides from it.

A rectangle of cells grows to the right, left, down and up, as long as possible, over empty cells
and over areas that fit into it.

Where this differs from the public implementation, and why:
- Areas narrower than the rectangle are not first grown recursively; the strip is made thicker until
  all that it touches fits into it, which accepts the same.
- All areas of a strip must be acceptable; there, the first that fits decides.
- A strip may not be crossed by a separator: a heading is not grown over two columns below it.
- A separator is searched within the grid's tolerance of an edge; there, on the exact pixel.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum

from webstencil.geometry import Rect
from webstencil.segment.burget.grid import AreaGrid, GridSpan, meet, tracks
from webstencil.segment.burget.separators import AreaSeparator
from webstencil.segment.burget.tiles import Tiles


class GrowthDirection(Enum):
    """Where to grow, in the order of trying, with the step in columns and rows."""

    RIGHT = (1, 0)
    LEFT = (-1, 0)
    DOWN = (0, 1)
    UP = (0, -1)

    @property
    def sideways(self) -> bool:
        return self is GrowthDirection.RIGHT or self is GrowthDirection.LEFT

    @property
    def opposite(self) -> "GrowthDirection":
        columns, rows = self.value
        return GrowthDirection((-columns, -rows))


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
        return {area for area in found if meet(self.grid.spans[area], span)}

    def areas_in(self, span: GridSpan) -> tuple[int, ...]:
        """Return the areas that are wholly on some cells, in order."""
        inside = (area for area in self.areas_on(span) if span.contains(self.grid.spans[area]))
        return tuple(sorted(inside))

    def closed(self, span: GridSpan, direction: GrowthDirection) -> bool:
        """Return whether a separator is on this side of some cells, at its middle."""
        rect = self.grid.rect(span)
        if direction.sideways:
            edge = rect.right if direction is GrowthDirection.RIGHT else rect.left
            middle = (rect.top + rect.bottom) / 2
            probe = Rect(edge - self._reach, middle - 0.5, edge + self._reach, middle + 0.5)
            return self._upright.meets(probe)
        edge = rect.bottom if direction is GrowthDirection.DOWN else rect.top
        middle = (rect.left + rect.right) / 2
        probe = Rect(middle - 0.5, edge - self._reach, middle + 0.5, edge + self._reach)
        return self._level.meets(probe)

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


def _moved(span: GridSpan, direction: GrowthDirection) -> GridSpan:
    """Move one side outwards by a cell."""
    columns, rows = direction.value
    return GridSpan(
        span.column + min(columns, 0),
        span.row + min(rows, 0),
        span.last_column + max(columns, 0),
        span.last_row + max(rows, 0),
    )


def _beyond(span: GridSpan, wider: GridSpan, direction: GrowthDirection) -> GridSpan:
    """Return the additional cells of the wider rectangle."""
    if direction is GrowthDirection.RIGHT:
        return GridSpan(span.last_column + 1, span.row, wider.last_column, span.last_row)
    if direction is GrowthDirection.LEFT:
        return GridSpan(wider.column, span.row, span.column - 1, span.last_row)
    if direction is GrowthDirection.DOWN:
        return GridSpan(span.column, span.last_row + 1, span.last_column, wider.last_row)
    return GridSpan(span.column, wider.row, span.last_column, span.row - 1)


def _fits(area: GridSpan, span: GridSpan, direction: GrowthDirection) -> bool:
    """Return whether an area is within the rectangle, across the direction of growth."""
    if direction.sideways:
        return span.row <= area.row and area.last_row <= span.last_row
    return span.column <= area.column and area.last_column <= span.last_column


def _next_to(area: GridSpan, span: GridSpan, direction: GrowthDirection) -> bool:
    """Return whether an area starts on the first cells beyond the rectangle."""
    if direction is GrowthDirection.RIGHT:
        return area.column == span.last_column + 1
    if direction is GrowthDirection.LEFT:
        return area.last_column == span.column - 1
    if direction is GrowthDirection.DOWN:
        return area.row == span.last_row + 1
    return area.last_row == span.row - 1


def _reaching(span: GridSpan, areas: Sequence[GridSpan], direction: GrowthDirection) -> GridSpan:
    """Move one side outwards until areas are within."""
    if not areas:
        return span
    spans = (span, *areas)
    if direction is GrowthDirection.RIGHT:
        return replace(span, last_column=max(found.last_column for found in spans))
    if direction is GrowthDirection.LEFT:
        return replace(span, column=min(found.column for found in spans))
    if direction is GrowthDirection.DOWN:
        return replace(span, last_row=max(found.last_row for found in spans))
    return replace(span, row=min(found.row for found in spans))


def _pushed(start: GridSpan, span: GridSpan, direction: GrowthDirection) -> GridSpan:
    """Return the seed's own cells, moved to the growing side of the rectangle."""
    if direction.sideways:
        return GridSpan(span.column, start.row, span.last_column, start.last_row)
    return GridSpan(start.column, span.row, start.last_column, span.last_row)
