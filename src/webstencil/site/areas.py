"""What is decided of a site's areas, as a value that lays them over any of its pages.

It needs nothing else: the vocabulary and the places of the site are in it, what the rendered pages
say of them, and the slots: what each area is called, on whichever page it is.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import NamedTuple

from webstencil.geometry import EMPTY, Rect
from webstencil.site.outline import NO_PLACE, TOP_PLACE
from webstencil.site.places import INLINE_TEXT, NeighbourKind, PageView, SitePlaces

# Where the areas of a site end: one decision for each kind of neighbours, for the whole site.
#
# Rendered pages are witnesses. A kind of neighbours is a container, the place in it that ends and
# the place that begins; a page that has it says on which share of these spots an area of its own
# ends. The mean over the witnesses is not enough: what one page says of one spot is chance. So what
# is known of the container, and of the site, counts as `PRIOR` more witnesses, and more than
# `MOST_WITNESSES` add nothing.
#
# Three kinds of spots differ in what a border there means:
#
# - between *parts* of the template: places that stand once on a page. The author put them there.
# - between *records*: containers of the same place, as posts and cards.
# - in *text*: all others. What an author wrote as one text stays one area unless nearly all
#   witnesses say otherwise: a segmenter cuts it or not by the height of a paragraph.
#
# The strength of a border is what speaks for it, 0.5 where the two sides are even. So the areas of
# a site are a tree: the higher the grain, the fewer borders are strong enough.
#
# Chosen on seven sites and four manuals, by landmarks that authors set (notebook/sites.md); what
# they score hardly changes from a half to twice of each.
PRIOR = 1.0  # witnesses that what is known of the container counts for
MOST_WITNESSES = 12.0  # witnesses; with more, the share says all
GRAIN = 0.5  # strength from which there is a border


class SpotType(Enum):
    """What neighbours are to the template."""

    PARTS = auto()  # both stand once on a page
    RECORDS = auto()  # both are the same container
    TEXT = auto()


# Share of the witnesses at which a border is as good as none.
EVEN_ODDS = {SpotType.PARTS: 0.4, SpotType.RECORDS: 0.65, SpotType.TEXT: 0.8}


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
        self._sites = tallies_added((facts.type_of(kind), tally) for kind, tally in tallies.items())
        self._containers = tallies_added(
            ((kind.container, facts.type_of(kind)), tally) for kind, tally in tallies.items()
        )

    def __getitem__(self, kind: NeighbourKind) -> Border:
        border = self._known.get(kind)
        if border is None:
            border = self._known[kind] = self._decided(kind)
        return border

    def _decided(self, kind: NeighbourKind) -> Border:
        what = self._facts.type_of(kind)
        nothing = Tally(0.0, 0)
        site = mixed(self._sites.get(what, nothing), 0.5, 1.0)
        inside = mixed(self._containers.get((kind.container, what), nothing), site, PRIOR)
        tally = self.tallies.get(kind, nothing)
        share = mixed(tally, inside, PRIOR)
        even = EVEN_ODDS[what]
        sure = sureness(share, even, min(tally.pages, MOST_WITNESSES) + PRIOR)
        return Border(strength_of(share, even), sure, tally.pages)


def tallies_added(tallies: Iterable[tuple[object, Tally]]) -> dict[object, Tally]:
    """Add up tallies by key."""
    borders: Counter[object] = Counter()
    pages: Counter[object] = Counter()
    for key, tally in tallies:
        borders[key] += tally.borders  # type: ignore[assignment]  # floats count as well
        pages[key] += tally.pages
    return {key: Tally(float(borders[key]), pages[key]) for key in pages}


def mixed(tally: Tally, prior: float, weight: float) -> float:
    """Return the share of borders if `prior` is what `weight` more witnesses say."""
    pages = min(float(tally.pages), MOST_WITNESSES)
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


@dataclass(frozen=True, slots=True)
class KindEvidence:
    """What witnesses say of a kind of neighbours, and what was decided."""

    container: int  # places
    ends: int
    begins: int
    borders: float  # sum over pages of the share of such spots with a border
    pages: int  # witnesses
    border: bool = False  # decided
    held: bool = False  # as before, since the evidence against it is not clear


@dataclass(frozen=True, slots=True)
class Slot:
    """An area of the site: the same number and name on every page that has it."""

    number: int  # stays the same while the site grows
    name: str  # no two slots of a site have the same
    key: int  # place of the container, or key of what leads the units in it (`Spot.key`)
    holds: bool  # there are other slots in it
    repeats: bool  # several stand on a page, as cards and posts do
    kind: str | None = None  # by vote of the witnesses
    rect: Rect = EMPTY  # typical
    attributes: tuple[tuple[str, float], ...] = ()  # by vote
    pages: int = 0  # witnesses that have it
    confidence: float = 0.0  # 0..1, mean over these

    @property
    def hidden(self) -> bool:
        """Return whether no witness shows anything of it."""
        return self.pages > 0 and self.rect.empty


@dataclass(frozen=True, slots=True)
class SlotView:
    """A slot on the pages of one template."""

    template: int
    slot: int  # number
    kind: str | None
    rect: Rect
    pages: int  # witnesses


@dataclass(frozen=True, slots=True)
class SlotLead:
    """Which slot a unit, or a container with areas in it, belongs to."""

    key: int  # `Spot.key`
    slot: int  # number
    weight: float  # share of the text of witnesses, added up: the heaviest unit of a run leads it
    holds: bool = False  # it is a container


@dataclass(frozen=True, slots=True)
class SiteAreas:
    """The areas of a site."""

    labels: tuple[str, ...] = ()  # of each place
    containers: tuple[int, ...] = ()  # of each place
    seen: tuple[int, ...] = ()  # of each place: witnesses that have it
    once: tuple[int, ...] = ()  # places that stand once on a page
    names: tuple[tuple[str, str, str, int], ...] = ()  # vocabulary: tag, sign, name, pages
    evidence: tuple[KindEvidence, ...] = ()
    witnesses: tuple[str, ...] = ()  # URLs of the rendered pages, sorted
    grain: float = GRAIN  # strength from which there is a border
    slots: tuple[Slot, ...] = ()  # by number
    leads: tuple[SlotLead, ...] = ()  # by key
    views: tuple[SlotView, ...] = ()  # by template and slot
    newest: int = 0  # the largest number of a slot that was ever used
    version: int = 0  # rises with each change
    changes: tuple[str, ...] = ()  # decisions that are not as in the version before, in words

    def slot(self, number: int | None) -> Slot | None:
        """Return a slot by its number."""
        return next((slot for slot in self.slots if slot.number == number), None)


NO_AREAS = SiteAreas()


# Decide where the areas of a site end, from its model and its rendered pages.
#
# The result is a function of the set of pages, of the set of witnesses, and of what was decided
# before: a border that was decided stays as it was unless the evidence against it is clear. Places
# that a single page has, and no witness, are left out: they stay whole where they stand.


FEWEST_AT_PLACE = 2  # pages that have a place
ONCE = 0.9  # share of the pages with a place on which it stands once; notebook/sites.md
# Of equal neighbours, as posts and cards, each spot up to so many is a witness of its own: a page
# with thirty says more of them than one with two.
MOST_RECORDS = 30
CLEAR = 0.9  # chance that a changed decision is right, from which it is changed
CHANGES_TOLD = 20  # changes of decisions that are kept in words


@dataclass(frozen=True, slots=True)
class PageVotes:
    """What a page says of the borders of its site."""

    shares: dict[NeighbourKind, float]  # of the spots of a kind that have a border, 0..1
    spots: dict[NeighbourKind, int]  # of each kind
    places: frozenset[int]  # that it has


@dataclass(frozen=True, slots=True)
class WitnessVotes:
    """What a rendered page says."""

    url: str
    votes: PageVotes


def decide_areas(
    laid: SitePlaces,
    said: Iterable[WitnessVotes],
    *,
    grain: float = GRAIN,
    before: SiteAreas = NO_AREAS,
) -> SiteAreas:
    """Decide on the borders of a site whose pages are laid over each other."""
    ordered = sorted(said, key=lambda one: one.url)
    votes = [one.votes for one in ordered]
    seen = Counter(place for vote in votes for place in vote.places)
    pages = laid.pages()
    # Places that several pages or a witness have, and those around them.
    known = {TOP_PLACE} if len(laid.places) else set()
    for place in range(len(laid.places)):
        if pages[place] >= FEWEST_AT_PLACE or seen[place]:
            while place != NO_PLACE and place not in known:
                known.add(place)
                place = laid.places.containers[place]  # noqa: PLW2901 - climbs
    kept = sorted(known)
    numbers = {place: number for number, place in enumerate(kept)}
    names = laid.places.vocabulary.names
    found = SiteAreas(
        labels=tuple(laid.places.labels[place] for place in kept),
        containers=tuple(numbers.get(laid.places.containers[place], NO_PLACE) for place in kept),
        seen=tuple(seen[place] for place in kept),
        once=tuple(sorted(numbers[one] for one in stand_once(laid.views) if one in numbers)),
        names=tuple(sorted((*token, pages) for token, pages in names.items())),
        evidence=evidence_of(votes, numbers),
        witnesses=tuple(one.url for one in ordered),
        grain=grain,
    )
    return decided_borders(found, before)


def stand_once(views: Sequence[PageView]) -> frozenset[int]:
    """Return the places that stand once on nearly all pages that have them."""
    pages: Counter[int] = Counter()
    single: Counter[int] = Counter()
    for view in views:
        pages.update(view.places.keys())
        single.update(place for place, times in view.places.items() if times == 1)
    return frozenset(place for place in pages if single[place] > ONCE * pages[place])


def evidence_of(votes: Sequence[PageVotes], numbers: dict[int, int]) -> tuple[KindEvidence, ...]:
    """Add up what witnesses say of each kind of neighbours, in the new numbers of places."""
    sums: dict[NeighbourKind, list[float]] = {}
    for vote in votes:
        for kind, share in vote.shares.items():
            weight = min(vote.spots[kind], MOST_RECORDS) if kind.ends == kind.begins else 1
            tally = sums.setdefault(kind, [0.0, 0.0, 0.0])
            tally[0] += share * weight
            tally[1] += weight
            tally[2] += 1.0
    found = [
        KindEvidence(
            container=numbers.get(kind.container, kind.container),
            ends=numbers.get(kind.ends, kind.ends),
            begins=numbers.get(kind.begins, kind.begins),
            borders=round(borders / weights * pages, 6),
            pages=int(pages),
        )
        for kind, (borders, weights, pages) in sums.items()
    ]
    return tuple(sorted(found, key=lambda one: (one.container, one.ends, one.begins)))


def doubts_of(laid: SitePlaces, said: Iterable[WitnessVotes]) -> dict[NeighbourKind, float]:
    """Return the chance that each kind of neighbours is decided wrongly, by its witnesses."""
    votes = [one.votes for one in sorted(said, key=lambda one: one.url)]
    once, containers = stand_once(laid.views), laid.places.containers
    borders = _borders(evidence_of(votes, {}), once, containers)
    return {kind: 1.0 - borders[kind].sure for kind in borders.tallies}


def borders_of(areas: SiteAreas) -> Borders:
    """Return what the evidence says of any kind of neighbours."""
    return _borders(areas.evidence, areas.once, areas.containers)


def _borders(
    evidence: Iterable[KindEvidence], once: Iterable[int], containers: Iterable[int]
) -> Borders:
    tallies = {kind_of_evidence(one): Tally(one.borders, one.pages) for one in evidence}
    return Borders(tallies, PlaceFacts(frozenset(once), frozenset(containers)))


def kind_of_evidence(one: KindEvidence) -> NeighbourKind:
    """Return the kind of neighbours that evidence is about."""
    return NeighbourKind(one.container, one.ends, one.begins)


def decided_borders(found: SiteAreas, before: SiteAreas) -> SiteAreas:
    """Decide on each border: as before, unless the evidence against that is clear."""
    borders = borders_of(found)
    old: dict[tuple[str, ...], bool] = {}  # what was decided before, by the chains of labels
    if before.grain == found.grain:
        chains = chains_of(before)
        for one in before.evidence:
            old[tuple(chains[place] for place in kind_of_evidence(one))] = one.border
    chains = chains_of(found)
    evidence: list[KindEvidence] = []
    changes: list[str] = []
    for one in found.evidence:
        kind = kind_of_evidence(one)
        border = borders[kind]
        names = tuple(chains[place] for place in kind)
        now, was = border.strength > found.grain, old.get(names)
        held = was is not None and was != now and border.sure < CLEAR
        if was is not None and was != now and not held:
            ends, begins = (chain.rpartition(" > ")[2] for chain in names[1:])
            changes.append(
                f"{'a' if now else 'no'} border between {ends} and {begins} in {names[0]}: "
                f"strength {border.strength:.2f} by {border.pages} pages"
            )
        evidence.append(replace(one, border=not now if held else now, held=held))
    return replace(found, evidence=tuple(evidence), changes=tuple(changes[:CHANGES_TOLD]))


def chains_of(areas: SiteAreas) -> Mapping[int, str]:
    """Return the labels from the root to each place, in words."""
    chains: dict[int, str] = {INLINE_TEXT: "text", NO_PLACE: "anything"}
    for place, (label, around) in enumerate(zip(areas.labels, areas.containers, strict=True)):
        chains[place] = f"{chains[around]} > {label}" if around != NO_PLACE else label
    return chains
