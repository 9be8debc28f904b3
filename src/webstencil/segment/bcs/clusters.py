"""Box Clustering Segmentation, fourth step: clusters.

The two most similar entities, boxes or clusters, are merged, as long as they are similar enough and
their common rectangle cuts through nothing.

Where this differs from the paper and the reference implementation, and why:
- The paper stops when fewer than two boxes are unclustered; that would leave two halves of a column
  separate. As in all implementations, only the threshold ends the clustering.
- Pairs that could not be merged are tried again when all others are done, as long as there is
  progress: a cluster in between may have become part of the pair. The reference implementation
  does so for some pairs; the paper, by its wording, at once.
- Relations inside an entity are counted; the reference implementation keeps the last count.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from webstencil.geometry import Rect, bounding
from webstencil.segment.bcs.boxes import CellIndex
from webstencil.segment.bcs.similarity import CONTACT
from webstencil.segment.boxes import find_head

if TYPE_CHECKING:
    from webstencil.segment.bcs.similarity import Relation

# Boxes and clusters while they are merged.
#
# Parallel relations of merged entities become one link with their mean similarity. Two things keep
# the cost of all mergers near n log n: a merger checks only the part of the common rectangle
# outside its largest cluster, because nothing else can be inside of that; and links are moved from
# the entity with fewer of them to the one with more.


DECIMALS = 9  # of a mean similarity: smaller differences come from the order of adding


@dataclass(slots=True)
class Edges:
    """The relations between some members, or inside of an entity."""

    level: int = 0  # number of those beside each other
    down: int = 0  # number of those above each other
    total: float = 0.0  # sum of their similarities

    @property
    def count(self) -> int:
        return self.level + self.down

    @property
    def similarity(self) -> float:
        """Return the mean similarity, 0 if there are none."""
        return round(self.total / self.count, DECIMALS) if self.count else 0.0

    def add(self, more: "Edges") -> None:
        self.level += more.level
        self.down += more.down
        self.total += more.total


@dataclass(slots=True, eq=False)
class EntityLink:
    """What relates two entities."""

    one: int  # number of an entity
    other: int  # number of an entity
    edges: Edges
    ticket: int = 0  # number of its entry in the queue; below 0 if the link is gone

    @property
    def level(self) -> bool:
        """Return whether the entities are beside each other rather than above each other."""
        return self.edges.level >= self.edges.down

    def rename(self, old: int, new: int) -> None:
        """Let the link end at another entity."""
        if self.one == old:
            self.one = new
        else:
            self.other = new


class Entities:
    """Boxes and clusters, each with the number of one of its leaves."""

    __slots__ = ("grid", "inner", "is_cluster", "links", "members", "parents", "rects")

    def __init__(self, rects: Sequence[Rect], relations: Iterable["Relation"]) -> None:
        """Start with each leaf as an entity of its own."""
        self.rects = list(rects)
        self.grid = CellIndex(rects)
        self.parents = list(range(len(rects)))
        self.members = [[leaf] for leaf in self.parents]
        self.is_cluster = [False for _ in rects]
        self.inner = [Edges() for _ in rects]
        self.links: list[dict[int, EntityLink]] = [{} for _ in rects]
        for relation in relations:
            edges = Edges(int(relation.level), int(not relation.level), relation.similarity)
            link = EntityLink(relation.one, relation.other, edges)
            self.links[link.one][link.other] = self.links[link.other][link.one] = link

    def heads(self) -> Iterator[int]:
        """List the current entities."""
        return (entity for entity, parent in enumerate(self.parents) if entity == parent)

    def all_links(self) -> Iterator[EntityLink]:
        """List the links between all entities."""
        for entity, links in enumerate(self.links):
            yield from (link for link in links.values() if link.one == entity)

    def strangers(self, rect: Rect, own: set[int], *, seen: Rect | None = None) -> list[int]:
        """Return the entities in a rectangle, except for the `own` ones that it is around.

        The part that was `seen` before is skipped.
        """
        found: set[int] = set()
        for part in outside(rect, seen) if seen else self._unknown(rect, own):
            for cell in self.grid.cells_of(part):
                if self.grid.cells[cell]:
                    # Entries of merged entities become one, so that no cell fills up.
                    living = {find_head(self.parents, entity) for entity in self.grid.cells[cell]}
                    self.grid.cells[cell] = list(living)
                    found |= living
        return sorted(entity for entity in found - own if overlap(rect, self.rects[entity]))

    def merge(self, own: set[int], rect: Rect) -> list[EntityLink]:
        """Make one cluster of some entities; return the links whose similarity has changed."""
        head, *rest = sorted(own, key=lambda entity: (-len(self.links[entity]), entity))
        for part in self._unknown(rect, own):
            self.grid.enter(head, part)
        changed: dict[int, EntityLink] = {}
        for entity in rest:
            changed.update(self._fold(entity, head))
        self.rects[head] = rect
        self.is_cluster[head] = True
        return [link for link in changed.values() if link.ticket >= 0]

    def _unknown(self, rect: Rect, own: set[int]) -> Iterator[Rect]:
        """Return the parts of a rectangle that may hold more than the `own` entities."""
        clusters = [entity for entity in own if self.is_cluster[entity]]
        if not clusters:
            return iter((rect,))
        return outside(rect, max((self.rects[entity] for entity in clusters), key=_area))

    def _fold(self, entity: int, head: int) -> dict[int, EntityLink]:
        """Move everything of an entity to another one; return that one's changed links."""
        changed = {}
        self.parents[entity] = head
        self.members[head] += self.members[entity]
        self.inner[head].add(self.inner[entity])
        for other, link in self.links[entity].items():
            del self.links[other][entity]
            parallel = self.links[head].get(other)
            if other == head:
                self.inner[head].add(link.edges)
                link.ticket = -1
            elif parallel is not None:
                parallel.edges.add(link.edges)
                link.ticket = -1
                changed[other] = parallel
            else:
                link.rename(entity, head)
                self.links[head][other] = self.links[other][head] = link
        self.links[entity] = {}
        return changed


