"""The file of a crawl's lists: a SQLite database, used by one crawl at a time.

`frontier.sql` has its tables. It also keeps the replies of servers until their pages are settled:
without them, a crawl that was killed would fetch all pages again that waited to be processed.
"""

import fcntl
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import IO

from webstencil.errors import SourceError, StoreError
from webstencil.store.postgres import PostgresDatabase
from webstencil.store.sqlite import connect_to_read

LISTS_VERSION = 1
OTHER_CRAWL_WAIT = 20.0  # s; a crawl whose parent was killed needs a moment to end
LOCK_PAUSE = 0.1  # s
BUSY_WAIT = 30.0  # s
MAKE_ROOM = "free some disk space and run the same command again to resume"
BEGIN_ANEW = "it is damaged or something else; name another file with --frontier to start again"
OTHER_STEP = "make its folder writable, or name another file with --frontier"
NEXT_STEPS = {
    "SQLITE_FULL": MAKE_ROOM,
    "SQLITE_IOERR": MAKE_ROOM,
    "SQLITE_CORRUPT": BEGIN_ANEW,
    "SQLITE_NOTADB": BEGIN_ANEW,
}


def frontier_path(store: Path | PostgresDatabase) -> Path:
    """Return the file of the lists of a store's crawls; in this folder if the store is no file."""
    if isinstance(store, PostgresDatabase):
        return Path(f"{store.file_name}.frontier")
    return store.with_name(store.name + ".frontier")


@contextmanager
def locked(path: Path, wait: float = OTHER_CRAWL_WAIT) -> Iterator[None]:
    """Lock a file against other crawls."""
    with _explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file: IO[bytes] = path.with_name(path.name + ".lock").open("ab")
    with file:
        end = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise SourceError(
                        f"another crawl is using {path}; wait for it to end, or name another file "
                        "with --frontier"
                    ) from None
                time.sleep(LOCK_PAUSE)
        yield


def open_lists(path: Path) -> sqlite3.Connection:
    """Open the file, new if there is none; refuse other tables and those of a newer version."""
    with _explained(path):
        db = sqlite3.connect(path, timeout=BUSY_WAIT, isolation_level=None)
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > LISTS_VERSION:
            raise StoreError(f"{path} was made by a newer webstencil; upgrade this one")
        if not version and db.execute("SELECT * FROM sqlite_master").fetchone():
            raise StoreError(f"{path} is another database; name another file with --frontier")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(files("webstencil.crawl").joinpath("frontier.sql").read_text())
        db.execute(f"PRAGMA user_version = {LISTS_VERSION}")
        return db


def trouble(path: Path, error: sqlite3.Error | OSError) -> str:
    """Say what is wrong with the file, and what to do."""
    kind = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
    return f"cannot use the crawl's lists {path}: {error}; {NEXT_STEPS.get(kind, OTHER_STEP)}"


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreError(trouble(path, error)) from error


@dataclass(frozen=True, slots=True)
class ServerReply:
    """The outcome of a request for a page or a resource."""

    outcome: str  # "" if there is a body, else why not
    status: int = 0  # of HTTP; 0: no server has answered
    body: bytes = b""
    content_type: str = ""
    charset: str | None = None
    location: str = ""  # where the server says it is
    etag: str = ""
    modified: str = ""
    again: bool = False  # whether a later try can succeed
    closed: str = ""  # host whose robots.txt cannot be read


URL_LISTS = {
    "extracted": "SELECT name, url FROM page JOIN site ON site.id = page.site "
    "WHERE queued = 1 ORDER BY site.id, tries, depth, page.id",
    "visited": "SELECT outcome, url FROM page WHERE queued = 0 ORDER BY site, depth, id",
    "outgoing": "SELECT name, link FROM site WHERE visited = 0 ORDER BY id",
}


def listed_urls(path: Path, which: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of a list: the outcome of a page, or its site, and its URL."""
    if not path.exists():
        raise SourceError(
            f"{path} does not exist; `webstencil crawl URL --store STORE` creates it, or name "
            "another file with --frontier"
        )
    try:
        with closing(connect_to_read(path)) as db:
            yield from db.execute(URL_LISTS[which])
    except sqlite3.Error as error:
        raise SourceError(
            f"cannot read {path}: {error}; name the file of a crawl's lists with --frontier"
        ) from error
