"""Plots: what is promised to whoever writes a figure."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from research.papers.crawl import MethodRow, plot_growth
from webstencil.cli.site_outcomes import Growth
from webstencil.errors import SettingsError
from webstencil.model import PageResult, Status
from webstencil.output.plot import PlotLine, plot

GROWTH = PlotLine("growth", ((0.0, 1.0), (10.0, 3.0), (20.0, 3.0)))

ROW = MethodRow("a.org", "vips", 5, 3, 0, 1.0, 1.0, 1.0, 1.0, 0.5, 4, (1, 1, 2, 2, 3))


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


def run_plot(path: Path) -> None:
    """Draw the plot of `run --plot`: three stencils, learned on pages 1, 3 and 7."""
    growth = Growth()
    for number, key in enumerate("aabaaacaa"):
        growth.add(PageResult(f"http://a.org/{number}", "a.org", Status.HIT, key, 1.0))
    growth.draw(path)


def crawl_plot(path: Path) -> None:
    """Draw the plot of `evaluate crawl --plot`."""
    plot_growth(path, [ROW])


@pytest.mark.parametrize("draw", [run_plot, crawl_plot])
def test_counts_are_whole_numbers_and_grow_in_steps(
    draw: Callable[[Path], None], tmp_path: Path
) -> None:
    """There is no half cluster, on the axis or between two pages."""
    draw(tmp_path / "growth.svg")
    svg = (tmp_path / "growth.svg").read_text()
    labels = re.findall(r"<!-- ([\d.]+) -->", svg)
    line, _legend = re.findall(r'<path d="([^"]+)"[^>]*stroke: #1f77b4;', svg)
    points = [tuple(words.split()) for words in re.split("[ML]", line)[1:]]

    assert {"1", "2", "3"} <= set(labels)
    assert [label for label in labels if not label.isdecimal()] == []
    assert [pair for pair in pairwise(points) if not set(pair[0]) & set(pair[1])] == []
