"""The CPS paper's experiment (section 7) on live sites: Tables 1 to 4 and Figure 3.

A site is crawled breadth first from its start page. Then, for each segmenter, its pages go through
the pipeline with an empty store: the paper's worst case, the first visit. The plain time is that of
rendering and segmenting every page, estimated from a sample that is spread evenly over the crawl
and measured in turn with the pipeline. The paper's times leave out rendering, since all its methods
share it; so the segmenting in the plain time is also given.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from webstencil.crawl.crawl_messages import CrawlLimits, CrawlPlan, Manners
from webstencil.crawl.crawl_source import CrawlSource
from webstencil.errors import ParseError, RenderError, SegmentError, SourceError
from webstencil.evaluate.labelled_data import spread
from webstencil.markup.parse import parse
from webstencil.model import Mode, RawPage, Status
from webstencil.pipeline.job import Pipeline
from webstencil.pipeline.page import find_areas
from webstencil.protocols import Segmenter
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.store import open_store


@dataclass(frozen=True, slots=True)
class Experiment:
    """Options of the experiment."""

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


class Stopwatch:
    """Adds up the time of one kind of work."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.times = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        start = perf_counter()
        yield
        self.seconds += perf_counter() - start
        self.times += 1

    @property
    def mean(self) -> float:
        return self.seconds / self.times if self.times else 0.0


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
            raise SourceError(f"{start} has no page; check that its server is running")
        say(f"{site}: {len(pages)} pages crawled")
        bench = Bench(source, renderer, Path(folder))
        bench.warm_up(pages[0])
        for name, segmenter in experiment.segmenters.items():
            say(f"{site}: {name}")
            sample = frozenset(spread(len(pages), experiment.sample))
            settings = Settings(segmenter, experiment.mode)
            yield bench.run((site, name), pages, sample, settings)


def make_plan(start: str, folder: Path, experiment: Experiment) -> CrawlPlan:
    """Make the plan of a crawl; the server may be on this machine."""
    return CrawlPlan(
        start=start,
        frontier=folder / "frontier",
        limits=CrawlLimits(pages=experiment.pages),
        manners=Manners(delay=experiment.delay, allow_private=True),
    )


@dataclass(frozen=True, slots=True)
class Bench:
    """Processes the pages of a site and renders some for comparison."""

    source: CrawlSource
    renderer: ChromiumRenderer
    folder: Path

    def warm_up(self, raw: RawPage) -> None:
        """Start the browser and fetch common resources, so that neither is timed."""
        with suppress(ParseError, RenderError):
            self.renderer.render(parse(raw), self.source)

    def run(
        self,
        named: tuple[str, str],
        pages: Sequence[RawPage],
        sample: frozenset[int],
        settings: Settings,
    ) -> MethodRow:
        """Process all pages with an empty store; also render and segment those of the sample.

        Both in turn, so that other load on the machine affects both.
        """
        stencils, rendering, segmenting = Stopwatch(), Stopwatch(), Stopwatch()
        statuses = []
        with open_store(self.folder / f"{named[1]}.db") as store:
            pipeline = Pipeline(store, self.renderer, settings)
            for number, raw in enumerate(pages):
                with stencils.running():
                    statuses.append(pipeline.process(raw).status)
                if number in sample and statuses[-1] is not Status.FAILED:
                    self._plain(raw, settings, rendering, segmenting)
        times = (stencils.seconds, rendering.mean, segmenting.mean)
        return make_row(named, statuses, times)

    def _plain(
        self, raw: RawPage, settings: Settings, rendering: Stopwatch, segmenting: Stopwatch
    ) -> None:
        with suppress(ParseError, RenderError, SegmentError):
            with rendering.running():
                page = parse(raw)
                snapshot = self.renderer.render(page, self.source)
            with segmenting.running():
                find_areas(page, snapshot, settings.segmenter)


def make_row(
    named: tuple[str, str], statuses: Sequence[Status], times: tuple[float, float, float]
) -> MethodRow:
    """Make the row of a site.

    `times` are with stencils, for all pages; of rendering and of segmenting, for one page.
    """
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
        plain=pages * (times[1] + times[2]),
        plain_segmenting=pages * times[2],
        cps=times[0],
        growth=tuple(growth),
    )
