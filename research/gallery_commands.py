"""`webstencil evaluate gallery`."""

from pathlib import Path

import click

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
    help="Folder to write.",
)
@click.option(
    "--data",
    type=PATH,
    envvar="WEBSTENCIL_DATA",
    default=Path("../shared/data"),
    show_default=True,
    help="Folder with kreuzer-popular.tar.xz and sites/*.tar.xz.",
)
@cache_option
def gallery_command(out: Path, data: Path, cache: Path | None) -> None:
    """Draw what all segmenters find, side by side, on real pages and on the demo site."""
    for words in make_gallery(out, data, cache or cache_folder()):
        screen.say(words)
