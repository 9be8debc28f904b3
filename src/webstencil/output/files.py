"""Files of an output: their names, who may write them, and errors of the file system.

Names are made from the URLs of pages: host, path, `index` for a folder. A name cannot leave the
output folder, whatever the URL: its parts have no separators and no leading dots, and long ones are
cut. A name that is taken, or whose URL has a query, gets a hash of the URL.
"""

import fcntl
import logging
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Self, TypeAlias
from urllib.parse import urlsplit

from webstencil.codec import put
from webstencil.errors import SettingsError, WebstencilError
from webstencil.model import PageResult
from webstencil.urls import url_hash

log = logging.getLogger(__name__)

Known: TypeAlias = Callable[[], Iterable[PageResult]]  # the results in the store

DRAFT_ENDING = ".part"  # suffix of an unfinished file
FOLDER_INDEX = "index"  # for a URL that ends in a slash
PAGE_ENDING = re.compile(r"(?i)\.(html?|xhtml|shtml|php|aspx?|jsp)$")
UNSAFE = re.compile(r"[^\w%+=,@!$&'()~.-]")  # in a file name
LONGEST_PART = 120  # bytes of a part of a path; file systems allow 255
MOST_FOLDERS = 20  # folders


class Output(ABC):
    """Writes results to files, in step with a store.

    It starts with the results in the store, and reads them again if a page was processed again. So
    it is complete at the end of a run, however earlier runs ended.
    """

    @abstractmethod
    def write(self, result: PageResult) -> None:
        """Write the result of a page; it replaces an earlier one."""

    @abstractmethod
    def close(self) -> None:
        """Finish all files."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


@contextmanager
def writing_explained(path: Path) -> Iterator[None]:
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


def draft_file(path: Path) -> Path:
    """Return the draft of a file, which replaces it when finished."""
    return path.with_name(path.name + DRAFT_ENDING)


def put_changed(path: Path, text: str) -> None:
    """Write a text to a file, unless the file has it already."""
    data = text.encode("utf-8", "replace")
    with writing_explained(path):
        if not (path.is_file() and path.read_bytes() == data):
            put(path, data)


class FileNames:
    """Assigns each page a file name of its own."""

    def __init__(self, ending: str) -> None:
        self._ending = ending  # such as `.md`
        self._owners: dict[str, str] = {}  # lower-case file name -> URL

    def name(self, url: str) -> PurePosixPath:
        """Return the file name of a page; names differ in more than case, for some file systems."""
        name = file_of_page(url, self._ending)
        if self._owners.setdefault(str(name).lower(), url) == url:
            return name
        return name.with_name(f"{name.stem}~{short_name(url)}{self._ending}")


def file_of_page(url: str, ending: str) -> PurePosixPath:
    try:
        parts = urlsplit(url)
    except ValueError:  # not a URL a browser would accept
        return PurePosixPath("_", short_name(url) + ending)
    *folders, last = parts.path.split("/")[1:] or [""]
    last = PAGE_ENDING.sub("", last) or FOLDER_INDEX
    if parts.query or len(folders) > MOST_FOLDERS:
        last = f"{last[:LONGEST_PART]}~{short_name(url)}"
    host = parts.netloc.rpartition("@")[2]  # without user name and password
    names = [safe_part(part) for part in (host, *folders[:MOST_FOLDERS])]
    # No folder has a name that looks like that of a page.
    names = [name + "_" if name.lower().endswith(ending) else name for name in names]
    return PurePosixPath(*names, safe_part(last) + ending)


def safe_part(part: str) -> str:
    """Make a part of a URL the name of a file or folder."""
    name = UNSAFE.sub("_", part) or "_"
    if name.startswith("."):
        name = "_" + name[1:]
    if len(name.encode()) > LONGEST_PART:
        name = name.encode()[:LONGEST_PART].decode("utf-8", "ignore") + "~" + short_name(part)
    return name


def short_name(url: str) -> str:
    """Return a short hash of a URL."""
    return url_hash(url, 6).hex()
