"""The CPS paper's experiment (section 7) on live sites: Tables 1 to 4 and Figure 3.

A site is crawled breadth first from its start page. Then, for each segmenter, its pages go through
the pipeline with an empty store: the paper's worst case, the first visit. The plain time is that of
rendering and segmenting every page, estimated from a sample that is spread evenly over the crawl
and measured in turn with the pipeline. The paper's times leave out rendering, since all its methods
share it; so both times are also given as published: segmenting, comparing, mapping, and retrieving
headlines, or bodies with Box Clustering.

A folder with the pages of a site, in crawl order, stands for a live site.
"""

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import islice, pairwise
from pathlib import Path
from time import perf_counter
from typing import Unpack

import click

from research.papers.crawl_order import Crawled
from webstencil.cli import screen
from webstencil.cli.evaluate_commands import data_command
from webstencil.cli.method_options import (
    PublishedOptions,
    chosen_segmenters,
    is_published,
    mode_option,
    mode_preset_option,
    set_options,
    settings_help,
    with_published,
    with_variants,
)
from webstencil.cli.options import PATH, json_option
from webstencil.codec import put
from webstencil.crawl.messages import CrawlLimits, CrawlPlan, Manners
from webstencil.crawl.source import CrawlSource
from webstencil.errors import ParseError, RenderError, SegmentError, SourceError
from webstencil.evaluate.labelled_data import evenly_spread
from webstencil.items.headlines import BODY, HEADLINE, marked_items
from webstencil.jobs.job import Pipeline
from webstencil.markup.parse import parse
from webstencil.model import Item, Mode, PageArea, RawPage, Status
from webstencil.output.files import writing_explained
from webstencil.output.plot import PlotLine, plot
from webstencil.protocols import Segmenter
from webstencil.render import ChromiumRenderer
from webstencil.segment import SEGMENTERS
from webstencil.settings import Settings
from webstencil.site.lay import describe_own
from webstencil.sources import Folder
from webstencil.stages import find_areas
from webstencil.store import open_store
from webstencil.urls import site_of

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


