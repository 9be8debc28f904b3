"""A job in several processes of one machine."""

import logging
import pickle
import subprocess
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait
from socket import socketpair
from time import monotonic
from typing import Self

from webstencil.errors import SettingsError, WebstencilError
from webstencil.jobs.job import Pipeline, StoredRun, redo_if_settings_changed
from webstencil.jobs.learn import Rendered, learn_sites
from webstencil.jobs.survey import decide_templates, ignore, reads_twice
from webstencil.jobs.work import (
    STOP,
    Ended,
    Hand,
    LostPage,
    Met,
    Phase,
    RenderProgress,
    Said,
    SurveyProgress,
    WorkerJob,
    WorkerProgress,
    WorkersBroken,
)
from webstencil.model import Mode, PageResult, Problem, Status
from webstencil.processes import start_child
from webstencil.protocols import Done, PageEvent, Renderer, Source, Store, Unchanged
from webstencil.render import ChromiumRenderer
from webstencil.report import Report, problem_kinds, unwatched
from webstencil.settings import Settings
from webstencil.sources import Notes, SourcePart
from webstencil.sources.opening import NO_STYLE, REPEATED_PAGE
from webstencil.stages import WAITS, result_without_areas
from webstencil.store import TO_BE_REDONE, StorePlace, open_store
from webstencil.urls import site_of, url_hash

# Collect what workers report: results, in one stream, and one report.


WAITED = result_without_areas("", Status.WAITING, WAITS)  # stands for a page that waits
RESULTS_READ = 64  # from the store at once


class Gathering:
    """Collects the messages of the workers of a run.

    When a worker reports a page, its result is in the store and is read from there; a bare result,
    without areas and items, is in the message. A worker that takes over for a dead one comes to the
    same pages again: those already reported are left out, and those that were saved but not
    reported are recognised by what the store had when the run began.
    """

    def __init__(self, store: Store, learner: str, *, bare: bool = False) -> None:
        self._store = store
        self._learner = learner
        self._bare = bare
        self._before = store.results.done(learner)
        self._told: set[bytes] = set()  # hashes of the URLs that were reported
        self._counts: Counter[Status] = Counter()
        self._problems: Counter[str] = Counter()
        self._reports: dict[int, Report] = {}  # the latest of each worker
        self._repeated: dict[int, int] = {}  # by worker
        self._ended: list[Ended] = []
        self.met: set[str] = set()  # URLs of unchanged pages
        self.rendered = 0  # pages, to learn their sites

    def events(self, worker: int, told: WorkerProgress) -> Iterator[PageEvent]:
        """Yield the results of the pages that a worker reports."""
        self._reports[worker], self._repeated[worker] = told.report, told.repeated
        fresh = []
        for page in told.pages:
            if self._is_new(page):
                fresh.append(page)
            elif page.result is None:
                yield Unchanged(page.url, page.digest)
        for start in range(0, len(fresh), RESULTS_READ):
            yield from self._read(fresh[start : start + RESULTS_READ])

    def lost(self, page: LostPage, run: "StoredRun") -> Iterator[PageEvent]:
        """Save a page that crashed its workers as failed, and yield its result."""
        failed = failure(page)
        run.save([Done(failed, TO_BE_REDONE)])
        self._told.add(url_hash(page.url))
        yield from self._read([Met(page.url, TO_BE_REDONE, failed)])

    def settled(self, done: Done) -> None:
        """Count a page that waited and has a new result."""
        self._counts[Status.WAITING] -= 1
        self._problems.subtract(problem_kinds(WAITED))
        self._count(done.result)

    def _count(self, result: PageResult) -> None:
        self._counts[result.status] += 1
        self._problems.update(problem_kinds(result))

    def end(self, ended: Ended) -> None:
        """Keep the last message of a worker."""
        self._ended.append(ended)

    @property
    def repeated(self) -> int:
        """Return how many pages were left out because their URL came before."""
        return sum(self._repeated.values())

    def notes(self) -> Notes:
        """Return the warnings of the sources.

        All workers read all sources, so each of them reports the same damage; repeated pages are
        reported by one worker each.
        """
        notes = Notes()
        missing = frozenset[str]().union(*[ended.missing for ended in self._ended])
        found = [note for ended in self._ended for note in ended.notes]
        for kind in dict.fromkeys(note.kind for note in found):
            same = [note for note in found if note.kind == kind]
            counts = [note.count for note in same]
            count = sum(counts) if kind == REPEATED_PAGE else max(counts)
            first = min(note.first for note in same)
            notes.add(kind, first, len(missing) if kind == NO_STYLE else count)
        return notes

    def report(self) -> Report:
        """Return the counts and times so far."""
        counts, reports = self._counts, self._reports.values()
        audited = sum(report.audited for report in reports)
        agreed = sum((report.agreement or 0.0) * report.audited for report in reports)
        return Report(
            pages=sum(counts.values()),
            hits=counts[Status.HIT],
            learned=counts[Status.LEARNED],
            failed=counts[Status.FAILED],
            skipped=counts[Status.SKIPPED],
            rendered=self.rendered + sum(report.rendered for report in reports),
            audited=audited,
            agreement=agreed / audited if audited else None,
            unchanged=len(self.met),
            problems=tuple((+self._problems).most_common()),
            seconds=added(report.seconds for report in reports),
        )

    def _is_new(self, page: Met) -> bool:
        """Return whether a page was done in this run and is reported for the first time."""
        hashed = url_hash(page.url)
        if page.url in self.met or hashed in self._told:
            return False
        if page.result is not None or self._before.get(page.url) != page.digest:
            self._told.add(hashed)
            return True
        self.met.add(page.url)
        return False

    def _read(self, pages: Sequence[Met]) -> list[Done]:
        found = {page.url: page.result for page in pages if self._bare and page.result}
        if unread := [page.url for page in pages if page.url not in found]:
            found |= self._store.results.of(self._learner, unread)
        done = [Done(found[page.url], page.digest) for page in pages if page.url in found]
        for one in done:
            self._count(one.result)
        return done


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


