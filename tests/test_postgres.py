"""A store in PostgreSQL: what only a server can do to it, and what it says then."""

import pickle
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread, Timer
from time import sleep

import pytest
import sqlalchemy as sa
from click.testing import CliRunner
from postgres_server import DATABASE, PASSWORD, QUOTED, USER, Server
from store_values import SITE, VIPS, numbered_page, result_of, stencil_of

from webstencil.cli import main
from webstencil.crawl.plan import CrawlPlan
from webstencil.crawl.tables import frontier_path
from webstencil.crawl.worker import known_pages
from webstencil.errors import StoreError
from webstencil.model import Status
from webstencil.seams import Done
from webstencil.store import SqlStore, open_store
from webstencil.store.migrations import MIGRATIONS, Migration
from webstencil.store.named import database_of, place_named, without_password
from webstencil.store.postgres import PostgresDatabase
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
            store.save(VIPS, [Done(result_of("a"), b"d")], store.begin(VIPS, DAY))

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


def test_other_tables_of_the_database_do_not_matter(server: Server) -> None:
    """A store has a schema of its own, `webstencil` if none is named."""
    server.run("CREATE TABLE public.page (id int)")

    with open_store(server.address()) as store:
        store.save(VIPS, [Done(result_of("a"), b"d")])

    assert server.run("SELECT count(*) FROM webstencil.page") == "1"
    assert server.run("SELECT count(*) FROM public.page") == "0"


def test_a_schema_with_other_tables_is_named_and_left_alone(
    server: Server, address: str, schema: str
) -> None:
    """What is no store is not made one."""
    server.run(f"CREATE SCHEMA {schema} AUTHORIZATION {USER}")
    server.run(f"CREATE TABLE {schema}.bookmarks (url text)")

    with pytest.raises(StoreError) as caught:
        open_store(address)

    shown = str(PostgresDatabase.at(address))
    assert str(caught.value) == (
        f"{shown} is not a webstencil store but a database with other tables: name a schema for "
        f"the store in the address, as in {shown.partition('?')[0]}?schema=NAME"
    )


def test_tables_are_made_in_no_other_schema(server: Server, address: str, schema: str) -> None:
    """Settings that lead elsewhere, as poolers have them, are refused before anything is made."""
    said = refused(address + "&options=-csearch_path%3Dpublic")

    assert f"looks for tables in public, not in {schema}: take search_path out" in said
    assert server.run("SELECT to_regclass('public.webstencil_schema')") == ""


def test_text_that_cannot_be_kept_is_named(store: SqlStore) -> None:
    """PostgreSQL has no character 0."""
    with pytest.raises(StoreError, match="keeps no text with that character: leave that page out"):
        store.save(VIPS, [Done(result_of("\0"), b"d")])


def refused(address: str) -> str:
    """Return what opening a store says, having looked for the password in it and its causes."""
    with pytest.raises(StoreError) as caught:
        open_store(address, wait=WAIT)

    whole = "".join(traceback.format_exception(caught.value)) + repr(caught.value.__context__)
    assert not any(secret in whole for secret in ("s3cret", "pass@", "wrong"))
    return str(caught.value)


