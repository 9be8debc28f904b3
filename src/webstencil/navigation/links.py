"""The hyperlinks of a page, with their positions in its tree, and their clustering into blocks.

Links, their URLs and their positions among the elements are read at once. The column of parents and
the texts of links are read on demand: most links of a page belong to menus, which are known by
their targets. Nothing here changes the parsed page.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import exp, log, prod
from operator import sub
from typing import TypeAlias

from webstencil.markup import (
    ElementTable,
    Node,
    above,
    common_ancestor,
    descendants,
    tag,
    whole_table,
)
from webstencil.model import NO_PARENT, TEXT, NodeId, Page, Tree

HYPERLINKS = "a[href]"  # the paper takes all `a`, but those without a URL are not links
BRIDGING_LISTS = frozenset({"ul", "ol"})


@dataclass(frozen=True)  # without slots, for `cached_property`
class Links:
    """The hyperlinks of a page as columns, in document order."""

    nodes: list[Node]
    hrefs: list[str]  # as written, stripped
    places: list[int]  # number of each link's element, counted from 0 in document order
    elements: list[Node]  # of the page, by number
    pruned: tuple[int, ...] = ()  # elements that are not in `Page.tree`
    _read: dict[int, str] = field(default_factory=dict, compare=False, repr=False)
    _around: dict[tuple[int, int], Node] = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.nodes)

    @cached_property
    def parents(self) -> Sequence[int]:
        """Return the parent of each element of the page, NO_PARENT for the root."""
        numbers = dict(zip(self.elements, range(len(self.elements)), strict=True))
        return ElementTable(self.elements, numbers).parents

    @cached_property
    def lists(self) -> frozenset[int]:
        """Return the elements that are lists."""
        elements = enumerate(self.elements)
        return frozenset([number for number, element in elements if tag(element) in BRIDGING_LISTS])

    def around(self, first: int, last: int) -> Node:
        """Return the innermost element around two links, cached."""
        if first == last:
            return self.nodes[first]
        known = self._around.get((first, last))
        if known is None:
            known = self._around[first, last] = common_ancestor(self.nodes[first], self.nodes[last])
        return known

    def text(self, link: int) -> str:
        """Return the text of a link, white space collapsed."""
        return self.texts((link,))[0]

    def texts(self, wanted: Sequence[int]) -> list[str]:
        """Return the texts of some links, cached."""
        known, nodes = self._read, self.nodes
        for link in wanted:
            if link not in known:
                known[link] = " ".join(nodes[link].text.split())
        return list(map(known.__getitem__, wanted))

    def all_texts(self) -> list[str]:
        """Return the texts of all links."""
        return self.texts(range(len(self)))


def page_hyperlinks(page: Page) -> Links:
    """List the hyperlinks of a page."""
    nodes, hrefs = page.markup.hyperlinks()
    elements = page.markup.elements()
    places, place = [], -1
    for node in nodes:
        place = elements.index(node, place + 1)
        places.append(place)
    return Links(nodes, hrefs, places, elements)


def paper_links(page: Page) -> Links:
    """List the hyperlinks of a page with scripts and styles among the elements, as in the paper.

    They help to find the ends of blocks: 0.03 ARI. The page is parsed again for this.
    """
    links = page_hyperlinks(page)
    table, pruned = whole_table(page.body, page.encoding)
    skipped = frozenset(pruned)
    kept = [number for number in range(len(table.elements)) if number not in skipped]
    if len(kept) != len(links.elements):
        return links
    places = [kept[place] for place in links.places]
    return replace(links, places=places, elements=table.elements, pruned=tuple(pruned))


# Cluster hyperlinks into blocks as published: CHD and CHD-HD (Zhao et al. 2017, section 3).
#
# Deviations, with their reasons. As printed, Algorithm 1 adds links twice and forgets the left end
# of a gap; here a node whose links are one block leaves it open, and its parent decides. Distances
# of adjacent links are a multiset: a set, as in section 3.5.1 (`distinct`), costs about 0.1 ARI. In
# equation 5 the page is its body, and a link has a URL: neither TITLE nor `a name` counts as text
# of a block, so neither may change the density that blocks are compared with.
#
# All blocks are runs of links in document order, so the result is where each starts. Only nodes
# with links below them are visited, from the last to the first: children before parents.


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
        distances = link_gaps(links.places)
        known = set(distances) if self.distinct else distances
        return _runs_cut(starts(links, gap_threshold(known, self.beta), dense))


def link_gaps(places: Sequence[int]) -> list[int]:
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
        whole = len(parts) == 1 or _join_parts(parts, links.places, threshold, dense, cut)
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


def _join_parts(
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


def _runs_cut(cut: Sequence[bool]) -> tuple[range, ...]:
    """Return the blocks whose starts are marked, as ranges of links."""
    begins = [number for number, begun in enumerate(cut) if begun]
    return tuple(range(*ends) for ends in pairwise([*begins, len(cut)]))


# Cluster hyperlinks into blocks with another gap threshold, fast enough for every page.
#
# Equation 4 of the paper depends on the largest distance of the page, which one long paragraph can
# stretch; a multiple of the geometric mean does not. A list is one block, however far its items are
# apart.
#
# Algorithm 1 without density says: a gap above the threshold splits all elements around both of its
# links; links belong together if the innermost split element around them is the same. Here this is
# computed from the few wide gaps, without walking the tree.


TIMES = 2.0  # geometric means; 1.5 to 2.5 score the same (`webstencil evaluate navigation`)
LAYOUT = 0.7  # share of the page's links: a list with more is the page, not a block


@dataclass(frozen=True, slots=True)
class Spread:
    """A gap of some times the usual one separates links; lists stay whole."""

    times: float = TIMES
    lists: bool = True

    def blocks(self, page: Page) -> tuple[range, ...]:
        """Cluster the links of a page; blocks are ranges of links."""
        return self.blocks_of(page_hyperlinks(page))

    def blocks_of(self, links: Links) -> tuple[range, ...]:
        """Cluster known links."""
        if not links.nodes:
            return ()
        places = links.places
        distances = list(map(sub, places[1:], places))
        threshold = self.times * usual_gap(distances)
        wide = [right for right, gap in enumerate(distances, start=1) if gap > threshold]
        return _runs_of(
            links, *_wide_gaps(links, wide, BRIDGING_LISTS if self.lists else frozenset())
        )


def usual_gap(distances: Sequence[int]) -> float:
    """Return the geometric mean of distances, 0 if there are none."""
    return exp(log(prod(distances)) / len(distances)) if distances else 0.0


def _wide_gaps(
    links: Links, wide: Sequence[int], lists: frozenset[str]
) -> tuple[list[int], set[Node]]:
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


def _runs_of(links: Links, begins: Sequence[int], around: set[Node]) -> tuple[range, ...]:
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
    last = _innermost(nodes[stop - 1], around)
    found: list[int] = []
    here = _innermost(nodes[start], around)
    while here is not last:
        low, high = start, stop - 1
        while high - low > 1:
            middle = (low + high) // 2
            if _innermost(nodes[middle], around) is here:
                low = middle
            else:
                high = middle
        found.append(high)
        start, here = high, _innermost(nodes[high], around)
    return found


def _innermost(node: Node, around: set[Node]) -> Node:
    """Return the innermost of some elements around a node."""
    while node not in around:
        node = above(node)
    return node
