"""What a save and a job on hits cost in a file and in PostgreSQL, in turns on the same machine.

    python -m research.bench.stores POSTGRESQL_ADDRESS [FOLDER]

The address must name a schema that is not there, as in postgresql://me:pw@host/db?schema=bench; it
is dropped at the end. Without a folder: the demo site. The job knows all stencils of the folder
before it begins; its time is that of the whole, from reading files to saved results.
"""

import argparse
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

from research.demo import build
from webstencil.errors import StoreError
from webstencil.pipeline.job import Pipeline
from webstencil.protocols import Done
from webstencil.render import ChromiumRenderer
from webstencil.sources import Folder
from webstencil.store import SqlStore, open_store
from webstencil.store.postgres import PostgresDatabase

ROUNDS = 5
SAVES = 200  # a round
WAIT = 10.0  # s, for the lock
TOGETHER = 16  # pages that a job of fast hits saves in one step


def saves(store: SqlStore, pages: list[Done], together: int) -> float:
    """Return the seconds that a page's save takes."""
    made_by = f"{together} at once"
    run = store.begin(made_by, datetime.now(UTC))
    steps = [pages[at : at + together] for at in range(0, SAVES, together)]
    began = perf_counter()
    for step in steps:
        store.save(made_by, step, run)
    return (perf_counter() - began) / SAVES


def job(store: SqlStore, folder: Folder) -> float:
    """Return the seconds that a page takes, in a job that has all stencils and no result."""
    with ChromiumRenderer() as renderer:
        pipeline = Pipeline(store, renderer)
        store.redo(pipeline.settings.learner)
        began = perf_counter()
        pages = sum(1 for _ in pipeline.run(folder))
    return (perf_counter() - began) / pages


def learn(store: SqlStore, folder: Folder) -> list[Done]:
    """Do a folder once; return pages of it for saving."""
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


def place_of(address: str) -> PostgresDatabase:
    """Return where to measure; what is there would be dropped."""
    place = PostgresDatabase.at(address)
    if place.is_there():
        raise StoreError(f"{place} is there already; name a schema that is not")
    return place


def drop(place: PostgresDatabase) -> None:
    """Remove what was made for measuring."""
    engine = place.engine(WAIT)
    with engine.connect().execution_options(write=True) as db, db.begin():
        db.execute(DropSchema(place.schema, cascade=True))
    engine.dispose()


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("folder", nargs="?")
    wanted = parser.parse_args()
    place = place_of(wanted.address)
    with tempfile.TemporaryDirectory() as scratch, ExitStack() as things:
        demo = None if wanted.folder else build(Path(scratch) / "demo")
        folder = Folder(demo.folder, base_url=demo.base_url) if demo else Folder(wanted.folder)
        things.callback(drop, place)
        places: dict[str, Path | PostgresDatabase] = {
            "SQLite": Path(scratch, "s.db"),
            "PostgreSQL": place,
        }
        stores = {name: things.enter_context(open_store(at)) for name, at in places.items()}
        Console(width=100).print(measure(stores, folder))


if __name__ == "__main__":
    main()