def overlap(one: Rect, other: Rect) -> bool:
    """Return whether two rectangles share more than an edge."""
    across = min(one.right, other.right) - max(one.left, other.left)
    down = min(one.bottom, other.bottom) - max(one.top, other.top)
    return across > CONTACT and down > CONTACT


def outside(outer: Rect, inner: Rect) -> Iterator[Rect]:
    """Cut the part of a rectangle outside another one into rectangles."""
    if outer.top < inner.top:
        yield Rect(outer.left, outer.top, outer.right, inner.top)
    if outer.left < inner.left:
        yield Rect(outer.left, inner.top, inner.left, inner.bottom)
    if outer.right > inner.right:
        yield Rect(inner.right, inner.top, outer.right, inner.bottom)
    if outer.bottom > inner.bottom:
        yield Rect(outer.left, inner.bottom, outer.right, outer.bottom)


def _area(rect: Rect) -> tuple[float, Rect]:
    return rect.area, rect


# Reference implementation.
MAX_DENSITY_RATIO = 0.5
SLENDER = 2.0  # times as many relations along a row as across it
LEAST_SHARE = 0.1  # of the relations in a direction: none says no more than few

# similarity, summed area, tops, lefts and numbers of the two entities, ticket, the link itself
Entry: TypeAlias = tuple[float, float, float, float, float, float, int, int, int, EntityLink]
Union: TypeAlias = tuple[set[int], Rect]  # entities, and the rectangle around them


@dataclass(frozen=True, slots=True)
class Rules:
    """When two entities are merged."""

    threshold: float  # 0..1; a greater similarity, which is a distance, prevents a merger
    reference: bool  # by the rules of the reference implementation, not of the paper


@dataclass(frozen=True, slots=True)
class Cluster:
    """Some leaves that belong together, or a single one."""

    rect: Rect
    leaves: tuple[int, ...]  # their numbers, in order
    similarity: float  # mean of the relations inside, 0 if there are none


class EntityShape(Enum):
    """The arrangement of the members of an entity."""

    ROW = auto()
    COLUMN = auto()
    BLOB = auto()


def cluster_leaves(
    rects: Sequence[Rect], relations: Iterable["Relation"], rules: Rules
) -> tuple[Cluster, ...]:
    """Merge similar leaves; return the clusters and the single leaves, in the order of the leaves.

    The result depends on the positions of the leaves, not on their order: equal similarities are
    tried from the smaller areas to the larger ones, then from top to bottom.
    """
    entities = Entities(rects, relations)
    waiting = list(entities.all_links())
    while waiting:
        waiting = merge_links(entities, waiting, rules)
    clusters = (
        Cluster(
            entities.rects[head],
            tuple(sorted(entities.members[head])),
            entities.inner[head].similarity,
        )
        for head in entities.heads()
    )
    return tuple(sorted(clusters, key=lambda cluster: cluster.leaves))


