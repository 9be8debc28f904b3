"""What a rendered page says of the borders of its site.

Read in document order, the contents of a page are parted by the borders of its areas. Wherever two
of its units meet (`page_units.py`), there is a border or not; spots of one kind of neighbours count
together, and the page says which share of them has one.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from webstencil.model import NO_PARENT, TEXT, Area, NodeId, Page, Tree, innermost_areas
from webstencil.segment.boxes import place_between
from webstencil.site.areas import PageVotes, WitnessVotes
from webstencil.site.outline import NO_PLACE
from webstencil.site.page_units import (
    DEEPEST_UNIT,
    PICTURE_TAGS,
    UNSEEN_TAGS,
    Spot,
    Spots,
    UnitMeeting,
    walk_units,
)
from webstencil.site.places import NeighbourKind, Places, SitePlaces

NO_AREA = NO_PARENT  # the area of what is in none


class AllSpots(Spots):
    """Every block with blocks in it is looked into."""

    def __init__(self, places: Places) -> None:
        self.met: set[int] = set()  # places
        super().__init__(places)

    def spot(self, place: int, depth: int) -> Spot:
        if place != NO_PLACE:
            self.met.add(place)
        return Spot(place, place == NO_PLACE or depth > DEEPEST_UNIT, depth, place)

    def meeting(self, around: Spot, ends: Spot, begins: Spot) -> UnitMeeting:
        known = UnitMeeting(around.place, ends.place, begins.place)
        around.meetings[ends, begins] = known
        return known


def votes_of(page: Page, areas: Sequence[Area], places: Places) -> PageVotes:
    """Return what a page says, by its own areas."""
    spots = AllSpots(places)
    units = walk_units(spots, page.markup.body).units
    tree = page.tree
    leaves = leaves_of(tree)
    areas_of_nodes = innermost_areas(areas, range(len(tree)), tree.parents)
    depths: list[int] = []
    for parent in tree.parents:
        depths.append(depths[parent] + 1 if parent != NO_PARENT else 0)
    # how deep the container is that each two neighbouring leaves share
    between = [
        depths[place_between(tree.parents, one, other).container] for one, other in pairwise(leaves)
    ]
    homes = filled([areas_of_nodes[leaf] for leaf in leaves], between)
    numbers = {node: number for number, node in enumerate(page.markup.nodes(range(len(tree))))}
    ends = tree.ends()
    counts: dict[NeighbourKind, list[int]] = {}
    last = NO_AREA  # the leaf before
    for unit in units:
        first = bisect_left(leaves, numbers[unit.nodes[0]])
        after = bisect_left(leaves, ends[numbers[unit.nodes[-1]]])
        if first == after:  # nothing in it can be read or looked at
            continue
        if last != NO_AREA:
            where = unit.before
            kind = NeighbourKind(where.container, where.ends, where.begins)
            spot = counts.setdefault(kind, [0, 0])
            spot[0] += 1
            spot[1] += homes[last] != homes[first]
        last = after - 1
    shares = {kind: borders / number for kind, (number, borders) in counts.items()}
    numbers_of = {kind: number for kind, (number, _) in counts.items()}
    return PageVotes(shares, numbers_of, frozenset(spots.met))


def leaves_of(tree: Tree) -> list[NodeId]:
    """List what can be read or looked at: texts and pictures, none around another.

    A `picture` is looked at in the `img` that it contains.
    """
    ends = tree.ends()
    unseen: list[bool] = []
    found: list[NodeId] = []
    for node, (tag, parent) in enumerate(zip(tree.tags, tree.parents, strict=True)):
        hidden = parent != NO_PARENT and unseen[parent]
        unseen.append(hidden or tag in UNSEEN_TAGS)
        if not hidden and (tag in PICTURE_TAGS or (tag == TEXT and not unseen[node])):
            if found and ends[found[-1]] > node:
                found.pop()
            found.append(node)
    return found


def filled(homes: Sequence[int], depths: Sequence[int]) -> list[int]:
    """Give leaves in no area, mostly hidden, to the neighbour that shares the deeper container.

    Without this, spots beside hidden texts would never get evidence.
    """
    before = nearest_homes(homes, depths)
    after = nearest_homes(homes[::-1], depths[::-1])[::-1]
    found = []
    for home, (depth, left), (other, right) in zip(homes, before, after, strict=True):
        nearer = left if left != NO_AREA and (depth >= other or right == NO_AREA) else right
        found.append(home if home != NO_AREA else nearer)
    return found


def nearest_homes(homes: Sequence[int], depths: Sequence[int]) -> list[tuple[int, int]]:
    """Return for each leaf the last one before it that has an area: depth in common, and area."""
    found = []
    depth, home = 0, NO_AREA
    for number, own in enumerate(homes):
        if number:
            between = depths[number - 1]
            depth = min(depth, between) if homes[number - 1] == NO_AREA else between
        found.append((depth, home))
        if own != NO_AREA:
            home = own
    return found


@dataclass(frozen=True, slots=True)
class Witness:
    """A rendered page and its own areas."""

    page: Page
    areas: tuple[Area, ...]


def voted(laid: SitePlaces, witnesses: Iterable[Witness]) -> list[WitnessVotes]:
    """Return what rendered pages say of the places of a site."""
    return [
        WitnessVotes(one.page.url, votes_of(one.page, one.areas, laid.places)) for one in witnesses
    ]
