"""The way of a page: Algorithm 1 of the CPS paper; the only file that knows the stages' order.

    parse ► match ─┬─ hit ──► locate ─────────────────────────────────┬─► describe ► extract ► save
                   └─ miss ─► render ─► segment ─► label ─► represent ┘

If asked to, it audits itself: some hits are rendered, too, and those that are far from their own
areas are learned instead.

In the default mode one step matches and locates: the borders of the site's learned pages are laid
over the page, and it is a hit if that is unlikely to lose much. In paper mode the nearest stencil
is matched first, and its areas are located by their addresses. A page that is no hit comes with the
reason why not, which is kept with the stencil that is learned from it.

A page is learned only if no other process is learning from its site; if one is, the page is put
aside for that time, and laid over again with what was learned meanwhile (turns.py).

A page that fails is a result with a problem in it; the job goes on. Where templates with few pages
are not to be rendered, a first pass over the source counts the pages of each. At the end of a run
stencils that its sites no longer need are retired.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import blake2b
from os import PathLike
from statistics import fmean

from webstencil import urls
from webstencil.errors import (
    BrowserMissing,
    RenderError,
    SettingsError,
    StoreError,
    WebstencilError,
)
from webstencil.extract.headlines import mark
from webstencil.kinds import label
from webstencil.markup.parse import parse
from webstencil.model import Page, PageResult, Problem, RawPage, Status, Stencil
from webstencil.pipeline.audit import GOOD, near
from webstencil.pipeline.laid import NoHit, RenderedPage, by_borders, by_paper
from webstencil.pipeline.parked import LOOKED_AFTER, PageTask, Parked
from webstencil.pipeline.report import Report, StageClock
from webstencil.pipeline.site_cache import ClaimOutcome, Turns
from webstencil.pipeline.write_batch import Waiting
from webstencil.protocols import Done, Extractor, Renderer, Source, StencilStore, Unchanged
from webstencil.settings import Mode, Settings
from webstencil.site.census import Census, take_census
from webstencil.site.describe import describe_own
from webstencil.site.known import SiteKnowledge
from webstencil.site.represent import represent

log = logging.getLogger(__name__)

DIGEST_BYTES = 16
PAUSE = 0.02  # s, while all pages that are left wait for another process


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
        self._sites = Turns(store, self.settings.mode, self._made_by)
        self._counts: Counter[str] = Counter()
        self._problems: Counter[str] = Counter()
        self._agreements: list[float] = []  # of audits
        self._census = Census(self.settings.threshold)
        self._begins: Callable[[RawPage | None], None] = ignore
        self._clock = StageClock()

    def run(self, source: Source) -> Iterator[PageResult]:
        """Process what is new or changed in a source; each result is in the store when it comes."""
        if isinstance(source, str | PathLike):  # as it is named on the command line
            raise SettingsError(f"run takes a source, as in run(open_source({str(source)!r}))")
        self._run = 0
        self.count(source)
        met = set()  # addresses of pages that are as they were
        for page in self.meet(source):
            if isinstance(page, Unchanged):
                met.add(page.url)
            else:
                yield page.result
        self._end(met)

    def count(self, source: Source) -> Census:
        """Count the pages of each template, if those with few pages are not to be rendered."""
        if self.settings.min_pages_per_template > 1:
            self._clock.begin("count")
            self._census = take_census(source.pages(), self.settings.threshold)
            self._clock.end()
        return self._census

    def join(self, run: int, census: Census, begins: Callable[[RawPage | None], None]) -> None:
        """Take part in a run that was begun elsewhere, with its count of pages.

        `begins` is told of each page that is begun, and None when that is over.
        """
        self._run, self._census, self._begins = run, census, begins

    def meet(
        self, source: Source, is_ours: Callable[[str], bool] | None = None
    ) -> Iterator[Done | Unchanged]:
        """Process what is new or changed; a page is in the store when it comes.

        `is_ours` tells of an address whether it may be one of the source's; without it any may.
        """
        done = self._store.done(self._made_by)
        if is_ours is not None:  # to need less memory
            done = {url: mark for url, mark in done.items() if is_ours(url)}
        versions = self._store.versions(self._made_by) if self.settings.upgrade else {}
        waiting = Waiting()
        parked = Parked(lambda site: self._sites.ask(site) is not ClaimOutcome.LATER)
        try:
            for task in parked.in_turn(task_of(raw, source) for raw in source.pages()):
                if task is None:
                    yield from self._keep(waiting.take())
                    time.sleep(PAUSE)
                    continue
                url, mark = task.raw.url, task.digest
                if done.get(url) == mark and not self._outdated(url, versions):
                    self._counts["unchanged"] += 1
                    yield Unchanged(url, mark)
                    continue
                if url in waiting:
                    yield from self._keep(waiting.take())
                if (page := self._done(task)) is None:
                    parked.add(task)
                    continue
                waiting.add(page)
                if waiting.is_due():
                    yield from self._keep(waiting.take())
            yield from self._keep(waiting.take())
        finally:
            self._keep(waiting.take())  # what was done when the job was stopped
            self._sites.give_back()

    def process(self, raw: RawPage, source: Source) -> PageResult:
        """Process one page and keep its result."""
        task = task_of(raw, source)
        while (page := self._done(task)) is None:
            time.sleep(LOOKED_AFTER)
        return self._keep([page])[0].result

    def _done(self, task: PageTask) -> Done | None:
        """Process one page; None if it has to wait for another process."""
        raw = task.raw
        learned, why = None, ""
        self._begins(raw)
        try:
            answer = self._segment(raw, task.source)
            if answer is None:
                return None
            result, learned, why = answer
        except (BrowserMissing, StoreError):
            raise  # no page after this one would fare better
        except WebstencilError as error:
            result = self._failure(raw, error)
        except Exception as error:  # the one loop over pages: the job goes on
            log.warning("failed url=%s stage=%s", raw.url, self._clock.stage, exc_info=True)
            result = self._failure(raw, error)
        finally:
            self._clock.end()
            self._begins(None)
        if learned is None:
            self._sites.give_back()
        if result.origin != raw.origin:  # hits have it already
            result = replace(result, origin=raw.origin)
        self._count(result)
        return Done(result, task.digest, learned, why)

    def _keep(self, pages: Sequence[Done]) -> Sequence[Done]:
        """Save pages and return them."""
        if pages:
            self._clock.begin("save")
            self._begin()
            self._store.save(self._made_by, pages, self._run)
            self._sites.saved()
            self._clock.end()
        return pages

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
            self._sites.clear()  # what the others teach is read again

    def _segment(
        self, raw: RawPage, source: Source
    ) -> tuple[PageResult, Stencil | None, str] | None:
        """Return a page's result; if it was learned, its stencil and why that had to be.

        None if another process is learning from the page's site.
        """
        self._clock.begin("parse")
        page = parse(raw)
        hit = self._lay_over(page, raw.origin, source)
        while isinstance(hit, NoHit):
            if self.settings.min_pages_per_template > 1:
                members = self._census.pages_like(page)
                if members < self.settings.min_pages_per_template:
                    return self._skip(page, members), None, ""
            self._clock.begin("claim")
            answer = self._sites.ask(page.site)
            if (
                answer is ClaimOutcome.LEARN or hit.painted
            ):  # what is painted need not be painted again
                result, stencil = self._learn(page, source, hit)
                return self._extract(page, result), stencil, hit.why
            if answer is ClaimOutcome.LATER:
                return None
            hit = self._lay_over(page, raw.origin, source)
        return self._extract(page, hit), None, ""

    def _lay_over(self, page: Page, origin: str, source: Source) -> PageResult | NoHit:
        """Lay over a page what its site has taught; check some of the hits."""
        known, settings = self._site(page.site), self.settings
        hit = (
            by_paper(page, known, settings.threshold, origin, self._clock)
            if settings.mode is Mode.PAPER
            else by_borders(page, known, settings.risk, origin, self._clock)
        )
        if isinstance(hit, PageResult) and self._is_audited(page.url):
            return self._audit(page, source, hit)
        return hit

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

    def _is_audited(self, url: str) -> bool:
        """Choose by the address, so that a job that goes on checks the same pages."""
        if not self.settings.audit:
            return False
        return int.from_bytes(urls.url_hash(url, 4)) % self.settings.audit == 0

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

    def _render(self, page: Page, source: Source) -> RenderedPage:
        self._clock.begin("render")
        self._counts["rendered"] += 1
        snapshot = self._renderer.render(page, source)
        self._clock.begin("segment")
        areas = self.settings.segmenter.segment(snapshot)
        self._clock.begin("label")
        return RenderedPage(snapshot, mark(snapshot, label(page, snapshot, areas)))

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

    def _site(self, site: str) -> SiteKnowledge:
        if site not in self._sites:
            self._clock.begin("recall")
        return self._sites.known(site)

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


def ignore(_page: RawPage | None) -> None:
    """Do nothing: nobody wants to know which page is begun."""


def task_of(raw: RawPage, source: Source) -> PageTask:
    """Return what is to be done with a page; its names become text that can be kept."""
    if not (keepable(raw.url) and keepable(raw.origin)):
        raw = replace(raw, url=kept_as(raw.url), origin=kept_as(raw.origin))
    return PageTask(raw, digest(raw), source)


def keepable(name: str) -> bool:
    """Tell whether a store of any kind keeps a name as it is."""
    return "\0" not in name and (name.isascii() or kept_as(name) == name)


def kept_as(name: str) -> str:
    """Return a name without halves of characters and zeros, which a source of others may have."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "%00")


def digest(raw: RawPage) -> bytes:
    """Hash what a page's result depends on."""
    charset = (raw.charset or "").encode("utf-8", "surrogatepass")
    return blake2b(raw.body, digest_size=DIGEST_BYTES, key=charset[:64]).digest()
