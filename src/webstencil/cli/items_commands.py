"""The command that shows what is extracted from one page: `webstencil items`."""

import click

from webstencil.cli import screen
from webstencil.cli.script_options import javascript_option
from webstencil.cli.segment_commands import one_page
from webstencil.cli.shared_options import json_option
from webstencil.codec.values import indented, to_json
from webstencil.extract.headlines import kind_items, mark, marked_items
from webstencil.extract.metadata import metadata
from webstencil.extract.product import product
from webstencil.extract.rows import rows
from webstencil.kinds import label
from webstencil.markup.parse import parse
from webstencil.model import Item, Page
from webstencil.navigation import page_items
from webstencil.protocols import Source
from webstencil.render import ChromiumRenderer
from webstencil.segment import SEGMENTERS, make_segmenter
from webstencil.site.describe import describe_own
from webstencil.sources import open_page


@click.command("items")
@click.argument("name", metavar="FILE_OR_URL")
@click.option(
    "--with",
    "segmenter",
    type=click.Choice(sorted(SEGMENTERS)),
    help="Render the page, find its areas by this segmenter, and use them.",
)
@click.option(
    "--blunt",
    is_flag=True,
    help="Headlines and bodies by size alone, as the CPS paper has it, not by kinds of areas.",
)
@javascript_option
@json_option("the items")
def items_command(
    name: str, segmenter: str | None, blunt: bool, javascript: bool, as_json: bool
) -> None:
    """Show title, date, author, product, rows, menus, with areas headlines, bodies, of a page."""
    source = open_page(name)
    page = parse(one_page(source, javascript))
    found = items_of(page) if segmenter is None else painted_items(page, source, segmenter, blunt)
    if as_json:
        screen.say(indented(to_json(found)).decode())
    elif not found:
        hint = "" if segmenter else "; --with vips looks at its areas, too"
        screen.say(f"Nothing was found on this page{hint}.")
    else:
        screen.show(screen.items_table(found))


def items_of(page: Page) -> tuple[Item, ...]:
    """Return what a page tells without being painted."""
    return metadata(page) + product(page) + rows(page) + page_items(page)


def painted_items(page: Page, source: Source, name: str, blunt: bool) -> tuple[Item, ...]:
    """Return what a page tells when its areas are known."""
    with ChromiumRenderer() as renderer:
        snapshot = renderer.render(page, source)
    areas = label(page, snapshot, make_segmenter(name, ()).segment(snapshot))
    described = describe_own(page, mark(snapshot, areas))
    sized = marked_items(described) if blunt else kind_items(described)
    return metadata(page) + product(page) + sized + rows(page, described) + page_items(page)
