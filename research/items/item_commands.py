"""`webstencil evaluate rows`, `... headlines` and `... products`."""

from pathlib import Path
from typing import TypedDict, Unpack

import click

from research.items import headline_scores, listings, products
from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.method_options import (
    PAPER,
    chosen_segmenters,
    preset_option,
    segmenters_option,
    set_options,
)
from webstencil.cli.options import PATH, json_option, pages_root_option, table_option
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.evaluate.swde import read_sites


@click.command("rows")
@click.argument("path", type=PATH)
@pages_root_option
@table_option
@json_option("all scores")
def rows_command(path: Path, pages_root: Path | None, form: str, as_json: bool) -> None:
    """Score the rows of list pages against the articles they link to.

    PATH is a sites.json with labels beside it.
    """
    left_out: list[str] = []
    rows = listings.evaluate(path, pages_root, left_out.append)
    if as_json or form == "json":
        screen.say(listings.report(rows))
    else:
        screen.show_rows(listings.COLUMNS, map(listings.cells, rows), form)
    screen.tell_left_out(left_out)


class HeadlineOptions(TypedDict):
    """Options of `webstencil evaluate headlines`."""

    path: Path
    pages_root: Path | None
    pages: int
    names: tuple[str, ...]
    values: tuple[str, ...]
    preset: str | None
    form: str
    as_json: bool
    cache: Path | None


@click.command("headlines")
@click.argument("path", type=PATH)
@pages_root_option
@click.option(
    "--pages", type=click.IntRange(1), default=4, show_default=True, help="Articles of each site."
)
@segmenters_option
@set_options
@preset_option
@table_option
@json_option("all scores")
@cache_option
def headlines_command(**options: Unpack[HeadlineOptions]) -> None:
    """Score headlines and bodies against titles and content of articles.

    PATH is a sites.json with labels beside it. Headlines are found by size and by kind.
    """
    segmenters = chosen_segmenters(
        options["names"], options["values"], published=options["preset"] == PAPER
    )
    left_out: list[str] = []
    with KeepingRenderer((options["cache"] or cache_folder()) / "snapshots") as renderer:
        articles = headline_scores.Articles(
            options["path"], options["pages_root"], options["pages"]
        )
        rows = headline_scores.evaluate(articles, segmenters, renderer, left_out.append)
    if options["as_json"] or options["form"] == "json":
        screen.say(headline_scores.report(rows))
    else:
        cells = map(headline_scores.cells, rows)
        screen.show_rows(headline_scores.COLUMNS, cells, options["form"])
    screen.tell_left_out(left_out)


@click.command("products")
@click.argument("path", type=PATH)
@table_option
@json_option("all counts")
def products_command(path: Path, form: str, as_json: bool) -> None:
    """Score the prices of products.

    PATH is a file X.jsonl.xz of pages with the texts of their attributes, such as SWDE's.
    """
    left_out: list[str] = []
    rows = products.measure(read_sites(path, left_out.append))
    if as_json or form == "json":
        screen.say(products.report(rows))
    else:
        screen.show_rows(products.COLUMNS, map(products.cells, rows), form)
    screen.tell_left_out(left_out)
