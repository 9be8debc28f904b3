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
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from hashlib import blake2b
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from webstencil import markup
from webstencil.errors import ParseError
from webstencil.evaluate.labelled_data import LeftOut, nobody
from webstencil.evaluate.site_pages import PackedPage, packed_page
from webstencil.evaluate.tables import (
    Evaluated,
    ScoreTable,
    cells_of,
    figure,
    joined_tables,
    row_values,
    score_table,
    table_headings,
)
from webstencil.jobs.job import Pipeline
from webstencil.jobs.survey import digest, with_storable_names
from webstencil.markup.parse import parse
from webstencil.model import RawPage, Resource
from webstencil.output.plot import PlotLine, plot
from webstencil.protocols import Source
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.places import Places, lay_out
from webstencil.site.plan import MUCH_IN_DOUBT, elsewhere
from webstencil.site.site_model import MOST_PAGES, SiteModel
from webstencil.site.survey_report import SiteSurvey, survey_site
from webstencil.site.templates import EMPTY_SITE, find_templates
from webstencil.store import SqlStore, open_store
from webstencil.urls import sampling_key, site_of

FIRST_STEP = 250  # of the first step; each step has twice as many as the one before
SALT = b"plan growth %d"  # makes another order than that of `sampling_key`
BYTES_OF_MEGABYTE = 1_000_000  # bytes
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
    def whole(self) -> PlanStep:
        """Return the step with all pages."""
        return self.steps[-1]

    @property
    def of_halves(self) -> str:
        """Write the renderings of halves: the median, the fewest and the most."""
        return f"{median(self.halves):g} ({self.halves[0]}-{self.halves[-1]})"

    @property
    def growth(self) -> float:
        """Return by which share the plan of all pages is larger than that of a half, by median."""
        return self.whole.renderings / max(1.0, median(self.halves)) - 1.0


STEP_COLUMNS = (
    *("pages", "renderings", "text covered=covered:.4f", "forecast:.4f", "in doubt=doubtful"),
    *("places", "templates", "read s=times.read:.2f", "parse s=times.parse:.2f"),
    *("outline s=times.outline:.2f", "decide s=decide:.2f", "bare parse s=times.bare:.2f"),
    *("parses/page=parses:.2f", "bytes/page=kept:.0f"),
)
SUMMARY = (
    *("site", "pages=whole.pages", "renderings=whole.renderings", "of halves"),
    *("growth:+.1%", "text covered=whole.covered:.4f", "in doubt=whole.doubtful"),
    *("survey s=whole.seconds:.1f", "parses/page=whole.parses:.2f", "bytes/page=whole.kept:.0f"),
    "peak MB=peak:.0f",
)


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
        kept = packed_page(OutlinedPage(page.url, outline(page), digest(raw)))
        clock.append(process_time())
        steps = [end - begin for begin, end in pairwise(clock)]
        yield TimedPage(kept, PageTimes(*steps))


def pages_by_site(pages: Iterable[TimedPage]) -> dict[str, list[TimedPage]]:
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
    steps = {size: step_of(site, pages, size) for size in step_sizes(len(pages))}
    half = half_of(len(pages))
    halves = [renderings([one.page for one in other[:half]]) for other in others]
    planned = sorted([steps[half].renderings, *halves])
    return SiteGrowth(site, tuple(steps.values()), tuple(planned), peak_memory())


def step_sizes(total: int) -> list[int]:
    """Return with how many pages to survey a site: 250, 500, 1,000, ..., half, all.

    >>> sizes(1200)
    [250, 500, 600, 1000, 1200]
    """
    found = {half_of(total), total}
    size = FIRST_STEP
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
    model = kept_model([one.page for one in taken])
    survey = decided_survey(site, model, [one.page for one in taken])
    decide = process_time() - began
    covered, doubtful = judged_plan(survey, model, [one.page for one in pages])
    return PlanStep(
        pages=size,
        renderings=len(survey.plan.pages),
        covered=covered,
        forecast=survey.plan.covered,
        doubtful=doubtful,
        places=survey.places,
        templates=len(survey.templates),
        kept=median(len(one.page.body) for one in taken),
        times=added_times([one.times for one in taken]),
        decide=decide,
    )


def kept_model(pages: Sequence[PackedPage]) -> SiteModel:
    """Return the model of pages, reading the outlines that it keeps, as a store does."""
    kept = sorted(pages, key=lambda page: (sampling_key(page.url), page.url))[:MOST_PAGES]
    model = SiteModel(page.unpacked() for page in kept)
    model.pages = len(pages)
    return model


def decided_survey(site: str, model: SiteModel, pages: Iterable[PackedPage]) -> SiteSurvey:
    """Find the templates of a site and of each of its pages, and plan its renderings."""
    templates = find_templates(model)
    numbers = {
        page.url: templates.number_of(page.url, page.outline, learned=page.url in model)
        for page in (one.unpacked() for one in pages)
    }
    return survey_site(site, model, templates, numbers)


def renderings(pages: Sequence[PackedPage]) -> int:
    """Return how many pages the plan of some pages has."""
    return len(survey_site("", kept_model(pages), EMPTY_SITE, {}).plan.pages)


def judged_plan(
    survey: SiteSurvey, model: SiteModel, pages: Iterable[PackedPage]
) -> tuple[float, int]:
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


def added_times(times: Sequence[PageTimes]) -> PageTimes:
    """Add up what pages cost."""
    names = [field.name for field in fields(PageTimes)]
    return PageTimes(*(sum(getattr(one, name) for one in times) for name in names))


