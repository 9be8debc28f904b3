"""Emphasis in Markdown, in any language.

The parser's own writer falls back to `<em>` and `<strong>` for a whole page as soon as one emphasis
on it has a non-ASCII letter. Here each one is decided alone: stars where CommonMark reads them as
emphasis (section 6.2), tags elsewhere.
"""

from collections.abc import Callable

from turbohtml import Element, Markdown, Node, Text

MARKS = {"em": "*", "i": "*", "strong": "**", "b": "**"}
CELLS = "td, th"
ESCAPED_BAR = r"\|"  # in a cell, whose content is escaped once more
STAR = "*"  # stars that touch each other are read as one run
PUNCTUATION = "."  # Markdown of other elements begins and ends with a bracket or a backtick


def writer(mark: str, tag: str) -> Callable[[Element, str], str]:
    """Return the function that writes an element with this mark, or with tags."""

    def write(element: Element, inside: str) -> str:
        words = inside.strip()
        if not words:
            return " " if element.text else ""
        lead, tail = inside[: inside.index(words)], inside[inside.index(words) + len(words) :]
        before = lead or edge(element.previous_sibling, last=True)
        after = tail or edge(element.next_sibling, last=False)
        fits = flanks(before[-1], words[0]) and flanks(after[0], words[-1])
        marked = f"{mark}{words}{mark}" if fits else f"<{tag}>{words}</{tag}>"
        written = f"{lead}{marked}{tail}"
        return written.replace(ESCAPED_BAR, "|") if element.closest(CELLS) else written

    return write


def edge(node: Node | None, *, last: bool) -> str:
    """Return the character of a sibling that touches an emphasis, a space if there is none."""
    if node is None:
        return " "
    if isinstance(node, Text):
        return (node.data[-1:] if last else node.data[:1]) or " "
    tag = node.tag if isinstance(node, Element) else ""
    return " " if tag == "br" else STAR if tag in MARKS else PUNCTUATION


def flanks(outside: str, inside: str) -> bool:
    """Return whether stars between these characters open or close an emphasis."""
    if outside == STAR:
        return False
    return inside.isalnum() or not outside.isalnum()


OPTIONS = Markdown(
    converters={
        tag: writer(mark, "em" if mark == STAR else "strong") for tag, mark in MARKS.items()
    }
)
