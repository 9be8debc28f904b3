"""One page through the stages. Nobody else composes them.

    parse ► lay the site's areas over it ► extract

In the default mode the areas of the site were decided before (`learn.py`), or the page waits until
they are. In paper mode, Algorithm 1 of the CPS paper:

    parse ► match ─┬─ hit ► locate ──────────────────────────────────────────┬─► extract
                   └─ no hit ─► render ► segment ► label ► represent ► describe ┘

A page that is no hit comes with the reason, which is kept with the stencil that is learned from it.

On request some hits are audited: rendered as well, to see how far they are from their own areas. In
paper mode, those that are far from them are learned instead.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from webstencil import markup, urls
from webstencil.area_kinds import label_kinds
from webstencil.content.extractor import MainContent, ModelOfSite, TypeVote, alone, no_siblings
from webstencil.errors import RenderError, SettingsError
from webstencil.items.headlines import kind_items, mark, marked_items
from webstencil.items.metadata import Metadata
from webstencil.items.posts import posts
from webstencil.items.products import product
from webstencil.items.rows import rows
from webstencil.jobs.sites import DecidedSites, SurveyedSites, lay_site
from webstencil.jobs.survey import NO_RESOURCES, surveyed_page
from webstencil.markup.parse import parse
from webstencil.model import (
    NO_PARENT,
    Area,
    BoxKind,
    Item,
    Located,
    Mode,
    NodeId,
    Page,
    PageArea,
    PageResult,
    Problem,
    RawPage,
    Snapshot,
    Status,
    Stencil,
    inherited,
)
from webstencil.navigation import page_items
from webstencil.paper.locate import SearchRule, problem_of, search
from webstencil.paper.match import first
from webstencil.paper.stencils import SiteKnowledge, represent
from webstencil.pipeline.site_cache import ClaimOutcome, SiteCache
from webstencil.protocols import Extractor, Renderer, Resources, Segmenter
from webstencil.report import StageClock
from webstencil.settings import Settings
from webstencil.site.lay import describe_located, describe_own
from webstencil.site.site_model import SurveyedPage

# How well the areas of a hit agree with those of the page's own rendering.
#
# Both partition the visible text: a text belongs to the innermost area around it, a text in no area
# is a part of its own. B-cubed F over characters compares them (Bagga and Baldwin, 1998). Areas are
# read from the XPaths in results, so that all modes are measured alike.


GOOD = 0.85  # the least agreement for an audited page to stay a hit
OUTSIDE = NO_PARENT  # the area of texts in no area
BETWEEN = " | "  # separates the XPaths of an area's nodes


def near(
    page: Page, snapshot: Snapshot, found: Sequence[PageArea], own: Sequence[PageArea]
) -> float | None:
    """Return how well found areas agree with a page's own, 0..1; None without text."""
    texts = visible_texts(snapshot)
    if not texts:
        return None
    by_xpath = numbers(page)
    return agreement(texts, owners(page, found, by_xpath), owners(page, own, by_xpath))


def visible_texts(snapshot: Snapshot) -> dict[NodeId, int]:
    """Return the number of characters of each visible text."""
    return {
        box.node: len(box.text)
        for box in snapshot.boxes
        if box.visible and box.kind is BoxKind.TEXT and box.text
    }


def numbers(page: Page) -> dict[str, NodeId]:
    """Return the number of each node by its XPath."""
    nodes = page.markup.nodes(range(len(page.tree)))
    return {markup.xpath(node): number for number, node in enumerate(nodes)}


def owners(page: Page, areas: Iterable[PageArea], by_xpath: Mapping[str, NodeId]) -> list[int]:
    """Return the innermost area around each node, or `OUTSIDE`."""
    own = {
        by_xpath[xpath]: area.id
        for area in areas
        if area.nodes
        for xpath in area.xpath.split(BETWEEN)
    }
    tree = page.tree
    return inherited(tree.parents, map(own.get, range(len(tree))))


