"""What a hit costs on real sites, in bare parses of the same page, and what a site takes in memory.

    python -m bench.hits SITE_FOLDER... [--mode paper] [--once]

The first pages of each site in crawl order are learned, 5 and then 100, whether they hit or not;
hits are sought among the next ones. Bare parses and hits of a page are done in turn, so that both
find the processor's caches as a job leaves them that has just saved a result; "alone" is what a
bare parse takes right after another one of the same page. A page counts with the fastest of several
rounds, a site with the median of its pages. Snapshots are kept, as `webstencil evaluate` does.

With `--once` a page is done once in each round, all others and the learning come between, as in a
job: neither a cache of the processor nor one of ours knows it from the round before.
"""

import argparse
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from webstencil.codec import decode_stencil, encode_stencil
from webstencil.errors import WebstencilError
from webstencil.evaluate.fidelity import Painted, parse_seconds
from webstencil.evaluate.order import Crawled
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.extract.headlines import mark
from webstencil.kinds import label
from webstencil.known import Known
from webstencil.model import RawPage, Status, Stencil
from webstencil.parse import parse
from webstencil.pipeline import Pipeline
from webstencil.represent import represent
from webstencil.settings import Mode, Settings
from webstencil.sources import Folder
from webstencil.store import open_store

LEARNED = (5, 100)  # pages of a site
SOUGHT = 40  # pages after those, in which hits are sought
ROUNDS = 15
ROUNDS_ONCE = 7  # each learns the site anew
STAGES = ("parse", "match", "locate", "describe")
MEGABYTE = 1e6


@dataclass(frozen=True, slots=True)
class Hit:
    """What one hit took."""

    bare: float  # s, a parse in turn with hits
    alone: float  # s, a parse after others
    stages: tuple[float, ...]  # s, in the order of `STAGES`

    @property
    def ratio(self) -> float:
        return sum(self.stages) / self.bare


def learn(
    site: Crawled, raws: Sequence[RawPage], renderer: KeepingRenderer, settings: Settings
) -> Iterator[Stencil]:
    """Yield a stencil of each page that has one."""
    for raw in raws:
        try:
            page = parse(raw)
            snapshot = renderer.render(page, site)
            areas = mark(snapshot, label(page, snapshot, settings.segmenter.segment(snapshot)))
            yield represent(page, snapshot, areas, settings.made_by)
        except WebstencilError:
            continue


def hits(stencils: Sequence[Stencil], raws: Sequence[RawPage], settings: Settings) -> list[Hit]:
    """Time the pages that hit, each in all rounds one after the other."""
    with prepared(stencils, settings) as (pipeline, nowhere):
        done = [(raw, pipeline.process(raw, nowhere).status) for raw in raws]
        return [timed(pipeline, raw, nowhere) for raw, status in done if status is Status.HIT]


def hits_once(
    stencils: Sequence[Stencil], raws: Sequence[RawPage], settings: Settings
) -> list[Hit]:
    """Time the pages that hit, each once in a round, with a site that does not know them."""
    rounds: dict[str, list[Hit]] = {}
    for _ in range(ROUNDS_ONCE):
        with prepared(stencils, settings) as (pipeline, nowhere):
            for raw in raws:
                bare = parse_seconds(raw.body)
                status, stages = staged(pipeline, raw, nowhere)
                if status is Status.HIT:
                    rounds.setdefault(raw.url, []).append(Hit(bare, bare, stages))
    return [fastest(trials) for trials in rounds.values()]


def fastest(trials: Sequence[Hit]) -> Hit:
    """Return the fastest bare parse and the fastest hit."""
    bare = min(trial.bare for trial in trials)
    return Hit(bare, bare, min((trial.stages for trial in trials), key=sum))


@contextmanager
def prepared(stencils: Sequence[Stencil], settings: Settings) -> Iterator[tuple[Pipeline, Folder]]:
    """Open a pipeline that has learned stencils, with an empty folder as its source."""
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "hits.db")) as store:
        pipeline = Pipeline(store, Painted(None), settings)
        pipeline._known[stencils[0].site] = known(stencils, settings)  # noqa: SLF001 - as if read
        yield pipeline, Folder(scratch)


def known(stencils: Sequence[Stencil], settings: Settings) -> Known:
    """Learn stencils as the pipeline does."""
    site = Known(settings.mode, len(stencils))
    for stencil in stencils:
        site.learn(stencil)
    return site


def timed(pipeline: Pipeline, raw: RawPage, nowhere: Folder) -> Hit:
    """Return the fastest of some hits of a page, and of some bare parses."""
    trials, bare = [], []
    for _ in range(ROUNDS):
        bare.append(parse_seconds(raw.body))
        trials.append(staged(pipeline, raw, nowhere)[1])
    alone = [parse_seconds(raw.body) for _ in range(ROUNDS)]
    return Hit(min(bare), min(alone), min(trials, key=sum))


def staged(pipeline: Pipeline, raw: RawPage, nowhere: Folder) -> tuple[Status, tuple[float, ...]]:
    """Process a page; return what became of it, and the seconds of each stage."""
    before = dict(pipeline.report().seconds)
    status = pipeline.process(raw, nowhere).status
    after = dict(pipeline.report().seconds)
    return status, tuple(after.get(s, 0.0) - before.get(s, 0.0) for s in STAGES)


def memory(stencils: Sequence[Stencil], raws: Sequence[RawPage], settings: Settings) -> float:
    """Return the bytes that a site takes with its stencils, after some pages were laid over."""
    blobs = [encode_stencil(stencil) for stencil in stencils]
    tracemalloc.start()
    site = known([decode_stencil(blob) for blob in blobs], settings)
    for raw in raws:
        page = parse(raw)
        site.transfer.lay(page) if settings.mode is Mode.DEFAULT else site.matcher.nearest(page)
        del page
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken


def measure(
    folder: Path, settings: Settings, renderer: KeepingRenderer, table: Table, *, once: bool
) -> None:
    """Add the rows of a site."""
    site = Crawled(Folder(folder))
    raws = list(islice(site.pages(), max(LEARNED) + SOUGHT))
    stencils = list(learn(site, raws[: max(LEARNED)], renderer, settings))
    for number in LEARNED:
        later = raws[number : number + SOUGHT]
        found = (hits_once if once else hits)(stencils[:number], later, settings)
        megabytes = memory(stencils[:number], later, settings) / MEGABYTE
        cells = [folder.name, str(number), str(len(found))]
        if found:
            cells += [f"{median(hit.bare for hit in found) * 1e6:.0f}"]
            cells += [f"{median(hit.alone for hit in found) * 1e6:.0f}"]
            ratios = [median(hit.stages[n] / hit.bare for hit in found) for n in range(len(STAGES))]
            cells += [f"{ratio:.2f}" for ratio in ratios]
            cells += [f"{median(hit.ratio for hit in found):.2f}"]
        else:
            cells += ["-"] * (len(STAGES) + 3)
        table.add_row(*cells, f"{megabytes:.1f}")


def main() -> None:
    """Measure the folders."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--mode", choices=[mode.value for mode in Mode], default=Mode.DEFAULT.value)
    parser.add_argument("--once", action="store_true")
    wanted = parser.parse_args()
    columns = ("site", "learned", "hits", "bare, µs", "alone, µs", *STAGES, "a hit", "MB")
    table = Table(*columns, title=f"mode {wanted.mode}, in bare parses", box=None)
    with KeepingRenderer(cache_folder() / "snapshots") as renderer:
        for folder in wanted.folders:
            settings = Settings(mode=Mode(wanted.mode))
            measure(folder, settings, renderer, table, once=wanted.once)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
