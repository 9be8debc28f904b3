"""What both methods have in common: a template is prepared on some pages, and used on others."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from webstencil.errors import SettingsError
from webstencil.extract.published.blocks import (
    Block,
    Vector,
    are_similar,
    blocks_of,
    cut,
    vector_of,
)
from webstencil.extract.published.frequency import Sighting, is_repeated, sightings
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
    taken: frozenset[int]  # numbers of the blocks of the cut page that are content


class Detector(Protocol):
    """A template, ready for use."""

    def detect(self, page: Page) -> Detected:
        """Return the content of a page."""


class Method(Protocol):
    """A published method. Its settings are its fields."""

    def prepare(self, pages: Sequence[Page]) -> Template:
        """Learn from pages of one site; 20 to 30 are what the paper takes."""

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

    def __contains__(self, block: Block) -> bool:
        """Tell whether a block is similar to one of these."""
        if (block.path, block.key) in self._keys:
            return True
        known = self._vectors.get(block.path)
        if not known:
            return False
        vector = vector_of(block)
        return any(are_similar(vector, other) for other in known)


def sort_out(pages: Sequence[Page], share: float) -> tuple[list[Sighting], list[Sighting]]:
    """Return the content blocks of some pages, and the others."""
    if len(pages) < FEWEST:
        raise SettingsError(f"a template needs {FEWEST} pages or more, not {len(pages)}")
    found = sightings([[block for block in blocks_of(cut(page)) if block] for page in pages])
    content = [known for known in found if not is_repeated(known, len(pages), share)]
    repeated = [known for known in found if is_repeated(known, len(pages), share)]
    return content, repeated


def check_share(share: float) -> None:
    """Refuse a share that is none."""
    if not 0.0 <= share < 1.0:
        raise SettingsError(f"share must be 0..1 and less than 1, not {share}")
