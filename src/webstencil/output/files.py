"""Write files atomically, and translate errors of the file system."""

import fcntl
import logging
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from webstencil.codec import put
from webstencil.errors import SettingsError, WebstencilError

log = logging.getLogger(__name__)

DRAFT = ".part"  # suffix of an unfinished file


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Translate errors of the file system."""
    try:
        yield
    except OSError as error:
        raise WebstencilError(
            f"cannot write {path}: {error.strerror or error}; free space or choose another file, "
            "and run the same command again: nothing in the store is lost"
        ) from error


class Claim:
    """Locks a file or folder against other processes; raises if it is locked."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.release()
            raise WebstencilError(
                f"another run is writing to {path}; wait until it is done, or choose another path"
            ) from error
        except OSError as error:  # some network file systems have no locks
            log.warning("not locked path=%s reason=%s", path, error)

    def release(self) -> None:
        """Release the lock; may be called again."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def claimed_folder(path: Path, form: str) -> Claim:
    """Lock a folder for results, created if missing; refuse a file."""
    if path.exists() and not path.is_dir():
        raise WebstencilError(f"{path} is a file; choose a folder for {form}")
    path.mkdir(parents=True, exist_ok=True)
    return Claim(path)


def refuse_among_pages(out: Path | None, sources: Iterable[str]) -> None:
    """Refuse to write HTML into a source: the next run would take it for pages."""
    for name in sources:
        if out and Path(name).is_dir() and out.resolve().is_relative_to(Path(name).resolve()):
            raise SettingsError(
                f"{out} is in {name}, where it would be read as pages; choose a folder elsewhere"
            )


def draft_of(path: Path) -> Path:
    """Return the draft of a file, which replaces it when finished."""
    return path.with_name(path.name + DRAFT)


def put_changed(path: Path, text: str) -> None:
    """Write a text to a file, unless the file has it already."""
    data = text.encode("utf-8", "replace")
    with explained(path):
        if not (path.is_file() and path.read_bytes() == data):
            put(path, data)