def added(parts: Iterable[Sequence[tuple[str, float]]]) -> tuple[tuple[str, float], ...]:
    """Add up numbers by name."""
    sums: dict[str, float] = {}
    for part in parts:
        for name, number in part:
            sums[name] = sums.get(name, 0.0) + number
    return tuple(sums.items())


# A job in several processes that share a store, wherever they run.


class Shared(ABC):
    """Processes pages as a `Pipeline` does, in workers that each process parts of a source.

    Each worker has its own browser. `renderer` and the source are copied to the workers; `items`
    are names of extractors.
    """

    bare = False  # yield results without areas and items, which need not be read from the store
    settled = False  # results were revised after the last one was yielded

    def __init__(
        self,
        store: StorePlace,
        settings: Settings | None = None,
        *,
        renderer: Renderer | None = None,
        items: Sequence[str] = (),
    ) -> None:
        """Use the store in a file or on a server."""
        self.settings = settings or Settings()
        self._store = store
        self._renderer = renderer or ChromiumRenderer()
        self._items = tuple(items)
        self._gathering: Gathering | None = None
        self.watch: Callable[[int], None] = unwatched  # called with the pages surveyed so far
        # Called with the pages rendered so far, and how many are to be.
        self.watch_rendering: Callable[[int, int], None] = unwatched

    def run(self, source: Source) -> Iterator[PageResult]:
        """Process new and changed pages; a result is in the store before it is yielded.

        Pages that wait for their site are yielded when they have a result.
        """
        with open_store(self._store) as store:
            redo_if_settings_changed(store, self.settings)
            run = StoredRun(store, self.settings)
            job = WorkerJob(
                self._store, source, self.settings, self._renderer, self._items, run.begin()
            )
            rendered = 0
            if reads_twice(source, self.settings):
                sites = self._survey(replace(job, phase=Phase.SURVEY), store)
                rendered = self._learn(replace(job, phase=Phase.LEARN), store, sites)
                job = replace(job, surveyed=True)
            self._gathering = Gathering(store, self.settings.learner, bare=self.bare)
            self._gathering.rendered = rendered
            for event in run.drive(self._settling(job, store, run)):
                if isinstance(event, Done) and event.result.status is not Status.WAITING:
                    yield event.result

    def _settling(self, job: WorkerJob, store: Store, run: StoredRun) -> Iterator[PageEvent]:
        """Process a source; what depends on whole sites is settled after the last page."""
        gathering = self._gathered()
        yield from self._events(gathering, self._said(job, store), run)
        if not job.surveyed:
            yield from self._settle(job, store, gathering)

    def _survey(self, job: WorkerJob, store: Store) -> set[str]:
        """Read the source once to know its sites; its pages are processed after that."""
        read: dict[int, int] = {}
        sites: set[str] = set()
        with closing(self._said(job, store)) as told:
            for worker, said in told:
                if isinstance(said, WorkersBroken):
                    raise said.error
                if isinstance(said, SurveyProgress):
                    read[worker] = said.pages
                    sites |= said.sites
                    self.watch(sum(read.values()))
        decide_templates(store)
        return sites

    def _learn(self, job: WorkerJob, store: Store, sites: set[str]) -> int:
        """Render the planned pages of sites and decide on their areas; return how many."""
        if self.settings.mode is not Mode.DEFAULT:
            return 0
        return learn_sites(
            store,
            self.settings,
            sites,
            lambda wanted: self._rendered(replace(job, wanted=wanted), store),
        )

    def _rendered(self, job: WorkerJob, store: Store) -> Rendered:
        """Render pages in workers."""
        parts: dict[int, Rendered] = {}
        lost: dict[str, str] = {}
        with closing(self._said(job, store)) as told:
            for worker, said in told:
                if isinstance(said, WorkersBroken):
                    raise said.error
                if isinstance(said, LostPage):
                    lost[said.url] = f"it crashes its worker processes ({said.why})"
                if isinstance(said, RenderProgress):
                    parts[worker] = said.told
                    done = sum(part.done for part in parts.values())
                    self.watch_rendering(done, len(job.wanted))
        came = Rendered(done=sum(part.done for part in parts.values()))
        for part in parts.values():
            came.failed |= part.failed
            came.no_browser = came.no_browser or part.no_browser
        came.failed |= lost  # their parts have left them out since
        return came

    def _settle(self, job: WorkerJob, store: Store, gathering: Gathering) -> Iterator[PageEvent]:
        """Finish pages that were read once, now that all of their sites is known."""
        with self._renderer as renderer:
            pipeline = Pipeline(store, renderer, self.settings, items=self._items)
            pipeline.join(job.run, ignore, surveyed=False)
            for done in pipeline.settle(job.source):
                gathering.settled(done)
                yield done
            gathering.rendered += pipeline.report().rendered
        self.settled = True

    def _events(
        self, gathering: Gathering, told: Generator[tuple[int, Said]], run: StoredRun
    ) -> Iterator[PageEvent]:
        """Yield what workers tell of pages."""
        with closing(told):  # before the store, also after an error
            for worker, said in told:
                if isinstance(said, WorkersBroken):
                    raise said.error
                if isinstance(said, Ended):
                    gathering.end(said)
                elif isinstance(said, LostPage):
                    yield from gathering.lost(said, run)
                elif isinstance(said, WorkerProgress):
                    yield from gathering.events(worker, said)

    def _gathered(self) -> Gathering:
        if self._gathering is None:
            raise WebstencilError("this job is not running; call run first")
        return self._gathering

    def report(self) -> Report:
        """Return the counts and times so far."""
        return self._gathering.report() if self._gathering else Report()

    @property
    def repeated(self) -> int:
        """Return how many pages were left out because their URL came before."""
        return self._gathering.repeated if self._gathering else 0

    @property
    def notes(self) -> Notes:
        """Return the warnings of the sources."""
        return self._gathering.notes() if self._gathering else Notes()

    @abstractmethod
    def _said(self, job: WorkerJob, store: Store) -> Generator[tuple[int, Said]]:
        """Yield messages, with a number for each worker, until all parts are done."""


