"""Which pages of a site to render, in order of gain, and what they will cover.

A rendered page is a witness for the places that it has, and for its kinds of neighbours. Pages are
chosen one after the other so that all text of the site stands at places with witnesses: each place
counts by the share of the pages' text that stands there, each kind of neighbours by the text on its
smaller side. A second witness counts for half of the first, a third for a quarter. A page with much
text where no other page has anything is a poor witness for the others: what it adds counts by the
share of its text at places that others have, too. This ends where the next page adds less than it
costs.

If the pages vote on borders (`areas.py`), more witnesses count, and a page that is much longer or
shorter than the others of its template counts less, since segmenters cut by size (`typicality`).
Then the first plan takes two thirds of the budget, and a second one takes pages that have the kinds
of neighbours whose borders are in doubt after that (`second_plan`).

Then come loners: pages that stand for themselves alone. They are worth a rendering only while
little of the site is covered. The plan is a function of the set of pages; ties go to the page that
comes first in the model.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace
from itertools import islice
from statistics import median
from typing import TypeAlias

from webstencil.model import Area, RawPage, Snapshot
from webstencil.site.places import NeighbourKind, PageView, text_shares

# What has witnesses: a place, a kind of neighbours, or a template by its number.
Covered: TypeAlias = int | NeighbourKind | tuple[str, int]
TEMPLATE = "template"

WITNESSES = (1.0, 0.5, 0.25)  # what the first, second and third witness of a thing count for
# The same if pages vote: a share needs more witnesses than coverage.
VOTERS = tuple(1.0 / number for number in range(1, 7))
# Share of all that there is to gain. With less, plans grow and what they cover does not; see
# notebook/sites.md.
LEAST_GAIN = 0.0002
ENOUGH_COVERED = 0.99  # share of the site's text; if it is covered, loners are left in doubt
MUCH_IN_DOUBT = 0.05  # share of a page's text; with more of it in doubt, the page is
# Pages of a site for each rendering, and the fewest renderings, if nobody names a budget: few
# enough to save 95 %, enough to witness all that is common (notebook/sites.md).
PAGES_PER_RENDERING = 36
FEWEST_RENDERINGS = 6
ENOUGH_RENDERINGS = 12  # of a site with few templates; more make it no better
FEW_PER_RENDERING = 20  # pages for each rendering up to that
COMMON = 5  # pages of a template that has witnesses of its own
SMALL = 8  # pages for each rendering of a site that is too small for the fewest
FIRST_SHARE = 2 / 3  # of the budget: the first plan covers the site, the second resolves doubts
CHANCE_WITHOUT_EVIDENCE = 0.5  # chance that a decision without evidence is wrong
NOT_MORE = 1e-12  # gains that differ by less are equal: sums of floats differ by their order


@dataclass(frozen=True, slots=True)
class PlannedPage:
    """A page to render."""

    url: str
    gain: float  # share of all that there is to gain, 0..1
    covered: float  # share of the site's text at places that it has, or one before it, 0..1


@dataclass(frozen=True, slots=True)
class Plan:
    """The pages to render, in order of gain."""

    pages: tuple[PlannedPage, ...] = ()
    unseen: float = 0.0  # share of a page's text where no other page has any, on average, 0..1
    doubtful: tuple[str, ...] = ()  # URLs of pages with much text where no planned page has any

    @property
    def covered(self) -> float:
        """Return the share of the site's text at places that one of the planned pages has."""
        return self.pages[-1].covered if self.pages else 0.0