def peak_memory() -> float:
    """Return the most memory that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT / BYTES_OF_MEGABYTE


# What jobs over more and more pages of a site render, cover and cost.
#
# Each step is a job of its own with an empty store, in a process of its own, so that its memory is
# that of the job: the most that this process ever had. The browser runs in other processes and is
# not counted. Pages are rendered anew each time.


@dataclass(frozen=True, slots=True)
class RunStep:
    """A job over some pages of a site."""

    pages: int
    rendered: int
    failed: int
    forecast: float  # share of the site's text, as the plan says, 0..1
    covered: float  # share of the site's text at places that a rendered page has, 0..1
    seconds: float
    peak: float  # MB, without the browser

    @property
    def share(self) -> float:
        """Return the share of the pages that were rendered."""
        return self.rendered / self.pages


@dataclass(frozen=True, slots=True)
class RunGrowth:
    """Jobs over more and more pages of a site."""

    site: str
    steps: tuple[RunStep, ...]  # the last with all pages

    def growth_at(self, step: RunStep) -> float | None:
        """Return by which share a job renders more than one over half of its pages.

        None if there was no such job.
        """
        halves = [one for one in self.steps if one.pages == half_of(step.pages) < step.pages]
        return step.rendered / max(1, halves[0].rendered) - 1.0 if halves else None


RUN_COLUMNS = (  # before and behind the growth
    ("pages", "renderings=rendered", "share:.4f"),
    *[("failed", "forecast:.4f", "text covered=covered:.4f", "s=seconds:.1f", "peak MB=peak:.0f")],
)


@dataclass(frozen=True, slots=True)
class SomePages:
    """Those pages of a source that have some URLs, in the order of the source."""

    source: Source
    urls: frozenset[str]

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages."""
        return (raw for raw in self.source.pages() if with_storable_names(raw).url in self.urls)

    def count(self) -> int:
        """Return the number of pages."""
        return len(self.urls)

    def fetch(self, url: str) -> Resource | None:
        """Return a resource of the source."""
        return self.source.fetch(url)


def run_steps(
    source: Source, settings: Settings, *, listed: bool = False, only: Sequence[int] = ()
) -> Iterator[RunStep]:
    """Run jobs over the first pages of a source, then over more, up to all.

    Pages are taken at random, or as they are listed. `only` names the steps.
    """
    urls = list(dict.fromkeys(with_storable_names(raw).url for raw in source.pages()))
    if not listed:
        urls.sort(key=lot)
    for size in only or step_sizes(len(urls)) if urls else ():
        some = SomePages(source, frozenset(urls[:size]))
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            yield pool.submit(run_step, some, settings).result()


def run_step(source: SomePages, settings: Settings) -> RunStep:
    """Run a job; to be called in a process of its own."""
    with TemporaryDirectory(prefix="webstencil-") as folder, ChromiumRenderer() as renderer:
        began = perf_counter()
        with open_store(Path(folder) / "run.db") as store:
            pipeline = Pipeline(store, renderer, settings)
            sites = {result.site for result in pipeline.run(source) if result.site}
            seconds = perf_counter() - began
            forecast, covered = coverage(store, settings, sorted(sites))
    report = pipeline.report()
    return RunStep(
        pages=report.pages,
        rendered=report.rendered,
        failed=report.failed,
        forecast=forecast,
        covered=covered,
        seconds=seconds,
        peak=peak_memory(),
    )


def coverage(store: SqlStore, settings: Settings, sites: Sequence[str]) -> tuple[float, float]:
    """Return the share of the text of sites that was to be covered, and that is."""
    learned = [store.witnesses.learned(settings.learner, site) for site in sites]
    if not learned:
        return 0.0, 0.0
    return fmean(one.covered for one in learned), 1.0 - fmean(one.unseen for one in learned)


# What is shown of both.


def show_growth(sites: Sequence[SiteGrowth]) -> Evaluated:
    """Show the steps of each site, then a row for each, and the median of what a survey costs."""
    steps = [score_table(one.site, STEP_COLUMNS, one.steps) for one in sites]
    rows = score_table("plans of all pages, and of random halves", SUMMARY, sites)
    if len(sites) > 1:
        cost = median(one.whole.parses for one in sites)
        kept = median(one.whole.kept for one in sites)
        middle = ["median", *[""] * 7, f"{cost:.2f}", f"{kept:.0f}", ""]
        rows = replace(rows, rows=(*rows.rows, middle))
    values = [
        {**row_values(one, "growth"), "steps": [row_values(step, "parses") for step in one.steps]}
        for one in sites
    ]
    named = [(one.site, shown) for one, shown in zip(sites, steps, strict=True)]
    return Evaluated([*steps, rows], values, every_row=joined_tables("site", *named))


def show_runs(sites: Sequence[RunGrowth]) -> Evaluated:
    """Show the jobs over each site."""
    before, after = RUN_COLUMNS
    rows = [
        [
            *(one.site, *cells_of(step, before)),
            *(figure(one.growth_at(step), "+.1%"), *cells_of(step, after)),
        ]
        for one in sites
        for step in one.steps
    ]
    columns = ("site", *table_headings(before), "more than half", *table_headings(after))
    return Evaluated([ScoreTable("", columns, tuple(rows))], [asdict(one) for one in sites])


def draw_growth(sites: Sequence[SiteGrowth], path: Path) -> None:
    """Draw renderings and covered text of each site; both are numbers of up to about a hundred."""
    lines = []
    for one in sites:
        planned = [(float(step.pages), float(step.renderings)) for step in one.steps]
        covered = [(float(step.pages), 100.0 * step.covered) for step in one.steps]
        lines += [
            PlotLine(f"{one.site}: renderings", tuple(planned)),
            PlotLine(f"{one.site}: % of text covered", tuple(covered)),
        ]
    y = "renderings; % of text covered"
    plot(path, lines, title="Growth of the plan", x="pages", y=y)
