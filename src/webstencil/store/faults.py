"""Errors of the database as ours, each with the next step."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from webstencil.errors import StoreError


@contextmanager
def explained(what: str, place: str) -> Iterator[None]:
    """Turn the database's errors into ours."""
    try:
        yield
    except DBAPIError as error:
        raise StoreError(
            f"cannot {what}: {error.orig} ({place}); {_next_step(kind_of(error), Path(place))}"
        ) from error
    except SQLAlchemyError as error:
        raise StoreError(f"cannot {what}: {error} ({place}); open the store again") from error


def kind_of(error: DBAPIError) -> str:
    """Return SQLite's name for an error without the details: SQLITE_IOERR for all of its kind."""
    return "_".join(getattr(error.orig, "sqlite_errorname", "").split("_")[:2])


def _next_step(kind: str, path: Path) -> str:
    """Say what to do about an error."""
    if kind == "SQLITE_CANTOPEN":
        return _why_not_opened(path)
    steps = {
        "SQLITE_BUSY": "another process is writing to it: wait for that, or end it, and run again",
        "SQLITE_CORRUPT": "the file is damaged: put back a copy, or start a new store",
        "SQLITE_FULL": "the disk is full: make room and run again, what is saved stays saved",
        "SQLITE_IOERR": "the disk is full, over its quota, or faulty: make room and run again, "
        "what is saved stays saved",
        "SQLITE_NOTADB": "it is not a webstencil store: give the path of a store, or of a file "
        "that does not exist yet",
        "SQLITE_READONLY": "the file or its folder is read-only: make both writable, or copy the "
        "store to another place",
    }
    return steps.get(kind, "see the SQLite documentation for what it means")


def _why_not_opened(path: Path) -> str:
    with suppress(PermissionError):
        if path.is_dir():
            return "it is a folder: give the path of a file in it"
        if not path.parent.is_dir():
            return f"there is no folder {path.parent}: make it first"
    return "the file or its folder cannot be used by this user: change its permissions"
