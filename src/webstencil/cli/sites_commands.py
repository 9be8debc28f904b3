"""`webstencil sites`: what was learned of sites: templates, slots, and what slots say."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.commands import LazyGroup
from webstencil.cli.options import table_option
from webstencil.cli.screen import place, text_limit
from webstencil.cli.stencils_commands import as_text
from webstencil.cli.store_option import store_option
from webstencil.output.words import percent, plural, sure
from webstencil.queries.drift import RunSpan, SiteDrift, compare
from webstencil.queries.lists import learner_words
from webstencil.queries.sites import (
    ListedSite,
    learned_site,
    learners_of,
    listed_sites,
    listing_facts,
)
from webstencil.queries.slots import (
    SAMPLE,
    SiteSlots,
    SlotText,
    slot_examples,
    slot_texts,
    slots_facts,
)
from webstencil.store import existing_store
from webstencil.store.postgres import PostgresDatabase

# Tables of sites: their list, the templates and slots of one, what a slot says.


SITE_COLUMNS = ("site", "pages", "templates", "slots", "rendered", "text covered", "learner")
TEMPLATE_COLUMNS = ("template", "name", "pages", "rendered", "slots", "drawn on")
SLOT_COLUMNS = (
    *("slot", "name", "kind", "is", "left, top, width x height"),
    *("confidence", "pages", "templates"),
)
TEXT_COLUMNS = ("page", "template", "text")


def site_rows(found: Sequence[ListedSite]) -> list[tuple[str, ...]]:
    """List sites; those of paper mode have no slots."""
    return [site_row(one) for one in found]


def site_row(one: ListedSite) -> tuple[str, ...]:
    """Write a site as a row."""
    row, known = one.row, one.outcome
    learner = learner_words(row.made_by) if row.made_by else "surveyed only"
    if known is None:
        rendered = str(row.learned) if row.made_by else "-"
        return (row.key.site, f"{row.pages:,}", "-", "-", rendered, "-", learner)
    counts = (row.pages, known.templates, known.slots, known.rendered)
    covered = percent(known.covered if known.is_rendered else None)
    return (row.key.site, *(f"{number:,}" for number in counts), covered, learner)


def site_heading(known: SiteSlots) -> str:
    """Write what was learned of a site: forecast and fact, version, what changed."""
    one = known.outcome
    lines = [
        f"{one.site}: {plural(one.pages, 'page')}, {plural(one.templates, 'template')}, "
        f"{plural(one.slots, 'slot')}; version {one.version}, grain {one.grain:g}",
        f"learned by {learner_words(known.made_by)}",
        f"planned: {plural(one.planned, 'rendering')} for {percent(one.forecast)} of the text; "
        f"rendered: {one.rendered:,}, covering {percent(one.covered)}",
    ]
    if one.failed:
        failed = plural(len(one.failed), "planned page")
        lines.append(f"{failed} could not be rendered, first {one.failed[0]}: {one.reason}")
    elif one.reason:
        lines.append(f"nothing was rendered: {one.reason}")
    lines += [f"changed in version {one.version}: {change}" for change in one.changes]
    return "\n".join(lines)


def template_rows(known: SiteSlots) -> list[tuple[str, ...]]:
    """List the templates of a site."""
    return [
        (
            str(one.number),
            one.name,
            f"{one.pages:,}",
            f"{one.rendered:,}",
            numbers_words(one.slots),
            one.typical or "no page was rendered",
        )
        for one in known.templates
    ]


def numbers_words(numbers: Sequence[int]) -> str:
    """Write numbers, with ranges for those that follow each other, as in 1-3 7."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return " ".join(str(low) if low == high else f"{low}-{high}" for low, high in ranges)


def slot_rows(known: SiteSlots) -> list[tuple[str, ...]]:
    """List the slots of a site."""
    return [
        (
            str(slot.number),
            slot.name,
            slot.kind or "",
            " ".join(["holds"] * slot.holds + ["repeats"] * slot.repeats),
            place(slot.rect),
            sure(slot.confidence),
            f"{known.pages(slot.number):,}",
            templates_words(known, slot.number),
        )
        for slot in known.slots
    ]


def templates_words(known: SiteSlots, slot: int) -> str:
    """Write the numbers of the templates that have a slot."""
    having = sorted(one.number for one in known.having(slot))
    if len(having) == len(known.templates) > 1:
        return "all"
    return numbers_words(having)


def text_rows(texts: Iterable[SlotText], limit: int | None) -> list[tuple[str, ...]]:
    """List what a slot says, texts up to `limit` characters."""
    return [(one.url, one.template or "", " ".join(one.area.text.split())[:limit]) for one in texts]


DRIFT_COLUMNS = (
    *("site", "runs", "pages", "hit ratio", "confidence"),
    *("learned", "retired", "replaced", "without hits", "learner"),
)


def drift_rows(found: Sequence[SiteDrift]) -> Iterator[tuple[str, ...]]:
    """Write the figures of each site, before and lately."""
    for site in found:
        before = span_cells(site.before) if site.before else ("-",) * 4
        both = zip(before, span_cells(site.lately), strict=True)
        cells = [f"{then} > {lately}" for then, lately in both]
        stencils = (site.learned, site.retired, site.replaced, site.unused)
        yield (site.site, *cells, *map(str, stencils), learner_words(site.made_by))


