"""The file of a crawl's lists: a SQLite database, used by one crawl at a time."""

import fcntl
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass
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
LISTS_SCHEMA = """
CREATE TABLE IF NOT EXISTS site (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    link TEXT NOT NULL,
    visited INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS job (
    id INTEGER PRIMARY KEY,
    start TEXT NOT NULL,
    finished INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS visit (
    id INTEGER PRIMARY KEY,
    job INTEGER NOT NULL REFERENCES job,
    site INTEGER NOT NULL REFERENCES site,
    finished TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS page (
    id INTEGER PRIMARY KEY,
    site INTEGER NOT NULL REFERENCES site,
    identity TEXT NOT NULL UNIQUE,
    url TEXT NOT NULL,
    depth INTEGER NOT NULL,
    chain INTEGER NOT NULL DEFAULT 0,
    hops INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    queued INTEGER NOT NULL DEFAULT 1,
    visit INTEGER NOT NULL DEFAULT 0,
    outcome TEXT NOT NULL DEFAULT '',
    etag TEXT NOT NULL DEFAULT '',
    modified TEXT NOT NULL DEFAULT '',
    echo BLOB
);
CREATE INDEX IF NOT EXISTS page_queue ON page (site, tries, depth, id) WHERE queued = 1;
CREATE INDEX IF NOT EXISTS page_echo ON page (echo) WHERE echo IS NOT NULL;
CREATE TABLE IF NOT EXISTS reply (
    page INTEGER PRIMARY KEY REFERENCES page,
    outcome TEXT NOT NULL,
    status INTEGER NOT NULL,
    body BLOB NOT NULL,
    content_type TEXT NOT NULL,
    charset TEXT,
    location TEXT NOT NULL,
    etag TEXT NOT NULL,
    modified TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS noise (
    site INTEGER NOT NULL REFERENCES site,
    name TEXT NOT NULL,
    echoes INTEGER NOT NULL,
    PRIMARY KEY (site, name)
);
CREATE TABLE IF NOT EXISTS notice (
    visit INTEGER NOT NULL REFERENCES visit,
    reason TEXT NOT NULL,
    links INTEGER NOT NULL,
    PRIMARY KEY (visit, reason)
);
CREATE TABLE IF NOT EXISTS resource (
    url TEXT PRIMARY KEY,
    body BLOB,
    content_type TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS archive (
    path TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL
);
"""


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
        while not _take(file):
            if time.monotonic() > end:
                raise SourceError(
                    f"another crawl is using {path}; wait for it to end, or name another file with "
                    "--frontier"
                )
            time.sleep(LOCK_PAUSE)
        yield


def _take(file: IO[bytes]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def open_lists(path: Path) -> sqlite3.Connection:
    """Open the file; create it if there is none."""
    with _explained(path):
        db = sqlite3.connect(path, timeout=BUSY_WAIT, isolation_level=None)
        refuse_other_database(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(LISTS_SCHEMA)
        db.execute(f"PRAGMA user_version = {LISTS_VERSION}")
        return db


def refuse_other_database(db: sqlite3.Connection, path: Path) -> None:
    """Raise if a database has other tables, or those of a newer version."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > LISTS_VERSION:
        raise StoreError(f"{path} was made by a newer webstencil; upgrade this one")
    if not version and db.execute("SELECT * FROM sqlite_master").fetchone():
        raise StoreError(f"{path} is another database; name another file with --frontier")


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


# Replies of servers, kept in the frontier until their pages are settled.
#
# Without them, a crawl that was killed would fetch all pages again that waited to be processed.


UNCHANGED = 304  # HTTP status; it says nothing without the result that it is about
KEPT = 8  # fields of a reply that are kept, the first ones


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


def keep(db: sqlite3.Connection, page: int, reply: ServerReply) -> None:
    """Keep the reply to the request for a page, if it is final."""
    if reply.status and reply.status != UNCHANGED and not reply.again:
        row = (page, *astuple(reply)[:KEPT])
        db.execute("INSERT OR REPLACE INTO reply VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def kept(db: sqlite3.Connection, page: int) -> ServerReply | None:
    """Return the reply that was kept for a page, None if there is none."""
    row = db.execute("SELECT * FROM reply WHERE page = ?", (page,)).fetchone()
    return None if row is None else ServerReply(*row[1:])


# A crawl's lists to show: extracted, visited and outgoing links.


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
