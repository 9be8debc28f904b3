"""Areas of a site and of its pages against the landmarks that authors set.

Every page of a sample is rendered and segmented: its own areas. Some of these pages, those of the
plan, are the witnesses from which the areas of the site are decided and laid over all pages; so are
all pages, for comparison. The program sees blinded pages only (`landmarks.py`). B-cubed over the
visible characters compares each with both golds, on pages with at least `FEWEST` landmarks. Two
more plans, from disjoint halves of the sample, tell how much chance is in the areas.
"""

import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from webstencil.errors import BrowserMissing, ParseError, RenderError
from webstencil.evaluate.bcubed import AgreementScore
from webstencil.evaluate.divided_texts import laid_homes, partition_score, told_apart
from webstencil.evaluate.landmarks import blinded, landmarks
from webstencil.evaluate.site_sample import SiteSample, sampled
from webstencil.markup.parse import parse
from webstencil.model import NO_PARENT, NodeId, RawPage, Tree, innermost_areas
from webstencil.protocols import Renderer, Segmenter, Source
from webstencil.site.areas import Witness, WitnessVotes, decide_areas, doubts_of, voted
from webstencil.site.lay import SiteSpots
from webstencil.site.outline import outline
from webstencil.site.places import PageView
from webstencil.site.plan import FIRST_SHARE, budget_for, plan_renderings, second_plan
from webstencil.site.site_model import OutlinedPage, SiteModel
from webstencil.site.survey_report import SitePlaces, lay_out, views_to_plan
from webstencil.site.templates import SiteTemplates, find_templates
from webstencil.stages import visible_texts

log = logging.getLogger(__name__)

FEWEST = 3  # landmarks with text of a page that is scored


@dataclass(frozen=True, slots=True)
class LandmarkSettings:
    """What to measure."""

    segmenter: Segmenter
    sample: SiteSample = SiteSample()
    budget: int | None = None  # renderings of a plan; None for as many as a job has


@dataclass(frozen=True, slots=True)
class LandmarkPage:
    """A page of the sample: blinded, with its own areas and the golds."""

    witness: Witness
    sizes: dict[NodeId, int]  # visible characters of each text
    coarse: tuple[NodeId, ...]  # landmark of each of these texts
    fine: tuple[NodeId, ...]

    @property
    def url(self) -> str:
        """Return the URL of the page."""
        return self.witness.page.url

    @property
    def counts(self) -> bool:
        """Return whether the page has enough landmarks to be scored."""
        return len(set(self.coarse) - {NO_PARENT}) >= FEWEST


@dataclass(frozen=True, slots=True)
class LandmarkScore:
    """How the areas of a site's pages agree with landmarks, on average over pages."""

    coarse: AgreementScore
    coarse_f: float  # mean of the pages' F
    fine: AgreementScore
    fine_f: float
    areas: float  # a page


@dataclass(frozen=True, slots=True)
class LandmarkRow:
    """The scores of a site."""

    site: str
    pages: int
    scored: int
    rendered: int  # pages of the plan
    failed: int  # pages that could not be read, rendered or blinded
    own: LandmarkScore | None  # every page rendered alone
    planned: LandmarkScore | None  # the site's areas, by the plan
    full: LandmarkScore | None  # the site's areas, every page rendered
    fidelity: float | None  # F of planned against full, 0..1
    bad: float | None  # 0..1, share of pages below .8
    agreement: float | None  # F of two disjoint plans, 0..1


def measure_landmarks(
    name: str, source: Source, wanted: LandmarkSettings, renderer: Renderer
) -> LandmarkRow:
    """Measure a site."""
    raws = sampled(source, wanted.sample)
    pages = list(prepared(raws, source, wanted.segmenter, renderer))
    model = SiteModel(OutlinedPage(one.url, outline(one.witness.page)) for one in pages)
    if not pages:
        return LandmarkRow(name, 0, 0, 0, len(raws), *[None] * 6)
    laid = lay_out(model)
    templates = find_templates(model, SiteTemplates()).numbers_of(model)
    by_url = {one.url: one for one in pages}
    budget = budget_for(len(raws), (), wanted.budget)
    views = views_to_plan(model, laid)
    votes = {one.url: one for one in voted(laid, [page.witness for page in pages])}
    plans = [
        planned(laid, some, budget, templates, votes)
        for some in (views, *(views[half::2] for half in (0, 1)))
    ]
    found = [
        SiteSpots(decide_areas(laid, [votes[url] for url in urls])) for urls in (*plans, by_url)
    ]
    site, one, other, full = ([areas_on(page, spots) for page in pages] for spots in found)
    fidelities = agreements(pages, site, full)
    own = [own_areas(page) for page in pages]
    return LandmarkRow(
        site=name,
        pages=len(pages),
        scored=sum(page.counts for page in pages),
        rendered=len(plans[0]),
        failed=len(raws) - len(pages),
        own=scored(pages, own),
        planned=scored(pages, site),
        full=scored(pages, full),
        fidelity=fmean(fidelities),
        bad=fmean(value < 0.8 for value in fidelities),
        agreement=fmean(agreements(pages, one, other)),
    )


