"""Errors of the database as ours, each with the next step; transactions that outlive a restart."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Protocol

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from webstencil.errors import StoreError
from webstencil.store.migrations import MIGRATIONS, Migration

log = logging.getLogger(__name__)

PAUSE = 0.2  # s, between two tries to reach a server that is being restarted


class Database(Protocol):
    """Where a store is, and all that differs between kinds of databases.

    Its text names it in messages, without a password.
    """

    @property
    def instead(self) -> str:
        """What to do if there is something else."""

    def engine(self, wait: float) -> sa.Engine:
        """Make what connects to it.

        A transaction of a connection with the option `write` begins when no other such one is
        under way; all others see the store as it was when they began.
        """

    def prepare(
        self, engine: sa.Engine, wait: float, migrations: Sequence[Migration] = MIGRATIONS
    ) -> None:
        """Bring the tables up to date; touch nothing before it is known to be a store."""

    def to_read(self) -> "Database":
        """Return what is connected to for reading, where it may be that nothing can be written."""

    def is_there(self) -> bool:
        """Tell whether a store was made there."""

    def go_on_numbering(self, db: sa.Connection, tables: Sequence[str]) -> None:
        """Let the next rows of tables have numbers after those that were written with theirs."""

    def next_step(self, error: DBAPIError) -> str:
        """Say what to do about an error."""


@contextmanager
def explained(what: str, place: Database) -> Iterator[None]:
    """Turn the database's errors into ours."""
    try:
        yield
    except DBAPIError as error:
        words = " ".join(str(error.orig).split())
        raise StoreError(f"cannot {what}: {words} ({place}); {place.next_step(error)}") from error
    except SQLAlchemyError as error:
        raise StoreError(f"cannot {what}: {error} ({place}); open the store again") from error


def begun(db: sa.Connection, wait: float) -> sa.RootTransaction:
    """Begin a transaction; if the connection was lost since the last one, on a new connection.

    Nothing is lost with it: all that was written was committed. `wait` says how many seconds to
    wait for a server that is being restarted.
    """
    try:
        return db.begin()
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        log.warning("connection lost: %s", error.orig)
    end = monotonic() + wait
    while True:
        try:
            return db.begin()
        except OperationalError:
            if monotonic() > end:
                raise
            sleep(PAUSE)
