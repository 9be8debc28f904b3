"""The process of a worker: it processes a part, and ends with its parent.

    python -m webstencil.jobs.worker_process SOCKET HAND

Both are file descriptors. Through the socket the worker gets its job and part, and sends messages.
If the socket is closed, the worker ends at once: no worker and no browser outlives the parent. To
the other file it writes which page is in work.
"""

import logging
import os
import pickle
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Event, Thread, main_thread
from types import FrameType

from webstencil.errors import SettingsError, WebstencilError
from webstencil.jobs.work import STOP, Hand, Said, WorkerJob, WorkersBroken, do_part
from webstencil.processes import STOPS, hear_signals
from webstencil.sources import SourcePart

PARENT_GONE = 1  # exit code
STOPPED = 0  # exit code


def work(pipe: Connection, hand: Hand) -> None:
    """Process the part that comes through the pipe."""
    stopping = Event()
    obey_the_parent_only(stopping)
    with suppress(KeyboardInterrupt):  # stopping, which may happen at any moment
        try:
            job, part, but, level = received(pipe)
            logging.getLogger().setLevel(level)
            Thread(target=listen, args=(pipe, stopping), daemon=True).start()
            do_part(job, part, lambda said: say(pipe, said), hand, but)
        except WebstencilError as error:
            say(pipe, WorkersBroken(error))


def received(pipe: Connection) -> tuple[WorkerJob, SourcePart, frozenset[str], int]:
    """Receive the job from the parent."""
    try:
        job: WorkerJob = pickle.loads(pipe.recv_bytes())
        part: SourcePart
        part, but, level = pipe.recv()
    except EOFError:
        os._exit(PARENT_GONE)
    except (ImportError, AttributeError, pickle.UnpicklingError) as error:
        raise SettingsError(
            f"a worker cannot load its job: {error}; define all its classes in modules that can be "
            "imported"
        ) from error
    return job, part, but, level


def obey_the_parent_only(stopping: Event) -> None:
    """Ignore signals that a terminal sends to all processes, until the parent says stop."""

    def note(_number: int, _frame: FrameType | None) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt

    for number in STOPS:
        signal.signal(number, note)  # a handler, not SIG_IGN, which the browser would inherit
    hear_signals()


def listen(pipe: Connection, stopping: Event) -> None:
    """Wait for the message to stop, or the end of the parent."""
    try:
        while pipe.recv() != STOP:
            continue
    except (EOFError, OSError):
        os._exit(PARENT_GONE)  # all results are in the store
    stopping.set()
    signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
    try:
        pipe.recv()
    except (EOFError, OSError):
        os._exit(STOPPED)


def say(pipe: Connection, said: Said) -> None:
    """Send a message to the parent."""
    try:
        pipe.send(said)
    except OSError:
        os._exit(PARENT_GONE)


def main() -> None:
    descriptor, hand = map(int, sys.argv[1:])
    for inherited in (descriptor, hand):
        os.set_inheritable(inherited, False)
    logging.basicConfig(format="%(levelname)s %(name)s %(message)s", stream=sys.stderr)
    work(Connection(descriptor), Hand(hand))


if __name__ == "__main__":
    main()
