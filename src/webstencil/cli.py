"""The command line: the commands and where they are, their errors in one sentence, the log."""

import logging
import sys
from io import TextIOWrapper

import click

import webstencil
from webstencil.errors import WebstencilError
from webstencil.lazy_commands import Later, ToldGroup

COMMANDS = (
    Later(
        "browser",
        "webstencil.render.commands:browser_group",
        "Get the browser that paints the pages.",
    ),
    Later(
        "crawl",
        "webstencil.crawl.commands:crawl_command",
        "Crawl a site and find the areas of all its pages; run again, it goes on where it was.",
    ),
    Later(
        "demo",
        "webstencil.demo.commands:demo_command",
        "Build a demo site, find the areas of all its pages, and tell what that saved.",
    ),
    Later(
        "doctor",
        "webstencil.render.commands:doctor_command",
        "Tell whether everything is there that webstencil needs, and how to get what is not.",
    ),
    Later("evaluate", "webstencil.evaluate.commands:evaluate", "Measure how good the results are."),
    Later(
        "extract",
        "webstencil.extract.content.commands:extract_command",
        "Extract the main content of one page or of all pages of sources.",
    ),
    Later(
        "frontier",
        "webstencil.crawl.commands:frontier_command",
        "Print one of a crawl's lists: an address a line, then what became of it or its site.",
    ),
    Later(
        "items",
        "webstencil.extract.commands:items_command",
        "Show title, date, author, product, rows, and with areas headlines, bodies, of one page.",
    ),
    Later(
        "navigation",
        "webstencil.navigation.commands:navigation_command",
        "Show the menus of a site as one tree, its sections and its stencils.",
    ),
    Later(
        "run",
        "webstencil.run.commands:run_command",
        "Find the areas of all pages of sources; run again, it goes on where it was.",
    ),
    Later(
        "segment",
        "webstencil.run.segment_commands:segment_command",
        "Render one page and find its visual areas.",
    ),
    Later("stencils", "webstencil.store.commands:stencils_group", "Look at what was learned."),
    Later(
        "templates",
        "webstencil.templates.commands:templates_command",
        "Tell which templates the pages of a source follow; nothing is rendered.",
    ),
    Later(
        "web",
        "webstencil.web.commands:web_command",
        "Show sites, stencils and results of a store in a browser, and try single pages.",
    ),
)


class Trouble(click.ClickException):
    """What a command could not do; 1 is left to those that judge, such as `stencils drift`."""

    exit_code = 2  # as of grep, diff, and of click itself for a wrong option


class Commands(ToldGroup):
    """A group whose commands end with one sentence where they would end with a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # the reader of our output has enough, as in `| head`
            raise
        except (WebstencilError, OSError) as error:
            if ctx.params.get("debug"):
                raise
            raise Trouble(error_words(error)) from error


def error_words(error: WebstencilError | OSError) -> str:
    """Say what failed in one sentence."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
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
def main(debug: bool) -> None:
    """Segment whole web sites: render one page per template, lay its stencil over the rest."""
    show_all_characters()
    logging.basicConfig(
        level=logging.INFO if debug else logging.ERROR,
        format="%(levelname)s %(name)s %(message)s",
        stream=sys.stderr,
    )
