"""The driver of every job: it begins a run in the store, lets pages be processed, saves, ends it.

Folders, files, crawls, jobs of several workers and of a cluster all come through here. Who works is
not known here: *hands* get orders (`work.py`) and tell what came of pages. All that they tell is
saved in one place (`_take`), in transactions of many pages, before anybody hears of it.

In the default mode sites are surveyed and learned first (`survey.py`, `learn.py`). Pages that can
be read only once, as those of a crawl, wait in the store until that is done.
"""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from os import PathLike
from threading import RLock
from typing import Protocol, TypeAlias

from webstencil.codec import encode_result
from webstencil.errors import SettingsError
from webstencil.jobs.learn import Rendered, learn_sites
from webstencil.jobs.survey import Surveyed, decide_templates, digest, save_surveyed
from webstencil.jobs.work import (
    NO_RESOURCES,
    Effort,
    Ended,
    LostPage,
    Order,
    Phase,
    Rendering,
    Said,
    Worker,
    WorkerProgress,
    WorkersBroken,
    task_of,
)
from webstencil.model import PageResult, Problem, RawPage, Status
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
from webstencil.report import Report, problem_kinds, unwatched
from webstencil.settings import Settings
from webstencil.sources import Notes
from webstencil.sources.opening import NO_STYLE, REPEATED_PAGE
from webstencil.sources.parts import Shrinking
from webstencil.store.results import TO_BE_REDONE
from webstencil.urls import site_of

log = logging.getLogger(__name__)

GONE_PAGE = "page that is gone: dropped from the results (--keep-gone keeps such pages)"
OUTDATED = "page done again: what its site decides has changed since"
LOOKED_UP = 64  # results that are read at once


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
        self.unchanged: set[str] = set()  # URLs

    def begin(self) -> int:
        """Begin, unless that was done; return the run's number."""
        if not self.number:
            self.number = self._store.runs.begin(self._learner, self._now())
        return self.number

    def save(self, pages: Sequence[Done]) -> None:
        """Keep the results of pages."""
        self._store.save(self._learner, pages, self.begin())

    def end(self) -> None:
        """End, and retire the stencils that their sites no longer need."""
        number, self.number = self.begin(), 0
        self.retired = self._store.runs.end(number, self.unchanged, self._retire_after)
        self.unchanged.clear()
        for key in self.retired:
            log.info("retired stencil=%s", key)


# Saves what a worker with that number says; returns what became of pages.
Taking: TypeAlias = Callable[[int, Said], tuple[PageEvent, ...]]


class Hands(Protocol):
    """Who does the work of a job."""

    def do(self, order: Order, take: Taking) -> Iterator[PageEvent]:
        """Let an order be done by all, and `take` what they say; a worker waits for that."""

    def stop(self, take: Taking) -> None:
        """End the work; `take` what was done and not told."""


class Here:
    """One worker in this process."""

    def __init__(self, worker: Worker, source: Source) -> None:
        self._worker = worker
        self._source = source

    def __enter__(self) -> "Here":
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing: the worker is the driver's."""

    def do(self, order: Order, take: Taking) -> Iterator[PageEvent]:
        """Do what is ordered."""
        for said in self._worker.do(order, self._source):
            yield from take(0, said)

    def stop(self, take: Taking) -> None:
        """Tell what was done."""
        take(0, self._worker.left())


