"""How the plan of a site grows with the number of its pages, and what a survey costs.

Pages are read once; each is parsed barely, then parsed and outlined as a survey does it, with a
clock at each step. Then the site is surveyed with some of its pages, with more, with all of them.
What a plan covers is judged on all pages of the site, also on those that it was made without.

Pages are taken by a hash of their URLs that is not the hash by which models sample. With the same
one, the model of half of a large site would be that of the whole site. The plans of two random
halves of a small site differ by a quarter, so several are made.
"""

import resource
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from statistics import fmean, median
from time import process_time

from webstencil import markup
from webstencil.errors import ParseError
from webstencil.evaluate.labelled_data import LeftOut, nobody
from webstencil.evaluate.packed_pages import PackedPage, packed
from webstencil.jobs.survey import digest, with_storable_names
from webstencil.markup.parse import parse
from webstencil.model import RawPage
from webstencil.site.outline import outline
from webstencil.site.places import Places
from webstencil.site.plan import MUCH_IN_DOUBT, elsewhere
from webstencil.site.site_model import MOST_PAGES, OutlinedPage, SiteModel, sampling_key
from webstencil.site.survey_report import SiteSurvey, lay_out, survey_site
from webstencil.site.templates import EMPTY_SITE, find_templates
from webstencil.urls import site_of

FEWEST_PAGES = 250  # of the first step; each step has twice as many as the one before
SALT = b"plan growth %d"  # makes another order than that of `key_of`
MEGABYTE = 1_000_000  # bytes
RSS_UNIT = 1 if sys.platform == "darwin" else 1_024  # bytes, of `ru_maxrss`


@dataclass(frozen=True, slots=True)
class PageTimes:
    """What a page costs, in seconds of the processor."""

    read: float
    bare: float  # a parse and nothing else: the unit of cost
    parse: float  # as every job parses it
    outline: float  # walk and encode


@dataclass(frozen=True, slots=True)
class TimedPage:
    """A page and what it cost."""

    page: PackedPage
    times: PageTimes


@dataclass(frozen=True, slots=True)
class PlanStep:
    """The survey of some pages of a site."""

    pages: int
    renderings: int
    covered: float  # share of the text of all pages of the site, 0..1
    forecast: float  # share of the text of the surveyed pages, as the plan says, 0..1
    doubtful: int  # pages of the site with much text where no planned page has any
    places: int  # that several pages have
    templates: int
    kept: float  # bytes of a page, median
    times: PageTimes  # of all pages of the step
    decide: float  # s: model, templates, plan

    @property
    def seconds(self) -> float:
        """Return the time of the whole survey, without bare parses."""
        return self.times.read + self.times.parse + self.times.outline + self.decide

    @property
    def parses(self) -> float:
        """Return what a survey costs beyond reading and parsing, in bare parses a page."""
        bare = self.times.bare
        return (self.times.outline + self.decide) / bare if bare else 0.0


@dataclass(frozen=True, slots=True)
class SiteGrowth:
    """A site, surveyed with more and more of its pages."""

    site: str
    steps: tuple[PlanStep, ...]  # the last with all pages
    halves: tuple[int, ...]  # renderings of the plans of some halves of the pages, sorted
    peak: float  # MB; the most memory of the process so far

    @property
    def growth(self) -> float:
        """Return by which share the plan of all pages is larger than that of a half, by median."""
        return self.steps[-1].renderings / max(1.0, median(self.halves)) - 1.0


def timed_pages(pages: Iterable[RawPage], left_out: LeftOut = nobody) -> Iterator[TimedPage]:
    """Read, parse and outline pages; leave out what is not HTML."""
    left = iter(pages)
    while True:
        clock = [process_time()]
        raw = next(left, None)
        if raw is None:
            return
        clock.append(process_time())
        markup.bare_parse(raw.body)
        clock.append(process_time())
        raw = with_storable_names(raw)
        try:
            page = parse(raw)
        except ParseError:
            left_out(raw.url)
            continue
        clock.append(process_time())
        kept = packed(OutlinedPage(page.url, outline(page), digest(raw)))
        clock.append(process_time())
        steps = [end - begin for begin, end in pairwise(clock)]
        yield TimedPage(kept, PageTimes(*steps))


def by_site(pages: Iterable[TimedPage]) -> dict[str, list[TimedPage]]:
    """Sort pages by their sites."""
    sites: dict[str, list[TimedPage]] = {}
    for page in pages:
        sites.setdefault(site_of(page.page.url), []).append(page)
    return dict(sorted(sites.items()))