def planned(
    laid: SitePlaces,
    views: Sequence[PageView],
    budget: int,
    templates: Mapping[str, int],
    votes: Mapping[str, WitnessVotes],
) -> tuple[str, ...]:
    """Return the URLs of the pages to render, as a job plans them."""
    most = math.ceil(budget * FIRST_SHARE)
    first = [page.url for page in plan_renderings(views, budget=most, templates=templates).pages]
    doubts = doubts_of(laid, [votes[url] for url in first])
    more = second_plan(views, doubts, first, templates, most=budget - len(first))
    return (*first, *more)


def prepared(
    raws: Iterable[RawPage], source: Source, segmenter: Segmenter, renderer: Renderer
) -> Iterator[LandmarkPage]:
    """Yield pages with text, rendered, segmented and blinded; the others are left out."""
    for raw in raws:
        try:
            page = parse(raw)
            snapshot = renderer.render(page, raw.resources or source)
            blind = parse(blinded(raw, page))
        except BrowserMissing:
            raise
        except (ParseError, RenderError) as error:
            log.info("left out url=%s: %s", raw.url, error)
            continue
        sizes = visible_texts(snapshot)
        if not sizes or not same_tree(page.tree, blind.tree):
            log.info("left out url=%s: no visible text, or another tree when blinded", raw.url)
            continue
        coarse, fine = landmarks(page), landmarks(page, fine=True)
        yield LandmarkPage(
            Witness(blind, segmenter.segment(snapshot.tagged(page))),
            sizes,
            tuple(coarse[text] for text in sizes),
            tuple(fine[text] for text in sizes),
        )


def same_tree(one: Tree, other: Tree) -> bool:
    """Return whether two trees have the same shape."""
    return one.parents == other.parents


def own_areas(page: LandmarkPage) -> list[int]:
    """Return the own area of each visible text."""
    tree = page.witness.page.tree
    homes = innermost_areas(page.witness.areas, range(len(tree)), tree.parents)
    return told_apart(page.sizes, homes)


def areas_on(page: LandmarkPage, spots: SiteSpots) -> list[int]:
    """Return the area of the site of each visible text."""
    return told_apart(page.sizes, laid_homes(page.witness.page, spots))


def scored(pages: Sequence[LandmarkPage], found: Sequence[list[int]]) -> LandmarkScore | None:
    """Score the areas of pages against both golds; None if no page has landmarks."""
    counted = [(page, areas) for page, areas in zip(pages, found, strict=True) if page.counts]
    if not counted:
        return None
    coarse = [partition_score(page.sizes, areas, page.coarse) for page, areas in counted]
    fine = [partition_score(page.sizes, areas, page.fine) for page, areas in counted]
    return LandmarkScore(
        mean_score(coarse),
        fmean(score.f for score in coarse),
        mean_score(fine),
        fmean(score.f for score in fine),
        fmean(len(set(areas)) for _, areas in counted),
    )


def mean_score(scores: Sequence[AgreementScore]) -> AgreementScore:
    """Return the mean precision and recall."""
    return AgreementScore(
        fmean(one.precision for one in scores), fmean(one.recall for one in scores)
    )


def agreements(
    pages: Sequence[LandmarkPage], ones: Sequence[list[int]], others: Sequence[list[int]]
) -> list[float]:
    """Return the F of two sets of areas on each page."""
    return [
        partition_score(page.sizes, one, other).f
        for page, one, other in zip(pages, ones, others, strict=True)
    ]