def span_cells(span: RunSpan) -> tuple[str, str, str, str]:
    """Write runs, pages, hit ratio and confidence."""
    return str(span.runs), str(span.pages), percent(span.hit_ratio), sure(span.confidence)


template_option = click.option(
    "--template", metavar="NAME", help="Only this template, by name or number."
)


@click.group("sites", cls=LazyGroup)
def sites_group() -> None:
    """Inspect and forget what was learned of sites: templates and slots."""


@sites_group.command("list")
@store_option
@table_option
def sites_list(store_path: Path | PostgresDatabase, form: str) -> None:
    """List the sites of a store."""
    with existing_store(store_path) as store:
        sites = listed_sites(store)
    if form == "json":
        screen.say(as_text([listing_facts(one) for one in sites]))
    elif sites or form == "csv":
        screen.show_rows(SITE_COLUMNS, site_rows(sites), form)
    else:
        screen.say(f"No sites yet; `webstencil run SOURCE --store {store_path}` learns some.")


@sites_group.command("show")
@click.argument("name", metavar="SITE")
@store_option
@template_option
@table_option
def sites_show(
    name: str,
    store_path: Path | PostgresDatabase,
    template: str | None,
    form: str,
) -> None:
    """Show the templates and slots of a site; as CSV, its slots."""
    with existing_store(store_path) as store:
        known = learned_site(store, name)
    if template is not None:
        known = known.only(known.template(template))
    if form == "json":
        screen.say(as_text(slots_facts(known)))
    elif form == "csv":
        screen.show_rows(SLOT_COLUMNS, slot_rows(known), form)
    else:
        screen.say(f"{site_heading(known)}\n")
        screen.show_rows(TEMPLATE_COLUMNS, template_rows(known))
        screen.say("")
        screen.show_rows(SLOT_COLUMNS, slot_rows(known))


@sites_group.command("slot")
@click.argument("name", metavar="SITE")
@click.argument("slot", metavar="SLOT")
@store_option
@template_option
@click.option("--page", "part", type=click.IntRange(1), help="Only this part, of 50 pages.")
@table_option
def sites_slot(
    name: str,
    slot: str,
    store_path: Path | PostgresDatabase,
    template: str | None,
    part: int | None,
    form: str,
) -> None:
    """List what a slot says on the pages that have it; SLOT is its name or number."""
    limit = text_limit() if form == "table" else None
    with existing_store(store_path) as store:
        known = learned_site(store, name, SAMPLE)
        chosen = known.template(template) if template is not None else None
        one = known.slot(slot)
        if part is not None:
            examples = slot_examples(store, known, one, chosen, part)
            rows = text_rows(examples.texts, limit)
        else:
            rows = text_rows(slot_texts(store, known, one, chosen), limit)
    screen.show_rows(TEXT_COLUMNS, rows, form)
    if form == "table" and not rows:
        screen.note(f"none of these pages has slot {one.number}, {one.name}")
    if form == "table" and part is not None and examples.part.last > 1:
        total = plural(examples.part.total, "page")
        screen.note(f"part {part} of {examples.part.last}, of {total}; without --page all")


@sites_group.command("forget")
@click.argument("name", metavar="SITE")
@store_option
def sites_forget(name: str, store_path: Path | PostgresDatabase) -> None:
    """Forget what was learned of a site; the next run learns it anew.

    Its rendered pages, slots and results are deleted; what the survey plural stays.
    """
    with existing_store(store_path, read_only=False) as store:
        pages = sum(store.forget_site(made_by, name) for made_by in learners_of(store, name))
    screen.say(
        f"Forgot {name}; the next run learns it and processes {plural(pages, 'page')} again."
    )


DRIFTED = 1  # exit code; 2 is that of errors


@sites_group.command("drift")
@store_option
@click.option(
    "--since",
    type=click.DateTime(),
    help="Compare the runs since this date or time (UTC) with those before (default: the newest).",
)
@table_option
def drift_command(store_path: Path | PostgresDatabase, since: datetime | None, form: str) -> None:
    """List sites that changed since they were learned.

    The exit code is 1 if any did, 0 if none did, and 2 on errors.
    """
    with existing_store(store_path) as store:
        start = since.replace(tzinfo=UTC).isoformat(timespec="seconds") if since else ""
        sites = compare(store.runs.past(), store.stencils.all(), start)
    if form == "json":
        screen.say(as_text([asdict(site) for site in sites]))
    elif form == "csv":
        rows = [(*row, one.words) for row, one in zip(drift_rows(sites), sites, strict=True)]
        screen.show_rows((*DRIFT_COLUMNS, "what changed"), rows, form)
    elif not sites:
        screen.say("No pages were processed yet; there is nothing to compare.")
    else:
        screen.show_rows(DRIFT_COLUMNS, drift_rows(sites))
        for site in sites:
            screen.say(f"{site.site}: {site.words}")
    if any(site.drifted for site in sites):
        sys.exit(DRIFTED)
