"""How areas divide the visible texts of a page, and how well two such divisions agree."""

from collections.abc import Iterable, Mapping, Sequence

from webstencil.evaluate.bcubed import AgreementScore
from webstencil.model import NO_PARENT, NodeId, Page, inherited
from webstencil.site.lay import SiteSpots, lay


def told_apart(texts: Iterable[NodeId], homes: Sequence[int]) -> list[int]:
    """Return the area of each text; a text in none is one of its own."""
    return [homes[text] if homes[text] != NO_PARENT else -2 - text for text in texts]


def laid_homes(page: Page, spots: SiteSpots) -> list[int]:
    """Return the area of the site around each node of a page."""
    tree = page.tree
    by_node = {node: n for n, node in enumerate(page.markup.nodes(range(len(tree))))}
    roots = {
        by_node[node]: number
        for number, area in enumerate(lay(spots, page.markup.body))
        if area.leaf
        for node in area.nodes
    }
    return inherited(tree.parents, map(roots.get, range(len(tree))))


def partition_score(
    sizes: Mapping[NodeId, int], areas: Sequence[int], blocks: Sequence[int]
) -> AgreementScore:
    """Return the B-cubed precision and recall of a partition of texts, over characters."""
    both: dict[tuple[int, int], int] = {}
    for pair, size in zip(zip(areas, blocks, strict=True), sizes.values(), strict=True):
        both[pair] = both.get(pair, 0) + size
    in_areas: dict[int, int] = {}
    in_blocks: dict[int, int] = {}
    for (area, block), size in both.items():
        in_areas[area] = in_areas.get(area, 0) + size
        in_blocks[block] = in_blocks.get(block, 0) + size
    total = sum(both.values())
    precision = sum(size**2 / in_areas[area] for (area, _), size in both.items()) / total
    recall = sum(size**2 / in_blocks[block] for (_, block), size in both.items()) / total
    return AgreementScore(precision, recall)
