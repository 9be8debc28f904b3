"""The cost of each stage for a page, in bare parses of the same pages.

Without folders it measures the demo site, and a real site of $WEBSTENCIL_DATA/sites if there is
one. Each page counts with the fastest of several rounds; compare ratios, not microseconds.
"""

import random
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from rich.console import Console
from rich.table import Table

from research import DATA
from research.bench import bench_parser
from research.demo import build
from webstencil.errors import ParseError
from webstencil.markup import bare_parse
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage, Stencil
from webstencil.paper.locate import Guide, guide, locate
from webstencil.paper.match import nearest
from webstencil.paper.stencils import represent
from webstencil.render import ChromiumRenderer
from webstencil.segment import VIPS
from webstencil.settings import THRESHOLD
from webstencil.site.areas import decide_areas
from webstencil.site.lay import SiteSpots, describe_laid, describe_located, describe_same, lay
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.places import lay_out
from webstencil.site.site_model import SiteModel, encode_outline
from webstencil.site.votes import Witness, voted
from webstencil.sources import Folder

REAL_SITE = "openems-wiki"
PAGES = 100  # of a site, chosen at random
STENCILS = 20  # learned at most, from the first pages that do not hit; they decide together, too
ROUNDS = 7
SEED = 1

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StencilHit:
    """A page with the stencil it hits."""

    page: Page
    stencil: Stencil
    guide: Guide


def best(work: Callable[[T], object], items: Sequence[T], rounds: int = ROUNDS) -> float:
    """Return the mean seconds for one item, each at its fastest round."""
    spent = 0.0
    for item in items:
        fastest = float("inf")
        for _ in range(rounds):
            began = perf_counter()
            work(item)
            fastest = min(fastest, perf_counter() - began)
        spent += fastest
    return spent / max(1, len(items))


def readable(folder: Folder) -> list[RawPage]:
    """Choose pages that are HTML at random."""
    kept = []
    for raw in random.Random(SEED).sample(list(folder.pages()), folder.count()):
        try:
            parse(raw)
        except ParseError:
            continue
        kept.append(raw)
    return kept[:PAGES]


def measure(name: str, folder: Folder, renderer: ChromiumRenderer) -> Table:
    """Measure all stages on the pages of one folder."""
    raws = readable(folder)
    pages = [parse(raw) for raw in raws]
    segmenter = VIPS()
    stencils: list[Stencil] = []
    guides: dict[str, Guide] = {}
    snapshots, witnesses, hits = [], [], []
    for page in pages:
        match = nearest(page, stencils)
        if match is not None and match.distance <= THRESHOLD:
            hits.append(StencilHit(page, match.stencil, guides[match.stencil.key]))
        elif len(stencils) < STENCILS:
            snapshot = renderer.render(page, folder)
            areas = segmenter.segment(snapshot)
            stencil = represent(page, snapshot, areas, repr(segmenter))
            stencils.append(stencil)
            guides[stencil.key] = guide(stencil)
            snapshots.append(snapshot)
            witnesses.append(Witness(page, areas))
    return table(
        f"{name}: {len(raws)} pages, {len(stencils)} stencils, {len(hits)} hits",
        best(lambda raw: bare_parse(raw.body), raws),
        [
            ("parse", best(parse, raws)),
            ("paths", best(lambda raw: parse(raw).paths, raws)),
            ("match", best(lambda page: nearest(page, stencils), pages)),
            ("locate", best(lambda hit: locate(hit.guide, hit.page), hits)),
            ("describe", best(describe_hit, hits)),
            ("render", best(lambda one: renderer.render(one.page, folder), witnesses, 1)),
            ("segment (VIPS)", best(segmenter.segment, snapshots, 1)),
            ("outline", best(lambda page: encode_outline(outline(page)), pages)),
            ("lay over", best(laid_over(pages, witnesses), pages)),
        ],
    )


def laid_over(pages: Sequence[Page], witnesses: Sequence[Witness]) -> Callable[[Page], object]:
    """Return what the default mode does with a parsed page: lay the site's areas over it."""
    places = lay_out(SiteModel(OutlinedPage(page.url, outline(page)) for page in pages))
    spots = SiteSpots(decide_areas(places, voted(places, witnesses)))
    return lambda page: describe_laid(lay(spots, page.markup.body), {}, {})


def describe_hit(hit: StencilHit) -> None:
    """Locate and describe the areas of a hit."""
    found = locate(hit.guide, hit.page)
    describe_located(hit.stencil, found, describe_same(hit.stencil))


def table(title: str, bare: float, stages: list[tuple[str, float]]) -> Table:
    """Show seconds as microseconds and as bare parses."""
    shown = Table(
        "stage", "µs per page", "bare parses", title=title, title_justify="left", box=None
    )
    costs = dict(stages)
    costs["describe"] -= costs["locate"]
    costs["paths"] -= costs["parse"]
    hit = costs["parse"] + costs["paths"] + costs["match"] + costs["locate"]
    rows = [("bare turbohtml parse", bare), *costs.items()]
    survey, apply = (costs["parse"] + costs[name] for name in ("outline", "lay over"))
    rows.append(("default mode, survey: parse, outline", survey))
    rows.append(("default mode, apply: parse, lay over", apply))
    rows.append(("a hit, paper mode: parse, paths, match, locate", hit))
    rows.append(("the same with texts and selectors", hit + costs["describe"]))
    rows.append(
        (
            "a page rendered and segmented",
            costs["parse"] + costs["render"] + costs["segment (VIPS)"],
        )
    )
    for stage, seconds in rows:
        shown.add_row(stage, f"{seconds * 1e6:,.0f}", f"{seconds / bare:,.2f}")
    return shown


def main() -> None:
    """Measure the folders, or the demo site and a real one."""
    parser = bench_parser("stages", __doc__)
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="pages of a site")
    folders: list[str] = parser.parse_args().folders
    with tempfile.TemporaryDirectory() as scratch, ChromiumRenderer() as renderer:
        named = [(folder, Folder(folder)) for folder in folders]
        if not named:
            demo = build(Path(scratch) / "demo")
            named.append(("demo site", Folder(demo.folder, base_url=demo.base_url)))
            archive = DATA / "sites" / f"{REAL_SITE}.tar.xz"
            if archive.exists():
                with tarfile.open(archive) as packed:
                    packed.extractall(scratch, filter="data")
                named.append((REAL_SITE, Folder(Path(scratch) / REAL_SITE)))
        for name, folder in named:
            Console().print(measure(name, folder, renderer))


if __name__ == "__main__":
    main()
