"""Start a confined browser, and clean up after it when it or its owner has ended.

Run as a program of its own between us and the browser: a fork of a Python process that has threads
must not do these things, and someone must tidy up even if our process is killed.

    python -I -S launch.py PROFILE MEMORY USER NETWORK READ WRITE COMMAND...

PROFILE is the folder to remove at the end. MEMORY is in bytes. USER is a number, or empty to stay
who we are. NETWORK is "none" to cut the browser off from every network, else empty. READ and WRITE
are the open pipe ends that the browser expects as file descriptors 3 and 4. It all ends when the
browser does, when standard input is closed, or at a SIGTERM.
"""

import contextlib
import ctypes
import fcntl
import os
import resource
import select
import signal
import sys
import time
from types import FrameType

CLONE_NEWUSER = 0x10000000  # linux/sched.h
CLONE_NEWNET = 0x40000000  # linux/sched.h
PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
ABOVE_ALL_IN_USE = 16  # a descriptor from here on is none of those that are moved
LONGEST_DYING = 5.0  # s; killed processes are gone in milliseconds


def launch() -> None:
    profile, memory, user, network, read, write, *command = sys.argv[1:]
    signals = announced_signals()
    adopt_orphans()
    browser = os.fork()
    if browser == 0:
        try:
            confine(int(memory), user, network)
            move_pipes(int(read), int(write))
            os.execv(command[0], command)
        except OSError as error:
            sys.stderr.write(f"{error}\n")
            sys.stderr.flush()
        os._exit(1)
    os.close(int(read))
    os.close(int(write))
    wait(browser, signals)
    end(browser)
    remove(profile)


def announced_signals() -> int:
    """Have the end of a child and a SIGTERM announced on a pipe; return its end to read."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write)
    for number in (signal.SIGCHLD, signal.SIGTERM):
        signal.signal(number, _announced)
    return read


def _announced(_number: int, _frame: FrameType | None) -> None:
    """Do nothing: Python has written the signal's number to the pipe already."""


def adopt_orphans() -> None:
    """Become the parent of the browser's orphans, so that they can be waited for."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def confine(memory: int, user: str, network: str) -> None:
    os.setsid()
    if network:
        leave_network()
    # The address space cannot be limited, since V8 reserves far more than it uses.
    resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if user:
        os.setgroups([])
        os.setgid(int(user))
        os.setuid(int(user))


def leave_network() -> None:
    """Enter a network namespace without a device; a user needs a namespace of users for that."""
    flags = CLONE_NEWNET if os.geteuid() == 0 else CLONE_NEWNET | CLONE_NEWUSER
    if ctypes.CDLL(None, use_errno=True).unshare(flags) != 0:
        raise OSError(ctypes.get_errno(), "no network namespace")


def move_pipes(read: int, write: int) -> None:
    """Make the pipe ends descriptors 3 and 4, whatever their numbers are."""
    copies = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, ABOVE_ALL_IN_USE) for end in (read, write)]
    os.close(read)
    os.close(write)
    os.dup2(copies[0], 3)
    os.dup2(copies[1], 4)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)


def wait(browser: int, signals: int) -> None:
    """Wait until the browser has ended, or is to be ended."""
    poll = select.poll()
    poll.register(0, select.POLLIN)
    poll.register(signals, select.POLLIN)
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == 0 or signal.SIGTERM in os.read(signals, 64):
                return
        if browser in reap():
            return


def reap() -> list[int]:
    """Take leave of the children that have ended."""
    ended = []
    try:
        while (child := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            ended.append(child)
    except ChildProcessError:
        ended.append(0)  # no child is left
    return ended


def end(browser: int) -> None:
    """Kill what is left of the browser and wait for all of it to be gone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(browser, signal.SIGKILL)
    limit = time.monotonic() + LONGEST_DYING
    while 0 not in reap() and time.monotonic() < limit:
        time.sleep(0.002)


def remove(profile: str) -> None:
    import shutil  # noqa: PLC0415 - takes longer to load than all the others, and only now is time

    shutil.rmtree(profile, ignore_errors=True)


if __name__ == "__main__":
    launch()
