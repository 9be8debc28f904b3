"""Lines of Markdown from pieces of text, code, links and emphasis.

Emphasis is decided when its neighbours are known: stars where CommonMark reads them as emphasis
(section 6.2), tags elsewhere. Pieces of the same emphasis that touch are one.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from webstencil.markup.as_markdown.escaping import escaped, line_start

TEXT, RAW, BREAK = "text", "raw", "br"
MARKS = {"em": "*", "strong": "**", "del": "~~"}
PUNCTUATION = "."  # for an escaped star, beside which a star can open an emphasis
HARD_BREAK = "  \n"
EDGE_BLANK = " \t\n\N{NO-BREAK SPACE}"  # stripped from the ends of lines
LINK_START, LINK_END = "[", "]("
PUNCTUATED = re.compile(r"([(\"']*)(\w(?:.*\w)?)([(),.:;!?\"']*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MarkdownPiece:
    """A part of a line: a text, finished Markdown, a break, or the inside of an emphasis."""

    kind: str  # TEXT, RAW, BREAK, or a key of MARKS
    value: str = ""


Pieces: TypeAlias = list[MarkdownPiece]


def merged(pieces: Iterable[MarkdownPiece]) -> Pieces:
    """Join texts, and emphases of one kind, that touch; drop what is empty."""
    found: Pieces = []
    for piece in pieces:
        if piece.kind != BREAK and not piece.value:
            continue
        last = found[-1] if found else None
        if last is not None and last.kind == piece.kind and piece.kind in (TEXT, *MARKS):
            blank = last.value.endswith(" ") and piece.kind == TEXT
            value = last.value + (piece.value.lstrip(" ") if blank else piece.value)
            found[-1] = MarkdownPiece(piece.kind, value)
        else:
            found.append(piece)
    return found


def emphasis(kind: str, inside: str) -> Pieces:
    """Return an emphasis, with the blanks at its ends outside; none if it marks no word."""
    words = inside.strip()
    if not any(map(str.isalnum, words)):
        return [MarkdownPiece(RAW, inside)]
    start = inside.index(words)
    lead, tail = inside[:start], inside[start + len(words) :]
    blank = [MarkdownPiece(TEXT, " " if part else "") for part in (lead, tail)]
    return [blank[0], MarkdownPiece(kind, words), blank[1]]


def line(pieces: Pieces) -> str:
    """Write pieces as Markdown inside a line, without escaping its start."""
    return "".join(_written(merged(pieces)))


def lines(pieces: Pieces) -> str:
    """Write pieces as a paragraph, with hard breaks where the page has breaks."""
    parts: list[Pieces] = [[]]
    for piece in merged(pieces):
        if piece.kind == BREAK:
            parts.append([])
        else:
            parts[-1].append(piece)
    written = [_line(part) for part in parts]
    return HARD_BREAK.join(filter(None, written))


def _line(pieces: Pieces) -> str:
    text = "".join(_written(pieces)).strip(EDGE_BLANK)
    first = next((piece for piece in pieces if piece.value.strip()), None)
    return line_start(text) if first is not None and first.kind == TEXT else text


def _written(pieces: Pieces) -> Iterable[str]:
    """Yield each piece as Markdown, in view of its neighbours."""
    last = ""  # the last character written
    for place, piece in enumerate(pieces):
        after = _first(pieces[place + 1]) if place + 1 < len(pieces) else ""
        if piece.kind in MARKS:
            written = _marked(piece, last, after)
        elif piece.kind == TEXT:
            written = _text(piece.value, last, after)
        else:
            written = HARD_BREAK if piece.kind == BREAK else piece.value
        literal = piece.kind == TEXT and written.endswith("\\*")
        last = PUNCTUATION if literal else written[-1:] or last
        yield written


def _first(piece: MarkdownPiece) -> str:
    """Return the first character of a piece as written."""
    return MARKS[piece.kind][0] if piece.kind in MARKS else piece.value[:1] or " "


def _text(text: str, before: str, after: str) -> str:
    if before.isspace():
        text = text.lstrip(" ")
    written = escaped(text, before, after)
    if text.endswith("!") and after == LINK_START:
        return f"{written[:-1]}\\!"  # or the link would be an image
    return written


def _marked(piece: MarkdownPiece, before: str, after: str) -> str:
    """Write an emphasis: with its mark, or with tags where the mark would not be read."""
    mark, words = MARKS[piece.kind], piece.value
    if not _is_closed(words):
        return f"<{piece.kind}>{words}</{piece.kind}>"
    if flanks(before, words[0], mark) and flanks(after, words[-1], mark):
        return f"{mark}{words}{mark}"
    ends = PUNCTUATED.fullmatch(words)  # without the signs at its ends it may do
    if ends is not None and LINK_END not in words:
        lead, inside, tail = ends.groups()
        before, after = lead or before, tail or after
        if flanks(before[-1:], inside[0], mark) and flanks(after[:1], inside[-1], mark):
            return f"{lead}{mark}{inside}{mark}{tail}"
    return f"<{piece.kind}>{words}</{piece.kind}>"


def _is_closed(words: str) -> bool:
    """Return whether stars around some Markdown do not run into stars of its own."""
    return not re.match(r"\*\*\*|~~", words) and "\n" not in words


def flanks(outside: str, inside: str, mark: str) -> bool:
    """Return whether a mark between these characters opens or closes an emphasis."""
    if outside == mark[0]:
        return False
    return not outside or inside.isalnum() or not outside.isalnum()
