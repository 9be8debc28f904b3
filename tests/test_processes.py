"""Processes of ours: what they load, and when they hear signals."""

from pathlib import Path

import pytest

from webstencil.processes import start_child

HEARD = 7  # exit code
CHILD = f"""
import os, random, signal, sys
from webstencil.processes import hear_signals
os.kill(os.getpid(), signal.SIGINT)
heard = []
signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
hear_signals()
sys.exit({HEARD} if heard == [signal.SIGINT] and hasattr(random, "Random") else 1)
"""


def test_a_child_hears_signals_when_it_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Ctrl-C while it loads waits for its handler; pages' folders are no place for modules."""
    modules, pages = tmp_path / "modules", tmp_path / "pages"
    modules.mkdir()
    pages.mkdir()
    (modules / "some_child.py").write_text(CHILD)
    (pages / "random.py").write_text("raise SystemExit('a stranger')")
    monkeypatch.syspath_prepend(modules)
    monkeypatch.chdir(pages)

    assert start_child("some_child", []).wait() == HEARD
