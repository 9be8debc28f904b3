"""URLs of stores in PostgreSQL: what they open, which rights are needed, no password in texts."""

import pickle
import sys
import traceback
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from postgres_server import DATABASE, PASSWORD, QUOTED, USER, Server
from store_values import SITE, VIPS, numbered_page, result_of

from webstencil.cli.main import main
from webstencil.crawl.frontier_tables import frontier_path
from webstencil.crawl.messages import CrawlPlan
from webstencil.crawl.worker import known_pages
from webstencil.errors import StoreError
from webstencil.protocols import Done
from webstencil.store import open_store
from webstencil.store.postgres import PostgresDatabase
from webstencil.store.sql import database_of, place_named, without_password

WAIT = 0.3  # s, how long a test waits for what does not come
DAY = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def address(server: Server) -> str:
    return server.new_address()


@pytest.fixture
def schema(address: str) -> str:
    return PostgresDatabase.at(address).schema


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
        f"the store in the URL, as in {shown.partition('?')[0]}?schema=NAME"
    )


def test_tables_are_made_in_no_other_schema(server: Server, address: str, schema: str) -> None:
    """Settings that lead elsewhere, as poolers have them, are refused before anything is made."""
    said = refused(address + "&options=-csearch_path%3Dpublic")

    assert f"looks for tables in public, not in {schema}: take search_path out" in said
    assert server.run("SELECT to_regclass('public.webstencil_schema')") == ""


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
        ("me:{good}@127.0.0.1:1/stencils", "Connection refused", "no server answers"),
        ("/stencils?host=/none&password=wrong", "No such file", "no server answers"),
        ("me:{good}@127.0.0.1:{port}/stencils?colour=wrong", "colour", "PostgreSQL"),
        ("me:s3cret@pass@127.0.0.1/stencils", "not a PostgreSQL URL", "%40"),
        ("me:s3cret@127.0.0.1:port/stencils", "not a PostgreSQL URL", "%40"),
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
    """Only URLs of stores are changed."""
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
    assert said.endswith("grant the rights listed in docs/store.md")


def test_a_user_who_may_only_read_can_look(server: Server, address: str, schema: str) -> None:
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
        with pytest.raises(StoreError, match=r"permission denied .* grant the rights"):
            store.stencils.forget("k0")

    server.run("DROP OWNED BY guest; DROP ROLE guest")
    assert found == ([numbered_page(0).result], (numbered_page(0).learned,))


def test_a_user_who_may_change_rows_can_work(server: Server, address: str, schema: str) -> None:
    """Once the store is made, jobs need no right to make anything."""
    open_store(address).close()
    server.run(
        "DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN PASSWORD 's3cret';"
        f"GRANT USAGE ON SCHEMA {schema} TO guest;"
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO guest"
    )

    with open_store(server.address(schema, user="guest:s3cret")) as store:
        run = store.runs.begin(VIPS, DAY)
        for number in (0, 1, 0):
            store.save(VIPS, [numbered_page(number)], run)
        store.blobs.keep(VIPS, "a", b"learned")
        found = [result.url for result in store.results(VIPS)]
        store.runs.end(run, (), 10)
        forgotten = store.stencils.forget("k0")

    server.run("DROP OWNED BY guest; DROP ROLE guest")
    assert found == ["https://example.org/1", "https://example.org/0"]
    assert forgotten == 1


def test_commands_take_a_url(server: Server, address: str) -> None:
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
    assert told[2].output == "Forgot k0; the next run processes 1 page again.\n"
    assert told[4].output.startswith("Error: there is no store postgresql://me:***@127.0.0.1:")
    assert not [done for done in told if "s3cret" in done.output]
    with closing(PostgresDatabase.at(absent).engine(WAIT).raw_connection()) as connection:
        query = f"SELECT 1 FROM pg_namespace WHERE nspname = '{absent.partition('=')[2]}'"
        assert connection.cursor().execute(query).fetchone() is None


def test_a_crawl_knows_which_pages_are_done(new_place: Callable[[], str]) -> None:
    """Its other process is told the store, and makes no store where there is none."""
    places = [place_named(new_place()) for _ in range(2)]
    with open_store(places[0]) as store:
        store.save(VIPS, [numbered_page(0)])

    plans = [
        CrawlPlan("http://a.org/", frontier_path(place), store=place, learner=VIPS)
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


@pytest.mark.parametrize("named", ["site.db", "/data/site.db", "sqlite:////data/site.db"])
def test_files_are_named_as_before(named: str) -> None:
    """By a path, which stays as it was given, or by an sqlite:// URL."""
    assert place_named(named) == Path(named.removeprefix("sqlite:///"))
