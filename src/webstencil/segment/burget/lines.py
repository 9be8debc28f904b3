"""Burget's lines: areas beside each other become a line, lines of one text a paragraph.

FitLayout calls these steps CollapseAreas and FindLines.

Where this differs from the public implementation, and why:
- Only leaves are joined, and only if their common rectangle touches nothing else. There, the rows
  of both are compared in the grid, which is built anew after each join.
- Areas on two sides of a gutter are not joined, however narrow it is: lines of two columns are
  often level with each other.
- Lines of one text node are joined whatever is between them, because a node belongs to one area.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from webstencil.geometry import Rect, bounding
from webstencil.segment.burget.areas import Visual, join, with_children
from webstencil.segment.burget.separators import AreaSpacing, carve
from webstencil.segment.burget.tiles import Tiles
from webstencil.segment.union_find import find

TOUCH = 2.0  # px by which areas in a line may overlap: letters stick out of their boxes
GUTTER = 2.0  # em; an upright separator higher than this is beside more than one line


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
        joined = join([self.areas[number] for number in numbers])
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
        if found.upright and found.rect.height > GUTTER * parent.em
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
            one, other = sorted((find(above, first.setdefault(box, number)), find(above, number)))
            above[other] = one
    paragraphs: dict[int, list[Visual]] = {}
    for number, area in enumerate(areas):
        paragraphs.setdefault(find(above, number), []).append(area)
    return [join(parts) if len(parts) > 1 else parts[0] for parts in paragraphs.values()]