def measure_site(
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
            sample = frozenset(evenly_spread(len(pages), experiment.sample))
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


# The CPS paper's tables as Markdown, its Figure 3 as a plot.


TABLES = {  # the paper's number of each method's table
    "vips": "Table 2. VIPS",
    "burget": "Table 3. Burget's method",
    "bcs": "Table 4. Box Clustering",
}


# Table 1, and of Tables 2 to 4 the times plain and by CPS in s, and the time saved in per cent.
PAPER_ROWS: tuple[tuple[str, int, float, tuple[tuple[int, int, float], ...]], ...] = (
    ("iDnes.cz", 42, 91.6, ((1158, 145, 87.5), (4019, 282, 93.0), (1423, 195, 86.3))),
    ("e15.cz", 27, 94.6, ((661, 55, 91.7), (420, 34, 91.9), (411, 42, 89.7))),
    ("telegraph.co.uk", 32, 93.6, ((2719, 841, 69.1), (1569, 97, 93.8), (1521, 603, 60.3))),
    ("slashdot.org", 18, 96.4, ((1925, 89, 95.4), (946, 30, 96.8), (597, 50, 91.6))),
    ("businessinsider.com", 16, 96.8, ((766, 38, 95.0), (587, 29, 95.1), (530, 34, 93.6))),
    ("gizmodo.com", 11, 97.8, ((560, 39, 93.0), (832, 38, 95.4), (771, 49, 93.6))),
)
PAPER_RISE = "+33%"  # of clusters when pages double, at most (section 7)


def markdown_tables(rows: Sequence[MethodRow], mode: str) -> str:
    """Write all tables, Figure 3 as steps, and the paper's own figures."""
    lines = [
        *cluster_table(rows, mode),
        *time_tables(rows),
        *growth_steps(rows),
        *published_figures(),
    ]
    return "\n".join(lines) + "\n"


def cluster_table(rows: Sequence[MethodRow], mode: str) -> Iterator[str]:
    """Write Table 1, with a row for each method."""
    yield f"**Table 1. Clusters, mode {mode}**"
    yield ""
    yield "| site | method | pages | clusters | hit ratio | rise when pages double | failed |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        rise = "-" if row.doubled is None else f"{row.doubled:+.0%}"
        yield (
            f"| {row.site} | {row.method} | {row.pages} | {row.clusters} | {row.hit_ratio:.1%} "
            f"| {rise} | {row.failed} |"
        )
    yield ""


def time_tables(rows: Sequence[MethodRow]) -> Iterator[str]:
    """Write a table of times for each method: as published, and with rendering."""
    for method in dict.fromkeys(row.method for row in rows):
        yield f"**{TABLES.get(method, method.capitalize())}**"
        yield ""
        yield (
            "| site | plain | CPS | time saved | retrieved "
            "| plain, with rendering | CPS, with rendering | time saved, with rendering |"
        )
        yield "|---|---|---|---|---|---|---|---|"
        for row in rows:
            if row.method == method:
                yield (
                    f"| {row.site} | {row.published_plain:.2f} s | {row.published_cps:.2f} s "
                    f"| {row.published_saved:.1%} | {row.retrieved} "
                    f"| {row.plain:.1f} s | {row.cps:.1f} s | {row.saved:.1%} |"
                )
        yield ""


def growth_steps(rows: Sequence[MethodRow]) -> Iterator[str]:
    """Write Figure 3 as steps: the page at which each cluster was new."""
    yield "**Figure 3. Clusters after pages**"
    yield ""
    methods: dict[tuple[str, tuple[tuple[int, int], ...]], list[str]] = {}
    for row in rows:  # clusters depend on the segmenter only if it fails on pages
        methods.setdefault((row.site, row.steps), []).append(row.method)
    for (site, steps), names in methods.items():
        told = ", ".join(f"{clusters} after {page}" for page, clusters in steps)
        yield f"- {site}, {', '.join(names)}: {told}"
    yield ""


def published_figures() -> Iterator[str]:
    """Write the paper's own Tables 1 to 4: 500 pages a site, times without rendering."""
    yield f"**The paper's own figures, 500 pages a site; clusters rise by {PAPER_RISE} at most**"
    yield ""
    yield "| site | clusters | hit ratio | VIPS: plain, CPS, saved | Burget | Box Clustering |"
    yield "|---|---|---|---|---|---|"
    for site, clusters, hits, times in PAPER_ROWS:
        cells = [f"{plain} s, {cps} s, {saved}%" for plain, cps, saved in times]
        yield f"| {site} | {clusters} | {hits}% | {' | '.join(cells)} |"


def crawl_report(rows: Sequence[MethodRow]) -> str:
    """Write all numbers as JSON."""
    return json.dumps(
        [{**asdict(row), **derived(row)} for row in rows],
        indent=1,
    )


def derived(row: MethodRow) -> dict[str, object]:
    """Return what follows from the numbers of a row."""
    return {
        "hit_ratio": row.hit_ratio,
        "saved": row.saved,
        "published_saved": row.published_saved,
        "doubled": row.doubled,
        "steps": row.steps,
    }


def plot_growth(path: Path, rows: Sequence[MethodRow]) -> None:
    """Draw how the number of clusters grows with the pages; methods that agree share a line."""
    methods: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for row in rows:
        methods.setdefault((row.site, row.growth), []).append(row.method)
    lines = [
        PlotLine(f"{site} ({', '.join(names)})", tuple(enumerate(growth, 1)))
        for (site, growth), names in methods.items()
    ]
    plot(path, lines, title="Clusters found while crawling", x="pages", y="clusters", counts=True)


# `webstencil evaluate crawl`: the CPS paper's experiment on live sites.


PAPER_METHODS = ("vips", "burget", "bcs", "guo")  # in the order of the tables


class CrawlTableOptions(PublishedOptions):
    """Options of `webstencil evaluate crawl`."""

    starts: tuple[str, ...]
    pages: int
    sample: int
    names: tuple[str, ...]
    values: tuple[str, ...]
    preset: str | None
    mode: str
    delay: float
    md: Path | None
    plot_path: Path | None
    as_json: bool


@data_command("crawl")
@click.option(
    "--pages", type=click.IntRange(1), default=500, show_default=True, help="Pages of a site."
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    default=40,
    show_default=True,
    help="Pages rendered to estimate the time without stencils.",
)
@click.option(
    "--with",
    "names",
    type=click.Choice(sorted(SEGMENTERS)),
    multiple=True,
    default=PAPER_METHODS,
    show_default=True,
    help="Segmenter (repeatable).",
)
@set_options
@mode_preset_option
@settings_help
@mode_option
@with_published
@click.option("--delay", type=click.FloatRange(0.0), default=0.0, help="Seconds between pages.")
@click.option("--md", type=PATH, help="Also write the tables to this file.")
@click.option(
    "--plot",
    "plot_path",
    type=PATH,
    help="Draw the growth of clusters into this file (PNG or SVG).",
)
@json_option("all numbers")
def crawl_command(**options: Unpack[CrawlTableOptions]) -> None:
    """Crawl sites and print Tables 1 to 4 of the CPS paper.

    URL is the start page of a site, whose server may be on this machine, or a folder with its
    pages. The tables have clusters, hit ratio and time saved, without rendering as published and
    with it; Figure 3 is written as steps.
    """
    experiment = chosen_experiment(options)
    rows: list[MethodRow] = []
    for start in options["starts"]:
        name, url = named_start(start)
        rows += measure_site(name, url, experiment, screen.complain)
    tables = markdown_tables(rows, options["mode"])
    if options["md"] is not None:
        with writing_explained(options["md"]):
            put(options["md"], tables.encode())
    if options["plot_path"] is not None:
        plot_growth(options["plot_path"], rows)
    screen.say(crawl_report(rows) if options["as_json"] else tables)


def chosen_experiment(options: CrawlTableOptions) -> Experiment:
    """Return the experiment that the options ask for."""
    mode = Mode(options["mode"])
    published = is_published(options["preset"], mode)
    segmenters = chosen_segmenters(options["names"], options["values"], published=published)
    return Experiment(
        segmenters,
        with_variants(Settings(mode=mode), options),
        options["pages"],
        options["sample"],
        options["delay"],
    )


def named_start(start: str) -> tuple[str, str]:
    """Split NAME=URL; a site without a name is named by its URL."""
    name, equals, url = start.partition("=")
    if equals and "/" not in name:
        return name, url
    return (Path(start).resolve().name if Path(start).is_dir() else site_of(start)), start
