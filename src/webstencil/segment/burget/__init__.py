"""Burget: visual areas from the bottom up.

Burget: Layout Based Information Extraction from HTML Documents, ICDAR 2007, and Automatic Document
Structure Detection for Data Integration, BIS 2007; the CPS paper sums it up in section 4.1. Boxes
that differ visibly from their surroundings are the basic areas (`areas.py`). Those in one line are
joined, then adjacent ones of one style; what no separator (`separators.py`) divides is grouped by
growing on the topographical grid (`grouping.py`). Each file says what differs from the public
implementation, FitLayout; `PAPER_BURGET` has the settings that come closest to it.

The last step is not in the papers. The tree of visual areas goes down to single paragraphs; those
are significant that no separator divides, and frames and backgrounds up to a certain size: a reader
sees a box as one thing. Groups across separators are significant if they are smaller than two
fifths of the window; larger ones are half a page. Significant areas are not divided, unless
`leaves` is on.

`separator`, `always`, `whole_share` and `list_items` were chosen by the B-cubed F of text nodes on
half of 42 hand-marked pages (Kreuzer et al., second level) and by looking at pages of ten sites;
notebook/segmentation.md has the table, with the other half.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from webstencil.geometry import Rect, bounding
from webstencil.model import NO_PARENT, Area, Box, BoxKind, Snapshot, innermost_areas, is_content
from webstencil.segment.boxes import area_holders, contents_below, roots, stretched
from webstencil.segment.burget.areas import (
    BOLD_STEP,
    BY_GROUPING,
    NORMAL_WEIGHT,
    SIZE_STEP,
    BoxSight,
    Visual,
    add_looks,
    basic_areas,
    bottom_up,
    look_of,
    walk,
    with_children,
)
from webstencil.segment.burget.grouping import (
    GroupingOrder,
    enclose_neighbours,
    join_alike,
    make_grid,
)
from webstencil.segment.burget.separators import AreaSpacing, collapse, find_lines
from webstencil.segment.field_settings import check, setting
from webstencil.segment.tidy import tidied

__all__ = ["PAPER_BURGET", "Burget"]

# The output: visual areas as areas with nodes, grid positions and styles.
#
# CPS paper, 4.1: a parent has its areas on its grid, a leaf has texts and images with their mean
# style.


Attributes: TypeAlias = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class PlacedArea:
    """A visual area of the result."""

    area: Visual
    parent: int  # index in the result
    leaf: bool  # its content is not divided
    boxes: tuple[int, ...]  # texts and images of no other area


def _place(root: Visual, boxes: Sequence[Box], *, opened: bool) -> list[PlacedArea]:
    """List the areas with content, parents first; whole ones are divided only if `opened`.

    An area that is alone in another one replaces it. A text belongs to the first leaf with a line
    of it.
    """
    placed: list[PlacedArea] = []
    taken: set[int] = set()
    pending = [(root, NO_PARENT)]
    while pending:
        area, parent = pending.pop()
        leaf = area.leaf or (area.whole and not opened)
        found = (box for part in (walk(area) if leaf else (area,)) for box in part.boxes)
        own = tuple(box for box in found if box not in taken and is_content(boxes[box]))
        inside = () if leaf else tuple(child for child in area.children if child.content)
        if parent == NO_PARENT or own or len(inside) > 1:
            taken.update(own)
            placed.append(PlacedArea(area, parent, leaf, own))
            parent = len(placed) - 1
        pending.extend((child, parent) for child in reversed(inside))
    return placed


def _make_areas(snapshot: Snapshot, placed: Sequence[PlacedArea]) -> tuple[Area, ...]:
    """Make areas with nodes, rectangles and the level of each."""
    owners: list[int | None] = [None] * len(snapshot.boxes)
    for number, entry in enumerate(placed):
        for box in entry.boxes:
            owners[box] = number
    held = area_holders(snapshot.boxes, owners)
    nodes = roots(snapshot.boxes, held, len(placed))
    inside = contents_below(snapshot.boxes, held, len(placed))
    rects = _area_rects(snapshot, placed, inside)
    return tuple(
        Area(rects[number], nodes[number], entry.parent, attributes=(("level", entry.area.level),))
        for number, entry in enumerate(placed)
    )


def _measured(snapshot: Snapshot, areas: Sequence[Area], snap: float) -> tuple[Area, ...]:
    """Add to each area its place on its parent's grid; to a leaf what is in it, and its style."""
    boxes = snapshot.boxes
    owners = innermost_areas(areas, [box.node for box in boxes], [box.parent for box in boxes])
    own: list[list[Box]] = [[] for _ in areas]
    for box, owner in zip(boxes, owners, strict=True):
        if owner != NO_PARENT and is_content(box):
            own[owner].append(box)
    parents = {area.parent for area in areas}
    positions = grid_positions([area.rect for area in areas], [area.parent for area in areas], snap)
    return tuple(
        replace(
            area,
            attributes=(
                *area.attributes,
                *positions[number],
                *(leaf_style(own[number]) if number not in parents else ()),
            ),
        )
        for number, area in enumerate(areas)
    )


def _area_rects(
    snapshot: Snapshot, placed: Sequence[PlacedArea], inside: Sequence[Sequence[int]]
) -> list[Rect]:
    """Return the rectangle around each area, its content and the areas in it."""
    rects = []
    for entry, own in zip(placed, inside, strict=True):
        around = (entry.area.rect, *(snapshot.boxes[box].clip for box in own))
        rects.append(bounding(rect.clip(snapshot.rect) for rect in around))
    return stretched(rects, [entry.parent for entry in placed])


