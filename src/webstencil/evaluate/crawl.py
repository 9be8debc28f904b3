"""The CPS paper's experiment (section 7) on live sites: Tables 1 to 4 and Figure 3.

A site is crawled breadth first from its start page. Then, for each segmenter, its pages go through
the pipeline with an empty store: the paper's worst case, the first visit. The plain time is what it
would take to render and segment every page. It is measured on a sample, drawn evenly over the
crawl, and multiplied; rendering is measured once for all segmenters. The paper's times leave
rendering out, since all its methods share it; so the plain time is given without it, too.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from webstencil.crawl import CrawlPlan, CrawlSource, Limits, Manners
from webstencil.errors import ParseError, RenderError, SourceError
from webstencil.kinds import label
from webstencil.model import Page, RawPage, Snapshot, Status
from webstencil.parse import parse
from webstencil.pipeline import Pipeline
from webstencil.render import ChromiumRenderer
from webstencil.seams import Segmenter
from webstencil.settings import Mode, Settings
from webstencil.store import open_store


@dataclass(frozen=True, slots=True)
class Experiment:
    """What is measured, and how."""

    segmenters: Mapping[str, Segmenter]
    mode: Mode
    pages: int = 500  # of a site (CPS paper, section 7)
    sample: int = 40  # pages rendered and segmented for the plain time
    delay: float = 0.0  # s between two pages


@dataclass(frozen=True, slots=True)
class MethodRow:
    """One segmenter on one site: a row of Tables 1 and 2 to 4."""

    site: str
    method: str
    pages: int  # that could be segmented
    clusters: int
    failed: int
    plain: float  # s, rendering and segmenting every page, estimated from the sample
    plain_segmenting: float  # s, the same without rendering
    cps: float  # s, with stencils
    growth: tuple[int, ...]  # clusters after each page (Figure 3)

    @property
    def hit_ratio(self) -> float:
        return 1.0 - self.clusters / self.pages if self.pages else 0.0

    @property
    def saved(self) -> float:
        """Return the share of the plain time that stencils save."""
        return 1.0 - self.cps / self.plain if self.plain else 0.0


@dataclass(frozen=True, slots=True)
class Painted:
    """A page of the sample with what painting it took."""

    page: Page
    snapshot: Snapshot
    seconds: float  # for parsing and rendering


def measure(
    site: str, start: str, experiment: Experiment, say: Callable[[str], None]
) -> Iterator[MethodRow]:
    """Crawl a site and yield a row for each segmenter."""
    with (
        tempfile.TemporaryDirectory() as folder,
        CrawlSource(make_plan(start, Path(folder), experiment)) as source,
        ChromiumRenderer() as renderer,
    ):
        pages = list(source.pages())
        if not pages:
            raise SourceError(f"{start} gave no page; is its server running?")
        say(f"{site}: {len(pages)} pages crawled")
        sample = list(paint(spread(pages, experiment.sample), source, renderer))
        for name, segmenter in experiment.segmenters.items():
            say(f"{site}: {name}")
            store = Path(folder) / f"{name}.db"
            settings = Settings(segmenter, experiment.mode)
            cps, statuses = with_stencils(pages, source, renderer, settings, store)
            yield make_row((site, name), statuses, cps, plain_times(sample, segmenter))


def make_plan(start: str, folder: Path, experiment: Experiment) -> CrawlPlan:
    """Plan the crawl of a site: its server may be on this machine."""
    return CrawlPlan(
        start=start,
        frontier=folder / "frontier",
        limits=Limits(pages=experiment.pages),
        manners=Manners(delay=experiment.delay, allow_private=True),
    )


def spread(pages: Sequence[RawPage], number: int) -> list[RawPage]:
    """Take so many pages, evenly over the crawl."""
    if len(pages) <= number:
        return list(pages)
    return [pages[place * len(pages) // number] for place in range(number)]


def paint(
    pages: Sequence[RawPage], source: CrawlSource, renderer: ChromiumRenderer
) -> Iterator[Painted]:
    """Parse and render pages; those that cannot be are left out."""
    for raw in pages:
        start = perf_counter()
        try:
            page = parse(raw)
            snapshot = renderer.render(page, source)
        except (ParseError, RenderError):
            continue
        yield Painted(page, snapshot, perf_counter() - start)


def plain_times(sample: Sequence[Painted], segmenter: Segmenter) -> tuple[float, float]:
    """Return the mean seconds of a page: rendered and segmented, and only segmented."""
    if not sample:
        return 0.0, 0.0
    start = perf_counter()
    for painted in sample:
        label(painted.page, painted.snapshot, segmenter.segment(painted.snapshot))
    segmenting = (perf_counter() - start) / len(sample)
    return segmenting + sum(one.seconds for one in sample) / len(sample), segmenting


def with_stencils(
    pages: Sequence[RawPage],
    source: CrawlSource,
    renderer: ChromiumRenderer,
    settings: Settings,
    path: Path,
) -> tuple[float, list[Status]]:
    """Process pages with an empty store; return the seconds and what became of each page."""
    with open_store(path) as store:
        pipeline = Pipeline(store, renderer, settings)
        start = perf_counter()
        statuses = [pipeline.process(raw, source).status for raw in pages]
        return perf_counter() - start, statuses


def make_row(
    named: tuple[str, str],
    statuses: Sequence[Status],
    cps: float,
    plain: tuple[float, float],
) -> MethodRow:
    """Sum up what became of the pages of a site."""
    growth: list[int] = []
    for status in statuses:
        growth.append((growth[-1] if growth else 0) + (status is Status.LEARNED))
    failed = statuses.count(Status.FAILED)
    pages = len(statuses) - failed
    return MethodRow(
        site=named[0],
        method=named[1],
        pages=pages,
        clusters=growth[-1] if growth else 0,
        failed=failed,
        plain=pages * plain[0],
        plain_segmenting=pages * plain[1],
        cps=cps,
        growth=tuple(growth),
    )
