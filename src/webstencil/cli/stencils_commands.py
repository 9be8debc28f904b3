"""`webstencil stencils`, and the `--store` option."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.table import Table

from webstencil.cli import screen
from webstencil.cli.lazy_commands import LazyGroup
from webstencil.cli.shared_options import json_option, table_option
from webstencil.cli.tables import holder, place, plain_table
from webstencil.errors import StoreError
from webstencil.model import Stencil
from webstencil.queries.details import stencil_facts
from webstencil.queries.drift import RunSpan, SiteDrift
from webstencil.queries.figures import count, percent, sure, when
from webstencil.queries.lists import learner_words
from webstencil.queries.slots import is_default
from webstencil.store import SqlStore, StencilHistory, StencilSummary, existing_store
from webstencil.store.postgres import PostgresDatabase
from webstencil.store.sql import place_named

# Tables of stencils: their list, one of them, the drift of their sites.


STENCIL_COLUMNS = ("key", "site", "pages", "areas", "nodes", "state", "learned from", "learner")


def stencil_table(stencil: Stencil, history: StencilHistory) -> Table:
    """Show a stencil, its history and its areas."""
    title = (
        f"{stencil.key}  {stencil.site}",
        f"learned from {stencil.made_from}",
        f"with {stencil.made_by}",
        *history_words(history),
    )
    table = plain_table(
        *("area", "in", "kind", "left, top, width x height", "nodes", "attributes"),
        title="\n".join(title),
    )
    for number, area in enumerate(stencil.areas):
        said = " ".join(f"{name}={value:g}" for name, value in area.attributes)
        nodes = str(len(area.nodes))
        table.add_row(
            str(number), holder(area.around), area.kind or "", place(area.rect), nodes, said
        )
    return table


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


def drift_table(found: Sequence[SiteDrift]) -> Table:
    """Show the figures of each site, before and lately."""
    table = plain_table(
        *("site", "runs", "pages", "hit ratio", "confidence"),
        *("learned", "retired", "replaced", "without hits", "learner"),
    )
    for site in found:
        before = span_cells(site.before) if site.before else ("-",) * 4
        both = zip(before, span_cells(site.lately), strict=True)
        cells = [f"{then} > {lately}" for then, lately in both]
        stencils = (site.learned, site.retired, site.replaced, site.unused)
        table.add_row(site.site, *cells, *map(str, stencils), learner_words(site.made_by))
    return table


def span_cells(span: RunSpan) -> tuple[str, str, str, str]:
    """Write runs, pages, hit ratio and confidence."""
    return str(span.runs), str(span.pages), percent(span.hit_ratio), sure(span.confidence)


class StoreOption(click.ParamType[Path | PostgresDatabase]):
    """The path of a store's file, or the URL of a store on a server."""

    name = "file or URL"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | PostgresDatabase:
        """Return the file or the server."""
        del param, ctx
        return value if isinstance(value, Path | PostgresDatabase) else place_named(str(value))


STORE = StoreOption()
store_option = click.option(
    "--store",
    "store_path",
    type=STORE,
    required=True,
    help="Store file, or postgresql://USER:PASSWORD@HOST/DATABASE.",
)


@click.group("stencils", cls=LazyGroup)
def stencils_group() -> None:
    """Inspect and forget the stencils of paper mode."""


@stencils_group.command("list")
@store_option
@table_option
@json_option("it")
def stencils_list(store_path: Path | PostgresDatabase, form: str, as_json: bool) -> None:
    """List the stencils that paper mode has learned."""
    with existing_store(store_path) as store:
        known = [one for one in store.all_stencils() if not is_default(one.made_by)]
    if as_json or form == "json":
        screen.say(as_text([asdict(summary) for summary in known]))
    elif known or form == "csv":
        screen.show_rows(STENCIL_COLUMNS, stencil_rows(known), form)
    else:
        screen.say(
            f"No stencils: they belong to `webstencil run --mode paper`; `webstencil sites list "
            f"--store {store_path}` lists what the default mode has learned."
        )


@stencils_group.command("show")
@click.argument("key")
@store_option
@json_option("it")
def stencils_show(key: str, store_path: Path | PostgresDatabase, as_json: bool) -> None:
    """Show a stencil of paper mode and its areas."""
    with existing_store(store_path) as store:
        stencil, history = paper_stencil(store, key), store.usage.history(key)
    if as_json:
        screen.say(as_text(stencil_facts(stencil, history)))
    else:
        screen.show(stencil_table(stencil, history))


def paper_stencil(store: SqlStore, key: str) -> Stencil:
    """Return a stencil of paper mode; raise a `StoreError` for the key of a template."""
    found = store.stencil(key)
    if is_default(found.made_by):
        raise StoreError(
            f"{key} is a template of {found.site}; `webstencil sites show {key}` shows its slots, "
            f"`webstencil sites forget {found.site}` lets the next run learn the site anew"
        )
    return found


def as_text(value: object) -> str:
    """Write JSON."""
    return json.dumps(value, indent=2, ensure_ascii=False)


@stencils_group.command("forget")
@click.argument("key")
@store_option
def stencils_forget(key: str, store_path: Path | PostgresDatabase) -> None:
    """Forget a stencil; the next run processes the pages that used it again."""
    with existing_store(store_path, read_only=False) as store:
        paper_stencil(store, key)
        pages = store.forget(key)
    screen.say(f"Forgot {key}; the next run processes {count(pages, 'page')} again.")
