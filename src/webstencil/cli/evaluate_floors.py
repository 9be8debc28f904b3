"""The options `--floors` and `--new-floors` of evaluations."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from webstencil.cli import screen
from webstencil.cli.options import FILE
from webstencil.evaluate.floors import Measured, fallen, write

Command = TypeVar("Command", bound=Callable[..., Any])


def floors_options(command: Command) -> Command:
    """Add `--floors` and `--new-floors` to a command."""
    floors = click.option(
        "--floors", type=FILE, help="Exit with 1 if a score is below its floor in this file."
    )
    new = click.option("--new-floors", is_flag=True, help="Write the file of --floors instead.")
    return floors(new(command))


def check_floors(file: Path | None, measured: Sequence[Measured], steps: int, *, new: bool) -> None:
    """Exit with 1 if a score is below its floor, or write new floors; do nothing without a file."""
    if file is None:
        return
    if new:
        write(file, measured, steps)
        return
    complaints = fallen(file, measured)
    for words in complaints:
        screen.complain(words)
    if complaints:
        sys.exit(1)