@pytest.mark.parametrize(
    ("address", "failure", "next_step"),
    [
        ("me:wrong@127.0.0.1:{port}/stencils", "password authentication failed", "correct user"),
        ("me@127.0.0.1:{port}/stencils", "no password supplied", "PGPASSWORD"),
        ("me:{good}@127.0.0.1:{port}/absent", '"absent" does not exist', "createdb absent"),
        ("me:{good}@127.0.0.1:1/stencils", "Connection refused", "no server answers there"),
        ("/stencils?host=/none&password=wrong", "No such file", "no server answers there"),
        ("me:{good}@127.0.0.1:{port}/stencils?colour=wrong", "colour", "PostgreSQL"),
        ("me:s3cret@pass@127.0.0.1/stencils", "no address of PostgreSQL", "%40"),
        ("me:s3cret@127.0.0.1:port/stencils", "no address of PostgreSQL", "%40"),
        ("me:wrong@127.0.0.1/stencils?schema=A;B", "schema must be a name", "A;B"),
    ],
)
def test_what_keeps_from_connecting_is_named(
    server: Server, address: str, failure: str, next_step: str
) -> None:
    """Each failure comes with the next step, and none shows the password."""
    said = refused("postgresql://" + address.format(port=server.port, good=QUOTED))

    assert failure in said
    assert next_step in said.partition(failure)[2]


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not installed the extra is told its name."""
    monkeypatch.setitem(sys.modules, "psycopg", None)

    assert "pip install webstencil[postgres]" in refused("postgresql://me:s3cret@127.0.0.1/x")


def test_no_text_of_a_store_has_the_password(server: Server, address: str) -> None:
    """Nor has one of a crawl's plan, of an argument, or of an open store's error."""
    place = PostgresDatabase.at(address + f"&password={QUOTED}&sslmode=prefer")
    shown = f"postgresql://{USER}:***@127.0.0.1:{server.port}/{DATABASE}?"
    plan = CrawlPlan("http://a.org/", frontier_path(place), store=place)

    texts = [str(place), repr(place), repr(place.engine(WAIT)), repr(plan), place.instead]
    texts += [without_password(text) for text in (address, f"--store={address}")]

    assert str(place) == f"{shown}password=...&schema={place.schema}&sslmode=prefer"
    assert texts[-1] == f"--store={shown}schema={place.schema}"
    assert not [text for text in texts if "s3cret" in text or PASSWORD in text]


@pytest.mark.parametrize("given", ["run", "--out=a=b.jsonl", "site.db", "https://me:you@a.org/"])
def test_other_arguments_are_shown_as_they_are(given: str) -> None:
    """Only addresses of stores are changed."""
    assert without_password(given) == given


@pytest.mark.parametrize(
    ("rights", "failure"),
    [
        ("", "permission denied for database"),
        ("CREATE SCHEMA {schema}", "no schema has been selected to create in"),
        ("CREATE SCHEMA {schema}; GRANT USAGE ON SCHEMA {schema} TO guest", "permission denied"),
    ],
)
def test_missing_rights_are_named(server: Server, schema: str, rights: str, failure: str) -> None:
    """A store that may not be made is refused, with the page that lists the rights."""
    server.run("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN PASSWORD 's3cret'")
    server.run(rights.format(schema=schema))
    try:
        said = refused(server.address(schema, user="guest:s3cret"))
    finally:
        server.run(f"DROP SCHEMA IF EXISTS {schema} CASCADE; DROP ROLE guest")

    assert failure in said
    assert said.endswith("see the rights in docs/store.md")


def test_who_may_only_read_can_look(server: Server, address: str, schema: str) -> None:
    """Reading needs no more than USAGE and SELECT; writing says what is missing."""
    with open_store(address) as store:
        store.save(VIPS, [numbered_page(0)])
    server.run(
        "DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN PASSWORD 's3cret';"
        f"GRANT USAGE ON SCHEMA {schema} TO guest;"
        f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO guest"
    )

    with open_store(server.address(schema, user="guest:s3cret")) as store:
        found = list(store.results(VIPS)), store.stencils(SITE, VIPS)
        with pytest.raises(StoreError, match=r"permission denied .* see the rights in docs/store"):
            store.forget("k0")

    server.run("DROP OWNED BY guest; DROP ROLE guest")
    assert found == ([numbered_page(0).result], (numbered_page(0).learned,))


def test_who_may_only_change_rows_can_work(server: Server, address: str, schema: str) -> None:
    """Once the store is made, jobs need no right to make anything."""
    open_store(address).close()
    server.run(
        "DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN PASSWORD 's3cret';"
        f"GRANT USAGE ON SCHEMA {schema} TO guest;"
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO guest"
    )

    with open_store(server.address(schema, user="guest:s3cret")) as store:
        run = store.begin(VIPS, DAY)
        for number in (0, 1, 0):
            store.save(VIPS, [numbered_page(number)], run)
        store.keep(VIPS, "a", b"learned")
        found = [result.url for result in store.results(VIPS)]
        store.end(run, (), 10)
        forgotten = store.forget("k0")

    server.run("DROP OWNED BY guest; DROP ROLE guest")
    assert found == ["https://example.org/1", "https://example.org/0"]
    assert forgotten == 1


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
    assert said.endswith("make room there and run again, what is saved stays saved")
    assert list(store.results(VIPS)) == [numbered_page(0).result]
    assert store.stencils(SITE, VIPS) == (numbered_page(0).learned,)


def test_a_locked_store_is_named(address: str) -> None:
    """A save that waited in vain for another process says so, and can be tried again."""
    with open_store(address, wait=WAIT) as store, open_store(address) as other:
        store.save(VIPS, [Done(result_of("a"), b"d")])
        with other._writing("hold the lock"), pytest.raises(StoreError) as caught:
            store.save(VIPS, [Done(result_of("b"), b"d")])
        store.save(VIPS, [Done(result_of("c"), b"d")])

        assert list(store.done(VIPS)) == ["https://example.org/a", "https://example.org/c"]
    assert str(caught.value).endswith(
        "another process is writing to it: wait for that, or end it, and run again"
    )


def test_stores_of_a_database_do_not_wait_for_each_other(server: Server) -> None:
    """The lock is that of a store, not of the database."""
    other = open_store(server.new_address())
    with open_store(server.new_address(), wait=WAIT) as store, other._writing("hold the lock"):
        store.save(VIPS, [Done(result_of("a"), b"d")])

        assert list(store.done(VIPS)) == ["https://example.org/a"]
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
    assert "no server answers there: start it" in str(caught.value)


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

    with pytest.raises(StoreError, match="the connection was lost: what was saved before stays"):
        store.save(VIPS, [numbered_page(3)])
    server.run(f"DROP TRIGGER act ON {schema}.result")
    store.save(VIPS, [numbered_page(6)])

    assert list(store.results(VIPS)) == [numbered_page(0).result, numbered_page(6).result]
    assert store.stencils(SITE, VIPS) == (numbered_page(0).learned, numbered_page(6).learned)


def test_a_reader_sees_one_moment(store: SqlStore) -> None:
    """What others commit while it reads changes nothing for it."""
    with store._reading("read twice") as db:
        before = db.scalar(sa.text("SELECT count(*) FROM page"))
        store.save(VIPS, [numbered_page(0)])
        after = db.scalar(sa.text("SELECT count(*) FROM page"))

    assert (before, after) == (0, 0)


def test_a_writer_sees_what_the_one_before_it_wrote(server: Server, address: str) -> None:
    """Also where the server's transactions are made to see one moment unless told otherwise."""
    server.run(f"ALTER ROLE {USER} SET default_transaction_isolation = 'serializable'")
    try:
        with open_store(address) as one, open_store(address) as other:
            other.begin(VIPS, DAY)
            with one._writing("hold the lock") as db:
                waiting = Thread(target=other.begin, args=(VIPS, DAY))
                waiting.start()
                sleep(WAIT)  # it asks for the lock now
                db.execute(sa.text("INSERT INTO run VALUES (7, 1, '', 0)"))
            waiting.join()
            numbers = server.run(f"SELECT id FROM {PostgresDatabase.at(address).schema}.run")
    finally:
        server.run(f"ALTER ROLE {USER} RESET default_transaction_isolation")

    assert numbers.split() == ["1", "7", "8"]


