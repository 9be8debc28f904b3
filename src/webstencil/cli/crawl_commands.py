"""The commands that crawl: `webstencil crawl`, `webstencil frontier`."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypedDict, Unpack

import click

from webstencil.cli import screen
from webstencil.cli.failures import noting
from webstencil.cli.interrupts import INTERRUPTED, interrupts
from webstencil.cli.run_commands import audit_option, format_option, items_option, picturing
from webstencil.cli.script_options import javascript_option, scripts_if
from webstencil.cli.segment_commands import mode_option, with_segmenter
from webstencil.cli.shared_options import FILE, PATH
from webstencil.cli.stencils_commands import store_option
from webstencil.crawl.addresses import credentials
from webstencil.crawl.listing import LISTS, listed
from webstencil.crawl.messages import NEXT, USER_AGENT, CrawlLimits, CrawlPlan, Manners, Visited
from webstencil.crawl.source import CrawlSource
from webstencil.crawl.tables import frontier_path
from webstencil.errors import SettingsError, SourceError
from webstencil.model import PageResult
from webstencil.network import names_private_machine
from webstencil.output import Output, open_output
from webstencil.pipeline.crawl_job import CrawlOutcome, crawl
from webstencil.pipeline.job import Pipeline
from webstencil.pipeline.redo import extractors_for
from webstencil.protocols import StencilStore
from webstencil.render import ChromiumRenderer
from webstencil.segment import make_segmenter
from webstencil.settings import Mode, Settings
from webstencil.store import open_store
from webstencil.store.postgres import PostgresDatabase

SHOWN = 20  # reasons in the summary
MEGABYTE = 1_000_000

frontier_option = click.option(
    "--frontier",
    type=FILE,
    help="The file of the crawl's lists: STORE.frontier, or DATABASE.frontier here.",
)


class CrawlOptions(TypedDict):
    """What a person asks for."""

    url: str | None
    store_path: Path | PostgresDatabase
    frontier: Path | None
    out: Path | None
    warc: Path | None
    next_site: bool
    sites: int
    pages: int
    depth: int
    minutes: float | None
    megabytes: float
    delay: float
    connections: int
    user_agent: str
    robots: bool
    allow_private: bool
    name: str
    values: tuple[str, ...]
    mode: str
    format_name: str | None
    items: tuple[str, ...]
    javascript: bool
    audit: int


@click.command("crawl")
@click.argument("url", required=False)
@store_option
@frontier_option
@click.option("--out", type=PATH, help="Write the results to this file or folder.")
@format_option
@items_option
@click.option("--warc", type=FILE, help="Keep all that is fetched in this file (.warc.gz).")
@click.option("--next-site", is_flag=True, help="Go on with the first site linked to; no URL.")
@click.option("--sites", type=click.IntRange(1), default=1, help="Sites to visit, one by one.")
@click.option(
    "--pages",
    type=click.IntRange(1),
    default=CrawlLimits().pages,
    show_default=True,
    help="Of a site.",
)
@click.option(
    "--depth",
    type=click.IntRange(0),
    default=CrawlLimits().depth,
    show_default=True,
    help="Links from the start page.",
)
@click.option("--minutes", type=click.FloatRange(0.0), help="Stop then; it can be resumed.")
@click.option(
    "--megabytes",
    type=click.FloatRange(0.001),
    default=CrawlLimits().page_bytes / MEGABYTE,
    show_default=True,
    help="Largest page, and largest image or style sheet.",
)
@click.option(
    "--delay",
    type=click.FloatRange(0.0),
    default=Manners().delay,
    show_default=True,
    help="Seconds between two pages of a host; longer if it answers slowly, 0: no waiting.",
)
@click.option(
    "--connections",
    type=click.IntRange(1),
    default=Manners().connections,
    show_default=True,
    help="At once to a host.",
)
@click.option("--user-agent", default=USER_AGENT, show_default=True, help="Who we say we are.")
@click.option("--robots/--no-robots", default=True, help="Obey robots.txt (the default) or not.")
@click.option("--allow-private", is_flag=True, help="Ask machines of your own network, too.")
@with_segmenter
@mode_option
@javascript_option
@audit_option
def crawl_command(**asked: Unpack[CrawlOptions]) -> None:
    """Crawl a site and find the areas of all its pages; run again, it goes on where it was.

    A crawl that was complete is made again: only what is new or changed is processed.
    """
    segmenter = make_segmenter(asked["name"], asked["values"])
    settings = Settings(segmenter, Mode(asked["mode"]), audit=asked["audit"])
    plan = make_plan(asked, settings)
    refuse_private_start(plan)
    outcome = CrawlOutcome()
    painting = picturing(ChromiumRenderer(), asked["out"], asked["format_name"])
    with painting as renderer, open_store(asked["store_path"]) as store:
        # Before the fetching process reads which pages are done.
        extractors, again = extractors_for(asked["items"], store, settings.made_by)
        if again:
            screen.complain(f"{again} pages were done without these items and are done again.")
        pipeline = Pipeline(store, renderer, settings, extractors=extractors)
        open_file = partial(output_of, asked, partial(store.results, settings.made_by))
        with scripts_if(plan.scripts) as run_scripts, CrawlSource(plan, run_scripts) as source:
            whole = process(source, pipeline, store, outcome, open_file)
        for extractor in extractors:
            extractor.save()
    summary(pipeline, outcome)
    if not whole:
        screen.complain("Stopped; what is done is kept. Run the same command to go on.")
        sys.exit(INTERRUPTED)
    if not outcome.new + outcome.changed + outcome.unchanged:
        raise SourceError(f"no page was fetched: {why_no_page(outcome)}")


def make_plan(asked: CrawlOptions, settings: Settings) -> CrawlPlan:
    """Say what a person asks for as a plan."""
    if bool(asked["url"]) == asked["next_site"]:
        raise SettingsError("give the address of a site, or --next-site instead of it")
    if asked["warc"] is not None and asked["warc"].suffix != ".gz":
        raise SettingsError(f"WARC files are compressed; let {asked['warc']} end in .warc.gz")
    start, user, password = credentials(asked["url"] or NEXT)
    if start and "://" not in start:
        start = f"https://{start}"
    largest = round(asked["megabytes"] * MEGABYTE)
    minutes = asked["minutes"]
    return CrawlPlan(
        start=start,
        frontier=asked["frontier"] or frontier_path(asked["store_path"]),
        sites=asked["sites"],
        limits=CrawlLimits(
            pages=asked["pages"],
            depth=asked["depth"],
            seconds=None if minutes is None else minutes * 60,
            page_bytes=largest,
            resource_bytes=largest,
        ),
        manners=Manners(
            user_agent=asked["user_agent"],
            robots=asked["robots"],
            delay=asked["delay"],
            connections=asked["connections"],
            allow_private=asked["allow_private"],
        ),
        warc=asked["warc"],
        login=(user, password),
        scripts=asked["javascript"],
        store=asked["store_path"],
        made_by=settings.made_by,
    )


def refuse_private_start(plan: CrawlPlan) -> None:
    """Explain at once what would only be a counter later."""
    if plan.start and not plan.manners.allow_private and names_private_machine(plan.start):
        raise SourceError(
            f"{plan.start} is a machine of your own network; add --allow-private to crawl it"
        )


def process(
    source: CrawlSource,
    pipeline: Pipeline,
    store: StencilStore,
    outcome: CrawlOutcome,
    open_file: Callable[[], Output | None],
) -> bool:
    """Process what a crawl fetches into a file or folder; return False if a person stopped it."""

    def note(state: CrawlOutcome) -> None:
        report = replace(pipeline.report(), unchanged=state.unchanged)
        progress.show(report, report.pages + state.unchanged + state.queued)

    try:
        with ExitStack() as open_things:
            progress = open_things.enter_context(screen.Progress(None))
            check = open_things.enter_context(interrupts())
            if (output := open_file()) is not None:
                open_things.enter_context(output)
            found = crawl(source, pipeline, store, outcome, note)
            for result in noting(found, outcome.failures):
                if output is not None:
                    output.write(result)
                check()
        if outcome.gone and (again := open_file()) is not None:
            again.close()  # without what is gone
    except KeyboardInterrupt:
        return False
    return True


def output_of(asked: CrawlOptions, known: Callable[[], Iterable[PageResult]]) -> Output | None:
    """Open what a person wants to have the results in."""
    if asked["out"] is None:
        return None
    return open_output(asked["out"], asked["format_name"], known)


def summary(pipeline: Pipeline, outcome: CrawlOutcome) -> None:
    """Tell what a crawl has done."""
    screen.show(screen.report_table(replace(pipeline.report(), unchanged=outcome.unchanged)))
    table = screen.plain_table("", "")
    for words, number in (
        ("new pages", outcome.new),
        ("changed pages", outcome.changed),
        ("pages gone", outcome.gone),
    ):
        table.add_row(words, str(number))
    for what, url in outcome.examples:
        table.add_row(f"  {what}", url)
    for visit in outcome.visits:
        for row in visit_rows(visit):
            table.add_row(*row)
    screen.show(table)
    if failures := outcome.failures.all():
        screen.warn(screen.failures_table(failures))


def why_no_page(outcome: CrawlOutcome) -> str:
    """Say what came instead of pages."""
    reasons = [words for visit in outcome.visits for words, _ in visit.tally]
    return ", ".join(dict.fromkeys(reasons)) or "no site is left to visit"


def visit_rows(visit: Visited) -> Iterator[tuple[str, str]]:
    """Tell what became of the addresses of a site."""
    yield visit.site, f"visit ended: {visit.why}"
    if not visit.complete:
        yield "  run the same command again to go on", ""
    if visit.left:
        yield "  addresses left (beyond the limits)", str(visit.left)
    for words, number in visit.tally[:SHOWN]:
        yield f"  {words}", str(number)
    for words, number in visit.noticed[:SHOWN]:
        yield f"  links not followed: {words}", str(number)


@click.command("frontier")
@store_option
@frontier_option
@click.option(
    "--list",
    "which",
    type=click.Choice(sorted(LISTS)),
    default="visited",
    show_default=True,
    help="Pages to visit, pages visited, or links that lead to other sites.",
)
def frontier_command(
    store_path: Path | PostgresDatabase, frontier: Path | None, which: str
) -> None:
    """Print one of a crawl's lists: an address a line, then what became of it or its site."""
    for row in listed(frontier or frontier_path(store_path), which):
        screen.say(" ".join(reversed(row)))
