"""Decide where the areas of a site end, from its model and its rendered pages.

The result is a function of the set of pages, of the set of witnesses, and of what was decided
before: a border that was decided stays as it was unless the evidence against it is clear. Places
that a single page has, and no witness, are left out: they stay whole where they stand.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from webstencil.model import Area, Page
from webstencil.site.borders import GRAIN, Border, Borders, PlaceFacts, Tally
from webstencil.site.outline import NO_PLACE, TOP
from webstencil.site.places import INLINE, NeighbourKind, PageView
from webstencil.site.site_areas import NO_AREAS, KindEvidence, SiteAreas
from webstencil.site.survey_report import SitePlaces
from webstencil.site.votes import PageVotes, votes_of

FEWEST = 2  # pages that have a place
ONCE = 0.9  # share of the pages with a place on which it stands once; docs/numbers.md
# Of equal neighbours, as posts and cards, each spot up to so many is a witness of its own: a page
# with thirty says more of them than one with two.
MOST_RECORDS = 30
CLEAR = 0.9  # chance that a changed decision is right, from which it is changed
TOLD = 20  # changes of decisions that are kept in words


@dataclass(frozen=True, slots=True)
class Witness:
    """A rendered page and its own areas."""

    page: Page
    areas: tuple[Area, ...]


@dataclass(frozen=True, slots=True)
class WitnessVotes:
    """What a rendered page says."""

    url: str
    votes: PageVotes


def voted(laid: SitePlaces, witnesses: Iterable[Witness]) -> list[WitnessVotes]:
    """Return what rendered pages say of the places of a site."""
    return [
        WitnessVotes(one.page.url, votes_of(one.page, one.areas, laid.places)) for one in witnesses
    ]


def decide(
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
    kept = kept_places(laid, seen)
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
    return decided(found, before)


def kept_places(laid: SitePlaces, seen: Counter[int]) -> list[int]:
    """Return the places that several pages or a witness have, and those around them, sorted."""
    pages = laid.pages()
    kept = {TOP} if len(laid.places) else set()
    for place in range(len(laid.places)):
        if pages[place] >= FEWEST or seen[place]:
            while place != NO_PLACE and place not in kept:
                kept.add(place)
                place = laid.places.containers[place]  # noqa: PLW2901 - climbs
    return sorted(kept)


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
    evidence = evidence_of(votes, {})
    facts = PlaceFacts(stand_once(laid.views), frozenset(laid.places.containers))
    tallies = {kind_of(one): Tally(one.borders, one.pages) for one in evidence}
    borders = Borders(tallies, facts)
    return {kind: 1.0 - borders[kind].sure for kind in tallies}


def borders_of(areas: SiteAreas) -> Borders:
    """Return what the evidence says of any kind of neighbours."""
    facts = PlaceFacts(frozenset(areas.once), frozenset(areas.containers))
    tallies = {kind_of(one): Tally(one.borders, one.pages) for one in areas.evidence}
    return Borders(tallies, facts)


def kind_of(one: KindEvidence) -> NeighbourKind:
    """Return the kind of neighbours that evidence is about."""
    return NeighbourKind(one.container, one.ends, one.begins)


def decided(found: SiteAreas, before: SiteAreas) -> SiteAreas:
    """Decide on each border: as before, unless the evidence against that is clear."""
    borders = borders_of(found)
    old = old_decisions(before) if before.grain == found.grain else {}
    chains = chains_of(found)
    evidence: list[KindEvidence] = []
    changes: list[str] = []
    for one in found.evidence:
        border = borders[kind_of(one)]
        told = told_kind(one, chains)
        now, was = border.strength > found.grain, old.get(told)
        held = was is not None and was != now and border.sure < CLEAR
        if was is not None and was != now and not held:
            changes.append(words_of_change(told, now, border))
        evidence.append(replace(one, border=not now if held else now, held=held))
    return replace(found, evidence=tuple(evidence), changes=tuple(changes[:TOLD]))


def old_decisions(before: SiteAreas) -> dict[tuple[str, str, str], bool]:
    """Return what was decided before, by the chains of labels."""
    chains = chains_of(before)
    return {told_kind(one, chains): one.border for one in before.evidence}


def chains_of(areas: SiteAreas) -> Mapping[int, str]:
    """Return the labels from the root to each place, in words."""
    chains: dict[int, str] = {INLINE: "text", NO_PLACE: "anything"}
    for place, (label, around) in enumerate(zip(areas.labels, areas.containers, strict=True)):
        chains[place] = f"{chains[around]} > {label}" if around != NO_PLACE else label
    return chains


def told_kind(one: KindEvidence, chains: Mapping[int, str]) -> tuple[str, str, str]:
    """Name a kind of neighbours by the labels of its places."""
    return chains[one.container], chains[one.ends], chains[one.begins]


def words_of_change(told: tuple[str, str, str], now: bool, border: Border) -> str:
    """Say what is decided anew, and why."""
    container, ends, begins = told
    last = [chain.rpartition(" > ")[2] for chain in (ends, begins)]
    what = "a border" if now else "no border"
    return (
        f"{what} between {last[0]} and {last[1]} in {container}: strength {border.strength:.2f} "
        f"by {border.pages} pages"
    )


def cut_places(areas: SiteAreas) -> Iterator[int]:
    """Yield the containers that have a border in them."""
    yield from (one.container for one in areas.evidence if one.border)