def merge_links(entities: Entities, links: Iterable[EntityLink], rules: Rules) -> list[EntityLink]:
    """Merge linked entities, the most similar first; return the links to try again."""
    tickets = count(1)
    queue = [queue_entry(entities, link, next(tickets)) for link in links]
    heapify(queue)
    refused: list[EntityLink] = []
    progress = False
    while queue:
        *_, ticket, link = heappop(queue)
        if ticket != link.ticket:
            continue
        if link.edges.similarity > rules.threshold:
            break
        union = find_union(entities, link, rules)
        if union is None:
            refused.append(link)
            continue
        progress = True
        for changed in entities.merge(*union):
            heappush(queue, queue_entry(entities, changed, next(tickets)))
    return [link for link in dict.fromkeys(refused) if link.ticket >= 0] if progress else []


def queue_entry(entities: Entities, link: EntityLink, ticket: int) -> Entry:
    """Queue a link; an older entry of it becomes void."""
    one, other = entities.rects[link.one], entities.rects[link.other]
    link.ticket = ticket
    similarity, area = link.edges.similarity, one.area + other.area
    tops, lefts = (one.top, other.top), (one.left, other.left)
    return similarity, area, *tops, *lefts, link.one, link.other, ticket, link


def find_union(entities: Entities, link: EntityLink, rules: Rules) -> Union | None:
    """Return the cluster that two entities would make, None if they must not be merged."""
    own = {link.one, link.other}
    rect = bounding(entities.rects[entity] for entity in own)
    strangers = entities.strangers(rect, own)
    if any(entities.is_cluster[stranger] for stranger in strangers):
        return None
    if not rules.reference:
        return absorb_once(entities, own, strangers)
    if not fit_together(entities, link, crowded=bool(strangers)):
        return None
    return absorb_stepwise(entities, own, strangers)


def absorb_once(entities: Entities, own: set[int], strangers: Iterable[int]) -> Union | None:
    """Include the boxes between two entities, None if there are more then (paper)."""
    own = own | set(strangers)
    rect = bounding(entities.rects[entity] for entity in own)
    return None if entities.strangers(rect, own) else (own, rect)


def absorb_stepwise(entities: Entities, own: set[int], strangers: Iterable[int]) -> Union | None:
    """Include the boxes between two entities one by one (reference implementation).

    A box with more boxes between is included only if one of these touches the cluster.
    """
    rect = bounding(entities.rects[entity] for entity in own)
    pending = list(strangers)
    own = own.union(pending)
    for stranger in pending:
        grown = bounding((rect, entities.rects[stranger]))
        more = entities.strangers(grown, own, seen=rect)
        if any(entities.is_cluster[new] for new in more):
            return None
        if more and not any(adjacent(rect, entities.rects[new]) for new in more):
            return None
        pending += more
        own.update(more)
        rect = grown
    return own, rect


def fit_together(entities: Entities, link: EntityLink, *, crowded: bool) -> bool:
    """Return whether two entities may be merged by the arrangement of their members.

    Two columns beside each other, or two rows above each other, are two things unless one of them
    is much less dense than the other; entities of different shape must have nothing between them.
    """
    shape = _shape_of(entities, link.one)
    if shape is not _shape_of(entities, link.other):
        return not crowded
    if link.level and shape is EntityShape.COLUMN:
        return differ_in_density(
            *(
                entities.inner[entity].level / entities.rects[entity].width
                for entity in (link.one, link.other)
            )
        )
    if not link.level and shape is EntityShape.ROW:
        return differ_in_density(
            *(
                entities.inner[entity].down / entities.rects[entity].height
                for entity in (link.one, link.other)
            )
        )
    return True


def differ_in_density(one: float, other: float) -> bool:
    """Compare the number of relations across two rows, or two columns, per px."""
    low, high = sorted((one, other))
    return low < high and low / high <= MAX_DENSITY_RATIO


def _shape_of(entities: Entities, entity: int) -> EntityShape:
    """Return whether the members of an entity are beside or above each other."""
    edges = entities.inner[entity]
    if not edges.count:
        return EntityShape.BLOB
    level, down = (max(LEAST_SHARE, part / edges.count) for part in (edges.level, edges.down))
    if level > SLENDER * down:
        return EntityShape.ROW
    return EntityShape.COLUMN if down > SLENDER * level else EntityShape.BLOB


def adjacent(one: Rect, other: Rect) -> bool:
    """Return whether two rectangles touch."""
    across = max(one.left - other.right, other.left - one.right)
    down = max(one.top - other.bottom, other.top - one.bottom)
    return max(across, down) <= CONTACT