def at_random(pages: Iterable[TimedPage], draw: int = 0) -> list[TimedPage]:
    """Order pages by a hash of their URLs, another one for each draw."""
    return sorted(pages, key=lambda page: lot(page.page.url, draw))


def lot(url: str, draw: int = 0) -> tuple[bytes, str]:
    """Return where a page comes in a random order."""
    name = url.encode("utf-8", "surrogatepass")
    return blake2b(name, digest_size=8, key=SALT % draw).digest(), url


def site_growth(site: str, orders: Sequence[Sequence[TimedPage]]) -> SiteGrowth:
    """Survey the first pages of a site, then more of them, up to all.

    `orders` has all its pages in one or more orders. Steps are taken in the first one; the plan of
    half of the pages is made in each.
    """
    pages, *others = orders
    steps = {size: step_of(site, pages, size) for size in sizes(len(pages))}
    half = half_of(len(pages))
    halves = [renderings([one.page for one in other[:half]]) for other in others]
    planned = sorted([steps[half].renderings, *halves])
    return SiteGrowth(site, tuple(steps.values()), tuple(planned), peak_memory())


def sizes(total: int) -> list[int]:
    """Return with how many pages to survey a site: 250, 500, 1,000, ..., half, all.

    >>> sizes(1200)
    [250, 500, 600, 1000, 1200]
    """
    found = {half_of(total), total}
    size = FEWEST_PAGES
    while size < total:
        found.add(size)
        size *= 2
    return sorted(found)


def half_of(total: int) -> int:
    """Return half of a number of pages, at least one."""
    return max(1, total // 2)


def step_of(site: str, pages: Sequence[TimedPage], size: int) -> PlanStep:
    """Survey the first pages of a site, and judge the plan by all of them."""
    taken = pages[:size]
    began = process_time()
    model = model_of([one.page for one in taken])
    survey = decided(site, model, [one.page for one in taken])
    decide = process_time() - began
    covered, doubtful = judged(survey, model, [one.page for one in pages])
    return PlanStep(
        pages=size,
        renderings=len(survey.plan.pages),
        covered=covered,
        forecast=survey.plan.covered,
        doubtful=doubtful,
        places=survey.places,
        templates=len(survey.templates),
        kept=median(len(one.page.body) for one in taken),
        times=added(one.times for one in taken),
        decide=decide,
    )


def model_of(pages: Sequence[PackedPage]) -> SiteModel:
    """Return the model of pages, reading the outlines that it keeps, as a store does."""
    kept = sorted(pages, key=lambda page: (sampling_key(page.url), page.url))[:MOST_PAGES]
    model = SiteModel(page.unpacked() for page in kept)
    model.pages = len(pages)
    return model


def decided(site: str, model: SiteModel, pages: Iterable[PackedPage]) -> SiteSurvey:
    """Find the templates of a site and of each of its pages, and plan its renderings."""
    templates = find_templates(model)
    numbers = {
        page.url: templates.number_of(page.url, page.outline, learned=page.url in model)
        for page in (one.unpacked() for one in pages)
    }
    return survey_site(site, model, templates, numbers)


def renderings(pages: Sequence[PackedPage]) -> int:
    """Return how many pages the plan of some pages has."""
    return len(survey_site("", model_of(pages), EMPTY_SITE, {}).plan.pages)


def judged(survey: SiteSurvey, model: SiteModel, pages: Iterable[PackedPage]) -> tuple[float, int]:
    """Return the share of the text of pages that a plan covers, and how many stay in doubt.

    A page counts for one, whatever its size; pages without text have nothing to cover.
    """
    laid = lay_out(model)
    planned = {page.url for page in survey.plan.pages}
    seen = [view.sizes.keys() for view in laid.views if view.url in planned]
    places = set[int]().union(*seen)
    lost = list(uncovered(laid.places, places, pages))
    return 1.0 - fmean(lost) if lost else 1.0, sum(share > MUCH_IN_DOUBT for share in lost)


def uncovered(places: Places, seen: set[int], pages: Iterable[PackedPage]) -> Iterator[float]:
    """Yield the share of each page's text that stands at none of some places."""
    for page in pages:
        view = places.view(page.url, page.unpacked().outline)
        if view.size:
            yield elsewhere(view, seen)


def added(times: Iterable[PageTimes]) -> PageTimes:
    """Add up what pages cost."""
    columns = zip(*((one.read, one.bare, one.parse, one.outline) for one in times), strict=True)
    return PageTimes(*map(sum, columns))


def peak_memory() -> float:
    """Return the most memory that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT / MEGABYTE
