"""`webstencil run`: the pages of folders, files and WARC files, into results."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Unpack

import click
from rich.table import Table

from webstencil.cli import screen
from webstencil.cli.endings import interrupts, noting, refuse_nothing
from webstencil.cli.jobs import (
    JobOptions,
    Results,
    WriteResult,
    chosen_talk,
    end_stopped,
    job_options,
    job_settings,
    picturing,
    renderer_of_mode,
    summarise,
    tell_redone,
)
from webstencil.cli.options import PATH, base_url_option, scripts_if
from webstencil.cli.screen import STENCILS, TEMPLATES, Talk
from webstencil.cli.site_outcomes import Growth
from webstencil.cli.wanted_pages import WantedPages, template_option, type_option
from webstencil.jobs.ray_workers import RayWorkers
from webstencil.jobs.workers import Workers
from webstencil.model import Mode
from webstencil.output.files import refuse_among_pages
from webstencil.output.plot import check_plot
from webstencil.protocols import Renderer
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.sources import Note, Notes, Several, WebCache, open_sources
from webstencil.store import open_store

ONLINE = 60.0  # s to load a page whose style sheets and images are fetched, one after the other


class RunOptions(JobOptions):
    """Options of `webstencil run`."""

    names: tuple[str, ...]
    base_url: str | None
    template: str | None
    page_type: str | None
    min_pages: int
    upgrade: bool
    keep_gone: bool
    workers: int
    ray: str | None
    plot_path: Path | None
    fetch: Path | None


@click.command("run")
@click.argument("names", nargs=-1, required=True, metavar="SOURCE...")
@job_options
@template_option
@type_option
@base_url_option
@click.option(
    "--min-pages-per-template",
    "min_pages",
    type=int,
    default=1,
    show_default=True,
    help="Skip pages of templates with fewer pages than this.",
)
@click.option(
    "--upgrade",
    is_flag=True,
    help="Paper mode: reprocess pages that were processed before later stencils were learned.",
)
@click.option(
    "--keep-gone",
    is_flag=True,
    help="Keep the results of pages that are no longer in their folder.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of worker processes, each with its own browser.",
)
@click.option(
    "--ray",
    is_flag=False,
    flag_value="local",
    metavar="[ADDRESS]",
    help="Run on the Ray cluster at this address, or on a local one.",
)
@click.option(
    "--fetch",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Download missing style sheets and images, and cache them here.",
)
@click.option(
    "--plot",
    "plot_path",
    type=PATH,
    help="Plot the number of templates (paper mode: stencils) against pages, as PNG or SVG.",
)
def run_command(**wanted: Unpack[RunOptions]) -> None:
    """Segment every page of the sources. Rerun to resume.

    SOURCE is a folder (a mirror by wget or HTTrack, a static site), an HTML file, a WARC file, a
    pattern in quotes, a list of these in a .txt or .paths file, or - for a list from standard
    input.
    """
    talk = chosen_talk(wanted["log_json"])
    if wanted["plot_path"] is not None:
        check_plot(wanted["plot_path"])
    settings = replace(
        job_settings(wanted),
        min_pages_per_template=wanted["min_pages"],
        upgrade=wanted["upgrade"],
        keep_gone=wanted["keep_gone"],
    )
    results = Results.of(wanted, WantedPages(wanted["template"], wanted["page_type"]))
    if results.form == "html":
        refuse_among_pages(wanted["out"], wanted["names"])
    growth, failures, learner = Growth(things(settings)), Notes(), settings.learner
    with ExitStack() as open_things:
        source = open_things.enter_context(open_wanted(wanted))
        renderer = renderer_of_mode(picturing(renderer_for(wanted), results), settings)
        open_things.enter_context(renderer)
        store = open_things.enter_context(open_store(wanted["store_path"]))
        tell_redone(talk, store, settings, wanted["items"])
        before = store.lookups.site_versions(learner)
        job = make_job(wanted, settings, renderer)
        with results.open(store, learner) as write:
            whole = process(job, source, write, growth, failures, talk)
        if whole and (job.settled or job.report().gone or results.come_last):
            results.finish(store, learner)
        learned = growth.sites.learned(store, settings, before)
        notes = job.notes.all()
        summarise(talk, settings.mode, job.report(), learned, failures.all(), told(growth, notes))
        if notes and talk != Talk.JSON:
            screen.warn(screen.notes_table(notes))
        if talk == Talk.DISPLAY and results.form == "md" and "content" not in wanted["items"]:
            screen.note("These files hold all areas; add --items content for the main content")
        if wanted["plot_path"]:
            growth.draw(wanted["plot_path"])
        if not whole:
            end_stopped()
        refuse_nothing(job.report(), wanted["names"])
        results.refuse_none(store, learner)


def told(growth: Growth, notes: Sequence[Note]) -> tuple[list[Table | str], dict[str, object]]:
    """Return what the summary of a run has beside that of any job: as tables, and as facts."""
    facts: dict[str, object] = {"growth": growth.steps(), "notes": list(map(asdict, notes))}
    if growth.thing != STENCILS:
        return [], facts
    facts["sites"] = list(map(asdict, growth.rows()))
    if not growth.stencils:
        return [], facts
    words = f"stencils after pages: {screen.steps_words(growth.steps())}"
    return [words, screen.growth_table(growth.rows())], facts


def things(settings: Settings) -> str:
    """Return what pages follow."""
    return STENCILS if settings.mode is Mode.PAPER else TEMPLATES


@contextmanager
def open_wanted(wanted: RunOptions) -> Iterator[Several]:
    """Open the sources, with scripts run and missing resources downloaded if asked for."""
    fetch = wanted["fetch"]
    with scripts_if(wanted["javascript"]) as run_scripts:
        yield open_sources(
            wanted["names"],
            base_url=wanted["base_url"],
            through=run_scripts,
            beyond=None if fetch is None else WebCache(fetch).fetch,
        )


def renderer_for(wanted: RunOptions) -> ChromiumRenderer:
    """Make a renderer: patient if it waits for downloads."""
    online = wanted["fetch"] is not None
    return ChromiumRenderer(page_timeout=ONLINE) if online else ChromiumRenderer()


def make_job(wanted: RunOptions, settings: Settings, renderer: Renderer) -> Workers | RayWorkers:
    """Make the workers that the user asks for.

    One process is a worker, too: a page that crashes it is named, and the job continues.
    """
    store, number = wanted["store_path"], wanted["workers"]
    job: Workers | RayWorkers
    if wanted["ray"] is None:
        job = Workers(store, settings, number=number, renderer=renderer, items=wanted["items"])
    else:
        job = RayWorkers(
            store,
            settings,
            address=wanted["ray"],
            processors=number if number > 1 else None,
            renderer=renderer,
            items=wanted["items"],
        )
    job.bare = wanted["out"] is None
    return job


def process(
    job: Workers | RayWorkers,
    source: Several,
    write: WriteResult,
    growth: Growth,
    failures: Notes,
    talk: Talk,
) -> bool:
    """Run a job over a source; return False if the user stopped it."""
    try:
        total = source.count()
        shown = screen.Progress(total, talk, thing=things(job.settings))
        with shown as progress, interrupts(signal.SIGTERM) as check:
            job.watch, job.watch_rendering = progress.survey, progress.render
            for result in noting(job.run(source), failures):
                write(result)
                growth.add(result)
                left = None if total is None else total - job.repeated
                progress.show(job.report(), left, growth.stencils or None)
                check()
    except KeyboardInterrupt:
        return False
    return True
