"""How near the areas of a page are to those of its own rendering.

Both part the visible text of the page: a text belongs to the innermost area around it, a text in no
area is a part of its own. B-cubed F over characters compares the two (Bagga and Baldwin, 1998).
Areas are read off the results that people get, the XPaths, so that all modes are measured alike.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from webstencil import markup
from webstencil.model import NO_PARENT, BoxKind, NodeId, Page, PageArea, Snapshot, inherited

GOOD = 0.85  # agreement from which on a hit that was checked stays one
OUTSIDE = NO_PARENT  # the area of what is in no area
BETWEEN = " | "  # what parts the XPaths of an area's nodes


def near(
    page: Page, snapshot: Snapshot, found: Sequence[PageArea], own: Sequence[PageArea]
) -> float | None:
    """Return how far areas that were found agree with a page's own, 0..1; None without text."""
    texts = visible_texts(snapshot)
    if not texts:
        return None
    places = numbers(page)
    return agreement(texts, owners(page, found, places), owners(page, own, places))


def visible_texts(snapshot: Snapshot) -> dict[NodeId, int]:
    """Return the visible texts and how many characters each shows."""
    return {
        box.node: len(box.text)
        for box in snapshot.boxes
        if box.visible and box.kind is BoxKind.TEXT and box.text
    }


def numbers(page: Page) -> dict[str, NodeId]:
    """Return the number of each node by its XPath."""
    nodes = page.markup.nodes(range(len(page.tree)))
    return {markup.xpath(node): number for number, node in enumerate(nodes)}


def owners(page: Page, areas: Iterable[PageArea], places: Mapping[str, NodeId]) -> list[int]:
    """Return for each node the innermost area around it, or `OUTSIDE`."""
    own = {
        places[xpath]: area.id
        for area in areas
        if area.nodes
        for xpath in area.xpath.split(BETWEEN)
    }
    tree = page.tree
    return inherited(tree.parents, map(own.get, range(len(tree))))


def agreement(texts: Mapping[NodeId, int], found: Sequence[int], truth: Sequence[int]) -> float:
    """Return the F of two partitions of the visible texts, over characters."""
    pairs: Counter[tuple[int, int]] = Counter()
    for one, other, size in zip(
        parts(texts, found), parts(texts, truth), texts.values(), strict=True
    ):
        pairs[one, other] += size
    ones: Counter[int] = Counter()
    others: Counter[int] = Counter()
    for (one, other), size in pairs.items():
        ones[one] += size
        others[other] += size
    precision = sum(size**2 / ones[one] for (one, _), size in pairs.items())
    recall = sum(size**2 / others[other] for (_, other), size in pairs.items())
    return 2 * precision * recall / ((precision + recall) * ones.total())


def parts(texts: Iterable[NodeId], owner: Sequence[int]) -> Iterator[int]:
    """Number the parts of a page's text in the order in which they begin."""
    known: dict[tuple[int, int], int] = {}
    for text in texts:
        area = owner[text]
        yield known.setdefault((area, text if area == OUTSIDE else OUTSIDE), len(known))
