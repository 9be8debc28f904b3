"""`webstencil evaluate gallery`."""

from pathlib import Path

import click

from research import DATA
from research.gallery import make_gallery
from webstencil.cli import screen
from webstencil.cli.evaluate_commands import cache_option
from webstencil.cli.shared_options import PATH
from webstencil.evaluate.snapshots import cache_folder


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
@cache_option
def gallery_command(out: Path, data: Path, cache: Path | None) -> None:
    """Draw the areas of all segmenters side by side.

    It uses real pages, if there are any, and the demo site.
    """
    for words in make_gallery(out, data, cache or cache_folder()):
        screen.say(words)
