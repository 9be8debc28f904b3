"""The option `--store`, and arguments that name a store."""

from pathlib import Path

import click

from webstencil.store.postgres import PostgresDatabase
from webstencil.store.sql import place_named


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
