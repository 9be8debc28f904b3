"""What both methods have in common: a template is prepared on some pages, and used on others."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from webstencil.errors import SettingsError
from webstencil.extract.published.blocks import (
    Block,
    Part,
    Vector,
    are_similar,
    block_of,
    blocks_of,
    vector_of,
)
from webstencil.extract.published.frequency import is_repeated, sightings
from webstencil.model import Page

# 0..1, the share of the other pages that must have a similar block for it to be no content. The
# paper says "many times"; docs/published-content.md has what other shares give.
SHARE = 0.1
FEWEST = 2  # pages: on one alone nothing can be seen to repeat


@dataclass(frozen=True, slots=True)
class Template:
    """What was learned from some pages of a site, or of a stencil."""

    made_by: str  # the method with its settings
    pages: int  # prepared on
    paths: tuple[str, ...]  # of content blocks, sorted; empty if the method does not ask for them
    blocks: tuple[Block, ...]  # that are no content


@dataclass(frozen=True, slots=True)
class Detected:
    """What a method takes from a page."""

    text: str
    blocks: int  # made of the page: the paper's NumBlock
    taken: frozenset[int]  # the elements of the blocks that are content, as in `Cut.nodes`


@dataclass(frozen=True, slots=True)
class Sorted:
    """The blocks of some pages, each once."""

    pages: int
    content: tuple[Block, ...]
    repeated: tuple[Block, ...]


class Detector(Protocol):
    """A template, ready for use."""

    def detect(self, page: Page) -> Detected:
        """Return the content of a page."""


class Method(Protocol):
    """A published method. Its settings are its fields."""

    @property
    def share(self) -> float:
        """Return the share of the other pages beyond which a block is no content."""

    def prepare(self, pages: Sequence[Page]) -> Template:
        """Learn from pages of one site; 20 to 30 are what the paper takes."""

    def learn(self, known: Sorted) -> Template:
        """Learn from blocks that are sorted out already."""

    def ready(self, template: Template) -> Detector:
        """Make a template ready for use."""


class Refused:
    """Blocks that are no content, to be looked up."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._keys: set[tuple[str, int]] = set()
        self._vectors: dict[str, list[Vector]] = defaultdict(list)  # by path
        for block in blocks:
            self._keys.add((block.path, block.key))
            self._vectors[block.path].append(vector_of(block))

    def __contains__(self, part: Part) -> bool:
        """Tell whether a block is similar to one of these."""
        known = self._vectors.get(part.path)
        if not known:
            return False
        if (part.path, part.key) in self._keys:
            return True
        vector = vector_of(block_of(part))
        return any(are_similar(vector, other) for other in known)


def sort_out(pages: Sequence[Page], share: float) -> Sorted:
    """Part the blocks of some pages into content and what repeats."""
    if len(pages) < FEWEST:
        raise SettingsError(f"a template needs {FEWEST} pages or more, not {len(pages)}")
    content: list[Block] = []
    repeated: list[Block] = []
    for known in sightings([blocks_of(page) for page in pages]):
        (repeated if is_repeated(known, len(pages), share) else content).append(known.block)
    return Sorted(len(pages), tuple(content), tuple(repeated))


def check_share(share: float) -> None:
    """Refuse a share that is none."""
    if not 0.0 <= share < 1.0:
        raise SettingsError(f"share must be 0..1 and less than 1, not {share}")
