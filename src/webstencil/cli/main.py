"""The command line: the commands and where they are, their errors in one sentence, the log."""

import errno
import logging
import sys
from io import TextIOWrapper
from pathlib import Path

import click

import webstencil
from webstencil.cli.config_file import FILE, read_options
from webstencil.cli.lazy_commands import Later, ToldGroup
from webstencil.errors import WebstencilError

COMMANDS = (
    Later(
        "browser",
        "webstencil.cli.browser_commands:browser_group",
        "Get the browser that paints the pages.",
    ),
    Later(
        "crawl",
        "webstencil.cli.crawl_commands:crawl_command",
        "Crawl a site and find the areas of all its pages; run again, it goes on where it was.",
    ),
    Later(
        "demo",
        "research.demo.demo_command:demo_command",
        "Build a demo site, find the areas of all its pages, and tell what that saved.",
    ),
    Later(
        "doctor",
        "webstencil.cli.browser_commands:doctor_command",
        "Tell whether everything is there that webstencil needs, and how to get what is not.",
    ),
    Later(
        "evaluate", "webstencil.cli.evaluate_commands:evaluate", "Measure how good the results are."
    ),
    Later(
        "extract",
        "webstencil.cli.extract_commands:extract_command",
        "Extract the main content of one page or of all pages of sources.",
    ),
    Later(
        "frontier",
        "webstencil.cli.crawl_commands:frontier_command",
        "Print one of a crawl's lists: an address a line, then what became of it or its site.",
    ),
    Later(
        "items",
        "webstencil.cli.items_commands:items_command",
        "Show title, date, author, product, rows, menus, with areas headlines, bodies, of a page.",
    ),
    Later(
        "navigation",
        "webstencil.cli.navigation_commands:navigation_command",
        "Show the menus of a site as one tree, its sections and its stencils.",
    ),
    Later(
        "run",
        "webstencil.cli.run_commands:run_command",
        "Find the areas of all pages of sources; run again, it goes on where it was.",
    ),
    Later(
        "segment",
        "webstencil.cli.segment_commands:segment_command",
        "Render one page and find its visual areas.",
    ),
    Later(
        "stencils",
        "webstencil.cli.stencils_commands:stencils_group",
        "Inspect and forget stencils.",
    ),
    Later(
        "store",
        "webstencil.cli.store_commands:store_group",
        "Copy a store to another file or server.",
    ),
    Later(
        "templates",
        "webstencil.cli.templates_commands:templates_command",
        "Tell which templates the pages of a source follow; nothing is rendered.",
    ),
    Later(
        "web",
        "webstencil.cli.web_commands:web_command",
        "Show the sites, stencils and results of a store in a browser, and try single pages.",
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
    """What a command could not do; 1 is left to those that judge, such as `stencils drift`."""

    exit_code = 2  # as of grep, diff, and of click itself for a wrong option


class Commands(ToldGroup):
    """A group whose commands end with one sentence where they would end with a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            ctx.default_map = read_options(ctx.params.get("config"))
            return super().invoke(ctx)
        except BrokenPipeError:  # the reader of our output has enough, as in `| head`
            raise
        except (WebstencilError, OSError, MemoryError) as error:
            if ctx.params.get("debug"):
                raise
            raise Trouble(error_words(error)) from error


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
