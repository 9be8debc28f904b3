"""The way of a page: Algorithm 1 of the CPS paper; the only file that knows the stages' order.

    parse ► match ─┬─ hit ──► locate ─────────────────────────────────┬─► describe ► extract ► save
                   └─ miss ─► render ─► segment ─► label ─► represent ┘

If asked to, it audits itself: some hits are rendered, too, and those that are far from their own
areas are learned instead.

In the default mode one step matches and locates: the borders of the site's learned pages are laid
over the page, and it is a hit if that is unlikely to lose much. In paper mode the nearest stencil
is matched first, and its areas are located by their addresses. A page that is no hit comes with the
reason why not, which is kept with the stencil that is learned from it.

A page that fails is a result with a problem in it; the job goes on. Where templates with few pages
are not to be rendered, a first pass over the source counts the pages of each. At the end of a run
stencils that its sites no longer need are retired.
"""

import logging
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import blake2b
from os import PathLike
from statistics import fmean

from webstencil import urls
from webstencil.audit import GOOD, near
from webstencil.census import Census, take_census
from webstencil.describe import describe_located, describe_own, describe_pieces
from webstencil.errors import (
    BrowserMissing,
    RenderError,
    SettingsError,
    StoreError,
    WebstencilError,
)
from webstencil.extract.headlines import mark
from webstencil.kinds import label
from webstencil.known import Known
from webstencil.locate import locate
from webstencil.model import (
    Area,
    Miss,
    MissReason,
    Page,
    PageArea,
    PageResult,
    Problem,
    RawPage,
    Snapshot,
    Status,
    Stencil,
    make_page_result,
)
from webstencil.parse import parse
from webstencil.report import Report, StageClock
from webstencil.represent import represent
from webstencil.seams import Done, Extractor, Renderer, Source, StencilStore
from webstencil.settings import Mode, Settings
from webstencil.waiting import Waiting

log = logging.getLogger(__name__)

DIGEST_BYTES = 16
FIRST_PAGE = "first page of the site"
NO_TEXT = "first page of the site without text"
NEW = "most of its text stands where no learned page has any"


@dataclass(frozen=True, slots=True)
class NoHit:
    """A page that has to be learned."""

    why: str
    painted: "Painted | None" = None  # if it was rendered to check it


@dataclass(frozen=True, slots=True)
class Painted:
    """A page as it was rendered, and its areas."""

    snapshot: Snapshot
    areas: tuple[Area, ...]


