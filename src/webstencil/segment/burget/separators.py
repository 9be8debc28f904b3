"""Burget's separators: the empty bands and the drawn lines between the areas of one parent.

A parent's rectangle is carved by its areas; the remaining bands cut it into cells, and each cell is
carved again. The public implementation carves area by area; one sweep over the sorted areas gives
the same result.

Where this differs from it, and why:
- The least thickness of a band is in em, and at least the same 10 px. There it is 10 px for each
  full 10 px of font size, and half of it for upright bands; then the gap between two paragraphs of
  today's pages is a separator, the gutter between two columns of small print is not.
- A level band no thicker than usual in its cell is not a separator: the paragraphs of an article
  and the entries of a list follow each other in equal steps, however wide. A very thick one always
  is.
- A level band that a gutter crosses is none: gaps of two columns meet by chance (`gutters`).
- An upright band must not be shorter than either of its sides; there it is measured by its cell.
  Words far apart in one line are not two columns.
- A line may not cut an area; there, an area that is cut belongs to no cell.
- Bands along the border of a cell are left out: beyond it there is a separator already.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from statistics import median_high

from webstencil.geometry import Interval, Rect, joined
from webstencil.segment.burget.areas import Visual
from webstencil.segment.burget.gutters import row_starts

LEAST = 10.0  # px; a thinner band is not a separator
LINE = 1.0  # px; thickness of the separator at a border or at the edge of a background
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


def find_separators(parent: Visual, spacing: AreaSpacing) -> tuple[AreaSeparator, ...]:
    """Return the separators between the areas of a parent: first the drawn ones, then the bands."""
    lines = (line for area in parent.children for line in drawn_lines(area))
    return (*lines, *carve(parent, spacing))


def carve(parent: Visual, spacing: AreaSpacing) -> Iterator[AreaSeparator]:
    """Yield the empty bands between areas: those across the parent, then those across each cell."""
    pending = [(parent.rect, [area for area in parent.children if not is_line(area)])]
    while pending:
        cell, areas = pending.pop()
        if len(areas) < PAIR:
            continue  # nothing to separate
        columns = cuts_of(areas, parent.em, spacing, upright=True)
        rows = cuts_of(areas, parent.em, spacing, upright=False)
        gutter = max(LEAST, spacing.least * parent.em)
        rows = between_rows(rows, areas, gutter) or ([] if columns else rows)
        for cuts, upright in ((rows, False), (columns, True)):
            wide = (band for band in cuts if band.wide)
            yield from (AreaSeparator(_place(band, cell, upright), upright) for band in wide)
        cells = cut(cell, areas, rows, columns)
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
    rows = row_starts([joined(row) for row in sides], gutter)
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
        if band.thickness >= max(LEAST, spacing.least * band.em)
        and band.thickness >= min(usual, spacing.always * band.em)
        and not (upright and band.thickness > band.length)
    ]


def usual_thickness(bands: Sequence[Band]) -> float:
    """Return the thickness up to which bands are usual, 0 if there is no rhythm."""
    found = [band.thickness for band in bands if band.thickness > 0]
    usual = median_high(found) if found else 0.0
    steps = sum(usual / UNUSUAL <= thickness <= usual * UNUSUAL for thickness in found)
    return UNUSUAL * usual if steps >= RHYTHM else 0.0


def cut(
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
        (above, False, Rect(left, top, right, top + LINE)),
        (below, False, Rect(left, bottom - LINE, right, bottom)),
        (before, True, Rect(left, top, left + LINE, bottom)),
        (after, True, Rect(right - LINE, top, right, bottom)),
    )
    for seen, upright, rect in sides:
        if seen:
            yield AreaSeparator(rect, upright, drawn=True)


def sides_seen(area: Visual, *, upright: bool) -> tuple[bool, bool]:
    """Return whether the two sides of an area are visible, by a border or its background."""
    top, right, bottom, left = area.border
    before, after = (left, right) if upright else (top, bottom)
    return before or area.coloured, after or area.coloured


def is_line(area: Visual) -> bool:
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
