"""Cluster hyperlinks into blocks as published: CHD and CHD-HD (Zhao et al. 2017, section 3).

Deviations, with their reasons. As printed, Algorithm 1 adds links twice and forgets the left end of
a gap; here a node whose links are one block leaves it open, and its parent decides. Distances of
adjacent links are a multiset: a set, as in section 3.5.1 (`distinct`), costs about 0.1 ARI. In
equation 5 the page is its body, and a link has a URL: neither TITLE nor `a name` counts as text of
a block, so neither may change the density that blocks are compared with.

All blocks are runs of links in document order, so the result is where each starts. Only nodes with
links below them are visited, from the last to the first: children before parents.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from webstencil.model import NO_PARENT, TEXT, NodeId, Page, Tree
from webstencil.navigation.links import Links, paper_links

BETA = 1.0  # weight of the number of blocks relative to their distance (equation 4)
EPSILON = 1e-10  # words; equation 3

# Whether the text from the subtree of one element to that of another is dense with links.
Dense: TypeAlias = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class LinkSpan:
    """The links in the subtree of an element."""

    element: int
    first: int  # link
    last: int  # link
    whole: bool  # they are one block, which is still open


@dataclass(frozen=True, slots=True)
class PaperRule:
    """The thresholds of the paper: CHD with `gamma` 0, CHD-HD with 1."""

    beta: float = BETA
    gamma: float = 0.0  # share of the page's own density that a block must have (equation 5)
    distinct: bool = False  # take each distance once in equation 4, as printed

    def blocks(self, page: Page) -> tuple[range, ...]:
        """Cluster the links of a page; blocks are ranges of links."""
        links = paper_links(page)
        dense = density(page, links, self.gamma) if self.gamma else None
        distances = gaps(links.places)
        known = set(distances) if self.distinct else distances
        return runs(starts(links, gap_threshold(known, self.beta), dense))


def gaps(places: Sequence[int]) -> list[int]:
    """Return the distances of adjacent links (equation 1)."""
    return [right - left for left, right in pairwise(places)]


def gap_threshold(distances: Iterable[int], beta: float = BETA) -> int:
    """Return the gap threshold of the paper (equation 4); the first of equally good values."""
    ordered = [*sorted(distances, reverse=True), 0]
    largest, count = ordered[0] or 1, len(ordered)
    costs = [value / largest + beta * place / count for place, value in enumerate(ordered, 1)]
    return ordered[costs.index(min(costs))]


def starts(links: Links, threshold: float, dense: Dense | None = None) -> list[bool]:
    """Return whether a block starts with each link (Algorithm 1)."""
    cut = [number == 0 for number in range(len(links))]
    own = dict(zip(links.places, range(len(links)), strict=True))
    spans: dict[int, LinkSpan] = {}
    inside = elements_with_links(links)
    for element in sorted(inside, reverse=True):
        parts = [spans.pop(child) for child in reversed(inside[element])]
        if element in own:  # a link; in broken markup it may have links in it
            parts.insert(0, LinkSpan(element, own[element], own[element], whole=True))
        whole = len(parts) == 1 or join(parts, links.places, threshold, dense, cut)
        spans[element] = LinkSpan(element, parts[0].first, parts[-1].last, whole and parts[0].whole)
    return cut


def elements_with_links(links: Links) -> dict[int, list[int]]:
    """Return the children with links of each element, the last one first."""
    parents = links.parents
    inside: dict[int, list[int]] = {}
    for place in reversed(links.places):
        element, child = place, NO_PARENT
        while element != NO_PARENT and element not in inside:
            inside[element] = [] if child == NO_PARENT else [child]
            element, child = parents[element], element
        if NO_PARENT not in {element, child}:
            inside[element].append(child)
    return inside


def join(
    parts: Sequence[LinkSpan],
    places: Sequence[int],
    threshold: float,
    dense: Dense | None,
    cut: list[bool],
) -> bool:
    """Mark in `cut` where the parts of an element are not joined; return whether all were."""
    opened = parts[0].element  # the first part of the open block
    joined = True
    for left, right in pairwise(parts):
        if (
            left.whole
            and right.whole
            and places[right.first] - places[left.last] <= threshold
            and (dense is None or dense(opened, right.element))
        ):
            continue
        cut[right.first] = True
        opened, joined = right.element, False
    return joined


def density(page: Page, links: Links, gamma: float) -> Dense:
    """Return the test for density, by the share of words in links (equations 3 and 5)."""
    tree, ends = page.tree, page.tree.ends()
    elements = [node for node, tag in enumerate(tree.tags) if tag != TEXT]

    def numbered(element: int) -> int:
        return elements[element - bisect_left(links.pruned, element)]

    own = set(map(numbered, links.places))
    inside_of = enclosed(tree, own), enclosed(tree, first_of(tree, "head"))
    words, anchored = [0], [0]  # before each node
    for text, in_link, in_head in zip(page.texts, *inside_of, strict=True):
        count = 0 if in_head else len(text.split())
        words.append(words[-1] + count)
        anchored.append(anchored[-1] + (count if in_link else 0))
    least = gamma * (anchored[-1] + EPSILON) / (words[-1] + EPSILON)

    def dense(first: int, last: int) -> bool:
        start, end = numbered(first), ends[numbered(last)]
        inside, total = anchored[end] - anchored[start], words[end] - words[start]
        return (inside + EPSILON) / (total + EPSILON) >= least

    return dense


def enclosed(tree: Tree, roots: Set[NodeId]) -> list[bool]:
    """Return whether each node of a tree is one of some nodes, or below one."""
    inside: list[bool] = []
    for node, parent in enumerate(tree.parents):
        inside.append(node in roots or (parent != NO_PARENT and inside[parent]))
    return inside


def first_of(tree: Tree, tag: str) -> frozenset[NodeId]:
    """Return the first node with a tag, nothing if there is none."""
    return frozenset({tree.tags.index(tag)} if tag in tree.tags else ())


def runs(cut: Sequence[bool]) -> tuple[range, ...]:
    """Return the blocks whose starts are marked, as ranges of links."""
    begins = [number for number, begun in enumerate(cut) if begun]
    return tuple(range(*ends) for ends in pairwise([*begins, len(cut)]))
