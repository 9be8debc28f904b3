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

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from webstencil.geometry import Rect, bounding
from webstencil.segment.burget.areas import Visual, enclose, join, same_style, with_children
from webstencil.segment.burget.grid import AreaGrid, make_grid
from webstencil.segment.burget.growing import SeparatedGrid, grow
from webstencil.segment.burget.separators import (
    AreaSeparator,
    AreaSpacing,
    carve,
    drawn_lines,
    find_separators,
    is_line,
)
from webstencil.segment.burget.tiles import Tiles

BESIDE = 2.0  # px; an area no farther from a separator is beside it

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
    lines = (line for area in areas if is_line(area) for line in drawn_lines(area))
    separators = (*lines, *carve(parent, order.spacing))
    seeds = [number for number, area in enumerate(areas) if _is_text(area)]
    groups = find_groups(
        areas, seeds, SeparatedGrid(_grid(areas, order), separators, order.snap), alike
    )
    return with_children(parent, _put_together(areas, groups, join))


def enclose_neighbours(parent: Visual, order: GroupingOrder) -> Visual:
    """Enclose areas without a separator between them (SuperAreas).

    Enclosed areas are grouped again, by themselves and with one round less.
    """
    if len(parent.children) < 2:
        return parent
    inside = replace(order, rounds=order.rounds - 1)
    separators = find_separators(parent, order.spacing)
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


def alike(seed: Visual, other: Visual) -> bool:
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
        if _is_drawn_past(found, width) or not _is_simple(found, tiles)
    )


def _is_drawn_past(separator: AreaSeparator, width: float) -> bool:
    return separator.drawn and not separator.upright and separator.rect.width >= width


def _is_simple(separator: AreaSeparator, tiles: Tiles) -> bool:
    rect = separator.rect
    if separator.upright:
        before = Rect(rect.left - BESIDE, rect.top, rect.left, rect.bottom)
        after = Rect(rect.right, rect.top, rect.right + BESIDE, rect.bottom)
    else:
        before = Rect(rect.left, rect.top - BESIDE, rect.right, rect.top)
        after = Rect(rect.left, rect.bottom, rect.right, rect.bottom + BESIDE)
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
