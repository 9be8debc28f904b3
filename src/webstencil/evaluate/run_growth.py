"""What jobs over more and more pages of a site render, cover and cost.

Each step is a job of its own with an empty store, in a process of its own, so that its memory is
that of the job: the most that this process ever had. The browser runs in other processes and is not
counted. Pages are rendered anew each time.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from time import perf_counter

from webstencil.evaluate.plan_growth import half_of, lot, peak_memory, sizes
from webstencil.jobs.job import Pipeline
from webstencil.jobs.survey import with_storable_names
from webstencil.model import RawPage, Resource
from webstencil.protocols import Source
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.store import SqlStore, open_store


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
    for size in only or sizes(len(urls)) if urls else ():
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
