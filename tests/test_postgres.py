"""A store in PostgreSQL: its tables and transactions, and what a server can do to it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread, Timer
from time import sleep

import pytest
import sqlalchemy as sa
from postgres_server import USER, Server
from store_values import SITE, VIPS, numbered_page, result_of, stencil_of

from webstencil.errors import StoreError
from webstencil.model import Status
from webstencil.protocols import Done
from webstencil.store import SqlStore, open_store
from webstencil.store.postgres import PostgresDatabase
from webstencil.store.schema import MIGRATIONS, Migration
from webstencil.store.sqlite import SqliteFile

WAIT = 0.3  # s, how long a test waits for what does not come
DAY = datetime(2026, 5, 1, tzinfo=UTC)
NEWEST = len(MIGRATIONS)


@pytest.fixture
def address(server: Server) -> str:
    return server.new_address()


@pytest.fixture
def schema(address: str) -> str:
    return PostgresDatabase.at(address).schema


@pytest.fixture
def store(address: str) -> Iterator[SqlStore]:
    with open_store(address) as opened:
        yield opened


def prepare(address: str, *migrations: Migration) -> None:
    """Open a store as a version with these migrations would."""
    place = PostgresDatabase.at(address)
    engine = place.engine(WAIT)
    try:
        place.prepare(engine, WAIT, migrations)
    finally:
        engine.dispose()


def on_insert(server: Server, schema: str, words: str) -> None:
    """Let the server do something each time a result is added."""
    server.run(
        f"CREATE FUNCTION {schema}.act() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN {words}; RETURN NEW; END $$;"
        f"CREATE TRIGGER act BEFORE INSERT ON {schema}.result "
        f"FOR EACH ROW EXECUTE FUNCTION {schema}.act()"
    )


def test_both_kinds_have_the_same_columns(tmp_path: Path, address: str) -> None:
    """One list of migrations makes the tables of both; so do the kinds of the columns fit."""
    kinds = []
    for place in (SqliteFile(tmp_path / "s.db"), PostgresDatabase.at(address)):
        open_store(address if isinstance(place, PostgresDatabase) else place.path).close()
        engine = place.engine(WAIT)
        with engine.connect() as db:
            kinds.append(columns(sa.inspect(db)))
        engine.dispose()

    assert kinds[0] == kinds[1]
    assert kinds[1]["page", "id"] == (int, False)
    assert kinds[1]["result", "body"] == (bytes, False)


def columns(found: sa.Inspector) -> dict[tuple[str, str], tuple[type, bool]]:
    return {
        (table, column["name"]): (column["type"].python_type, column["nullable"])
        for table in found.get_table_names()
        for column in found.get_columns(table)
    }


def test_a_store_of_version_1_is_brought_up_to_date(server: Server, address: str) -> None:
    """What was kept in it stays; another one that opens it finds nothing more to do."""
    prepare(address, MIGRATIONS[0])
    name = PostgresDatabase.at(address).schema
    server.run(f"INSERT INTO {name}.maker (made_by) VALUES ('{VIPS}')")

    for _ in range(2):
        with open_store(address) as store:
            store.save(VIPS, [Done(result_of("a"), b"d")], store.runs.begin(VIPS, DAY))

    versions = server.run(f"SELECT version FROM {name}.webstencil_schema ORDER BY 1").split()
    assert versions == [str(number + 1) for number in range(NEWEST)]
    assert server.run(f"SELECT id, made_by FROM {name}.maker") == f"1|{VIPS}"


def test_a_migration_that_fails_changes_nothing(address: str) -> None:
    """All steps of an upgrade are taken, or none."""

    def fail(db: sa.Connection) -> None:
        db.exec_driver_sql("DROP TABLE result")
        db.exec_driver_sql("DROP TABLE absent")

    with open_store(address) as store:
        store.save(VIPS, [Done(result_of("a"), b"d")])

    with pytest.raises(sa.exc.ProgrammingError, match="absent"):
        prepare(address, *MIGRATIONS, fail)

    with open_store(address) as store:
        assert list(store.results(VIPS)) == [result_of("a")]


def test_a_store_of_a_newer_version_is_named(server: Server, address: str, schema: str) -> None:
    """Tables that are not known are not touched."""
    open_store(address).close()
    server.run(f"INSERT INTO {schema}.webstencil_schema VALUES ({NEWEST + 1})")

    with pytest.raises(StoreError) as caught:
        open_store(address)

    assert str(caught.value) == (
        f"{PostgresDatabase.at(address)} was made by a newer webstencil: its store has version "
        f"{NEWEST + 1}, the newest that this one knows is {NEWEST}; upgrade webstencil"
    )


def test_text_that_cannot_be_kept_is_named(store: SqlStore) -> None:
    """PostgreSQL has no character 0."""
    with pytest.raises(StoreError, match="cannot store this character: leave the page out"):
        store.save(VIPS, [Done(result_of("\0"), b"d")])


def test_a_full_disk_is_named_and_costs_nothing_that_was_saved(
    server: Server, store: SqlStore, schema: str
) -> None:
    """The save that did not fit leaves nothing behind; the ones before it are there."""
    store.save(VIPS, [numbered_page(0)])
    on_insert(server, schema, "RAISE 'could not extend file' USING ERRCODE = 'disk_full'")

    with pytest.raises(StoreError) as caught:
        store.save(VIPS, [numbered_page(3)])

    said = str(caught.value)
    assert said.startswith("cannot save the result of https://example.org/3: could not extend file")
    assert said.endswith("free some space and run again, what is saved stays saved")
    assert list(store.results(VIPS)) == [numbered_page(0).result]
    assert store.stencils(SITE, VIPS) == (numbered_page(0).learned,)


def test_a_locked_store_is_named(address: str) -> None:
    """A save that waited in vain for another process says so, and can be tried again."""
    with open_store(address, wait=WAIT) as store, open_store(address) as other:
        store.save(VIPS, [Done(result_of("a"), b"d")])
        with other.database.writing("hold the lock"), pytest.raises(StoreError) as caught:
            store.save(VIPS, [Done(result_of("b"), b"d")])
        store.save(VIPS, [Done(result_of("c"), b"d")])

        assert list(store.results.done(VIPS)) == ["https://example.org/a", "https://example.org/c"]
    assert str(caught.value).endswith(
        "another process is writing to it: wait for it, or end it, and run again"
    )


def test_stores_of_a_database_do_not_wait_for_each_other(server: Server) -> None:
    """The lock is that of a store, not of the database."""
    other = open_store(server.new_address())
    with (
        open_store(server.new_address(), wait=WAIT) as store,
        other.database.writing("hold the lock"),
    ):
        store.save(VIPS, [Done(result_of("a"), b"d")])

        assert list(store.results.done(VIPS)) == ["https://example.org/a"]
    other.close()


def test_a_job_outlives_a_restart_of_the_server(server: Server, store: SqlStore) -> None:
    """Saving and reading go on where nothing was under way; the server is waited for."""
    store.save(VIPS, [numbered_page(0)])
    server.stop()
    back = Timer(WAIT, server.start)
    back.start()

    store.save(VIPS, [numbered_page(1)])
    back.join()
    server.stop()
    server.start()
    found = list(store.results(VIPS))

    assert found == [numbered_page(0).result, numbered_page(1).result]


def test_a_server_that_does_not_come_back_is_named(server: Server, address: str) -> None:
    """The wait ends; a later save works if the server is there by then."""
    with open_store(address, wait=WAIT) as store:
        server.stop()
        with pytest.raises(StoreError) as caught:
            store.save(VIPS, [numbered_page(0)])
        server.start()
        store.save(VIPS, [numbered_page(1)])

        assert list(store.results(VIPS)) == [numbered_page(1).result]
    assert "no server answers: start it" in str(caught.value)


def test_a_store_can_be_closed_while_the_server_is_away(server: Server, address: str) -> None:
    """The error that ended a job is what its caller gets, not one of closing."""
    store = open_store(address, wait=WAIT)
    server.stop()

    with pytest.raises(StoreError, match="cannot save"), store:
        store.save(VIPS, [numbered_page(0)])

    server.start()
    with open_store(address) as store:
        assert list(store.results(VIPS)) == []


def test_a_connection_lost_in_the_middle_is_named_and_leaves_nothing_half_done(
    server: Server, store: SqlStore, schema: str
) -> None:
    """The save that was under way is not there; the next one uses a new connection."""
    store.save(VIPS, [numbered_page(0)])
    on_insert(server, schema, "PERFORM pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(StoreError, match="the connection was lost: what was saved stays"):
        store.save(VIPS, [numbered_page(3)])
    server.run(f"DROP TRIGGER act ON {schema}.result")
    store.save(VIPS, [numbered_page(6)])

    assert list(store.results(VIPS)) == [numbered_page(0).result, numbered_page(6).result]
    assert store.stencils(SITE, VIPS) == (numbered_page(0).learned, numbered_page(6).learned)


def test_a_reader_sees_one_moment(store: SqlStore) -> None:
    """What others commit while it reads changes nothing for it."""
    with store.database.reading("read twice") as db:
        before = db.scalar(sa.text("SELECT count(*) FROM page"))
        store.save(VIPS, [numbered_page(0)])
        after = db.scalar(sa.text("SELECT count(*) FROM page"))

    assert (before, after) == (0, 0)


def test_a_writer_sees_what_the_one_before_it_wrote(server: Server, address: str) -> None:
    """Also where the server's transactions are made to see one moment unless told otherwise."""
    server.run(f"ALTER ROLE {USER} SET default_transaction_isolation = 'serializable'")
    try:
        with open_store(address) as one, open_store(address) as other:
            other.runs.begin(VIPS, DAY)
            with one.database.writing("hold the lock") as db:
                waiting = Thread(target=other.runs.begin, args=(VIPS, DAY))
                waiting.start()
                sleep(WAIT)  # it asks for the lock now
                db.execute(sa.text("INSERT INTO run VALUES (7, 1, '', 0)"))
            waiting.join()
            numbers = server.run(f"SELECT id FROM {PostgresDatabase.at(address).schema}.run")
    finally:
        server.run(f"ALTER ROLE {USER} RESET default_transaction_isolation")

    assert numbers.split() == ["1", "7", "8"]


def test_long_urls_are_kept(store: SqlStore) -> None:
    """Addresses may be longer than what fits into an entry of an index."""
    long = "".join(f"{number * 7919:x}" for number in range(4000))

    for mark in (b"old", b"new"):
        store.save(VIPS, [Done(result_of(long, Status.LEARNED), mark, stencil_of("k"))])

    assert store.results.done(VIPS) == {f"https://{SITE}/{long}": b"new"}