def agreement(texts: Mapping[NodeId, int], found: Sequence[int], own: Sequence[int]) -> float:
    """Return the B-cubed F of two partitions of the visible texts, over characters.

    Equal to `evaluate.bcubed.extended_bcubed`, which also takes areas that overlap.
    """
    pairs: Counter[tuple[int, int]] = Counter()
    for one, other, size in zip(
        parts(texts, found), parts(texts, own), texts.values(), strict=True
    ):
        pairs[one, other] += size
    ones: Counter[int] = Counter()
    others: Counter[int] = Counter()
    for (one, other), size in pairs.items():
        ones[one] += size
        others[other] += size
    precision = sum(size**2 / ones[one] for (one, _), size in pairs.items())
    recall = sum(size**2 / others[other] for (_, other), size in pairs.items())
    return 2 * precision * recall / ((precision + recall) * ones.total())


def parts(texts: Iterable[NodeId], owner: Sequence[int]) -> Iterator[int]:
    """Number the parts of a page's text in order of their first texts."""
    known: dict[tuple[int, int], int] = {}
    for text in texts:
        area = owner[text]
        yield known.setdefault((area, text if area == OUTSIDE else OUTSIDE), len(known))


log = logging.getLogger(__name__)

FIRST_PAGE = "first page of the site"
WAITS = Problem("learn", "waiting", "its site is learned when more of its pages are known")
INCOMPLETE = Problem("render", "incomplete", "the page was still loading when its time was up")


