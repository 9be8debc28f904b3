"""The tables of `webstencil evaluate fidelity` in the default mode."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace

from webstencil.cli import screen
from webstencil.evaluate.fidelity import BAD, SiteFidelityRow, SitePageScore, calibration, mean_site

COLUMNS = (
    *("site", "pages", "failed", "rendered", "share", "hit ratio", "judged", "fidelity"),
    *(f"below {BAD}", "to own areas", "long pages", "with body", "parses/page"),
    *("renderings/page", "time saved"),
)
BINS = ("confidence up to", "areas", "said", "the same")


def show_sites(
    title: str, rows: Sequence[SiteFidelityRow], scores: Sequence[SitePageScore], form: str
) -> None:
    """Print a table of sites and of their mean; how sure areas are comes after it."""
    if form == "table":
        screen.say(title)
    screen.show_rows(COLUMNS, map(cells, (*rows, mean_site(rows))), form)
    if form == "table":
        screen.say("")
        bins = [
            [f"{one.below:g}", str(one.areas), figure(one.said), figure(one.same)]
            for one in calibration(scores)
        ]
        screen.show_rows(BINS, bins, form)


def cells(row: SiteFidelityRow) -> list[str]:
    """Write a row."""
    return [
        row.site,
        *(f"{round(count, 1):g}" for count in (row.pages, row.failed, row.rendered)),
        figure(row.rendered / row.pages if row.pages else None),
        figure(row.hit_ratio),
        f"{round(row.judged, 1):g}",
        *map(figure, (row.fidelity, row.bad, row.own)),
        f"{round(row.long, 1):g}",
        figure(row.body),
        figure(row.cost.parses, digits=1),
        figure(row.cost.renderings, digits=4),
        figure(row.cost.saved),
    ]


def figure(value: float | None, digits: int = 3) -> str:
    """Write a value, or a dash if there is none."""
    return "-" if value is None else f"{value:.{digits}f}"


def site_report(rows: Sequence[SiteFidelityRow], scores: Sequence[SitePageScore]) -> str:
    """Write all scores as JSON."""
    return json.dumps(
        {
            "rows": [asdict(row) for row in rows],
            "mean": asdict(mean_site(rows)),
            "calibration": [asdict(one) for one in calibration(scores)],
            "pages": [page_values(score) for score in scores],
        },
        indent=1,
    )


def page_values(score: SitePageScore) -> dict[str, object]:
    """Return the scores of a page; its areas are not told one by one."""
    values = asdict(replace(score, said=(), areas=()))
    return {name: value for name, value in values.items() if name not in ("said", "areas")}
