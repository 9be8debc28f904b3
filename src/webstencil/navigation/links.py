"""The hyperlinks of a page, with their place in its tree.

What a hit already knows, the elements and their parents, is used again; all else is read at the
parser's speed. Nothing here changes the parsed page.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from webstencil.markup import Node, whole_outline
from webstencil.model import Page

HYPERLINKS = "a[href]"  # the paper takes all `a`; without an address they lead nowhere
LISTS = "ul, ol"


@dataclass(frozen=True, slots=True)
class Links:
    """The hyperlinks of a page as columns, in document order."""

    nodes: list[Node]
    texts: list[str]  # white space collapsed
    hrefs: list[str]  # as written, without the space around them
    places: list[int]  # number of each link's element, counted from 0 in document order
    parents: Sequence[int]  # of each element of the page, NO_PARENT for the root
    lists: dict[int, Node]  # the elements that are lists, by number
    pruned: tuple[int, ...] = ()  # the elements that `Page.tree` does not have

    def __len__(self) -> int:
        return len(self.nodes)


def links_of(page: Page) -> Links:
    """List the hyperlinks of a page."""
    nodes, texts, hrefs = page.markup.hyperlinks()
    numbers = page.markup.outline().numbers
    return Links(
        nodes=nodes,
        texts=texts,
        hrefs=hrefs,
        places=[numbers[node] for node in nodes],
        parents=page.markup.outline().parents,
        lists={numbers[node]: node for node in page.markup.select(LISTS)},
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
        lists={kept[element]: node for element, node in links.lists.items()},
        pruned=tuple(pruned),
    )
