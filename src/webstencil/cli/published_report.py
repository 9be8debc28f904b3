"""Scores of the published content extractors: the paper's tables, with ours and its own."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

from webstencil.cli import screen
from webstencil.evaluate.published_content import ContentRow, Scope
from webstencil.output.plot import PlotLine, plot

TIME_COLUMNS = ("set", "site", "pages", "CE: NBT / NB / ms", "FastCE: NBT / NB / ms", "CE / FastCE")
ACCURACY_COLUMNS = (
    *("set", "site", "method", "template of", "own", "pages"),
    *("block P", "block R", "block F", "word P", "word R", "word F", "empty"),
)
TITLES = {
    Scope.SITE: "time with one template a site: blocks compared with / blocks of a page / ms",
    Scope.STENCIL: "the same with one template a stencil",
}

PAPER = "the paper's own figures: other sites and another machine; times in s"
PAPER_COLUMNS = (
    *("site", "CE: NBT / NB / s", "FastCE: NBT / NB / s", "CE / FastCE"),
    *("block F, CE", "block F, FastCE", "word F, CE", "word F, FastCE"),
)
PAPER_ROWS = (
    ("dantri.com.vn", "86 / 319 / 1.914", "14 / 41 / 0.964", "1.99", ".97", ".97", ".978", ".991"),
    ("kenh14.vn", "247 / 500 / 18.4", "26 / 46 / 1.39", "13.24", "1.00", "1.00", "1.00", "1.00"),
    (
        *("thanhnien.com.vn", "111 / 326 / 1.817", "19 / 14 / 0.703", "2.59"),
        *(".90", ".89", ".978", ".992"),
    ),
    ("vietnamnet.vn", "23 / 121 / 0.563", "3 / 22 / 0.527", "1.07", ".83", "1.00", ".99", ".999"),
    ("news.yahoo.com", "114 / 171 / 1.883", "34 / 48 / 0.938", "2.01", ".86", ".92", ".89", ".958"),
    ("cnn.com", "112 / 266 / 2.924", "20 / 15 / 2.002", "1.47", ".91", ".75", ".99", ".99"),
    ("news.bbc.co.uk", "77 / 174 / 1.401", "16 / 45 / 0.565", "2.48", ".88", ".94", ".957", ".96"),
    ("nytimes.com", "318 / 146 / 2.273", "58 / 17 / 1.557", "1.46", ".90", ".91", ".966", ".966"),
)


def report(rows: Sequence[ContentRow]) -> str:
    """Write all scores as JSON."""
    paper = {"source": PAPER, "columns": PAPER_COLUMNS, "rows": PAPER_ROWS}
    sums = [asdict(row) for row in mean_rows(rows)]
    return json.dumps({"rows": [asdict(row) for row in rows], "sums": sums, "paper": paper})


def show(rows: Sequence[ContentRow]) -> None:
    """Print times, accuracy, the means, and the paper's own figures."""
    for scope in Scope:
        screen.show_table(TITLES[scope], TIME_COLUMNS, time_cells(rows, scope))
    sums = mean_rows(rows)
    screen.show_table("blocks and words of each site", ACCURACY_COLUMNS, map(accuracy_cells, rows))
    screen.show_table(
        "means over the pages of each set", ACCURACY_COLUMNS, map(accuracy_cells, sums)
    )
    screen.show_table(PAPER, PAPER_COLUMNS, PAPER_ROWS)
    for words in slower(rows):
        screen.say(words)


def time_cells(rows: Sequence[ContentRow], scope: Scope) -> Iterable[list[str]]:
    """Write Table II: both methods side by side."""
    for one, other in pairs(rows, scope):
        yield [one.group, one.site, str(one.pages), cost(one), cost(other), ratio(one, other)]


def pairs(rows: Sequence[ContentRow], scope: Scope) -> list[tuple[ContentRow, ContentRow]]:
    """Return the rows of both methods for each site that has both."""
    both = {(row.group, row.site, row.method): row for row in rows if row.scope is scope}
    return [
        (row, both[group, site, "fastce"])
        for (group, site, method), row in both.items()
        if method == "ce" and (group, site, "fastce") in both
    ]


def cost(row: ContentRow) -> str:
    """Write the cost of a page."""
    return f"{row.compared:.0f} / {row.blocks:.0f} / {row.time:.2f}"


def ratio(one: ContentRow, other: ContentRow) -> str:
    """Write how many times faster the other one is."""
    return f"{one.time / other.time:.2f}" if other.time else "-"


def slower(rows: Sequence[ContentRow]) -> Iterable[str]:
    """Write on which sites FastCE is slower."""
    for scope in Scope:
        found = pairs(rows, scope)
        lost = [one.site for one, other in found if other.time >= one.time]
        words = f": {', '.join(lost)}" if lost else ""
        yield f"template of {scope}: FastCE is slower on {len(lost)} of {len(found)} sites{words}"


def plot_times(path: Path, rows: Sequence[ContentRow]) -> None:
    """Draw the time of both methods on each site (Figure 6), in the order of the table."""
    found = pairs(rows, Scope.SITE)
    lines = [
        PlotLine(
            name, tuple((float(place), pair[which].time) for place, pair in enumerate(found, 1))
        )
        for which, name in enumerate(("CE", "FastCE"))
    ]
    plot(path, lines, title="Time of a page", x="site, in the order of the table", y="ms")


def accuracy_cells(row: ContentRow) -> list[str]:
    """Write Tables III and IV."""
    scores = (
        *(row.block_precision, row.block_recall, row.block_f),
        *(row.precision, row.recall, row.f),
    )
    start = [row.group, row.site, row.method, row.scope, f"{row.own:.0%}", str(row.pages)]
    return [*start, *(f"{score:.3f}" for score in scores), str(row.empty)]


def mean_rows(rows: Sequence[ContentRow]) -> list[ContentRow]:
    """Average over the pages of each set, and over all."""
    groups = [*dict.fromkeys(row.group for row in rows)]
    kinds = dict.fromkeys((row.method, row.scope) for row in rows)
    sums = []
    for group in [*groups, "all"] if len(groups) > 1 else groups:
        for kind in kinds:
            members = [row for row in rows if (row.method, row.scope) == kind]
            sums.append(mean([row for row in members if group in {row.group, "all"}], group))
    return sums


def mean(rows: Sequence[ContentRow], group: str) -> ContentRow:
    """Average rows, weighted by their pages."""
    pages = [row.pages for row in rows]

    def of(name: str) -> float:
        return fmean((getattr(row, name) for row in rows), weights=pages)

    first = rows[0]
    return ContentRow(
        group=group,
        site=f"{len(rows)} sites",
        method=first.method,
        scope=first.scope,
        pages=sum(pages),
        own=of("own"),
        compared=of("compared"),
        blocks=of("blocks"),
        time=of("time"),
        precision=of("precision"),
        recall=of("recall"),
        f=of("f"),
        block_precision=of("block_precision"),
        block_recall=of("block_recall"),
        block_f=of("block_f"),
        empty=sum(row.empty for row in rows),
    )
