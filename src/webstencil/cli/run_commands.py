"""`webstencil run`: the pages of folders, files and WARC files, into results."""

import signal
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Unpack

import click

from webstencil.cli import screen
from webstencil.cli.endings import interrupts, noting, refuse_nothing
from webstencil.cli.jobs import (
    audit_option,
    chosen_talk,
    end_stopped,
    format_option,
    items_option,
    picturing,
    renderer_of_mode,
    stored_output,
    talk_options,
    tell_redone,
)
from webstencil.cli.method_options import (
    MethodOptions,
    SiteOptions,
    method_settings,
    with_learning,
    with_method,
    with_site_options,
)
from webstencil.cli.options import PATH, base_url_option, javascript_option, scripts_if
from webstencil.cli.site_outcomes import Growth, LearnedSite, show_learned
from webstencil.cli.stencils_commands import store_option
from webstencil.cli.talk import STENCILS, TEMPLATES, Talk
from webstencil.jobs.ray_workers import RayWorkers
from webstencil.jobs.workers import Workers
from webstencil.model import Mode
from webstencil.output import Output, format_of
from webstencil.output.files import refuse_among_pages
from webstencil.output.plot import check_plot
from webstencil.protocols import Renderer
from webstencil.render import ChromiumRenderer
from webstencil.report import Report
from webstencil.settings import Settings
from webstencil.sources import Note, Notes, Several, WebCache, open_sources
from webstencil.store import SqlStore, open_store
from webstencil.store.postgres import PostgresDatabase

ONLINE = 60.0  # s to load a page whose style sheets and images are fetched, one after the other


class RunOptions(MethodOptions, SiteOptions):
    """Options of `webstencil run`."""

    names: tuple[str, ...]
    store_path: Path | PostgresDatabase
    out: Path | None
    format_name: str | None
    base_url: str | None
    min_pages: int
    audit: int
    upgrade: bool
    keep_gone: bool
    workers: int
    ray: str | None
    plot_path: Path | None
    items: tuple[str, ...]
    javascript: bool
    fetch: Path | None
    quiet: bool
    log_json: bool


@click.command("run")
@click.argument("names", nargs=-1, required=True, metavar="SOURCE...")
@store_option
@click.option("--out", type=PATH, help="Write the results to this file or folder.")
@format_option
@with_method
@with_learning
@items_option
@base_url_option
@click.option(
    "--min-pages-per-template",
    "min_pages",
    type=int,
    default=1,
    show_default=True,
    help="Skip pages of templates with fewer pages than this.",
)
@audit_option
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
@javascript_option
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
@talk_options
def run_command(**wanted: Unpack[RunOptions]) -> None:
    """Segment every page of the sources. Rerun to resume.

    SOURCE is a folder (a mirror by wget or HTTrack, a static site), an HTML file, a WARC file, a
    pattern in quotes, a list of these in a .txt or .paths file, or - for a list from standard
    input.
    """
    talk = chosen_talk(wanted["quiet"], wanted["log_json"])
    if wanted["plot_path"] is not None:
        check_plot(wanted["plot_path"])
    settings = replace(
        with_site_options(method_settings(wanted), wanted),
        min_pages_per_template=wanted["min_pages"],
        audit=wanted["audit"],
        upgrade=wanted["upgrade"],
        keep_gone=wanted["keep_gone"],
    )
    if wanted["out"] and "html" in (wanted["format_name"], format_of(wanted["out"])):
        refuse_among_pages(wanted["out"], wanted["names"])
    growth, failures = Growth(things(settings)), Notes()
    with ExitStack() as open_things:
        source = open_things.enter_context(open_wanted(wanted))
        renderer = renderer_of_mode(renderer_for(wanted), settings)
        open_things.enter_context(renderer)
        store = open_things.enter_context(open_store(wanted["store_path"]))
        tell_redone(talk, store, settings, wanted["items"])
        before = store.lookups.site_versions(settings.learner)
        job = make_job(wanted, settings, renderer)
        open_file = partial(output_of, wanted, store, settings.learner)
        with open_file() as output:
            whole = process(job, source, output, growth, failures, talk)
        if whole and (job.settled or job.report().gone):
            with open_file():  # with what is known of the whole site, and without what is gone
                pass
        learned = growth.sites.learned(store, settings, before)
    summary = JobSummary(settings.mode, job.report(), growth, learned)
    summarise(talk, summary, failures.all(), job.notes.all())
    if talk == Talk.DISPLAY and lacks_content(wanted):
        screen.say("These files hold all areas; add --items content for the main content")
    if wanted["plot_path"]:
        growth.draw(wanted["plot_path"])
    if not whole:
        end_stopped()
    refuse_nothing(job.report(), wanted["names"])


def things(settings: Settings) -> str:
    """Return what pages follow."""
    return STENCILS if settings.mode is Mode.PAPER else TEMPLATES


def output_of(
    wanted: RunOptions, store: SqlStore, learner: str
) -> AbstractContextManager[Output | None]:
    """Open the output, if there is one."""
    if wanted["out"] is None:
        return nullcontext()
    return stored_output(wanted["out"], wanted["format_name"], store, learner)


def lacks_content(wanted: RunOptions) -> bool:
    """Return whether Markdown would hold menus because main content was not asked for."""
    markdown = wanted["out"] is not None and wanted["format_name"] == "md"
    return markdown and "content" not in wanted["items"]


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


def renderer_for(wanted: RunOptions) -> Renderer:
    """Make a renderer: patient if it waits for downloads, with pictures for HTML."""
    online = wanted["fetch"] is not None
    renderer = ChromiumRenderer(page_timeout=ONLINE) if online else ChromiumRenderer()
    return picturing(renderer, wanted["out"], wanted["format_name"])


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
    output: Output | None,
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
                if output is not None:
                    output.write(result)
                growth.add(result)
                left = None if total is None else total - job.repeated
                progress.show(job.report(), left, growth.stencils or None)
                check()
    except KeyboardInterrupt:
        return False
    return True


@dataclass(frozen=True, slots=True)
class JobSummary:
    """What a job did."""

    mode: Mode
    report: Report
    growth: Growth
    sites: tuple[LearnedSite, ...]  # in the default mode


def summarise(
    talk: Talk, summary: JobSummary, failures: Sequence[Note], notes: Sequence[Note]
) -> None:
    """Print what a job did, why pages failed, and warnings of the sources."""
    report, growth = summary.report, summary.growth
    if talk == Talk.JSON:
        paper = summary.mode is Mode.PAPER
        sites = (
            list(map(asdict, growth.rows())) if paper else [one.facts() for one in summary.sites]
        )
        met = {"notes": list(map(asdict, notes)), "failures": list(map(asdict, failures))}
        facts = {**asdict(report), "hit_ratio": report.hit_ratio, "growth": growth.steps()}
        screen.log_json("summary", {**facts, "sites": sites, **met})
        return
    if talk == Talk.DISPLAY:
        screen.show(screen.report_table(report, summary.mode))
        if growth.stencils and summary.mode is Mode.PAPER:
            screen.say(f"stencils after pages: {screen.steps_words(growth.steps())}")
            screen.show(screen.growth_table(growth.rows()))
    show_learned(talk, summary.sites)
    if failures:
        screen.warn(screen.failures_table(failures))
    if notes:
        screen.warn(screen.notes_table(notes))
