"""`webstencil stencils`, and how commands are told a store that is there."""

from pathlib import Path

import click

from webstencil import screen
from webstencil.errors import SourceError
from webstencil.lazy_commands import Later, ToldGroup
from webstencil.screen.stencils import stencil_table, stencils_table
from webstencil.store.sql import SqlStore, open_store

DRIFT = Later(
    "drift",
    "webstencil.drift.commands:drift_command",
    "Tell which sites changed since their stencils were learned; exit with 1 if any did.",
)

store_option = click.option(
    "--store",
    "store_path",
    type=click.Path(path_type=Path),
    required=True,
    help="The store's file.",
)


def existing_store(path: Path) -> SqlStore:
    """Open a store that must be there already."""
    if not path.exists():
        raise SourceError(
            f"there is no store {path}; `webstencil run FOLDER --store {path}` makes it"
        )
    return open_store(path)


@click.group("stencils", cls=ToldGroup, commands=[DRIFT])
def stencils_group() -> None:
    """Look at what was learned."""


@stencils_group.command("list")
@store_option
def stencils_list(store_path: Path) -> None:
    """List the stencils of a store."""
    with existing_store(store_path) as store:
        known = store.all_stencils()
    if known:
        screen.show(stencils_table(known))
    else:
        screen.say(f"No stencils yet; `webstencil run SOURCE --store {store_path}` learns them.")


@stencils_group.command("show")
@click.argument("key")
@store_option
def stencils_show(key: str, store_path: Path) -> None:
    """Show a stencil and its areas."""
    with existing_store(store_path) as store:
        screen.show(stencil_table(store.stencil(key), store.history(key)))


@stencils_group.command("forget")
@click.argument("key")
@store_option
def stencils_forget(key: str, store_path: Path) -> None:
    """Forget a stencil; the pages that used it are done again by the next run."""
    with existing_store(store_path) as store:
        pages = store.forget(key)
    screen.say(f"Forgot {key}; the next run does {pages} pages again.")