@dataclass(frozen=True, slots=True)
class NoHit:
    """A page that has to be learned."""

    why: str
    rendered: "RenderedPage | None" = None  # if it was rendered to check it


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page as it was rendered, and its areas."""

    snapshot: Snapshot
    areas: tuple[Area, ...]


@dataclass(frozen=True, slots=True)
class Processed:
    """What came of a page."""

    result: PageResult
    learned: Stencil | None = None  # the stencil that was made of it
    why: str = ""  # it had to be learned
    surveyed: SurveyedPage | None = None  # what it tells of its site, if that is to be kept


def segment_page(
    page: Page,
    resources: Resources,
    renderer: Renderer,
    segmenter: Segmenter,
    *,
    clock: StageClock | None = None,
    screenshot: bool = False,
) -> RenderedPage:
    """Render a page, find its areas and say what they are to a reader."""
    clock = clock or StageClock()
    clock.begin("render")
    snapshot = renderer.render(page, resources, screenshot=screenshot)
    return RenderedPage(snapshot, find_areas(page, snapshot, segmenter, clock=clock))


def find_areas(
    page: Page, snapshot: Snapshot, segmenter: Segmenter, *, clock: StageClock | None = None
) -> tuple[Area, ...]:
    """Find the areas of a rendered page and say what they are to a reader."""
    clock = clock or StageClock()
    clock.begin("segment")
    areas = segmenter.segment(snapshot.tagged(page))
    clock.begin("label")
    return labelled(page, snapshot, areas)


def labelled(page: Page, snapshot: Snapshot, areas: tuple[Area, ...]) -> tuple[Area, ...]:
    """Say what the areas of a rendered page are to a reader."""
    return mark(snapshot, label_kinds(page, snapshot, areas))


def by_paper(
    page: Page,
    known: SiteKnowledge,
    settings: Settings,
    *,
    origin: str = "",
    clock: StageClock | None = None,
) -> PageResult | NoHit:
    """Locate the areas of the nearest stencil, if it is not farther than the threshold.

    With `first_match` it is the first one that is not.
    """
    clock = clock or StageClock()
    clock.begin("match")
    most = settings.threshold
    early = first(page, known.stencils.values(), most) if settings.first_match else None
    match = early or known.matcher.nearest(page)
    if match is None:
        return NoHit(FIRST_PAGE)
    if match.distance > most:
        return NoHit(f"distance {match.distance:.3f} above {most:g}")
    stencil = match.stencil
    clock.begin("locate")
    plan = known.guides[stencil.key]
    rule = SearchRule(settings.compact, most if settings.verify else None)
    answers = search(stencil, plan, page, rule)
    clock.begin("describe")
    areas = describe_located(stencil, answers, known.same[stencil.key])
    found = [answer.confidence if type(answer) is Located else 0.0 for answer in answers]
    return PageResult(
        page.url,
        page.site,
        Status.HIT,
        stencil.key,
        confidence=sum(found) / len(found) if found else 1.0,
        areas=areas,
        problems=tuple([problem for problem in map(problem_of, answers) if problem is not None]),
        origin=origin,
        version=known.version,
    )


def described_areas(page: Page, rendered: RenderedPage) -> tuple[PageArea, ...]:
    """Describe the areas of a rendered page."""
    return describe_own(page, rendered.areas)


def extract_items(
    page: Page, areas: Sequence[PageArea], extractors: Sequence[Extractor]
) -> tuple[Item, ...]:
    """Return what some extractors find on a page."""
    found = [extractor.items(page, areas) for extractor in extractors]
    return tuple(item for items in found for item in items)


def with_items(extractors: Sequence[Extractor], page: Page, result: PageResult) -> PageResult:
    """Return a result with what some extractors find on its page."""
    if not extractors or result.status is Status.SKIPPED:
        return result
    return replace(result, items=extract_items(page, result.areas, extractors))


@dataclass(frozen=True, slots=True)
class JobSites:
    """What is known of the sites of a job."""

    surveyed: SurveyedSites
    decided: DecidedSites  # default mode
    stencils: SiteCache  # paper mode


class PageStages:
    """Takes the pages of a job through the stages; in paper mode it learns on the way."""

    def __init__(
        self,
        renderer: Renderer,
        settings: Settings,
        sites: JobSites,
        extractors: Sequence[Extractor],
        clock: StageClock,
    ) -> None:
        self.rendered = 0  # pages
        self.agreements: list[float] = []  # of audits
        self.sites = sites
        self.renderer = renderer
        self.settings = settings
        self.clock = clock
        self._surveyed = sites.surveyed
        self._learner = settings.learner
        self._sites = sites.stencils
        self._decided = sites.decided
        self._extractors = extractors

    def process(
        self, raw: RawPage, resources: Resources, hashed: bytes | None = None
    ) -> Processed | None:
        """Return what came of a page; None if another process is learning from its site.

        `hashed` is its digest if the page was not surveyed, since it can be read only once.
        """
        self.clock.begin("parse")
        page = parse(raw)
        surveyed: SurveyedPage | None = None
        if self.settings.mode is Mode.DEFAULT:
            surveyed = self._survey(page, hashed) if hashed is not None else None
            number = self._surveyed.number(page, surveyed.page if surveyed else None)
            found = Processed(self.apply(page, number, raw.origin, resources, counted=not hashed))
        else:
            learned = self._areas(page, raw.origin, resources, counted=hashed is None)
            if learned is None:
                return None
            found = learned
            surveyed = self._survey(page, hashed) if hashed is not None else None
        told = self._surveyed.described(page, found.result, surveyed.page if surveyed else None)
        result = self.with_items(page, told)
        return replace(found, result=result, surveyed=surveyed)

    def apply(
        self, page: Page, template: int, origin: str, resources: Resources, *, counted: bool = True
    ) -> PageResult:
        """Lay the areas of its site over a page; it waits if they were not decided yet.

        `counted` means that all pages of its template are known.
        """
        if counted and (skipped := self._skip_rare(page)) is not None:
            return skipped
        self.clock.begin("recall")
        known = self._decided(page.site)
        if not known.is_known:
            return result_without_areas(page.url, Status.WAITING, WAITS, page.site)
        self.clock.begin("lay")
        result = lay_site(page, known, template, self._learner, origin=origin)
        if result.status is Status.HIT and self._is_audited(page.url):
            self._agreement(page, resources, result)
        return result

    def again(self, page: Page, result: PageResult) -> PageResult:
        """Return the result of a page now that its whole site is known."""
        if self.settings.mode is Mode.DEFAULT:
            number = self._surveyed.number(page)
            result = self.apply(page, number, result.origin, NO_RESOURCES, counted=False)
        return self.with_items(page, self._surveyed.described(page, result))

    def _survey(self, page: Page, hashed: bytes) -> SurveyedPage:
        """Return what a page tells of its site, and add it to the model so far."""
        self.clock.begin("survey")
        surveyed = surveyed_page(page, hashed, self._surveyed.outlines)
        self._surveyed.models.add(surveyed.page)
        return surveyed

    def _areas(
        self, page: Page, origin: str, resources: Resources, *, counted: bool
    ) -> Processed | None:
        """Find the areas of a page; None if another process is learning from its site.

        `counted` means that all pages of its template are known.
        """
        hit = self._lay_over(page, origin, resources)
        while isinstance(hit, NoHit):
            if counted and (skipped := self._skip_rare(page)) is not None:
                return Processed(skipped)
            self.clock.begin("claim")
            outcome = self._sites.claim(page.site)
            if outcome is ClaimOutcome.MINE or hit.rendered:  # what is rendered is not wasted
                result, stencil = self._learn(page, resources, hit)
                return Processed(result, stencil, hit.why)
            if outcome is ClaimOutcome.TAKEN:
                return None
            hit = self._lay_over(page, origin, resources)
        return Processed(hit)

    def site(self, site: str) -> SiteKnowledge:
        """Return what is known of a site."""
        if site not in self._sites:
            self.clock.begin("recall")
        return self._sites.known(site)

    def _lay_over(self, page: Page, origin: str, resources: Resources) -> PageResult | NoHit:
        """Lay what its site has taught over a page; audit some of the hits."""
        known = self.site(page.site)
        hit = by_paper(page, known, self.settings, origin=origin, clock=self.clock)
        if isinstance(hit, PageResult) and self._is_audited(page.url):
            return self._audit(page, resources, hit)
        return hit

    def with_items(self, page: Page, result: PageResult) -> PageResult:
        """Return a result with what the extractors find on its page."""
        self.clock.begin("extract")
        return with_items(self._extractors, page, result)

    def _skip_rare(self, page: Page) -> PageResult | None:
        """Return the result of a page whose template has too few pages, None of any other."""
        wanted = self.settings.min_pages_per_template
        if wanted <= 1 or (members := self._surveyed.pages_like(page)) >= wanted:
            return None
        message = f"its template has {members} of the {wanted} pages that it must have"
        return result_without_areas(
            page.url, Status.SKIPPED, Problem("match", "rare", message), page.site
        )

    def _is_audited(self, url: str) -> bool:
        """Choose by the URL, so that a resumed job audits the same pages."""
        if not self.settings.audit:
            return False
        return int.from_bytes(urls.url_hash(url, 4)) % self.settings.audit == 0

    def _audit(self, page: Page, resources: Resources, hit: PageResult) -> PageResult | NoHit:
        """Compare a hit with the page's own areas; it stays one if it is near, or none can tell."""
        audited = self._agreement(page, resources, hit)
        if audited is None or audited[0] >= GOOD:
            return hit
        agreement, rendered = audited
        why = f"splits {hit.stencil}: agreement {agreement:.2f} below {GOOD:g} in an audit"
        return NoHit(why, rendered)

    def _agreement(
        self, page: Page, resources: Resources, hit: PageResult
    ) -> tuple[float, RenderedPage] | None:
        """Return how well a hit agrees with the page's own areas, None if none can tell."""
        try:
            rendered = self._segment(page, resources)
        except RenderError as error:
            log.warning("not audited url=%s: %s", page.url, error)
            return None
        self.clock.begin("audit")
        own = described_areas(page, rendered)
        agreement = near(page, rendered.snapshot, hit.areas, own)
        if agreement is None:
            return None
        self.agreements.append(agreement)
        return agreement, rendered

    def _segment(self, page: Page, resources: Resources) -> RenderedPage:
        self.rendered += 1
        segmenter = self.settings.segmenter
        return segment_page(page, resources, self.renderer, segmenter, clock=self.clock)

    def _learn(self, page: Page, resources: Resources, no_hit: NoHit) -> tuple[PageResult, Stencil]:
        rendered = no_hit.rendered or self._segment(page, resources)
        self.clock.begin("represent")
        stencil = represent(page, rendered.snapshot, rendered.areas, self._learner)
        self.clock.begin("learn")
        known = self.site(page.site)
        known.learn(stencil)
        known.version += 1
        said = stencil.key, page.url, len(rendered.areas), no_hit.why
        log.info("learned stencil=%s url=%s areas=%d why=%s", *said)
        self.clock.begin("describe")
        result = PageResult(
            url=page.url,
            site=page.site,
            status=Status.LEARNED,
            stencil=stencil.key,
            confidence=1.0,
            areas=described_areas(page, rendered),
            problems=() if rendered.snapshot.complete else (INCOMPLETE,),
            version=known.version,
        )
        return result, stencil


