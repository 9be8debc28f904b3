"""The hyperlinks of a page, with their place in its tree.

Only what every page needs is made at once: the links, their addresses and the numbers of the
elements. The column of parents is made for those who ask, and texts are read only of the links
that somebody asks for: most links of a page are those of its menus, which are known by where they
lead. Nothing here changes the parsed page.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from webstencil.markup import Node, Outline, above, tag, whole_outline
from webstencil.model import Page

HYPERLINKS = "a[href]"  # the paper takes all `a`; without an address they lead nowhere
LISTS = frozenset({"ul", "ol"})


@dataclass(frozen=True)  # without slots, so that a column can be made late
class Links:
    """The hyperlinks of a page as columns, in document order."""

    nodes: list[Node]
    hrefs: list[str]  # as written, without the space around them
    places: list[int]  # number of each link's element, counted from 0 in document order
    outline: Outline  # of the elements of the page
    pruned: tuple[int, ...] = ()  # the elements that `Page.tree` does not have
    _read: dict[int, str] = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.nodes)

    @property
    def parents(self) -> Sequence[int]:
        """Return the parent of each element of the page, NO_PARENT for the root."""
        return self.outline.parents

    @property
    def elements(self) -> Sequence[Node]:
        """Return the elements of the page by number."""
        return self.outline.elements

    @cached_property
    def lists(self) -> frozenset[int]:
        """Return the elements that are lists."""
        elements = enumerate(self.elements)
        return frozenset([number for number, element in elements if tag(element) in LISTS])

    def around(self, first: int, last: int) -> Node:
        """Return the innermost element around two links, the first of which comes first."""
        numbers, left = self.outline.numbers, self.places[first]
        element = self.nodes[last]
        while numbers[element] > left:  # ends at the root, which is number 0
            element = above(element)
        return element

    def text(self, link: int) -> str:
        """Return the text of a link, white space collapsed."""
        return self.texts((link,))[link]

    def texts(self, wanted: Iterable[int]) -> Mapping[int, str]:
        """Return the texts of links, at least of those that are wanted; each is read once."""
        known = self._read
        for link in wanted:
            if link not in known:
                known[link] = " ".join(self.nodes[link].text.split())
        return known

    def all_texts(self) -> list[str]:
        """Return the texts of all links."""
        known = self.texts(range(len(self)))
        return [known[link] for link in range(len(self))]


def links_of(page: Page) -> Links:
    """List the hyperlinks of a page."""
    nodes, hrefs = page.markup.hyperlinks()
    outline = page.markup.outline()
    return Links(nodes, hrefs, list(map(outline.numbers.__getitem__, nodes)), outline)


def paper_links(page: Page) -> Links:
    """List the hyperlinks of a page with scripts and styles among the elements, as the paper does.

    They tell where blocks end: 0.03 ARI. The page is parsed again for that.
    """
    links = links_of(page)
    outline, pruned = whole_outline(page.body, page.encoding)
    skipped = frozenset(pruned)
    kept = [number for number in range(len(outline.elements)) if number not in skipped]
    if len(kept) != len(links.elements):
        return links
    places = [kept[place] for place in links.places]
    return replace(links, places=places, outline=outline, pruned=tuple(pruned))
