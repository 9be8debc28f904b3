"""The store that is shown: opened once, and again if another file has replaced it."""

from pathlib import Path
from threading import Lock
from typing import TypeAlias

from webstencil.errors import SourceError, StoreError
from webstencil.store import SqlStore, existing_store
from webstencil.store.postgres import PostgresDatabase

Place: TypeAlias = Path | PostgresDatabase  # of a store


class ShownStore:
    """Holds an open store; nothing is written to it."""

    def __init__(self, location: Place) -> None:
        self.location = location
        self.name = str(location)  # without a password
        self._lock = Lock()
        self._mark = mark_of(location)
        self._store: SqlStore | None = existing_store(location)

    def store(self) -> SqlStore:
        """Return the store; raise a `StoreError` if it no longer exists."""
        mark = mark_of(self.location)
        with self._lock:
            if self._store is not None and mark == self._mark:
                return self._store
            self.close()
            try:
                self._store = existing_store(self.location)
            except SourceError as error:
                raise StoreError(f"the store is gone: {error}, or put it back") from error
            self._mark = mark_of(self.location)
            return self._store

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()
            self._store = None


def mark_of(location: Place) -> tuple[int, int] | None:
    """Return what tells a file from another one of the same name, None if it is no file."""
    if not isinstance(location, Path):
        return None
    try:
        found = location.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
