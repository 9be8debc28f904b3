"""The store that is shown: opened once, and again if another file has taken its place."""

from pathlib import Path
from threading import Lock
from typing import TypeAlias

from webstencil.cli.stencils_commands import existing_store
from webstencil.errors import SourceError, StoreError
from webstencil.store import SqlStore
from webstencil.store.postgres import PostgresDatabase

Place: TypeAlias = Path | PostgresDatabase  # of a store


class Shelf:
    """Holds the open store; nothing is written to it."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.name = str(place)  # without a password
        self._lock = Lock()
        self._mark = mark_of(place)
        self._store: SqlStore | None = existing_store(place)

    def store(self) -> SqlStore:
        """Return the store; raise a `StoreError` if it is not there any more."""
        mark = mark_of(self.place)
        with self._lock:
            if self._store is not None and mark == self._mark:
                return self._store
            self.close()
            try:
                self._store = existing_store(self.place)
            except SourceError as error:
                raise StoreError(f"the store is gone: {error}, or put it back") from error
            self._mark = mark_of(self.place)
            return self._store

    def close(self) -> None:
        """Give the store back."""
        if self._store is not None:
            self._store.close()
            self._store = None


def mark_of(place: Place) -> tuple[int, int] | None:
    """Return what tells a file from another one of its name, None if it is no file."""
    if not isinstance(place, Path):
        return None
    try:
        found = place.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
