"""Options that several commands have; those of stores and segmenters stand with these."""

from collections.abc import Callable
from pathlib import Path

import click

PATH = click.Path(path_type=Path)
FILE = click.Path(path_type=Path, dir_okay=False)

base_url_option = click.option(
    "--base-url", help="The address of a folder's top, if its name does not tell it."
)
pages_root_option = click.option(
    "--pages-root",
    type=PATH,
    help="Folder with the site folders that sites.json names; else they are sought beside it.",
)


def json_option(what: str) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Let a command tell programs what it tells people."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what} as JSON.")
