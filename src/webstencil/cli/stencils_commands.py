"""`webstencil stencils`, and the `--store` option."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.commands import LazyGroup
from webstencil.cli.options import json_option, table_option
from webstencil.cli.stencil_tables import STENCIL_COLUMNS, stencil_rows, stencil_table
from webstencil.errors import StoreError
from webstencil.model import Stencil
from webstencil.output.words import plural
from webstencil.queries.site_slots import is_default
from webstencil.queries.stencil_detail import stencil_facts
from webstencil.store import SqlStore, existing_store
from webstencil.store.location import place_named
from webstencil.store.postgres import PostgresDatabase


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
    screen.say(f"Forgot {key}; the next run processes {plural(pages, 'page')} again.")
