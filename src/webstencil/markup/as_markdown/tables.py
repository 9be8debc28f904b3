"""Tables in Markdown: one line a row, spans as empty cells, breaks as `<br>`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

MOST_COLUMNS = 200  # a table with more is an attack, or no table
BREAK = "<br>"
NEW_LINE = re.compile(r"[ \t]*\n[ \t]*")


@dataclass(frozen=True, slots=True)
class MarkdownCell:
    """A cell of a table."""

    text: str  # Markdown in one line
    columns: int = 1
    rows: int = 1


def cell_text(text: str) -> str:
    """Write Markdown of lines as one cell."""
    return NEW_LINE.sub(BREAK, text.strip()).replace("|", "\\|")


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
