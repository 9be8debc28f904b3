"""What tests of several files share: a PostgreSQL server, and places for stores in it."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from postgres_server import NoServer, Server, started


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Start one server for all tests."""
    pytest.importorskip("psycopg")
    try:
        with started() as running:
            yield running
    except NoServer as error:
        pytest.skip(f"no PostgreSQL server can be had: {error}")


@pytest.fixture(params=["sqlite", "postgresql"])
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Name stores that are not there yet, of each kind."""
    if request.param == "postgresql":
        server: Server = request.getfixturevalue("server")
        return server.new_address
    numbers = count()
    return lambda: str(tmp_path / f"stencils{next(numbers)}.db")


@pytest.fixture
def place(new_place: Callable[[], str]) -> str:
    """Name a store that is not there yet, of each kind."""
    return new_place()
