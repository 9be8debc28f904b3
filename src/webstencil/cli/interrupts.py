"""Ctrl-C that is not lost.

Python drops an exception that is raised in a destructor or in a callback of a library, and with it
the wish to stop: the job would go on to its end. So the wish is noted as well.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130  # the exit code that shells give a program ended by Ctrl-C


@contextmanager
def interrupts(*numbers: signal.Signals) -> Iterator[Callable[[], None]]:
    """Yield what raises `KeyboardInterrupt` if one came by and was dropped; call it now and then.

    For the main thread, which alone gets signals; it takes `numbers` for a Ctrl-C as well.
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
