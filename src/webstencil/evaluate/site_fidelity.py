"""Fidelity of the default mode: areas of hits against those decided with every page rendered.

The pages of a sample go through the pipeline as a job of their own. Then all of them are rendered
and segmented; together they decide on the areas of the site again, which are laid over each page.
That is what a job would give if renderings cost nothing. Areas of hits are compared with these, and
with the own areas of each page, by B-cubed F over visible characters. All areas are read from the
XPaths of results or from laid nodes: what is compared is which texts are together.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter

from webstencil.errors import BrowserMissing, ParseError, RenderError
from webstencil.evaluate.divided_texts import laid_homes, partition_score, told_apart
from webstencil.evaluate.order import Excerpt
from webstencil.evaluate.page_cost import PageCost, page_costs
from webstencil.evaluate.site_sample import SiteSample, sampled
from webstencil.jobs.job import Pipeline
from webstencil.jobs.sites import DecidedSite
from webstencil.markup.parse import parse
from webstencil.model import (
    NodeId,
    PageArea,
    PageResult,
    RawPage,
    Status,
    innermost_areas,
)
from webstencil.protocols import Renderer, Segmenter, Source, Store
from webstencil.report import Report
from webstencil.settings import Settings
from webstencil.site.areas import WitnessVotes, decide_areas
from webstencil.site.lay import SiteSpots
from webstencil.site.survey_report import lay_out
from webstencil.site.votes import votes_of
from webstencil.stages import numbers, owners, visible_texts
from webstencil.store import open_store

log = logging.getLogger(__name__)

BAD = 0.8  # fidelity below which a hit is bad: a reader would notice
LONG = 1_000  # visible characters of a page with a long text
BODY = "body"  # kind of the area with the text of a page
BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)  # confidence: where bins end
TIMED = 5  # pages of a site that are rendered to measure what a rendering costs
UNCOUNTED = ("render", "save")  # timed elsewhere, or the same whatever is rendered


@dataclass(frozen=True, slots=True)
class SiteFidelitySettings:
    """What to measure."""

    settings: Settings  # of the job; its budget, too
    segmenter: Segmenter  # the same as that of the job; may keep areas
    sample: SiteSample = SiteSample()


@dataclass(frozen=True, slots=True)
class SiteJob:
    """What a job made of the pages of a sample."""

    raws: Mapping[str, RawPage]  # by URL
    results: tuple[PageResult, ...]
    sites: Mapping[str, DecidedSite]  # by name
    report: Report
    seconds: float  # of the whole job


@dataclass(frozen=True, slots=True)
class SaidArea:
    """How sure an area of a hit is, and whether it is right."""

    confidence: float  # 0..1
    same: bool  # the same texts are an area if every page is rendered


@dataclass(frozen=True, slots=True)
class SitePageScore:
    """The fidelity of a page."""

    url: str
    hit: bool  # it was not rendered by the job
    fidelity: float  # 0..1, against the site's areas with every page rendered
    own: float  # 0..1, against the page's own areas
    long: bool  # it has a long text
    body: bool  # it has an area of that kind
    said: tuple[SaidArea, ...] = ()
    areas: tuple[PageArea, ...] = ()  # of the result


@dataclass(frozen=True, slots=True)
class SiteCost:
    """What pages cost; None where there was nothing to measure."""

    parses: float | None = None  # survey and apply, in bare parses of the same page, median
    renderings: float | None = None  # the same in renderings
    saved: float | None = None  # 0..1, share of time that the job saves, against rendering all


@dataclass(frozen=True, slots=True)
class SiteFidelityRow:
    """The scores of a site; None where there was nothing to measure."""

    site: str
    pages: float
    failed: float
    rendered: float  # pages, by the job
    hit_ratio: float | None  # 0..1
    judged: float  # hits that can be rendered and show text
    fidelity: float | None  # 0..1
    bad: float | None  # 0..1, share of the judged hits below BAD
    own: float | None  # 0..1
    long: float  # pages with a long text
    body: float | None  # 0..1, share of these with an area of that kind
    cost: SiteCost


@dataclass(frozen=True, slots=True)
class ConfidenceBin:
    """Areas that are about as sure as each other."""

    below: float  # confidence, 0..1
    areas: int
    said: float  # mean confidence, 0..1
    same: float  # share that is the same with every page rendered, 0..1


@dataclass(frozen=True, slots=True)
class Divided:
    """The visible texts of a rendered page, and how they are divided."""

    result: PageResult
    sizes: dict[NodeId, int]
    found: list[int]  # area of each text, by the job
    own: list[int]  # by its rendering


def measure_site(
    name: str, source: Source, wanted: SiteFidelitySettings, renderer: Renderer, timed: Renderer
) -> tuple[SiteFidelityRow, tuple[SitePageScore, ...]]:
    """Measure a site; `renderer` may keep snapshots, `timed` must not."""
    raws = {raw.url: raw for raw in sampled(source, wanted.sample)}
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "run.db")) as store:
        job = process_sample(store, Excerpt(raws, source), wanted.settings, renderer)
        pages, votes = divide_pages(store, job, source, wanted.segmenter, renderer)
        full = decide_all(store, job, votes, wanted.settings.grain)
    scores = tuple(score_page(raws[one.result.url], one, full) for one in pages)
    costs = page_costs(raws.values(), job.sites)
    return site_row(name, job, scores, spent(job, costs, source, timed)), scores


def process_sample(
    store: Store, source: Excerpt, settings: Settings, renderer: Renderer
) -> SiteJob:
    """Process pages as a job does."""
    pipeline = Pipeline(store, renderer, settings)
    began = perf_counter()
    results = tuple(pipeline.run(source))
    seconds = perf_counter() - began
    table, learner = store.witnesses, settings.learner
    sites = {
        site: DecidedSite.of(table.areas(learner, site), table.learned(learner, site))
        for site in sorted({result.site for result in results if result.site})
    }
    return SiteJob(source.raws, results, sites, pipeline.report(), seconds)


def divide_pages(
    store: Store, job: SiteJob, source: Source, segmenter: Segmenter, renderer: Renderer
) -> tuple[list[Divided], dict[str, list[WitnessVotes]]]:
    """Render all pages; return those with text, and what each says of its site."""
    places = {site: lay_out(store.outlines.model(site)).places for site in job.sites}
    found: list[Divided] = []
    votes: dict[str, list[WitnessVotes]] = {site: [] for site in job.sites}
    for result in job.results:
        raw = job.raws[result.url]
        try:
            page = parse(raw)
            snapshot = renderer.render(page, raw.resources or source)
        except BrowserMissing:
            raise
        except (ParseError, RenderError) as error:
            log.info("not judged url=%s: %s", raw.url, error)
            continue
        areas = segmenter.segment(snapshot.tagged(page))
        sizes = visible_texts(snapshot)
        said = votes_of(page, areas, places[result.site])
        votes[result.site].append(WitnessVotes(result.url, said))
        if sizes:
            homes = innermost_areas(areas, range(len(page.tree)), page.tree.parents)
            laid = owners(page, result.areas, numbers(page))
            found.append(Divided(result, sizes, told_apart(sizes, laid), told_apart(sizes, homes)))
    return found, votes


def decide_all(
    store: Store, job: SiteJob, votes: Mapping[str, list[WitnessVotes]], grain: float
) -> dict[str, SiteSpots]:
    """Decide on the areas of sites by all pages."""
    return {
        site: SiteSpots(decide_areas(lay_out(store.outlines.model(site)), votes[site], grain=grain))
        for site in job.sites
    }


def score_page(raw: RawPage, one: Divided, full: Mapping[str, SiteSpots]) -> SitePageScore:
    """Compare the areas of a page."""
    result, sizes = one.result, one.sizes
    site = told_apart(sizes, laid_homes(parse(raw), full[result.site]))
    return SitePageScore(
        url=result.url,
        hit=result.status is Status.HIT,
        fidelity=partition_score(sizes, one.found, site).f,
        own=partition_score(sizes, one.found, one.own).f,
        long=sum(sizes.values()) >= LONG,
        body=any(area.kind == BODY for area in result.areas),
        said=said_areas(result.areas, together(sizes, one.found), together(sizes, site)),
        areas=result.areas,
    )


def together(texts: Iterable[NodeId], areas: Sequence[int]) -> dict[int, frozenset[NodeId]]:
    """Return the texts of each area."""
    found: dict[int, set[NodeId]] = {}
    for text, area in zip(texts, areas, strict=True):
        found.setdefault(area, set()).add(text)
    return {area: frozenset(members) for area, members in found.items()}


def said_areas(
    areas: Sequence[PageArea],
    found: Mapping[int, frozenset[NodeId]],
    full: Mapping[int, frozenset[NodeId]],
) -> tuple[SaidArea, ...]:
    """Return how sure each area with text is, and whether it stays if all pages are rendered."""
    kept = set(full.values())
    return tuple(
        SaidArea(area.confidence, found[area.id] in kept) for area in areas if area.id in found
    )


def site_row(
    name: str, job: SiteJob, scores: Sequence[SitePageScore], cost: SiteCost
) -> SiteFidelityRow:
    """Make the row of a site."""
    hits = [score for score in scores if score.hit]
    long = [score for score in scores if score.long]
    done = job.report.hits + job.report.learned
    return SiteFidelityRow(
        site=name,
        pages=len(job.results),
        failed=job.report.failed,
        rendered=job.report.rendered,
        hit_ratio=job.report.hits / done if done else None,
        judged=len(hits),
        fidelity=mean(score.fidelity for score in hits),
        bad=mean(float(score.fidelity < BAD) for score in hits),
        own=mean(score.own for score in hits),
        long=len(long),
        body=mean(float(score.body) for score in long),
        cost=cost,
    )


def mean(values: Iterable[float | None]) -> float | None:
    """Average the values that are not None."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def spent(job: SiteJob, costs: Sequence[PageCost], source: Source, timed: Renderer) -> SiteCost:
    """Return the cost of pages, and the time saved."""
    one = mean(rendering_seconds(raw, source, timed) for raw in spread(job))
    page = mean(cost.seconds for cost in costs)
    return SiteCost(
        parses=median(cost.parses for cost in costs) if costs else None,
        renderings=page / one if page and one else None,
        saved=time_saved(job, one) if one else None,
    )


