"""`webstencil evaluate locating`."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.options import PATH, json_option, table_option
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
    help="Search by evidence, or by descriptors as in the mapping paper.",
)
@click.option(
    "--pick",
    "which",
    type=click.Choice(["field", "first"]),
    default="field",
    show_default=True,
    help="Which of several nodes with the value to pick: the field, or the first on the page.",
)
@click.option("--sites", type=click.IntRange(1), default=1, metavar="N", help="Take one site in N.")
@table_option
@json_option("all answers")
def locating_command(
    path: Path, mode: str, which: str, sites: int, form: str, as_json: bool
) -> None:
    """Score picks: attributes picked on one page, found on the others.

    PATH is a file X.jsonl.xz of pages with the texts of their attributes, such as SWDE's.
    """
    answers: list[AttributeAnswer] = []
    timings: list[Timing] = []
    left_out: list[str] = []
    for site in read_sites(path, left_out.append)[::sites]:
        choices = choose(site, first=which == "first")
        if mode == "default":
            found, times = measure(site, choices)
            timings += times
        else:
            found = list(measure_paper(site, choices))
        answers += found
    spent = cost(timings) if timings else None
    if as_json or form == "json":
        screen.say(report(answers, spent))
    else:
        screen.show_rows(COLUMNS, map(cells, sum_up(answers)), form)
    if spent and form == "table" and not as_json:
        screen.say(
            f"{spent.picks:.1f} picks a page take {spent.search:.2f} ms, "
            f"{spent.ratio:.1f} bare parses (median of {spent.pages} pages)"
        )
    screen.tell_left_out(left_out)


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


def cells(row: LocatingRow) -> list[str]:
    """Write a row."""
    shares = (f"{share:.2%}" for share in (row.right, row.wrong, row.lost))
    return [row.method, row.what, str(row.answers), *shares]
