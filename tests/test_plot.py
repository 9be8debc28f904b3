"""Plots: what is promised to whoever writes a figure."""

from pathlib import Path

import pytest

from webstencil.errors import SettingsError
from webstencil.output.plot import PlotLine, plot

GROWTH = PlotLine("growth", ((0.0, 1.0), (10.0, 3.0), (20.0, 3.0)))


def test_ending_of_the_name_chooses_the_format(tmp_path: Path) -> None:
    """A picture for documents and one for the web come from the same call."""
    for name in ("a.png", "deep/b.svg"):
        plot(tmp_path / name, [GROWTH], title="Templates", x="pages", y="templates")

    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "deep/b.svg").read_text()


def test_unknown_format_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    """A wrong ending is told before anything is drawn."""
    with pytest.raises(SettingsError, match=r"\.png or \.svg, not 'a\.gif'"):
        plot(tmp_path / "a.gif", [GROWTH], title="", x="", y="")
