"""The commands that measure rows of list pages, headlines, and products."""

from pathlib import Path

import click

from research.items import headline_scores, listings, products
from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.shared_options import PATH, json_option, pages_root_option
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.evaluate.swde import read_sites


@click.command("rows")
@click.argument("path", type=PATH)
@pages_root_option
@json_option("all scores")
def rows_command(path: Path, pages_root: Path | None, as_json: bool) -> None:
    """Compare the rows of list pages with the articles that these pages link to.

    PATH is a sites.json with labels beside it.
    """
    found = listings.evaluate(path, pages_root)
    if as_json:
        screen.say(listings.report(found))
    else:
        listings.show(found)


@click.command("headlines")
@click.argument("path", type=PATH)
@pages_root_option
@click.option(
    "--pages", type=click.IntRange(1), default=4, show_default=True, help="Articles of each site."
)
@json_option("all scores")
@cache_option
def headlines_command(
    path: Path, pages_root: Path | None, pages: int, as_json: bool, cache: Path | None
) -> None:
    """Compare headlines and bodies, by size and by kind, with titles and content of articles.

    PATH is a sites.json with labels beside it.
    """
    with KeepingRenderer((cache or cache_folder()) / "snapshots") as renderer:
        rows = headline_scores.evaluate(path, renderer, pages, pages_root)
    if as_json:
        screen.say(headline_scores.report(rows))
    else:
        headline_scores.show(rows)


@click.command("products")
@click.argument("path", type=PATH)
@json_option("all counts")
def products_command(path: Path, as_json: bool) -> None:
    """Compare the products of pages with their prices: PATH is a file like swde.jsonl.xz."""
    rows = products.measure(read_sites(path))
    if as_json:
        screen.say(products.report(rows))
    else:
        products.show(rows)
