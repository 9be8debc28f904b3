"""What a hit costs on real sites, in bare parses of the same page, and what a site takes in memory.

    python -m bench.hits SITE_FOLDER... [--mode paper]

The first pages of each site in crawl order are learned, 5 and then 100, whether they hit or not;
hits are sought among the next ones, in a job that has learned no more than these. Each page is
parsed bare right before the job gets it. So neither a cache of the processor nor one of ours knows
it; several such jobs are run, a page counts with its fastest parse and its fastest hit, and a site
with the median of its pages. Snapshots are kept, as `webstencil evaluate` does.
"""

import argparse
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
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
from webstencil.model import RawPage, Stencil
from webstencil.parse import parse
from webstencil.pipeline import Pipeline
from webstencil.report import Report
from webstencil.represent import represent
from webstencil.settings import Mode, Settings
from webstencil.sources import Folder
from webstencil.store import open_store

LEARNED = (5, 100)  # pages of a site
SOUGHT = 40  # pages after those, in which hits are sought
JOBS = 9
STAGES = ("parse", "match", "locate", "describe")
MEGABYTE = 1e6


@dataclass(frozen=True, slots=True)
class Hit:
    """What one hit took."""

    bare: float  # s, a parse and nothing else
    stages: tuple[float, ...]  # s, in the order of `STAGES`

    @property
    def ratio(self) -> float:
        return sum(self.stages) / self.bare


@dataclass(frozen=True, slots=True)
class Timed:
    """A source that parses each page before it gives it, and looks at the clock after that."""

    raws: Sequence[RawPage]
    told: Callable[[], Report]
    trials: dict[str, Hit]  # of the pages so far, by address

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages."""
        for raw in self.raws:
            bare = parse_seconds(raw.body)
            before = self.told()
            yield raw
            after = self.told()
            if after.hits > before.hits:
                spent = [dict(report.seconds) for report in (before, after)]
                stages = [spent[1].get(name, 0.0) - spent[0].get(name, 0.0) for name in STAGES]
                self.trials[raw.url] = Hit(bare, tuple(stages))

    def count(self) -> int:
        """Return the number of pages."""
        return len(self.raws)

    def fetch(self, url: str) -> None:
        """Have nothing to fetch; only hits are of interest."""
        del url


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
    """Time the pages that hit, each in several jobs."""
    found: dict[str, Hit] = {}
    for _ in range(JOBS):
        for url, hit in job(stencils, raws, settings).items():
            found[url] = fastest(found.get(url, hit), hit)
    return list(found.values())


def job(stencils: Sequence[Stencil], raws: Sequence[RawPage], settings: Settings) -> dict[str, Hit]:
    """Run a job that knows some stencils and can render nothing; return its hits by address."""
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "hits.db")) as store:
        pipeline = Pipeline(store, Painted(None), settings)
        pipeline._known[stencils[0].site] = known(stencils, settings)  # noqa: SLF001 - as if read
        source = Timed(raws, pipeline.report, {})
        for _ in pipeline.run(source):
            pass
    return source.trials


def fastest(one: Hit, other: Hit) -> Hit:
    """Return the fastest bare parse and the fastest hit."""
    return Hit(min(one.bare, other.bare), min(one.stages, other.stages, key=sum))


def known(stencils: Sequence[Stencil], settings: Settings) -> Known:
    """Learn stencils as the pipeline does."""
    site = Known(settings.mode, len(stencils))
    for stencil in stencils:
        site.learn(stencil)
    return site


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


def measure(folder: Path, settings: Settings, renderer: KeepingRenderer, table: Table) -> None:
    """Add the rows of a site."""
    site = Crawled(Folder(folder))
    raws = list(islice(site.pages(), max(LEARNED) + SOUGHT))
    stencils = list(learn(site, raws[: max(LEARNED)], renderer, settings))
    for number in LEARNED:
        later = raws[number : number + SOUGHT]
        found = hits(stencils[:number], later, settings)
        megabytes = memory(stencils[:number], later, settings) / MEGABYTE
        cells = [folder.name, str(number), str(len(found))]
        if found:
            cells += [f"{median(hit.bare for hit in found) * 1e6:.0f}"]
            ratios = [median(hit.stages[n] / hit.bare for hit in found) for n in range(len(STAGES))]
            cells += [f"{ratio:.2f}" for ratio in ratios]
            cells += [f"{median(hit.ratio for hit in found):.2f}"]
        else:
            cells += ["-"] * (len(STAGES) + 2)
        table.add_row(*cells, f"{megabytes:.1f}")


def main() -> None:
    """Measure the folders."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--mode", choices=[mode.value for mode in Mode], default=Mode.DEFAULT.value)
    wanted = parser.parse_args()
    columns = ("site", "learned", "hits", "bare, µs", *STAGES, "a hit", "MB")
    table = Table(*columns, title=f"mode {wanted.mode}, in bare parses", box=None)
    with KeepingRenderer(cache_folder() / "snapshots") as renderer:
        for folder in wanted.folders:
            settings = Settings(mode=Mode(wanted.mode))
            measure(folder, settings, renderer, table)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
