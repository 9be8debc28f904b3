"""Processes of ours: they find the modules that we find, and hear signals when they are ready."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

STOPS = (signal.SIGINT, signal.SIGTERM)  # what a terminal or a system sends to all of us


def start_child(module: str, descriptors: Sequence[int]) -> "subprocess.Popen[bytes]":
    """Start a module as a process, with open descriptors whose numbers are its arguments.

    Signals wait until it calls `hear_signals`: loading takes a second, in which a Ctrl-C would end
    it with a traceback. The folder it is started in is no place for modules (-P): the pages that
    lie there may have one named like a library.
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
    """Let signals through, to the handlers that are set by now."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPS)


def import_path() -> list[str]:
    """Return where a process of ours finds modules: where this one does."""
    return [path or str(Path.cwd()) for path in sys.path]
