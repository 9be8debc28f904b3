"""The text of a page in runs, as made by `runs.flatten`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from webstencil.markup import Element, Text

NO_BLOCK = -1


class BlockNames(NamedTuple):
    """The tag of a block, and the names that it has besides."""

    tag: str
    classes: str  # the class attribute, empty if there is none
    identifier: str  # the id attribute
    said: str = ""  # role and itemprop, as in ` @main @name`
    hidden: str = ""  # ` @hidden` if a reader does not see it


@dataclass(frozen=True, slots=True)
class TextRuns:
    """The runs of a page and the blocks around them, as columns."""

    texts: list[str]
    lengths: list[int]  # units: characters, up to 5/3 each in dense scripts
    links: list[int]  # units of a run inside links
    bolds: list[int]  # characters of a run that are bold
    pieces: list["Text"]  # of all runs
    firsts: list[int]  # of a run: index of its first piece
    blocks: list[int]  # the nearest block around a run
    elements: list["Element"]  # of the blocks; parents come before children
    tags: list[str]  # of the blocks
    parents: list[int]  # of the blocks: the parent block, NO_BLOCK at the top
    starts: list[int]  # of the blocks: the first run in them
    ends: list[int]  # of the blocks: the run after the last in them
    names: list[BlockNames]  # that blocks of the page have, each once: many are named alike
    named: list[int]  # of the blocks: which of these names they have

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def classes(self) -> list[str]:
        """List the class attributes of the blocks, each once."""
        return list(dict.fromkeys([one.classes for one in self.names]))

    def nodes(self, run: int) -> list["Text"]:
        """List the text nodes of a run, blank ones between them included."""
        first, *after = self.firsts[run : run + 2]
        return self.pieces[first : after[0] if after else None]