def test_long_addresses_are_kept(store: SqlStore) -> None:
    """Addresses may be longer than what fits into an entry of an index."""
    long = "".join(f"{number * 7919:x}" for number in range(4000))

    for mark in (b"old", b"new"):
        store.save(VIPS, [Done(result_of(long, Status.LEARNED), mark, stencil_of("k"))])

    assert store.done(VIPS) == {f"https://{SITE}/{long}": b"new"}


def test_commands_take_an_address(server: Server, address: str) -> None:
    """They find what is there, and name what is not without the password."""
    with open_store(address) as store:
        store.save(VIPS, [numbered_page(0)])
    absent = server.new_address()

    told = [
        CliRunner().invoke(main, ["stencils", *command, "--store", place])
        for command, place in (
            (["list", "--json"], address),
            (["show", "k0"], address),
            (["forget", "k0"], address),
            (["list"], address),
            (["list"], absent),
        )
    ]

    assert [done.exit_code for done in told] == [0, 0, 0, 0, 2]
    assert '"key": "k0"' in told[0].output
    assert told[2].output == "Forgot k0; the next run does 1 pages again.\n"
    assert told[4].output.startswith("Error: there is no store postgresql://me:***@127.0.0.1:")
    assert not [done for done in told if "s3cret" in done.output]
    with closing(PostgresDatabase.at(absent).engine(WAIT).raw_connection()) as connection:
        query = f"SELECT 1 FROM pg_namespace WHERE nspname = '{absent.partition('=')[2]}'"
        assert connection.cursor().execute(query).fetchone() is None


def test_a_crawl_knows_which_pages_are_done(new_place: Callable[[], str]) -> None:
    """Its other process is told the place, and makes no store where there is none."""
    places = [place_named(new_place()) for _ in range(2)]
    with open_store(places[0]) as store:
        store.save(VIPS, [numbered_page(0)])

    plans = [
        CrawlPlan("http://a.org/", frontier_path(place), store=place, made_by=VIPS)
        for place in places
    ]
    known = [set(known_pages(pickle.loads(pickle.dumps(plan)))) for plan in plans]

    assert known == [{"https://example.org/0"}, set()]
    assert [database_of(place).is_there() for place in places] == [True, False]


def test_the_lists_of_a_crawl_stand_in_a_file_here() -> None:
    """A crawl into a database keeps its lists in the folder it is started in."""
    places = [
        PostgresDatabase.at(f"postgresql://me:secret@host/stencils{query}")
        for query in ("", "?schema=news")
    ]

    assert [str(frontier_path(place)) for place in places] == [
        "stencils.frontier",
        "stencils.news.frontier",
    ]
