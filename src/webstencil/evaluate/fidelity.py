"""Fidelity of the default mode: areas of hits against those decided with every page rendered.

The pages of a sample go through the pipeline as a job of their own. Then all of them are rendered
and segmented; together they decide on the areas of the site again, which are laid over each page.
That is what a job would give if renderings cost nothing. Areas of hits are compared with these, and
with the own areas of each page, by B-cubed F over visible characters. All areas are read from the
XPaths of results or from laid nodes: what is compared is which texts are together.
"""

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Protocol

from webstencil import markup
from webstencil.codec import put
from webstencil.errors import BrowserMissing, RenderError
from webstencil.evaluate.labelled_data import readable_page
from webstencil.evaluate.scores import laid_homes, partition_score, told_apart
from webstencil.evaluate.site_pages import Excerpt, SiteSample, sampled
from webstencil.evaluate.tables import Evaluated, mean_known, mean_row, score_table
from webstencil.geometry import Rect, bounding
from webstencil.jobs.job import Pipeline
from webstencil.jobs.sites import DecidedSite, lay_site
from webstencil.markup.parse import parse
from webstencil.model import (
    Area,
    NodeId,
    Page,
    PageArea,
    PageResult,
    RawPage,
    Snapshot,
    Status,
    innermost_areas,
)
from webstencil.output.files import writing_explained
from webstencil.output.overlay import overlay
from webstencil.protocols import Renderer, Resources, Segmenter, Source, Store
from webstencil.render import ChromiumRenderer
from webstencil.report import Report
from webstencil.settings import Settings
from webstencil.site.areas import WitnessVotes, decide_areas
from webstencil.site.lay import SiteSpots
from webstencil.site.outline import outline
from webstencil.site.places import lay_out
from webstencil.site.site_model import encode_outline
from webstencil.site.votes import votes_of
from webstencil.stages import (
    BETWEEN,
    numbers,
    owners,
    segment_page,
    visible_texts,
)
from webstencil.store import open_store
from webstencil.urls import site_of

# What a page costs in the default mode: survey and apply, in bare parses of the same page.
#
# Survey is parse, outline, and its bytes as a store keeps them; apply is parse, lay and describe.
# Pages come one after the other, several times over, so that each step finds the processor's caches
# as a job leaves them. Each step of a page counts with its fastest time, of the processor: slower
# ones measure other load on the machine. What is decided once for a site is not in it, nor what a
# store writes.


COST_ROUNDS = 5
MOST_PAGES_TIMED = 40  # pages of a site, from all over it
COST_PARTS = ("parse", "outline", "parse again", "lay")


@dataclass(frozen=True, slots=True)
class PageCost:
    """The times of one page."""

    url: str
    bare: float  # s, a parse and nothing else
    parts: tuple[float, ...]  # s, in the order of `COST_PARTS`

    @property
    def seconds(self) -> float:
        return sum(self.parts)

    @property
    def parses(self) -> float:
        return self.seconds / self.bare if self.bare else 0.0


