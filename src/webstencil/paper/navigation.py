"""Navigation objects of a page, all as published (Zhao et al. 2017).

CHD or CHD-HD clusters the links (section 3), three features and a support vector machine say which
blocks are navigation (section 4). The shipped machine was trained on the CHD-HD blocks of
hand-marked pages, each block counting once.
"""

from dataclasses import dataclass

from webstencil.model import Page
from webstencil.navigation.classify import shipped
from webstencil.navigation.features import paper_rows
from webstencil.navigation.links import PaperRule, page_hyperlinks


@dataclass(frozen=True, slots=True)
class PublishedBlock:
    """A block of links, its features and its class."""

    links: int
    mean: float  # characters, of the smoothed lengths of texts
    variance: float
    score: float  # of the machine: above 0 it is navigation
    texts: tuple[str, ...]
    hrefs: tuple[str, ...]

    @property
    def navigation(self) -> bool:
        """Return whether the machine calls it navigation."""
        return self.score > 0


def published_blocks(page: Page, rule: PaperRule) -> tuple[PublishedBlock, ...]:
    """Cluster the links of a page and classify the blocks."""
    links = page_hyperlinks(page)
    if not links.nodes:
        return ()
    blocks = rule.blocks(page)
    machine = shipped("paper")
    return tuple(
        PublishedBlock(
            links=len(block),
            mean=row[1],
            variance=row[2],
            score=machine.score(row),
            texts=tuple(links.texts(block)),
            hrefs=tuple(links.hrefs[block.start : block.stop]),
        )
        for block, row in zip(blocks, paper_rows(page, links, blocks), strict=True)
    )
