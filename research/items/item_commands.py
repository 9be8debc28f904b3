"""`webstencil evaluate rows`, `... headlines` and `... products`."""

from pathlib import Path

import click

from research.items import headline_scores, listings, products
from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.shared_options import PATH, json_option, pages_root_option, table_option
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


@click.command("headlines")
@click.argument("path", type=PATH)
@pages_root_option
@click.option(
    "--pages", type=click.IntRange(1), default=4, show_default=True, help="Articles of each site."
)
@table_option
@json_option("all scores")
@cache_option
def headlines_command(
    path: Path, pages_root: Path | None, pages: int, form: str, as_json: bool, cache: Path | None
) -> None:
    """Score headlines and bodies against titles and content of articles.

    PATH is a sites.json with labels beside it. Headlines are found by size and by kind.
    """
    left_out: list[str] = []
    with KeepingRenderer((cache or cache_folder()) / "snapshots") as renderer:
        rows = headline_scores.evaluate(path, renderer, pages, pages_root, left_out.append)
    if as_json or form == "json":
        screen.say(headline_scores.report(rows))
    else:
        screen.show_rows(headline_scores.COLUMNS, map(headline_scores.cells, rows), form)
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
