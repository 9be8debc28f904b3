"""`webstencil evaluate locating`."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.shared_options import PATH, json_option
from webstencil.evaluate.locating import (
    AttributeAnswer,
    LocatingRow,
    SearchCost,
    Timing,
    cost,
    measure,
    measure_paper,
    sum_up,
)
from webstencil.evaluate.swde import choose, read_sites
from webstencil.model import Mode

COLUMNS = ("method", "pages of", "answers", "right", "wrong", "lost")


@click.command("locating")
@click.argument("path", type=PATH)
@click.option(
    "--mode",
    type=click.Choice(["default", Mode.PAPER.value]),
    default="default",
    show_default=True,
    help="Search by evidence, or by the mapping paper's descriptors.",
)
@click.option(
    "--pick",
    "which",
    type=click.Choice(["field", "first"]),
    default="field",
    show_default=True,
    help="Of several nodes with the value, pick the attribute's field or the first in the page.",
)
@click.option("--sites", type=click.IntRange(1), help="Take one site in so many.")
@json_option("all answers")
def locating_command(path: Path, mode: str, which: str, sites: int | None, as_json: bool) -> None:
    """Pick attributes on one page and find them on the other pages of each site.

    PATH is a file X.jsonl.xz with a page and the texts of its attributes a line, such as SWDE's.
    """
    answers: list[AttributeAnswer] = []
    timings: list[Timing] = []
    for site in read_sites(path)[:: sites or 1]:
        choices = choose(site, first=which == "first")
        if mode == "default":
            found, times = measure(site, choices)
            timings += times
        else:
            found = list(measure_paper(site, choices))
        answers += found
    spent = cost(timings) if timings else None
    if as_json:
        screen.say(report(answers, spent))
    else:
        show(sum_up(answers), spent)


def report(answers: Sequence[AttributeAnswer], spent: SearchCost | None) -> str:
    """Write all answers as JSON."""
    return json.dumps(
        {
            "rows": [asdict(row) for row in sum_up(answers)],
            "cost": asdict(spent) if spent else None,
            "answers": [asdict(answer) for answer in answers],
        },
        indent=1,
    )


def show(rows: Sequence[LocatingRow], spent: SearchCost | None) -> None:
    """Print how many answers are right."""
    table = screen.plain_table(*COLUMNS)
    for row in rows:
        shares = (f"{share:.2%}" for share in (row.right, row.wrong, row.lost))
        table.add_row(row.method, row.what, str(row.answers), *shares)
    screen.show(table)
    if spent:
        screen.say(
            f"{spent.picks:.1f} picks a page take {spent.search:.2f} ms, "
            f"{spent.ratio:.1f} bare parses (median of {spent.pages} pages)"
        )
