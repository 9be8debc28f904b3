"""What `run` and `crawl` share: their options, where their results go, how they report and end."""

import re
import shlex
import shutil
import sys
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import NoReturn, Self, TypeAlias

import click
from rich.table import Table

from webstencil.cli import screen
from webstencil.cli.commands import INTERRUPTED, PIPED, is_quiet
from webstencil.cli.method_options import (
    MethodOptions,
    SiteOptions,
    method_settings,
    with_learning,
    with_method,
    with_site_options,
)
from webstencil.cli.options import PATH, is_stdout, javascript_option
from webstencil.cli.screen import Talk
from webstencil.cli.site_outcomes import LearnedSite, show_learned
from webstencil.cli.store_option import store_option
from webstencil.cli.wanted_pages import ALL_PAGES, WantedPages, refuse_unwanted
from webstencil.codec import put
from webstencil.errors import BrowserMissing, RenderError, SettingsError
from webstencil.jobs.job import redo_if_settings_changed, redo_pages_without
from webstencil.model import Mode, Page, PageResult, Snapshot
from webstencil.output import OUTPUTS, Output, format_of, json_line, open_output
from webstencil.output.files import writing_explained
from webstencil.output.overlay import SHRUNK, picture_file, png_size
from webstencil.protocols import Renderer, Resources
from webstencil.render import ChromiumRenderer
from webstencil.report import Report
from webstencil.settings import Settings
from webstencil.sources import Note
from webstencil.stages import EXTRACTORS
from webstencil.store import SqlStore
from webstencil.store.postgres import PostgresDatabase
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

# The options of `run` and `crawl`.

audit_option = click.option(
    "--audit",
    type=click.IntRange(0),
    default=Settings().audit,
    show_default=True,
    metavar="N",
    help="Audit one hit in N: render it and compare its areas; paper mode learns it if it was "
    "wrong. 0 audits none.",
)


class JobOptions(MethodOptions, SiteOptions):
    """Options that `run` and `crawl` share."""

    store_path: Path | PostgresDatabase
    out: Path | None
    format_name: str | None
    items: tuple[str, ...]
    javascript: bool
    audit: int
    log_json: bool


def job_options(command: click.decorators.FC) -> click.decorators.FC:
    """Add the options that `run` and `crawl` share."""
    out = click.option(
        "--out",
        type=PATH,
        help="Write the results to this file or folder, whose end tells the format: .jsonl (also "
        ".jsonl.gz and .jsonl.zst) for a file, .parquet, .md and .html for a folder, none for a "
        "folder with results.jsonl; - is standard output.",
    )
    form = click.option(
        "--format",
        "format_name",
        type=click.Choice(sorted(OUTPUTS)),
        show_default=True,
        help="Format of the results: JSON lines, Parquet, Markdown, or HTML to browse. If not "
        "given, that of OUT, else jsonl.",
    )
    items = click.option(
        "--items",
        type=click.Choice(EXTRACTORS),
        multiple=True,
        help="Also extract these items (repeatable).",
    )
    log_json = click.option(
        "--log-json", is_flag=True, help="Print progress and summary as JSON lines on stderr."
    )
    for option in (
        log_json,
        audit_option,
        javascript_option,
        with_learning,
        with_method,
        items,
        form,
    ):
        command = option(command)
    return store_option(out(command))


def job_settings(options: JobOptions) -> Settings:
    """Return the settings of a job."""
    return replace(with_site_options(method_settings(options), options), audit=options["audit"])


def chosen_talk(log_json: bool) -> Talk:
    """Return how a job reports."""
    if is_quiet() and log_json:
        raise SettingsError("--quiet and --log-json exclude each other; give one of them")
    return Talk.QUIET if is_quiet() else Talk.JSON if log_json else Talk.DISPLAY


# What a job writes.


WriteResult: TypeAlias = Callable[[PageResult], None]


