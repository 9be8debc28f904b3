"""Where pages that visitors try are worked on: one process, one page at a time, within a time."""

from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from threading import BoundedSemaphore, Lock

from webstencil.errors import PageTimeout, RenderError
from webstencil.web.work import TrialRefused, TrialTask, Tried, work

LONGEST = 60.0  # s for one page; a slow one takes 5
MOST_WAITING = 4  # pages, the one in work included
START = 60.0  # s in which the process has loaded what it needs; it takes one
STOP = 10.0  # s in which the process ends by itself when it is told to


class Busy(RenderError):
    """Too many pages wait already."""


class Failed(RenderError):
    """A page could not be worked on."""


class Workplace:
    """Holds the process that works; it is started with the first page. Close it."""

    def __init__(self, longest: float = LONGEST) -> None:
        self._longest = longest
        self._places = BoundedSemaphore(MOST_WAITING)
        self._one = Lock()
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def do(self, task: TrialTask) -> Tried:
        """Have a task done; raise a `RenderError` if it cannot be, or not now, or not in time."""
        if not self._places.acquire(blocking=False):
            raise Busy(f"{MOST_WAITING} pages wait already; send yours again in a minute")
        try:
            with self._one:
                answer = self._answer(task)
        finally:
            self._places.release()
        if isinstance(answer, TrialRefused):
            raise Failed(answer.words)
        return answer

    def close(self) -> None:
        """End the process, and with it the browser; a page in work is given up."""
        if not self._one.acquire(blocking=False):
            if (process := self._process) is not None:
                process.kill()  # who waits for it is told so by the end of the pipe
            return
        try:
            if self._pipe is not None and self._process is not None:
                self._pipe.close()
                self._process.join(STOP)
            self._end()
        finally:
            self._one.release()

    def _answer(self, task: TrialTask) -> Tried | TrialRefused:
        try:
            pipe = self._ready()
            pipe.send(task)
            if not pipe.poll(self._longest):
                self._end()
                raise PageTimeout(
                    f"this took longer than {self._longest:g} s and was ended; try a smaller page"
                )
            answer: Tried | TrialRefused = pipe.recv()
        except (EOFError, OSError) as error:
            self._end()
            raise Failed(
                "this page ended the process that worked on it; try a smaller one, or "
                "`webstencil --debug segment FILE` to see why"
            ) from error
        return answer

    def _ready(self) -> Connection:
        """Return the pipe to a process that works."""
        if self._pipe is None or self._process is None or not self._process.is_alive():
            self._end()
            context = get_context("spawn")  # a fork of a process with threads may hang
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            if not self._pipe.poll(START):
                raise EOFError
            self._pipe.recv()
        return self._pipe

    def _end(self) -> None:
        pipe, process, self._pipe, self._process = self._pipe, self._process, None, None
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.join()
