"""FastContentExtractor (Nguyen et al., section III).

Preparation finds content blocks as ContentExtractor does and keeps their paths, P, with the blocks
on these paths that are no content. Detection looks only at blocks whose path is in P:

- a sub-block whose path is not in P, nor that of any sub-block of its own, is left out;
- all other sub-blocks are extracted with the block around them;
- an extracted block that is similar to a stored one is dropped.

The text is that of the page, in its order. "Each extracted block is compared" is read as: each
block with a path in P, by what is in it and in none of its sub-blocks, because the stored ones were
made so. To compare only the outermost ones, with all that is in them, would drop next to nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from webstencil.extract.published.blocks import Cut, blocks_of, cut
from webstencil.extract.published.template import (
    SHARE,
    Detected,
    Refused,
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
        content, repeated = sort_out(pages, self.share)
        paths = {known.block.path for known in content}
        blocks = tuple(known.block for known in repeated if known.block.path in paths)
        return Template(repr(self), len(pages), tuple(sorted(paths)), blocks)

    def ready(self, template: Template) -> "FastCeDetector":
        """Make a template ready for use."""
        return FastCeDetector(frozenset(template.paths), Refused(template.blocks))


@dataclass(frozen=True, slots=True)
class FastCeDetector:
    """Looks up the blocks on the paths of content."""

    paths: frozenset[str]
    refused: Refused

    def detect(self, page: Page) -> Detected:
        """Return the blocks on paths of content that are not known as something else."""
        found = cut(page)
        on_path = [path in self.paths for path in found.paths]
        taken = extracted(found, on_path)
        compared = blocks_of(found, on_path)
        for number, block in enumerate(compared):
            if block is not None and block in self.refused:
                taken[number] = False
        filled = sum(1 for block in compared if block is not None)
        numbers = frozenset(number for number, is_taken in enumerate(taken) if is_taken)
        return Detected(found.text(taken), filled, numbers)


def extracted(page: Cut, on_path: Sequence[bool]) -> list[bool]:
    """Tell of each block whether the extraction rules take it."""
    around = list(on_path)  # it or a sub-block is on a path
    for number in range(len(page) - 1, 0, -1):
        if around[number] and page.parents[number] != NO_PARENT:
            around[page.parents[number]] = True
    inside: list[bool] = []  # it or a block around it is on a path
    for number, parent in enumerate(page.parents):
        inside.append(on_path[number] or (parent != NO_PARENT and inside[parent]))
    return [is_around and is_inside for is_around, is_inside in zip(around, inside, strict=True)]
