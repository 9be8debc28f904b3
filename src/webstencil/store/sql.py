"""A store in an SQL database, which several processes may use at once.

It is one SQLite file, or for processes on several hosts a schema of a PostgreSQL database. What a
method has written is there when it returns, and survives the end of the process by any means. In a
file it survives a power failure up to the last checkpoint (SQLite's `synchronous=NORMAL`): what is
lost then is done again by the next run.

The parts of a store share one `OpenDatabase`, where all transactions begin. `sqlite.py` and
`postgres.py` hold what differs between the two kinds; all statements are the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeAlias

import sqlalchemy as sa

from webstencil.codec import encode_result
from webstencil.errors import SourceError, StoreError
from webstencil.protocols import Done, Store
from webstencil.store import schema as t
from webstencil.store.database import Database, OpenDatabase, explained
from webstencil.store.learned import BlobTable, TemplateTable, WitnessTable, forget_learned
from webstencil.store.outlines import (
    OutlineTable,
    SpoolTable,
    add_outlines,
    add_waiting,
    outline_rows,
)
from webstencil.store.postgres import ADDRESS, PostgresDatabase
from webstencil.store.results import PageLookups, ResultTable, add_pages, forget_pages
from webstencil.store.sqlite import file_of
from webstencil.store.stencils import StencilTable, add_stencil, forget_stencils
from webstencil.store.usage import RunTable, count_pages, end_older

# Stores as the user names them: a path or a URL.


StorePlace: TypeAlias = str | Path | PostgresDatabase  # what `open_store` takes


def place_named(text: str) -> Path | PostgresDatabase:
    """Return the file or database that the user names; its text has no password."""
    if ADDRESS.match(text):
        return PostgresDatabase.at(text)
    return file_of(text).path if "://" in text else Path(text)


def database_of(named: StorePlace) -> Database:
    """Return the database of a store."""
    if isinstance(named, PostgresDatabase):
        return named
    if isinstance(named, str) and ADDRESS.match(named):
        return PostgresDatabase.at(named)
    return file_of(named)


def without_password(argument: str) -> str:
    """Return an argument of a command without a password."""
    option, equals, value = argument.partition("=")
    if equals and option.startswith("-"):
        return f"{option}={without_password(value)}"
    return str(PostgresDatabase.at(argument)) if ADDRESS.match(argument) else argument


# Copying a store: the rows as they are at one moment, into an empty store, in one transaction.
# Numbers stay as they are, since results are found by the number of their page.

TABLES = (
    t.maker,
    t.stencil,
    t.template,
    t.page,
    t.result,
    t.kept,
    t.run,
    t.use,
    t.outline,
    t.spool,
    t.witness,
)  # what a row needs comes first
NUMBERED = (t.maker, t.stencil, t.page)  # by the database
ROWS_AT_ONCE = 200  # held in memory; about 2 MB of results


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a table."""

    table: sa.TableClause
    values: list[dict[str, Any]]  # by column


class StoreTables:
    """The part of a store that reads and writes rows as they are, for a database of any kind."""

    def __init__(self, database: OpenDatabase) -> None:
        self._database = database

    def size(self) -> int:
        """Return the number of rows."""
        with self._database.reading("count the rows") as db:
            return sum(map(db.scalar, _COUNTS))

    def rows(self) -> Iterator[Rows]:
        """Yield all rows, as they are when the first is read."""
        with self._database.reading("read all rows") as db:
            for table in TABLES:
                statement = sa.select(*table.c).execution_options(yield_per=ROWS_AT_ONCE)
                for part in db.execute(statement).mappings().partitions():
                    yield Rows(table, [dict(row) for row in part])

    def fill(self, rows: Iterable[Rows]) -> Iterator[int]:
        """Write rows of another store into this one, which must be empty; yield how many at a time.

        All are there when the last number was taken, and none before.
        """
        location = self._database.location
        with self._database.writing("copy a store") as db:
            if any(map(db.scalar, _COUNTS)):
                raise StoreError(f"{location} is not empty: name a store that does not exist yet")
            for part in rows:
                db.execute(sa.insert(part.table), part.values)
                yield len(part.values)
            location.go_on_numbering(db, [table.name for table in NUMBERED])


_COUNTS = [sa.select(sa.func.count()).select_from(table) for table in TABLES]


LOCK_WAIT = 30.0  # s; SQLite's lock is not fair: with 8 writers the slowest waited 1.7 s


class SqlStore(Store):
    """A store in a database. Its parts are its tables; here is what changes several at once.

    `runs` count what templates and stencils do, `lookups` and `tables` hold what only people and
    commands ask for, `spool` pages that wait until their site is known.
    """

    def __init__(self, database: OpenDatabase) -> None:
        """Use an open database; `open_store` opens one."""
        self.database = database
        self.blobs = BlobTable(database)
        self.outlines = OutlineTable(database)
        self.templates = TemplateTable(database, self.blobs, self.outlines)
        self.witnesses = WitnessTable(database, self.blobs)
        self.results = ResultTable(database, self.templates)
        self.stencils = StencilTable(database)
        self.runs = RunTable(database)
        self.spool = SpoolTable(database)
        self.lookups = PageLookups(database)
        self.tables = StoreTables(database)

    def save(self, learner: str, pages: Sequence[Done], run: int = 0) -> None:
        maker = self.database.maker(learner)
        bodies = [page.body or encode_result(page.result) for page in pages]
        outlines = outline_rows([page.surveyed for page in pages if page.surveyed])
        with self.database.writing(f"save the result of {pages[0].result.url}") as db:
            known = add_pages(db, maker, pages, bodies)
            add_outlines(db, outlines)
            add_waiting(db, [page.waiting for page in pages if page.waiting])
            for page in pages:
                if page.learned is not None:
                    add_stencil(db, maker, page.learned, page.why)
                    end_older(db, maker, page.learned, run)
            if run:
                count_pages(db, run, pages, known)

    def forget_site(self, learner: str, site: str) -> int:
        """Forget what was learned of a site; return how many pages are to be processed again."""
        maker = self.database.maker(learner)
        with self.database.writing(f"forget {site}") as db:
            forget_learned(db, maker, learner, site)
            forget_stencils(db, maker, site)
            return forget_pages(db, maker, site)

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def open_store(
    path_or_url: StorePlace, *, wait: float = LOCK_WAIT, read_only: bool = False
) -> SqlStore:
    """Open the store in a file, or at `postgresql://user:password@host/database`.

    It is created if there is none, and its tables are brought up to date. `wait` is the time in
    seconds to wait for another process that writes, or for a server that is restarting. With
    `read_only`, the file may be one that cannot be written; any attempt to write then fails.
    """
    location = database_of(path_or_url)
    if read_only:
        location = location.to_read()
    engine = location.engine(wait)
    try:
        with explained("open the store", location):
            location.prepare(engine, wait)
            return SqlStore(OpenDatabase(engine, location, wait))
    except StoreError:
        engine.dispose()
        raise


def existing_store(
    named: Path | PostgresDatabase, source: str = "FOLDER", *, read_only: bool = True
) -> SqlStore:
    """Open a store that must exist; the error names the command that creates it from `source`."""
    if not database_of(named).is_there():
        raise SourceError(
            f"there is no store {named}; `webstencil run {source} --store {named}` creates it"
        )
    return open_store(named, read_only=read_only)
