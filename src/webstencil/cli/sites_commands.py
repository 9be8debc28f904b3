"""`webstencil sites`: what was learned of sites: templates, slots, and what slots say."""

from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.commands import LazyCommand, LazyGroup
from webstencil.cli.options import json_option, table_option
from webstencil.cli.screen import table_of, text_limit
from webstencil.cli.site_tables import (
    SITE_COLUMNS,
    SLOT_COLUMNS,
    TEMPLATE_COLUMNS,
    TEXT_COLUMNS,
    site_heading,
    site_rows,
    slot_rows,
    template_rows,
    text_rows,
)
from webstencil.cli.stencils_commands import as_text, store_option
from webstencil.output.words import count
from webstencil.queries.learned_sites import (
    learned_site,
    learners_of,
    listed_sites,
    listing_facts,
)
from webstencil.queries.site_slots import SAMPLE, slot_examples, slots_facts
from webstencil.store import existing_store
from webstencil.store.postgres import PostgresDatabase

DRIFT = LazyCommand(
    "drift",
    "webstencil.cli.drift_commands:drift_command",
    "List sites that changed since they were learned.",
)

template_option = click.option(
    "--template", metavar="NAME", help="Only this template, by name or number."
)


@click.group("sites", cls=LazyGroup, commands=[DRIFT])
def sites_group() -> None:
    """Inspect and forget what was learned of sites: templates and slots."""


@sites_group.command("list")
@store_option
@table_option
@json_option("it")
def sites_list(store_path: Path | PostgresDatabase, form: str, as_json: bool) -> None:
    """List the sites of a store."""
    with existing_store(store_path) as store:
        found = listed_sites(store)
    if as_json or form == "json":
        screen.say(as_text([listing_facts(one) for one in found]))
    elif found or form == "csv":
        screen.show_rows(SITE_COLUMNS, site_rows(found), form)
    else:
        screen.say(f"No sites yet; `webstencil run SOURCE --store {store_path}` learns some.")


@sites_group.command("show")
@click.argument("name", metavar="SITE")
@store_option
@template_option
@json_option("it")
def sites_show(
    name: str, store_path: Path | PostgresDatabase, template: str | None, as_json: bool
) -> None:
    """Show the templates and slots of a site.

    Instead of SITE, give the key of a template, as results have it: then only its slots are shown.
    """
    with existing_store(store_path) as store:
        known, of_key = learned_site(store, name)
        chosen = known.template(template) if template is not None else of_key
    if chosen is not None:
        known = known.only(chosen)
    if as_json:
        screen.say(as_text(slots_facts(known)))
        return
    screen.say(site_heading(known))
    screen.say("")
    screen.show(table_of(TEMPLATE_COLUMNS, template_rows(known)))
    screen.say("")
    screen.show(table_of(SLOT_COLUMNS, slot_rows(known)))


@sites_group.command("slot")
@click.argument("name", metavar="SITE")
@click.argument("number", type=int, metavar="SLOT")
@store_option
@template_option
@click.option(
    "--page",
    "part",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Which part of the list.",
)
@table_option
def sites_slot(
    name: str,
    number: int,
    store_path: Path | PostgresDatabase,
    template: str | None,
    part: int,
    form: str,
) -> None:
    """List what a slot says on the pages that have it, 50 pages at a time."""
    with existing_store(store_path) as store:
        known, of_key = learned_site(store, name, SAMPLE)
        chosen = known.template(template) if template is not None else of_key
        found = slot_examples(store, known, known.slot(number), chosen, part)
    limit = text_limit() if form == "table" else None
    screen.show_rows(TEXT_COLUMNS, text_rows(found.texts, limit), form)
    if form == "table" and not found.texts:
        screen.complain(f"none of these {found.without:,} pages has slot {number}")
    if form == "table" and found.part.last > 1:
        total = count(found.part.total, "page")
        screen.complain(f"part {part} of {found.part.last}, of {total}; --page gives another")


@sites_group.command("forget")
@click.argument("name", metavar="SITE")
@store_option
def sites_forget(name: str, store_path: Path | PostgresDatabase) -> None:
    """Forget what was learned of a site; the next run learns it anew.

    Its rendered pages, slots and results are deleted; what the survey counted stays.
    """
    with existing_store(store_path, read_only=False) as store:
        pages = sum(store.forget_site(made_by, name) for made_by in learners_of(store, name))
    screen.say(f"Forgot {name}; the next run learns it and processes {count(pages, 'page')} again.")
