"""Fidelity: how well the areas of hits agree with those of their own renderings.

The pages of a site go through the pipeline. Some hits, chosen at random, are also rendered and
segmented; both results divide the page's visible text, and extended B-cubed over characters
compares them. A text belongs to the innermost area around it; a text in no area is an area of its
own.

Only results are compared, as users get them: the nodes of an area are those its XPath names. So
every mode of the pipeline is measured in the same way.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Self, TypeAlias

from research.papers.crawl_order import Crawled
from webstencil import markup
from webstencil.errors import RenderError
from webstencil.evaluate.fidelity import BAD, UNCOUNTED, rendered, rendering_seconds
from webstencil.evaluate.site_pages import Excerpt
from webstencil.evaluate.tables import Evaluated, mean_known, mean_row, score_table
from webstencil.jobs.job import Pipeline
from webstencil.markup.parse import parse
from webstencil.model import NodeId, Page, PageArea, PageResult, RawPage, Snapshot, Status, Stencil
from webstencil.protocols import Done, Renderer, Resources, Source, Store
from webstencil.report import Report
from webstencil.settings import Settings
from webstencil.stages import OUTSIDE, agreement, numbers, owners, visible_texts
from webstencil.store import open_store

# The cost of hits, measured in jobs that have some stencils and get pages they have not seen.
#
# Each page gets a bare parse right before the job gets it, so that both find the processor's caches
# as a job leaves them. Several jobs are run; a page counts with its fastest parse and its fastest
# hit, since slower ones measure other load on the machine.


STAGES = ("parse", "match", "locate", "describe")  # from bytes to areas with their texts
JOBS = 7


@dataclass(frozen=True, slots=True)
class HitCost:
    """The times of one hit."""

    bare: float  # s, a parse and nothing else
    stages: tuple[float, ...]  # s, in the order of `STAGES`

    @property
    def seconds(self) -> float:
        return sum(self.stages)

    @property
    def parses(self) -> float:
        return self.seconds / self.bare


def hit_costs(
    stencils: Sequence[Stencil], raws: Sequence[RawPage], settings: Settings
) -> dict[str, HitCost]:
    """Return the cost of the pages that hit one of the stencils, by URL."""
    found: dict[str, HitCost] = {}
    for _ in range(JOBS):
        for url, cost in job_with(stencils, raws, settings).items():
            found[url] = fastest(found.get(url, cost), cost)
    return found


def job_with(
    stencils: Sequence[Stencil], raws: Sequence[RawPage], settings: Settings
) -> dict[str, HitCost]:
    """Run a job that has some stencils and cannot render; return the cost of its hits."""
    costs: dict[str, HitCost] = {}
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "hits.db")) as store:
        save_stencils(store, stencils, settings)
        pipeline = Pipeline(store, PreparedRenderer(None), settings)
        for raw in raws:
            bare = parse_seconds(raw.body)
            before = dict(pipeline.report().seconds)
            result = pipeline.process(raw)
            after = dict(pipeline.report().seconds)
            if result.status is Status.HIT:
                spent = [after.get(name, 0.0) - before.get(name, 0.0) for name in STAGES]
                costs[raw.url] = HitCost(bare, tuple(spent))
    return costs


def save_stencils(store: Store, stencils: Iterable[Stencil], settings: Settings) -> None:
    """Save stencils in a store as if they had been learned there."""
    for known in stencils:
        learned = PageResult(known.made_from, known.site, Status.LEARNED, known.key, 1.0)
        store.save(settings.learner, [Done(learned, b"", known)])


def fastest(one: HitCost, other: HitCost) -> HitCost:
    """Return the fastest bare parse and the fastest hit."""
    return HitCost(min(one.bare, other.bare), min(one.stages, other.stages, key=sum))


def parse_seconds(body: bytes) -> float:
    """Return the seconds of a bare parse."""
    began = perf_counter()
    markup.bare_parse(body)
    return perf_counter() - began


ANY = 1.0  # distance at which any stencil matches any page
TIMED_HITS = 3  # hits of a site that are rendered to measure what a rendering costs
PLAIN = ("segment", "label", "represent")  # stages that a page without a stencil goes through


@dataclass(frozen=True, slots=True)
class FidelitySettings:
    """What to measure."""

    settings: Settings
    pages: int | None = None  # of a site at most; None for all
    every: int = 1  # take one page in so many: pages of a folder are alike
    sample: int = 30  # hits of a site that are compared with their renderings
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """A hit and its page."""

    raw: RawPage
    result: PageResult


@dataclass(frozen=True, slots=True)
class Run:
    """The hits and stencils of a site."""

    hits: tuple[Hit, ...]
    stencils: tuple[Stencil, ...]
    report: Report


@dataclass(frozen=True, slots=True)
class HitScore:
    """The fidelity of a hit."""

    url: str
    fidelity: float  # 0..1
    covered: float  # 0..1, share of the visible characters in some area
    own: float  # 0..1, fidelity with the page's own stencil
    chance: float | None  # 0..1, with a random stencil of the site; None if it was refused
    areas: tuple[PageArea, ...] = ()  # of the hit


@dataclass(frozen=True, slots=True)
class FidelityCost:
    """The cost of a hit; None where there was nothing to measure."""

    parses: float | None  # bare parses of the same page, median
    renderings: float | None  # renderings, mean
    saved: float | None = None  # 0..1, share of time that stencils save on the site


@dataclass(frozen=True, slots=True)
class FidelityRow:
    """The scores of a site; None where there was nothing to measure."""

    site: str
    pages: float
    failed: float
    stencils: float
    hit_ratio: float | None
    judged: float  # hits that were compared with their renderings
    located: float | None  # 0..1, share of a stencil's areas with nodes, over all hits
    covered: float | None  # 0..1
    fidelity: float | None  # 0..1
    bad: float | None  # 0..1, share of the judged hits below BAD
    chance: float | None  # 0..1
    own: float | None  # 0..1, must be 1
    cost: FidelityCost


COLUMNS = (
    *("site", "pages:n", "failed:n", "stencils:n", "hit ratio:.3f", "areas located=located:.3f"),
    *("judged:n", "text covered=covered:.3f", "fidelity:.3f", f"below {BAD}=bad:.3f"),
    *("random stencil=chance:.3f", "own stencil=own:.3f", "parses/hit=cost.parses:.1f"),
    *("renderings/hit=cost.renderings:.4f", "time saved=cost.saved:.3f"),
)


@dataclass(frozen=True, slots=True)
class PreparedRenderer:
    """A renderer with the snapshot of its one page, or with none."""

    snapshot: Snapshot | None

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Return the snapshot of the page."""
        del resources, screenshot
        if self.snapshot is None:
            raise RenderError(f"{page.url} hits no stencil and must not be rendered")
        return self.snapshot

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing."""


Measured: TypeAlias = tuple[FidelityRow, tuple[HitScore, ...]]


def in_paper_mode(
    settings: Settings, *, pages: int | None, every: int, sample: int, seed: int
) -> tuple[Callable[[str, Source, Renderer, Renderer], Measured], Callable[..., Evaluated]]:
    """Return what measures a site in crawl order, and what shows the rows of sites."""
    wanted = FidelitySettings(settings, pages, every, sample, seed)

    def measure(name: str, source: Source, renderer: Renderer, timed: Renderer) -> Measured:
        return measure_hits(name, Crawled(source), wanted, renderer, timed)

    return measure, show_hits


def measure_hits(
    name: str, source: Source, wanted: FidelitySettings, renderer: Renderer, timed: Renderer
) -> tuple[FidelityRow, tuple[HitScore, ...]]:
    """Measure a site; `renderer` may keep snapshots, `timed` must not."""
    rng = random.Random(wanted.seed)
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "run.db")) as store:
        run = process_pages(Pipeline(store, renderer, wanted.settings), source, wanted, store)
    drawn = [run.hits[index] for index in drawn_hits(len(run.hits), wanted.sample, rng)]
    settings = replace(wanted.settings, audit=0)
    spent_on_hits = cost_of_hits(run, drawn, source, timed, settings)
    scores = []
    for hit in drawn:
        known = [stencil for stencil in run.stencils if stencil.site == hit.result.site]
        score = judge_hit(hit, rng.choice(known), source, settings, renderer)
        if score is not None:
            scores.append(score)
    return hits_row(name, run, scores, spent_on_hits), tuple(scores)


def drawn_hits(total: int, wanted: int, rng: random.Random) -> list[int]:
    """Choose some of `total` indexes at random, in their order."""
    return sorted(rng.sample(range(total), min(total, wanted)))


def process_pages(
    pipeline: Pipeline, source: Source, wanted: FidelitySettings, store: Store
) -> Run:
    """Process pages of a source in their order, as a job does."""
    raws = islice(islice(source.pages(), 0, None, wanted.every), wanted.pages)
    excerpt = Excerpt({raw.url: raw for raw in raws}, source)
    results = list(pipeline.run(excerpt))
    hits = [Hit(excerpt.raws[one.url], one) for one in results if one.status is Status.HIT]
    learner = wanted.settings.learner
    sites = dict.fromkeys(result.site for result in results)
    stencils = [stencil for site in sites for stencil in store.stencils(site, learner)]
    return Run(tuple(hits), tuple(stencils), pipeline.report())


def judge_hit(
    hit: Hit, drawn: Stencil, source: Source, settings: Settings, renderer: Renderer
) -> HitScore | None:
    """Compare a hit with the page's rendering; None if that fails or shows no text."""
    raw = hit.raw
    page = parse(raw)
    snapshot = rendered(page, source, renderer)
    if snapshot is None:
        return None
    plain, own = twice(raw, settings, snapshot)
    texts = visible_texts(snapshot)
    if plain.status is not Status.LEARNED or not texts:
        return None
    chance = with_stencil(raw, drawn, replace(settings, threshold=ANY))
    nodes = numbers(page)
    gold = owners(page, plain.areas, nodes)
    found = owners(page, hit.result.areas, nodes)
    return HitScore(
        url=raw.url,
        fidelity=agreement(texts, found, gold),
        covered=covered(texts, found),
        own=agreement(texts, owners(page, own.areas, nodes), gold),
        chance=(
            agreement(texts, owners(page, chance.areas, nodes), gold)
            if chance.status is Status.HIT
            else None
        ),
        areas=hit.result.areas,
    )


