"""A job in several processes of one machine, that are started, heard, replaced and ended here.

    python -m webstencil.jobs.workers SOCKET HAND

is a worker: both are file descriptors. Through the socket it gets its job, its part and orders, and
sends what it finds; it waits until that is saved. If the socket is closed, it ends at once: no
worker and no browser outlives the parent. To the other file it writes which page is in work.
"""

import logging
import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from socket import socketpair
from threading import Event, Semaphore, Thread, main_thread
from time import monotonic
from types import FrameType
from typing import Self

from webstencil.codec import decode_result
from webstencil.errors import SettingsError, WebstencilError
from webstencil.jobs.job import Hands, Pipeline, Taking
from webstencil.jobs.work import (
    Ended,
    LostPage,
    Order,
    Phase,
    Said,
    Worker,
    WorkerProgress,
    WorkersBroken,
    ending,
)
from webstencil.model import Page, PageResult, RawPage, Snapshot
from webstencil.processes import STOPS, hear_signals, start_child
from webstencil.protocols import Done, PageEvent, Renderer, Resources, Source
from webstencil.render import ChromiumRenderer
from webstencil.report import Report, unwatched
from webstencil.settings import Settings
from webstencil.sources import Notes, PartOf, SourcePart
from webstencil.store import StorePlace, open_store
from webstencil.urls import url_hash

log = logging.getLogger(__name__)

DEATH = "worker that died and was replaced"
MOST_STARTS = 3  # of a part without any progress; a further worker would crash as well
MOST_DEATHS = 2  # of workers on the same page; one may be chance
LAST_WAIT = 10.0  # s for the workers to say what they have and end
LARGEST_NOTE = 1 << 20  # bytes of the page in work; no URL is that long
SAVED, STOP = "saved", "stop"  # what a worker hears besides orders
PARENT_GONE = 1  # exit code
STOPPED = 0  # exit code


class Workers:
    """Processes pages as a `Pipeline` does, in several processes of this machine.

    Each worker has its own browser and processes a part of the source. One that dies is replaced by
    another, which processes the rest of its part. `renderer` and the source are copied to the
    workers; `items` are names of extractors.
    """

    bare = False  # yield results without areas and items, which need not be decoded

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
        self.settings = settings or Settings()
        self.settled = False  # results were revised after the last one was yielded
        self.watch: Callable[[int], None] = unwatched  # called with the pages surveyed so far
        # Called with the pages rendered so far, and how many are to be.
        self.watch_rendering: Callable[[int, int], None] = unwatched
        self._number = number
        self._place = store
        self._renderer = renderer or ChromiumRenderer()
        self._items = tuple(items)
        self._pipeline: Pipeline | None = None
        self._deaths = Notes()

    def run(self, source: Source) -> Iterator[PageResult]:
        """Process new and changed pages; a result is in the store before it is yielded.

        Pages that wait for their site are yielded when they have a result.
        """
        with self._opened() as pipeline:
            yield from pipeline.run(source)
            self.settled = pipeline.settled

    def survey(self, source: Source) -> None:
        """Save the outlines of a source's pages, and decide on the templates of its sites."""
        with self._opened() as pipeline:
            pipeline.survey(source)

    @contextmanager
    def _opened(self) -> Iterator[Pipeline]:
        """Open the store for a job."""
        self._deaths.clear()
        with open_store(self._place) as store, OpenedLate(self._renderer) as renderer:
            pipeline = Pipeline(
                store, renderer, self.settings, items=self._items, hands=self._hands
            )
            pipeline.watch, pipeline.watch_rendering = self.watch, self.watch_rendering
            self._pipeline = pipeline
            yield pipeline

    def _hands(self, source: Source) -> AbstractContextManager[Hands]:
        return Crew(self._job(source), self._parts(self._number), self._note_death, bare=self.bare)

    def _parts(self, number: int) -> list[SourcePart]:
        whole_sites = self._pipeline is not None and self._pipeline.keeps_sites_together
        return [SourcePart(part, number, whole_sites) for part in range(number)]

    def _job(self, source: Source) -> "WorkerJob":
        return WorkerJob(self._place, source, self.settings, self._renderer, self._items)

    def _note_death(self, where: str) -> None:
        self._deaths.add(DEATH, where)

    def report(self) -> Report:
        """Return the counts and times so far."""
        return self._pipeline.report() if self._pipeline else Report()

    @property
    def repeated(self) -> int:
        """Return how many pages were left out because their URL came before."""
        return self._pipeline.repeated if self._pipeline else 0

    @property
    def notes(self) -> Notes:
        """Return the warnings of the sources, and the workers that died."""
        notes = Notes()
        for part in (self._pipeline.notes if self._pipeline else Notes(), self._deaths):
            for note in part.all():
                notes.add(note.kind, note.first, note.count)
        return notes


