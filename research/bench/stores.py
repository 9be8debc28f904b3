"""The cost of a save and of a job on hits, in SQLite and in PostgreSQL, in turns.

The URL must name a schema that does not exist, as in postgresql://me:pw@host/db?schema=bench; it is
dropped at the end. Without a folder it measures the demo site. The job has all stencils of the
folder; its time is that from reading files to saved results.
"""

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter

from rich.console import Console
from rich.table import Table
from sqlalchemy.schema import DropSchema

from research.bench import bench_parser
from research.demo import build
from webstencil.errors import StoreError
from webstencil.jobs.job import Pipeline
from webstencil.protocols import Done
from webstencil.render import ChromiumRenderer
from webstencil.sources import Folder
from webstencil.store import SqlStore, open_store
from webstencil.store.postgres import PostgresDatabase

ROUNDS = 5
SAVES = 200  # a round
WAIT = 10.0  # s, for the lock
TOGETHER = 16  # pages that a job on hits saves in one batch


def saves(store: SqlStore, pages: list[Done], together: int) -> float:
    """Return the seconds to save a page."""
    learner = f"{together} at once"
    run = store.runs.begin(learner, datetime.now(UTC))
    steps = [pages[at : at + together] for at in range(0, SAVES, together)]
    began = perf_counter()
    for step in steps:
        store.save(learner, step, run)
    return (perf_counter() - began) / SAVES


def job(store: SqlStore, folder: Folder) -> float:
    """Return the seconds of a page in a job that has all stencils and no result."""
    with ChromiumRenderer() as renderer:
        pipeline = Pipeline(store, renderer)
        store.results.redo(pipeline.settings.learner)
        began = perf_counter()
        pages = sum(1 for _ in pipeline.run(folder))
    return (perf_counter() - began) / pages


def learn(store: SqlStore, folder: Folder) -> list[Done]:
    """Process a folder once; return pages of it to save."""
    with ChromiumRenderer() as renderer:
        pipeline = Pipeline(store, renderer)
        for _ in pipeline.run(folder):
            pass
    results = list(store.results(pipeline.settings.learner))
    named = [results[number % len(results)] for number in range(SAVES)]
    return [
        Done(replace(result, url=f"{result.url}?{number}"), b"d" * 16)
        for number, result in enumerate(named)
    ]


def measure(stores: dict[str, SqlStore], folder: Folder) -> Table:
    """Measure all stores in turns."""
    pages = [learn(store, folder) for store in stores.values()].pop()
    works: dict[str, Callable[[SqlStore], float]] = {
        "a page saved alone": lambda store: saves(store, pages, 1),
        f"a page saved with {TOGETHER - 1} others": lambda store: saves(store, pages, TOGETHER),
        "a page of a job on hits": lambda store: job(store, folder),
    }
    table = Table("", *[f"{name}, µs" for name in stores], "ratio", box=None)
    for words, work in works.items():
        rounds = [[work(store) for store in stores.values()] for _ in range(ROUNDS)]
        times = [median(found) for found in zip(*rounds, strict=True)]
        table.add_row(
            words, *[f"{time * 1e6:,.0f}" for time in times], f"{times[1] / times[0]:.2f}"
        )
    return table


def empty_database(url: str) -> PostgresDatabase:
    """Return a database whose schema does not exist: it is dropped at the end."""
    database = PostgresDatabase.at(url)
    if database.is_there():
        raise StoreError(f"{database} exists; choose a schema that does not")
    return database


def drop(database: PostgresDatabase) -> None:
    """Drop the schema."""
    engine = database.engine(WAIT)
    with engine.connect().execution_options(write=True) as db, db.begin():
        db.execute(DropSchema(database.schema, cascade=True))
    engine.dispose()


def main() -> None:
    """Measure."""
    parser = bench_parser("stores", __doc__)
    parser.add_argument("url", metavar="URL", help="of a PostgreSQL database and schema")
    parser.add_argument("folder", nargs="?", help="pages of a site")
    wanted = parser.parse_args()
    database = empty_database(wanted.url)
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as things:
        demo = None if wanted.folder else build(Path(scratch) / "demo")
        folder = Folder(demo.folder, base_url=demo.base_url) if demo else Folder(wanted.folder)
        things.callback(drop, database)
        databases: dict[str, Path | PostgresDatabase] = {
            "SQLite": Path(scratch, "s.db"),
            "PostgreSQL": database,
        }
        stores = {name: things.enter_context(open_store(at)) for name, at in databases.items()}
        Console(width=100).print(measure(stores, folder))


if __name__ == "__main__":
    main()
