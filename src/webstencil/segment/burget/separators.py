"""Burget's separators between the areas of one parent, and the lines and paragraphs between them.

Separators are empty bands and drawn lines. A parent's rectangle is carved by its areas; the
remaining bands cut it into cells, and each cell is carved again. The public implementation carves
area by area; one sweep over the sorted areas gives the same result.

Where this differs from it, and why:
- The least thickness of a band is in em, and at least the same 10 px. There it is 10 px for each
  full 10 px of font size, and half of it for upright bands; then the gap between two paragraphs of
  today's pages is a separator, the gutter between two columns of small print is not.
- A level band no thicker than usual in its cell is not a separator: the paragraphs of an article
  and the entries of a list follow each other in equal steps, however wide. A very thick one always
  is.
- A level band that a gutter crosses is none: gaps of two columns meet by chance (see below).
- An upright band must not be shorter than either of its sides; there it is measured by its cell.
  Words far apart in one line are not two columns.
- A line may not cut an area; there, an area that is cut belongs to no cell.
- Bands along the border of a cell are left out: beyond it there is a separator already.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from statistics import median_high
from typing import TypeAlias

from webstencil.geometry import Interval, Rect, bounding, joined_intervals
from webstencil.segment.boxes import find_head
from webstencil.segment.burget.areas import Tiles, Visual, join_leaves, with_children

# Gutters: where rows of areas end, and where they only seem to.
#
# Two columns have gaps of their own, and by chance two of them are level with each other. That is
# not the end of a row: the gutter between the columns continues, and what is right of it begins
# where it began above. Nor is the end of the shorter column, below which the longer one continues
# alone. A row on one side of a gutter, between two rows on both sides, is a heading of the lower
# one.


Row: TypeAlias = Sequence[Interval]  # occupied intervals, from left to right

COLUMN_INDENT = 8.0  # px by which the left edges of one column may differ


def row_starts(rows: Sequence[Row], least: float) -> list[int]:
    """Return the rows that begin something new; gutters are at least `least` px wide."""
    starts: list[int] = []
    number = 0
    while number < len(rows):
        starts.append(number)
        number = columns_end(rows, number, least)
    return starts


def columns_end(rows: Sequence[Row], first: int, least: float) -> int:
    """Return the row after the columns that begin with a row, the next one if there are none."""
    gutters = _gaps(rows[first], least)
    end = first + 1
    while end < len(rows) and (on := running_on(gutters, rows[end], least)):
        gutters, end = on, end + 1
    last = end
    while last < len(rows) and any(_beside(gutter, rows[last], least) for gutter in gutters):
        last += 1
    on_again = last < len(rows) and running_on(gutters, rows[last], least)
    return end if on_again else last


def _gaps(row: Row, least: float) -> list[Interval]:
    """Return the wide gaps in a row."""
    between = ((one[1], other[0]) for one, other in pairwise(row))
    return [(start, end) for start, end in between if end - start >= least]


def running_on(gutters: Iterable[Interval], row: Row, least: float) -> list[Interval]:
    """Return the gutters that continue in a row, as wide as they are in both."""
    below = _gaps(row, least)
    both = (
        (max(gutter[0], gap[0]), min(gutter[1], gap[1]))
        for gutter in gutters
        for gap in below
        if abs(gutter[1] - gap[1]) <= COLUMN_INDENT
    )
    return [(start, end) for start, end in both if end - start >= least]


def _beside(gutter: Interval, row: Row, least: float) -> bool:
    """Return whether a row is on one side of a gutter, in that column."""
    left, right = row[0][0], row[-1][1]
    return right <= gutter[1] - least or abs(left - gutter[1]) <= COLUMN_INDENT


LEAST_BAND = 10.0  # px; a thinner band is not a separator
DRAWN_THICKNESS = 1.0  # px; thickness of the separator at a border or at the edge of a background
UNUSUAL = 1.2  # times the usual thickness; fonts of 14 to 18 px in one column differ so much
PAIR = 2  # areas that a band can separate
RHYTHM = 3  # equal steps; fewer may be chance

# An empty box is a line if it is lower than LOW and FLAT times as wide as high, or lower than HAIR
# and wider than DASH (numbers of the public implementation).
LOW, FLAT, HAIR, DASH = 10.0, 20.0, 3.0, 6.0  # px, times, px, px


@dataclass(frozen=True, slots=True)
class AreaSpacing:
    """What may count as a separator."""

    least: float  # em; a thinner band is none
    always: float  # em; a thicker band is one even if it is usual; 0 if all are


@dataclass(frozen=True, slots=True)
class AreaSeparator:
    """A band that separates areas."""

    rect: Rect
    upright: bool  # from top to bottom, else from side to side
    drawn: bool = False  # a border or an edge of a background, else empty space


@dataclass(frozen=True, slots=True)
class Band:
    """An interval between areas on one axis, empty or with a line in it."""

    start: float  # px
    end: float  # px
    em: float  # px; font size of the text before it
    length: float  # px; of the shorter of its two sides
    drawn: bool  # an area beside it has a visible side all along it
    wide: bool = False  # it is thick enough for a separator

    @property
    def thickness(self) -> float:
        return self.end - self.start


def area_separators(parent: Visual, spacing: AreaSpacing) -> tuple[AreaSeparator, ...]:
    """Return the separators between the areas of a parent: first the drawn ones, then the bands."""
    lines = (line for area in parent.children for line in drawn_lines(area))
    return (*lines, *carve(parent, spacing))


def carve(parent: Visual, spacing: AreaSpacing) -> Iterator[AreaSeparator]:
    """Yield the empty bands between areas: those across the parent, then those across each cell."""
    pending = [(parent.rect, [area for area in parent.children if not is_line_area(area)])]
    while pending:
        cell, areas = pending.pop()
        if len(areas) < PAIR:
            continue  # nothing to separate
        columns = cuts_of(areas, parent.em, spacing, upright=True)
        rows = cuts_of(areas, parent.em, spacing, upright=False)
        gutter = max(LEAST_BAND, spacing.least * parent.em)
        rows = between_rows(rows, areas, gutter) or ([] if columns else rows)
        for cuts, upright in ((rows, False), (columns, True)):
            wide = (band for band in cuts if band.wide)
            yield from (AreaSeparator(_place(band, cell, upright), upright) for band in wide)
        cells = _cut(cell, areas, rows, columns)
        if len(cells) > 1:
            pending.extend(cells)


def cuts_of(
    areas: Sequence[Visual], em: float, spacing: AreaSpacing, *, upright: bool
) -> list[Band]:
    """Return the bands that divide a cell: those that are drawn or thick enough."""
    bands = find_bands(areas, em, upright=upright)
    wide = set(separating(bands, spacing, upright=upright))
    cuts = (replace(band, wide=band in wide) for band in bands)
    return [band for band in cuts if band.drawn or band.wide]


def between_rows(bands: Sequence[Band], areas: Sequence[Visual], gutter: float) -> list[Band]:
    """Drop the level bands that the gutter of two columns crosses."""
    starts = [band.start for band in bands]
    sides: list[list[Interval]] = [[] for _ in range(len(bands) + 1)]
    for area in areas:
        sides[bisect_right(starts, area.rect.top)].append(_sides(area.rect, upright=True))
    rows = row_starts([joined_intervals(row) for row in sides], gutter)
    return [bands[row - 1] for row in rows[1:]]


def find_bands(areas: Sequence[Visual], em: float, *, upright: bool) -> list[Band]:
    """Return the bands between areas on one axis, those of no thickness included."""
    order = sorted(areas, key=lambda area: (_sides(area.rect, upright), area.rect))
    along = [_sides(area.rect, upright) for area in order]
    across = [_sides(area.rect, not upright) for area in order]
    before = list(accumulate(across, _hull))
    after = list(accumulate(reversed(across), _hull))[::-1]
    seams = _seams(order, before[-1], upright) if order else set()
    bands = []
    last = 0  # the area that reaches farthest so far
    for number in range(1, len(order)):
        end, start = along[last][1], along[number][0]
        if start >= end:
            size = order[last].em if order[last].look.letters and not upright else em
            length = min(_length(before[number - 1]), _length(after[number]))
            bands.append(Band(end, start, size, length, end in seams or start in seams))
        if along[number][1] > end:
            last = number
    return bands


def separating(bands: Sequence[Band], spacing: AreaSpacing, *, upright: bool) -> list[Band]:
    """Mark the bands that are thick enough for separators."""
    usual = 0.0 if upright else usual_thickness(bands)
    return [
        band
        for band in bands
        if band.thickness >= max(LEAST_BAND, spacing.least * band.em)
        and band.thickness >= min(usual, spacing.always * band.em)
        and not (upright and band.thickness > band.length)
    ]


def usual_thickness(bands: Sequence[Band]) -> float:
    """Return the thickness up to which bands are usual, 0 if there is no rhythm."""
    found = [band.thickness for band in bands if band.thickness > 0]
    usual = median_high(found) if found else 0.0
    steps = sum(usual / UNUSUAL <= thickness <= usual * UNUSUAL for thickness in found)
    return UNUSUAL * usual if steps >= RHYTHM else 0.0


def _cut(
    cell: Rect, areas: Sequence[Visual], level: Sequence[Band], upright: Sequence[Band]
) -> list[tuple[Rect, list[Visual]]]:
    """Sort areas into the cells between the bands, without empty cells."""
    rows = [band.start for band in level]
    columns = [band.start for band in upright]
    members: dict[tuple[int, int], list[Visual]] = {}
    for area in areas:
        place = bisect_right(rows, area.rect.top), bisect_right(columns, area.rect.left)
        members.setdefault(place, []).append(area)
    cells = []
    for (row, column), inside in members.items():
        top, bottom = _between(level, row, (cell.top, cell.bottom))
        left, right = _between(upright, column, (cell.left, cell.right))
        cells.append((Rect(left, top, right, bottom), inside))
    return cells


def drawn_lines(area: Visual) -> Iterator[AreaSeparator]:
    """Yield the lines along the visible sides of an area."""
    left, top, right, bottom = area.rect.left, area.rect.top, area.rect.right, area.rect.bottom
    above, below = sides_seen(area, upright=False)
    before, after = sides_seen(area, upright=True)
    sides = (
        (above, False, Rect(left, top, right, top + DRAWN_THICKNESS)),
        (below, False, Rect(left, bottom - DRAWN_THICKNESS, right, bottom)),
        (before, True, Rect(left, top, left + DRAWN_THICKNESS, bottom)),
        (after, True, Rect(right - DRAWN_THICKNESS, top, right, bottom)),
    )
    for seen, upright, rect in sides:
        if seen:
            yield AreaSeparator(rect, upright, drawn=True)


def sides_seen(area: Visual, *, upright: bool) -> tuple[bool, bool]:
    """Return whether the two sides of an area are visible, by a border or its background."""
    top, right, bottom, left = area.border
    before, after = (left, right) if upright else (top, bottom)
    return before or area.coloured, after or area.coloured


def is_line_area(area: Visual) -> bool:
    """Return whether an area without content is drawn as a line, such as an HR."""
    if area.content or area.children or not (area.coloured or any(area.border)):
        return False
    thin, long = sorted((area.rect.width, area.rect.height))
    return (thin < LOW and long > FLAT * thin) or (thin < HAIR and long > DASH)


def _seams(areas: Sequence[Visual], across: Interval, upright: bool) -> set[float]:
    """Return the visible sides of areas that run past all the areas."""
    seams: set[float] = set()
    for area in areas:
        if _hull(_sides(area.rect, not upright), across) == _sides(area.rect, not upright):
            seen = sides_seen(area, upright=upright)
            sides = _sides(area.rect, upright)
            seams.update(side for side, drawn in zip(sides, seen, strict=True) if drawn)
    return seams


def _place(band: Band, cell: Rect, upright: bool) -> Rect:
    if upright:
        return Rect(band.start, cell.top, band.end, cell.bottom)
    return Rect(cell.left, band.start, cell.right, band.end)


def _between(bands: Sequence[Band], place: int, sides: Interval) -> Interval:
    """Return the start and end of the cell before the band of this number."""
    start = bands[place - 1].end if place else sides[0]
    end = bands[place].start if place < len(bands) else sides[1]
    return start, end


def _sides(rect: Rect, upright: bool) -> Interval:
    """Return the start and end of a rectangle across separators of this direction."""
    return (rect.left, rect.right) if upright else (rect.top, rect.bottom)


def _hull(one: Interval, other: Interval) -> Interval:
    return min(one[0], other[0]), max(one[1], other[1])


def _length(interval: Interval) -> float:
    return interval[1] - interval[0]


# Lines: areas beside each other become a line, lines of one text a paragraph.
#
# FitLayout calls these steps CollapseAreas and FindLines.
#
# Where this differs from the public implementation, and why:
# - Only leaves are joined, and only if their common rectangle touches nothing else. There, the rows
#   of both are compared in the grid, which is built anew after each join.
# - Areas on two sides of a gutter are not joined, however narrow it is: lines of two columns are
#   often level with each other.
# - Lines of one text node are joined whatever is between them, because a node belongs to one area.


TOUCH = 2.0  # px by which areas in a line may overlap: letters stick out of their boxes
GUTTER_HEIGHT = 2.0  # em; an upright separator higher than this is beside more than one line


class Pool:
    """Areas of one parent; some are replaced by joined ones."""

    def __init__(self, areas: Sequence[Visual]) -> None:
        self.areas = dict(enumerate(areas))  # by number
        self._tiles = Tiles(area.rect for area in areas)

    def over(self, rect: Rect) -> list[int]:
        """Return the areas that overlap a rectangle."""
        return self._tiles.over(rect)

    def join(self, numbers: Iterable[int]) -> int:
        """Replace several areas by one and return its number."""
        joined = join_leaves([self.areas[number] for number in numbers])
        for number in numbers:
            self._tiles.remove(number)
            del self.areas[number]
        added = self._tiles.add(joined.rect)
        self.areas[added] = joined
        return added


def collapse(area: Visual) -> Visual:
    """Merge an area with the single leaf in it."""
    if len(area.children) != 1 or not area.children[0].leaf:
        return area
    only = area.children[0]
    top, right, bottom, left = zip(area.border, only.border, strict=True)
    return replace(
        area,
        boxes=(*area.boxes, *only.boxes),
        children=(),
        background=area.background or only.background,
        coloured=area.coloured or only.coloured,
        border=(any(top), any(right), any(bottom), any(left)),
    )


def find_lines(parent: Visual, gap: float, spacing: AreaSpacing) -> Visual:
    """Join leaves in one line, no more than `gap` em apart, then paragraphs."""
    pool = Pool(parent.children)
    gutters = Tiles(
        found.rect
        for found in carve(parent, spacing)
        if found.upright and found.rect.height > GUTTER_HEIGHT * parent.em
    )
    for start in sorted(pool.areas, key=lambda number: parent.children[number].rect):
        number: int | None = start
        while number is not None:
            number = _join_right(pool, number, gap, gutters)
    joined = find_paragraphs(list(pool.areas.values()))
    return with_children(parent, sorted(joined, key=lambda area: min(area.boxes)))


def _join_right(pool: Pool, number: int, gap: float, gutters: Tiles) -> int | None:
    """Join an area with the next one to the right; return the number of both, None if not."""
    area = pool.areas.get(number)
    if area is None or not _joinable(area):
        return None
    other = _right_of(pool, number, area.rect, gap * area.em)
    if other is None or not _in_line(area, pool.areas[other], gutters):
        return None
    together = bounding((area.rect, pool.areas[other].rect))
    if set(pool.over(together)) != {number, other}:
        return None
    return pool.join((number, other))


def _right_of(pool: Pool, number: int, rect: Rect, reach: float) -> int | None:
    """Return the first other area that starts within `reach` px to the right of a rectangle."""
    beyond = Rect(rect.right - TOUCH, rect.top, rect.right + reach + 1, rect.bottom)
    starts = [
        (pool.areas[other].rect, other)
        for other in pool.over(beyond)
        if other != number
        and rect.right - TOUCH <= pool.areas[other].rect.left <= rect.right + reach
    ]
    return min(starts)[1] if starts else None


def _in_line(area: Visual, neighbour: Visual, gutters: Tiles) -> bool:
    """Return whether nothing separates an area from the next one to the right."""
    _, right_border, _, _ = area.border
    _, _, _, left_border = neighbour.border
    if not _joinable(neighbour) or right_border or left_border:
        return False
    if area.background != neighbour.background:
        return False
    between = Rect(
        area.rect.right,
        max(area.rect.top, neighbour.rect.top),
        neighbour.rect.left,
        min(area.rect.bottom, neighbour.rect.bottom),
    )
    return between.empty or not gutters.over(between)


def _joinable(area: Visual) -> bool:
    return area.leaf and area.content


def find_paragraphs(areas: Sequence[Visual]) -> list[Visual]:
    """Join the leaves with lines of the same text box."""
    first: dict[int, int] = {}  # by box: the first leaf with it
    above = list(range(len(areas)))  # an earlier leaf of the same paragraph, or itself
    for number, area in enumerate(areas):
        for box in area.boxes if _joinable(area) else ():
            one, other = sorted(
                (find_head(above, first.setdefault(box, number)), find_head(above, number))
            )
            above[other] = one
    paragraphs: dict[int, list[Visual]] = {}
    for number, area in enumerate(areas):
        paragraphs.setdefault(find_head(above, number), []).append(area)
    return [join_leaves(parts) if len(parts) > 1 else parts[0] for parts in paragraphs.values()]
