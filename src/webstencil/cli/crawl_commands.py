"""`webstencil crawl` and `webstencil frontier`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Unpack

import click
from rich.table import Table

from webstencil.cli import screen
from webstencil.cli.endings import interrupts, note_failure
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
from webstencil.cli.options import FILE, scripts_if, table_option
from webstencil.cli.screen import STENCILS, Talk
from webstencil.cli.site_outcomes import SiteTally
from webstencil.cli.store_option import store_option
from webstencil.crawl.addresses import credentials
from webstencil.crawl.frontier_tables import URL_LISTS, frontier_path, listed_urls
from webstencil.crawl.messages import NEXT_SITE, CrawlLimits, CrawlPlan, Manners, Visited
from webstencil.crawl.source import CrawlOutcome, CrawlSource
from webstencil.errors import SettingsError, SourceError
from webstencil.jobs.job import Pipeline
from webstencil.model import Mode, Status
from webstencil.network import USER_AGENT, names_private_machine
from webstencil.protocols import Done, PageEvent
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.sources import Notes
from webstencil.store import open_store
from webstencil.store.postgres import PostgresDatabase

SHOWN = 20  # reasons in the summary
MEGABYTE = 1_000_000

frontier_option = click.option(
    "--frontier",
    type=FILE,
    help="File of the crawl's URLs.  [default: STORE.frontier, or DATABASE.frontier]",
)


class CrawlOptions(JobOptions):
    """Options of `webstencil crawl`."""

    url: str | None
    frontier: Path | None
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


@click.command("crawl")
@click.argument("url", required=False)
@job_options
@frontier_option
@click.option("--warc", type=FILE, help="Also write everything fetched to this file (.warc.gz).")
@click.option(
    "--next-site",
    is_flag=True,
    help="Instead of a URL: crawl the first linked site not yet visited.",
)
@click.option(
    "--sites",
    type=click.IntRange(1),
    default=1,
    help="Sites to visit, one after the other, following links.",
)
@click.option(
    "--pages",
    type=click.IntRange(1),
    default=CrawlLimits().pages,
    show_default=True,
    help="Maximum pages per site.",
)
@click.option(
    "--depth",
    type=click.IntRange(0),
    default=CrawlLimits().depth,
    show_default=True,
    help="Maximum number of links from the start page.",
)
@click.option(
    "--minutes", type=click.FloatRange(0.0), help="Stop after this time; rerun to resume."
)
@click.option(
    "--megabytes",
    type=click.FloatRange(0.001),
    default=CrawlLimits().page_bytes / MEGABYTE,
    show_default=True,
    help="Maximum size of a page, and of a style sheet or image.",
)
@click.option(
    "--delay",
    type=click.FloatRange(0.0),
    default=Manners().delay,
    show_default=True,
    help="Seconds between two pages of a host, more if it responds slowly; 0 for none.",
)
@click.option(
    "--connections",
    type=click.IntRange(1),
    default=Manners().connections,
    show_default=True,
    help="Concurrent connections per host.",
)
@click.option("--user-agent", default=USER_AGENT, show_default=True, help="User-Agent header.")
@click.option("--robots/--no-robots", default=True, help="Obey robots.txt.  [default: robots]")
@click.option("--allow-private", is_flag=True, help="Allow private and local hosts.")
def crawl_command(**asked: Unpack[CrawlOptions]) -> None:
    """Crawl a site and segment its pages. Rerun to resume.

    Rerun a complete crawl to visit the site again: only new and changed pages are processed.
    """
    talk = chosen_talk(asked["log_json"])
    settings, results = job_settings(asked), Results.of(asked)
    plan = make_plan(asked, settings)
    refuse_private_start(plan)
    late = renderer_of_mode(picturing(ChromiumRenderer(), results), settings)
    with late as renderer, open_store(asked["store_path"]) as store:
        # Before the fetching process reads which pages have a result.
        tell_redone(talk, store, settings, asked["items"])
        pipeline = Pipeline(store, renderer, settings, items=asked["items"])
        with scripts_if(plan.scripts) as run_scripts, CrawlSource(plan, run_scripts) as source:
            outcome = CrawlOutcome(visits=source.visits)
            job = CrawlJob(source, pipeline, outcome, talk)
            before = store.lookups.site_versions(settings.learner)
            whole = job.run(partial(results.open, store, settings.learner))
        if whole:
            results.finish(store, settings.learner)
        learned = job.sites.learned(store, settings, before)
    counts = {"new": outcome.new, "changed": outcome.changed, "gone": outcome.gone}
    summarise(
        talk,
        settings.mode,
        pipeline.report(),
        learned,
        job.failures.all(),
        (
            [outcome_table(counts, outcome)],
            {**counts, "visits": [asdict(visit) for visit in outcome.visits]},
        ),
    )
    if not whole:
        end_stopped()
    if not outcome.new + outcome.changed + outcome.unchanged:
        raise SourceError(f"no page was fetched: {why_no_page(outcome.visits)}")


def make_plan(asked: CrawlOptions, settings: Settings) -> CrawlPlan:
    """Make the plan of a crawl from the options."""
    if bool(asked["url"]) == asked["next_site"]:
        raise SettingsError("give either the URL of a site or --next-site")
    if asked["warc"] is not None and asked["warc"].suffix != ".gz":
        raise SettingsError(f"WARC files are compressed; let {asked['warc']} end in .warc.gz")
    start, user, password = credentials(asked["url"] or NEXT_SITE)
    if start and "://" not in start:
        refuse_files(start)
        start = f"https://{start}"
        screen.note(f"taken as {start}")
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
        learner=settings.learner,
    )


def refuse_files(start: str) -> None:
    """Raise if an address is the name of a file or folder."""
    path = Path(start)
    if path.exists():
        kind = "folder" if path.is_dir() else "file"
        raise SourceError(
            f"{start} is a {kind} here; `webstencil run {start}` processes its pages, and "
            f"`webstencil crawl https://{start}` crawls a site of that name"
        )


def refuse_private_start(plan: CrawlPlan) -> None:
    """Raise if the start page is private: later it would only be counted."""
    if plan.start and not plan.manners.allow_private and names_private_machine(plan.start):
        raise SourceError(f"{plan.start} is a private host; add --allow-private to crawl it")


@dataclass(frozen=True, slots=True)
class CrawlJob:
    """A crawl as the user sees it."""

    source: CrawlSource
    pipeline: Pipeline
    outcome: CrawlOutcome
    talk: Talk
    failures: Notes = field(default_factory=Notes)
    sites: SiteTally = field(default_factory=SiteTally)

    def run(self, open_results: Callable[[], AbstractContextManager[WriteResult]]) -> bool:
        """Process what is fetched into a file or folder; return False if the user stopped it."""
        paper = self.pipeline.settings.mode is Mode.PAPER
        progress = screen.Progress(None, self.talk, thing=STENCILS)
        try:
            with progress, interrupts() as check, open_results() as write:
                self.pipeline.watch_rendering = progress.render
                for event in self.pipeline.events(self.source):
                    if not is_settled(event):
                        self.outcome.add(event)
                    if isinstance(event, Done):
                        note_failure(event.result, self.failures)
                        self.sites.add(event.result)
                        if event.result.status is not Status.WAITING:
                            write(event.result)
                    report = self.pipeline.report()
                    total = report.pages + report.unchanged + self.source.queued
                    progress.show(report, total, report.learned if paper else None)
                    check()
        except KeyboardInterrupt:
            return False
        return True


def is_settled(event: PageEvent) -> bool:
    """Return whether a page comes again, with its result after all of its site was known."""
    return isinstance(event, Done) and event.settled


def outcome_table(counts: Mapping[str, int], outcome: CrawlOutcome) -> Table:
    """Show what became of the pages and the sites of a crawl."""
    table = screen.plain_table("", "")
    for what, number in counts.items():
        table.add_row(f"{what} pages", str(number))
    for what, url in outcome.examples:
        table.add_row(f"  {what}", url)
    for visit in outcome.visits:
        for row in visit_rows(visit):
            table.add_row(*row)
    return table


def why_no_page(visits: Sequence[Visited]) -> str:
    """Say what came instead of pages."""
    reasons = [words for visit in visits for words, _ in visit.tally]
    return ", ".join(dict.fromkeys(reasons)) or "no site is left to visit"


def visit_rows(visit: Visited) -> Iterator[tuple[str, str]]:
    """Yield what became of the URLs of a site."""
    yield visit.site, f"visit ended: {visit.why}"
    if not visit.complete:
        yield "  rerun to resume", ""
    if visit.left:
        yield "  URLs left, beyond the limits", str(visit.left)
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
    type=click.Choice(sorted(URL_LISTS)),
    default="visited",
    show_default=True,
    help="URLs to visit, URLs visited, or links to other sites.",
)
@table_option
def frontier_command(
    store_path: Path | PostgresDatabase, frontier: Path | None, which: str, form: str
) -> None:
    """List crawled URLs and their outcome."""
    rows = [
        (url, outcome) for outcome, url in listed_urls(frontier or frontier_path(store_path), which)
    ]
    if form != "table":
        screen.show_rows(("url", "outcome"), rows, form)
        return
    for row in rows:
        screen.say(" ".join(row))
