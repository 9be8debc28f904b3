"""The text of a page in runs, as `runs.flatten` reads it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webstencil.markup import Element, Node, Text

NO_BLOCK = -1


@dataclass(frozen=True, slots=True)
class TextRuns:
    """The runs of a page and the blocks around them, as columns."""

    texts: list[str]
    lengths: list[int]  # units: characters, but up to 5/3 for those of dense scripts
    links: list[int]  # units of a run inside links
    bolds: list[int]  # characters of a run that are bold
    pieces: list["Text"]  # of all runs, one after the other
    firsts: list[int]  # of a run: the place of its first piece
    blocks: list[int]  # the nearest block around a run
    elements: list["Element"]  # of the blocks; parents come before children
    tags: list[str]  # of the blocks
    parents: list[int]  # of the blocks: the block around, NO_BLOCK at the top
    starts: list[int]  # of the blocks: the first run in them or below
    ends: list[int]  # of the blocks: the run after the last in them or below
    seldom: frozenset["Node"]  # the elements with attributes that few have

    def __len__(self) -> int:
        return len(self.texts)

    def nodes(self, run: int) -> list["Text"]:
        """List the texts of a page that a run is made of, and the blank ones between them."""
        first, *after = self.firsts[run : run + 2]
        return self.pieces[first : after[0] if after else None]
