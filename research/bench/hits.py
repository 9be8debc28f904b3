"""The cost of pages on real sites, in bare parses of the same page, and the memory of a site.

In the default mode the first pages of a site go through a job; then survey and apply are timed on
some of them (`evaluate/fidelity.py`). In paper mode the first pages in crawl order are learned, 5
and then 100, whether they hit or not; hits are measured among the next pages, in jobs that have
learned only these. No cache has seen the pages (`research/papers/fidelity.py`). A site counts with
the median of its pages. Snapshots are cached, as in `webstencil evaluate`.
"""

import tracemalloc
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from research.bench import bench_parser
from research.papers.crawl_order import Crawled
from research.papers.fidelity import STAGES, hit_costs
from webstencil.codec import decode_stencil, encode_stencil
from webstencil.errors import WebstencilError
from webstencil.evaluate.fidelity import COST_PARTS, page_costs, process_sample
from webstencil.evaluate.site_pages import Excerpt
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.jobs.sites import DecidedSite
from webstencil.markup.parse import parse
from webstencil.model import Mode, RawPage, Stencil
from webstencil.paper.stencils import SiteKnowledge, represent
from webstencil.settings import Settings
from webstencil.site.lay import lay
from webstencil.sources import Folder
from webstencil.stages import segment_page
from webstencil.store import open_store

LEARNED = (5, 100)  # pages of a site, in paper mode
SOUGHT = 40  # pages after those, among which are the hits
PAGES = 300  # of a site, in the default mode
MEGABYTE = 1e6


def learn(
    site: Crawled, raws: Sequence[RawPage], renderer: KeepingRenderer, settings: Settings
) -> Iterator[Stencil]:
    """Yield the stencils of the pages."""
    for raw in raws:
        try:
            page = parse(raw)
            rendered = segment_page(page, site, renderer, settings.segmenter)
            yield represent(page, rendered.snapshot, rendered.areas, settings.learner)
        except WebstencilError:
            continue


def stencil_memory(stencils: Sequence[Stencil], raws: Sequence[RawPage]) -> float:
    """Return the bytes of a site with its stencils, after some hits."""
    blobs = [encode_stencil(stencil) for stencil in stencils]
    tracemalloc.start()
    site = SiteKnowledge()
    for blob in blobs:
        site.learn(decode_stencil(blob))
    for raw in raws:
        site.matcher.nearest(parse(raw))
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken


def decided_memory(known: DecidedSite, raws: Sequence[RawPage]) -> float:
    """Return the bytes of a site's areas, laid over some pages."""
    tracemalloc.start()
    site = DecidedSite.of(known.areas, known.learned)
    for raw in raws:
        lay(site.spots, parse(raw).markup.body)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return taken


def measure_default(folder: Path, renderer: KeepingRenderer, table: Table) -> None:
    """Add the row of a site."""
    source, settings = Folder(folder), Settings()
    raws = {raw.url: raw for raw in islice(source.pages(), PAGES)}
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "run.db")) as store:
        job = process_sample(store, Excerpt(raws, source), settings, renderer)
    found = page_costs(raws.values(), job.sites)
    done = [raws[result.url] for result in job.results if result.areas]
    megabytes = sum(decided_memory(site, done) for site in job.sites.values()) / MEGABYTE
    cells = [folder.resolve().name, str(job.report.rendered), str(len(done))]
    cells += [f"{median(one.bare for one in found) * 1e6:.0f}"]
    cells += [
        f"{median(one.parts[n] / one.bare for one in found):.2f}" for n in range(len(COST_PARTS))
    ]
    table.add_row(*cells, f"{median(one.parses for one in found):.2f}", f"{megabytes:.1f}")


def measure_paper(folder: Path, renderer: KeepingRenderer, table: Table) -> None:
    """Add the rows of a site."""
    site, settings = Crawled(Folder(folder)), Settings(mode=Mode.PAPER)
    raws = list(islice(site.pages(), max(LEARNED) + SOUGHT))
    stencils = list(learn(site, raws[: max(LEARNED)], renderer, settings))
    for number in LEARNED:
        later = raws[number : number + SOUGHT]
        found = list(hit_costs(stencils[:number], later, settings).values())
        megabytes = stencil_memory(stencils[:number], later) / MEGABYTE
        cells = [folder.resolve().name, str(number), str(len(found))]
        if found:
            cells += [f"{median(hit.bare for hit in found) * 1e6:.0f}"]
            ratios = [median(hit.stages[n] / hit.bare for hit in found) for n in range(len(STAGES))]
            cells += [f"{ratio:.2f}" for ratio in ratios]
            cells += [f"{median(hit.parses for hit in found):.2f}"]
        else:
            cells += ["-"] * (len(STAGES) + 2)
        table.add_row(*cells, f"{megabytes:.1f}")


def main() -> None:
    """Measure the folders."""
    parser = bench_parser("hits", __doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="pages of a site")
    parser.add_argument("--mode", choices=[mode.value for mode in Mode], default=Mode.DEFAULT.value)
    wanted = parser.parse_args()
    is_paper = Mode(wanted.mode) is Mode.PAPER
    steps = STAGES if is_paper else COST_PARTS
    counted = ("learned", "hits") if is_paper else ("rendered", "pages")
    columns = ("site", *counted, "bare, µs", *steps, "a page", "MB")
    table = Table(*columns, title=f"mode {wanted.mode}, in bare parses", box=None)
    with KeepingRenderer(cache_folder() / "snapshots") as renderer:
        for folder in wanted.folders:
            (measure_paper if is_paper else measure_default)(folder, renderer, table)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