@dataclass(frozen=True, slots=True)
class WorkerJob:
    """A job as workers get it; each opens the store and starts a browser itself."""

    store: StorePlace
    source: Source
    settings: Settings
    renderer: Renderer
    items: tuple[str, ...]  # names of extractors

    def packed(self) -> bytes:
        """Pickle the job."""
        try:
            return pickle.dumps(self)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise SettingsError(
                f"this job cannot be sent to workers: {error}; use a source, segmenter and "
                "renderer that can be pickled"
            ) from error


class OpenedLate:
    """A renderer that is opened when the first page is to be rendered: many workers render none."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        if self._open:
            self._renderer.__exit__(*exc)

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Render a page."""
        if not self._open:
            self._renderer.__enter__()
            self._open = True
        return self._renderer.render(page, resources, screenshot=screenshot)


# The page that a worker is processing, kept where its parent can read it after a crash.


@dataclass(frozen=True, slots=True)
class Hand:
    """An unnamed file that worker and parent have open; costs a few microseconds per page."""

    descriptor: int

    @classmethod
    def new(cls) -> Self:
        """Create the file; the caller closes it."""
        with tempfile.TemporaryFile() as file:
            return cls(os.dup(file.fileno()))

    def take(self, page: RawPage | None) -> None:
        """Write down the page that is begun, None when it is done."""
        note = None if page is None else (page.url, page.origin)
        with suppress(OSError):  # a full disk must not end the job
            os.pwrite(self.descriptor, pickle.dumps(note), 0)

    def page(self) -> tuple[str, str] | None:
        """Return URL and origin of the page in work, None if there is none."""
        try:
            note: tuple[str, str] | None = pickle.loads(os.pread(self.descriptor, LARGEST_NOTE, 0))
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return note

    def close(self) -> None:
        """Close the file."""
        os.close(self.descriptor)


# The parent


@dataclass(slots=True)
class PartWork:
    """A part of a job, and how far its workers have come with the order in work."""

    part: SourcePart
    starts: int = 0  # of workers without any progress
    told: set[bytes] = field(default_factory=set)  # hashes of the URLs that they reported

    def fresh(self, said: WorkerProgress) -> WorkerProgress:
        """Leave out pages that a dead worker had reported; the next one comes to them again."""
        events = []
        for event in said.events:
            hashed = url_hash(event.url)
            if self.starts <= 1 or hashed not in self.told:
                events.append(event)
            self.told.add(hashed)
        return replace(said, events=tuple(events))


@dataclass(slots=True)
class WorkerProcess:
    """A worker in a process of its own."""

    work: PartWork
    number: int  # unique among all that were started
    process: "subprocess.Popen[bytes]"
    pipe: Connection
    hand: Hand  # the page in work
    ended: bool = False  # it has done what was ordered


