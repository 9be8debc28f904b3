"""Files that are whole or not there, and errors of the file system in our words."""

import fcntl
import logging
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from webstencil.codec.files import put
from webstencil.errors import SettingsError, WebstencilError

log = logging.getLogger(__name__)

DRAFT = ".part"  # how the name of a file ends that is not whole yet


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn errors of the file system into ours."""
    try:
        yield
    except OSError as error:
        raise WebstencilError(
            f"cannot write {path}: {error.strerror or error}; make room or name another file, and "
            "run the same command again: what was kept before is not lost"
        ) from error


class Claim:
    """Holds a file or folder, so that no other process writes to it; raises if one does."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.release()
            raise WebstencilError(
                f"another run is writing to {path}; wait until it is done, or name another place"
            ) from error
        except OSError as error:  # some file systems of networks have no locks
            log.warning("not locked path=%s reason=%s", path, error)

    def release(self) -> None:
        """Let others write; more than once is no harm."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def claimed_folder(path: Path, form: str) -> Claim:
    """Hold a folder for results of a form, made if there is none; refuse a file."""
    if path.exists() and not path.is_dir():
        raise WebstencilError(f"{path} is a file; name a folder for {form}")
    path.mkdir(parents=True, exist_ok=True)
    return Claim(path)


def refuse_among_pages(out: Path | None, sources: Iterable[str]) -> None:
    """Write no HTML into a folder that is read: the next run would take it for pages."""
    for name in sources:
        if out and Path(name).is_dir() and out.resolve().is_relative_to(Path(name).resolve()):
            raise SettingsError(
                f"{out} is in {name}, where it would be read as pages; name a folder elsewhere"
            )


def draft_of(path: Path) -> Path:
    """Name the file in which another is made before it takes its place."""
    return path.with_name(path.name + DRAFT)


def put_changed(path: Path, text: str) -> None:
    """Write a text into a file, unless it is what the file has."""
    data = text.encode("utf-8", "replace")
    with explained(path):
        if not (path.is_file() and path.read_bytes() == data):
            put(path, data)