def twice(raw: RawPage, settings: Settings, snapshot: Snapshot) -> tuple[PageResult, PageResult]:
    """Process a page without any stencil, and again with its own."""
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "own.db")) as store:
        pipeline = Pipeline(store, PreparedRenderer(snapshot), settings)
        return pipeline.process(raw), pipeline.process(raw)


def with_stencil(raw: RawPage, drawn: Stencil, settings: Settings) -> PageResult:
    """Process a page with one stencil."""
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "one.db")) as store:
        save_stencils(store, [drawn], settings)
        return Pipeline(store, PreparedRenderer(None), settings).process(raw)


def covered(texts: dict[NodeId, int], owner: Sequence[int]) -> float:
    """Return the share of the visible characters that are in some area."""
    inside = sum(size for text, size in texts.items() if owner[text] != OUTSIDE)
    return inside / sum(texts.values())


def located(hit: Hit, stencils: dict[str, Stencil]) -> float | None:
    """Return the share of the stencil's areas that are on the page; None if it has none."""
    stencil = stencils[hit.result.stencil or ""]
    holding = sum(1 for area in stencil.areas if area.nodes)
    found = {area.slot for area in hit.result.areas if area.nodes} - {None}
    return len(found) / holding if holding else None


def hits_row(
    name: str, run: Run, scores: Sequence[HitScore], spent_on_hits: FidelityCost
) -> FidelityRow:
    """Make the row of a site."""
    stencils = {stencil.key: stencil for stencil in run.stencils}
    done = len(run.hits) + len(run.stencils)
    return FidelityRow(
        site=name,
        pages=done + run.report.failed,
        failed=run.report.failed,
        stencils=len(run.stencils),
        hit_ratio=len(run.hits) / done if done else None,
        judged=len(scores),
        located=mean_known(located(hit, stencils) for hit in run.hits),
        covered=mean_known(score.covered for score in scores),
        fidelity=mean_known(score.fidelity for score in scores),
        bad=mean_known(float(score.fidelity < BAD) for score in scores),
        chance=mean_known(score.chance for score in scores),
        own=mean_known(score.own for score in scores),
        cost=spent_on_hits,
    )


