"""Ctrl-C that is not lost."""

import signal

import pytest

from webstencil.cli.endings import interrupts


class Dropping:
    """An object whose end a signal falls into, where Python drops what is raised."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_that_python_drops_is_not_lost() -> None:
    """It comes back at the next check."""
    with interrupts() as check:
        check()
        dropping = [Dropping()]
        dropping.clear()

        with pytest.raises(KeyboardInterrupt):
            check()


def test_an_interrupt_stops_at_once_and_afterwards_all_is_as_before() -> None:
    """What took signals before takes them again."""
    before = signal.getsignal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), interrupts():
        signal.raise_signal(signal.SIGINT)

    assert signal.getsignal(signal.SIGINT) is before
