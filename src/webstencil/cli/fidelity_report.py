"""Fidelity as a table and as JSON."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from statistics import fmean

from webstencil.cli import screen
from webstencil.evaluate.fidelity import BAD, FidelityCost, FidelityRow, HitScore, mean

COLUMNS = (
    "site",
    "pages",
    "failed",
    "stencils",
    "hit ratio",
    "areas located",
    "judged",
    "text covered",
    "fidelity",
    f"below {BAD}",
    "random stencil",
    "own stencil",
    "parses/hit",
    "renderings/hit",
    "time saved",
)


def mean_row(rows: Sequence[FidelityRow]) -> FidelityRow:
    """Average over sites."""
    return FidelityRow(
        site="mean",
        pages=fmean(row.pages for row in rows),
        failed=fmean(row.failed for row in rows),
        stencils=fmean(row.stencils for row in rows),
        hit_ratio=mean(row.hit_ratio for row in rows),
        judged=fmean(row.judged for row in rows),
        located=mean(row.located for row in rows),
        covered=mean(row.covered for row in rows),
        fidelity=mean(row.fidelity for row in rows),
        bad=mean(row.bad for row in rows),
        chance=mean(row.chance for row in rows),
        own=mean(row.own for row in rows),
        cost=FidelityCost(
            mean(row.cost.parses for row in rows),
            mean(row.cost.renderings for row in rows),
            mean(row.cost.saved for row in rows),
        ),
    )


def show(title: str, rows: Sequence[FidelityRow], form: str) -> None:
    """Print a table of sites and of their mean."""
    if form == "table":
        screen.say(title)
    screen.show_rows(COLUMNS, map(cells, (*rows, mean_row(rows))), form)


def cells(row: FidelityRow) -> list[str]:
    """Write a row."""
    return [
        row.site,
        *(f"{round(count, 1):g}" for count in (row.pages, row.failed, row.stencils)),
        *map(figure, (row.hit_ratio, row.located)),
        f"{round(row.judged, 1):g}",
        *map(figure, (row.covered, row.fidelity, row.bad, row.chance, row.own)),
        figure(row.cost.parses, digits=1),
        figure(row.cost.renderings, digits=4),
        figure(row.cost.saved),
    ]


def figure(value: float | None, digits: int = 3) -> str:
    """Write a value, or a dash if there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def report(rows: Sequence[FidelityRow], scores: Sequence[HitScore]) -> str:
    """Write all scores as JSON."""
    return json.dumps(
        {
            "rows": [asdict(row) for row in rows],
            "mean": asdict(mean_row(rows)),
            "hits": [asdict(replace(score, areas=())) for score in scores],
        },
        indent=1,
    )
