"""The command line: the commands and where they are, their errors in one sentence, the log."""

import errno
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any

import click

import webstencil
from webstencil.cli.config_file import FILE, read_options
from webstencil.cli.lazy_commands import LazyCommand, LazyGroup
from webstencil.errors import WebstencilError

COMMANDS = (
    LazyCommand(
        "browser",
        "webstencil.cli.browser_commands:browser_group",
        "Get the browser that paints the pages.",
    ),
    LazyCommand(
        "crawl",
        "webstencil.cli.crawl_commands:crawl_command",
        "Crawl a site and find the areas of all its pages; run again, it goes on where it was.",
    ),
    LazyCommand(
        "demo",
        "research.demo.demo_command:demo_command",
        "Build a demo site, find the areas of all its pages, and tell what that saved.",
    ),
    LazyCommand(
        "doctor",
        "webstencil.cli.browser_commands:doctor_command",
        "Tell whether everything is there that webstencil needs, and how to get what is not.",
    ),
    LazyCommand(
        "evaluate", "webstencil.cli.evaluate_commands:evaluate", "Measure how good the results are."
    ),
    LazyCommand(
        "extract",
        "webstencil.cli.extract_commands:extract_command",
        "Extract the main content of one page or of all pages of sources.",
    ),
    LazyCommand(
        "frontier",
        "webstencil.cli.crawl_commands:frontier_command",
        "Print one of a crawl's lists: an address a line, then what became of it or its site.",
    ),
    LazyCommand(
        "items",
        "webstencil.cli.items_commands:items_command",
        "Show title, date, author, product, rows, menus, with areas headlines, bodies, of a page.",
    ),
    LazyCommand(
        "navigation",
        "webstencil.cli.navigation_commands:navigation_command",
        "Show the menus of a site as one tree, its sections and its stencils.",
    ),
    LazyCommand(
        "run",
        "webstencil.cli.run_commands:run_command",
        "Find the areas of all pages of sources; run again, it goes on where it was.",
    ),
    LazyCommand(
        "segment",
        "webstencil.cli.segment_commands:segment_command",
        "Render one page and find its visual areas.",
    ),
    LazyCommand(
        "stencils", "webstencil.cli.stencils_commands:stencils_group", "Look at what was learned."
    ),
    LazyCommand(
        "store",
        "webstencil.cli.store_commands:store_group",
        "Copy a store, from a file to a PostgreSQL server or the other way.",
    ),
    LazyCommand(
        "templates",
        "webstencil.cli.templates_commands:templates_command",
        "Tell which templates the pages of a source follow; nothing is rendered.",
    ),
    LazyCommand(
        "web",
        "webstencil.cli.web_commands:web_command",
        "Show sites, stencils and results of a store in a browser, and try single pages.",
    ),
)


STEPS = {  # by what a system says when it cannot do something
    errno.ENOSPC: "make room there and run the same command again",
    errno.EDQUOT: "make room there and run the same command again",
    errno.EROFS: "name a place that can be written",
    errno.EACCES: "change its permissions, or name another place",
    errno.EMFILE: "let a process open more files, as by `ulimit -n 1024`",
    errno.ENFILE: "end other programs, and run the same command again",
    errno.ENOMEM: "give it more memory, or end other programs",
}


class Trouble(click.ClickException):
    """Why a command failed; exit code 1 is for commands that judge, such as `stencils drift`."""

    exit_code = 2  # as of grep, diff, and of click itself for a wrong option

    def show(self, file: IO[Any] | None = None) -> None:
        with suppress(OSError):  # the disk behind stderr may be full, too
            super().show(file)


class Commands(LazyGroup):
    """A group whose commands end with one sentence instead of a traceback."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run the command line."""
        try:
            return super().main(*args, **kwargs)
        finally:
            drop_unwritten()

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Parse the options before the command; `--help` and `--version` are printed here."""
        with one_sentence():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        with nullcontext() if ctx.params.get("debug") else one_sentence():
            ctx.default_map = read_options(ctx.params.get("config"))
            return super().invoke(ctx)


@contextmanager
def one_sentence() -> Iterator[None]:
    """Turn expected errors into `Trouble`, but leave a closed pipe (`| head`) to click."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (WebstencilError, OSError, MemoryError) as error:
        raise Trouble(error_words(error)) from error


def drop_unwritten() -> None:
    """Drop output that cannot be written: the error was shown, and Python would show it again."""
    for stream in filter(None, (sys.stdout, sys.stderr)):  # None: closed from the start
        try:
            stream.flush()
        except OSError:
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def error_words(error: WebstencilError | OSError | MemoryError) -> str:
    """Say what failed in one sentence, and what to do about it."""
    if isinstance(error, MemoryError):
        return "there is not enough memory; give it more, or leave the largest pages out"
    if isinstance(error, OSError) and error.strerror:
        what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
        step = STEPS.get(error.errno or 0)
        return f"{what}; {step}" if step else what
    return str(error)


def show_all_characters() -> None:
    """Write what the terminal or file cannot take as escapes: it ends no job."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@click.group(
    cls=Commands, commands=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(webstencil.__version__, prog_name="webstencil")
@click.option("--debug", is_flag=True, help="Show tracebacks and what the stages log.")
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"A file with options of the commands; {FILE} of the current folder if it is there.",
)
def main(debug: bool, config: Path | None) -> None:
    """Segment whole web sites: render one page per template, lay its stencil over the rest."""
    del config  # was read before the command was called
    show_all_characters()
    logging.basicConfig(
        level=logging.INFO if debug else logging.ERROR,
        format="%(levelname)s %(name)s %(message)s",
        stream=sys.stderr,
    )