@dataclass(frozen=True, slots=True)
class Results:
    """Where the results of a job go: to a file or folder, to standard output, or nowhere."""

    out: Path | None  # None for nowhere
    form: str
    wanted: WantedPages = ALL_PAGES

    @classmethod
    def of(cls, options: JobOptions, wanted: WantedPages = ALL_PAGES) -> "Results":
        """Read the options; raise if they contradict each other."""
        out, form = options["out"], options["format_name"]
        if not is_stdout(out):
            return cls(out, format_of(out, form) if out else form or "", wanted)
        if form not in (None, "jsonl"):
            raise SettingsError(f"--format {form} makes a folder; only jsonl goes to a pipe")
        click.get_current_context().meta[PIPED] = True
        return cls(out, "jsonl", wanted)

    @property
    def come_last(self) -> bool:
        """Return whether results are to be written when the job is done, whatever it did."""
        return is_stdout(self.out) or not self.wanted.are_all

    @contextmanager
    def open(self, store: SqlStore, learner: str) -> Iterator[WriteResult]:
        """Open the file or folder; yield what writes a result. A pipe gets all in the end."""
        if self.out is None or is_stdout(self.out):
            yield ignore
            return
        takes = None if self.wanted.are_all else self._chooser(store)
        with stored_output(self.out, self.form, store, learner, takes) as output:

            def write(result: PageResult) -> None:
                if takes is None or takes(result):
                    output.write(result)

            yield write

    def finish(self, store: SqlStore, learner: str) -> None:
        """Write once more, without what is gone and with what is known of the whole sites."""
        if not is_stdout(self.out):
            with self.open(store, learner):
                return
        lines = sys.stdout.buffer
        for result in filter(self._chooser(store), store.results(learner)):
            lines.write(json_line(result))
        lines.flush()

    def refuse_none(self, store: SqlStore, learner: str) -> None:
        """Raise if no page was wanted, and say which there are."""
        if not self.wanted.are_all:
            results = list(store.results(learner))
            if not any(map(self._chooser(store), results)):
                refuse_unwanted(self.wanted, {(one.template, one.type) for one in results})

    def _chooser(self, store: SqlStore) -> Callable[[PageResult], bool]:
        templates = cache(store.templates.of)

        def takes(result: PageResult) -> bool:
            name_of = templates(result.site).name_of
            return self.wanted.take(result.template, result.type, name_of)

        return takes


def ignore(_result: PageResult) -> None:
    """Write nothing."""


def stored_output(
    out: Path,
    form: str | None,
    store: SqlStore,
    learner: str,
    takes: Callable[[PageResult], bool] | None = None,
) -> Output:
    """Open an output in step with a store, of all pages or those that it takes."""
    return open_output(
        out,
        form,
        lambda: filter(takes, store.results(learner)) if takes else store.results(learner),
        templates=partial(store.templates.one_drawn, learner),
    )


def picturing(renderer: ChromiumRenderer, results: Results) -> Renderer:
    """Let a renderer keep pictures for an output that shows them."""
    if results.out is None or results.form != "html":
        return renderer
    return PicturingRenderer(renderer, results.out)


def tell_redone(talk: Talk, store: SqlStore, settings: Settings, items: Sequence[str]) -> None:
    """Let pages be processed again that have other settings or lack items, and say how many."""
    reasons = {
        "were processed with other settings": redo_if_settings_changed(store, settings),
        "lack these items": redo_pages_without(items, store, settings.learner),
    }
    for reason, pages in reasons.items():
        if pages and talk == Talk.DISPLAY:
            screen.note(f"{pages} pages {reason} and are processed again.")


# The end of a job.


def summarise(
    talk: Talk,
    mode: Mode,
    report: Report,
    sites: Sequence[LearnedSite],
    failures: Sequence[Note],
    more: tuple[Iterable[Table | str], Mapping[str, object]],
) -> None:
    """Print what a job did and learned, and why pages failed; with `more` tables, or JSON facts."""
    tables, facts = more
    if talk == Talk.JSON:
        known = {**asdict(report), "hit_ratio": report.hit_ratio}
        known["sites"] = [one.facts() for one in sites]
        screen.log_json("summary", {**known, **facts, "failures": list(map(asdict, failures))})
        return
    if talk == Talk.DISPLAY:
        screen.show(screen.report_table(report, mode))
        for table in tables:
            screen.show(table)
    show_learned(talk, sites)
    if failures:
        screen.warn(screen.failures_table(failures))


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
