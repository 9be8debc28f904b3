"""What several workers learn, and how fast they are, beside one.

    python -m research.bench.workers learned FOLDER... [--pages N] [--sample N]
    python -m research.bench.workers speed FOLDER [--pages N] [--times N] [--rounds N]

`learned` runs each site with 1, 2 and 4 processes, with and without claims, and judges some hits by
their own renderings. `speed` runs 1 and 2 workers in turn over the pages of a site, several times
at other URLs: a first run with a new store, and one in which every page is processed again and
hits. Times include starting processes and browsers.
"""

import os
import random
import subprocess
import sys
import time
from argparse import SUPPRESS
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from research.bench import bench_parser
from research.bench.copies import Copies
from webstencil.evaluate.fidelity import Hit, judge
from webstencil.evaluate.order import Excerpt
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.jobs.workers import Workers
from webstencil.model import PageResult, Status
from webstencil.pipeline.job import Pipeline
from webstencil.protocols import ClaimReply, News
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.sources import Folder, PartOf, SourcePart
from webstencil.store import SqlStore, open_store

NUMBERS = (1, 2, 4)  # processes
BAD = 0.8  # fidelity below which a hit is bad, as in `webstencil evaluate fidelity`
WITH, WITHOUT = "claims", "no claims"


def excerpt(folder: Path, pages: int) -> Excerpt:
    """Take the first pages of a site."""
    source = Folder(folder)
    return Excerpt({raw.url: raw for raw in islice(source.pages(), pages)}, source)


def without_claims(store: SqlStore) -> SqlStore:
    """Let every worker learn at any time, without news of what others have learned."""

    def claim(site: str, learner: str, after: int = 0, known: object = ()) -> ClaimReply:
        del known
        return ClaimReply(True, News((), store.news(site, learner).version, after))

    store.claim = claim  # type: ignore[method-assign]
    return store


def work(store: Path, folder: Path, pages: int, part: SourcePart, kind: str) -> None:
    """Process a part of a site."""
    with open_store(store) as opened, ChromiumRenderer() as renderer:
        pipeline = Pipeline(opened if kind == WITH else without_claims(opened), renderer)
        for _ in pipeline.run(PartOf(excerpt(folder, pages), part)):
            continue


def share(folder: Path, pages: int, number: int, kind: str, store: Path) -> float:
    """Process a site in so many processes; return the seconds."""
    open_store(store).close()
    job = [
        sys.executable,
        "-m",
        "research.bench.workers",
        "part",
        str(folder),
        "--pages",
        str(pages),
    ]
    began = time.perf_counter()
    running = [
        subprocess.Popen([*job, "--store", str(store), "--part", str(n), str(number), kind])
        for n in range(number)
    ]
    if any(process.wait() for process in running):
        raise SystemExit("a process failed")
    return time.perf_counter() - began


def fidelities(folder: Path, pages: int, results: list[PageResult], sample: int) -> list[float]:
    """Compare some of the hits with their own renderings."""
    source = excerpt(folder, pages)
    hits = sorted([one for one in results if one.status is Status.HIT], key=lambda one: one.url)
    drawn = random.Random(1).sample(hits, min(sample, len(hits)))
    with KeepingRenderer(cache_folder() / "snapshots") as renderer:
        scores = [own_fidelity(Hit(source.raws[one.url], one), source, renderer) for one in drawn]
    return [score for score in scores if score is not None]


def own_fidelity(hit: Hit, source: Excerpt, renderer: KeepingRenderer) -> float | None:
    """Return the fidelity of a hit; None if it cannot be rendered."""
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "s.db")) as store:
        raws = {hit.raw.url: hit.raw}
        list(Pipeline(store, renderer).run(Excerpt(raws, source)))
        own = store.stencils(hit.result.site, Settings().learner)
    score = judge(hit, own[0], source, Settings(), renderer) if own else None
    return None if score is None else score.fidelity


def learned(folders: list[Path], pages: int, sample: int) -> Table:
    """Make the table of `learned`."""
    columns = ("site", "processes", "", "pages", "renderings", "hit ratio", "s", "fidelity", "bad")
    table = Table(*columns, box=None)
    for folder in folders:
        for number in NUMBERS:
            for kind in (WITH, WITHOUT) if number > 1 else (WITH,):
                table.add_row(folder.name, str(number), *row(folder, pages, number, kind, sample))
                Console(stderr=True).print(folder.name, number, kind)
    return table


def row(folder: Path, pages: int, number: int, kind: str, sample: int) -> Iterator[str]:
    """Yield the cells of one site."""
    with TemporaryDirectory() as scratch:
        path = Path(scratch, "s.db")
        seconds = share(folder, pages, number, kind, path)
        with open_store(path) as store:
            results = list(store.results(Settings().learner))
    new = sum(result.status is Status.LEARNED for result in results)
    hits = sum(result.status is Status.HIT for result in results)
    yield from (kind, str(len(results)), str(new), f"{hits / (hits + new):.3f}", f"{seconds:.1f}")
    if sample:
        scores = fidelities(folder, pages, results, sample)
        yield from (f"{fmean(scores):.3f}", f"{fmean(score < BAD for score in scores):.3f}")


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
        store.redo(Settings().learner)
    return first, run_with(number, path, source)


def run_with(number: int, path: Path, source: Copies) -> RunTime:
    """Run a job as `webstencil run` does; return its times."""
    if number > 1:
        return timed(Workers(path, number=number), source)
    with open_store(path) as store, ChromiumRenderer() as renderer:
        return timed(Pipeline(store, renderer), source)


def speed(source: Copies, rounds: int) -> Table:
    """Make the table of `speed`."""
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
    parser.add_argument("what", choices=["learned", "speed", "part"])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="pages of a site")
    parser.add_argument("--pages", type=int, default=300, help="of a site")
    parser.add_argument("--sample", type=int, default=0, help="hits to judge")
    parser.add_argument("--times", type=int, default=20, help="that the pages are repeated")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--store", type=Path, help=SUPPRESS)  # for the processes of `learned`
    parser.add_argument("--part", nargs=3, help=SUPPRESS)
    wanted = parser.parse_args()
    if wanted.what == "part":
        number, of, kind = wanted.part
        part = SourcePart(int(number), int(of))
        work(wanted.store, wanted.folders[0], wanted.pages, part, kind)
    elif wanted.what == "learned":
        Console(width=120).print(learned(wanted.folders, wanted.pages, wanted.sample))
    else:
        source = Copies(wanted.folders[0], wanted.pages, wanted.times)
        source.count()  # read before anything is timed
        Console(width=120).print(speed(source, wanted.rounds))


if __name__ == "__main__":
    main()
