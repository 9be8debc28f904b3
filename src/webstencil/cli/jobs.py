"""Options that `run` and `crawl` share, and what they mean."""

import re
import shlex
import shutil
import sys
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NoReturn, Self

import click

from webstencil.cli import screen
from webstencil.cli.commands import INTERRUPTED
from webstencil.cli.talk import Talk
from webstencil.codec import put
from webstencil.errors import BrowserMissing, RenderError, SettingsError
from webstencil.jobs.job import redo_if_settings_changed, redo_pages_without
from webstencil.model import Mode, Page, Snapshot
from webstencil.output import OUTPUTS, Output, format_of, open_output
from webstencil.output.files import writing_explained
from webstencil.output.overlay import SHRUNK, picture_file, png_size
from webstencil.protocols import Renderer, Resources
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.stages import EXTRACTORS
from webstencil.store import SqlStore
from webstencil.store.sql import without_password

# A renderer that misses its browser only when a page is to be rendered.
#
# In the default mode a job goes on without a browser: areas then follow the markup alone, and the
# summary says so.


@dataclass(frozen=True, slots=True)
class LateRenderer:
    """Renders pages; without a browser it can be opened all the same."""

    renderer: Renderer

    def __enter__(self) -> Self:
        with suppress(BrowserMissing):  # the first page to render says so
            self.renderer.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self.renderer.__exit__(*exc)

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Render a page."""
        return self.renderer.render(page, resources, screenshot=screenshot)


def renderer_of_mode(renderer: Renderer, settings: Settings) -> Renderer:
    """Return a renderer that misses its browser at once in paper mode, which needs one."""
    return renderer if settings.mode is Mode.PAPER else LateRenderer(renderer)


# A renderer that keeps a small picture of each page, for the HTML output.


@dataclass(frozen=True, slots=True)
class PicturingRenderer:
    """Renders pages and keeps their pictures, if they can be made."""

    renderer: ChromiumRenderer
    folder: Path  # of the HTML output

    def __enter__(self) -> Self:
        self.renderer.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self.renderer.close()

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Render a page and keep its picture."""
        try:
            snapshot = self.renderer.render(page, resources, screenshot=True)
            picture = shrunk(self.renderer, snapshot.screenshot or b"")
        except BrowserMissing:
            raise
        except RenderError:
            return self.renderer.render(page, resources, screenshot=screenshot)
        path = picture_file(self.folder, page.url)
        with writing_explained(path):
            put(path, picture)
        return snapshot if screenshot else replace(snapshot, screenshot=None)


def shrunk(renderer: ChromiumRenderer, picture: bytes) -> bytes:
    """Scale a picture down."""
    width, height = (max(1, side // SHRUNK) for side in png_size(picture))
    data = b64encode(picture).decode("ascii")
    image = f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{image}</svg>'
    return renderer.picture(svg, width, height)


PASSWORD = re.compile(r"(://[^/@:\s]*):[^/\s]*@")

format_option = click.option(
    "--format",
    "format_name",
    type=click.Choice(sorted(OUTPUTS)),
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
