"""Start the workers of a job, receive their messages, replace dead ones, and end them."""

import logging
import pickle
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from socket import socketpair
from time import monotonic
from typing import Self

from webstencil.errors import SettingsError, WebstencilError
from webstencil.jobs.page_at_hand import Hand
from webstencil.jobs.worker_messages import STOP, Ended, LostPage, Said, WorkerJob, WorkerProgress
from webstencil.processes import start_child
from webstencil.sources import SourcePart

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