class Pipeline:
    """Processes pages of any number of sites, learning their stencils on the way."""

    def __init__(
        self,
        store: StencilStore,
        renderer: Renderer,
        settings: Settings | None = None,
        *,
        extractors: Sequence[Extractor] = (),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Work with a store; `now` tells when a run begins."""
        self.settings = settings or Settings()
        self._made_by = self.settings.made_by
        self._extractors = extractors
        self._now = now
        self._run = 0  # its number in the store, 0 until there is something to save
        self._store = store
        self._renderer = renderer
        self._known: dict[str, Known] = {}  # by site
        self._counts: Counter[str] = Counter()
        self._problems: Counter[str] = Counter()
        self._agreements: list[float] = []  # of audits
        self._census = Census(self.settings.threshold)
        self._clock = StageClock()

    def run(self, source: Source) -> Iterator[PageResult]:
        """Process what is new or changed in a source; each result is in the store when it comes."""
        if isinstance(source, str | PathLike):  # as it is named on the command line
            raise SettingsError(f"run takes a source, as in run(open_source({str(source)!r}))")
        done = self._store.done(self.settings.made_by)
        if self.settings.min_pages_per_template > 1:
            self._clock.begin("count")
            self._census = take_census(source.pages(), self.settings.threshold)
            self._clock.end()
        versions = self._store.versions(self.settings.made_by) if self.settings.upgrade else {}
        self._run = 0
        met = set()  # addresses of pages that are as they were
        waiting = Waiting()
        try:
            for raw in source.pages():
                mark = digest(raw)
                if done.get(raw.url) == mark and not self._outdated(raw.url, versions):
                    self._counts["unchanged"] += 1
                    met.add(raw.url)
                    continue
                if raw.url in waiting:
                    yield from self._keep(waiting.take())
                waiting.add(self._done(raw, mark, source))
                if waiting.is_due():
                    yield from self._keep(waiting.take())
            yield from self._keep(waiting.take())
        finally:
            self._keep(waiting.take())  # what was done when the job was stopped
        self._end(met)

    def process(self, raw: RawPage, source: Source) -> PageResult:
        """Process one page and keep its result."""
        return self._keep([self._done(raw, digest(raw), source)])[0]

    def _done(self, raw: RawPage, mark: bytes, source: Source) -> Done:
        """Process one page with this digest."""
        learned, why = None, ""
        try:
            result, learned, why = self._segment(raw, source)
        except (BrowserMissing, StoreError):
            raise  # no page after this one would fare better
        except WebstencilError as error:
            result = self._failure(raw, error)
        except Exception as error:  # the one loop over pages: the job goes on
            log.warning("failed url=%s stage=%s", raw.url, self._clock.stage, exc_info=True)
            result = self._failure(raw, error)
        self._clock.end()
        if result.origin != raw.origin:  # hits have it already
            result = replace(result, origin=raw.origin)
        self._count(result)
        return Done(result, mark, learned, why)

    def _keep(self, pages: Sequence[Done]) -> list[PageResult]:
        """Save pages; return their results."""
        if pages:
            self._clock.begin("save")
            self._begin()
            self._store.save(self._made_by, pages, self._run)
            self._clock.end()
        return [page.result for page in pages]

    def report(self) -> Report:
        """Sum up what was done so far."""
        return Report(
            pages=sum(self._counts[status] for status in Status),
            hits=self._counts[Status.HIT],
            learned=self._counts[Status.LEARNED],
            failed=self._counts[Status.FAILED],
            skipped=self._counts[Status.SKIPPED],
            rendered=self._counts["rendered"],
            unchanged=self._counts["unchanged"],
            audited=len(self._agreements),
            agreement=fmean(self._agreements) if self._agreements else None,
            problems=tuple(self._problems.most_common()),
            seconds=tuple(self._clock.seconds.items()),
        )

    def _begin(self) -> None:
        if not self._run:
            self._run = self._store.begin(self.settings.made_by, self._now())

    def _outdated(self, url: str, versions: Mapping[str, int]) -> bool:
        """Tell whether a hit was made with fewer stencils than its site has now."""
        return url in versions and versions[url] < self._site(urls.site_of(url)).version

    def _end(self, met: Container[str]) -> None:
        self._begin()
        keys = self._store.end(self._run, met, self.settings.retire_after)
        for key in keys:
            log.info("retired stencil=%s", key)
        if keys:
            self._known.clear()  # what the others teach is read again

    def _segment(self, raw: RawPage, source: Source) -> tuple[PageResult, Stencil | None, str]:
        """Return a page's result; if it was learned, its stencil and why that had to be."""
        self._clock.begin("parse")
        page = parse(raw)
        lay_over = self._by_paper if self.settings.mode is Mode.PAPER else self._by_borders
        hit = lay_over(page, raw.origin)
        if isinstance(hit, PageResult) and self._is_audited(raw.url):
            hit = self._audit(page, source, hit)
        if isinstance(hit, PageResult):
            return self._extract(page, hit), None, ""
        if self.settings.min_pages_per_template > 1:
            members = self._census.pages_like(page)
            if members < self.settings.min_pages_per_template:
                return self._skip(page, members), None, ""
        result, stencil = self._learn(page, source, hit)
        return self._extract(page, result), stencil, hit.why

    def _extract(self, page: Page, result: PageResult) -> PageResult:
        if not self._extractors:
            return result
        self._clock.begin("extract")
        found = [extractor.items(page, result.areas) for extractor in self._extractors]
        return replace(result, items=tuple(item for items in found for item in items))

    def _skip(self, page: Page, members: int) -> PageResult:
        wanted = self.settings.min_pages_per_template
        message = f"the source has {members} of the {wanted} pages that its template must have"
        return PageResult(
            url=page.url,
            site=page.site,
            status=Status.SKIPPED,
            stencil=None,
            confidence=0.0,
            problems=(Problem("match", "rare", message),),
        )

    def _by_borders(self, page: Page, origin: str) -> PageResult | NoHit:
        known = self._site(page.site)
        self._clock.begin("locate")
        laid = known.transfer.lay(page)
        if laid is None:
            return NoHit(NO_TEXT if known.stencils else FIRST_PAGE)
        if laid.risk > self.settings.risk:
            above = f"widens {laid.stencil}: risk {laid.risk:.3f} above {self.settings.risk:g}"
            return NoHit(NEW if laid.risk == 1.0 else above)
        self._clock.begin("describe")
        areas = describe_pieces(known.stencils[laid.stencil], laid.pieces)
        return hit_of(page, (laid.stencil, 1.0 - laid.risk), areas, (), (origin, known.version))

    def _by_paper(self, page: Page, origin: str) -> PageResult | NoHit:
        known = self._site(page.site)
        self._clock.begin("match")
        match = known.matcher.nearest(page)
        if match is None:
            return NoHit(FIRST_PAGE)
        if match.distance > self.settings.threshold:
            return NoHit(f"distance {match.distance:.3f} above {self.settings.threshold:g}")
        stencil = match.stencil
        self._clock.begin("locate")
        plan = known.guides[stencil.key]
        answers = locate(plan, page)
        self._clock.begin("describe")
        misses = [answer for answer in answers if type(answer) is Miss]
        areas = describe_located(stencil, answers, known.same[stencil.key])
        problems = tuple([not_there(miss.area, miss.reason) for miss in misses])
        sure = 1.0 - len(misses) / len(answers) if answers else 1.0
        return hit_of(page, (stencil.key, sure), areas, problems, (origin, known.version))

    def _is_audited(self, url: str) -> bool:
        """Choose by the address, so that a job that goes on checks the same pages."""
        if not self.settings.audit:
            return False
        number = blake2b(url.encode("utf-8", "surrogatepass"), digest_size=4).digest()
        return int.from_bytes(number) % self.settings.audit == 0

    def _audit(self, page: Page, source: Source, hit: PageResult) -> PageResult | NoHit:
        """Compare a hit with the page's own areas; it stays one if it is near, or none can tell."""
        try:
            painted = self._render(page, source)
        except RenderError as error:
            log.warning("not audited url=%s: %s", page.url, error)
            return hit
        self._clock.begin("audit")
        agreement = near(page, painted.snapshot, hit.areas, describe_own(page, painted.areas))
        if agreement is None:
            return hit
        self._agreements.append(agreement)
        if agreement >= GOOD:
            return hit
        why = f"splits {hit.stencil}: agreement {agreement:.2f} below {GOOD:g} in an audit"
        return NoHit(why, painted)

    def _render(self, page: Page, source: Source) -> Painted:
        self._clock.begin("render")
        self._counts["rendered"] += 1
        snapshot = self._renderer.render(page, source)
        self._clock.begin("segment")
        areas = self.settings.segmenter.segment(snapshot)
        self._clock.begin("label")
        return Painted(snapshot, mark(snapshot, label(page, snapshot, areas)))

    def _learn(self, page: Page, source: Source, no_hit: NoHit) -> tuple[PageResult, Stencil]:
        painted = no_hit.painted or self._render(page, source)
        snapshot, areas = painted.snapshot, painted.areas
        self._clock.begin("represent")
        stencil = represent(page, snapshot, areas, self.settings.made_by)
        self._clock.begin("learn")
        known = self._site(page.site)
        known.learn(stencil)
        known.version += 1
        said = stencil.key, page.url, len(areas), no_hit.why
        log.info("learned stencil=%s url=%s areas=%d why=%s", *said)
        self._clock.begin("describe")
        result = PageResult(
            url=page.url,
            site=page.site,
            status=Status.LEARNED,
            stencil=stencil.key,
            confidence=1.0,
            areas=describe_own(page, areas),
            problems=() if snapshot.complete else (INCOMPLETE,),
            version=known.version,
        )
        return result, stencil

    def _site(self, site: str) -> Known:
        if site not in self._known:
            self._clock.begin("recall")
            made_by = self.settings.made_by
            version = self._store.version(site, made_by)
            self._known[site] = known = Known(self.settings.mode, version)
            for stencil in self._store.stencils(site, made_by):
                known.learn(stencil)
        return self._known[site]

    def _failure(self, raw: RawPage, error: Exception) -> PageResult:
        return PageResult(
            url=raw.url,
            site=urls.site_of(raw.url),
            status=Status.FAILED,
            stencil=None,
            confidence=0.0,
            problems=(Problem(self._clock.stage, type(error).__name__, str(error)),),
        )

    def _count(self, result: PageResult) -> None:
        self._counts[result.status] += 1
        self._problems.update(f"{problem.stage}: {problem.kind}" for problem in result.problems)


INCOMPLETE = Problem("render", "incomplete", "the page was still loading when its time was up")


def digest(raw: RawPage) -> bytes:
    """Hash what a page's result depends on."""
    charset = (raw.charset or "").encode("utf-8", "surrogatepass")
    return blake2b(raw.body, digest_size=DIGEST_BYTES, key=charset[:64]).digest()


def hit_of(
    page: Page,
    like: tuple[str, float],
    areas: tuple[PageArea, ...],
    problems: tuple[Problem, ...],
    made: tuple[str, int],
) -> PageResult:
    """Make the result of a hit.

    `like` has the stencil's key and how sure it is, `made` the page's origin and the version of
    what is known of its site.
    """
    hit = page.url, page.site, Status.HIT, *like
    return make_page_result(*hit, areas, problems, (), *made)  # no items yet


@lru_cache(maxsize=1024)
def not_there(area: int, reason: MissReason) -> Problem:
    """Return the problem of an area that was not found."""
    return Problem("locate", reason, f"area {area} is not on this page")
