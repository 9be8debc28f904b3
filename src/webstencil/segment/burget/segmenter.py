"""Burget: visual areas from the bottom up.

Burget: Layout Based Information Extraction from HTML Documents, ICDAR 2007, and Automatic Document
Structure Detection for Data Integration, BIS 2007; the CPS paper sums it up in section 4.1. Boxes
that differ visibly from their surroundings are the basic areas (`boxes.py`). Those in one line are
joined (`lines.py`), then adjacent ones of one style; what no separator (`separators.py`,
`gutters.py`) divides is grouped (`grouping.py`) by growing on the topographical grid (`growing.py`,
`grid.py`). Each file says what differs from the public implementation, FitLayout; `PAPER` has the
settings that come closest to it.

The last step is not in the papers. The tree of visual areas goes down to single paragraphs; those
are significant that no separator divides, and frames and backgrounds up to a certain size: a reader
sees a box as one thing. Groups across separators are significant if they are smaller than two
fifths of the window; larger ones are half a page. Significant areas are not divided, unless
`leaves` is on.

`separator`, `always`, `whole_share` and `list_items` were chosen by the B-cubed F of text nodes on
half of 42 hand-marked pages (Kreuzer et al., second level) and by looking at pages of ten sites;
docs/segmentation.md has the table, with the other half.
"""

from dataclasses import dataclass, replace

from webstencil.model import Area, Snapshot
from webstencil.segment.burget.areas import (
    BY_GROUPING,
    SIZE_STEP,
    Visual,
    bottom_up,
    walk,
    with_children,
)
from webstencil.segment.burget.boxes import BoxSight, basic_areas
from webstencil.segment.burget.grouping import GroupingOrder, enclose_neighbours, join_alike
from webstencil.segment.burget.lines import collapse, find_lines
from webstencil.segment.burget.output import make_areas, measured, place
from webstencil.segment.burget.separators import AreaSpacing
from webstencil.segment.field_settings import check, setting
from webstencil.segment.tidy import tidied

LOOSE_SHARE = 0.4  # of the window; a larger group across separators is not one thing
DIVIDED_SHARE = 0.3  # share of divided areas in one thing; .1 to .5 give the same
SIGNIFICANT = "significant"
ALL = "all"


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
    leaves: str = setting(SIGNIFICANT, "depth of the tree of areas", choices=(SIGNIFICANT, ALL))
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
        placed = place(root, snapshot.boxes, opened=self.leaves == ALL)
        areas = make_areas(snapshot, placed)
        tidy = tidied(snapshot, areas, flow=self.flow, even=self.even)
        return measured(snapshot, tidy, self.snap)

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


PAPER = Burget(
    list_items=True,
    snap=0.0,
    separator=0.0,
    always=0.0,
    whole_share=0.0,
    leaves=ALL,
    flow=False,
    even=False,
)
