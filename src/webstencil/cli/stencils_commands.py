"""`webstencil stencils`, and how commands are told a store that is there."""

import json
from dataclasses import asdict
from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.lazy_commands import LazyCommand, LazyGroup
from webstencil.cli.shared_options import json_option
from webstencil.cli.stencil_tables import stencil_table, stencils_table
from webstencil.errors import SourceError
from webstencil.model import Stencil
from webstencil.store.named import database_of, place_named
from webstencil.store.postgres import PostgresDatabase
from webstencil.store.sql import SqlStore, open_store
from webstencil.store.usage import StencilHistory

DRIFT = LazyCommand(
    "drift",
    "webstencil.cli.drift_commands:drift_command",
    "List sites that changed since their stencils were learned.",
)


class StoreOption(click.ParamType[Path | PostgresDatabase]):
    """The path of a store's file, or the address of a store on a server."""

    name = "file or address"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path | PostgresDatabase:
        """Say what a person means."""
        del param, ctx
        return value if isinstance(value, Path | PostgresDatabase) else place_named(str(value))


STORE = StoreOption()
store_option = click.option(
    "--store",
    "store_path",
    type=STORE,
    required=True,
    help="The store's file, or postgresql://USER:PASSWORD@HOST/DATABASE.",
)


def existing_store(
    place: Path | PostgresDatabase, source: str = "FOLDER", *, read_only: bool = True
) -> SqlStore:
    """Open a store that must be there already; one that is not could be made of the source."""
    if not database_of(place).is_there():
        raise SourceError(
            f"there is no store {place}; `webstencil run {source} --store {place}` makes it"
        )
    return open_store(place, read_only=read_only)


@click.group("stencils", cls=LazyGroup, commands=[DRIFT])
def stencils_group() -> None:
    """Inspect and forget stencils."""


@stencils_group.command("list")
@store_option
@json_option("it")
def stencils_list(store_path: Path | PostgresDatabase, as_json: bool) -> None:
    """List the stencils of a store."""
    with existing_store(store_path) as store:
        known = store.all_stencils()
    if as_json:
        screen.say(as_text([asdict(summary) for summary in known]))
    elif known:
        screen.show(stencils_table(known))
    else:
        screen.say(f"No stencils yet; `webstencil run SOURCE --store {store_path}` learns them.")


@stencils_group.command("show")
@click.argument("key")
@store_option
@json_option("it")
def stencils_show(key: str, store_path: Path | PostgresDatabase, as_json: bool) -> None:
    """Show a stencil and its areas."""
    with existing_store(store_path) as store:
        stencil, history = store.stencil(key), store.history(key)
    if as_json:
        screen.say(as_text(facts(stencil, history)))
    else:
        screen.show(stencil_table(stencil, history))


def facts(stencil: Stencil, history: StencilHistory) -> dict[str, object]:
    """Tell of a stencil what its table does, in the words of `stencils list` and of results."""
    areas = [
        {
            "id": number,
            "parent": area.around,
            "kind": area.kind,
            "rect": asdict(area.rect),
            "nodes": len(area.nodes),
            "attributes": area.attributes,
        }
        for number, area in enumerate(stencil.areas)
    ]
    made = {"made_by": stencil.made_by, "made_from": stencil.made_from}
    return {"key": stencil.key, "site": stencil.site, **made, **asdict(history), "areas": areas}


def as_text(value: object) -> str:
    """Write JSON for programs and people."""
    return json.dumps(value, indent=2, ensure_ascii=False)


@stencils_group.command("forget")
@click.argument("key")
@store_option
def stencils_forget(key: str, store_path: Path | PostgresDatabase) -> None:
    """Forget a stencil; the pages that used it are done again by the next run."""
    with existing_store(store_path, read_only=False) as store:
        pages = store.forget(key)
    screen.say(f"Forgot {key}; the next run does {pages} pages again.")
