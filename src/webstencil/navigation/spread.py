"""Cluster hyperlinks into blocks with another gap threshold, fast enough for every page.

Equation 4 of the paper depends on the largest distance of the page, which one long paragraph can
stretch; a multiple of the geometric mean does not. A list is one block, however far its items are
apart.

Algorithm 1 without density says: a gap above the threshold splits all elements around both of its
links; links belong together if the innermost split element around them is the same. Here this is
computed from the few wide gaps, without walking the tree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log, prod
from operator import sub

from webstencil.markup import Node, above, common_ancestor, descendants, tag
from webstencil.model import Page
from webstencil.navigation.links import HYPERLINKS, LISTS, Links, links_of

TIMES = 2.0  # geometric means; 1.5 to 2.5 score the same (`webstencil evaluate navigation`)
LAYOUT = 0.7  # share of the page's links: a list with more is the page, not a block


@dataclass(frozen=True, slots=True)
class Spread:
    """A gap of some times the usual one separates links; lists stay whole."""

    times: float = TIMES
    lists: bool = True

    def blocks(self, page: Page) -> tuple[range, ...]:
        """Cluster the links of a page; blocks are ranges of links."""
        return self.blocks_of(links_of(page))

    def blocks_of(self, links: Links) -> tuple[range, ...]:
        """Cluster known links."""
        if not links.nodes:
            return ()
        places = links.places
        distances = list(map(sub, places[1:], places))
        threshold = self.times * usual_gap(distances)
        wide = [right for right, gap in enumerate(distances, start=1) if gap > threshold]
        return runs(links, *parted(links, wide, LISTS if self.lists else frozenset()))


def usual_gap(distances: Sequence[int]) -> float:
    """Return the geometric mean of distances, 0 if there are none."""
    return exp(log(prod(distances)) / len(distances)) if distances else 0.0


def parted(links: Links, wide: Sequence[int], lists: frozenset[str]) -> tuple[list[int], set[Node]]:
    """Return the links after wide gaps that no list bridges, and all elements around these gaps.

    `lists` are the tags of elements that may bridge a gap.
    """
    begins: list[int] = []
    around = {above(links.elements[0])}  # the page itself ends every climb
    small: dict[Node, bool] = {}  # the lists seen, and whether they are blocks
    for right in wide:
        element = common_ancestor(links.nodes[right - 1], links.nodes[right])
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
    return begins, around


def runs(links: Links, begins: Sequence[int], around: set[Node]) -> tuple[range, ...]:
    """Return the blocks: they start at these links, and where the innermost element changes."""
    nodes = links.nodes
    starts: list[int] = []
    for start, stop in pairwise((0, *begins, len(nodes))):
        starts.append(start)
        if stop - start > 1:
            starts += changes(nodes, start, stop, around)
    return tuple(map(range, starts, (*starts[1:], len(nodes))))


def changes(nodes: Sequence[Node], start: int, stop: int, around: set[Node]) -> list[int]:
    """Return where the innermost element around links changes.

    Between two starts each element is the innermost one of consecutive links, and around the first
    or the last one. So its end can be found by bisection.
    """
    last = inside(nodes[stop - 1], around)
    found: list[int] = []
    here = inside(nodes[start], around)
    while here is not last:
        low, high = start, stop - 1
        while high - low > 1:
            middle = (low + high) // 2
            if inside(nodes[middle], around) is here:
                low = middle
            else:
                high = middle
        found.append(high)
        start, here = high, inside(nodes[high], around)
    return found


def inside(node: Node, around: set[Node]) -> Node:
    """Return the innermost of some elements around a node."""
    while node not in around:
        node = above(node)
    return node
