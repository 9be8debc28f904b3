"""Hyperlinks into blocks with our own gap threshold, fast enough for every page.

Equation 4 of the paper hangs on the largest distance of the page, which one long paragraph can
stretch; a multiple of the geometric mean does not. And what the author of the page wrote as one
list is one block, however far its items are apart.

Algorithm 1 without density says: a gap above the threshold parts its two links and makes all
elements around both of them parted; links belong together where the innermost parted element
around them is the same. That is computed here from the few wide gaps, without walking the tree.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log
from operator import sub

from webstencil.markup import Node, above, descendants, next_element, tag
from webstencil.model import Page
from webstencil.navigation.links import HYPERLINKS, LISTS, Links, links_of

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
        places = links.places
        distances = list(map(sub, places[1:], places))
        threshold = self.times * usual_gap(distances)
        wide = [right for right, gap in enumerate(distances, start=1) if gap > threshold]
        return runs(links, *parted(links, wide, LISTS if self.lists else frozenset()))


def usual_gap(distances: Sequence[int]) -> float:
    """Return the geometric mean of the distances of neighbours, 0 if there are none."""
    return exp(sum(map(log, distances)) / len(distances)) if distances else 0.0


def parted(links: Links, wide: Sequence[int], lists: frozenset[str]) -> tuple[list[int], list[int]]:
    """Return the links right of wide gaps that no list bridges, and all elements around these.

    `lists` are the tags of what may bridge a gap.
    """
    numbers = links.outline.numbers
    begins: list[int] = []
    around = {above(links.elements[0])}  # with the page itself, where every way up ends
    small: dict[Node, bool] = {}  # the lists seen, and whether they are blocks
    for right in wide:
        element = links.around(right - 1, right)
        path: list[Node] = []
        while element not in around:
            if tag(element) in lists:
                if element not in small:
                    inside = descendants(element, HYPERLINKS)
                    small[element] = len(inside) <= LAYOUT * len(links)
                if small[element]:
                    break
            path.append(element)
            element = above(element)
        else:
            begins.append(right)
            around.update(path)
    return begins, [numbers[element] for element in around if element in numbers]


def runs(links: Links, begins: Iterable[int], around: Iterable[int]) -> tuple[range, ...]:
    """Return the blocks: they begin at these links, at the first in an element and after it."""
    places, numbers, elements = links.places, links.outline.numbers, links.elements
    starts = {0, *begins}
    ends = {above(elements[0]): len(elements)}
    for number in sorted(around):  # what is around an element comes before it
        element = elements[number]
        after = next_element(element)
        end = ends[above(element)] if after is None else numbers[after]
        ends[element] = end
        starts.add(bisect_left(places, number))
        starts.add(bisect_left(places, end))
    starts.discard(len(places))
    ordered = sorted(starts)
    return tuple(map(range, ordered, [*ordered[1:], len(places)]))
