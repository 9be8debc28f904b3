"""The CPS paper's experiment (section 7) on live sites: Tables 1 to 4 and Figure 3.

A site is crawled breadth first from its start page. Then, for each segmenter, its pages go through
the pipeline with an empty store: the paper's worst case, the first visit. The plain time is that of
rendering and segmenting every page, estimated from a sample that is spread evenly over the crawl
and measured in turn with the pipeline. The paper's times leave out rendering, since all its methods
share it; so both times are also given as published: segmenting, comparing, mapping, and retrieving
headlines, or bodies with Box Clustering.

A folder with the pages of a site, in crawl order, stands for a live site.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise
from pathlib import Path
from time import perf_counter

from webstencil.crawl.messages import CrawlLimits, CrawlPlan, Manners
from webstencil.crawl.source import CrawlSource
from webstencil.errors import ParseError, RenderError, SegmentError, SourceError
from webstencil.evaluate.labelled_data import spread
from webstencil.evaluate.order import Crawled
from webstencil.items.headlines import BODY, HEADLINE, marked_items
from webstencil.jobs.job import Pipeline
from webstencil.markup.parse import parse
from webstencil.model import Item, PageArea, RawPage, Status
from webstencil.protocols import Segmenter
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.site.lay import describe_own
from webstencil.sources import Folder
from webstencil.stages import find_areas
from webstencil.store import open_store

# Of the pipeline, those that the paper's times include.
PUBLISHED_STAGES = (
    *("match", "locate", "describe"),
    *("segment", "label", "represent", "learn"),
)


@dataclass(frozen=True, slots=True)
class Experiment:
    """Options of the experiment."""

    segmenters: Mapping[str, Segmenter]
    settings: Settings  # with each segmenter in turn
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
    published_plain: float  # s, segmenting every page and retrieving its headlines or bodies
    published_cps: float  # s, the same with stencils, also comparing and mapping
    retrieved: int  # headlines or bodies, on all pages
    growth: tuple[int, ...]  # clusters after each page (Figure 3)

    @property
    def hit_ratio(self) -> float:
        return 1.0 - self.clusters / self.pages if self.pages else 0.0

    @property
    def saved(self) -> float:
        """Return the share of the plain time that stencils save."""
        return 1.0 - self.cps / self.plain if self.plain else 0.0

    @property
    def published_saved(self) -> float:
        """Return the share of the time saved as the paper counts it, without rendering."""
        return 1.0 - self.published_cps / self.published_plain if self.published_plain else 0.0

    @property
    def doubled(self) -> float | None:
        """Return the rise of clusters when the pages double, from half of them to all."""
        half = self.growth[len(self.growth) // 2 - 1] if len(self.growth) > 1 else 0
        return self.clusters / half - 1.0 if half else None

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """Return pages and clusters wherever a cluster is new: Figure 3."""
        counts = enumerate(pairwise((0, *self.growth)), 1)
        return tuple((page, now) for page, (before, now) in counts if now > before)


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
        opened(start, Path(folder), experiment) as source,
        ChromiumRenderer() as renderer,
    ):
        some = islice(source.pages(), experiment.pages)
        pages = [replace(raw, resources=raw.resources or source) for raw in some]
        if not pages:
            raise SourceError(f"{start} has no page; check that its server is running")
        say(f"{site}: {len(pages)} pages crawled")
        bench = Bench(source, renderer, Path(folder))
        bench.warm_up(pages[0])
        for name, segmenter in experiment.segmenters.items():
            say(f"{site}: {name}")
            sample = frozenset(spread(len(pages), experiment.sample))
            settings = replace(experiment.settings, segmenter=segmenter)
            yield bench.run((site, name), pages, sample, settings)


def opened(
    start: str, folder: Path, experiment: Experiment
) -> AbstractContextManager[CrawlSource | Crawled]:
    """Open the crawl of a live site, or a folder in crawl order."""
    if Path(start).is_dir():
        return nullcontext(Crawled(Folder(start)))
    return CrawlSource(make_plan(start, folder, experiment))


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

    source: CrawlSource | Crawled
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
        watches = Watches()
        statuses = []
        retrieved = 0
        with open_store(self.folder / f"{named[1]}.db") as store:
            pipeline = Pipeline(store, self.renderer, settings)
            for number, raw in enumerate(pages):
                with watches.stencils.running():
                    result = pipeline.process(raw)
                with watches.retrieving.running():
                    retrieved += len(interesting(named[1], result.areas))
                statuses.append(result.status)
                if number in sample and statuses[-1] is not Status.FAILED:
                    self._plain(named[1], raw, settings, watches)
            stages = dict(pipeline.report().seconds)
        spent = sum(stages.get(stage, 0.0) for stage in PUBLISHED_STAGES)
        return make_row(named, statuses, watches, spent, retrieved)

    def _plain(self, method: str, raw: RawPage, settings: Settings, watches: "Watches") -> None:
        with suppress(ParseError, RenderError, SegmentError):
            with watches.rendering.running():
                page = parse(raw)
                snapshot = self.renderer.render(page, self.source)
            with watches.segmenting.running():
                areas = find_areas(page, snapshot, settings.segmenter)
            with watches.plainly.running():
                interesting(method, describe_own(page, areas))


@dataclass(frozen=True, slots=True)
class Watches:
    """The times of the experiment."""

    stencils: Stopwatch = field(default_factory=Stopwatch)  # whole pages in the pipeline
    retrieving: Stopwatch = field(default_factory=Stopwatch)  # from pages in the pipeline
    rendering: Stopwatch = field(default_factory=Stopwatch)  # of the sample
    segmenting: Stopwatch = field(default_factory=Stopwatch)  # of the sample
    plainly: Stopwatch = field(default_factory=Stopwatch)  # retrieving, of the sample


def interesting(method: str, areas: Sequence[PageArea]) -> list[Item]:
    """Return what the paper retrieves: bodies with Box Clustering, else headlines."""
    wanted = BODY if method == "bcs" else HEADLINE
    return [item for item in marked_items(areas) if item.kind == wanted]


def make_row(
    named: tuple[str, str],
    statuses: Sequence[Status],
    watches: Watches,
    spent: float,
    retrieved: int,
) -> MethodRow:
    """Make the row of a site; `spent` is the time of the pipeline that the paper counts, in s."""
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
        plain=pages * (watches.rendering.mean + watches.segmenting.mean),
        plain_segmenting=pages * watches.segmenting.mean,
        cps=watches.stencils.seconds,
        published_plain=pages * (watches.segmenting.mean + watches.plainly.mean),
        published_cps=spent + watches.retrieving.seconds,
        retrieved=retrieved,
        growth=tuple(growth),
    )
