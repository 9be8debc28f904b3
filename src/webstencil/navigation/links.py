"""The hyperlinks of a page, with their positions in its tree.

Links, their URLs and their positions among the elements are read at once. The column of parents and
the texts of links are read on demand: most links of a page belong to menus, which are known by
their targets. Nothing here changes the parsed page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from webstencil.markup import ElementTable, Node, common_ancestor, tag, whole_table
from webstencil.model import Page

HYPERLINKS = "a[href]"  # the paper takes all `a`, but those without a URL are not links
LISTS = frozenset({"ul", "ol"})


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
        return frozenset([number for number, element in elements if tag(element) in LISTS])

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


def links_of(page: Page) -> Links:
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
    links = links_of(page)
    table, pruned = whole_table(page.body, page.encoding)
    skipped = frozenset(pruned)
    kept = [number for number in range(len(table.elements)) if number not in skipped]
    if len(kept) != len(links.elements):
        return links
    places = [kept[place] for place in links.places]
    return replace(links, places=places, elements=table.elements, pruned=tuple(pruned))
