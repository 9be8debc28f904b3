"""Lay the areas of a site over one of its pages.

The page is walked into its units (`page_units.py`), and an area is a run of units without a border
between them. Containers with a border in them are areas around these, so a record with its parts is
one area with others in it; of containers that hold the same, the outermost counts.
"""

from bisect import bisect_right
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from webstencil import markup
from webstencil.geometry import EMPTY
from webstencil.markup import Node, strings
from webstencil.model import NO_PARENT, Area, Located, Miss, Page, PageArea, Stencil
from webstencil.site.areas import (
    SiteAreas,
    Slot,
    SlotView,
    borders_of,
    kind_of_evidence,
)
from webstencil.site.outline import NO_PLACE
from webstencil.site.page_units import (
    DEEPEST_UNIT,
    Spot,
    Spots,
    Unit,
    UnitContainer,
    UnitMeeting,
    WalkedPage,
    walk_units,
)
from webstencil.site.places import INLINE_TEXT, LabelToken, NeighbourKind, Places, Vocabulary

# By the areas of ten sites, laid by twelve pages, that all pages rendered decided, too:
# notebook/sites.md.
LEAST_SURE = 0.65  # share of areas that stay the same though nothing is sure
UNSEEN_CONFIDENCE = 0.6  # the same if no rendered page has a part of them, as a share of the others


@dataclass(frozen=True, slots=True)
class LaidArea:
    """An area of the site on a page."""

    nodes: tuple[Node, ...]  # a container with areas in it, or siblings
    parent: int  # among the areas of the page, NO_PLACE if there is none
    sure: float  # 0..1
    unseen: int  # characters where no witness has anything
    leaf: bool  # there are no areas in it
    key: int = NO_PLACE  # of its slot: the container, or what leads the units in it
    slot: int | None = None  # number
    top: int = NO_PLACE  # place of its node, if there is one

    @property
    def confidence(self) -> float:
        """Return the chance that more rendered pages would leave the area as it is, 0..1."""
        return calibrated(self.sure, unseen=self.unseen > 0)


def calibrated(sure: float, *, unseen: bool) -> float:
    """Return the share of areas that are as sure and stay the same if all pages are rendered.

    >>> calibrated(1.0, unseen=False), calibrated(0.5, unseen=False)
    (1.0, 0.825)
    """
    return round(
        (LEAST_SURE + (1.0 - LEAST_SURE) * sure) * (UNSEEN_CONFIDENCE if unseen else 1.0), 4
    )


class SiteSpots(Spots):
    """Where the elements of a site's pages stand, with what is decided there."""

    def __init__(self, areas: SiteAreas) -> None:
        self.areas = areas
        vocabulary = Vocabulary({LabelToken(*name): pages for *name, pages in areas.names})
        self.borders = borders_of(areas)
        self.leads = {lead.key: lead for lead in areas.leads if not lead.holds}
        self.holders = {lead.key: lead.slot for lead in areas.leads if lead.holds}
        self._decided = {kind_of_evidence(one): one.border for one in areas.evidence}
        self.cut: set[int] = set()  # places that have a border in them, and those around these
        for place in [one.container for one in areas.evidence if one.border]:
            while place != NO_PLACE and place not in self.cut:
                self.cut.add(place)
                place = areas.containers[place]  # noqa: PLW2901 - climbs
        super().__init__(Places.restored(vocabulary, areas.labels, areas.containers))

    def spot(self, place: int, depth: int) -> Spot:
        if place == NO_PLACE or depth > DEEPEST_UNIT:
            return Spot(place, True, depth, place)
        whole = not self.areas.labels or (self.is_seen(place) and place not in self.cut)
        return Spot(place, whole, depth, place)

    def meeting(self, around: Spot, ends: Spot, begins: Spot) -> UnitMeeting:
        kind = NeighbourKind(around.place, ends.place, begins.place)
        border = self.borders[kind]
        cut = self._decided.get(kind, border.strength > self.areas.grain)
        known = UnitMeeting(*kind, cut, border.sure)
        around.meetings[ends, begins] = known
        return known

    def is_seen(self, place: int) -> bool:
        """Return whether a witness has a place."""
        return place == INLINE_TEXT or (
            NO_PLACE < place < len(self.areas.seen) and self.areas.seen[place] > 0
        )

    def lead(self, units: Sequence[Unit]) -> int:
        """Return the key of the heaviest of some units: what most text of the site stands in."""
        best, heaviest = NO_PLACE, -1.0
        for spot in dict.fromkeys([unit.spot for unit in units]):
            lead = self.leads.get(spot.key)
            weight = lead.weight if lead is not None else 0.0
            if spot.key != NO_PLACE and (weight, -spot.key) > (heaviest, -best):
                best, heaviest = spot.key, weight
        return best


