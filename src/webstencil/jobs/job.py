"""The driver of every job: it begins a run in the store, takes pages through the stages, ends it.

Folders, files, crawls, parts of workers and Ray tasks all come through here. A page that fails is a
result with a problem in it; the job goes on. Results are saved in batches (write_batch.py), and
come when they are in the store.

In the default mode sites are surveyed and learned first (survey.py, learning.py). Pages that can be
read only once, as those of a crawl, wait in the store until that is done (settle.py). In paper mode
a page is learned only if no other process is learning from its site; if one is, the page is parked
and laid over again with what was learned meanwhile (site_cache.py).
"""

import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from os import PathLike
from statistics import fmean
from threading import RLock
from time import monotonic

from webstencil import urls
from webstencil.errors import BrowserMissing, SettingsError, StoreError, WebstencilError
from webstencil.jobs.learn import SiteLearning
from webstencil.jobs.sites import DecidedSites, SpooledSites, SurveyedSites
from webstencil.jobs.survey import (
    NO_RESOURCES,
    PageTask,
    decide_templates,
    ignore,
    reads_twice,
    survey,
    task_of,
    tasks,
)
from webstencil.model import Mode, PageResult, Problem, RawPage, Status
from webstencil.pipeline.parked import CLAIM_PAUSE, Parked
from webstencil.pipeline.site_cache import ClaimOutcome, SiteCache
from webstencil.protocols import (
    Done,
    Extractor,
    LiveSource,
    PageEvent,
    Removed,
    Renderer,
    Resources,
    Source,
    Store,
    Unchanged,
)
from webstencil.report import Report, StageClock, problem_kinds, unwatched
from webstencil.settings import Settings
from webstencil.stages import WAITING, JobSites, PageStages, make_extractors, result_without_areas

# Results that other settings or fewer extractors made: their pages are processed again.
#
# What all results of a learner depend on is noted in the store before a job starts, so that a
# killed job continues with the pages that are left.


SETTINGS = "settings of all pages"  # what the store keeps their fingerprint under
ITEMS = "extractors of all pages"  # what the store keeps their names under


def redo_if_settings_changed(store: Store, settings: Settings) -> int:
    """Let all pages be processed again if their results have another fingerprint; return how many.

    A store without a note is one of default settings.
    """
    usual = Settings(settings.segmenter, settings.mode).fingerprint
    noted = (store.blobs.kept(settings.learner, SETTINGS) or usual.encode()).decode()
    if noted == settings.fingerprint:
        return 0
    pages = store.results.redo(settings.learner)
    store.blobs.keep(settings.learner, SETTINGS, settings.fingerprint.encode())
    return pages


def redo_pages_without(items: Collection[str], store: Store, learner: str) -> int:
    """Let all pages be processed again unless all have these items; return how many."""
    wanted = set(items)
    had = set((store.blobs.kept(learner, ITEMS) or b"").decode().split())
    pages = store.results.redo(learner) if wanted - had else 0
    have = wanted if wanted - had else wanted & had
    if have != had:
        store.blobs.keep(learner, ITEMS, " ".join(sorted(have)).encode())
    return pages


# A run in the store: begun with its first result, ended after its last page.


log = logging.getLogger(__name__)


class StoredRun:
    """A run in the store: begun with its first result, ended after its last page."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.number = 0  # in the store; 0 until it begins
        self.retired: tuple[str, ...] = ()  # keys of stencils that the last run retired
        self._store = store
        self._learner = settings.learner
        self._retire_after = settings.retire_after
        self._now = now
        self._unchanged: set[str] = set()  # URLs

    def begin(self) -> int:
        """Begin, unless that was done; return the run's number."""
        if not self.number:
            self.number = self._store.runs.begin(self._learner, self._now())
        return self.number

    def save(self, pages: Sequence[Done]) -> None:
        """Keep the results of pages."""
        self._store.save(self._learner, pages, self.begin())

    def drive(self, events: Iterable[PageEvent]) -> Iterator[PageEvent]:
        """Yield what happens to the pages of a job; the run ends after the last event."""
        for event in events:
            if isinstance(event, Unchanged):
                self._unchanged.add(event.url)
            yield event
        self.end()

    def end(self) -> None:
        """End, and retire the stencils that their sites no longer need."""
        number, self.number = self.begin(), 0
        self.retired = self._store.runs.end(number, self._unchanged, self._retire_after)
        self._unchanged.clear()
        for key in self.retired:
            log.info("retired stencil=%s", key)


