"""A store's rows, taken out at one moment and put into an empty store in one step.

Numbers stay as they are: results are found by the number of their page, and news of a site by that
of its newest stencil. Who is just learning from which site (`claim`) is not copied.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from webstencil.errors import StoreError
from webstencil.store import tables as t
from webstencil.store.faults import Database

TABLES = (
    t.maker,
    t.stencil,
    t.page,
    t.result,
    t.kept,
    t.run,
    t.use,
)  # what a row needs comes first
NUMBERED = (t.maker, t.stencil, t.page)  # by the database
ROWS_AT_ONCE = 200  # held in memory; about 2 MB of results


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a table."""

    table: sa.TableClause
    values: list[dict[str, Any]]  # by column


class CopiesRows(ABC):
    """The part of a store that is copied as it is, into a database of any kind."""

    _place: Database

    def size(self) -> int:
        """Return the number of rows."""
        with self._reading("count the rows") as db:
            return sum(map(db.scalar, _COUNTS))

    def rows(self) -> Iterator[Rows]:
        """Yield all that is kept, as it is when the first is asked for."""
        with self._reading("read all rows") as db:
            for table in TABLES:
                statement = sa.select(*table.c).execution_options(yield_per=ROWS_AT_ONCE)
                for part in db.execute(statement).mappings().partitions():
                    yield Rows(table, [dict(row) for row in part])

    def fill(self, rows: Iterable[Rows]) -> Iterator[int]:
        """Put rows of another store into this one, which must be empty; yield how many at a time.

        All are there when the last number was taken, and none before.
        """
        with self._writing("copy a store") as db:
            if any(map(db.scalar, _COUNTS)):
                raise StoreError(f"{self._place} is not empty: name a store that is not there yet")
            for part in rows:
                db.execute(sa.insert(part.table), part.values)
                yield len(part.values)
            self._place.go_on_numbering(db, [table.name for table in NUMBERED])

    @abstractmethod
    def _reading(self, what: str) -> AbstractContextManager[sa.Connection]: ...

    @abstractmethod
    def _writing(self, what: str) -> AbstractContextManager[sa.Connection]: ...


_COUNTS = [sa.select(sa.func.count()).select_from(table) for table in TABLES]
