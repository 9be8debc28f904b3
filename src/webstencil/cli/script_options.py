"""The option `--javascript`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from webstencil.render.scripts import ScriptRunner

javascript_option = click.option(
    "--javascript",
    is_flag=True,
    help="Run the scripts of each page in a browser first, for sites that need them.",
)


@contextmanager
def scripts_if(wanted: bool) -> Iterator["ScriptRunner | None"]:
    """Start what runs the scripts of pages, if wanted."""
    if not wanted:
        yield None
        return
    from webstencil.render.scripts import ScriptRunner  # noqa: PLC0415 - it loads a browser

    with ScriptRunner() as run_scripts:
        yield run_scripts
