"""The cost of navigation for a page, in bare parses of the same pages, on top of a hit.

As in a run, pages come one by one, each parsed right before, and caches of one help the next: the
first half of the pages fills the caches, the second half is measured. Caches are cleared before
each round. Siblings are the pages of the same template. Each page counts with the fastest of
several rounds; compare ratios, not microseconds.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from webstencil.model import RawPage
from webstencil.navigation import hints, pagination, sequences, targets
from webstencil.navigation.kinds import navigation, page_links
from webstencil.navigation.repetition import Siblings
from webstencil.site.templates import SiteTemplates
from webstencil.sources import Folder

PAGES = 60  # of a folder, chosen at random
ROUNDS = 7
SEED = 1
CACHING: tuple[ModuleType, ...] = (hints, pagination, sequences, targets)
STEPS = ("bare parse", "links, blocks, targets", "counting for the siblings", "kinds")


@dataclass(frozen=True, slots=True)
class TemplatePage:
    """A page and its template."""

    raw: RawPage
    template: str


def draw(folder: Path) -> list[TemplatePage]:
    """Choose pages that are HTML at random, and group them by template."""
    kept: list[tuple[RawPage, int]] = []
    raws = list(Folder(folder).pages())
    templates = SiteTemplates()
    for raw in random.Random(SEED).sample(raws, min(PAGES, len(raws))):
        try:
            kept.append((raw, templates.assign(parse(raw)).sample))
        except ParseError:
            continue
    templates.regroup()
    return [TemplatePage(raw, templates.template_of(sample)) for raw, sample in kept]


def clear_caches() -> None:
    """Clear the caches."""
    for module in CACHING:
        for known in vars(module).values():
            if isinstance(known, _lru_cache_wrapper) and known.__name__ != "shipped":
                known.cache_clear()


def timed(drawn: TemplatePage, counts: Siblings, siblings: Siblings | None) -> list[float]:
    """Return the seconds of each step for a page; it is added to `counts`."""
    raw, template = drawn.raw, drawn.template
    began = perf_counter()
    bare_parse(raw.body)
    bare = perf_counter() - began
    page = parse(raw)
    times = [perf_counter()]
    known = page_links(page)
    times.append(perf_counter())
    counts.add(template, known.targets)
    times.append(perf_counter())
    navigation(known, siblings, template, counted=True)
    times.append(perf_counter())
    return [bare, *(end - start for start, end in pairwise(times))]


def best(pages: Sequence[TemplatePage], siblings: Siblings | None) -> list[list[float]]:
    """Return the seconds of each step for the second half of the pages, each at its fastest."""
    fastest = [[float("inf")] * len(STEPS) for _ in pages]
    for _ in range(ROUNDS):
        clear_caches()
        counts = Siblings()
        for number, page in enumerate(pages):
            fastest[number] = list(map(min, fastest[number], timed(page, counts, siblings)))
    return fastest[len(pages) // 2 :]


def measure(folder: str, say: Callable[[str], None]) -> tuple[float, float]:
    """Measure the pages of one folder; return the cost of all steps, by sum and median."""
    pages = draw(Path(folder))
    siblings = Siblings()
    for page in pages:
        siblings.add(page.template, page_links(parse(page.raw)).targets)
    seen, alone = best(pages, siblings), best(pages, None)
    sums = [sum(column) for column in zip(*seen, strict=True)]
    say(f"{folder}: {len(seen)} pages, bare parse {sums[0] / len(seen) * 1e3:.3f} ms")
    for name, spent in zip(STEPS[1:], sums[1:], strict=True):
        say(f"  {name}: {spent / sums[0]:.2f} bare parses")
    whole = sum(sums[1:]) / sums[0]
    usual = median(sum(page[1:]) / page[0] for page in seen)
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
