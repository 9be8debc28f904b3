"""The store's tables: a file of any older version becomes one of today's, or stays as it is."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

import pytest
import sqlalchemy as sa
from store_values import SITE, VIPS, result_of, rows, run, stencil_of

from webstencil.codec import encode_result, encode_stencil
from webstencil.errors import StoreError
from webstencil.model import Mode, PageResult, Status, Stencil
from webstencil.protocols import Done
from webstencil.site.slots import DrawnTemplate
from webstencil.store import StencilHistory, StencilState, open_store
from webstencil.store.database import OpenDatabase
from webstencil.store.schema import MIGRATIONS, Migration
from webstencil.store.sql import database_of
from webstencil.store.sqlite import SqliteFile

WAIT = 1.0  # s
DAY = datetime(2025, 3, 28, tzinfo=UTC)
NEWEST = len(MIGRATIONS)  # the version of a store that is made today

# The tables of version 1, as a file made by the first release has them.
VERSION_1 = """
CREATE TABLE webstencil_schema (version INTEGER NOT NULL, PRIMARY KEY (version));
CREATE TABLE maker (
    id INTEGER NOT NULL, made_by TEXT NOT NULL, PRIMARY KEY (id), UNIQUE (made_by)
);
CREATE TABLE stencil (
    id INTEGER NOT NULL, "key" TEXT NOT NULL, site TEXT NOT NULL, maker INTEGER NOT NULL,
    made_from TEXT NOT NULL, areas INTEGER NOT NULL, nodes INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (id), UNIQUE ("key"), FOREIGN KEY(maker) REFERENCES maker (id)
);
CREATE INDEX stencil_site ON stencil (site, maker);
CREATE TABLE page (
    id INTEGER NOT NULL, maker INTEGER NOT NULL, url TEXT NOT NULL, status TEXT NOT NULL,
    stencil TEXT, digest BLOB NOT NULL,
    PRIMARY KEY (id), UNIQUE (maker, url), FOREIGN KEY(maker) REFERENCES maker (id)
);
CREATE INDEX page_order ON page (maker, id);
CREATE INDEX page_stencil ON page (stencil, status);
CREATE TABLE result (
    page INTEGER NOT NULL, body BLOB NOT NULL,
    PRIMARY KEY (page), FOREIGN KEY(page) REFERENCES page (id)
);
INSERT INTO webstencil_schema VALUES (1);
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "stencils.db"


def layout(path: Path) -> set[tuple[object, ...]]:
    """Return the columns and indexes of a database."""
    return {
        *rows(path, "SELECT m.name, t.* FROM sqlite_master m, pragma_table_info(m.name) t"),
        *rows(path, "SELECT m.name, i.* FROM sqlite_master m, pragma_index_xinfo(m.name) i"),
    }


def upgrade(path: Path, *migrations: Migration) -> None:
    """Open a store as a later version would, whose last migrations are the ones given."""
    prepare(path, *MIGRATIONS, *migrations)


def prepare(path: Path, *migrations: Migration) -> None:
    """Open a store as a version with these migrations would."""
    place = SqliteFile(path)
    engine = place.engine(WAIT)
    try:
        place.prepare(engine, WAIT, migrations)
    finally:
        engine.dispose()


def add_rank(db: sa.Connection) -> None:
    db.exec_driver_sql("ALTER TABLE stencil ADD COLUMN rank TEXT NOT NULL DEFAULT 'ready'")


def fail_half_way(db: sa.Connection) -> None:
    db.exec_driver_sql("DROP TABLE result")
    db.exec_driver_sql("ALTER TABLE absent ADD COLUMN more TEXT")


@pytest.fixture
def old(path: Path) -> Path:
    """Make a store of version 1 by hand, with one learned page."""
    run(path, VERSION_1)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO maker VALUES (1, ?)", (VIPS,))
        database.execute(
            "INSERT INTO stencil VALUES (1, 'k', ?, 1, 'https://example.org/k', 2, 3, ?)",
            (SITE, encode_stencil(stencil_of("k"))),
        )
        page = (1, 1, "https://example.org/a", "learned", "k", b"d")
        database.execute("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?)", page)
        body = encode_result(result_of("a", Status.LEARNED))
        database.execute("INSERT INTO result VALUES (1, ?)", (body,))
    return path


def test_a_new_store_has_the_tables_of_version_1(tmp_path: Path) -> None:
    """The first migration makes what it made when it was released."""
    run(tmp_path / "by-hand.db", VERSION_1)

    prepare(tmp_path / "new.db", MIGRATIONS[0])

    assert layout(tmp_path / "new.db") == layout(tmp_path / "by-hand.db")


def test_a_store_of_version_1_is_read(old: Path) -> None:
    """A file made by the first release gives back what was saved in it."""
    with open_store(old) as store:
        found = (store.results.done(VIPS), list(store.results(VIPS)), store.stencils(SITE, VIPS))

    assert found == (
        {"https://example.org/a": b"d"},
        [result_of("a", Status.LEARNED)],
        (stencil_of("k"),),
    )