def result_without_areas(url: str, status: Status, problem: Problem, site: str = "") -> PageResult:
    """Return the result of a page that has no areas, with the reason."""
    return PageResult(
        url=url,
        site=site or urls.site_of(url),
        status=status,
        stencil=None,
        confidence=0.0,
        problems=(problem,),
    )


# The extractors by name: what can be taken from the pages of a job besides their areas.


CONTENT = "content"
METADATA = "metadata"


@dataclass(frozen=True, slots=True)
class PageByPage:
    """An extractor that learns nothing."""

    take: Callable[[Page, Sequence[PageArea]], tuple[Item, ...]]

    def items(self, page: Page, areas: Sequence[PageArea] = ()) -> tuple[Item, ...]:
        """Return the pieces of a page."""
        return self.take(page, areas)


PAGE_BY_PAGE: dict[str, PageByPage] = {
    "headlines": PageByPage(lambda _, areas: kind_items(areas)),
    "sizes": PageByPage(lambda _, areas: marked_items(areas)),
    "rows": PageByPage(rows),
    "posts": PageByPage(lambda page, _: posts(page)),
    "product": PageByPage(lambda page, _: product(page)),
    "navigation": PageByPage(lambda page, _: page_items(page)),
}
EXTRACTORS = (CONTENT, METADATA, *PAGE_BY_PAGE)
WAITING = frozenset({CONTENT, METADATA})  # what depends on all pages of a site


def make_extractors(
    names: Iterable[str], models: ModelOfSite = no_siblings, vote: TypeVote = alone
) -> tuple[Extractor, ...]:
    """Make the extractors of these names, each once; `models` tells what the pages of a site share.

    `SiteModels` does, for sites in a store. `vote` asks the pages of a template for their type.
    """
    return tuple(_make(name, models, vote) for name in dict.fromkeys(names))


def today() -> date:
    """Return the day before which all pages appeared, wherever they were."""
    return datetime.now(tz=UTC).date() + timedelta(days=1)


def _make(name: str, models: ModelOfSite, vote: TypeVote) -> Extractor:
    if name == CONTENT:
        return MainContent(models=models, vote=vote)
    if name == METADATA:
        return Metadata(models, today())
    if name not in PAGE_BY_PAGE:
        raise SettingsError(f"there is no extractor {name!r}; known are {', '.join(EXTRACTORS)}")
    return PAGE_BY_PAGE[name]
