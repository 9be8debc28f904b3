"""Divide a site so that the division would be found again with other pages.

How much must change between two templates differs from site to site, and a fixed measure falls off
a cliff on some: a division that hangs by a thread is another one as soon as a few pages are
missing. So the site is divided by several measures, and so are random halves of it; the measure is
taken whose halves agree most on all pages.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import comb

from webstencil.site.divide import REPLACED, Division, PageFacts, SiteTokens, divide_by, site_of

# Of what must change, see `divide_by`; the range was chosen over sites (docs/templates.md).
MEASURES = (0.27, 0.285, 0.3, 0.315, 0.33, 0.345, 0.36)
HALVINGS = 2  # ways to part the pages into two halves; 2 to 4 score within .01 of each other
FIRST_BIT = 5  # of a page's key: models keep pages by the highest bits
FEWEST = 24  # pages; halves of fewer say nothing


def divide(pages: Sequence[PageFacts]) -> Division:
    """Divide pages into templates; the order of the pages does not matter."""
    site = site_of(pages)
    if len(pages) < FEWEST:
        return divide_by(site, REPLACED)
    halves = [parted(pages, FIRST_BIT + number) for number in range(HALVINGS)]
    stable = {
        measure: round(sum(agreement(pages, pair, measure) for pair in halves), 2)
        for measure in MEASURES
    }
    return divide_by(site, max(MEASURES, key=lambda measure: (stable[measure], -measure)))


def parted(pages: Sequence[PageFacts], bit: int) -> tuple[SiteTokens, SiteTokens]:
    """Part pages by a bit of their keys."""
    halves: tuple[list[PageFacts], list[PageFacts]] = ([], [])
    for page in pages:
        halves[page.key >> bit & 1].append(page)
    return site_of(halves[0]), site_of(halves[1])


def agreement(
    pages: Sequence[PageFacts], halves: tuple[SiteTokens, SiteTokens], measure: float
) -> float:
    """Return how well the divisions of two halves agree on all pages, at most 1."""
    one, other = (divide_by(half, measure) for half in halves)
    leaves = ([division.leaf_of(page) for page in pages] for division in (one, other))
    return adjusted_rand(*leaves)


def adjusted_rand(ones: Sequence[Hashable], others: Sequence[Hashable]) -> float:
    """Return the adjusted Rand index (Hubert and Arabie 1985): 1 for equal, about 0 by chance."""
    together = pairs_in(Counter(zip(ones, others, strict=True)).values())
    left, right = pairs_in(Counter(ones).values()), pairs_in(Counter(others).values())
    everything = comb(len(ones), 2)
    expected = left * right / everything if everything else 0.0
    most = (left + right) / 2
    return (together - expected) / (most - expected) if most != expected else 1.0


def pairs_in(sizes: Iterable[int]) -> int:
    """Count the pairs in the same part."""
    return sum(comb(size, 2) for size in sizes)
