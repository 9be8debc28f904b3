"""The file of a crawl's lists: a SQLite database, used by one crawl at a time."""

import fcntl
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from webstencil.errors import SourceError, StoreError
from webstencil.store.postgres import PostgresDatabase

VERSION = 1
LOCK_WAIT = 20.0  # s; a crawl whose parent was killed needs a moment to end
LOCK_PAUSE = 0.1  # s
BUSY_WAIT = 30.0  # s
MAKE_ROOM = "free some disk space and run the same command again to resume"
BEGIN_ANEW = "it is damaged or something else; name another file with --frontier to start again"
OTHER_STEP = "make its folder writable, or name another file with --frontier"
STEPS = {
    "SQLITE_FULL": MAKE_ROOM,
    "SQLITE_IOERR": MAKE_ROOM,
    "SQLITE_CORRUPT": BEGIN_ANEW,
    "SQLITE_NOTADB": BEGIN_ANEW,
}
TABLES = """
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
def locked(path: Path, wait: float = LOCK_WAIT) -> Iterator[None]:
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


def connect(path: Path) -> sqlite3.Connection:
    """Open the file; create it if there is none."""
    with _explained(path):
        db = sqlite3.connect(path, timeout=BUSY_WAIT, isolation_level=None)
        refuse_other(db, path)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.executescript(TABLES)
        db.execute(f"PRAGMA user_version = {VERSION}")
        return db


def refuse_other(db: sqlite3.Connection, path: Path) -> None:
    """Raise if a database has other tables, or those of a newer version."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise StoreError(f"{path} was made by a newer webstencil; upgrade this one")
    if not version and db.execute("SELECT * FROM sqlite_master").fetchone():
        raise StoreError(f"{path} is another database; name another file with --frontier")


def trouble(path: Path, error: sqlite3.Error | OSError) -> str:
    """Say what is wrong with the file, and what to do."""
    kind = "_".join(getattr(error, "sqlite_errorname", "").split("_")[:2])
    return f"cannot use the crawl's lists {path}: {error}; {STEPS.get(kind, OTHER_STEP)}"


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise StoreError(trouble(path, error)) from error
