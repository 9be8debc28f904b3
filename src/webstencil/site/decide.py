"""Decide where the areas of a site end, from its model and its rendered pages.

The result is a function of the set of pages and of the set of witnesses. Places that a single page
has, and no witness, are left out: they stay whole where they stand.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webstencil.model import Area, Page
from webstencil.site.borders import GRAIN
from webstencil.site.outline import NO_PLACE, TOP
from webstencil.site.places import NeighbourKind, PageView
from webstencil.site.site_areas import KindEvidence, SiteAreas
from webstencil.site.survey_report import SitePlaces
from webstencil.site.votes import PageVotes, votes_of

FEWEST = 2  # pages that have a place
ONCE = 0.9  # share of the pages with a place on which it stands once; docs/numbers.md


@dataclass(frozen=True, slots=True)
class Witness:
    """A rendered page and its own areas."""

    page: Page
    areas: tuple[Area, ...]


def decide(laid: SitePlaces, witnesses: Iterable[Witness], *, grain: float = GRAIN) -> SiteAreas:
    """Decide on the borders of a site whose pages are laid over each other."""
    ordered = sorted(witnesses, key=lambda one: one.page.url)
    votes = [votes_of(one.page, one.areas, laid.places) for one in ordered]
    seen = Counter(place for vote in votes for place in vote.places)
    kept = kept_places(laid, seen)
    numbers = {place: number for number, place in enumerate(kept)}
    names = laid.places.vocabulary.names
    return SiteAreas(
        labels=tuple(laid.places.labels[place] for place in kept),
        containers=tuple(numbers.get(laid.places.containers[place], NO_PLACE) for place in kept),
        seen=tuple(seen[place] for place in kept),
        once=tuple(sorted(numbers[one] for one in stand_once(laid.views) if one in numbers)),
        names=tuple(sorted((*token, pages) for token, pages in names.items())),
        evidence=evidence_of(votes, numbers),
        witnesses=tuple(one.page.url for one in ordered),
        grain=grain,
    )


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
            tally = sums.setdefault(kind, [0.0, 0.0])
            tally[0] += share
            tally[1] += 1.0
    found = [
        KindEvidence(
            container=numbers.get(kind.container, kind.container),
            ends=numbers.get(kind.ends, kind.ends),
            begins=numbers.get(kind.begins, kind.begins),
            borders=round(borders, 6),
            pages=int(pages),
        )
        for kind, (borders, pages) in sums.items()
    ]
    return tuple(sorted(found, key=lambda one: (one.container, one.ends, one.begins)))
