"""Elements with lines of their own: headings, code, lists, quotes, tables, `details`, footnotes."""

import re
from dataclasses import replace
from html import escape

from webstencil.markup.as_markdown import inline
from webstencil.markup.as_markdown.escaping import code_block, code_span
from webstencil.markup.as_markdown.inline import BREAK, RAW, MarkdownPiece
from webstencil.markup.as_markdown.inline_elements import unbroken
from webstencil.markup.as_markdown.listed import (
    definition,
    indented,
    item,
    numbers,
    quoted,
    whole_number,
)
from webstencil.markup.as_markdown.open_element import PARAGRAPH, MarkdownItem, OpenElement
from webstencil.markup.as_markdown.tables import MarkdownCell, cell_text, table

CELLS = frozenset(["td", "th"])
LISTS = frozenset(["ul", "ol", "menu"])
TERM, MEANING, NOTE = "dt", "dd", "note"  # marks of blocks
NOTE_ROLE = "doc-endnote"
NOTE_INDENT = 4  # columns
MOST_SPAN = 1000  # rows or columns of a cell, as browsers have it
LANGUAGE = "language-"
UNREAD_ALERT = re.compile(  # of GitHub, or of Obsidian with a title before the end of the line
    r"\A\\?\[!(?P<kind>[a-zA-Z]{3,20})\\?\](?:[+-]?[ ](?P<title>[^\n]{1,80}?)[ ]{2}\n|[+-]?\s*)"
)


def close_container(closed: OpenElement, around: OpenElement) -> None:
    """Write a paragraph, or a container that Markdown does not know."""
    if closed.in_cell:
        close_in_cell(closed, around)
    else:
        closed.flush()
        around.take(closed.blocks)


def close_in_cell(closed: OpenElement, around: OpenElement) -> None:
    """Write a block of a cell as a line of its own."""
    if not closed.pieces:
        return
    if around.pieces and around.pieces[-1].kind != BREAK:
        around.pieces.append(MarkdownPiece(BREAK))
    around.pieces += [*closed.pieces, MarkdownPiece(BREAK)]


def close_heading(closed: OpenElement, around: OpenElement) -> None:
    """Write a heading in one line, and what is in it beside text after it."""
    if closed.in_cell:
        close_in_cell(closed, around)
        return
    words = inline.line(unbroken(closed.pieces)).strip(inline.EDGE_BLANK)
    if words.endswith("#"):
        words = f"{words[:-1]}\\#"
    around.add(f"{'#' * int(closed.tag[1])} {words}" if words else "")
    around.take(closed.blocks)


def close_pre(closed: OpenElement, around: OpenElement) -> None:
    """Write a block of code."""
    code = "".join([piece.value for piece in closed.pieces]).strip("\n").rstrip()
    if not code.strip():
        return
    if closed.in_cell:
        spans = [MarkdownPiece(RAW, code_span(one)) for one in code.split("\n") if one.strip()]
        pieces = [part for span in spans for part in (MarkdownPiece(BREAK), span)]
        around.pieces += pieces if around.pieces else pieces[1:]
        return
    around.add(code_block(code, _language(closed)))


def _language(closed: OpenElement) -> str:
    """Return the language of a code block, as its `code` element has it."""
    found = closed.element.select_one("code[class]") if closed.element is not None else None
    names = (found.attr("class") or "").split() if found is not None else []
    known = [name.removeprefix(LANGUAGE) for name in names if name.startswith(LANGUAGE)]
    return known[0].replace("`", "") if known else ""


def close_item(closed: OpenElement, around: OpenElement) -> None:
    """Write an item of a list, or of the list of footnotes."""
    if closed.in_cell:
        words = inline.lines(closed.pieces)
        around.pieces.append(MarkdownPiece(RAW, f"<li>{words}</li>" if words else ""))
        return
    if closed.attribute("role") == NOTE_ROLE:
        text = closed.finished()
        around.add(indented(f"[^{closed.attribute('data-label')}]: ", text, NOTE_INDENT), NOTE)
        return
    closed.flush()
    if not closed.blocks:
        return
    simple = all(block.mark in ("-", "*", ".", ")") for block in closed.blocks[1:])
    text = ("\n" if simple else PARAGRAPH).join([block.text for block in closed.blocks])
    if around.tag in LISTS:
        around.items.append(MarkdownItem(text, closed.attribute("value"), simple))
    else:
        around.add(item("-", text), "-")