def grid_positions(rects: Sequence[Rect], parents: Sequence[int], snap: float) -> list[Attributes]:
    """Return the position of each area on the grid of its parent; the page has none."""
    children: dict[int, list[int]] = {}
    for number, parent in enumerate(parents):
        children.setdefault(parent, []).append(number)
    positions: list[Attributes] = [()] * len(rects)
    for parent, numbers in children.items():
        spans = make_grid([rects[number] for number in numbers], snap).spans
        for number, span in zip(numbers, spans, strict=True):
            if parent != NO_PARENT:
                positions[number] = (
                    ("grid_column", float(span.column)),
                    ("grid_row", float(span.row)),
                    ("grid_width", float(span.width)),
                    ("grid_height", float(span.height)),
                )
    return positions


def leaf_style(boxes: Sequence[Box]) -> Attributes:
    """Return the numbers of texts and images of a leaf, and the mean style of its letters."""
    texts = [box for box in boxes if box.kind is BoxKind.TEXT]
    counts = (("texts", float(len(texts))), ("images", float(len(boxes) - len(texts))))
    look = add_looks(look_of(box.style, len(box.text)) for box in texts)
    if not look.letters:
        return counts
    return (
        *counts,
        ("font_size", look.mean(look.size)),
        ("font_weight", NORMAL_WEIGHT + BOLD_STEP * look.mean(look.bold)),
        ("italic", look.mean(look.slant)),
        ("underline", look.mean(look.underline)),
        ("luminosity", look.mean(look.luminosity)),
    )


LOOSE_SHARE = 0.4  # of the window; a larger group across separators is not one thing
DIVIDED_SHARE = 0.3  # share of divided areas in one thing; .1 to .5 give the same
SIGNIFICANT_LEAVES = "significant"
ALL_LEAVES = "all"


@dataclass(frozen=True, slots=True)
class Burget:
    """Areas grown from visually separate boxes."""

    covered: float = setting(0.8, "share of a box inside the box around it", low=0.5, high=1)
    list_items: bool = setting(False, "list items are areas of their own")
    line_gap: float = setting(1.5, "em between parts of one line", low=0, high=100)
    snap: float = setting(3.0, "px between sides that are one line of the grid", low=0, high=100)
    separator: float = setting(
        1.0, "em; thinner gaps separate nothing, nor do gaps of less than 10 px", low=0, high=100
    )
    always: float = setting(
        3.0, "em; thicker gaps separate, even if they are no thicker than usual", low=0, high=100
    )
    rounds: int = setting(2, "how often areas are grouped", low=1, high=10)
    whole_share: float = setting(
        0.2, "share of the window below which a framed or coloured box stays whole", low=0, high=10
    )
    leaves: str = setting(
        SIGNIFICANT_LEAVES, "depth of the tree of areas", choices=(SIGNIFICANT_LEAVES, ALL_LEAVES)
    )
    flow: bool = setting(True, "running text stays in one piece")
    even: bool = setting(True, "what looks alike is cut alike")

    def __post_init__(self) -> None:
        check(self)

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return the areas, parents before children; the first is the page."""
        window = float(snapshot.viewport.width * snapshot.viewport.height)
        root = mark_significant(
            self.find_areas(snapshot), self.whole_share * window, LOOSE_SHARE * window
        )
        placed = _place(root, snapshot.boxes, opened=self.leaves == ALL_LEAVES)
        areas = _make_areas(snapshot, placed)
        tidy = tidied(snapshot, areas, flow=self.flow, even=self.even)
        return _measured(snapshot, tidy, self.snap)

    def find_areas(self, snapshot: Snapshot) -> Visual:
        """Return the whole tree of visual areas; its root is the page."""
        spacing = AreaSpacing(self.separator, self.always)
        order = GroupingOrder(spacing, self.snap, self.rounds)
        page, *layers = (
            self._group(root, spacing, order)
            for root in basic_areas(snapshot, BoxSight(self.covered, self.list_items))
        )
        return with_children(page, (*page.children, *layers))

    def _group(self, root: Visual, spacing: AreaSpacing, order: GroupingOrder) -> Visual:
        root = bottom_up(root, collapse)
        root = bottom_up(root, lambda area: collapse(find_lines(area, self.line_gap, spacing)))
        root = bottom_up(root, lambda area: collapse(join_alike(area, order)))
        return bottom_up(root, lambda area: enclose_neighbours(area, order))


def mark_significant(root: Visual, limit: float, loose: float) -> Visual:
    """Mark as whole what a reader sees as one thing; a box must be smaller than `limit` px².

    An undivided area is one thing, unless much of it is divided areas; so is a group across
    separators, if it is smaller than `loose` px².
    """

    def mark(area: Visual) -> Visual:
        small = (area.coloured or any(area.border)) and area.rect.area < limit
        grouped = area.level == BY_GROUPING and not (area.loose and area.rect.area >= loose)
        undivided = area.whole or grouped
        divided = sum(part.rect.area for part in area.children if _is_divided(part))
        return replace(
            area, whole=small or (undivided and divided <= DIVIDED_SHARE * area.rect.area)
        )

    return bottom_up(root, mark)


def _is_divided(area: Visual) -> bool:
    """Return whether an area has more than one thing in it; a list in one font is one."""
    return area.content and not area.leaf and not area.whole and not _in_one_font(area)


def _in_one_font(area: Visual) -> bool:
    size = area.look.mean(area.look.size)
    leaves = (part for part in walk(area) if part.leaf and part.content)
    return all(
        leaf.look.letters and abs(leaf.look.mean(leaf.look.size) - size) <= SIZE_STEP
        for leaf in leaves
    )


PAPER_BURGET = Burget(
    list_items=True,
    snap=0.0,
    separator=0.0,
    always=0.0,
    whole_share=0.0,
    leaves=ALL_LEAVES,
    flow=False,
    even=False,
)
