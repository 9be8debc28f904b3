"""The command line: its commands, errors in one sentence, the log."""

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
from webstencil.cli.commands import FILE, INTERRUPTED, LazyCommand, LazyGroup, read_options
from webstencil.errors import WebstencilError

COMMANDS = {  # with the first paragraph of their help
    "browser_commands:browser_group": "Install the browser that renders pages.",
    "crawl_commands:crawl_command": "Crawl a site and segment its pages. Rerun to resume.",
    "research.demo.demo_command:demo_command": "Build a demo site and segment its pages.",
    "browser_commands:doctor_command": "Check that everything webstencil needs is installed.",
    "evaluate_commands:evaluate": "Measure the quality of results.",
    "store_commands:export_command": "Write the results of a store to a file, without "
    "reading its sources.",
    "extract_commands:extract_command": "Extract the main content of pages.",
    "crawl_commands:frontier_command": "List crawled URLs and their outcome.",
    "items_commands:items_command": "Show the items found on a page.",
    "navigation_commands:navigation_command": "Show the menus of a site as a tree.",
    "papers_commands:papers_group": "Run a published method on your own pages.",
    "run_commands:run_command": "Segment every page of the sources. Rerun to resume.",
    "segment_commands:segment_command": "Segment one page: render it and find its areas.",
    "sites_commands:sites_group": "Inspect and forget what was learned of sites: templates and "
    "slots.",
    "stencils_commands:stencils_group": "Inspect and forget the stencils of paper mode.",
    "store_commands:store_group": "Copy a store to another file or server.",
    "survey_commands:survey_command": "Find the templates of a source and plan its renderings.",
    "web_commands:web_command": "Show the sites, slots and results of a store in a browser, and "
    "try single pages.",
}


def lazy_commands() -> Iterator[LazyCommand]:
    """Yield all commands, each named by the first word of the function that has it."""
    for target, summary in COMMANDS.items():
        module, _, function = target.partition(":")
        home = module if "." in module else f"webstencil.cli.{module}"
        yield LazyCommand(function.split("_")[0], f"{home}:{function}", summary)


STEPS = {  # what to do about an error of the system
    errno.ENOSPC: "free some space and run the same command again",
    errno.EDQUOT: "free some space and run the same command again",
    errno.EROFS: "choose a writable path",
    errno.EACCES: "change its permissions, or choose another path",
    errno.EMFILE: "allow more open files, for example by `ulimit -n 1024`",
    errno.ENFILE: "end other programs and run the same command again",
    errno.ENOMEM: "add memory or end other programs",
}


class Trouble(click.ClickException):
    """Why a command failed; exit code 1 is for commands that judge, such as `sites drift`."""

    exit_code = 2  # as of grep, diff, and of click itself for a wrong option

    def show(self, file: IO[Any] | None = None) -> None:
        with suppress(OSError):  # the disk behind stderr may be full, too
            super().show(file)


class Stopped(Trouble):
    """The user pressed Ctrl-C; click would end with 1, which means "judged bad" here."""

    exit_code = INTERRUPTED

    def format_message(self) -> str:
        """Return what is shown."""
        return "stopped by Ctrl-C"


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
        try:
            with nullcontext() if ctx.params.get("debug") else one_sentence():
                ctx.default_map = read_options(ctx.params.get("config"))
                return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Stopped("") from error


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
    """Write what failed, and what to do, in one sentence."""
    if isinstance(error, MemoryError):
        return "out of memory; add memory, or leave out the largest pages"
    if isinstance(error, OSError) and error.strerror:
        what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
        step = STEPS.get(error.errno or 0)
        return f"{what}; {step}" if step else what
    return str(error)


def show_all_characters() -> None:
    """Escape characters that the terminal or file cannot encode, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


@click.group(
    cls=Commands,
    commands=list(lazy_commands()),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(webstencil.__version__, prog_name="webstencil")
@click.option("--debug", is_flag=True, help="Show tracebacks and log messages.")
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"File with options of the commands.  [default: {FILE}, if it exists]",
)
def main(debug: bool, config: Path | None) -> None:
    """Find the visual areas of every page of a web site; render only a few pages per template."""
    del config  # it was read before
    show_all_characters()
    logging.basicConfig(
        level=logging.INFO if debug else logging.ERROR,
        format="%(levelname)s %(name)s %(message)s",
        stream=sys.stderr,
    )
