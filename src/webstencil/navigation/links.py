"""The hyperlinks of a page, with their place in its tree.

What a hit already knows, the elements and their parents, is used again; all else is read at the
parser's speed, and texts only of the links that somebody asks for: most links of a page are those
of its menus, which are known by where they lead. Nothing here changes the parsed page.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from webstencil.markup import Node, whole_outline
from webstencil.model import Page

HYPERLINKS = "a[href]"  # the paper takes all `a`; without an address they lead nowhere
LISTS = ("ul", "ol")


@dataclass(frozen=True, slots=True)
class Links:
    """The hyperlinks of a page as columns, in document order."""

    nodes: list[Node]
    hrefs: list[str]  # as written, without the space around them
    places: list[int]  # number of each link's element, counted from 0 in document order
    parents: Sequence[int]  # of each element of the page, NO_PARENT for the root
    elements: Sequence[Node]  # of the page, by number
    numbers: Mapping[Node, int]  # of the same
    lists: frozenset[int]  # the elements that are lists
    pruned: tuple[int, ...] = ()  # the elements that `Page.tree` does not have
    _read: dict[int, str] = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.nodes)

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
    numbers = outline.numbers
    return Links(
        nodes=nodes,
        hrefs=hrefs,
        places=list(map(numbers.__getitem__, nodes)),
        parents=outline.parents,
        elements=outline.elements,
        numbers=numbers,
        lists=frozenset(map(numbers.__getitem__, page.markup.named(*LISTS))),
    )


def paper_links(page: Page) -> Links:
    """List the hyperlinks of a page with scripts and styles among the elements, as the paper does.

    They tell where blocks end: 0.03 ARI. The page is parsed again for that.
    """
    links = links_of(page)
    outline, pruned = whole_outline(page.body, page.encoding)
    skipped = frozenset(pruned)
    kept = [number for number in range(len(outline.parents)) if number not in skipped]
    if len(kept) != len(links.parents):
        return links
    return replace(
        links,
        places=[kept[place] for place in links.places],
        parents=outline.parents,
        elements=outline.elements,
        numbers=outline.numbers,
        lists=frozenset(kept[element] for element in links.lists),
        pruned=tuple(pruned),
    )