@dataclass(frozen=True, slots=True)
class UnitRun:
    """Units that are an area, or an area around others."""

    first: int
    last: int
    container: UnitContainer | None = None  # if there are others in it


def lay(spots: SiteSpots, body: Node) -> tuple[LaidArea, ...]:
    """Lay the areas of a site over a page; parents come before what is in them."""
    found = walk_units(spots, body)
    if not found.units:
        return ()
    runs = runs_of_units(found.units)
    tops = _highest_nodes(found, runs)
    # Of containers with the same runs the outermost counts, the last; none of what holds the page.
    cut = {(one.first, one.last): one for one in found.containers if one.cut}
    cut.pop((0, runs[-1].last), None)
    around = [UnitRun(*ends, container) for ends, container in cut.items()]
    laid: list[LaidArea] = []
    opened: list[tuple[int, int]] = []  # areas around: number and last unit
    for part in sorted(
        (*around, *runs), key=lambda part: (part.first, -part.last, not part.container)
    ):
        while opened and opened[-1][1] < part.first:
            opened.pop()
        parent = opened[-1][0] if opened else NO_PLACE
        sure = edge(found.units, part.first) * edge(found.units, part.last + 1)
        if part.container is not None:
            opened.append((len(laid), part.last))
            place = part.container.spot.place
            slot = spots.holders.get(place)
            nodes: tuple[Node, ...] = (part.container.node,)
            laid.append(LaidArea(nodes, parent, sure, 0, False, place, slot, place))
            continue
        inside = found.units[part.first : part.last + 1]
        sure *= min((unit.before.sure for unit in inside[1:]), default=1.0)
        unseen = sum(characters(unit) for unit in inside if not spots.is_seen(unit.spot.place))
        key = spots.lead(inside)
        lead = spots.leads.get(key)
        nodes = tuple([node for node, _ in tops[part.first]])
        place = tops[part.first][0][1].place if len(nodes) == 1 else NO_PLACE
        slot = lead.slot if lead else None
        laid.append(LaidArea(nodes, parent, sure, unseen, True, key, slot, place))
    return tuple(laid)


def _highest_nodes(
    found: WalkedPage, runs: Sequence[UnitRun]
) -> dict[int, list[tuple[Node, Spot]]]:
    """Return the nodes of each run, as high as possible, by its first unit."""
    starts = [run.first for run in runs]
    whole: dict[int, UnitContainer] = {}  # containers that are in one run, by their first unit
    taken = len(found.units)
    for one in reversed(found.containers):  # from the end on, outer before inner
        in_one = bisect_right(starts, one.first) == bisect_right(starts, one.last)
        if one.last < taken and not one.cut and in_one:
            whole[one.first] = one
            taken = one.first
    tops: dict[int, list[tuple[Node, Spot]]] = {}
    for run in runs:
        nodes = tops[run.first] = []
        number = run.first
        while number <= run.last:
            if container := whole.get(number):
                nodes.append((container.node, container.spot))
                number = container.last + 1
            else:
                nodes += [(node, found.units[number].spot) for node in found.units[number].nodes]
                number += 1
    return tops