# Pages that are done and wait to be saved together.
#
# A transaction takes longer than a hit, and one for many pages hardly longer than one for one. So
# hits wait for others, a moment at most; a page that was rendered is not put at risk.


MOST_IN_BATCH = 64  # pages; with more, a page saves no time that can be measured
LONGEST_IN_BATCH = 0.5  # s, after which those who look on want to see results


class WriteBatch:
    """Pages with different addresses, in the order in which they were done."""

    def __init__(self) -> None:
        self._pages: dict[str, Done] = {}  # by address
        self._since = 0.0
        self._urgent = False

    def add(self, page: Done) -> None:
        """Add a page."""
        if not self._pages:
            self._since = monotonic()
        self._pages[page.result.url] = page
        self._urgent = self._urgent or page.result.status is not Status.HIT

    def is_due(self) -> bool:
        """Return whether it is time to save."""
        full = len(self._pages) >= MOST_IN_BATCH
        return self._urgent or full or monotonic() - self._since >= LONGEST_IN_BATCH

    def take(self) -> list[Done]:
        """Return the pages and empty the batch."""
        pages = list(self._pages.values())
        self._pages, self._urgent = {}, False
        return pages

    def __contains__(self, url: str) -> bool:
        return url in self._pages


IDLE_PAUSE = 0.02  # s, while all pages that are left wait for another process


