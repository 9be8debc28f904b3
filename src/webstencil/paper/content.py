"""What both methods share: a template is prepared on some pages and used on others."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Protocol

from webstencil.codec import decode_value, encode_value
from webstencil.errors import SettingsError
from webstencil.model import NO_PARENT, Page
from webstencil.paper.blocks import (
    BLOCK_TAGS,
    BlockText,
    ComparedBlock,
    CutPage,
    are_similar,
    block_of,
    blocks_of,
    cut,
    is_repeated,
    sightings,
    tags_of,
    vector_of,
)
from webstencil.protocols import BlobStore

__all__ = [
    "METHODS",
    "BlockTemplate",
    "ContentExtractor",
    "FastContentExtractor",
    "Method",
    "detect",
    "keep_template",
    "kept_template",
]

# 0..1, the share of the other pages with a similar block from which a block is not content. The
# paper says "many times"; notebook/settings.md has other shares.
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


# ContentExtractor (Debnath et al. 2005), as Nguyen et al. describe it in section II.
#
# A page is cut into all its blocks; those similar to a block seen on many pages are dropped. The
# rest comes in the order of cutting: sub-blocks, then the block around them (Figure 3). So a phrase
# that spans a sub-block is not in the text.
#
# The blocks "that are used to compare" are few in the paper's Table II, so they cannot be all
# blocks of all pages: here they are the distinct ones seen on many pages.


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


# FastContentExtractor (Nguyen et al., section III).
#
# Preparation finds content blocks as ContentExtractor does and keeps their paths, P, with the
# blocks on these paths that are not content. Detection looks only at blocks whose path is in P:
#
# - a sub-block is left out if neither its path nor that of any of its sub-blocks is in P;
# - all other sub-blocks are extracted with the block around them;
# - an extracted block that is similar to a stored one on its path is dropped, with the sub-blocks
#   that were extracted only because of it: blocks are stored to distinguish those on one path.
#
# The text is in document order. "Each extracted block is compared" is read as: each block with a
# path in P, without its sub-blocks, because the stored ones are such. Comparing only the outermost
# ones, with their sub-blocks, would drop almost nothing.


@dataclass(frozen=True, slots=True)
class FastContentExtractor:
    """Takes the blocks on the paths of content."""

    share: float = SHARE  # 0..1, of the other pages; a block on more is not content
    published_tags: bool = False  # only the block tags of the paper, none of later HTML

    def __post_init__(self) -> None:
        check_share(self.share)

    def prepare(self, pages: Sequence[Page]) -> BlockTemplate:
        """Learn the paths of content, and the other blocks on them."""
        tags = tags_of(published=self.published_tags)
        return self.learn(sort_out(pages, self.share, tags))

    def learn(self, known: Sorted) -> BlockTemplate:
        """Learn from sorted blocks."""
        paths = {block.path for block in known.content}
        blocks = tuple(block for block in known.repeated if block.path in paths)
        return BlockTemplate(repr(self), known.pages, tuple(sorted(paths)), blocks)

    def ready(self, template: BlockTemplate) -> "FastCeDetector":
        """Make a template ready for use."""
        paths = frozenset(template.paths)
        on_path: dict[str, list[ComparedBlock]] = defaultdict(list)
        for block in template.blocks:
            on_path[block.path].append(block)
        refused = {path: RefusedBlocks(blocks) for path, blocks in on_path.items()}
        tags = tags_of(published=self.published_tags)
        return FastCeDetector(paths, beginnings(paths), refused, tags)


@dataclass(frozen=True, slots=True)
class FastCeDetector:
    """Looks up the blocks on the paths of content."""

    paths: frozenset[str]
    beginnings: frozenset[str]
    refused: Mapping[str, RefusedBlocks]  # by path
    tags: frozenset[str]  # of blocks

    def choose(self, page: Page) -> Chosen:
        """Take the blocks on paths of content that are not stored as something else."""
        found = cut(page, self.beginnings, self.tags)
        on_path = [path in self.paths for path in found.paths]
        taken = extracted(found, on_path)
        made = 0
        for number, pieces in enumerate(found.pieces_of_each()):
            if on_path[number]:
                part = found.part(number, pieces)
                if not part.empty:
                    made += 1
                    taken[number] = part not in self.refused.get(part.path, ())
            elif taken[number]:  # it came with the block around it, and goes with it
                taken[number] = taken[found.parents[number]]
        return Chosen(found, taken, made)

    def text(self, chosen: Chosen) -> str:
        """Return the text of the taken blocks, in document order."""
        return chosen.page.text(chosen.taken)


def beginnings(paths: Iterable[str]) -> frozenset[str]:
    """Return these paths and all their beginnings.

    The extraction rules leave out all other blocks, so they need not be cut.
    """
    tags = (path.split(".") for path in paths)
    return frozenset(".".join(steps[: end + 1]) for steps in tags for end in range(len(steps)))


def extracted(page: CutPage, on_path: Sequence[bool]) -> list[bool]:
    """Return whether the extraction rules take each block."""
    around = list(on_path)  # it or a sub-block is on a path
    for number in range(len(page) - 1, 0, -1):
        if around[number] and page.parents[number] != NO_PARENT:
            around[page.parents[number]] = True
    inside: list[bool] = []  # it or an ancestor is on a path
    for number, parent in enumerate(page.parents):
        inside.append(on_path[number] or (parent != NO_PARENT and inside[parent]))
    return [is_around and is_inside for is_around, is_inside in zip(around, inside, strict=True)]


# Store templates, which are prepared once and used on later pages.


def keep_template(keeper: BlobStore, name: str, template: BlockTemplate) -> None:
    """Store the template of a site or a stencil."""
    keeper.keep(template.made_by, name, encode_value(template, f"the template of {name!a}"))


def kept_template(keeper: BlobStore, name: str, method: Method) -> BlockTemplate | None:
    """Return a method's stored template of a site or a stencil, None if there is none."""
    body = keeper.kept(repr(method), name)
    return None if body is None else decode_value(body, BlockTemplate, f"template of {name!a}")


# ContentExtractor and FastContentExtractor, as published.


METHODS: dict[str, Method] = {"ce": ContentExtractor(), "fastce": FastContentExtractor()}
