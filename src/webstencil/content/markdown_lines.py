"""Lines of Markdown: text, links and emphasis; items, quotes and tables made of lines.

What Markdown would read as markup is escaped, and nothing else (CommonMark 0.31, GFM 0.29).
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

MARKUP_SIGNS = re.compile(r"[\\`*_\[\]<&~]")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
TAG_LIKE = re.compile(r"<(?:[a-zA-Z/!?][^<]*>|[^\s<>]+@[^\s<>]+>)")
CHECK_BOX_START = re.compile(r"\[[ xX]\](?=\s|$)")
STARTS = re.compile(  # what begins a block at the start of a line, up to the character to escape
    r"""
    (?=\#{1,6}(?:\s|$))            # a heading
    | (?=[-+*](?:\s|$))            # an item of a list
    | \d{1,9}(?=[.)](?:\s|$))      # a numbered item
    | (?=>)                        # a quote
    | (?=(?:=+|-+)\s*$)            # an underline: the line before would be a heading
    | (?=~~~)                      # a fence
    | (?=\[[^\]]+\]:)              # a definition of a link
    """,
    re.VERBOSE,
)
RULE_LINE = re.compile(r"([-_*])(?:\s*\1){2,}\s*$")
SPACE = re.compile(r"[ \t\n\r\f]+")


def collapsed_space(text: str) -> str:
    """Collapse white space as a browser does; spaces that do not break stay."""
    return SPACE.sub(" ", text)


def escaped(text: str, before: str = "", after: str = "") -> str:
    """Escape a text inside a line; `before` and `after` are the characters around it."""
    if MARKUP_SIGNS.search(text) is None:
        return text
    last = len(text) - 1

    def write(found: re.Match[str]) -> str:
        place, mark = found.start(), found[0]
        left = text[place - 1] if place else before
        right = text[place + 1] if place < last else after
        return f"\\{mark}" if _means(mark, left, right, text, place) else mark

    return MARKUP_SIGNS.sub(write, text)


def _means(mark: str, left: str, right: str, text: str, place: int) -> bool:
    """Return whether a character between two others would be read as markup."""
    match mark:
        case "\\":
            return not right or (right.isascii() and not right.isalnum() and not right.isspace())
        case "*":
            return not (_blank(left) and _blank(right))
        case "_":
            return not ((_blank(left) and _blank(right)) or (left.isalnum() and right.isalnum()))
        case "[" | "]":
            return right == ("^" if mark == "[" else "(")
        case "<":
            return TAG_LIKE.match(text, place) is not None
        case "&":
            return ENTITY.match(text, place) is not None
        case "~":
            return "~" in (left, right) or text.count("~") > 1
    return True


def _blank(character: str) -> bool:
    return not character or character.isspace()


def line_start(line: str) -> str:
    """Escape a text at the start of a line that would begin a block."""
    if RULE_LINE.match(line) or CHECK_BOX_START.match(line):
        return f"\\{line}"
    found = STARTS.match(line)
    if found is None:
        return line
    return f"{line[: found.end()]}\\{line[found.end() :]}"


def in_link(text: str) -> str:
    """Escape brackets of a link's text that have no partner."""
    if text.count("[") == text.count("]"):
        return text
    return re.sub(r"(?<!\\)([\[\]])", r"\\\1", text)


def target(url: str) -> str:
    """Write a URL as the target of a link."""
    url = re.sub(r"\s", lambda found: f"%{ord(found[0]):02X}", url)
    url = url.replace("<", "%3C").replace(">", "%3E")
    if url.count("(") != url.count(")"):
        url = url.replace("(", "%28").replace(")", "%29")
    return url.replace("\\", "%5C")


def code_span(code: str) -> str:
    """Write inline code: more backticks around it than in it."""
    code = " ".join(code.split("\n"))
    longest = max([len(run) for run in re.findall(r"`+", code)], default=0)
    fence = "`" * (longest + 1) if longest else "`"
    needs_space = code.startswith("`") or code.endswith("`")
    needs_space = needs_space or (code[:1] == code[-1:] == " " and bool(code.strip()))
    return f"{fence} {code} {fence}" if needs_space else f"{fence}{code}{fence}"


