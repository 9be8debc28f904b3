"""The cost of a hit on real sites, in bare parses of the same page, and the memory of a site.

The first pages of each site in crawl order are learned, 5 and then 100, whether they hit or not;
hits are measured among the next pages, in jobs that have learned only these. No cache has seen the
pages (`evaluate/hit_cost.py`). A site counts with the median of its pages. Snapshots are cached, as
in `webstencil evaluate`.
"""

import tracemalloc
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from research.bench import bench_parser
from webstencil.codec.values import decode_stencil, encode_stencil
from webstencil.errors import WebstencilError
from webstencil.evaluate.hit_cost import STAGES, hit_costs
from webstencil.evaluate.order import Crawled
from webstencil.evaluate.snapshots import KeepingRenderer, cache_folder
from webstencil.markup.parse import parse
from webstencil.model import Mode, RawPage, Stencil
from webstencil.pipeline.page import segment_page
from webstencil.settings import Settings
from webstencil.site.known import SiteKnowledge
from webstencil.site.represent import represent
from webstencil.sources import Folder

LEARNED = (5, 100)  # pages of a site
SOUGHT = 40  # pages after those, among which are the hits
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


def known(stencils: Sequence[Stencil], settings: Settings) -> SiteKnowledge:
    """Learn stencils as the pipeline does."""
    site = SiteKnowledge(settings.mode)
    for stencil in stencils:
        site.learn(stencil)
    return site


def memory(stencils: Sequence[Stencil], raws: Sequence[RawPage], settings: Settings) -> float:
    """Return the bytes of a site with its stencils, after some hits."""
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
        found = list(hit_costs(stencils[:number], later, settings).values())
        megabytes = memory(stencils[:number], later, settings) / MEGABYTE
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
    columns = ("site", "learned", "hits", "bare, µs", *STAGES, "a hit", "MB")
    table = Table(*columns, title=f"mode {wanted.mode}, in bare parses", box=None)
    with KeepingRenderer(cache_folder() / "snapshots") as renderer:
        for folder in wanted.folders:
            settings = Settings(mode=Mode(wanted.mode))
            measure(folder, settings, renderer, table)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
