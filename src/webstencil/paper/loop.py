"""The loop of the CPS paper, Algorithm 1: pages are learned on the way.

    parse ► match ─┬─ hit ► locate ──────────────────────────────────────────┬─► extract
                   └─ no hit ─► render ► segment ► label ► represent ► describe ┘

A page is matched with the stencils of its site. If the nearest is near enough, its areas are
located on the page; else the page is rendered and becomes a stencil itself. A page that is no hit
comes with the reason, which is kept with the stencil that is learned from it.

On request some hits are audited: those that are far from the page's own areas are learned instead.

All pages of a site are processed by one worker, in the order of their source. So what is learned
does not depend on the number of workers.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from webstencil.model import (
    Located,
    Page,
    PageResult,
    Problem,
    Status,
    Stencil,
)
from webstencil.paper.locate import SearchRule, problem_of, search
from webstencil.paper.match import first
from webstencil.paper.stencils import SiteKnowledge, represent
from webstencil.protocols import Resources, Store
from webstencil.report import StageClock
from webstencil.settings import Settings
from webstencil.site.lay import describe_located
from webstencil.stages import GOOD, Auditor, Processed, RenderedPage, described_areas, skip_rare

log = logging.getLogger(__name__)

FIRST_PAGE = "first page of the site"
INCOMPLETE = Problem("render", "incomplete", "the page was still loading when its time was up")
STENCILS_HELD = 3_000  # sites and their stencils in memory, 0.1 to 0.4 MB each: notebook/hits.md


@dataclass(frozen=True, slots=True)
class NoHit:
    """A page that has to be learned."""

    why: str
    rendered: RenderedPage | None = None  # if it was rendered to check it


class PaperLoop:
    """Algorithm 1; it knows the stencils of the sites met last, and reads those of others."""

    learns_sites = False
    keeps_sites_together = True

    def __init__(
        self,
        store: Store,
        auditor: Auditor,
        pages_like: Callable[[Page], int],
    ) -> None:
        """Know what `store` has; `pages_like` counts the pages with the template of a page."""
        self._store = store
        self._auditor = auditor
        self._pages_like = pages_like
        self._settings = auditor.settings
        self._known: dict[str, SiteKnowledge] = {}  # by site, the one that was met last at the end
        self._dropped: set[str] = set()  # sites that stencils were learned of, to be read again
        self._learned: set[str] = set()  # sites, here

    def process(
        self, page: Page, resources: Resources, *, origin: str, outlined: object = None
    ) -> Processed:
        """Locate the areas of a page, or learn it."""
        known = self.known(page.site)
        hit = by_paper(page, known, self._settings, origin=origin, clock=self._auditor.clock)
        if isinstance(hit, PageResult):
            hit = self._audited(page, resources, hit)
        if isinstance(hit, PageResult):
            return Processed(hit)
        if outlined is None:  # else not all pages of its template are known
            skipped = skip_rare(page, self._settings.min_pages_per_template, self._pages_like)
            if skipped is not None:
                return Processed(skipped)
        result, stencil = self._learn(page, resources, known, hit)
        return Processed(result, stencil, hit.why)

    def again(self, page: Page, result: PageResult) -> PageResult:
        """Return a result as it is: areas depend on no later page."""
        del page
        return result

    def versions(self) -> Mapping[str, int]:
        """Return what hits were made with, if they are to be upgraded."""
        if not self._settings.upgrade:
            return {}
        return self._store.runs.versions(self._settings.learner, Status.HIT)

    def is_outdated(self, site: str, version: int) -> bool:
        """Return whether stencils were learned of a site since."""
        return version < self.known(site).version

    def known(self, site: str) -> SiteKnowledge:
        """Return what is known of a site, from the store if it was not met lately."""
        known = self._known.pop(site, None)
        if known is None:
            self._auditor.clock.begin("recall")
            known = SiteKnowledge()
            news = self._store.stencils.news(site, self._settings.learner)
            for stencil in news.stencils:
                known.learn(stencil)
            known.version = news.version
            self._make_room(len(known.stencils))
            self._dropped.discard(site)
        self._known[site] = known
        return known

    def has_dropped(self, site: str) -> bool:
        """Return whether a site is to be read again: its stencils must be saved first."""
        return site in self._dropped

    def forget(self) -> None:
        """Forget all, to be read again."""
        self._dropped |= self._learned
        self._known.clear()

    def _make_room(self, new: int) -> None:
        """Make room for a site with so many stencils."""
        size = new + sum(1 + len(known.stencils) for known in self._known.values())
        while size >= STENCILS_HELD and self._known:
            site = next(iter(self._known))
            size -= 1 + len(self._known.pop(site).stencils)
            if site in self._learned:
                self._dropped.add(site)

    def _audited(self, page: Page, resources: Resources, hit: PageResult) -> PageResult | NoHit:
        """Compare a hit with the page's own areas; it stays one if it is near, or none can tell."""
        if not self._auditor.wants(page.url):
            return hit
        audited = self._auditor.agreement(page, resources, hit)
        if audited is None or audited[0] >= GOOD:
            return hit
        agreement, rendered = audited
        why = f"splits {hit.stencil}: agreement {agreement:.2f} below {GOOD:g} in an audit"
        return NoHit(why, rendered)

    def _learn(
        self, page: Page, resources: Resources, known: SiteKnowledge, no_hit: NoHit
    ) -> tuple[PageResult, Stencil]:
        """Render a page, and keep its areas as a stencil."""
        clock = self._auditor.clock
        rendered = no_hit.rendered or self._auditor.segment(page, resources)
        clock.begin("represent")
        areas = rendered.areas
        stencil = represent(page, rendered.snapshot, areas, self._settings.learner)
        clock.begin("learn")
        known.learn(stencil)
        known.version += 1
        self._learned.add(page.site)
        said = stencil.key, page.url, len(areas), no_hit.why
        log.info("learned stencil=%s url=%s areas=%d why=%s", *said)
        clock.begin("describe")
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
