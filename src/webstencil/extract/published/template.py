"""What both methods share: a template is prepared on some pages and used on others."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Protocol

from webstencil.errors import SettingsError
from webstencil.extract.published.frequency import is_repeated, sightings
from webstencil.extract.published.page_blocks import (
    BLOCK_TAGS,
    BlockText,
    ComparedBlock,
    CutPage,
    are_similar,
    block_of,
    blocks_of,
    vector_of,
)
from webstencil.model import Page

# 0..1, the share of the other pages with a similar block from which a block is not content. The
# paper says "many times"; docs/published-content.md has other shares.
SHARE = 0.1
FEWEST = 2  # pages; on one alone nothing repeats


@dataclass(frozen=True, slots=True)
class BlockTemplate:
    """What was learned from some pages of a site or a stencil."""

    made_by: str  # the method with its settings
    pages: int  # prepared on
    paths: tuple[str, ...]  # of content blocks, sorted; empty if the method does not need them
    blocks: tuple[ComparedBlock, ...]  # that are not content


@dataclass(frozen=True, slots=True)
class Chosen:
    """The blocks of a page that a method takes."""

    page: CutPage
    taken: list[bool]  # by block
    made: int  # blocks that were compared: the paper's NumBlock

    @property
    def nodes(self) -> frozenset[int]:
        """Return the elements of the taken blocks, as in `CutPage.nodes`."""
        return frozenset(compress(self.page.nodes, self.taken))


@dataclass(frozen=True, slots=True)
class Sorted:
    """The distinct blocks of some pages."""

    pages: int
    content: tuple[ComparedBlock, ...]
    repeated: tuple[ComparedBlock, ...]


class Detector(Protocol):
    """A template, ready for use."""

    @property
    def tags(self) -> frozenset[str]:
        """Return the tags of blocks."""

    def choose(self, page: Page) -> Chosen:
        """Cut a page and compare its blocks: the paper's PerTime."""

    def text(self, chosen: Chosen) -> str:
        """Return the text of the taken blocks."""


def detect(detector: Detector, page: Page) -> str:
    """Return the content of a page."""
    return detector.text(detector.choose(page))


class Method(Protocol):
    """A published method. Its settings are its fields."""

    @property
    def share(self) -> float:
        """Return the share of the other pages above which a block is not content."""

    @property
    def published_tags(self) -> bool:
        """Return whether only elements with the tags of the paper are blocks."""

    def prepare(self, pages: Sequence[Page]) -> BlockTemplate:
        """Learn from pages of one site; the paper takes 20 to 30."""

    def learn(self, known: Sorted) -> BlockTemplate:
        """Learn from sorted blocks."""

    def ready(self, template: BlockTemplate) -> Detector:
        """Make a template ready for use."""


class RefusedBlocks:
    """Looks up blocks that are not content."""

    def __init__(self, blocks: Iterable[ComparedBlock]) -> None:
        known = tuple(blocks)
        self._keys = frozenset(block.key for block in known)
        self._vectors = [vector_of(block) for block in known]

    def __contains__(self, part: BlockText) -> bool:
        """Return whether a block is similar to one of these."""
        if part.key in self._keys:
            return True
        vector = vector_of(block_of(part))
        return any(are_similar(vector, known) for known in self._vectors)


def distinct(blocks: Iterable[ComparedBlock]) -> tuple[ComparedBlock, ...]:
    """Return the blocks with distinct features."""
    return tuple({block.counts: block for block in blocks}.values())


def sort_out(pages: Sequence[Page], share: float, tags: Container[str] = BLOCK_TAGS) -> Sorted:
    """Split the blocks of some pages into content and repeated ones."""
    if len(pages) < FEWEST:
        raise SettingsError(f"a template needs {FEWEST} pages or more, not {len(pages)}")
    content: list[ComparedBlock] = []
    repeated: list[ComparedBlock] = []
    for known in sightings([blocks_of(page, tags) for page in pages]):
        (repeated if is_repeated(known, len(pages), share) else content).append(known.block)
    return Sorted(len(pages), tuple(content), tuple(repeated))


def check_share(share: float) -> None:
    """Refuse an invalid share."""
    if not 0.0 <= share < 1.0:
        raise SettingsError(f"share must be 0..1 and less than 1, not {share}")