class Pipeline:
    """Processes pages of any number of sites, learning what they share on the way.

    Threads may share one: pages are processed one after the other, and one source is run at a time.
    """

    def __init__(  # noqa: PLR0913 - all but two are options
        self,
        store: Store,
        renderer: Renderer,
        settings: Settings | None = None,
        *,
        items: Sequence[str] = (),
        extractors: Sequence[Extractor] = (),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        hands: Callable[[Source], AbstractContextManager[Hands]] | None = None,
    ) -> None:
        """Work with a store; `now` tells when a run begins.

        `items` are the names of extractors (`EXTRACTORS`), `extractors` are your own; `hands` are
        those who do the work on a source, by default this process. Pages whose results other
        settings made will be processed again.
        """
        self.settings = settings or Settings()
        redo_if_settings_changed(store, self.settings)
        self.notes = Notes()  # of the last source
        self.repeated = 0  # pages left out because their URL came before
        self.watch: Callable[[int], None] = unwatched  # called with the pages surveyed so far
        # Called with the pages rendered so far, and how many are to be.
        self.watch_rendering: Callable[[int, int], None] = unwatched
        self._store = store
        self._learner = self.settings.learner
        self._run = StoredRun(store, self.settings, now)
        self._worker = Worker(store, renderer, self.settings, items=items, extractors=extractors)
        self._hands = hands or (lambda source: Here(self._worker, source))
        self._sites = self._worker.sites
        self._loop = self._worker.loop
        self.settled = False  # results were revised after they had been yielded
        self._surveyed = False  # the source was, before its pages are processed
        self._met: set[str] = set()  # sites that were surveyed
        self._read: dict[int, int] = {}  # pages surveyed, by worker
        self._rendered = Rendered()  # of the pages that are wanted now
        self._wanted = 0
        self._renderings = 0  # of planned pages
        self._gone = 0
        self._counts: Counter[str] = Counter()
        self._problems: Counter[str] = Counter()
        self._efforts: dict[int, Effort] = {}  # of workers elsewhere, by number
        self._ended: dict[int, Ended] = {}  # by worker
        self._left_out: dict[int, int] = {}  # repeated pages, by worker
        self._lock = RLock()
        self._running = False

    @property
    def keeps_sites_together(self) -> bool:
        """Return whether one worker must have all pages of a site."""
        return self._loop.keeps_sites_together

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
        with self._alone(), self._hands(source) as hands:
            try:
                yield from self._drop_gone(source)
                self._surveyed = reads_twice(source, self.settings)
                if self._surveyed:
                    self._survey(hands)
                    self._learn(
                        self._met,
                        lambda wanted: hands.do(Order(Phase.RENDER, wanted=wanted), self._take),
                    )
                for event in self._processed(hands):
                    yield event
                    if isinstance(source, LiveSource):
                        source.settle(event)
                yield from self.settle(source)
                self._end_run()
            finally:
                hands.stop(self._take)
            self._sum_up_notes()

    def survey(self, source: Source) -> None:
        """Save the outlines of a source's pages, and decide on the templates of its sites."""
        with self._alone(), self._hands(source) as hands:
            try:
                self._survey(hands)
            finally:
                hands.stop(self._take)

    def process(self, raw: RawPage) -> PageResult:
        """Process one page and keep its result; `end` ends the run.

        The first pages of a site wait until there are enough of them to learn it from.
        """
        with self._lock:
            task = task_of(raw, NO_RESOURCES)
            done = self._worker.done(task)
            self._take(0, WorkerProgress((done,), self._worker.effort()))
            result = done.result
            if result.status is Status.WAITING and self._sites.is_time(result.site):
                return self._learned_now(result, task.resources)
            return result

    def end(self, resources: Resources = NO_RESOURCES) -> None:
        """End the run of pages that were processed one by one."""
        with self._lock:
            for _ in self.settle(resources):
                continue
            self._end_run()

    def report(self) -> Report:
        """Sum up what was done so far."""
        efforts = [self._worker.effort(), *self._efforts.values()]
        audited = sum(effort.audited for effort in efforts)
        agreed = sum(effort.agreed for effort in efforts)
        return Report(
            pages=sum(self._counts[status] for status in Status),
            hits=self._counts[Status.HIT],
            learned=self._counts[Status.LEARNED],
            failed=self._counts[Status.FAILED],
            skipped=self._counts[Status.SKIPPED],
            redirects=self._counts[Status.REDIRECT],
            gone=self._gone,
            rendered=self._renderings + sum(effort.rendered for effort in efforts),
            unchanged=self._counts["unchanged"],
            audited=audited,
            agreement=agreed / audited if audited else None,
            problems=tuple((+self._problems).most_common()),
            seconds=_added(effort.seconds for effort in efforts),
        )

    # The steps of a job

    def _drop_gone(self, source: Source) -> Iterator[Removed]:
        """Remove the results of pages that were in a source and are not any more."""
        if self.settings.keep_gone or not isinstance(source, Shrinking):
            return
        known = self._store.runs.versions(self._learner, *Status)
        gone = sorted(source.gone(known))
        for start in range(0, len(gone), LOOKED_UP):
            some = gone[start : start + LOOKED_UP]
            found = self._store.results.of(self._learner, some)
            for url in some:
                if url in found and source.has_origin(found[url].origin):
                    self._store.results.remove(self._learner, url)
                    self._gone += 1
                    self.notes.add(GONE_PAGE, url)
                    yield Removed(url)

    def _survey(self, hands: Hands) -> None:
        """Read the source once to know its sites; its pages are processed after that."""
        self._met.clear()
        self._read.clear()
        for _ in hands.do(Order(Phase.SURVEY), self._take):
            continue  # a survey has no results
        self._worker.clock.begin("survey")
        self._sites.clear()
        decide_templates(self._store, self._sites)
        self._worker.clock.end()

    def _learn(
        self, names: Iterable[str], render: Callable[[frozenset[str]], Iterator[PageEvent]]
    ) -> None:
        """Render the planned pages of sites, and decide on their areas."""
        if not self._loop.learns_sites:
            return

        def rendered(wanted: frozenset[str]) -> Rendered:
            self._rendered, self._wanted = Rendered(), len(wanted)
            for _ in render(wanted):
                continue
            return self._rendered

        self._worker.clock.begin("learn")
        self._renderings += learn_sites(self._store, self.settings, names, self._sites, rendered)
        self._sites.clear_areas()
        self._worker.clock.end()

    def _processed(self, hands: Hands) -> Iterator[PageEvent]:
        """Find the areas of all pages that are new, changed or outdated."""
        self._ended.clear()  # the last reading tells all of a source
        for event in hands.do(Order(Phase.PROCESS, surveyed=self._surveyed), self._take):
            yield event
            if isinstance(event, Done) and self._sites.is_overfull(event.result):
                self._learned_now(event.result, NO_RESOURCES)

    def settle(self, resources: Resources = NO_RESOURCES) -> Iterator[Done]:
        """Finish pages that were read once, now that all of their sites is known.

        Yield what is new. `resources` has what pages need to be rendered.
        """
        if self._surveyed:
            return
        self._worker.clock.begin("settle")
        self._learn_waiting(self._store.spool.sites(), resources)
        for pages in self._store.spool.pages():
            self.settled = True
            yield from self._settled(pages)
            self._store.spool.drop([raw.url for raw in pages])
        self._sites.clear()
        self._worker.clock.end()

    def _learn_waiting(self, names: Iterable[str], resources: Resources) -> None:
        """Decide on templates, and learn sites from the pages that wait."""
        self._sites.clear()
        decide_templates(self._store, self._sites)
        spool = self._store.spool

        def render(wanted: frozenset[str]) -> Iterator[PageEvent]:
            pages = ((page, resources) for url in sorted(wanted) if (page := spool.page(url)))
            for said in self._worker.render(pages, wanted):
                yield from self._take(0, said)

        self._learn(names, render)

    def _learned_now(self, result: PageResult, resources: Resources) -> PageResult:
        """Learn a site from the pages that wait; return the new result of the last one."""
        self._learn_waiting([result.site], resources)
        waiting = self._store.spool.page(result.url)
        new = list(self._settled([waiting])) if waiting is not None else []
        return new[-1].result if new else result

    def _settled(self, pages: Sequence[RawPage]) -> Iterator[Done]:
        """Save again what has changed of pages that waited; yield it."""
        with self._lock:
            known = self._store.results.of(self._learner, [raw.url for raw in pages])
            new: list[Done] = []
            old: list[Done] = []
            for raw in pages:
                before = known.get(raw.url)
                if before is None or before.status is Status.FAILED:
                    continue
                result = self._worker.again(raw, before)
                if result == before:
                    continue
                self._counts[before.status] -= 1
                self._problems.subtract(problem_kinds(before))
                self._count(result)
                done = Done(result, digest(raw), settled=True, body=encode_result(result))
                (new if before.status is Status.WAITING else old).append(done)
            if new:
                self._run.save(new)
            if old:
                self._store.save(self._learner, old)  # they were counted before
        changed = {done.url: done for done in (*new, *old)}
        yield from (changed[raw.url] for raw in pages if raw.url in changed)

    # What workers say

    def _take(self, number: int, said: Said) -> tuple[PageEvent, ...]:
        """Save what a worker says; return what became of pages."""
        if isinstance(said, WorkerProgress):
            if number:
                self._efforts[number] = said.effort
            self._left_out[number] = said.repeated
            self.repeated = sum(self._left_out.values())
            self._save(said.events)
            return said.events
        if isinstance(said, Surveyed):
            save_surveyed(said, self._store.outlines)
            self._met |= said.sites
            self._read[number] = said.read
            self.watch(sum(self._read.values()))
        elif isinstance(said, Rendering):
            self._take_rendering(said)
        elif isinstance(said, LostPage):
            return self._take_lost(said)
        elif isinstance(said, Ended):
            self._ended[number] = said
        elif isinstance(said, WorkersBroken):
            raise said.error
        return ()

    def _save(self, events: Sequence[PageEvent]) -> None:
        """Save what became of pages, and count it."""
        with self._lock:
            self._worker.clock.begin("save")
            done = [self._kept(event) for event in events if isinstance(event, Done)]
            if done:
                self._run.save(done)
            for event in events:
                if isinstance(event, Removed):
                    self._store.results.remove(self._learner, event.url)
                elif isinstance(event, Unchanged):
                    self._run.unchanged.add(event.url)
                    self._counts["unchanged"] += 1
            lost = [] if self._surveyed else [one.url for one in done if one.surveyed is None]
            self._store.outlines.drop(lost)  # of what is no HTML page any more
            self._worker.clock.end()

    def _kept(self, done: Done) -> Done:
        """Count a page; it waits in the store unless too many do."""
        self._count(done.result)
        if done.outdated:
            self.notes.add(OUTDATED, done.url)
        if done.waiting is not None and self._loop.learns_sites:
            return done if self._sites.waits(done.result) else replace(done, waiting=None)
        return done

    def _take_rendering(self, said: Rendering) -> None:
        """Save a rendered page as a witness of its site."""
        came = self._rendered
        if said.witness is not None:
            self._store.witnesses.save(self._learner, said.witness)
            came.done += 1
        if said.failed:
            came.failed[said.url] = said.failed
        came.no_browser = came.no_browser or said.no_browser
        self.watch_rendering(came.done, self._wanted)

    def _take_lost(self, page: LostPage) -> tuple[PageEvent, ...]:
        """Save a page that crashes its workers as failed, once it is processed."""
        if page.phase is Phase.RENDER:
            self._rendered.failed[page.url] = f"it crashes its worker processes ({page.why})"
        if page.phase is not Phase.PROCESS:
            return ()
        failed = Done(self._sites.named(failure(page)), TO_BE_REDONE)
        self._count(failed.result)
        self._run.save([failed])
        return (failed,)

    def _count(self, result: PageResult) -> None:
        self._counts[result.status] += 1
        self._problems.update(problem_kinds(result))

    def _end_run(self) -> None:
        self._run.end()
        self._loop.forget()  # stencils may have been retired

    def _sum_up_notes(self) -> None:
        """Sum up the warnings of the sources.

        All workers read all sources, so each of them reports the same damage; repeated pages are
        reported by one worker each.
        """
        missing = frozenset[str]().union(*[ended.missing for ended in self._ended.values()])
        found = [note for ended in self._ended.values() for note in ended.notes]
        for kind in dict.fromkeys(note.kind for note in found):
            counts = [note.count for note in found if note.kind == kind]
            count = sum(counts) if kind == REPEATED_PAGE else max(counts)
            first = min(note.first for note in found if note.kind == kind)
            self.notes.add(kind, first, len(missing) if kind == NO_STYLE else count)
        self._ended.clear()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Refuse a second source while one is run."""
        with self._lock:
            if self._running:
                raise SettingsError("this pipeline is running; make another one for this thread")
            self._running = True
        self.notes.clear()
        try:
            yield
        finally:
            self._running = False
            self._surveyed = False  # what comes next was not surveyed


def reads_twice(source: Source, settings: Settings) -> bool:
    """Return whether a source is surveyed first: it costs little, or templates must be counted."""
    if isinstance(source, LiveSource):
        return False
    return settings.min_pages_per_template > 1 or not getattr(source, "read_once", False)


def failure(page: LostPage) -> PageResult:
    """Return the result of a page that crashed its workers."""
    message = (
        f"{page.url} crashed its worker processes ({page.why}); leave it out, or run "
        "`webstencil --debug segment` on it to see why"
    )
    return PageResult(
        url=page.url,
        site=site_of(page.url),
        status=Status.FAILED,
        stencil=None,
        confidence=0.0,
        problems=(Problem("work", "WorkerDied", message),),
        origin=page.origin,
    )


def _added(parts: Iterable[Sequence[tuple[str, float]]]) -> tuple[tuple[str, float], ...]:
    """Add up numbers by name."""
    sums: dict[str, float] = {}
    for part in parts:
        for name, number in part:
            sums[name] = sums.get(name, 0.0) + number
    return tuple(sums.items())
