"""`webstencil items`."""

import click

from webstencil.cli import screen
from webstencil.cli.script_options import javascript_option
from webstencil.cli.segment_commands import one_page
from webstencil.cli.shared_options import json_option, table_option
from webstencil.cli.tables import ITEM_COLUMNS, item_rows
from webstencil.codec.values import indented, to_json
from webstencil.markup.parse import parse
from webstencil.model import PageArea
from webstencil.pipeline.extractors import make_extractors
from webstencil.pipeline.page import described_areas, extract_items, segment_page
from webstencil.render import ChromiumRenderer
from webstencil.segment import SEGMENTERS, make_segmenter
from webstencil.sources import open_page


@click.command("items")
@click.argument("name", metavar="FILE_OR_URL")
@click.option(
    "--with",
    "segmenter",
    type=click.Choice(sorted(SEGMENTERS)),
    help="Render the page, and use the areas that this segmenter finds.",
)
@click.option(
    "--blunt",
    is_flag=True,
    help="Find headlines and bodies by size alone, as the CPS paper does, not by kinds.",
)
@javascript_option
@table_option
@json_option("the items")
def items_command(
    name: str, segmenter: str | None, blunt: bool, javascript: bool, form: str, as_json: bool
) -> None:
    """Show the items found on a page."""
    source = open_page(name)
    raw = one_page(source, javascript)
    page = parse(raw)
    areas: tuple[PageArea, ...] = ()
    if segmenter is not None:
        with ChromiumRenderer() as renderer:
            rendered = segment_page(page, source, renderer, make_segmenter(segmenter))
        areas = described_areas(page, rendered)
    headlines = () if segmenter is None else ("sizes" if blunt else "headlines",)
    names = ("metadata", "product", *headlines, "rows", "navigation")
    found = extract_items(page, areas, make_extractors(names))
    if as_json or form == "json":
        screen.say(indented(to_json(found)).decode())
    elif form == "csv":
        screen.show_rows(ITEM_COLUMNS, list(item_rows(found)), form)
    elif not found:
        hint = "" if segmenter else "; --with vips also looks at its areas"
        screen.say(f"Nothing was found on this page{hint}.")
    else:
        screen.show(screen.items_table(found))
