"""`webstencil items`."""

from typing import TypedDict, Unpack

import click

from webstencil.cli import screen
from webstencil.cli.method_options import PAPER, preset_option, set_option, settings_help
from webstencil.cli.options import base_url_option, javascript_option, table_option
from webstencil.cli.screen import ITEM_COLUMNS, item_rows
from webstencil.cli.segment_commands import one_page
from webstencil.codec import indented, result_json
from webstencil.errors import SettingsError
from webstencil.markup.parse import parse
from webstencil.model import PageArea
from webstencil.protocols import Segmenter
from webstencil.render import ChromiumRenderer
from webstencil.segment import SEGMENTERS, make_segmenter
from webstencil.sources import open_page
from webstencil.stages import described_areas, extract_items, make_extractors, segment_page


class ItemsOptions(TypedDict):
    """Options of `webstencil items`."""

    page: str
    name: str | None
    preset: str | None
    values: tuple[str, ...]
    blunt: bool
    base_url: str | None
    javascript: bool
    form: str


@click.command("items")
@click.argument("page", metavar="FILE_OR_URL")
@click.option(
    "--with",
    "name",
    type=click.Choice(sorted(SEGMENTERS)),
    help="Render the page, and use the areas that this segmenter finds.",
)
@preset_option
@set_option
@settings_help
@click.option(
    "--blunt",
    is_flag=True,
    help="Find headlines and bodies by size alone, as the CPS paper does, not by kinds.",
)
@base_url_option
@javascript_option
@table_option
def items_command(**wanted: Unpack[ItemsOptions]) -> None:
    """Show the items found on a page.

    FILE_OR_URL may be - for a page on standard input, whose URL --base-url gives.
    """
    segmenter = wanted_segmenter(wanted)
    source = open_page(wanted["page"], base_url=wanted["base_url"])
    page = parse(one_page(source, wanted["javascript"]))
    areas: tuple[PageArea, ...] = ()
    if segmenter is not None:
        with ChromiumRenderer() as renderer:
            rendered = segment_page(page, source, renderer, segmenter)
        areas = described_areas(page, rendered)
    headlines = () if segmenter is None else ("sizes" if wanted["blunt"] else "headlines",)
    names = ("metadata", "product", *headlines, "rows", "posts", "navigation")
    found = extract_items(page, areas, make_extractors(names))
    if wanted["form"] == "json":
        screen.say(indented(result_json(found)).decode())
    elif wanted["form"] == "csv":
        screen.show_rows(ITEM_COLUMNS, list(item_rows(found)), wanted["form"])
    elif not found:
        hint = "" if segmenter else "; --with vips also looks at its areas"
        screen.say(f"Nothing was found on this page{hint}.")
    else:
        screen.show(screen.items_table(found))


def wanted_segmenter(wanted: ItemsOptions) -> Segmenter | None:
    """Make the segmenter, None if the page is not to be rendered."""
    if wanted["name"] is None:
        if wanted["values"] or wanted["preset"]:
            raise SettingsError("--set and --preset need a segmenter; choose it by --with")
        return None
    return make_segmenter(wanted["name"], wanted["values"], published=wanted["preset"] == PAPER)
