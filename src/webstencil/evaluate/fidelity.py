"""How far a stencil laid over a page is from rendering and segmenting that page itself.

The pages of a site go through the pipeline. Some of the hits are drawn and done the plain way, too;
both ways part the page's visible text, and extended B-cubed over characters compares the two.
A text belongs to the innermost area around it; a text in no area is an area of its own.

All is read off the results that people get: an area's nodes are those its XPath names. So whatever
mode the pipeline has is measured, and in the same way.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter

from webstencil.errors import BrowserMissing, RenderError
from webstencil.evaluate.hit_cost import hit_costs, teach
from webstencil.evaluate.order import Excerpt
from webstencil.evaluate.snapshots import PreparedRenderer
from webstencil.markup.parse import parse
from webstencil.model import NodeId, Page, PageArea, PageResult, RawPage, Snapshot, Status, Stencil
from webstencil.pipeline.audit import OUTSIDE, agreement, numbers, owners, visible_texts
from webstencil.pipeline.job import Pipeline
from webstencil.pipeline.report import Report
from webstencil.protocols import Renderer, Source, StencilStore
from webstencil.settings import Settings
from webstencil.store import open_store

BAD = 0.8  # fidelity below which a hit is a bad one; a person would see it
ANY = 1.0  # distance and risk at which any stencil matches any page
TIMED = 3  # hits of a site that are painted anew to learn what a rendering costs
PLAIN = ("segment", "label", "represent")  # stages that a page without a stencil goes through
UNCOUNTED = ("render", "save")  # timed otherwise, and the same with and without stencils


@dataclass(frozen=True, slots=True)
class FidelityPlan:
    """What is measured."""

    settings: Settings
    pages: int | None = None  # at most so many of a site, None for all
    every: int = 1  # one page in so many is taken: neighbours in a folder are of one kind
    sample: int = 30  # hits a site that are compared with their rendering
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that hit a stencil."""

    raw: RawPage
    result: PageResult


@dataclass(frozen=True, slots=True)
class Run:
    """What the pipeline made of a site."""

    hits: tuple[Hit, ...]
    stencils: tuple[Stencil, ...]
    report: Report


@dataclass(frozen=True, slots=True)
class HitScore:
    """How near a hit is to the page's own rendering."""

    url: str
    fidelity: float  # 0..1
    covered: float  # 0..1, share of the visible characters in some area
    own: float  # 0..1, fidelity with the page's own stencil
    chance: float | None  # 0..1, with a stencil of the site drawn by lot; None if it was refused
    areas: tuple[PageArea, ...] = ()  # of the hit


@dataclass(frozen=True, slots=True)
class FidelityCost:
    """What a hit costs; None where there was nothing to measure."""

    parses: float | None  # bare parses of the same page, median
    renderings: float | None  # renderings of some of them
    saved: float | None = None  # 0..1, time that the whole site took less than without stencils


@dataclass(frozen=True, slots=True)
class FidelityRow:
    """How a site did; None where there was nothing to measure."""

    site: str
    pages: float
    failed: float
    stencils: float
    hit_ratio: float | None
    judged: float  # hits that were compared with their rendering
    located: float | None  # 0..1, share of a stencil's areas with nodes, over all hits
    covered: float | None  # 0..1
    fidelity: float | None  # 0..1
    bad: float | None  # 0..1, share of the judged hits below BAD
    chance: float | None  # 0..1
    own: float | None  # 0..1, must be 1
    cost: FidelityCost


def measure(
    name: str, source: Source, plan: FidelityPlan, renderer: Renderer, painter: Renderer
) -> tuple[FidelityRow, tuple[HitScore, ...]]:
    """Measure a site; `renderer` may keep its snapshots, `painter` is timed and must not."""
    lot = random.Random(plan.seed)
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "run.db")) as store:
        run = process(Pipeline(store, renderer, plan.settings), source, plan, store)
    drawn = [run.hits[place] for place in draw(len(run.hits), plan.sample, lot)]
    settings = replace(plan.settings, audit=0)
    spent_on_hits = cost(run, drawn, source, painter, settings)
    scores = []
    for hit in drawn:
        known = [stencil for stencil in run.stencils if stencil.site == hit.result.site]
        score = judge(hit, lot.choice(known), source, settings, renderer)
        if score is not None:
            scores.append(score)
    return summed_up(name, run, scores, spent_on_hits), tuple(scores)


def draw(total: int, wanted: int, lot: random.Random) -> list[int]:
    """Draw some of `total` places, in their order."""
    return sorted(lot.sample(range(total), min(total, wanted)))


def process(pipeline: Pipeline, source: Source, plan: FidelityPlan, store: StencilStore) -> Run:
    """Process pages of a source in their order, as a job does."""
    raws = islice(islice(source.pages(), 0, None, plan.every), plan.pages)
    excerpt = Excerpt({raw.url: raw for raw in raws}, source)
    results = list(pipeline.run(excerpt))
    hits = [Hit(excerpt.raws[one.url], one) for one in results if one.status is Status.HIT]
    made_by = plan.settings.learner
    sites = dict.fromkeys(result.site for result in results)
    stencils = [stencil for site in sites for stencil in store.stencils(site, made_by)]
    return Run(tuple(hits), tuple(stencils), pipeline.report())


