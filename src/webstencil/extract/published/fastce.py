"""FastContentExtractor (Nguyen et al., section III).

Preparation finds content blocks as ContentExtractor does and keeps their paths, P, with the blocks
on these paths that are no content. Detection looks only at blocks whose path is in P:

- a sub-block whose path is not in P, nor that of any sub-block of its own, is left out;
- all other sub-blocks are extracted with the block around them;
- an extracted block that is similar to a stored one on its path is dropped: telling blocks on one
  path apart is what blocks are stored for.

The text is that of the page, in its order. "Each extracted block is compared" is read as: each
block with a path in P, by what is in it and in none of its sub-blocks, because the stored ones were
made so. To compare only the outermost ones, with all that is in them, would drop next to nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from webstencil.extract.published.blocks import ComparedBlock, CutPage, cut
from webstencil.extract.published.template import (
    SHARE,
    Chosen,
    RefusedBlocks,
    Sorted,
    Template,
    check_share,
    sort_out,
)
from webstencil.model import NO_PARENT, Page


@dataclass(frozen=True, slots=True)
class FastContentExtractor:
    """Takes what lies on the paths of content."""

    share: float = SHARE  # 0..1, of the other pages: more have it, and it is no content

    def __post_init__(self) -> None:
        check_share(self.share)

    def prepare(self, pages: Sequence[Page]) -> Template:
        """Learn the paths of content, and what else lies on them."""
        return self.learn(sort_out(pages, self.share))

    def learn(self, known: Sorted) -> Template:
        """Learn from blocks that are sorted out already."""
        paths = {block.path for block in known.content}
        blocks = tuple(block for block in known.repeated if block.path in paths)
        return Template(repr(self), known.pages, tuple(sorted(paths)), blocks)

    def ready(self, template: Template) -> "FastCeDetector":
        """Make a template ready for use."""
        paths = frozenset(template.paths)
        on_path: dict[str, list[ComparedBlock]] = defaultdict(list)
        for block in template.blocks:
            on_path[block.path].append(block)
        refused = {path: RefusedBlocks(blocks) for path, blocks in on_path.items()}
        return FastCeDetector(paths, beginnings(paths), refused)


@dataclass(frozen=True, slots=True)
class FastCeDetector:
    """Looks up the blocks on the paths of content."""

    paths: frozenset[str]
    beginnings: frozenset[str]
    refused: Mapping[str, RefusedBlocks]  # by path

    def choose(self, page: Page) -> Chosen:
        """Take the blocks on paths of content that are not known as something else."""
        found = cut(page, self.beginnings)
        on_path = [path in self.paths for path in found.paths]
        taken = extracted(found, on_path)
        made = 0
        for number, pieces in enumerate(found.pieces_of_each()):
            if on_path[number]:
                part = found.part(number, pieces)
                if not part.empty:
                    made += 1
                    taken[number] = part not in self.refused.get(part.path, ())
        return Chosen(found, taken, made)

    def text(self, chosen: Chosen) -> str:
        """Return what the taken blocks say, in the page's order."""
        return chosen.page.text(chosen.taken)


def beginnings(paths: Iterable[str]) -> frozenset[str]:
    """Return the paths of all blocks in which there can be one on these paths.

    The others are left out by the extraction rules, whatever they hold, so they need not be cut.
    """
    tags = (path.split(".") for path in paths)
    return frozenset(".".join(steps[: end + 1]) for steps in tags for end in range(len(steps)))


def extracted(page: CutPage, on_path: Sequence[bool]) -> list[bool]:
    """Tell of each block whether the extraction rules take it."""
    around = list(on_path)  # it or a sub-block is on a path
    for number in range(len(page) - 1, 0, -1):
        if around[number] and page.parents[number] != NO_PARENT:
            around[page.parents[number]] = True
    inside: list[bool] = []  # it or a block around it is on a path
    for number, parent in enumerate(page.parents):
        inside.append(on_path[number] or (parent != NO_PARENT and inside[parent]))
    return [is_around and is_inside for is_around, is_inside in zip(around, inside, strict=True)]
