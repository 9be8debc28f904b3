"""FastContentExtractor (Nguyen et al., section III).

Preparation finds content blocks as ContentExtractor does and keeps their paths, P, with the blocks
on these paths that are not content. Detection looks only at blocks whose path is in P:

- a sub-block is left out if neither its path nor that of any of its sub-blocks is in P;
- all other sub-blocks are extracted with the block around them;
- an extracted block that is similar to a stored one on its path is dropped, with the sub-blocks
  that were extracted only because of it: blocks are stored to distinguish those on one path.

The text is in document order. "Each extracted block is compared" is read as: each block with a path
in P, without its sub-blocks, because the stored ones are such. Comparing only the outermost ones,
with their sub-blocks, would drop almost nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from webstencil.extract.published.page_blocks import ComparedBlock, CutPage, cut, tags_of
from webstencil.extract.published.template import (
    SHARE,
    BlockTemplate,
    Chosen,
    RefusedBlocks,
    Sorted,
    check_share,
    sort_out,
)
from webstencil.model import NO_PARENT, Page


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