def judge(
    hit: Hit, drawn: Stencil, source: Source, settings: Settings, renderer: Renderer
) -> HitScore | None:
    """Compare a hit with the page's rendering; None if that fails or shows no text."""
    raw = hit.raw
    page = parse(raw)
    snapshot = painted(page, source, renderer)
    if snapshot is None:
        return None
    plain, own = twice(raw, settings, snapshot)
    texts = visible_texts(snapshot)
    if plain.status is not Status.LEARNED or not texts:
        return None
    chance = by_lot(raw, drawn, replace(settings, threshold=ANY, risk=ANY))
    places = numbers(page)
    truth = owners(page, plain.areas, places)
    found = owners(page, hit.result.areas, places)
    return HitScore(
        url=raw.url,
        fidelity=agreement(texts, found, truth),
        covered=covered(texts, found),
        own=agreement(texts, owners(page, own.areas, places), truth),
        chance=(
            agreement(texts, owners(page, chance.areas, places), truth)
            if chance.status is Status.HIT
            else None
        ),
        areas=hit.result.areas,
    )


def painted(page: Page, source: Source, renderer: Renderer) -> Snapshot | None:
    """Render a page; None if that fails."""
    try:
        return renderer.render(page, source)
    except BrowserMissing:
        raise
    except RenderError:
        return None


def twice(raw: RawPage, settings: Settings, snapshot: Snapshot) -> tuple[PageResult, PageResult]:
    """Process a page without any stencil, and again with its own."""
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "own.db")) as store:
        pipeline = Pipeline(store, PreparedRenderer(snapshot), settings)
        return pipeline.process(raw), pipeline.process(raw)


def by_lot(raw: RawPage, drawn: Stencil, settings: Settings) -> PageResult:
    """Process a page with no stencil but a drawn one."""
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "lot.db")) as store:
        teach(store, [drawn], settings)
        return Pipeline(store, PreparedRenderer(None), settings).process(raw)


def covered(texts: dict[NodeId, int], owner: Sequence[int]) -> float:
    """Return the share of the visible characters that are in some area."""
    inside = sum(size for text, size in texts.items() if owner[text] != OUTSIDE)
    return inside / sum(texts.values())


def located(hit: Hit, stencils: dict[str, Stencil]) -> float | None:
    """Return the share of the stencil's areas with nodes that are on the page; None of none."""
    stencil = stencils[hit.result.stencil or ""]
    holding = sum(1 for area in stencil.areas if area.nodes)
    found = {area.stencil_area for area in hit.result.areas if area.nodes} - {None}
    return len(found) / holding if holding else None


def summed_up(
    name: str, run: Run, scores: Sequence[HitScore], spent_on_hits: FidelityCost
) -> FidelityRow:
    """Sum up a site."""
    stencils = {stencil.key: stencil for stencil in run.stencils}
    done = len(run.hits) + len(run.stencils)
    return FidelityRow(
        site=name,
        pages=done + run.report.failed,
        failed=run.report.failed,
        stencils=len(run.stencils),
        hit_ratio=len(run.hits) / done if done else None,
        judged=len(scores),
        located=mean(located(hit, stencils) for hit in run.hits),
        covered=mean(score.covered for score in scores),
        fidelity=mean(score.fidelity for score in scores),
        bad=mean(float(score.fidelity < BAD) for score in scores),
        chance=mean(score.chance for score in scores),
        own=mean(score.own for score in scores),
        cost=spent_on_hits,
    )


def mean(values: Iterable[float | None]) -> float | None:
    """Average what is known."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def cost(
    run: Run, drawn: Sequence[Hit], source: Source, painter: Renderer, settings: Settings
) -> FidelityCost:
    """Return what hits cost, in bare parses and in renderings, and what the site took."""
    costs = hit_costs(run.stencils, [hit.raw for hit in drawn], settings).values()
    rendering = mean(render_seconds(hit.raw, source, painter) for hit in drawn[:TIMED])
    hit = mean(one.seconds for one in costs)
    return FidelityCost(
        parses=median(one.parses for one in costs) if costs else None,
        renderings=hit / rendering if hit and rendering else None,
        saved=saved(run.report, rendering) if rendering else None,
    )


def saved(done: Report, rendering: float) -> float | None:
    """Return the share of time that stencils saved over a site, its renderings at this price (s).

    Renderings may come from a folder; what they would have cost is told by those that were timed.
    """
    seconds = dict(done.seconds)
    pages = done.hits + done.learned
    if not done.learned:
        return None
    plain = rendering + sum(seconds.get(stage, 0.0) for stage in PLAIN) / done.rendered
    ours = sum(spent for stage, spent in seconds.items() if stage not in (*PLAIN, *UNCOUNTED))
    return 1.0 - (ours + done.rendered * plain) / (pages * plain)


def render_seconds(raw: RawPage, source: Source, painter: Renderer) -> float | None:
    """Return how long a rendering takes; None if it fails."""
    page = parse(raw)
    began = perf_counter()
    snapshot = painted(page, source, painter)
    return perf_counter() - began if snapshot is not None else None