def page_costs(
    raws: Iterable[RawPage],
    sites: Mapping[str, DecidedSite],
    most: int = MOST_PAGES_TIMED,
) -> list[PageCost]:
    """Return the cost of some pages of sites that were learned."""
    known = [raw for raw in raws if site_of(raw.url) in sites and readable_page(raw) is not None]
    chosen = known[:: max(1, len(known) // most)][:most]
    rounds = [
        [step_times(raw, sites[site_of(raw.url)]) for raw in chosen] for _ in range(COST_ROUNDS)
    ]
    times = [
        [min(times) for times in zip(*same, strict=True)] for same in zip(*rounds, strict=True)
    ]
    return [
        PageCost(raw.url, bare, (parsed, outlined, parsed, laid))
        for raw, (bare, parsed, outlined, laid) in zip(chosen, times, strict=True)
    ]


def step_times(raw: RawPage, site: DecidedSite) -> tuple[float, ...]:
    """Return the seconds of a bare parse, a parse, an outline, and of laying areas over."""
    clock = [process_time()]
    markup.bare_parse(raw.body)
    clock.append(process_time())
    page = parse(raw)
    clock.append(process_time())
    encode_outline(outline(page))
    clock.append(process_time())
    del page
    page = parse(raw)  # laying over finds nothing that the outline has prepared
    clock.append(process_time())
    lay_site(page, site, 0)
    clock.append(process_time())
    bare, parsed, outlined, _, laid = (end - begin for begin, end in pairwise(clock))
    return bare, parsed, outlined, laid


log = logging.getLogger(__name__)

BAD = 0.8  # fidelity below which a hit is bad: a reader would notice
LONG_PAGE = 1_000  # visible characters of a page with a long text
BODY_KIND = "body"  # kind of the area with the text of a page
BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)  # confidence: where bins end
TIMED_PAGES = 5  # pages of a site that are rendered to measure what a rendering costs
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

    @property
    def share(self) -> float | None:
        """Return the share of the pages that the job rendered."""
        return self.rendered / self.pages if self.pages else None


FIDELITY_COLUMNS = (
    *("site", "pages:n", "failed:n", "rendered:n", "share:.3f", "hit ratio:.3f", "judged:n"),
    *("fidelity:.3f", f"below {BAD}=bad:.3f", "to own areas=own:.3f", "long pages=long:n"),
    *("with body=body:.3f", "parses/page=cost.parses:.1f"),
    *("renderings/page=cost.renderings:.4f", "time saved=cost.saved:.3f"),
)
BIN_COLUMNS = ("confidence up to=below:g", "areas", "said:.3f", "the same=same:.3f")


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
    wanted: SiteFidelitySettings, name: str, source: Source, renderer: Renderer, timed: Renderer
) -> tuple[SiteFidelityRow, tuple[SitePageScore, ...]]:
    """Measure a site; `renderer` may keep snapshots, `timed` must not."""
    raws = {raw.url: raw for raw in sampled(source, wanted.sample)}
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "run.db")) as store:
        job = process_sample(store, Excerpt(raws, source), wanted.settings, renderer)
        pages, votes = divide_pages(store, job, source, wanted.segmenter, renderer)
        full = decide_all(store, job, votes, wanted.settings.grain)
    scores = tuple(score_page(raws[one.result.url], one, full) for one in pages)
    costs = page_costs(raws.values(), job.sites)
    return fidelity_row(name, job, scores, site_cost(job, costs, source, timed)), scores


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
        page = readable_page(raw)
        if page is None:
            continue
        snapshot = rendered(page, raw.resources or source, renderer)
        if snapshot is None:
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
        long=sum(sizes.values()) >= LONG_PAGE,
        body=any(area.kind == BODY_KIND for area in result.areas),
        said=said_areas(result.areas, texts_by_area(sizes, one.found), texts_by_area(sizes, site)),
        areas=result.areas,
    )


def texts_by_area(texts: Iterable[NodeId], areas: Sequence[int]) -> dict[int, frozenset[NodeId]]:
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


def fidelity_row(
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
        fidelity=mean_known(score.fidelity for score in hits),
        bad=mean_known(float(score.fidelity < BAD) for score in hits),
        own=mean_known(score.own for score in hits),
        long=len(long),
        body=mean_known(float(score.body) for score in long),
        cost=cost,
    )


def site_cost(job: SiteJob, costs: Sequence[PageCost], source: Source, timed: Renderer) -> SiteCost:
    """Return the cost of pages, and the time saved."""
    one = mean_known(rendering_seconds(raw, source, timed) for raw in spread_pages(job))
    page = mean_known(cost.seconds for cost in costs)
    return SiteCost(
        parses=median(cost.parses for cost in costs) if costs else None,
        renderings=page / one if page and one else None,
        saved=time_saved(job, one) if one else None,
    )


