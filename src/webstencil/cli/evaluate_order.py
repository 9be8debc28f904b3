"""`webstencil evaluate order`."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from typing import TypedDict, Unpack

import click

from webstencil.cli import screen
from webstencil.cli.evaluate_sites import open_sites, refuse_none, shown_name, sites_argument
from webstencil.cli.shared_options import json_option, table_option
from webstencil.evaluate.survey_orders import OrderedSurvey, OrderRow, compared, surveys_in_orders
from webstencil.sources import Several

COLUMNS = ("site", "pages", "orders", "surveys")
EQUAL = "equal"


class OrderOptions(TypedDict):
    """Options of `webstencil evaluate order`."""

    sites: tuple[str, ...]
    shuffles: int
    workers: tuple[int, ...]
    form: str
    as_json: bool


@click.command("order")
@sites_argument
@click.option(
    "--shuffles",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    metavar="N",
    help="Number of random orders.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    multiple=True,
    default=(2, 4),
    show_default=True,
    metavar="N",
    help="Also survey with N worker processes (repeatable).",
)
@table_option
@json_option("all hashes and differences")
def order_command(**options: Unpack[OrderOptions]) -> None:
    """Check that surveys do not depend on the order of pages or on workers.

    SITE is a source of `webstencil run`. Its pages are surveyed as listed, shuffled, and by several
    workers; model, templates and plan must be the same to the last byte. Exits with 1 if they are
    not. Nothing is rendered; all pages of a site are held in memory.
    """
    rows: list[OrderRow] = []
    for name, source in open_sites(options["sites"]).items():
        rows += checked(name, source, options)
    if options["as_json"] or options["form"] == "json":
        screen.say(json.dumps([asdict(row) for row in rows], indent=1, ensure_ascii=False))
    else:
        screen.show_rows(COLUMNS, map(cells, rows), options["form"])
    exit_unless_equal(rows)


def checked(name: str, source: Several, options: OrderOptions) -> Iterator[OrderRow]:
    """Survey a source in all orders, and compare what was found."""
    ticker = screen.Ticker()
    found: list[OrderedSurvey] = []
    wanted = surveys_in_orders(source, shuffles=options["shuffles"], workers=options["workers"])
    for one in wanted:
        found.append(one)
        ticker.tell(f"{name}: surveyed, {one.order}")
    rows = list(compared(found))
    refuse_none(name, len(rows))
    for row in rows:
        yield replace(row, site=shown_name(name, row.site, len(rows)))


def exit_unless_equal(rows: Iterable[OrderRow]) -> None:
    """Exit with 1 if anything depends on the order."""
    if any(row.differences for row in rows):
        sys.exit(1)


def cells(row: OrderRow) -> list[str]:
    """Write a row."""
    outcome = "; ".join(row.differences) or EQUAL
    return [row.site, str(row.found.pages), str(len(row.orders)), outcome]
