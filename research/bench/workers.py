"""How fast several workers are, beside one.

    python -m research.bench.workers FOLDER [--pages N] [--times N] [--rounds N]

1 and 2 workers run in turn over the pages of a site, several times at other URLs: a first run with
a new store, and one in which every page is processed again. Times include starting processes and
browsers. That results are the same is checked by `webstencil evaluate order`.
"""

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from research.bench import bench_parser
from webstencil.jobs.job import Pipeline
from webstencil.jobs.workers import Workers
from webstencil.model import RawPage, Resource
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.sources import Folder
from webstencil.store import open_store

# A large site made of a small one: its pages several times, at other URLs.


@dataclass(frozen=True)
class Copies:
    """The first pages of a folder, several times; the files are read once."""

    folder: Path
    most: int  # pages of the folder
    times: int

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages."""
        for copy in range(self.times):
            for raw in read_first(self.folder, self.most):
                yield replace(raw, url=f"{raw.url}?copy={copy}")

    def count(self) -> int:
        """Return the number of pages."""
        return self.times * len(read_first(self.folder, self.most))

    def fetch(self, url: str) -> Resource | None:
        """Return a resource of the folder."""
        return Folder(self.folder).fetch(url)


@lru_cache
def read_first(folder: Path, most: int) -> tuple[RawPage, ...]:
    """Read the first pages of a folder."""
    return tuple(islice(Folder(folder).pages(), most))


@dataclass(frozen=True, slots=True)
class RunTime:
    """The times of a run."""

    seconds: float
    processor: float  # s, of all its processes

    def words(self) -> tuple[str, str]:
        """Write the cells of a table."""
        return f"{self.seconds:.1f}", f"{self.processor:.1f}"


def processor_seconds() -> float:
    """Return the processor seconds of this process and its ended children."""
    return sum(os.times()[:4])


def timed(job: Workers | Pipeline, source: Copies) -> RunTime:
    """Run a job; return its times."""
    began, had = time.perf_counter(), processor_seconds()
    for _ in job.run(source):
        continue
    return RunTime(time.perf_counter() - began, processor_seconds() - had)


def passes(source: Copies, number: int, scratch: Path) -> tuple[RunTime, RunTime]:
    """Return the times of a first run, and of one in which all pages hit."""
    path = scratch / f"{number}-{time.time_ns()}.db"
    first = run_with(number, path, source)
    with open_store(path) as store:
        store.results.redo(Settings().learner)
    return first, run_with(number, path, source)


def run_with(number: int, path: Path, source: Copies) -> RunTime:
    """Run a job as `webstencil run` does; return its times."""
    if number > 1:
        return timed(Workers(path, number=number), source)
    with open_store(path) as store, ChromiumRenderer() as renderer:
        return timed(Pipeline(store, renderer), source)


def speed(source: Copies, rounds: int) -> Table:
    """Make the table."""
    found: dict[tuple[str, int], list[RunTime]] = {}
    with TemporaryDirectory() as scratch:
        for number in (1, 2) * rounds:
            first, again = passes(source, number, Path(scratch))
            found.setdefault(("first run", number), []).append(first)
            found.setdefault(("all pages again", number), []).append(again)
    columns = ("", "pages", "1 worker, s", "processor", "2 workers, s", "processor", "ratio")
    table = Table(*columns, box=None)
    for name in ("first run", "all pages again"):
        one, two = [middle(found[name, number]) for number in (1, 2)]
        ratio = f"{one.seconds / two.seconds:.2f}"
        table.add_row(name, str(source.count()), *one.words(), *two.words(), ratio)
    return table


def middle(runs: list[RunTime]) -> RunTime:
    """Return the median run."""
    return sorted(runs, key=lambda took: took.seconds)[len(runs) // 2]


def main() -> None:
    """Measure."""
    parser = bench_parser("workers", __doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="pages of a site")
    parser.add_argument("--pages", type=int, default=300, help="of a site")
    parser.add_argument("--times", type=int, default=20, help="that the pages are repeated")
    parser.add_argument("--rounds", type=int, default=3)
    wanted = parser.parse_args()
    source = Copies(wanted.folder, wanted.pages, wanted.times)
    source.count()  # read before anything is timed
    Console(width=120).print(speed(source, wanted.rounds))


if __name__ == "__main__":
    main()
