"""Stores in SQLite: the file, how transactions begin, several processes at once."""

import os
import re
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from webstencil.errors import StoreError
from webstencil.store.schema import MIGRATIONS, Migration, migrate, stored_version

WAL_PAUSE = 0.01  # s, between two attempts to switch a new file to WAL
SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:/(?!/)")
KINDS = "a store is an SQLite file or a PostgreSQL database"
WAYS = "give a file's path or postgresql://user:password@host/database"
STEPS = {
    "SQLITE_BUSY": "another process is writing to it: wait for it, or end it, and run again",
    "SQLITE_CORRUPT": "the file is damaged: restore a backup, or start a new store",
    "SQLITE_FULL": "the disk is full: free some space and run again, what is saved stays saved",
    "SQLITE_IOERR": "the disk is full, over its quota, or faulty: free some space and run again, "
    "what is saved stays saved",
    "SQLITE_READONLY": "the file or its folder is read-only: make both writable, or copy the "
    "store elsewhere",
}


@dataclass(frozen=True, slots=True)
class SqliteFile:
    """A file that is a store, or becomes one."""

    path: Path  # absolute
    fixed: bool = False  # it is read-only

    def __str__(self) -> str:
        return str(self.path)

    @property
    def instead(self) -> str:
        """What to do if the file is not a store."""
        return "give the path of a store, or of a file that does not exist yet"

    def engine(self, wait: float) -> sa.Engine:
        """Make an engine whose transactions begin where we say."""
        url = sa.URL.create("sqlite", database=str(self.path))
        if self.fixed:
            look = partial(connect_to_read, self.path)
            engine = sa.create_engine(url, creator=look, poolclass=NullPool)
        else:
            engine = sa.create_engine(url, connect_args={"timeout": wait})
        sa.event.listen(engine, "connect", _set_up_connection)
        sa.event.listen(engine, "begin", _begin)
        return engine

    def prepare(
        self, engine: sa.Engine, wait: float, migrations: Sequence[Migration] = MIGRATIONS
    ) -> None:
        """Bring the tables up to date; touch nothing before the file is known to be a store."""
        with engine.connect() as db:
            if stored_version(db, len(migrations), self) == len(migrations):
                return
            _switch_to_wal(db, wait)
        with engine.execution_options(write=True).begin() as db:
            migrate(db, migrations, self)

    def to_read(self) -> "SqliteFile":
        """Return the file to open for reading, without rights to write if they are missing."""
        return replace(self, fixed=not is_writable(self.path))

    def is_there(self) -> bool:
        """Return whether the file exists."""
        return self.path.exists()

    def go_on_numbering(self, db: sa.Connection, tables: Sequence[str]) -> None:
        """Do nothing: SQLite continues from the largest number."""

    def next_step(self, error: DBAPIError) -> str:
        """Say what to do about an error."""
        kind = kind_of(error)
        if kind == "SQLITE_CANTOPEN":
            return _why_not_opened(self.path)
        if kind == "SQLITE_NOTADB":
            return f"it is not a webstencil store: {self.instead}"
        return STEPS.get(kind, STEPS["SQLITE_CORRUPT"])  # SQLite does not notice all damage


def file_of(path_or_url: str | Path) -> SqliteFile:
    """Return the file with a path or an sqlite:// URL; refuse other URLs."""
    text = str(path_or_url)
    if scheme := SCHEME.match(text):  # of a URL that was made a path
        raise StoreError(f"{KINDS}, not {scheme[0]}: {WAYS}, as text")
    if "://" not in text:
        return SqliteFile(Path(path_or_url).absolute())
    kind = text.partition("://")[0]
    try:
        url = sa.make_url(text)
    except (SQLAlchemyError, ValueError):  # not shown: it may contain a password
        raise StoreError(f"this {kind}:// URL is not that of a store: {WAYS}") from None
    if url.drivername != "sqlite" or url.database in (None, "", ":memory:"):
        raise StoreError(f"{KINDS}, not {kind}://: {WAYS}")
    return SqliteFile(Path(url.database).absolute())


def is_writable(path: Path) -> bool:
    """Return whether a file can be written, and the files that SQLite puts beside it."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a database for reading, even where SQLite cannot write its lock files beside it.

    It needs none while nobody writes: a process that does, or was killed meanwhile, left a log.
    """
    logged = path.with_name(f"{path.name}-wal").exists()
    way = "mode=ro" if logged or is_writable(path) else "immutable=1"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{way}", uri=True, check_same_thread=False)


def kind_of(error: DBAPIError) -> str:
    """Return SQLite's name for the kind of an error, such as SQLITE_IOERR, without details."""
    return "_".join(getattr(error.orig, "sqlite_errorname", "").split("_")[:2])


def _why_not_opened(path: Path) -> str:
    with suppress(PermissionError):
        if path.is_dir():
            return "it is a folder: give the path of a file in it"
        if not path.parent.is_dir():
            return f"there is no folder {path.parent}: create it first"
        if os.statvfs(path.parent).f_flag & os.ST_RDONLY:
            return "its disk is read-only: copy the store to a writable one"
    return "this user may not use the file or its folder: change the permissions"


def _set_up_connection(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # transactions begin in _begin, not where Python guesses
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


def _begin(db: sa.Connection) -> None:
    """Take the write lock at once: a reader that turns writer can fail without waiting.

    Readers see one moment, that of their first statement.
    """
    writes = db.get_execution_options().get("write")
    db.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _switch_to_wal(db: sa.Connection, wait: float) -> None:
    """Let readers read while another process writes; the file keeps this mode.

    SQLite does not wait for this lock: of six processes that create a file at once some would fail.
    """
    db.exec_driver_sql("END")  # within a transaction the file cannot be switched
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
