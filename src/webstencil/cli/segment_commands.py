"""`webstencil segment`."""

from pathlib import Path
from typing import Unpack

import click

from webstencil.cli import screen
from webstencil.cli.method_options import SegmenterOptions, chosen_segmenter, with_segmenter
from webstencil.cli.options import (
    FileNamed,
    base_url_option,
    is_stdout,
    javascript_option,
    scripts_if,
    table_option,
)
from webstencil.codec import put
from webstencil.errors import SettingsError
from webstencil.markup.parse import parse
from webstencil.model import RawPage, Snapshot
from webstencil.output import json_areas, overlay
from webstencil.output.files import writing_explained
from webstencil.protocols import Source
from webstencil.render import ChromiumRenderer
from webstencil.segment import VIPS
from webstencil.sources import Several, open_page
from webstencil.stages import described_areas, segment_page

JSON = "json"


class SegmentOptions(SegmenterOptions):
    """Options of `webstencil segment`."""

    page: str
    base_url: str | None
    javascript: bool
    form: str
    json_path: Path | None
    png_path: Path | None
    svg_path: Path | None
    store_path: str | None
    site: str | None


@click.command("segment")
@click.argument("page", metavar="FILE_OR_URL")
@with_segmenter
@base_url_option
@javascript_option
@table_option
@click.option(
    "--json",
    "json_path",
    type=FileNamed(".json", printed=True),
    is_flag=False,
    flag_value="-",
    metavar="[FILE]",
    help="Write the areas to this JSON file; without one, short for --format json.",
)
@click.option(
    "--png",
    "png_path",
    type=FileNamed(".png"),
    help="Draw the areas over the page in this PNG file.",
)
@click.option(
    "--svg",
    "svg_path",
    type=FileNamed(".svg"),
    help="Draw the areas over the page in this SVG file.",
)
@click.option(
    "--store",
    "store_path",
    metavar="FILE OR URL",
    help="Lay the slots of the page's site, as learned in this store, over it. It is rendered for "
    "--png and --svg only.",
)
@click.option("--site", help="With --store: the site.  [default: that of the page's URL]")
def segment_command(**wanted: Unpack[SegmentOptions]) -> None:
    """Segment one page: render it and find its areas.

    FILE_OR_URL may be - for a page on standard input, whose URL --base-url gives. With --store
    nothing is rendered: the page gets the slots of its site.
    """
    if is_stdout(wanted["json_path"]):
        wanted["form"], wanted["json_path"] = JSON, None
    if wanted["store_path"] is not None:
        from webstencil.cli.segment_slots import lay_slots  # noqa: PLC0415 - only this needs a store

        lay_slots(wanted, wanted["store_path"])
        return
    if wanted["site"] is not None:
        raise SettingsError("--site names a site of a store; add --store")
    segmenter = chosen_segmenter(wanted)
    json_path, png_path, svg_path = wanted["json_path"], wanted["png_path"], wanted["svg_path"]
    named = open_page(wanted["page"], base_url=wanted["base_url"])
    parsed = parse(one_page(named, wanted["javascript"]))
    source = Several([named])  # it warns of missing style sheets
    with ChromiumRenderer() as renderer:
        rendered = segment_page(
            parsed, source, renderer, segmenter, screenshot=bool(png_path or svg_path)
        )
        snapshot, described = rendered.snapshot, described_areas(parsed, rendered)
        drawing = overlay.overlay(snapshot, rendered.areas)
        if png_path:
            write(png_path, picture(renderer, snapshot, drawing))
    if svg_path:
        write(svg_path, drawing.encode())
    told = segmenter.structure(snapshot) if isinstance(segmenter, VIPS) else ()
    in_json = json_areas(described, told)
    if json_path:
        write(json_path, in_json)
    if wanted["form"] == JSON:
        screen.say(in_json.decode().rstrip())
    else:
        screen.show_rows(screen.AREA_COLUMNS, screen.area_rows(described), wanted["form"])
    if notes := source.notes.all():
        screen.warn(screen.notes_table(notes))


def one_page(source: Source, javascript: bool) -> RawPage:
    """Return the one page of a source, as its scripts leave it if they are run."""
    raw = next(iter(source.pages()))
    with scripts_if(javascript) as run_scripts:
        return raw if run_scripts is None else run_scripts(raw, source)


def picture(renderer: ChromiumRenderer, snapshot: Snapshot, drawing: str) -> bytes:
    """Draw over a snapshot, as PNG."""
    return renderer.picture(drawing, round(snapshot.rect.width), round(snapshot.rect.height))


def write(path: Path, data: bytes) -> None:
    """Write a file, its folder too if there is none."""
    with writing_explained(path):
        put(path, data)