class Crew(Hands):
    """One worker for each part of a job, through all of its orders; `with` starts and ends them."""

    def __init__(
        self,
        job: WorkerJob,
        parts: Sequence[SourcePart],
        note_death: Callable[[str], None],
        *,
        bare: bool = False,
    ) -> None:
        """Process parts of a job.

        `note_death` is called with the part of each worker that died while pages were processed,
        and the reason. `bare` leaves results without areas and items.
        """
        self._job = job.packed()
        self._work = [PartWork(part) for part in parts]
        self._note_death = note_death
        self._bare = bare
        self._order = Order(Phase.SURVEY)
        self._started = 0
        self._alive: dict[Connection, WorkerProcess] = {}
        self._deaths: Counter[str] = Counter()  # by the URL of the page in work
        self._given_up: set[str] = set()  # URLs of pages that crash their workers
        self._lost: list[str] = []  # parts that were given up, with the reason

    def __enter__(self) -> Self:
        try:
            for work in self._work:
                self._start(work)
        except BaseException:
            self._kill()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        """End all workers."""
        self._kill()

    def do(self, order: Order, take: Taking) -> Iterator[PageEvent]:
        """Let an order be done by all workers."""
        for worker, said in self.hear(order):
            events = take(worker.number, said)
            self.saved(worker)
            yield from events
        if order.phase is Phase.PROCESS:  # what a survey cannot read is told after it
            self.check()

    def hear(self, order: Order) -> Iterator[tuple[WorkerProcess, Said]]:
        """Yield what workers say until all have done what is ordered; they wait for `saved`."""
        self._begin(order)
        while any(not worker.ended for worker in self._alive.values()):
            for ready in wait(list(self._alive)):
                worker = self._alive[ready]  # type: ignore[index]  # only connections are waited for
                try:
                    said: Said = worker.pipe.recv()
                except (EOFError, OSError):
                    lost = self._bury(worker)
                    if lost is not None:
                        yield worker, lost
                    continue
                worker.ended = worker.ended or isinstance(said, Ended)
                yield worker, self._whole(worker, said)

    def saved(self, worker: WorkerProcess) -> None:
        """Tell a worker that what it said is saved."""
        if worker.pipe in self._alive:
            with suppress(OSError):  # a worker that has died is noticed later
                worker.pipe.send(SAVED)

    def stop(self, take: Taking) -> None:
        """Let all workers say what they have done and end."""
        until = monotonic() + LAST_WAIT
        for worker in self._alive.values():
            with suppress(OSError):
                worker.pipe.send(STOP)
        while self._alive and (left := until - monotonic()) > 0:
            for ready in wait(list(self._alive), left):
                worker = self._alive[ready]  # type: ignore[index]
                try:
                    said: Said = worker.pipe.recv()
                except (EOFError, OSError, pickle.UnpicklingError, ValueError):
                    self._end(worker)
                    continue
                if isinstance(said, WorkerProgress):
                    take(worker.number, said)
                    self.saved(worker)

    def check(self) -> None:
        """Raise if a part was given up."""
        if self._lost:
            raise WebstencilError(
                f"workers died {MOST_STARTS} times without progress ({'; '.join(self._lost)}): "
                "finished pages are kept, run again with --debug to see why"
            )

    def _begin(self, order: Order) -> None:
        """Give an order to all workers; start those that died since the last one."""
        self._order = order
        self._deaths.clear()
        self._given_up.clear()
        self._lost.clear()
        alive = {worker.work.part: worker for worker in self._alive.values()}
        for work in self._work:
            work.starts = 1
            work.told.clear()
            worker = alive.get(work.part) or self._start(work)
            self._give(worker)

    def _give(self, worker: WorkerProcess) -> None:
        worker.ended = False
        with suppress(OSError):  # a worker that is already dead is noticed later
            worker.pipe.send((self._order, frozenset(self._given_up)))

    def _start(self, work: PartWork) -> WorkerProcess:
        ours, theirs = socketpair()
        hand = Hand.new()
        with theirs:
            passed = theirs.fileno(), hand.descriptor
            process = start_child("webstencil.jobs.workers", passed)
        pipe = Connection(ours.detach())
        self._started += 1
        worker = self._alive[pipe] = WorkerProcess(work, self._started, process, pipe, hand)
        with suppress(OSError):
            pipe.send_bytes(self._job)
            pipe.send((work.part, logging.getLogger().getEffectiveLevel()))
        return worker

    def _whole(self, worker: WorkerProcess, said: Said) -> Said:
        """Return what a worker said, without what was said before, and with whole results."""
        if not isinstance(said, WorkerProgress):
            return said
        said = worker.work.fresh(said)
        if any(isinstance(event, Done) for event in said.events):
            worker.work.starts = 1
        return said if self._bare else replace(said, events=tuple(map(with_result, said.events)))

    def _bury(self, worker: WorkerProcess) -> LostPage | None:
        """Clean up after a worker that died, and start another one for the rest of its part.

        Return the page that is given up because it crashed this worker and others before.
        """
        at_hand = worker.hand.page()
        code = self._end(worker)
        if worker.ended:  # the next order starts another one
            return None
        work = worker.work
        why = f"signal {-code}" if code < 0 else f"exit code {code}"
        where = f"part {work.part.number + 1} of {work.part.of}: {why}"
        if self._order.phase is Phase.PROCESS:
            self._note_death(where)
        log.warning("worker ended part=%d reason=%s page=%s", work.part.number, why, at_hand)
        lost = self._blamed(at_hand, why)
        work.starts = 2 if lost is not None else work.starts + 1
        if work.starts <= MOST_STARTS:
            self._give(self._start(work))
        else:
            self._lost.append(where)
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
        return LostPage(url, origin, why, self._order.phase)

    def _end(self, worker: WorkerProcess) -> int:
        """Clean up after a worker; return its exit code."""
        del self._alive[worker.pipe]
        worker.pipe.close()
        worker.hand.close()
        return worker.process.wait()

    def _kill(self) -> None:
        for worker in list(self._alive.values()):
            worker.process.kill()
            self._end(worker)


