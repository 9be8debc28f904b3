"""Burget's lines: pieces beside each other become a line, lines of one text a paragraph.

Specification, 2.6: CollapseAreas and FindLines.

Where this differs from the public implementation, and why:
- Only leaves are joined, and only if their common rectangle touches nothing else. There, the rows
  of both are compared in the grid, which is built anew after each join.
- Pieces on two sides of a gutter are not joined, be it as narrow as it likes: lines of two columns
  are often level with each other.
- Lines of one text node are joined whatever lies between them, since a node belongs to one area.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from webstencil.geometry import Rect
from webstencil.segment.burget.areas import Visual, join, with_children
from webstencil.segment.burget.separators import Spacing, carve
from webstencil.segment.burget.tiles import Tiles

TOUCH = 2.0  # px by which neighbours in a line may overlap: letters stick out of their boxes
GUTTER = 2.0  # em; an upright separator higher than this runs past more than one line


class Pool:
    """Areas of one parent that are replaced by joined ones."""

    def __init__(self, areas: Iterable[Visual]) -> None:
        self.areas: list[Visual | None] = list(areas)
        self._tiles = Tiles(area.rect for area in self.areas if area)

    def over(self, rect: Rect) -> list[int]:
        """Return the areas that are still there and overlap a rectangle."""
        return [number for number in self._tiles.over(rect) if self.areas[number]]

    def replace(self, numbers: Iterable[int], joined: Visual) -> int:
        """Put an area in the place of others and return its number."""
        for number in numbers:
            self.areas[number] = None
        self.areas.append(joined)
        return self._tiles.add(joined.rect)


def collapse(area: Visual) -> Visual:
    """Let an area with a single leaf in it absorb that leaf."""
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


def find_lines(parent: Visual, gap: float, spacing: Spacing) -> Visual:
    """Join leaves that stand in one line, no more than `gap` em apart, and then paragraphs."""
    pool = Pool(parent.children)
    gutters = Tiles(
        found.rect
        for found in carve(parent, spacing)
        if found.upright and found.rect.height > GUTTER * parent.em
    )
    for start in sorted(range(len(parent.children)), key=lambda n: parent.children[n].rect):
        number: int | None = start
        while number is not None:
            number = _join_right(pool, number, gap, gutters)
    joined = find_paragraphs([area for area in pool.areas if area])
    return with_children(parent, sorted(joined, key=lambda area: min(area.boxes)))


def _join_right(pool: Pool, number: int, gap: float, gutters: Tiles) -> int | None:
    """Join an area with its neighbour to the right; return the number of both, None if not."""
    area = pool.areas[number]
    if area is None or not _joinable(area):
        return None
    other = _right_of(pool, number, area.rect, gap * area.em)
    neighbour = None if other is None else pool.areas[other]
    if other is None or neighbour is None or not _in_line(area, neighbour, gutters):
        return None
    joined = join((area, neighbour))
    if set(pool.over(joined.rect)) != {number, other}:
        return None
    return pool.replace((number, other), joined)


def _right_of(pool: Pool, number: int, rect: Rect, reach: float) -> int | None:
    """Return the first other area that starts within `reach` px to the right of a rectangle."""
    beyond = Rect(rect.right - TOUCH, rect.top, rect.right + reach + 1, rect.bottom)
    starts = [
        (found.rect, other)
        for other in pool.over(beyond)
        if other != number
        and (found := pool.areas[other])
        and rect.right - TOUCH <= found.rect.left <= rect.right + reach
    ]
    return min(starts)[1] if starts else None


def _in_line(area: Visual, neighbour: Visual, gutters: Tiles) -> bool:
    """Tell whether nothing parts an area from its neighbour to the right."""
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
    """Join the leaves that have lines of the same text box."""
    first: dict[int, int] = {}  # by box: the leaf that has it first
    above = list(range(len(areas)))  # of each leaf: an earlier one of the same paragraph, or itself
    for number, area in enumerate(areas):
        for box in area.boxes if _joinable(area) else ():
            one, other = sorted((_top(above, first.setdefault(box, number)), _top(above, number)))
            above[other] = one
    paragraphs: dict[int, list[Visual]] = {}
    for number, area in enumerate(areas):
        paragraphs.setdefault(_top(above, number), []).append(area)
    return [join(parts) if len(parts) > 1 else parts[0] for parts in paragraphs.values()]


def _top(above: list[int], number: int) -> int:
    """Follow the links to the first leaf of a paragraph, and shorten them on the way."""
    while above[number] != number:
        above[number] = above[above[number]]
        number = above[number]
    return number
