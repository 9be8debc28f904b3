"""Where the areas of a site end: one decision for each kind of neighbours, for the whole site.

Rendered pages are witnesses. A kind of neighbours is a container, the place in it that ends and the
place that begins; a page that has it says on which share of these spots an area of its own ends.
The mean over the witnesses is not enough: what one page says of one spot is chance. So what is
known of the container, and of the site, counts as `PRIOR` more witnesses, and more than `MOST`
witnesses add nothing.

Three kinds of spots differ in what a border there means:

- between *parts* of the template: places that stand once on a page. The author put them there.
- between *records*: containers of the same place, as posts and cards.
- in *text*: all others. What an author wrote as one text stays one area unless nearly all witnesses
  say otherwise: a segmenter cuts it or not by the height of a paragraph.

The strength of a border is what speaks for it, 0.5 where the two sides are even. So the areas of a
site are a tree: the higher the grain, the fewer borders are strong enough.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from webstencil.site.places import NeighbourKind

# Chosen on seven sites and four manuals, by the landmarks that authors set (docs/numbers.md); what
# they score hardly changes from a half to twice of each.
PRIOR = 1.0  # witnesses that what is known of the container counts for
MOST = 12.0  # witnesses; with more, the share says all
GRAIN = 0.5  # strength from which there is a border


class SpotType(Enum):
    """What neighbours are to the template."""

    PARTS = auto()  # both stand once on a page
    RECORDS = auto()  # both are the same container
    TEXT = auto()


# Share of the witnesses at which a border is as good as none.
EVEN = {SpotType.PARTS: 0.4, SpotType.RECORDS: 0.65, SpotType.TEXT: 0.8}


class Tally(NamedTuple):
    """What witnesses say of a kind of neighbours."""

    borders: float  # sum of the share of such spots with a border, over pages
    pages: int  # witnesses

    @property
    def share(self) -> float:
        """Return the mean share of spots with a border, 0..1."""
        return self.borders / self.pages if self.pages else 0.0


@dataclass(frozen=True, slots=True)
class Border:
    """What is decided of a kind of neighbours."""

    strength: float  # 0..1
    sure: float  # 0..1, chance that more witnesses would not change the decision
    pages: int  # witnesses


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """What the model of a site says of its places, as far as borders depend on it."""

    once: frozenset[int]  # places that stand once on the pages that have them
    containers: frozenset[int]  # places with others in them

    def type_of(self, kind: NeighbourKind) -> SpotType:
        """Return what neighbours are to the template."""
        if kind.ends == kind.begins:
            return SpotType.RECORDS if kind.ends in self.containers else SpotType.TEXT
        parts = kind.ends in self.once and kind.begins in self.once
        return SpotType.PARTS if parts else SpotType.TEXT


class Borders:
    """Decides on borders, also between neighbours that no witness has."""

    def __init__(self, tallies: Mapping[NeighbourKind, Tally], facts: PlaceFacts) -> None:
        """Decide by what witnesses say."""
        self.tallies = tallies
        self._facts = facts
        self._known: dict[NeighbourKind, Border] = {}
        self._sites = added((facts.type_of(kind), tally) for kind, tally in tallies.items())
        self._containers = added(
            ((kind.container, facts.type_of(kind)), tally) for kind, tally in tallies.items()
        )

    def __getitem__(self, kind: NeighbourKind) -> Border:
        border = self._known.get(kind)
        if border is None:
            border = self._known[kind] = self._decided(kind)
        return border

    def _decided(self, kind: NeighbourKind) -> Border:
        what = self._facts.type_of(kind)
        site = mixed(self._sites.get(what, Tally(0.0, 0)), 0.5, 1.0)
        inside = mixed(self._containers.get((kind.container, what), Tally(0.0, 0)), site, PRIOR)
        tally = self.tallies.get(kind, Tally(0.0, 0))
        share = mixed(tally, inside, PRIOR)
        even = EVEN[what]
        sure = sureness(share, even, min(tally.pages, MOST) + PRIOR)
        return Border(strength_of(share, even), sure, tally.pages)


def added(tallies: Iterable[tuple[object, Tally]]) -> dict[object, Tally]:
    """Add up tallies by key."""
    borders: Counter[object] = Counter()
    pages: Counter[object] = Counter()
    for key, tally in tallies:
        borders[key] += tally.borders  # type: ignore[assignment]  # floats count as well
        pages[key] += tally.pages
    return {key: Tally(float(borders[key]), pages[key]) for key in pages}


def mixed(tally: Tally, prior: float, weight: float) -> float:
    """Return the share of borders if `prior` is what `weight` more witnesses say."""
    pages = min(float(tally.pages), MOST)
    return (tally.share * pages + weight * prior) / (pages + weight)


def strength_of(share: float, even: float) -> float:
    """Return how much speaks for a border: 0.5 if the share is the one at which all is even.

    >>> round(strength_of(0.8, 0.8), 3), round(strength_of(0.9, 0.4), 3)
    (0.5, 0.931)
    """
    if share <= 0.0 or share >= 1.0:
        return min(max(share, 0.0), 1.0)
    odds = share / (1.0 - share) * (1.0 - even) / even
    return odds / (1.0 + odds)


def sureness(share: float, even: float, witnesses: float) -> float:
    """Return the chance that the share of all pages lies on the same side, 0.5..1.

    The normal distribution stands for the beta distribution.
    """
    spread = math.sqrt(max(share * (1.0 - share), 1e-4) / (witnesses + 1.0))
    return 0.5 * (1.0 + math.erf(abs(share - even) / spread / math.sqrt(2.0)))
