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


PAPER_ROWS = (  # Table 1, and the last columns of Tables 2 to 4
    ("iDnes.cz", "42", "91.6%", "87.5%", "93.0%", "86.3%"),
    ("e15.cz", "27", "94.6%", "91.7%", "91.9%", "89.7%"),
    ("telegraph.co.uk", "32", "93.6%", "69.1%", "93.8%", "60.3%"),
    ("slashdot.org", "18", "96.4%", "95.4%", "96.8%", "91.6%"),
    ("businessinsider.com", "16", "96.8%", "95.0%", "95.1%", "93.6%"),
    ("gizmodo.com", "11", "97.8%", "93.0%", "95.4%", "93.6%"),
)


def markdown(rows: Sequence[MethodRow], mode: str) -> str:
    """Write all tables, Figure 3 as steps, and the paper's own figures."""
    lines = [*cluster_table(rows, mode), *time_tables(rows), *growth_steps(rows), *published()]
    return "\n".join(lines) + "\n"


def cluster_table(rows: Sequence[MethodRow], mode: str) -> Iterator[str]:
    """Write Table 1, with a row for each method."""
    yield f"**Table 1. Clusters, mode {mode}**"
    yield ""
    yield "| site | method | pages | clusters | hit ratio | rise when pages double | failed |"
    yield "|---|---|---|---|---|---|---|"
    for row in rows:
        rise = "-" if row.doubled is None else f"{row.doubled:+.0%}"
        yield (
            f"| {row.site} | {row.method} | {row.pages} | {row.clusters} | {row.hit_ratio:.1%} "
            f"| {rise} | {row.failed} |"
        )
    yield ""


def time_tables(rows: Sequence[MethodRow]) -> Iterator[str]:
    """Write a table of times for each method: as published, and with rendering."""
    for method in dict.fromkeys(row.method for row in rows):
        yield f"**{TABLES.get(method, method.capitalize())}**"
        yield ""
        yield (
            "| site | plain | CPS | time saved | retrieved "
            "| plain, with rendering | CPS, with rendering | time saved, with rendering |"
        )
        yield "|---|---|---|---|---|---|---|---|"
        for row in rows:
            if row.method == method:
                yield (
                    f"| {row.site} | {row.published_plain:.2f} s | {row.published_cps:.2f} s "
                    f"| {row.published_saved:.1%} | {row.retrieved} "
                    f"| {row.plain:.1f} s | {row.cps:.1f} s | {row.saved:.1%} |"
                )
        yield ""


def growth_steps(rows: Sequence[MethodRow]) -> Iterator[str]:
    """Write Figure 3 as steps: the page at which each cluster was new."""
    yield "**Figure 3. Clusters after pages**"
    yield ""
    methods: dict[tuple[str, tuple[tuple[int, int], ...]], list[str]] = {}
    for row in rows:  # clusters depend on the segmenter only if it fails on pages
        methods.setdefault((row.site, row.steps), []).append(row.method)
    for (site, steps), names in methods.items():
        told = ", ".join(f"{clusters} after {page}" for page, clusters in steps)
        yield f"- {site}, {', '.join(names)}: {told}"
    yield ""


def published() -> Iterator[str]:
    """Write the paper's own Tables 1 to 4: 500 pages a site, times without rendering."""
    yield "**The paper's own figures, 500 pages a site**"
    yield ""
    yield "| site | clusters | hit ratio | time saved, VIPS | Burget | Box Clustering |"
    yield "|---|---|---|---|---|---|"
    for row in PAPER_ROWS:
        yield f"| {' | '.join(row)} |"


def report(rows: Sequence[MethodRow]) -> str:
    """Write all numbers as JSON."""
    return json.dumps(
        [{**asdict(row), **derived(row)} for row in rows],
        indent=1,
    )


def derived(row: MethodRow) -> dict[str, object]:
    """Return what follows from the numbers of a row."""
    return {
        "hit_ratio": row.hit_ratio,
        "saved": row.saved,
        "published_saved": row.published_saved,
        "doubled": row.doubled,
        "steps": row.steps,
    }


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
