"""The cost of navigation for a page, in bare parses of the same pages, on top of a hit.

As in a run, pages come one by one, each parsed right before, and caches of one help the next: the
first half of the pages fills the caches, the second half is measured. Caches are cleared before
each round. Siblings are the other pages; their outlines are there, since a site's model has them
anyway. Each page counts with the fastest of several rounds; compare ratios, not microseconds.
"""

import random
from collections.abc import Callable, Sequence
from functools import _lru_cache_wrapper
from itertools import pairwise
from pathlib import Path
from statistics import median
from time import perf_counter
from types import ModuleType

from rich.console import Console

from research.bench import bench_parser
from webstencil.errors import ParseError
from webstencil.markup import bare_parse
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage
from webstencil.navigation import SiblingLinks, features, navigation, page_links, pagination
from webstencil.site import targets
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.site_model import SiteModel
from webstencil.sources import Folder

PAGES = 60  # of a folder, chosen at random
ROUNDS = 7
SEED = 1
CACHING: tuple[ModuleType, ...] = (features, pagination, pagination, targets)
STEPS = ("bare parse", "links, blocks, targets", "kinds")


def draw(folder: Path) -> list[tuple[RawPage, Page]]:
    """Choose pages that are HTML at random."""
    kept: list[tuple[RawPage, Page]] = []
    raws = list(Folder(folder).pages())
    for raw in random.Random(SEED).sample(raws, min(PAGES, len(raws))):
        try:
            kept.append((raw, parse(raw)))
        except ParseError:
            continue
    return kept


def clear_caches() -> None:
    """Clear the caches."""
    for module in CACHING:
        for known in vars(module).values():
            if isinstance(known, _lru_cache_wrapper) and known.__name__ != "shipped":
                known.cache_clear()


def timed(raw: RawPage, siblings: SiblingLinks | None) -> list[float]:
    """Return the seconds of each step for a page."""
    began = perf_counter()
    bare_parse(raw.body)
    bare = perf_counter() - began
    page = parse(raw)
    times = [perf_counter()]
    known = page_links(page)
    times.append(perf_counter())
    navigation(known, siblings)
    times.append(perf_counter())
    return [bare, *(end - start for start, end in pairwise(times))]


def best(pages: Sequence[RawPage], siblings: SiblingLinks | None) -> list[list[float]]:
    """Return the seconds of each step for the second half of the pages, each at its fastest."""
    fastest = [[float("inf")] * len(STEPS) for _ in pages]
    for _ in range(ROUNDS):
        clear_caches()
        for number, page in enumerate(pages):
            fastest[number] = list(map(min, fastest[number], timed(page, siblings)))
    return fastest[len(pages) // 2 :]


def counting(model: SiteModel) -> float:
    """Return the seconds that it takes to count the links of a model, for each of its pages."""
    spent = []
    for _ in range(ROUNDS):
        began = perf_counter()
        SiblingLinks(model).shares("", [], [])
        spent.append(perf_counter() - began)
    return min(spent) / max(1, len(model))


def measure(folder: str, say: Callable[[str], None]) -> tuple[float, float]:
    """Measure the pages of one folder; return the cost of all steps, by sum and median."""
    drawn = draw(Path(folder))
    pages = [raw for raw, _ in drawn]
    model = SiteModel(OutlinedPage(page.url, outline(page)) for _, page in drawn)
    siblings, counted = SiblingLinks(model), counting(model)
    seen, alone = best(pages, siblings), best(pages, None)
    sums = [sum(column) for column in zip(*seen, strict=True)]
    say(f"{folder}: {len(seen)} pages, bare parse {sums[0] / len(seen) * 1e3:.3f} ms")
    parts = [*zip(STEPS[1:], sums[1:], strict=True), ("counting", counted * len(seen))]
    for name, spent in parts:
        say(f"  {name}: {spent / sums[0]:.2f} bare parses")
    whole = sum(spent for _, spent in parts) / sums[0]
    usual = median((sum(page[1:]) + counted) / page[0] for page in seen)
    say(f"  all of it: {whole:.2f} bare parses; of the median page {usual:.2f}")
    models = median(page[-1] for page in alone)
    say(f"  kinds, page alone: {models * 1e3:.1f} ms, median page")
    return whole, usual


def main() -> None:
    """Measure and print."""
    parser = bench_parser("navigation", __doc__)
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help="pages of a site")
    folders: list[str] = parser.parse_args().folders
    out = Console(highlight=False, soft_wrap=True)
    costs = [measure(folder, out.print) for folder in folders]
    if len(costs) > 1:
        wholes, usuals = zip(*costs, strict=True)
        out.print(
            f"median of the folders: {median(wholes):.2f} bare parses; "
            f"of their median pages {median(usuals):.2f}"
        )


if __name__ == "__main__":
    main()