def cost_of_hits(
    run: Run, drawn: Sequence[Hit], source: Source, timed: Renderer, settings: Settings
) -> FidelityCost:
    """Return the cost of hits in bare parses and renderings, and the time saved."""
    costs = hit_costs(run.stencils, [hit.raw for hit in drawn], settings).values()
    rendering = mean_known(rendering_seconds(hit.raw, source, timed) for hit in drawn[:TIMED_HITS])
    hit = mean_known(one.seconds for one in costs)
    return FidelityCost(
        parses=median(one.parses for one in costs) if costs else None,
        renderings=hit / rendering if hit and rendering else None,
        saved=saved_time(run.report, rendering) if rendering else None,
    )


def saved_time(done: Report, rendering: float) -> float | None:
    """Return the share of time that stencils save on a site, at this time for a rendering (s).

    Renderings may come from a cache, so their time is that of the renderings that were timed.
    """
    seconds = dict(done.seconds)
    pages = done.hits + done.learned
    if not done.learned:
        return None
    plain = rendering + sum(seconds.get(stage, 0.0) for stage in PLAIN) / done.rendered
    ours = sum(spent for stage, spent in seconds.items() if stage not in (*PLAIN, *UNCOUNTED))
    return 1.0 - (ours + done.rendered * plain) / (pages * plain)


def show_hits(title: str, rows: Sequence[FidelityRow], scores: Sequence[HitScore]) -> Evaluated:
    """Show sites and their mean."""
    mean = mean_row(rows)
    values = {
        "rows": [asdict(row) for row in rows],
        "mean": asdict(mean),
        "hits": [asdict(replace(score, areas=())) for score in scores],
    }
    return Evaluated([title, score_table("", COLUMNS, (*rows, mean))], values)
