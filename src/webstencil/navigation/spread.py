"""Hyperlinks into blocks with our own gap threshold, fast enough for every page.

Equation 4 of the paper hangs on the largest distance of the page, which one long paragraph can
stretch; a multiple of the geometric mean does not. And what the author of the page wrote as one
list is one block, however far its items are apart.

Algorithm 1 without density says: a gap above the threshold parts its two links and makes all
elements around both of them parted; links belong together where the innermost parted element
around them is the same. That is computed here from the few wide gaps, without walking the tree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log

from webstencil.markup import Node, descendants
from webstencil.model import NO_PARENT, Page
from webstencil.navigation.links import HYPERLINKS, Links, links_of

TIMES = 2.0  # geometric means; 1.5 to 2.5 do as well: `webstencil evaluate navigation`
LAYOUT = 0.7  # share of the page's links: a list with more of them is the page, not a block of it


@dataclass(frozen=True, slots=True)
class Spread:
    """A gap parts links if it is some times the usual one; lists stay whole."""

    times: float = TIMES
    lists: bool = True

    def blocks(self, page: Page) -> tuple[range, ...]:
        """Cluster the links of a page; blocks are ranges of links."""
        return self.blocks_of(links_of(page))

    def blocks_of(self, links: Links) -> tuple[range, ...]:
        """Cluster links that are known already."""
        wide = wide_gaps(links.places, self.times * usual_gap(links.places))
        return runs(links, *parted(links, wide, links.lists if self.lists else {}))


def usual_gap(places: Sequence[int]) -> float:
    """Return the geometric mean of the distances of neighbours, 0 if there are none."""
    distances = [right - left for left, right in pairwise(places)]
    return exp(sum(map(log, distances)) / len(distances)) if distances else 0.0


def wide_gaps(places: Sequence[int], threshold: float) -> list[tuple[int, int]]:
    """Return the neighbours that are farther apart than the threshold."""
    return [(left, right) for left, right in pairwise(places) if right - left > threshold]


def parted(
    links: Links, wide: Sequence[tuple[int, int]], lists: dict[int, Node]
) -> tuple[set[int], set[int]]:
    """Return the links right of wide gaps that no list bridges, and all elements around these."""
    begins: set[int] = set()
    around: set[int] = set()
    small: dict[int, bool] = {}  # the lists seen, and whether they are blocks
    for left, right in wide:
        element = right
        while element > left:  # in document order this ends at the first element around both
            element = links.parents[element]
        path: list[int] = []
        while element != NO_PARENT and element not in around:
            if element in lists and element not in small:
                small[element] = len(descendants(lists[element], HYPERLINKS)) <= LAYOUT * len(links)
            if small.get(element, False):
                break
            path.append(element)
            element = links.parents[element]
        else:
            begins.add(right)
            around.update(path)
    return begins, around


def runs(links: Links, begins: set[int], around: set[int]) -> tuple[range, ...]:
    """Return the blocks: they begin at these links, and where the innermost element differs."""
    parents = links.parents
    starts: list[int] = []
    before = owner = NO_PARENT
    for number, place in enumerate(links.places):
        above = place
        while above > before and above not in around:
            above = parents[above]
        if above not in around and number:
            above = owner  # no parted element lies below one that is not parted
        if above != owner or place in begins or not number:
            starts.append(number)
        before, owner = place, above
    return tuple(range(*ends) for ends in pairwise([*starts, len(links.places)])) if starts else ()
