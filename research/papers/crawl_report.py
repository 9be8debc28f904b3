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


# Table 1, and of Tables 2 to 4 the times plain and by CPS in s, and the time saved in per cent.
PAPER_ROWS: tuple[tuple[str, int, float, tuple[tuple[int, int, float], ...]], ...] = (
    ("iDnes.cz", 42, 91.6, ((1158, 145, 87.5), (4019, 282, 93.0), (1423, 195, 86.3))),
    ("e15.cz", 27, 94.6, ((661, 55, 91.7), (420, 34, 91.9), (411, 42, 89.7))),
    ("telegraph.co.uk", 32, 93.6, ((2719, 841, 69.1), (1569, 97, 93.8), (1521, 603, 60.3))),
    ("slashdot.org", 18, 96.4, ((1925, 89, 95.4), (946, 30, 96.8), (597, 50, 91.6))),
    ("businessinsider.com", 16, 96.8, ((766, 38, 95.0), (587, 29, 95.1), (530, 34, 93.6))),
    ("gizmodo.com", 11, 97.8, ((560, 39, 93.0), (832, 38, 95.4), (771, 49, 93.6))),
)
PAPER_RISE = "+33%"  # of clusters when pages double, at most (section 7)


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
    yield f"**The paper's own figures, 500 pages a site; clusters rise by {PAPER_RISE} at most**"
    yield ""
    yield "| site | clusters | hit ratio | VIPS: plain, CPS, saved | Burget | Box Clustering |"
    yield "|---|---|---|---|---|---|"
    for site, clusters, hits, times in PAPER_ROWS:
        cells = [f"{plain} s, {cps} s, {saved}%" for plain, cps, saved in times]
        yield f"| {site} | {clusters} | {hits}% | {' | '.join(cells)} |"


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
