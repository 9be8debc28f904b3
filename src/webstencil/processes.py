"""Child processes of ours: they import what we import, and get signals when they are ready."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

STOPS = (signal.SIGINT, signal.SIGTERM)  # what a terminal or the system sends to all processes


def start_child(module: str, descriptors: Sequence[int]) -> "subprocess.Popen[bytes]":
    """Start a module as a process; the numbers of open descriptors are its arguments.

    Signals wait until it calls `hear_signals`: loading takes a second, in which a Ctrl-C would end
    it with a traceback. It imports nothing from the current folder (-P): a file there may have the
    name of a library.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", module, *map(str, descriptors)],
            pass_fds=descriptors,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(import_path())},
        )
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def hear_signals() -> None:
    """Let signals through to the handlers that are set by now."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def import_path() -> list[str]:
    """Return the folders that this process imports from."""
    return [path or str(Path.cwd()) for path in sys.path]