def budget_for(pages: int, templates: Iterable[int] = (), budget: int | None = None) -> int:
    """Return the most pages of a site to render, by its size if no budget is named.

    `templates` are the numbers of pages of its templates: those with several pages have two
    witnesses each, as far as the site is large enough.

    >>> budget_for(1), budget_for(20), budget_for(136), budget_for(300), budget_for(1_263)
    (1, 3, 6, 12, 35)
    """
    if budget is not None:
        return budget
    common = sum(number >= COMMON for number in templates)
    small = min(FEWEST_RENDERINGS, 1 + pages // SMALL)
    most = pages // FEW_PER_RENDERING
    return max(small, pages // PAGES_PER_RENDERING, min(max(ENOUGH_RENDERINGS, 2 * common), most))


def plan_renderings(
    views: Sequence[PageView],
    *,
    budget: int | None = None,
    least: float = LEAST_GAIN,
    templates: Mapping[str, int] | None = None,
    rendered: Collection[str] = (),
    failed: Collection[str] = (),
) -> Plan:
    """Choose the pages to render.

    `views` come in an order that depends on nothing but the pages. Pages are chosen up to `budget`,
    as long as each adds `least` of all that there is to gain. With the `templates` of pages by URL,
    the plan is one of pages that vote. Pages that are `rendered` already come first, in the order
    of the views; those that `failed` are not chosen.
    """
    alone = text_alone(views)
    coverage = Coverage(views)
    weights = [
        0.0 if view.url in failed else 1.0 - share for view, share in zip(views, alone, strict=True)
    ]
    if templates is not None:
        typical = typicality(views, templates)
        weights = [one * factor for one, factor in zip(weights, typical, strict=True)]
    witnesses = WITNESSES if templates is None else VOTERS
    known = [number for number, view in enumerate(views) if view.url in rendered]
    chosen = by_gain(views, weights, least, witnesses, first=known, templates=templates or {})
    pages = [coverage.add(view, gain) for view, gain in islice(chosen, budget)]
    for view, gain in loners(views, alone, least):
        if coverage.share >= ENOUGH_COVERED or (budget is not None and len(pages) >= budget):
            break
        if view.url not in failed and elsewhere(view, coverage.places) > 0.0:
            pages.append(coverage.add(view, gain))
    unseen = sum(alone) / len(alone) if alone else 0.0
    doubtful = [view.url for view in views if elsewhere(view, coverage.places) > MUCH_IN_DOUBT]
    return Plan(tuple(pages), round(unseen, 6), tuple(doubtful))


class Coverage:
    """How much of a site's text stands at places of the pages chosen so far."""

    def __init__(self, views: Sequence[PageView]) -> None:
        self.places: set[int] = set()
        self._text = text_shares(views)
        self._all = self._text.total()
        self._sum = 0.0

    @property
    def share(self) -> float:
        """Return the share of the site's text, 0..1."""
        return min(1.0, self._sum / self._all) if self._all else 0.0

    def add(self, view: PageView, gain: float) -> PlannedPage:
        """Choose a page."""
        for place in view.sizes.keys() - self.places:
            self._sum += self._text[place]
        self.places.update(view.sizes)
        return PlannedPage(view.url, round(gain, 6), round(self.share, 6))


def typicality(views: Sequence[PageView], templates: Mapping[str, int]) -> list[float]:
    """Return how near the text of each page is to the median of its template, 0..1."""
    sizes: dict[int | None, list[int]] = {}
    for view in views:
        sizes.setdefault(templates.get(view.url), []).append(max(1, view.size))
    middle = {template: median(found) for template, found in sizes.items()}
    ratios = [max(1, view.size) / middle[templates.get(view.url)] for view in views]
    return [min(ratio, 1.0 / ratio) for ratio in ratios]


def by_gain(  # noqa: PLR0913 - options
    views: Sequence[PageView],
    weights: Sequence[float],
    least: float,
    witnesses: Sequence[float] = WITNESSES,
    *,
    first: Sequence[int] = (),
    templates: Mapping[str, int] | None = None,
    stake: Mapping[Covered, float] | None = None,
) -> Iterator[tuple[PageView, float]]:
    """Yield pages and what each adds to those before it, as a share, the best first.

    `weights` say how good a witness each page is, 0..1. What a page adds never grows while others
    are chosen, so most pages are looked at once. Those numbered `first` come before all others.
    A page is a witness for its template, too, if these are given. `stake` is what a witness of each
    thing is worth, if it is not all the text that depends on it.
    """
    things = [things_of(view, templates or {}) for view in views]
    worth = worths(views, templates or {})
    total = worth.total() * sum(witnesses)
    if stake is not None:
        worth = Counter(stake)
    met: Counter[Covered] = Counter()  # witnesses so far
    firsts = {(TEMPLATE, number) for number in (templates or {}).values()}  # one will do

    def gain(number: int) -> float:
        left = [
            worth[one] * witnesses[met[one]]
            for one in things[number]
            if met[one] < (1 if one in firsts else len(witnesses))
        ]
        return sum(left) * weights[number] / total if left else 0.0

    for number in first:
        yield views[number], gain(number)
        met.update(things[number])
    left = sorted(set(range(len(views))).difference(first))
    heap = [(-gain(number), number) for number in left]
    heapify(heap)
    while heap and -heap[0][0] >= least:
        known, number = heap[0]
        now = gain(number)
        if -known - now > NOT_MORE:
            heapreplace(heap, (-now, number))
            continue
        heappop(heap)
        met.update(things[number])
        yield views[number], now


def loners(
    views: Sequence[PageView], alone: Sequence[float], least: float
) -> Iterator[tuple[PageView, float]]:
    """Yield the pages that stand for themselves, those with most text of their own first."""
    total = worths(views, {}).total() * sum(WITNESSES)
    order = sorted(range(len(views)), key=lambda number: (-alone[number], number))
    for number in order:
        gain = alone[number] / total if total else 0.0
        if gain < least:
            return
        yield views[number], gain


def things_of(view: PageView, templates: Mapping[str, int]) -> tuple[Covered, ...]:
    """Return what a page is a witness for."""
    number = templates.get(view.url)
    return (*view.sizes, *view.kinds, *(((TEMPLATE, number),) if number else ()))


def worths(views: Sequence[PageView], templates: Mapping[str, int]) -> Counter[Covered]:
    """Return how much depends on each place and kind of neighbours, and on each template.

    It is the text of a page, which counts for one; a template is worth its pages.
    """
    worth: Counter[Covered] = Counter()
    for view in views:
        for place, size in view.sizes.items():
            worth[place] += size / view.size  # type: ignore[assignment]  # floats count as well
        for kind, share in view.kinds.items():
            worth[kind] += share  # type: ignore[assignment]  # the same
        if number := templates.get(view.url):
            worth[TEMPLATE, number] += 1
    return worth


def second_plan(
    views: Sequence[PageView],
    doubts: Mapping[NeighbourKind, float],
    chosen: Collection[str],
    templates: Mapping[str, int],
    *,
    most: int,
    failed: Collection[str] = (),
) -> tuple[str, ...]:
    """Choose more pages to render, where those that were rendered leave borders in doubt.

    `doubts` are the chances that kinds of neighbours are decided wrongly; of a kind that no page
    has which was `chosen` before, it is that of a coin.
    """
    alone = text_alone(views)
    weights = [
        0.0 if view.url in chosen or view.url in failed else (1.0 - share) * factor
        for view, share, factor in zip(views, alone, typicality(views, templates), strict=True)
    ]
    stake: dict[Covered, float] = {
        kind: worth * doubts.get(kind, CHANCE_WITHOUT_EVIDENCE)
        for kind, worth in worths(views, {}).items()
        if isinstance(kind, NeighbourKind)
    }
    found = by_gain(views, weights, LEAST_GAIN, VOTERS, stake=stake)
    return tuple(view.url for view, _ in islice(found, max(0, most)))


def text_alone(views: Sequence[PageView]) -> list[float]:
    """Return the share of each page's text at places that no other page has."""
    pages = Counter(place for view in views for place in view.sizes)
    return [
        sum(size for place, size in view.sizes.items() if pages[place] == 1) / max(1, view.size)
        for view in views
    ]


def elsewhere(view: PageView, places: set[int]) -> float:
    """Return the share of a page's text that stands at none of some places."""
    inside = sum(size for place, size in view.sizes.items() if place in places)
    return 1.0 - inside / view.size if view.size else 0.0


# A rendered page of a site, as it is kept: it can speak again when the site has grown.


@dataclass(frozen=True, slots=True)
class RenderedWitness:
    """A rendered page, and its own areas."""

    url: str
    body: bytes
    charset: str | None
    digest: bytes  # of what its result depends on
    snapshot: Snapshot
    areas: tuple[Area, ...]

    @property
    def raw(self) -> RawPage:
        """Return the page."""
        return RawPage(self.url, self.body, self.charset)


@dataclass(frozen=True, slots=True)
class PlanBase:
    """What a plan was made from: a job that was killed makes the same plan again."""

    stamp: bytes = b""
    rendered: tuple[str, ...] = ()  # URLs of pages that were rendered before


@dataclass(frozen=True, slots=True)
class Learned:
    """What was made of a site, so that it is not made again for nothing."""

    stamp: bytes = b""  # of what it was made from; empty if it is to be made again
    planned: int = 0  # renderings that the first plan asked for
    covered: float = 0.0  # share of the site's text that they were to cover, 0..1
    rendered: int = 0  # witnesses
    unseen: float = 0.0  # share of the site's text where no witness has anything, 0..1
    failed: tuple[str, ...] = ()  # URLs of planned pages that could not be rendered
    reason: str = ""  # why fewer pages were rendered than planned, or none
