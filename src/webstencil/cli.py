"""The command line: reads what a person wants, calls the library, prints what came of it."""

import logging
import sys
import tempfile
from pathlib import Path

import click

import webstencil
from webstencil import overlay, screen
from webstencil.crawl.commands import crawl_command, frontier_command
from webstencil.demo.job import run_demo
from webstencil.describe import describe_own
from webstencil.drift.commands import drift_command
from webstencil.errors import WebstencilError
from webstencil.evaluate.commands import evaluate
from webstencil.evaluate.content.commands import content_command, train_command
from webstencil.evaluate.item_commands import (
    headlines_command,
    products_command,
    rows_command,
)
from webstencil.extract.commands import items_command
from webstencil.extract.content.commands import extract_command
from webstencil.kinds import label
from webstencil.model import Snapshot
from webstencil.navigation.commands import navigation_command
from webstencil.output import json_areas
from webstencil.output.files import explained, put
from webstencil.parse import parse
from webstencil.render import ChromiumRenderer, browser, doctor
from webstencil.run.commands import (
    ToldGroup,
    existing_store,
    file_argument,
    program,
    run_command,
    store_option,
    with_segmenter,
)
from webstencil.segment import make_segmenter
from webstencil.sources import Several, open_page
from webstencil.templates.commands import templates_command


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
            raise click.ClickException(error_words(error)) from error


def error_words(error: WebstencilError | OSError) -> str:
    """Say what failed in one sentence."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(webstencil.__version__, prog_name="webstencil")
@click.option("--debug", is_flag=True, help="Show tracebacks and what the stages log.")
def main(debug: bool) -> None:
    """Segment whole web sites: render one page per template, lay its stencil over the rest."""
    screen.show_all_characters()
    logging.basicConfig(
        level=logging.INFO if debug else logging.ERROR,
        format="%(levelname)s %(name)s %(message)s",
        stream=sys.stderr,
    )


main.add_command(evaluate)
main.add_command(run_command)
evaluate.add_command(rows_command)
evaluate.add_command(headlines_command)
evaluate.add_command(products_command)
main.add_command(items_command)
main.add_command(templates_command)
main.add_command(navigation_command)
evaluate.add_command(content_command)
evaluate.add_command(train_command)
main.add_command(extract_command)
main.add_command(crawl_command)
main.add_command(frontier_command)


@main.command("doctor")
def doctor_command() -> None:
    """Tell whether everything is there that webstencil needs, and how to get what is not."""
    checks = doctor.checks()
    screen.show(screen.checks_table(checks))
    if not all(check.ok or check.optional for check in checks):
        sys.exit(1)


@main.group("browser", cls=ToldGroup)
def browser_group() -> None:
    """Get the browser that paints the pages."""


@browser_group.command("install")
def browser_install() -> None:
    """Install Chromium and fonts, unless a browser is found."""
    screen.say(str(browser.install().path))


@main.command("segment")
@click.argument("page", metavar="FILE_OR_URL")
@with_segmenter
@click.option("--json", "json_path", type=file_argument, help="Write the areas as JSON.")
@click.option("--png", "png_path", type=file_argument, help="Draw the areas over the page.")
@click.option("--svg", "svg_path", type=file_argument, help="The same as SVG.")
def segment_command(
    page: str,
    name: str,
    values: tuple[str, ...],
    json_path: Path | None,
    png_path: Path | None,
    svg_path: Path | None,
) -> None:
    """Render one page and find its visual areas."""
    segmenter = make_segmenter(name, values)
    named = open_page(page)
    parsed = parse(next(iter(named.pages())))
    source = Several([named])  # it notes what the page is painted without
    with ChromiumRenderer() as renderer:
        snapshot = renderer.render(parsed, source, screenshot=bool(png_path or svg_path))
        areas = label(parsed, snapshot, segmenter.segment(snapshot))
        described = describe_own(parsed, areas)
        drawing = overlay.overlay(snapshot, areas)
        if png_path:
            write(png_path, picture(renderer, snapshot, drawing))
    if svg_path:
        write(svg_path, drawing.encode())
    if json_path:
        write(json_path, json_areas(described))
    screen.show(screen.areas_table(described))
    if notes := source.notes.all():
        screen.warn(screen.notes_table(notes))


def picture(renderer: ChromiumRenderer, snapshot: Snapshot, drawing: str) -> bytes:
    """Paint a drawing over a snapshot as PNG."""
    return renderer.picture(drawing, round(snapshot.rect.width), round(snapshot.rect.height))


def write(path: Path, data: bytes) -> None:
    """Write a file, its folder too if there is none."""
    with explained(path):
        put(path, data)


@main.group("stencils", cls=ToldGroup)
def stencils_group() -> None:
    """Look at what was learned."""


@stencils_group.command("list")
@store_option
def stencils_list(store_path: Path) -> None:
    """List the stencils of a store."""
    with existing_store(store_path) as store:
        known = store.all_stencils()
    if known:
        screen.show(screen.stencils_table(known))
    else:
        screen.say(f"No stencils yet; `webstencil run SOURCE --store {store_path}` learns them.")


@stencils_group.command("show")
@click.argument("key")
@store_option
def stencils_show(key: str, store_path: Path) -> None:
    """Show a stencil and its areas."""
    with existing_store(store_path) as store:
        screen.show(screen.stencil_table(store.stencil(key), store.history(key)))


@stencils_group.command("forget")
@click.argument("key")
@store_option
def stencils_forget(key: str, store_path: Path) -> None:
    """Forget a stencil; the pages that used it are done again by the next run."""
    with existing_store(store_path) as store:
        pages = store.forget(key)
    screen.say(f"Forgot {key}; the next run does {pages} pages again.")


stencils_group.add_command(drift_command)


@main.command("demo")
@click.option(
    "--folder", type=file_argument, help="Where to build it; a temporary folder if not given."
)
@click.option(
    "--redesign",
    is_flag=True,
    help="Build it as it is after a redesign; with the folder of an earlier demo, in its store.",
)
def demo_command(folder: Path | None, redesign: bool) -> None:
    """Build a demo site, find the areas of all its pages, and tell what that saved."""
    place = folder or Path(tempfile.mkdtemp(prefix="webstencil-demo-"))
    screen.say(f"Building a demo site in {place} and processing it with VIPS.")
    with screen.Progress(None) as progress:
        outcome = run_demo(place, progress.show, redesign=redesign)
    screen.show(screen.outcome_table(outcome))
    for words in screen.next_steps(outcome, program()):
        screen.say(words)
