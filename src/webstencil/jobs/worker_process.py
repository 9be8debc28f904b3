"""The process of a worker: it does a part, and ends with its parent.

    python -m webstencil.workers.process SOCKET HAND

These are descriptors. The first is its end of a socket, on which job and part come and all is told.
A closed socket is the order to end at once: whatever ended the parent, no worker and no browser
stays behind. In the other it notes which page it works on.
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
from webstencil.jobs.messages import STOP, Said, WorkerJob, WorkersBroken
from webstencil.jobs.page_at_hand import Hand
from webstencil.jobs.part import do_part
from webstencil.processes import STOPS, hear_signals
from webstencil.sources import SourcePart

PARENT_GONE = 1  # exit code
STOPPED = 0  # exit code


def work(pipe: Connection, hand: Hand) -> None:
    """Do the part that comes through the pipe."""
    stopping = Event()
    obey_the_parent_only(stopping)
    with suppress(KeyboardInterrupt):  # the order to stop, which may come at any moment
        try:
            job, part, but, level = received(pipe)
            logging.getLogger().setLevel(level)
            Thread(target=listen, args=(pipe, stopping), daemon=True).start()
            do_part(job, part, lambda said: say(pipe, said), hand, but)
        except WebstencilError as error:
            say(pipe, WorkersBroken(error))


def received(pipe: Connection) -> tuple[WorkerJob, SourcePart, frozenset[str], int]:
    """Take what the parent gives."""
    try:
        job: WorkerJob = pickle.loads(pipe.recv_bytes())
        part: SourcePart
        part, but, level = pipe.recv()
    except EOFError:
        os._exit(PARENT_GONE)
    except (ImportError, AttributeError, pickle.UnpicklingError) as error:
        raise SettingsError(
            f"a worker cannot load what it is to work with: {error}; define it in a module that "
            "can be imported"
        ) from error
    return job, part, but, level


def obey_the_parent_only(stopping: Event) -> None:
    """Let signals pass that a terminal or system sends to all of us, until the parent says stop."""

    def note(_number: int, _frame: FrameType | None) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt

    for number in STOPS:
        signal.signal(number, note)  # a handler, not SIG_IGN, which the browser would inherit
    hear_signals()


def listen(pipe: Connection, stopping: Event) -> None:
    """Wait for the order to stop, or the end of the parent."""
    try:
        while pipe.recv() != STOP:
            continue
    except (EOFError, OSError):
        os._exit(PARENT_GONE)  # all that matters is in the store
    stopping.set()
    signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
    try:
        pipe.recv()
    except (EOFError, OSError):
        os._exit(STOPPED)


def say(pipe: Connection, said: Said) -> None:
    """Tell the parent."""
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
