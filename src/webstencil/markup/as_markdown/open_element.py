"""An element whose content is being written as Markdown."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from turbohtml import Element, Node

from webstencil.markup.as_markdown import inline
from webstencil.markup.as_markdown.inline import Pieces
from webstencil.markup.as_markdown.tables import MarkdownCell

PARAGRAPH = "\n\n"


@dataclass(slots=True)
class MarkdownBlock:
    """A finished block; `mark` is that of a list, so that lists side by side differ."""

    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class MarkdownItem:
    """An item of a list."""

    text: str
    value: str  # its number, empty if the list goes on counting
    is_simple: bool  # at most one paragraph, then lists


@dataclass(slots=True)
class OpenElement:
    """An element whose content is being written."""

    element: Element | None  # None around all others
    tag: str
    children: Iterator[Node]
    in_cell: bool = False
    as_written: bool = False  # white space counts
    blocks: list[MarkdownBlock] = field(default_factory=list)
    pieces: Pieces = field(default_factory=list)  # after the last block
    rows: list[list[MarkdownCell]] = field(default_factory=list)  # of a table
    items: list[MarkdownItem] = field(default_factory=list)  # of a list

    def attribute(self, name: str) -> str:
        """Return an attribute, empty if it is missing."""
        return (self.element.attr(name) or "") if self.element is not None else ""

    def has(self, name: str) -> bool:
        """Return whether it has an attribute, with or without a value."""
        return self.element is not None and self.element.attr(name) is not None

    def flush(self) -> None:
        """Make a paragraph of the pieces."""
        if not self.pieces:
            return
        text = inline.lines(self.pieces)
        self.pieces = []
        if text:
            self.blocks.append(MarkdownBlock(text))

    def finished(self) -> str:
        """Return all blocks."""
        self.flush()
        return PARAGRAPH.join([block.text for block in self.blocks])

    def add(self, text: str, mark: str = "") -> None:
        """Add a finished block."""
        self.flush()
        if text:
            self.blocks.append(MarkdownBlock(text, mark))

    def take(self, blocks: list[MarkdownBlock]) -> None:
        """Add the blocks of an element inside."""
        self.flush()
        self.blocks += blocks