def spread(job: SiteJob) -> list[RawPage]:
    """Return some pages with areas, from all over the job."""
    done = [result.url for result in job.results if result.areas]
    return [job.raws[url] for url in done[:: max(1, len(done) // TIMED)][:TIMED]]


def time_saved(job: SiteJob, rendering: float) -> float | None:
    """Return the share of time that a job saves, at this time for a rendering (s).

    Renderings may come from a cache, so their time is that of the renderings that were timed.
    """
    report = job.report
    seconds = dict(report.seconds)
    pages = report.hits + report.learned
    if not pages or not report.rendered:
        return None
    plain = pages * (rendering + seconds.get("segment", 0.0) / report.rendered)
    ours = job.seconds - sum(seconds.get(stage, 0.0) for stage in UNCOUNTED)
    return 1.0 - (ours + report.rendered * rendering) / plain


def rendering_seconds(raw: RawPage, source: Source, timed: Renderer) -> float | None:
    """Return the seconds of a rendering; None if it fails."""
    page = parse(raw)
    began = perf_counter()
    try:
        timed.render(page, raw.resources or source)
    except BrowserMissing:
        raise
    except RenderError:
        return None
    return perf_counter() - began


def calibration(scores: Iterable[SitePageScore]) -> tuple[ConfidenceBin, ...]:
    """Tell how many of the areas of hits that say they are so sure are right."""
    said = [area for score in scores if score.hit for area in score.said]
    found = []
    low = -1.0
    for high in BINS:
        inside = [area for area in said if low < area.confidence <= high]
        if inside:
            sure = fmean(area.confidence for area in inside)
            same = fmean(area.same for area in inside)
            found.append(ConfidenceBin(high, len(inside), sure, same))
        low = high
    return tuple(found)


def mean_of(rows: Sequence[SiteFidelityRow]) -> SiteFidelityRow:
    """Average over sites."""
    return SiteFidelityRow(
        site="mean",
        pages=fmean(row.pages for row in rows),
        failed=fmean(row.failed for row in rows),
        rendered=fmean(row.rendered for row in rows),
        hit_ratio=mean(row.hit_ratio for row in rows),
        judged=fmean(row.judged for row in rows),
        fidelity=mean(row.fidelity for row in rows),
        bad=mean(row.bad for row in rows),
        own=mean(row.own for row in rows),
        long=fmean(row.long for row in rows),
        body=mean(row.body for row in rows),
        cost=SiteCost(
            mean(row.cost.parses for row in rows),
            mean(row.cost.renderings for row in rows),
            mean(row.cost.saved for row in rows),
        ),
    )
