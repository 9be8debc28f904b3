"""What a test with a browser has started, and a place for what it writes."""

import os
import signal
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def descendants(ancestor: int | None = None) -> dict[int, str]:
    """Return the command lines of all processes below one, this one by default."""
    children = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                status = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it has ended meanwhile
                continue
            children[int(status[1])].append(int(entry.name))
    found: dict[int, str] = {}
    waiting = list(children[ancestor or os.getpid()])
    while waiting:
        process = waiting.pop()
        waiting += children[process]
        found[process] = command_line(process)
    return found


def command_line(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def browsers() -> dict[int, str]:
    """Return the main processes of the browsers that this process has started."""
    return {
        process: command
        for process, command in descendants().items()
        if "--remote-debugging-pipe" in command and "launch.py" not in command
    }


def page_processes(ancestor: int | None = None) -> list[int]:
    """Return the processes that pages live in, below one process or this one."""
    return [pid for pid, line in descendants(ancestor).items() if "--type=renderer" in line]


def send(number: signal.Signals, processes: Iterable[int]) -> None:
    """Send a signal to all processes that are still there."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


@contextmanager
def own_temporary_folder() -> Iterator[Path]:
    """Give the temporary files of a test a folder of their own, which nobody can read, too.

    Nobody is who runs the browser if root runs the tests; pytest's folders are closed to others.
    """
    before = tempfile.tempdir
    with tempfile.TemporaryDirectory(dir="/tmp", ignore_cleanup_errors=True) as name:
        Path(name).chmod(0o755)
        tempfile.tempdir = name
        try:
            yield Path(name)
        finally:
            tempfile.tempdir = before
