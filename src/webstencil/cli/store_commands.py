"""`webstencil store`."""

from pathlib import Path

import click

from webstencil.cli import screen
from webstencil.cli.lazy_commands import LazyGroup
from webstencil.cli.stencils_commands import STORE, existing_store
from webstencil.store.postgres import PostgresDatabase
from webstencil.store.sql import open_store


@click.group("store", cls=LazyGroup)
def store_group() -> None:
    """Copy a store to another file or server."""


@store_group.command("copy")
@click.argument("source", metavar="FROM", type=STORE)
@click.argument("target", metavar="TO", type=STORE)
def copy_command(source: Path | PostgresDatabase, target: Path | PostgresDatabase) -> None:
    """Copy all that a store keeps into an empty one, of the same kind or the other.

    FROM and TO are files or postgresql://USER:PASSWORD@HOST/DATABASE. Jobs may go on with FROM
    meanwhile: TO is as FROM was when the copy began. If it is stopped, TO stays empty.
    """
    ticker = screen.Ticker()
    with existing_store(source) as old, open_store(target) as new:
        total, done = old.size(), 0
        for rows in new.fill(old.rows()):
            done += rows
            ticker.tell(f"{done:,} of {total:,} rows copied")
        screen.say(f"Copied {done:,} rows; {target} has what {source} has.")