# Start the workers of a job, receive their messages, replace dead ones, and end them.


log = logging.getLogger(__name__)

MOST_STARTS = 3  # of a part without any progress; a further worker would crash as well
MOST_DEATHS = 2  # of workers on the same page; one may be chance
LAST_WAIT = 10.0  # s for the workers to save their results and end


@dataclass(slots=True)
class Worker:
    """A worker process."""

    part: SourcePart
    number: int  # unique among all that were started
    starts: int  # of this part so far, with this one
    process: "subprocess.Popen[bytes]"
    pipe: Connection
    hand: Hand  # the page in work
    ended: bool = False  # it has finished its part


class Crew:
    """One worker for each part of a job; `with` starts and ends them."""

    def __init__(
        self, job: WorkerJob, parts: Sequence[SourcePart], bury: Callable[[SourcePart, str], None]
    ) -> None:
        """Process parts of a job.

        `bury` is called with the part of each worker that ended before it was done, and with the
        reason, which is empty if the worker was stopped.
        """
        self._parts = parts
        self._bury = bury
        self._job = packed(job)
        self._started = 0
        self._alive: dict[Connection, Worker] = {}
        self._deaths: Counter[str] = Counter()  # by the URL of the page in work
        self._given_up: set[str] = set()  # URLs of pages that crash their workers
        self.lost: list[str] = []  # parts that were given up, with the reason

    def __enter__(self) -> Self:
        with ExitStack() as unless_all_start:
            unless_all_start.callback(self._kill)
            for part in self._parts:
                self._start(part, 1)
            unless_all_start.pop_all()
        return self

    def __exit__(self, *exc: object) -> None:
        """End all workers; they may save what they have."""
        try:
            for worker in self._alive.values():
                with suppress(OSError):
                    worker.pipe.send(STOP)
            for _ in self.said(until=monotonic() + LAST_WAIT):
                continue
        finally:
            self._kill()

    def said(self, until: float | None = None) -> Iterator[tuple[int, Said]]:
        """Yield the messages of workers, with the worker's number, until all have ended.

        With `until`, no worker is replaced, and waiting ends at that time.
        """
        while self._alive and (until is None or monotonic() < until):
            left = None if until is None else max(0.0, until - monotonic())
            for ready in wait(list(self._alive), left):
                worker = self._alive[ready]  # type: ignore[index]  # only connections are waited for
                try:
                    said: Said = worker.pipe.recv()
                except (EOFError, OSError):
                    lost = self._end(worker, again=until is None)
                    if lost is not None:
                        yield worker.number, lost
                    continue
                worker.ended = worker.ended or isinstance(said, Ended)
                if isinstance(said, WorkerProgress) and any(page.result for page in said.pages):
                    worker.starts = 1
                yield worker.number, said

    def _start(self, part: SourcePart, starts: int) -> None:
        ours, theirs = socketpair()
        hand = Hand.new()
        with theirs:
            passed = theirs.fileno(), hand.descriptor
            process = start_child("webstencil.jobs.worker_process", passed)
        pipe = Connection(ours.detach())
        self._started += 1
        self._alive[pipe] = Worker(part, self._started, starts, process, pipe, hand)
        with suppress(OSError):  # a worker that is already dead is noticed later
            pipe.send_bytes(self._job)
            given_up = frozenset(self._given_up)
            pipe.send((part, given_up, logging.getLogger().getEffectiveLevel()))

    def _end(self, worker: Worker, *, again: bool) -> LostPage | None:
        """Clean up after a worker; if it died, start another one for the rest of its part.

        Return the page that is given up because it crashed this worker and others before.
        """
        del self._alive[worker.pipe]
        worker.pipe.close()
        code = worker.process.wait()
        at_hand = worker.hand.page()
        worker.hand.close()
        if worker.ended:
            return None
        why = f"signal {-code}" if code < 0 else f"exit code {code}"
        self._bury(worker.part, why if again else "")
        if not again:
            return None
        log.warning("worker ended part=%d reason=%s page=%s", worker.part.number, why, at_hand)
        lost = self._blamed(at_hand, why)
        if lost is not None:
            self._start(worker.part, 1)
        elif worker.starts < MOST_STARTS:
            self._start(worker.part, worker.starts + 1)
        else:
            self.lost.append(f"part {worker.part.number + 1} of {worker.part.of}: {why}")
        return lost

    def _blamed(self, at_hand: tuple[str, str] | None, why: str) -> LostPage | None:
        """Return the page that a dead worker was processing, if others died of it before."""
        if at_hand is None:
            return None
        url, origin = at_hand
        self._deaths[url] += 1
        if self._deaths[url] < MOST_DEATHS:
            return None
        self._given_up.add(url)
        return LostPage(url, origin, why)

    def _kill(self) -> None:
        for worker in list(self._alive.values()):
            worker.process.kill()
            self._end(worker, again=False)

    def check(self) -> None:
        """Raise if a part was given up."""
        if self.lost:
            raise WebstencilError(
                f"workers died {MOST_STARTS} times without progress ({'; '.join(self.lost)}): "
                "finished pages are kept, run again with --debug to see why"
            )