class Pipeline:
    """Processes pages of any number of sites, learning their stencils on the way.

    Threads may share one: pages are processed one after the other, and one source is run at a time.
    """

    def __init__(
        self,
        store: Store,
        renderer: Renderer,
        settings: Settings | None = None,
        *,
        items: Sequence[str] = (),
        extractors: Sequence[Extractor] = (),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Work with a store; `now` tells when a run begins.

        `items` are the names of extractors (`EXTRACTORS`), `extractors` are your own.
        Pages whose results other settings made will be processed again.
        """
        self.settings = settings or Settings()
        redo_if_settings_changed(store, self.settings)
        self._store = store
        self._run = StoredRun(store, self.settings, now)
        self._clock = StageClock()
        self._sites = SiteCache(store, self.settings.learner)
        self._waits = not WAITING.isdisjoint(items)
        self._surveyed = SurveyedSites(store)
        self._decided = DecidedSites(store, self.settings.learner)
        self._stages = PageStages(
            renderer,
            self.settings,
            JobSites(self._surveyed, self._decided, self._sites),
            (*make_extractors(items, self._surveyed.models, self._surveyed.voted), *extractors),
            self._clock,
        )
        self._learning = SiteLearning(store, self._stages)
        self._spooled = SpooledSites(store)
        self._met: set[str] = set()  # sites
        self._reads_once = True  # unless the source was surveyed
        self.watch: Callable[[int], None] = unwatched  # called with the pages surveyed so far
        self._counts: Counter[str] = Counter()
        self._problems: Counter[str] = Counter()
        self._at_hand: Callable[[RawPage | None], None] = ignore
        self._lock = RLock()
        self._running = False

    def run(self, source: Source) -> Iterator[PageResult]:
        """Process what is new or changed in a source; each result is in the store when it comes.

        Pages that wait for their site come when they have a result.
        """
        if isinstance(source, str | PathLike):  # as it is named on the command line
            raise SettingsError(f"run takes a source, as in run(open_source({str(source)!r}))")
        done = (event.result for event in self.events(source) if isinstance(event, Done))
        return (result for result in done if result.status is not Status.WAITING)

    def events(self, source: Source) -> Iterator[PageEvent]:
        """Process a source as `run` does; yield also which pages are unchanged or gone."""
        with self._alone():
            if reads_twice(source, self.settings):
                self.survey(source)
                self.learn(source)
            yield from self._run.drive(self._settling(source))
            self._forget_retired()

    def _settling(self, source: Source) -> Iterator[PageEvent]:
        """Process a source; what depends on whole sites is settled after the last page."""
        yield from self._events(source)
        yield from self.settle(source)

    def survey(self, source: Source) -> None:
        """Read a source once to know its sites; its pages are processed after that."""
        self._clock.begin("survey")
        for read in survey(source.pages(), self._store.outlines, sites=self._met):
            self.watch(read)
        decide_templates(self._store)
        self._surveyed.clear()
        self._clock.end()
        self._reads_once = False

    def learn(self, source: Source) -> None:
        """Render the planned pages of the surveyed sites, and decide on their areas."""
        sites, self._met = self._met, set()
        self._learning.learn(
            sites, lambda: ((raw, raw.resources or source) for raw in source.pages())
        )

    def watch_rendering(self, watch: Callable[[int, int], None]) -> None:
        """Call this with pages rendered, and how many are to be, while sites are learned."""
        self._learning.watch = watch

    def settle(self, resources: Resources = NO_RESOURCES) -> Iterator[Done]:
        """Finish pages that were read once, now that all of their sites is known.

        Yield what is new. `resources` has what pages need to be rendered.
        """
        if not self._reads_once:
            return
        self._clock.begin("settle")
        self._learning.learn_waiting(self._store.spool.sites(), resources)
        for pages in self._store.spool.pages():
            yield from self._settled(pages)
            self._store.spool.drop([raw.url for raw in pages])
        self._spooled.clear()
        self._clock.end()

    def _settled(self, pages: Sequence[RawPage]) -> Iterator[Done]:
        """Save again what has changed of pages that waited; yield it."""
        with self._lock:
            changed = list(self._learning.settled(pages))
            for before, done in changed:
                self._counts[before.status] -= 1
                self._problems.subtract(problem_kinds(before))
                self._count(done.result)
            new = [done for before, done in changed if before.status is Status.WAITING]
            old = [done for before, done in changed if before.status is not Status.WAITING]
            self._save(new)
            if old:
                self._store.save(self.settings.learner, old)  # they were counted before
        yield from (done for _, done in changed)

    def part(self, source: Source, is_ours: Callable[[str], bool]) -> Iterator[PageEvent]:
        """Process a part of a source in a run that was joined, and that somebody else will end.

        `is_ours` says of a URL whether it may be one of the part's.
        """
        return self._events(source, is_ours)

    def join(self, run: int, at_hand: Callable[[RawPage | None], None], *, surveyed: bool) -> None:
        """Take part in a run that was begun elsewhere, of a source that was surveyed or not.

        `at_hand` is called with each page that is begun, and with None when that is over.
        """
        self._run.number, self._at_hand, self._reads_once = run, at_hand, not surveyed
        self._learning.at_hand = at_hand

    def process(self, raw: RawPage) -> PageResult:
        """Process one page and keep its result; `end` ends the run.

        The first pages of a site wait until there are enough of them to learn it from.
        """
        task = task_of(raw, NO_RESOURCES)
        while True:
            with self._lock:
                page = self._done(task)
                if page is not None:
                    result = self._save([page])[0].result
                    if result.status is Status.WAITING and self._spooled.is_time(result.site):
                        return self._learned_now(result, task.resources)
                    return result
            time.sleep(CLAIM_PAUSE)

    def _learned_now(self, result: PageResult, resources: Resources) -> PageResult:
        """Learn a site from the pages that wait; return the new result of the last one."""
        self._learning.learn_waiting([result.site], resources)
        waiting = self._store.spool.page(result.url)
        new = list(self._settled([waiting])) if waiting is not None else []
        return new[-1].result if new else result

    def end(self, resources: Resources = NO_RESOURCES) -> None:
        """End the run of pages that were processed one by one."""
        with self._lock:
            for _ in self.settle(resources):
                continue
            self._run.end()
            self._forget_retired()

    def report(self) -> Report:
        """Sum up what was done so far."""
        agreements = self._stages.agreements
        return Report(
            pages=sum(self._counts[status] for status in Status),
            hits=self._counts[Status.HIT],
            learned=self._counts[Status.LEARNED],
            failed=self._counts[Status.FAILED],
            skipped=self._counts[Status.SKIPPED],
            rendered=self._stages.rendered,
            unchanged=self._counts["unchanged"],
            audited=len(agreements),
            agreement=fmean(agreements) if agreements else None,
            problems=tuple((+self._problems).most_common()),
            seconds=tuple(self._clock.seconds.items()),
        )

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Refuse a second source while one is run."""
        with self._lock:
            if self._running:
                raise SettingsError("this pipeline is running; make another one for this thread")
            self._running = True
        try:
            yield
        finally:
            self._running = False
            self._reads_once = True  # what comes next was not surveyed

    def _events(
        self, source: Source, is_ours: Callable[[str], bool] | None = None
    ) -> Iterator[PageEvent]:
        """Process what comes; an event is yielded when it is in the store."""
        done = self._store.results.done(self.settings.learner)
        if is_ours is not None:  # to need less memory
            done = {url: digest for url, digest in done.items() if is_ours(url)}
        live = source if isinstance(source, LiveSource) else None
        arrivals = source.pages() if live is None else live.arrivals()
        for event in self._processed(tasks(arrivals, source), done):
            yield event
            if live is not None:
                live.settle(event)

    def _processed(
        self, arriving: Iterator[PageTask | Unchanged | Removed | None], done: Mapping[str, bytes]
    ) -> Iterator[PageEvent]:
        versions = self._versions()
        batch = WriteBatch()
        parked = Parked(lambda site: self._sites.claim(site) is not ClaimOutcome.TAKEN)
        try:
            for task in parked.in_turn(arriving):
                if task is None:  # nothing to do for a moment
                    yield from self._save(batch.take())
                    time.sleep(IDLE_PAUSE)
                    continue
                if not isinstance(task, PageTask):
                    yield self._noted(task)
                    continue
                url = task.raw.url
                if done.get(url) == task.digest and not self._outdated(url, versions):
                    yield self._noted(Unchanged(url, task.digest))
                    continue
                if url in batch:
                    yield from self._save(batch.take())
                with self._lock:
                    page = self._done(task, changed=url in done)
                if page is None:
                    parked.add(task)
                    continue
                batch.add(page)
                if batch.is_due():
                    yield from self._save(batch.take())
                if self._spooled.is_full(page.result):
                    yield from self._save(batch.take())
                    self._learned_now(page.result, task.resources)
            yield from self._save(batch.take())
        finally:
            self._save(batch.take())  # what was done when the job was stopped
            self._sites.give_back()

    def _forget_retired(self) -> None:
        if self._run.retired:
            self._sites.clear()  # what the others teach is read again

    def _noted(self, event: Unchanged | Removed) -> Unchanged | Removed:
        """Count a page that is as it was; remove the result of one that is gone."""
        if isinstance(event, Removed):
            self._store.results.remove(self.settings.learner, event.url)
        else:
            self._counts["unchanged"] += 1
        return event

    def _done(self, task: PageTask, *, changed: bool = False) -> Done | None:
        """Process one page; None if it has to wait for another process."""
        raw = task.raw
        self._at_hand(raw)
        learned, why, surveyed = None, "", None
        hashed = task.digest if self._reads_once else None
        try:
            processed = self._stages.process(raw, task.resources, hashed)
            if processed is None:
                return None
            result, learned, why = processed.result, processed.learned, processed.why
            surveyed = processed.surveyed
        except (BrowserMissing, StoreError):
            raise  # no page after this one would fare better
        except WebstencilError as error:
            result = self._failure(raw, error)
        except Exception as error:  # the one loop over pages: the job goes on
            log.warning("failed url=%s stage=%s", raw.url, self._clock.stage, exc_info=True)
            result = self._failure(raw, error)
        finally:
            self._clock.end()
            self._at_hand(None)
        if learned is None:
            self._sites.give_back()
        if result.status is Status.FAILED and hashed is not None:
            surveyed = self._surveyed.survey_failed(raw, hashed)
        if result.origin != raw.origin:  # hits have it already
            result = replace(result, origin=raw.origin)
        self._count(result)
        waits = surveyed is not None and self._must_wait(result)
        return Done(result, task.digest, learned, why, changed, surveyed, raw if waits else None)

    def _must_wait(self, result: PageResult) -> bool:
        """Return whether a page is kept until its whole site is known."""
        if result.status is Status.FAILED:
            return False
        if self.settings.mode is Mode.DEFAULT:
            return self._spooled.takes(result)
        return self._waits

    def _save(self, pages: Sequence[Done]) -> Sequence[Done]:
        """Save pages and return them."""
        if pages:
            with self._lock:
                self._clock.begin("save")
                self._run.save(pages)
                self._sites.saved()
                self._clock.end()
        return pages

    def _versions(self) -> Mapping[str, int]:
        """Return what pages were made with that may be made again."""
        if self.settings.mode is Mode.DEFAULT:
            return self._store.runs.versions(self.settings.learner, Status.HIT, Status.LEARNED)
        return (
            self._store.runs.versions(self.settings.learner, Status.HIT)
            if self.settings.upgrade
            else {}
        )

    def _outdated(self, url: str, versions: Mapping[str, int]) -> bool:
        """Return whether more is known of a page's site than when it was processed."""
        if url not in versions:
            return False
        site = urls.site_of(url)
        if self.settings.mode is Mode.DEFAULT:
            return versions[url] != self._decided(site).areas.version
        return versions[url] < self._stages.site(site).version

    def _failure(self, raw: RawPage, error: Exception) -> PageResult:
        problem = Problem(self._clock.stage, type(error).__name__, str(error))
        return result_without_areas(raw.url, Status.FAILED, problem)

    def _count(self, result: PageResult) -> None:
        self._counts[result.status] += 1
        self._problems.update(problem_kinds(result))