def spread_pages(job: SiteJob) -> list[RawPage]:
    """Return some pages with areas, from all over the job."""
    done = [result.url for result in job.results if result.areas]
    return [job.raws[url] for url in done[:: max(1, len(done) // TIMED_PAGES)][:TIMED_PAGES]]


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
    snapshot = rendered(page, raw.resources or source, timed)
    return perf_counter() - began if snapshot is not None else None


def rendered(page: Page, resources: Resources, renderer: Renderer) -> Snapshot | None:
    """Render a page; None if that fails."""
    try:
        return renderer.render(page, resources)
    except BrowserMissing:
        raise
    except RenderError as error:
        log.info("not rendered url=%s: %s", page.url, error)
        return None


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


def show_fidelity(
    title: str, rows: Sequence[SiteFidelityRow], scores: Sequence[SitePageScore]
) -> Evaluated:
    """Show sites and their mean, then how sure areas are; pages have no areas of their own."""
    mean, bins = mean_row(rows), calibration(scores)
    told = ("url", "hit", "fidelity", "own", "long", "body")
    values = {
        "rows": [asdict(row) for row in rows],
        "mean": asdict(mean),
        "calibration": [asdict(one) for one in bins],
        "pages": [{name: getattr(score, name) for name in told} for score in scores],
    }
    shown = score_table("", FIDELITY_COLUMNS, (*rows, mean))
    return Evaluated([title, shown, "", score_table("", BIN_COLUMNS, bins)], values)


# Pictures of the worst hits of a site: their own areas, and those laid over.


WORST = 5  # hits of a site that are drawn
PICTURE_NAME_LENGTH = 60  # characters of a URL in a file name
TALLEST_PICTURE = 8000  # px of a page that are drawn


class ComparedHit(Protocol):
    """A page that was compared with its rendering, in any mode."""

    @property
    def url(self) -> str: ...
    @property
    def fidelity(self) -> float: ...
    @property
    def areas(self) -> tuple[PageArea, ...]: ...


def draw_worst(
    scores: Sequence[ComparedHit], source: Source, settings: Settings, folder: Path
) -> None:
    """Draw the hits of a site with the lowest fidelity: their own areas, and those laid over."""
    worst = sorted(scores, key=lambda score: (score.fidelity, score.url))[:WORST]
    wanted = {score.url: score for score in worst}
    pages = {raw.url: raw for raw in source.pages() if raw.url in wanted}
    with ChromiumRenderer() as renderer:
        for url, score in wanted.items():
            page = parse(pages[url])
            try:
                own = segment_page(page, source, renderer, settings.segmenter, screenshot=True)
            except RenderError:
                continue
            rect, laid = own.snapshot.rect, areas_on_page(page, own.snapshot, score.areas)
            for way, areas in (("plain", own.areas), ("laid-over", laid)):
                drawing = overlay(own.snapshot, areas)
                png = renderer.picture(
                    drawing, round(rect.width), round(min(rect.height, TALLEST_PICTURE))
                )
                path = folder / f"{score.fidelity:.2f}-{picture_name(url)}-{way}.png"
                with writing_explained(path):
                    put(path, png)


def areas_on_page(page: Page, snapshot: Snapshot, areas: Sequence[PageArea]) -> list[Area]:
    """Return areas of a result with their rectangles on the page."""
    nodes = numbers(page)
    ends = page.tree.ends()
    found = []
    for area in areas:
        roots = [nodes[xpath] for xpath in area.xpath.split(BETWEEN)] if area.nodes else []
        inside = {node for root in roots for node in range(root, ends[root])}
        rects = [box.clip for box in snapshot.boxes if box.visible and box.node in inside]
        if rects:
            found.append(Area(bounding(rects), tuple(roots), kind=area.kind))
    return found or [Area(Rect(0, 0, 0, 0), ())]


def picture_name(url: str) -> str:
    """Make a file name from a URL."""
    return re.sub(r"[^A-Za-z0-9]+", "-", url.split("://", 1)[-1]).strip("-")[-PICTURE_NAME_LENGTH:]
