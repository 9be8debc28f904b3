"""Options that `run` and `crawl` share, and what they mean."""

import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

import click

from webstencil.cli import screen
from webstencil.cli.interrupts import INTERRUPTED
from webstencil.cli.stencil_pictures import PicturingRenderer
from webstencil.cli.talk import Talk
from webstencil.errors import SettingsError
from webstencil.output import FORMATS, Output, format_of, open_output
from webstencil.pipeline.extractors import EXTRACTORS
from webstencil.pipeline.redo import redo_if_settings_changed, redo_pages_without
from webstencil.protocols import Renderer
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.store import SqlStore
from webstencil.store.sql import without_password

PASSWORD = re.compile(r"(://[^/@:\s]*):[^/\s]*@")

format_option = click.option(
    "--format",
    "format_name",
    type=click.Choice(sorted(FORMATS)),
    help="Format of the results: JSON lines (compressed if OUT ends in .gz or .zst), Parquet, "
    "Markdown, or HTML to browse.",
)
items_option = click.option(
    "--items",
    type=click.Choice(EXTRACTORS),
    multiple=True,
    help="Also extract these items (repeatable).",
)
audit_option = click.option(
    "--audit",
    type=click.IntRange(0),
    default=Settings().audit,
    show_default=True,
    metavar="N",
    help="Audit one hit in N: render it and compare its areas; paper mode learns it if it was "
    "wrong. 0 audits none.",
)


def program() -> str:
    """Return what the user types to run webstencil."""
    if sys.argv[0].endswith("__main__.py"):
        return f"{sys.executable} -m webstencil"
    return "webstencil" if shutil.which("webstencil") else sys.argv[0]


def end_stopped() -> NoReturn:
    """Say how to resume a job that the user stopped, and exit."""
    command = f"{program()} {shlex.join(map(without_secrets, sys.argv[1:]))}"
    screen.complain(f"Stopped; finished pages are saved. To resume: {command}")
    sys.exit(INTERRUPTED)


def without_secrets(argument: str) -> str:
    """Return an argument of a command without the password of a URL in it."""
    return PASSWORD.sub(r"\1:***@", without_password(argument))


def talk_options(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options that say how a job reports."""
    quiet = click.option("--quiet", is_flag=True, help="Print warnings and errors only.")
    as_json = click.option(
        "--log-json", is_flag=True, help="Print progress and summary as JSON lines on stderr."
    )
    return quiet(as_json(command))


def chosen_talk(quiet: bool, log_json: bool) -> Talk:
    """Return how a job reports."""
    if quiet and log_json:
        raise SettingsError("--quiet and --log-json exclude each other; give one of them")
    return Talk.QUIET if quiet else Talk.JSON if log_json else Talk.DISPLAY


def picturing(renderer: ChromiumRenderer, out: Path | None, form: str | None) -> Renderer:
    """Let a renderer keep pictures for an output that shows them."""
    if out is None or (form or format_of(out)) != "html":
        return renderer
    return PicturingRenderer(renderer, out)


def stored_output(out: Path, form: str | None, store: SqlStore, learner: str) -> Output:
    """Open an output in step with a store."""
    return open_output(
        out,
        form,
        partial(store.results, learner),
        templates=partial(store.templates.one_drawn, learner),
    )


def tell_redone(talk: Talk, store: SqlStore, settings: Settings, items: Sequence[str]) -> None:
    """Let pages be processed again that have other settings or lack items, and say how many."""
    reasons = {
        "were processed with other settings": redo_if_settings_changed(store, settings),
        "lack these items": redo_pages_without(items, store, settings.learner),
    }
    for reason, pages in reasons.items():
        if pages and talk == Talk.DISPLAY:
            screen.complain(f"{pages} pages {reason} and are processed again.")