def with_result(event: PageEvent) -> PageEvent:
    """Return what became of a page with its whole result."""
    return replace(event, result=decode_result(event.body)) if isinstance(event, Done) else event


# The child


class Line:
    """The line to the parent."""

    def __init__(self, pipe: Connection) -> None:
        self.stopping = Event()
        self.orders: SimpleQueue[tuple[Order, frozenset[str]]] = SimpleQueue()
        self._pipe = pipe
        self._saved = Semaphore(0)
        self._busy = False  # a message is on its way; half of one cannot be read

    def say(self, said: Said) -> None:
        """Send a message, and wait until what it tells is saved."""
        self._send(said)
        self._saved.acquire()

    def say_last(self, said: Said) -> None:
        """Send a message that nobody answers; nothing interrupts it."""
        self.stopping.clear()
        self._send(said)

    def _send(self, said: Said) -> None:
        if isinstance(said, WorkerProgress):
            said = replace(said, events=tuple(map(_without_areas, said.events)))
        self._busy = True
        try:
            self._pipe.send(said)
        except OSError:
            os._exit(PARENT_GONE)
        self._busy = False
        if self.stopping.is_set():
            raise KeyboardInterrupt

    def obey_the_parent_only(self) -> None:
        """Ignore signals that a terminal sends to all processes, until the parent says stop."""

        def note(_number: int, _frame: FrameType | None) -> None:
            if self.stopping.is_set() and not self._busy:
                raise KeyboardInterrupt

        for number in STOPS:
            signal.signal(number, note)  # a handler, not SIG_IGN, which the browser would inherit
        hear_signals()

    def listen(self) -> None:
        """Hear orders, until the message to stop or the end of the parent."""
        try:
            while (heard := self._pipe.recv()) != STOP:
                if heard == SAVED:
                    self._saved.release()
                else:
                    self.orders.put(heard)
        except (EOFError, OSError):
            os._exit(PARENT_GONE)  # what was told is in the store
        self.stopping.set()
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
        try:
            while True:
                self._pipe.recv()
        except (EOFError, OSError):
            os._exit(STOPPED)


def _without_areas(event: PageEvent) -> PageEvent:
    """Return what became of a page; the encoded result has the rest, and is smaller."""
    if not isinstance(event, Done):
        return event
    return replace(event, result=replace(event.result, areas=(), items=()))


def work(pipe: Connection, hand: Hand) -> None:
    """Do what comes through the pipe."""
    line = Line(pipe)
    line.obey_the_parent_only()
    with suppress(KeyboardInterrupt):  # stopping, which may happen at any moment
        try:
            job, part = received(pipe)
            Thread(target=line.listen, daemon=True).start()
            with open_store(job.store) as store, OpenedLate(job.renderer) as renderer:
                worker = Worker(store, renderer, job.settings, items=job.items, at_hand=hand.take)
                try:
                    obey(line, worker, job.source, part)
                finally:
                    line.say_last(worker.left())
        except WebstencilError as error:
            line.say_last(WorkersBroken(error))


def obey(line: Line, worker: Worker, source: Source, part: SourcePart) -> None:
    """Do what is ordered, until somebody says stop."""
    while True:
        order, given_up = line.orders.get()
        order = replace(order, wanted=order.wanted - given_up)
        for said in worker.do(order, PartOf(source, part, given_up), part.has):
            line.say(said)
        line.say(ending(source))


def received(pipe: Connection) -> tuple[WorkerJob, SourcePart]:
    """Receive the job from the parent."""
    try:
        job: WorkerJob = pickle.loads(pipe.recv_bytes())
        part: SourcePart
        part, level = pipe.recv()
    except EOFError:
        os._exit(PARENT_GONE)
    except (ImportError, AttributeError, pickle.UnpicklingError) as error:
        raise SettingsError(
            f"a worker cannot load its job: {error}; define all its classes in modules that can be "
            "imported"
        ) from error
    logging.getLogger().setLevel(level)
    return job, part


def main() -> None:
    descriptor, hand = map(int, sys.argv[1:])
    for inherited in (descriptor, hand):
        os.set_inheritable(inherited, False)
    logging.basicConfig(format="%(levelname)s %(name)s %(message)s", stream=sys.stderr)
    # Messages are pickled by the name of this module, which is another one as a program.
    from webstencil.jobs import workers  # noqa: PLC0415, PLW0406

    workers.work(Connection(descriptor), workers.Hand(hand))


if __name__ == "__main__":
    main()
