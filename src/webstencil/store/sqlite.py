"""SQLite's part of a store: which file, how transactions begin, several processes at once."""

import re
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from webstencil.errors import StoreError
from webstencil.store.faults import kind_of
from webstencil.store.migrations import MIGRATIONS, Migration, migrate, stored_version

WAL_PAUSE = 0.01  # s, between two tries to switch a new file to WAL
SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:/(?!/)")


def address_of(path_or_url: str | Path) -> sa.URL:
    """Return the address of a store's file; refuse what is none."""
    if scheme := SCHEME.match(str(path_or_url)):  # of an address that was made a path
        raise StoreError(f"a store is an SQLite file, nothing at {scheme[0]}: give a file's path")
    if "://" not in str(path_or_url):
        return sa.URL.create("sqlite", database=str(Path(path_or_url).absolute()))
    try:
        url = sa.make_url(str(path_or_url))
    except SQLAlchemyError as error:
        raise StoreError(f"{path_or_url} is no address of a store: give a file's path") from error
    if url.drivername != "sqlite" or url.database in (None, "", ":memory:"):
        raise StoreError(
            f"a store is an SQLite file, not {url.render_as_string()}: give a file's path"
        )
    return url


def engine_of(url: sa.URL, wait: float) -> sa.Engine:
    """Make what connects to a file, with transactions that begin where we say."""
    engine = sa.create_engine(url, connect_args={"timeout": wait})
    sa.event.listen(engine, "connect", _set_up_connection)
    sa.event.listen(engine, "begin", _begin)
    return engine


def _set_up_connection(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions begin in _begin, not where Python guesses
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


def _begin(db: sa.Connection) -> None:
    """Take the write lock at once: a reader that turns writer can fail without waiting."""
    if db.get_execution_options().get("write"):
        db.exec_driver_sql("BEGIN IMMEDIATE")


def prepare(engine: sa.Engine, wait: float, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Bring the tables up to date; touch nothing before the file is known to be a store."""
    with engine.connect() as db:
        if stored_version(db, len(migrations)) == len(migrations):
            return
        _switch_to_wal(db, wait)
    with engine.execution_options(write=True).begin() as db:
        migrate(db, migrations)


def _switch_to_wal(db: sa.Connection, wait: float) -> None:
    """Let readers read while another process writes; the file stays so.

    SQLite does not wait for this lock: of six processes that make a file at once some would fail.
    """
    end = monotonic() + wait
    while True:
        try:
            db.exec_driver_sql("PRAGMA journal_mode = WAL")
        except OperationalError as error:
            if kind_of(error) != "SQLITE_BUSY" or monotonic() > end:
                raise
            sleep(WAL_PAUSE)
        else:
            return
