"""How well the areas of a hit agree with those of the page's own rendering.

Both partition the visible text: a text belongs to the innermost area around it, a text in no area
is a part of its own. B-cubed F over characters compares them (Bagga and Baldwin, 1998). Areas are
read from the XPaths in results, so that all modes are measured alike.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from webstencil import markup
from webstencil.model import NO_PARENT, BoxKind, NodeId, Page, PageArea, Snapshot, inherited

GOOD = 0.85  # the least agreement for an audited page to stay a hit
OUTSIDE = NO_PARENT  # the area of texts in no area
BETWEEN = " | "  # separates the XPaths of an area's nodes


def near(
    page: Page, snapshot: Snapshot, found: Sequence[PageArea], own: Sequence[PageArea]
) -> float | None:
    """Return how well found areas agree with a page's own, 0..1; None without text."""
    texts = visible_texts(snapshot)
    if not texts:
        return None
    by_xpath = numbers(page)
    return agreement(texts, owners(page, found, by_xpath), owners(page, own, by_xpath))


def visible_texts(snapshot: Snapshot) -> dict[NodeId, int]:
    """Return the number of characters of each visible text."""
    return {
        box.node: len(box.text)
        for box in snapshot.boxes
        if box.visible and box.kind is BoxKind.TEXT and box.text
    }


def numbers(page: Page) -> dict[str, NodeId]:
    """Return the number of each node by its XPath."""
    nodes = page.markup.nodes(range(len(page.tree)))
    return {markup.xpath(node): number for number, node in enumerate(nodes)}


def owners(page: Page, areas: Iterable[PageArea], by_xpath: Mapping[str, NodeId]) -> list[int]:
    """Return the innermost area around each node, or `OUTSIDE`."""
    own = {
        by_xpath[xpath]: area.id
        for area in areas
        if area.nodes
        for xpath in area.xpath.split(BETWEEN)
    }
    tree = page.tree
    return inherited(tree.parents, map(own.get, range(len(tree))))


def agreement(texts: Mapping[NodeId, int], found: Sequence[int], own: Sequence[int]) -> float:
    """Return the B-cubed F of two partitions of the visible texts, over characters.

    Equal to `evaluate.bcubed.extended_bcubed`, which also takes areas that overlap.
    """
    pairs: Counter[tuple[int, int]] = Counter()
    for one, other, size in zip(
        parts(texts, found), parts(texts, own), texts.values(), strict=True
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
    """Number the parts of a page's text in order of their first texts."""
    known: dict[tuple[int, int], int] = {}
    for text in texts:
        area = owner[text]
        yield known.setdefault((area, text if area == OUTSIDE else OUTSIDE), len(known))