def without_hidden(laid: Sequence[LaidArea], hidden: Container[int]) -> tuple[LaidArea, ...]:
    """Leave out areas of slots that no reader sees, as links to skip the menu."""
    numbers: dict[int, int] = {NO_PLACE: NO_PLACE}
    kept: list[LaidArea] = []
    for number, area in enumerate(laid):
        parent = numbers[area.parent]
        if area.slot in hidden:
            numbers[number] = parent
            continue
        numbers[number] = len(kept)
        kept.append(area if area.parent == parent else replace(area, parent=parent))
    return tuple(kept)


def runs_of_units(units: Sequence[Unit]) -> list[UnitRun]:
    """Return the runs of units without a border between them."""
    starts = [0, *(number for number, unit in enumerate(units) if number and unit.border)]
    return list(map(UnitRun, starts, [*(start - 1 for start in starts[1:]), len(units) - 1]))


def edge(units: Sequence[Unit], number: int) -> float:
    """Return how sure it is that something begins with a unit, 0..1."""
    if not 0 < number < len(units) or not units[number].before.border:
        return 1.0  # the page begins or ends, or a container with borders in it does
    return units[number].before.sure


def characters(unit: Unit) -> int:
    """Count the characters of a unit."""
    return sum(len(text) for node in unit.nodes for text in strings(node))


# Areas on a page as the user gets them: text, selector, XPath.


UNSEEN_ATTRIBUTE = "unseen"  # attribute: characters where no rendered page has anything


def describe_own(page: Page, areas: Sequence[Area]) -> tuple[PageArea, ...]:
    """Describe the areas of a segmented page."""
    return tuple(
        _described(number, area, page.markup.nodes(area.nodes), 1.0)
        for number, area in enumerate(map(Area.with_floats, areas))
    )


def describe_located(
    stencil: Stencil, answers: Iterable[Located | Miss], same: Sequence[PageArea | None]
) -> tuple[PageArea, ...]:
    """Describe the areas of a stencil that were found on another page.

    `same` has the areas that are the same on all pages (`describe_same`).
    """
    described = list(same)
    for found in answers:
        if type(found) is Located:
            number = found.area
            area = stencil.areas[number]
            described[number] = _described(number, area, found.nodes, found.confidence)
    return tuple([area for area in described if area is not None])


def describe_same(stencil: Stencil) -> tuple[PageArea | None, ...]:
    """Describe the areas of a stencil without nodes of their own, None for the others."""
    return tuple(
        None if area.nodes else _described(number, area, (), 1.0)
        for number, area in enumerate(stencil.areas)
    )


def describe_laid(
    laid: Sequence[LaidArea], slots: Mapping[int, Slot], views: Mapping[int, SlotView]
) -> tuple[PageArea, ...]:
    """Describe the areas of a site on one of its pages.

    `slots` are those of the site by number, `views` those of the page's template.
    """
    described = []
    for number, area in enumerate(laid):
        slot = slots.get(area.slot) if area.slot is not None else None
        view = views.get(area.slot) if area.slot is not None else None
        if area.leaf:
            text, selector, xpath = markup.described(area.nodes)
        else:  # what it says, the areas in it do
            text, selector, xpath = "", markup.selector(area.nodes[0]), markup.xpath(area.nodes[0])
        unseen = ((UNSEEN_ATTRIBUTE, float(area.unseen)),) if area.unseen else ()
        described.append(
            PageArea(
                number,
                None if area.parent == NO_PARENT else area.parent,
                (view.kind if view is not None else None) or (slot.kind if slot else None),
                text,
                selector,
                xpath,
                view.rect if view is not None else slot.rect if slot is not None else EMPTY,
                len(area.nodes),
                area.confidence,
                area.slot,
                (slot.attributes if slot is not None else ()) + unseen,
                slot.name if slot is not None else "",
            )
        )
    return tuple(described)


def _described(
    number: int,
    like: Area,
    nodes: Sequence[Node],
    confidence: float,
) -> PageArea:
    """Describe one area by its nodes on the page; `like` is the area of the stencil."""
    text, selector, xpath = markup.described(nodes) if nodes else ("", "", "")
    return PageArea(
        number,
        like.around,
        like.kind,
        text,
        selector,
        xpath,
        like.rect,
        len(nodes),
        confidence,
        number,
        like.attributes,
    )
