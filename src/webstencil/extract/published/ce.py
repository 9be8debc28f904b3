"""ContentExtractor (Debnath et al. 2005), as Nguyen et al. describe it in section II.

A page is cut into all its blocks; those similar to a block seen on many pages are dropped. The rest
comes in the order of cutting: sub-blocks, then the block around them (Figure 3). So a phrase that
spans a sub-block is not in the text.

The blocks "that are used to compare" are few in the paper's Table II, so they cannot be all blocks
of all pages: here they are the distinct ones seen on many pages.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from webstencil.extract.published.page_blocks import CutPage, cut, tags_of
from webstencil.extract.published.template import (
    SHARE,
    BlockTemplate,
    Chosen,
    RefusedBlocks,
    Sorted,
    check_share,
    distinct,
    sort_out,
)
from webstencil.model import NO_PARENT, Page


@dataclass(frozen=True, slots=True)
class ContentExtractor:
    """Drops repeated blocks."""

    share: float = SHARE  # 0..1, of the other pages; a block on more is not content
    published_tags: bool = False  # only the block tags of the paper, none of later HTML

    def __post_init__(self) -> None:
        check_share(self.share)

    def prepare(self, pages: Sequence[Page]) -> BlockTemplate:
        """Learn which blocks are on many of the pages."""
        tags = tags_of(published=self.published_tags)
        return self.learn(sort_out(pages, self.share, tags))

    def learn(self, known: Sorted) -> BlockTemplate:
        """Learn from sorted blocks."""
        return BlockTemplate(repr(self), known.pages, (), distinct(known.repeated))

    def ready(self, template: BlockTemplate) -> "CeDetector":
        """Make a template ready for use."""
        tags = tags_of(published=self.published_tags)
        return CeDetector(RefusedBlocks(template.blocks), tags)


@dataclass(frozen=True, slots=True)
class CeDetector:
    """Looks up every block of a page."""

    refused: RefusedBlocks
    tags: frozenset[str]  # of blocks

    def choose(self, page: Page) -> Chosen:
        """Take the blocks that were not seen on many pages."""
        found = cut(page, blocks=self.tags)
        parts = found.parts()
        filled = [not part.empty for part in parts]
        taken = [
            is_filled and part not in self.refused
            for is_filled, part in zip(filled, parts, strict=True)
        ]
        return Chosen(found, taken, sum(filled))

    def text(self, chosen: Chosen) -> str:
        """Return the text of the taken blocks, sub-blocks first."""
        parts = chosen.page.parts()
        order = closing_order(chosen.page)
        said = [parts[number].text for number in order if chosen.taken[number]]
        return "\n".join(filter(None, said))


def closing_order(page: CutPage) -> list[int]:
    """Sort blocks by their ends: sub-blocks before the block around them."""
    ends = list(range(1, len(page) + 1))
    for number in range(len(page) - 1, 0, -1):
        parent = page.parents[number]
        if parent != NO_PARENT:
            ends[parent] = max(ends[parent], ends[number])
    return sorted(range(len(page)), key=lambda number: (ends[number], -number))
