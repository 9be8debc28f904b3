"""`webstencil survey`: the templates of a source, and the plan of its renderings."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict, Unpack

import click

from webstencil.cli import screen
from webstencil.cli.endings import reason, refuse_nothing
from webstencil.cli.options import (
    FileNamed,
    base_url_option,
    javascript_option,
    scripts_if,
    table_option,
)
from webstencil.cli.screen import Talk, survey_words, text_limit
from webstencil.cli.store_option import STORE
from webstencil.codec import put
from webstencil.errors import ParseError
from webstencil.jobs.survey import decide_templates, survey
from webstencil.model import Problem, RawPage
from webstencil.output.html import survey_page
from webstencil.queries.surveys import survey_of
from webstencil.report import Report
from webstencil.site.survey_report import SiteSurvey
from webstencil.site.templates import described_template, template_type
from webstencil.sources import Notes, Noting, open_sources
from webstencil.store import SqlStore, open_store
from webstencil.store.postgres import PostgresDatabase
from webstencil.urls import site_of

SHOWN = 12  # planned pages in a table; JSON has all
TEMPLATES = ("template", "pages", "type", "typical page", "what tells it apart")
CSV = ("site", "number", "template", "pages", "typical page", "type")
PLAN = ("render", "page", "gain", "text covered")
MISFITS = ("fits nowhere", "pages", "example")


class SurveyOptions(TypedDict):
    """Options of `webstencil survey`."""

    sources: tuple[str, ...]
    store_path: Path | PostgresDatabase | None
    budget: int | None
    html: Path | None
    base_url: str | None
    javascript: bool
    form: str


@click.command("survey")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--store",
    "store_path",
    type=STORE,
    help="Keep what the pages tell of their sites here.  [default: nowhere]",
)
@click.option("--budget", type=click.IntRange(0), help="Most pages to render.  [default: any]")
@click.option(
    "--html", type=FileNamed(".html", ".htm"), help="Also write the survey as a page to look at."
)
@base_url_option
@javascript_option
@table_option
def survey_command(**options: Unpack[SurveyOptions]) -> None:
    """Find the templates of a source and plan its renderings.

    SOURCE is a source of `webstencil run`: a folder, an HTML or WARC file, a pattern, a list. It is
    read once, and nothing is rendered.
    """
    with ExitStack() as things:
        store = things.enter_context(store_of(options["store_path"]))
        sites, report = read_sources(options, store)
        refuse_nothing(report, options["sources"])
        found = [survey_of(store, site, budget=options["budget"]) for site in sites]
        if options["html"] is not None:
            put(options["html"], survey_page(store, found).encode("utf-8", "replace"))
        members = {one.site: store.outlines.templates(one.site) for one in found}
    if options["form"] == "json":
        facts = [as_facts(one, members[one.site]) for one in found]
        screen.say(json.dumps(facts, indent=1, ensure_ascii=False))
    elif options["form"] == "csv":
        rows = [row for one in found for row in csv_rows(one)]
        screen.show_rows(CSV, rows, "csv")
    else:
        for one in found:
            show(one)


@contextmanager
def store_of(place: Path | PostgresDatabase | None) -> Iterator[SqlStore]:
    """Open a store, by default one that is deleted afterwards."""
    with ExitStack() as things:
        if place is None:
            folder = things.enter_context(TemporaryDirectory(prefix="webstencil-"))
            place = Path(folder) / "survey.db"
        yield things.enter_context(open_store(place))


def read_sources(options: SurveyOptions, store: SqlStore) -> tuple[list[str], Report]:
    """Survey the sources; return the sites that they have pages of, and how many pages there are.

    Files that are no pages are told, and so are warnings of the sources.
    """
    sites: set[str] = set()
    failures = Notes()
    ticker = screen.Ticker(Talk.QUIET if options["form"] == "json" else Talk.DISPLAY)
    read = 0
    with scripts_if(options["javascript"]) as run_scripts:
        source = open_sources(options["sources"], base_url=options["base_url"], through=run_scripts)
        total = source.count()

        def refused(raw: RawPage, error: ParseError) -> None:
            problem = Problem("parse", type(error).__name__, str(error))
            failures.add(reason(problem, raw.url), problem.message)

        found = noting_sites(source.pages(), sites)
        for read in survey(found, store.outlines, refused=refused):
            ticker.tell(survey_words(read, total))
    decide_templates(store)
    if failed := failures.all():
        screen.warn(screen.failures_table(failed))
    if isinstance(source, Noting) and (notes := source.notes.all()):
        screen.warn(screen.notes_table(notes))
    known = {count.site for count in store.outlines.sites()}
    report = Report(pages=read, failed=sum(one.count for one in failed))
    return sorted(sites & known), report


def noting_sites(pages: Iterable[RawPage], sites: set[str]) -> Iterator[RawPage]:
    """Yield pages; their sites are added to `sites`."""
    for raw in pages:
        sites.add(site_of(raw.url))
        yield raw


def show(found: SiteSurvey) -> None:
    """Print the survey of a site as tables."""
    limit = text_limit()
    screen.show_table(
        heading(found),
        TEMPLATES,
        [
            (
                one.template.name,
                str(one.pages),
                template_type(one.template)[0] or "",
                one.template.typical,
                one.template.tells[:limit],
            )
            for one in found.templates
        ],
    )
    screen.show_table(
        plan_words(found),
        PLAN,
        [
            (str(number), page.url, f"{page.gain:.1%}", f"{page.covered:.2%}")
            for number, page in enumerate(found.plan.pages[:SHOWN], start=1)
        ],
    )
    if len(found.plan.pages) > SHOWN:
        screen.say(f"and {len(found.plan.pages) - SHOWN} more (--json lists all)")
    if found.misfits:
        rows = [(one.reason.value, str(one.pages), one.examples[0]) for one in found.misfits]
        screen.show_table("", MISFITS, rows)


def heading(found: SiteSurvey) -> str:
    """Write what a site is in one line."""
    sample = "" if found.sampled == found.pages else f" ({found.sampled:,} in the model)"
    return (
        f"{found.site}: {found.pages:,} pages{sample}, {len(found.templates)} templates, "
        f"{found.places:,} places, {found.names:,} names"
    )


def plan_words(found: SiteSurvey) -> str:
    """Write what a plan costs and covers, and how sure that is."""
    plan = found.plan
    return (
        f"plan: {len(plan.pages)} renderings, about {max(found.minutes, 0.1):.1f} minutes, cover "
        f"{plan.covered:.2%} of the text; of a page not seen yet about {1 - plan.unseen:.1%} "
        f"stands at known places; {len(plan.doubtful)} pages stay in doubt"
    )


def as_facts(found: SiteSurvey, numbers: Mapping[str, int]) -> dict[str, object]:
    """Return a survey as JSON has it; `numbers` are the templates of all pages."""
    facts = asdict(found)
    urls: dict[int, list[str]] = {}
    for url in sorted(numbers):
        urls.setdefault(numbers[url], []).append(url)
    facts["templates"] = [
        {
            **described_template(one.template),
            "pages": one.pages,
            "urls": urls.get(one.template.number, []),
        }
        for one in found.templates
    ]
    facts["plan"] = {
        "renderings": len(found.plan.pages),
        "minutes": round(found.minutes, 2),
        "covered": found.plan.covered,
        **asdict(found.plan),
    }
    return facts


def csv_rows(found: SiteSurvey) -> Iterator[tuple[str, ...]]:
    """Yield the templates of a site as rows."""
    for one in found.templates:
        known = one.template
        kind = template_type(known)[0] or ""
        yield found.site, str(known.number), known.name, str(one.pages), known.typical, kind
