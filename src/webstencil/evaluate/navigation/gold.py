"""Links of hand-marked pages with the smallest marked block around each."""

from collections.abc import Sequence
from dataclasses import dataclass

from webstencil.evaluate.kreuzer import LabelledPage
from webstencil.model import NO_PARENT, Page
from webstencil.navigation.links import Links, page_hyperlinks

NAVIGATION = frozenset({"Menu", "LinkList", "Menu Sidebar"})
# Blocks that may contain navigation without being it: their links are not judged.
UNCLEAR = frozenset({"Content", "Header", "Footer", "Sidebar"})


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block that people marked."""

    node: int  # of the page
    kind: str


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page with its links, and for each the smallest marked block around it."""

    name: str
    page: Page
    links: Links
    blocks: tuple[MarkedBlock | None, ...]

    @property
    def marked(self) -> list[int]:
        """Return the links that are in any block."""
        return [link for link, block in enumerate(self.blocks) if block is not None]


def marked_page(labelled: LabelledPage) -> MarkedPage:
    """Find the block of each link."""
    page, tree = labelled.page, labelled.page.tree
    kinds = {label.node: MarkedBlock(label.node, label.kind) for label in labelled.labels}
    around: list[MarkedBlock | None] = []
    for node, parent in enumerate(tree.parents):
        above = around[parent] if parent != NO_PARENT else None
        around.append(kinds.get(node, above))
    links = page_hyperlinks(page)
    numbers = dict(zip(page.markup.nodes(range(len(tree))), around, strict=True))
    return MarkedPage(labelled.name, page, links, tuple([numbers[node] for node in links.nodes]))


def is_navigation(block: MarkedBlock | None) -> bool:
    """Return whether people marked a link as navigation."""
    return block is not None and block.kind in NAVIGATION


def is_clear(block: MarkedBlock | None) -> bool:
    """Return whether the mark says that a link is navigation, or that it is not."""
    return block is not None and block.kind not in UNCLEAR


def majority(flags: Sequence[bool]) -> bool:
    """Return whether at least half are true."""
    return 2 * sum(flags) >= len(flags)
