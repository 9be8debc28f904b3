"""The CPS paper's tables as Markdown, its Figure 3 as a plot."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from research.papers.crawl_tables import MethodRow
from webstencil.output.plot import PlotLine, plot

TABLES = {  # the paper's number of each method's table
    "vips": "Table 2. VIPS",
    "burget": "Table 3. Burget's method",
    "bcs": "Table 4. Box Clustering",
}


def markdown(rows: Sequence[MethodRow], mode: str) -> str:
    """Write all tables."""
    return "\n".join([*cluster_table(rows, mode), *time_tables(rows)]) + "\n"


def cluster_table(rows: Sequence[MethodRow], mode: str) -> Iterator[str]:
    """Write Table 1, with a row for each method."""
    yield f"**Table 1. Clusters, mode {mode}**"
    yield ""
    yield "| site | method | pages | clusters | hit ratio | clusters at half the pages | failed |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        half = row.growth[len(row.growth) // 2 - 1] if len(row.growth) > 1 else row.clusters
        yield (
            f"| {row.site} | {row.method} | {row.pages} | {row.clusters} | {row.hit_ratio:.1%} "
            f"| {half} | {row.failed} |"
        )
    yield ""


def time_tables(rows: Sequence[MethodRow]) -> Iterator[str]:
    """Write a table of times for each method."""
    for method in dict.fromkeys(row.method for row in rows):
        yield f"**{TABLES.get(method, method.capitalize())}**"
        yield ""
        yield "| site | plain | of it segmenting | CPS | time saved |"
        yield "|---|---|---|---|---|"
        for row in rows:
            if row.method == method:
                yield (
                    f"| {row.site} | {row.plain:.1f} s | {row.plain_segmenting:.1f} s "
                    f"| {row.cps:.1f} s | {row.saved:.1%} |"
                )
        yield ""


def report(rows: Sequence[MethodRow]) -> str:
    """Write all numbers as JSON."""
    return json.dumps(
        [{**asdict(row), "hit_ratio": row.hit_ratio, "saved": row.saved} for row in rows], indent=1
    )


def plot_growth(path: Path, rows: Sequence[MethodRow]) -> None:
    """Draw how the number of clusters grows with the pages; methods that agree share a line."""
    methods: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for row in rows:
        methods.setdefault((row.site, row.growth), []).append(row.method)
    lines = [
        PlotLine(f"{site} ({', '.join(names)})", tuple(enumerate(growth, 1)))
        for (site, growth), names in methods.items()
    ]
    plot(path, lines, title="Clusters found while crawling", x="pages", y="clusters", counts=True)
