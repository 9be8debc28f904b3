"""Copy the rows of a store, as they are at one moment, into an empty store, in one transaction.

Numbers stay as they are: results are found by the number of their page, and news of a site by that
of its newest stencil. Claims are not copied.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from webstencil.errors import StoreError
from webstencil.store import schema as t
from webstencil.store.database import OpenDatabase

TABLES = (
    t.maker,
    t.stencil,
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
