"""Fidelity: how well the areas of hits agree with those of their own renderings.

The pages of a site go through the pipeline. Some hits, chosen at random, are also rendered and
segmented; both results divide the page's visible text, and extended B-cubed over characters
compares them. A text belongs to the innermost area around it; a text in no area is an area of its
own.

Only results are compared, as users get them: the nodes of an area are those its XPath names. So
every mode of the pipeline is measured in the same way.
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
from webstencil.evaluate.hit_cost import hit_costs, save_stencils
from webstencil.evaluate.order import Excerpt
from webstencil.evaluate.snapshots import PreparedRenderer
from webstencil.jobs.job import Pipeline
from webstencil.markup.parse import parse
from webstencil.model import NodeId, Page, PageArea, PageResult, RawPage, Snapshot, Status, Stencil
from webstencil.protocols import Renderer, Source, Store
from webstencil.report import Report
from webstencil.settings import Settings
from webstencil.stages import OUTSIDE, agreement, numbers, owners, visible_texts
from webstencil.store import open_store

BAD = 0.8  # fidelity below which a hit is bad: a reader would notice
ANY = 1.0  # distance at which any stencil matches any page
TIMED = 3  # hits of a site that are rendered to measure what a rendering costs
PLAIN = ("segment", "label", "represent")  # stages that a page without a stencil goes through
UNCOUNTED = ("render", "save")  # timed elsewhere, or the same with and without stencils


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


def measure(
    name: str, source: Source, wanted: FidelitySettings, renderer: Renderer, timed: Renderer
) -> tuple[FidelityRow, tuple[HitScore, ...]]:
    """Measure a site; `renderer` may keep snapshots, `timed` must not."""
    rng = random.Random(wanted.seed)
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "run.db")) as store:
        run = process(Pipeline(store, renderer, wanted.settings), source, wanted, store)
    drawn = [run.hits[index] for index in draw(len(run.hits), wanted.sample, rng)]
    settings = replace(wanted.settings, audit=0)
    spent_on_hits = cost(run, drawn, source, timed, settings)
    scores = []
    for hit in drawn:
        known = [stencil for stencil in run.stencils if stencil.site == hit.result.site]
        score = judge(hit, rng.choice(known), source, settings, renderer)
        if score is not None:
            scores.append(score)
    return site_row(name, run, scores, spent_on_hits), tuple(scores)


def draw(total: int, wanted: int, rng: random.Random) -> list[int]:
    """Choose some of `total` indexes at random, in their order."""
    return sorted(rng.sample(range(total), min(total, wanted)))


def process(pipeline: Pipeline, source: Source, wanted: FidelitySettings, store: Store) -> Run:
    """Process pages of a source in their order, as a job does."""
    raws = islice(islice(source.pages(), 0, None, wanted.every), wanted.pages)
    excerpt = Excerpt({raw.url: raw for raw in raws}, source)
    results = list(pipeline.run(excerpt))
    hits = [Hit(excerpt.raws[one.url], one) for one in results if one.status is Status.HIT]
    learner = wanted.settings.learner
    sites = dict.fromkeys(result.site for result in results)
    stencils = [stencil for site in sites for stencil in store.stencils(site, learner)]
    return Run(tuple(hits), tuple(stencils), pipeline.report())


def judge(
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


def rendered(page: Page, source: Source, renderer: Renderer) -> Snapshot | None:
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


def site_row(
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
        located=mean(located(hit, stencils) for hit in run.hits),
        covered=mean(score.covered for score in scores),
        fidelity=mean(score.fidelity for score in scores),
        bad=mean(float(score.fidelity < BAD) for score in scores),
        chance=mean(score.chance for score in scores),
        own=mean(score.own for score in scores),
        cost=spent_on_hits,
    )


def mean(values: Iterable[float | None]) -> float | None:
    """Average the values that are not None."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def cost(
    run: Run, drawn: Sequence[Hit], source: Source, timed: Renderer, settings: Settings
) -> FidelityCost:
    """Return the cost of hits in bare parses and renderings, and the time saved."""
    costs = hit_costs(run.stencils, [hit.raw for hit in drawn], settings).values()
    rendering = mean(render_seconds(hit.raw, source, timed) for hit in drawn[:TIMED])
    hit = mean(one.seconds for one in costs)
    return FidelityCost(
        parses=median(one.parses for one in costs) if costs else None,
        renderings=hit / rendering if hit and rendering else None,
        saved=saved(run.report, rendering) if rendering else None,
    )


def saved(done: Report, rendering: float) -> float | None:
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


def render_seconds(raw: RawPage, source: Source, timed: Renderer) -> float | None:
    """Return the seconds of a rendering; None if it fails."""
    page = parse(raw)
    began = perf_counter()
    snapshot = rendered(page, source, timed)
    return perf_counter() - began if snapshot is not None else None
