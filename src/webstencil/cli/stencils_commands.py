"""`webstencil stencils`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.commands import LazyGroup
from webstencil.cli.options import table_option
from webstencil.cli.screen import holder, place
from webstencil.cli.store_option import store_option
from webstencil.model import Stencil
from webstencil.output.words import plural, sure, when
from webstencil.queries.details import stencil_facts
from webstencil.queries.lists import learner_words
from webstencil.store import StencilHistory, StencilSummary, existing_store
from webstencil.store.postgres import PostgresDatabase

# Tables of stencils: their list, one of them, the drift of their sites.


STENCIL_COLUMNS = ("key", "site", "pages", "areas", "nodes", "state", "learned from", "learner")


AREA_COLUMNS = ("area", "in", "kind", "left, top, width x height", "nodes", "attributes")


def stencil_heading(stencil: Stencil, history: StencilHistory) -> str:
    """Write what a stencil is, and its history."""
    return "\n".join(
        (
            f"{stencil.key}  {stencil.site}",
            f"learned from {stencil.made_from}",
            f"with {stencil.made_by}",
            *history_words(history),
        )
    )


def area_rows(stencil: Stencil) -> Iterator[tuple[str, ...]]:
    """List the areas of a stencil."""
    for number, area in enumerate(stencil.areas):
        attributes = " ".join(f"{name}={value:g}" for name, value in area.attributes)
        kind, nodes = area.kind or "", str(len(area.nodes))
        yield str(number), holder(area.around), kind, place(area.rect), nodes, attributes


def history_words(history: StencilHistory) -> tuple[str, ...]:
    """Say when and why a stencil was learned, and how often it was used."""
    mean = "" if history.confidence is None else f", mean confidence {sure(history.confidence)}"
    return (
        f"learned in the run of {when(history.learned)}",
        f"because: {history.why or 'not recorded'}",
        f"last used in the run of {when(history.used)}",
        f"{history.state}, {history.hits} hits{mean}",
    )


def stencil_rows(stencils: Sequence[StencilSummary]) -> list[tuple[str, ...]]:
    """List stencils."""
    return [
        (
            known.key,
            known.site,
            str(known.pages),
            str(known.areas),
            str(known.nodes),
            known.state,
            known.made_from,
            learner_words(known.made_by),
        )
        for known in stencils
    ]


@click.group("stencils", cls=LazyGroup)
def stencils_group() -> None:
    """Inspect and forget the stencils of paper mode."""


@stencils_group.command("list")
@store_option
@table_option
def stencils_list(store_path: Path | PostgresDatabase, form: str) -> None:
    """List the stencils that paper mode has learned."""
    with existing_store(store_path) as store:
        stencils = store.stencils.all()
    if form == "json":
        screen.say(as_text([asdict(summary) for summary in stencils]))
    elif stencils or form == "csv":
        screen.show_rows(STENCIL_COLUMNS, stencil_rows(stencils), form)
    else:
        screen.say(
            f"No stencils: they belong to `webstencil run --mode paper`; `webstencil sites list "
            f"--store {store_path}` lists what the default mode has learned."
        )


@stencils_group.command("show")
@click.argument("key")
@store_option
@table_option
def stencils_show(key: str, store_path: Path | PostgresDatabase, form: str) -> None:
    """Show a stencil of paper mode and its areas."""
    with existing_store(store_path) as store:
        stencil, history = store.stencils.keyed(key), store.runs.history(key)
    if form == "json":
        screen.say(as_text(stencil_facts(stencil, history)))
    else:
        if form == "table":
            screen.say(stencil_heading(stencil, history))
        screen.show_rows(AREA_COLUMNS, area_rows(stencil), form)


def as_text(value: object) -> str:
    """Write JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False)


@stencils_group.command("forget")
@click.argument("key")
@store_option
def stencils_forget(key: str, store_path: Path | PostgresDatabase) -> None:
    """Forget a stencil; the next run processes the pages that used it again."""
    with existing_store(store_path, read_only=False) as store:
        pages = store.stencils.forget(key)
    screen.say(f"Forgot {key}; the next run processes {plural(pages, 'page')} again.")
