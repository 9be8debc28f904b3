"""`webstencil evaluate gallery`."""

from pathlib import Path
from typing import TypedDict, Unpack

import click

from research import DATA
from research.gallery import make_gallery
from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.method_options import (
    PAPER,
    chosen_segmenters,
    preset_option,
    segmenters_option,
    set_options,
)
from webstencil.cli.options import PATH
from webstencil.evaluate.snapshots import cache_folder


class GalleryOptions(TypedDict):
    """Options of `webstencil evaluate gallery`."""

    out: Path
    data: Path
    names: tuple[str, ...]
    values: tuple[str, ...]
    preset: str | None
    cache: Path | None


@click.command("gallery")
@click.option(
    "--out",
    type=PATH,
    default=Path("build/gallery"),
    show_default=True,
    help="Folder of the HTML page.",
)
@click.option(
    "--data",
    type=PATH,
    default=DATA,
    show_default="$WEBSTENCIL_DATA",
    help="Folder with kreuzer-popular.tar.xz and sites/*.tar.xz.",
)
@segmenters_option
@set_options
@preset_option
@cache_option
def gallery_command(**options: Unpack[GalleryOptions]) -> None:
    """Draw the areas of all segmenters side by side.

    It uses real pages, if there are any, and the demo site.
    """
    segmenters = chosen_segmenters(
        options["names"], options["values"], published=options["preset"] == PAPER
    )
    cache = options["cache"] or cache_folder()
    for words in make_gallery(options["out"], options["data"], cache, segmenters):
        screen.say(words)