def test_what_stencils_did_is_counted_from_the_upgrade_on(old: Path) -> None:
    """A stencil of an older store teaches; of its life before nothing is known."""
    with open_store(old) as store:
        before = store.runs.history("k")
        store.save(VIPS, [Done(result_of("b"), b"d")], store.runs.begin(VIPS, DAY))
        after = store.runs.history("k")

    assert before == StencilHistory(StencilState.TEACHING, "", "", "", 0, None)
    assert after == StencilHistory(StencilState.TEACHING, "", "", DAY.isoformat(), 1, 0.5)


def test_a_migration_runs_once_and_keeps_what_is_there(old: Path) -> None:
    """A store of version 1 becomes one of a later version, and stays it."""
    upgrade(old, add_rank)
    upgrade(old, add_rank)

    versions = [(number,) for number in range(1, NEWEST + 2)]
    assert rows(old, "SELECT version FROM webstencil_schema") == versions
    assert rows(old, "SELECT key, rank FROM stencil") == [("k", "ready")]


def test_a_migration_that_fails_changes_nothing(old: Path) -> None:
    """All steps of an upgrade are taken, or none."""
    open_store(old).close()
    before = rows(old, "SELECT * FROM sqlite_master")

    with pytest.raises(sa.exc.OperationalError, match="no such table: absent"):
        upgrade(old, add_rank, fail_half_way)

    assert rows(old, "SELECT * FROM sqlite_master") == before
    with open_store(old) as store:
        assert list(store.results(VIPS)) == [result_of("a", Status.LEARNED)]


def test_a_store_of_a_newer_version_is_named_and_left_alone(old: Path) -> None:
    """Tables that are not known are not touched."""
    upgrade(old, add_rank)
    before = old.read_bytes()

    with pytest.raises(StoreError) as caught:
        open_store(old)

    assert str(caught.value) == (
        f"{old} was made by a newer webstencil: its store has version {NEWEST + 1}, the newest "
        f"that this one knows is {NEWEST}; upgrade webstencil"
    )
    assert old.read_bytes() == before


def test_stencils_that_stood_for_templates_become_templates(place: str) -> None:
    """A store of the version before shows and counts the same, and has no stencils left."""
    learner = "default VIPS()"
    site = "a.example"
    key = blake2b(f"{site}\n{learner}\ntemplate 3".encode(), digest_size=6).hexdigest()
    stencil = replace(stencil_of(key, site=site, learner=learner), made_from=f"https://{site}/1")
    result = replace(result_of("1", site=site, stencil=key), grain=0.5, version=2)
    make_old_store(place, learner, stencil, result)

    with open_store(place) as store:
        summaries, drawn = store.stencils.all(), store.templates.drawn(learner, site)
        results = list(store.results(learner))
        following = store.lookups.count_following(learner, site, [3])
        past, modes = store.runs.past(), store.lookups.modes()

    assert summaries == ()
    assert drawn == {3: DrawnTemplate(3, f"https://{site}/1", 2, stencil.areas)}
    assert [(one.url, one.stencil) for one in results] == [(result.url, None)]
    assert following == 1
    assert [(life.site, life.name, life.hits) for life in past.lives] == [(site, "3", 4)]
    assert modes == {learner: Mode.DEFAULT, VIPS: Mode.PAPER}


def make_old_store(place: str, learner: str, stencil: Stencil, result: PageResult) -> None:
    """Make a store of version 7 with a page of a template."""
    database = database_of(place)
    engine = database.engine(WAIT)
    database.prepare(engine, WAIT, MIGRATIONS[:7])
    made = {"key": stencil.key, "site": stencil.site, "maker": 1, "made_from": stencil.made_from}
    counts = {"areas": 2, "nodes": 3, "body": encode_stencil(stencil)}
    page = {"url": result.url, "status": "hit", "stencil": result.stencil}
    used = {"stencil": result.stencil, "site": result.site, "unchanged": 0, "confidence": 2.0}
    with OpenDatabase(engine, database, WAIT).writing("make an old store") as db:
        for table, row in (
            ("maker", {"id": 1, "made_by": learner}),
            ("maker", {"id": 2, "made_by": VIPS}),
            ("stencil", {"id": 1, **made, **counts}),
            ("page", {"id": 1, "maker": 1, **page, "digest": b"d", "version": 2}),
            ("result", {"page": 1, "body": encode_result(result)}),
            ("run", {"id": 1, "maker": 1, "began": "2026-01-01", "whole": 1}),
            ('"use"', {"run": 1, **used, "hits": 4, "learned": 0, "known": 0}),
        ):
            columns = f"({', '.join(row)}) VALUES (:{', :'.join(row)})"
            db.execute(sa.text(f"INSERT INTO {table} {columns}"), row)