def close_list(closed: OpenElement, around: OpenElement) -> None:
    """Write a list."""
    if closed.in_cell:
        inside = inline.line([piece for piece in closed.pieces if piece.kind == RAW])
        if inside:
            around.pieces.append(MarkdownPiece(RAW, f"<{closed.tag}>{inside}</{closed.tag}>"))
        return
    if any(block.mark == NOTE for block in closed.blocks):
        around.take(closed.blocks)
        return
    if text := closed.finished():  # what is in no item
        closed.items.append(MarkdownItem(text, "", len(closed.blocks) == 1))
    around.flush()
    last = around.blocks[-1].mark if around.blocks else ""
    usual, other = (".", ")") if closed.tag == "ol" else ("-", "*")
    mark = other if last == usual else usual
    signs = [""] * len(closed.items)
    if closed.tag == "ol":
        values = [one.value for one in closed.items]
        start = whole_number(closed.attribute("start"))
        signs = numbers(values, start, down=closed.has("reversed"))
    written = [
        item(f"{sign}{mark}", one.text) for sign, one in zip(signs, closed.items, strict=True)
    ]
    between = "\n" if all(one.is_simple for one in closed.items) else PARAGRAPH
    if around.tag in LISTS:
        _put_below(between.join(written), around)
    else:
        around.add(between.join(written), mark)


def _put_below(text: str, around: OpenElement) -> None:
    """Put a list that stands in another, but in none of its items, below the last item."""
    last = around.items.pop() if around.items else MarkdownItem("", "", is_simple=True)
    between = "\n" if last.is_simple else PARAGRAPH
    around.items.append(replace(last, text=f"{last.text}{between}{text}".strip("\n")))


def close_term(closed: OpenElement, around: OpenElement) -> None:
    """Write a term of a definition list."""
    if closed.in_cell:
        close_in_cell(closed, around)
        return
    text = closed.finished()
    last = around.blocks[-1] if around.blocks and not around.pieces else None
    if text and last is not None and last.mark == TERM:
        last.text = f"{last.text}\n{text}"
    else:
        around.add(text, TERM)


def close_meaning(closed: OpenElement, around: OpenElement) -> None:
    """Write what a term means, below it."""
    if closed.in_cell:
        close_in_cell(closed, around)
        return
    text = definition(closed.finished())
    last = around.blocks[-1] if around.blocks and not around.pieces else None
    if text and last is not None and last.mark in (TERM, MEANING):
        last.text, last.mark = f"{last.text}\n{text}", MEANING
    else:
        around.add(text, MEANING)


def close_quote(closed: OpenElement, around: OpenElement) -> None:
    """Write a quote, or a callout, which begins with its kind."""
    if closed.in_cell:
        close_in_cell(closed, around)
        return
    text = closed.finished()
    kind = closed.attribute("data-callout").upper()
    if kind:
        text = f"[!{kind}]\n{text}".rstrip()
    around.add(quoted(UNREAD_ALERT.sub(_read_alert, text)))


def _read_alert(found: re.Match[str]) -> str:
    """Write the first line of an alert that the page shows as it was typed."""
    title = f"**{found['title'].strip()}**\n\n" if found["title"] else ""
    return f"[!{found['kind'].upper()}]\n{title}"


def close_details(closed: OpenElement, around: OpenElement) -> None:
    """Write what a reader unfolds: HTML with Markdown in it."""
    if closed.in_cell:
        close_in_cell(closed, around)
        return
    text = closed.finished()
    around.add(f"<details>\n{text}{PARAGRAPH}</details>" if text else "")


def close_summary(closed: OpenElement, around: OpenElement) -> None:
    """Write the line of `details` that is always shown; Markdown is not read in it."""
    if closed.in_cell:
        close_in_cell(closed, around)
        return
    words = " ".join(closed.element.text.split()) if closed.element is not None else ""
    around.add(f"<summary>{escape(words, quote=False)}</summary>" if words else "")


def close_cell(closed: OpenElement, around: OpenElement) -> None:
    """Add a cell to its row."""
    text = cell_text(inline.lines(closed.pieces))
    columns, rows = (_span(closed.attribute(name)) for name in ("colspan", "rowspan"))
    around.rows = around.rows or [[]]
    around.rows[-1].append(MarkdownCell(text, columns, rows))


def _span(text: str) -> int:
    return min(max(whole_number(text) or 1, 1), MOST_SPAN)


def close_rows(closed: OpenElement, around: OpenElement) -> None:
    """Add rows to their table."""
    around.rows += [row for row in closed.rows if row]


def close_table(closed: OpenElement, around: OpenElement) -> None:
    """Write a table; one inside a cell as lines."""
    if around.in_cell:
        for text in [cell.text for row in closed.rows for cell in row if cell.text]:
            around.pieces += [MarkdownPiece(BREAK), MarkdownPiece(RAW, text)]
        return
    closed.flush()
    around.take(closed.blocks)  # its caption
    around.add(table([row for row in closed.rows if any(cell.text for cell in row)]))
