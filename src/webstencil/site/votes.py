"""What a rendered page says of the borders of its site.

Read in document order, the contents of a page are parted by the borders of its areas. Wherever two
of its units meet (`page_units.py`), there is a border or not; spots of one kind of neighbours count
together, and the page says which share of them has one.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from webstencil.markup import Node
from webstencil.model import NO_PARENT, TEXT, Area, NodeId, Page, Tree, innermost_areas
from webstencil.segment.boxes import place_between
from webstencil.site.outline import NO_PLACE, TOP_PLACE, label_of
from webstencil.site.page_units import (
    DEEPEST_UNIT,
    PICTURE_TAGS,
    UNSEEN_TAGS,
    Name,
    Spot,
    Unit,
    UnitMeeting,
    text_key,
    walk_units,
)
from webstencil.site.places import INLINE_TEXT, NeighbourKind, Places

NO_AREA = NO_PARENT  # the area of what is in none


@dataclass(frozen=True, slots=True)
class PageVotes:
    """What a page says of the borders of its site."""

    shares: dict[NeighbourKind, float]  # of the spots of a kind that have a border, 0..1
    spots: dict[NeighbourKind, int]  # of each kind
    places: frozenset[int]  # that it has


class AllSpots:
    """Where the elements of a page stand; every block with blocks in it is looked into."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self.met = {TOP_PLACE}  # places
        self._root = Spot(TOP_PLACE, False, 0, TOP_PLACE)

    def root(self) -> Spot:
        return self._root

    def child(self, around: Spot, name: Name) -> Spot:
        label = self._places.vocabulary.label(label_of(*name))
        place = NO_PLACE if around.place == NO_PLACE else self._places.known(around.place, label)
        known = around.places.get(place)
        if known is None:
            whole = place == NO_PLACE or around.depth >= DEEPEST_UNIT
            known = around.places[place] = Spot(place, whole, around.depth + 1, place)
            if place != NO_PLACE:
                self.met.add(place)
        around.names[name] = known
        return known

    def text(self, around: Spot) -> Spot:
        around.inline = Spot(INLINE_TEXT, True, around.depth + 1, text_key(around.place))
        return around.inline

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
    homes = filled(homes_of(areas, tree, leaves), depths_between(tree, leaves))
    numbers = {node: number for number, node in enumerate(page.markup.nodes(range(len(tree))))}
    ends = tree.ends()
    spans = [leaves_of_unit(unit, numbers, ends, leaves) for unit in units]
    counts: dict[NeighbourKind, list[int]] = {}
    last = NO_AREA  # the leaf before
    for unit, (first, after) in zip(units, spans, strict=True):
        if first == after:
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


def leaves_of_unit(
    unit: Unit, numbers: dict[Node, NodeId], ends: Sequence[NodeId], leaves: Sequence[NodeId]
) -> tuple[int, int]:
    """Return the first leaf of a unit and the one after its last."""
    first, last = numbers[unit.nodes[0]], numbers[unit.nodes[-1]]
    return bisect_left(leaves, first), bisect_left(leaves, ends[last])


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


def homes_of(areas: Sequence[Area], tree: Tree, leaves: Sequence[NodeId]) -> list[int]:
    """Return the innermost area around each leaf."""
    homes = innermost_areas(areas, range(len(tree)), tree.parents)
    return [homes[leaf] for leaf in leaves]


def depths_between(tree: Tree, leaves: Sequence[NodeId]) -> list[int]:
    """Return how deep the container is that each two neighbouring leaves share."""
    depths: list[int] = []
    for parent in tree.parents:
        depths.append(depths[parent] + 1 if parent != NO_PARENT else 0)
    between = (place_between(tree.parents, one, other) for one, other in pairwise(leaves))
    return [depths[place.container] for place in between]


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