def code_block(code: str, language: str) -> str:
    """Write a block of code in a fence that is longer than any in it."""
    longest = max([len(run) for run in re.findall(r"`{3,}", code)], default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


# Lines of Markdown from pieces of text, code, links and emphasis.
#
# Emphasis is decided when its neighbours are known: stars where CommonMark reads them as emphasis
# (section 6.2), tags elsewhere. Pieces of the same emphasis that touch are one.

TEXT, RAW, BREAK = "text", "raw", "br"
EMPHASIS_MARKS = {"em": "*", "strong": "**", "del": "~~"}
LIKE_PUNCTUATION = "."  # for an escaped star, beside which a star can open an emphasis
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


def merged_pieces(pieces: Iterable[MarkdownPiece]) -> Pieces:
    """Join texts, and emphases of one kind, that touch; drop what is empty."""
    found: Pieces = []
    for piece in pieces:
        if piece.kind != BREAK and not piece.value:
            continue
        last = found[-1] if found else None
        if last is not None and last.kind == piece.kind and piece.kind in (TEXT, *EMPHASIS_MARKS):
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


def inline_markdown(pieces: Pieces) -> str:
    """Write pieces as Markdown inside a line, without escaping its start."""
    return "".join(_written(merged_pieces(pieces)))


def paragraph_markdown(pieces: Pieces) -> str:
    """Write pieces as a paragraph, with hard breaks where the page has breaks."""
    return HARD_BREAK.join(filter(None, map(_line, broken(merged_pieces(pieces)))))


def broken(pieces: Pieces) -> list[Pieces]:
    """Divide pieces at breaks."""
    parts: list[Pieces] = [[]]
    for piece in pieces:
        if piece.kind == BREAK:
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts


def _line(pieces: Pieces) -> str:
    text = "".join(_written(pieces)).strip(EDGE_BLANK)
    first = next((piece for piece in pieces if piece.value.strip()), None)
    return line_start(text) if first is not None and first.kind == TEXT else text


def _written(pieces: Pieces) -> Iterable[str]:
    """Yield each piece as Markdown, in view of its neighbours."""
    last = ""  # the last character written
    for place, piece in enumerate(pieces):
        after = _first(pieces[place + 1]) if place + 1 < len(pieces) else ""
        if piece.kind in EMPHASIS_MARKS:
            written = _marked(piece, last, after)
        elif piece.kind == TEXT:
            written = _text(piece.value, last, after)
        else:
            written = HARD_BREAK if piece.kind == BREAK else piece.value
        literal = piece.kind == TEXT and written.endswith("\\*")
        last = LIKE_PUNCTUATION if literal else written[-1:] or last
        yield written


def _first(piece: MarkdownPiece) -> str:
    """Return the first character of a piece as written."""
    return EMPHASIS_MARKS[piece.kind][0] if piece.kind in EMPHASIS_MARKS else piece.value[:1] or " "


def _text(text: str, before: str, after: str) -> str:
    if before.isspace():
        text = text.lstrip(" ")
    written = escaped(text, before, after)
    if text.endswith("!") and after == LINK_START:
        return f"{written[:-1]}\\!"  # or the link would be an image
    return written


def _marked(piece: MarkdownPiece, before: str, after: str) -> str:
    """Write an emphasis: with its mark, or with tags where the mark would not be read."""
    mark, words = EMPHASIS_MARKS[piece.kind], piece.value
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


# Items of lists, definitions and quotes: Markdown that begins with a mark and is indented.

MOST_NUMBER = 999_999_999  # nine digits, as CommonMark allows


def indented_after(mark: str, text: str, width: int) -> str:
    """Write a mark, then lines indented by so many columns."""
    first, *rest = text.split("\n")
    return "\n".join([mark + first, *[" " * width + line if line else "" for line in rest]])


def list_item(sign: str, text: str) -> str:
    """Write an item of a list."""
    return indented_after(f"{sign} ", text, len(sign) + 1)


def definition(text: str) -> str:
    """Write what a term means, as pandoc and Markdown Extra have it; plain lines elsewhere."""
    return indented_after(": ", text, 2) if text else ""


def quoted(text: str) -> str:
    """Write a quote."""
    return "\n".join([f"> {line}" if line else ">" for line in text.split("\n")]) if text else ""


def attribute_number(text: str) -> int | None:
    """Return the whole number that an attribute holds, None if there is none."""
    text = text.strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) <= 9 else None


def item_numbers(values: list[str], start: int | None, *, down: bool) -> list[str]:
    """Return the numbers of items; counting goes on from the value that one has."""
    step = -1 if down else 1
    number = (len(values) if down else 1) if start is None else start
    found = []
    for value in values:
        told = attribute_number(value)
        number = number if told is None else told
        found.append(str(min(max(number, 0), MOST_NUMBER)))
        number += step
    return found


# Tables in Markdown: one line a row, spans as empty cells, breaks as `<br>`.

MOST_COLUMNS = 200  # a table with more is an attack, or no table
CELL_BREAK = "<br>"
NEW_LINE = re.compile(r"[ \t]*\n[ \t]*")


@dataclass(frozen=True, slots=True)
class MarkdownCell:
    """A cell of a table."""

    text: str  # Markdown in one line
    columns: int = 1
    rows: int = 1


def cell_text(text: str) -> str:
    """Write Markdown of lines as one cell."""
    return NEW_LINE.sub(CELL_BREAK, text.strip()).replace("|", "\\|")


def table(rows: Sequence[Sequence[MarkdownCell]]) -> str:
    """Write a table; the first row is its header, since Markdown has none without."""
    grid = _grid(rows)
    width = max([len(row) for row in grid], default=0)
    if not width:
        return ""
    full = [[*row, *[""] * (width - len(row))] for row in grid]
    head, *body = [f"| {' | '.join(row)} |" for row in full]
    return "\n".join([head, f"|{' --- |' * width}", *body])


def _grid(rows: Sequence[Sequence[MarkdownCell]]) -> list[list[str]]:
    """Return the texts of all cells by row and column; spanned ones are empty."""
    grid: list[list[str]] = []
    below: dict[int, int] = {}  # columns that cells of earlier rows span: rows left
    for row in rows:
        line: list[str] = []
        spans: dict[int, int] = {}
        for cell in row:
            while below.get(len(line)):
                line.append("")
            for part in range(min(cell.columns, MOST_COLUMNS - len(line))):
                spans[len(line)] = cell.rows - 1
                line.append(cell.text if part == 0 else "")
        while below.get(len(line)):
            line.append("")
        below = {
            place: left - 1 for place, left in below.items() if left > 1 and place not in spans
        }
        below.update({place: left for place, left in spans.items() if left > 0})
        grid.append(line)
    return grid