def packed(job: WorkerJob) -> bytes:
    """Pickle a job for the workers."""
    try:
        return pickle.dumps(job)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise SettingsError(
            f"this job cannot be sent to workers: {error}; use a source, segmenter and renderer "
            "that can be pickled"
        ) from error


DEATH = "worker that died and was replaced"


class Workers(Shared):
    """Processes pages as a `Pipeline` does, in several processes of this machine.

    A worker that dies is replaced by one that processes the rest of its part.
    """

    def __init__(
        self,
        store: StorePlace,
        settings: Settings | None = None,
        *,
        number: int,
        renderer: Renderer | None = None,
        items: Sequence[str] = (),
    ) -> None:
        """Use the store in a file or on a server, in a number of processes."""
        if number < 1:
            raise SettingsError(f"the number of workers must be 1 or more, not {number}")
        super().__init__(store, settings, renderer=renderer, items=items)
        self._number = number
        self._deaths = Notes()

    def _said(self, job: WorkerJob, store: Store) -> Generator[tuple[int, Said]]:
        processing = job.phase is Phase.PROCESS  # what a survey cannot read is told after it

        def bury(part: SourcePart, why: str) -> None:
            store.end_claims(job.owner(part))
            if why and processing:
                self._deaths.add(DEATH, f"part {part.number + 1} of {part.of}: {why}")

        parts = [SourcePart(number, self._number) for number in range(self._number)]
        with Crew(job, parts, bury) as crew:
            yield from crew.said()
        if processing:
            crew.check()

    @property
    def notes(self) -> Notes:
        """Return the warnings of the sources, and the workers that died."""
        notes = super().notes
        for note in self._deaths.all():
            notes.add(note.kind, note.first, note.count)
        return notes
