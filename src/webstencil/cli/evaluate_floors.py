"""The options that hold scores of `webstencil evaluate ...`, and what they do."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from webstencil.cli import screen
from webstencil.cli.shared_options import FILE
from webstencil.evaluate.floors import Measured, fallen, write

Command = TypeVar("Command", bound=Callable[..., Any])


def floors_options(command: Command) -> Command:
    """Add `--floors` and `--new-floors` to a command."""
    held = click.option(
        "--floors",
        type=FILE,
        help="Fail if a score is below that of this file.",
    )
    return held(
        click.option("--new-floors", is_flag=True, help="Write that file instead.")(command)
    )


def hold(file: Path | None, measured: Sequence[Measured], steps: int, *, new: bool) -> None:
    """Fail if a score is below its floor, or write new floors; without a file do nothing."""
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
