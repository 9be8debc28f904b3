"""The option of commands that can run the scripts of pages, and what it starts."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from webstencil.render.scripts import ScriptRunner

javascript_option = click.option(
    "--javascript",
    is_flag=True,
    help="Run the scripts of every page first, in a browser: for sites that need them.",
)


@contextmanager
def scripts_if(wanted: bool) -> Iterator["ScriptRunner | None"]:
    """Have the scripts of pages run, if a person wants that."""
    if not wanted:
        yield None
        return
    from webstencil.render.scripts import ScriptRunner  # noqa: PLC0415 - it brings a browser

    with ScriptRunner() as run_scripts:
        yield run_scripts
