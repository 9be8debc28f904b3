"""Ctrl-C that is not lost.

Python drops an exception that is raised in a destructor or in a callback of a library; the job
would go on to its end. So the signal is also remembered.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130  # the exit code that shells give a program ended by Ctrl-C


@contextmanager
def interrupts(*numbers: signal.Signals) -> Iterator[Callable[[], None]]:
    """Yield a function that raises `KeyboardInterrupt` if one was dropped; call it regularly.

    For the main thread only. Signals in `numbers` count as Ctrl-C.
    """
    came = False

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True
        raise KeyboardInterrupt

    def check() -> None:
        if came:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, *numbers)}
    try:
        yield check
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
