"""Box Clustering Segmentation: boxes and clusters while they are merged.

Parallel relations of merged entities become one link with their mean similarity. Two things keep
the cost of all mergers near n log n: a merger checks only the part of the common rectangle outside
its largest cluster, because nothing else can be inside of that; and links are moved from the entity
with fewer of them to the one with more.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webstencil.geometry import Rect
from webstencil.segment.bcs.grid import CellIndex
from webstencil.segment.bcs.neighbours import CONTACT
from webstencil.segment.union_find import find

if TYPE_CHECKING:
    from webstencil.segment.bcs.similarity import Relation

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
                    living = {find(self.parents, entity) for entity in self.grid.cells[cell]}
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
