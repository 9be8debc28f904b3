"""What tests of several files share: how examples are found, a PostgreSQL server, its stores."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings
from postgres_server import NoServer, Server, started

settings.register_profile("same", derandomize=True, deadline=None)  # a busy machine is no failure
settings.register_profile("search", max_examples=3_000, deadline=None)
settings.load_profile("same")


@pytest.fixture(scope="session", autouse=True)
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let processes that tests start load what the first of them has compiled."""
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        environment.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("compiled")))
        yield


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
