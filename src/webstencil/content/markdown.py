"""HTML as Markdown: CommonMark with GitHub's tables, footnotes, alerts, task lists and math.

A piece of HTML is written in one loop over its elements. What Markdown has no mark for stays as
HTML that Markdown allows: sub- and superscripts, keys, `details`, lists in cells. Code blocks,
formulas, footnotes and callouts are read as `html` writes them, which are mostly pandoc's forms.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape

from webstencil.content import markdown_lines
from webstencil.content.markdown_lines import (
    BREAK,
    RAW,
    TEXT,
    MarkdownCell,
    MarkdownPiece,
    Pieces,
    attribute_number,
    cell_text,
    code_block,
    code_span,
    collapsed_space,
    definition,
    in_link,
    indented_after,
    item_numbers,
    list_item,
    quoted,
    table,
    target,
)
from webstencil.markup import Element, Node, Text, parse_fragment
from webstencil.markup.text_units import HEADING_LEVELS, TABLE_CELLS

PARAGRAPH_BREAK = "\n\n"


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
        text = markdown_lines.paragraph_markdown(self.pieces)
        self.pieces = []
        if text:
            self.blocks.append(MarkdownBlock(text))

    def finished(self) -> str:
        """Return all blocks."""
        self.flush()
        return PARAGRAPH_BREAK.join([block.text for block in self.blocks])

    def add(self, text: str, mark: str = "") -> None:
        """Add a finished block."""
        self.flush()
        if text:
            self.blocks.append(MarkdownBlock(text, mark))

    def take(self, blocks: list[MarkdownBlock]) -> None:
        """Add the blocks of an element inside."""
        self.flush()
        self.blocks += blocks


# Elements inside a line: emphasis, links, code, formulas, images, check boxes.

EMPHASIS = {
    **dict.fromkeys(("em", "i", "cite", "dfn", "var"), "em"),
    **dict.fromkeys(("strong", "b"), "strong"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
}
CODE_SPANS = frozenset(["code", "tt", "samp"])
LEAF_ELEMENTS = CODE_SPANS | {"span", "a", "br", "img", "input", "hr"}
AS_TAGS = frozenset(["sub", "sup", "kbd", "mark", "ins", "u"])  # GitHub renders these
FORMULA, DISPLAY = "math", "display"  # classes, as pandoc has them
DELIMITERS = r"\(\)\[\]"
NOTE_LINK_ROLE = "doc-noteref"


def leaf(node: Element, top: OpenElement) -> bool:
    """Write an element that has nothing in it, or is written as a whole."""
    tag = node.tag
    if tag not in LEAF_ELEMENTS:
        return False
    if tag in CODE_SPANS:
        return _code(node, top)
    if tag == "span":
        classes = (node.attr("class") or "").split()
        if FORMULA not in classes:
            return False
        _formula(node, top, display=DISPLAY in classes)
    elif tag == "a":
        if node.attr("role") != NOTE_LINK_ROLE:
            return False
        top.pieces.append(MarkdownPiece(RAW, f"[^{node.text.strip()}]"))
    elif tag == "br":
        top.pieces.append(MarkdownPiece(TEXT, "\n") if top.as_written else MarkdownPiece(BREAK))
    elif tag == "img":
        alt = in_link(collapsed_space(node.attr("alt") or "").strip())
        top.pieces.append(MarkdownPiece(RAW, f"![{alt}]({target(node.attr('src') or '')})"))
    elif tag == "input":
        checked = node.attr("checked") is not None
        top.pieces.append(MarkdownPiece(RAW, "[x] " if checked else "[ ] "))
    else:
        top.add("---")
    return True


def _code(node: Element, top: OpenElement) -> bool:
    """Write inline code."""
    if top.as_written:
        return False
    code = collapsed_space(node.text)
    if code.strip():
        top.pieces.append(MarkdownPiece(RAW, code_span(code)))
    else:
        top.pieces.append(MarkdownPiece(TEXT, " " if code else ""))
    return True


def _formula(node: Element, top: OpenElement, *, display: bool) -> None:
    """Write a formula; one on lines of its own is a block, unless it stands inside a line."""
    tex = node.text.strip()
    if tex[:2] + tex[-2:] in (DELIMITERS[:4], DELIMITERS[4:]):
        tex = tex[2:-2].strip()
    alone = display and not top.in_cell and top.tag not in HEADING_LEVELS
    if alone and not any(piece.value.strip() for piece in top.pieces) and _ends_line(node):
        top.pieces = []
        top.add(f"$$\n{tex}\n$$")
        return
    tex = " ".join(tex.split())
    top.pieces.append(MarkdownPiece(RAW, f"$${tex}$$" if display else f"${tex}$"))


def _ends_line(node: Element) -> bool:
    """Return whether nothing follows an element in its line."""
    following: Node | None = node.next_sibling
    while isinstance(following, Text) and following.data.isspace():
        following = following.next_sibling
    return following is None or getattr(following, "tag", "") in ("br", "p", "div")


def close_emphasis(closed: OpenElement, around: OpenElement) -> None:
    """Write emphasis; one inside the same emphasis is the same."""
    kind = EMPHASIS[closed.tag]
    if around.as_written or EMPHASIS.get(around.tag) == kind:
        around.pieces += closed.pieces
        return
    for number, part in enumerate(markdown_lines.broken(closed.pieces)):
        around.pieces += [MarkdownPiece(BREAK)] if number else []
        around.pieces += markdown_lines.emphasis(kind, markdown_lines.inline_markdown(part))


def close_tagged(closed: OpenElement, around: OpenElement) -> None:
    """Write an element that Markdown has as HTML."""
    words = markdown_lines.inline_markdown(unbroken(closed.pieces))
    if around.as_written or not words.strip():
        around.pieces += closed.pieces
        return
    around.pieces.append(MarkdownPiece(RAW, f"<{closed.tag}>{words.strip()}</{closed.tag}>"))


def close_quotation(closed: OpenElement, around: OpenElement) -> None:
    """Write a quotation inside a line."""
    mark = MarkdownPiece(TEXT, '"')
    around.pieces += [mark, *closed.pieces, mark]


def close_link(closed: OpenElement, around: OpenElement) -> None:
    """Write a link; one without words or target is its content."""
    url = closed.attribute("href")
    words = markdown_lines.inline_markdown(unbroken(closed.pieces))
    if around.as_written or not words.strip() or not url:
        around.pieces += closed.pieces
        return
    link = f"[{in_link(words.strip())}]({target(url)})"
    lead, tail = (" " if edge.isspace() else "" for edge in (words[0], words[-1]))
    parts = ((TEXT, lead), (RAW, link), (TEXT, tail))
    around.pieces += [MarkdownPiece(kind, value) for kind, value in parts]


def unbroken(pieces: Pieces) -> Pieces:
    """Return pieces with spaces for breaks."""
    return [MarkdownPiece(TEXT, " ") if piece.kind == BREAK else piece for piece in pieces]


# Elements with lines of their own: headings, code, lists, quotes, tables, `details`, footnotes.

LIST_ELEMENTS = frozenset(["ul", "ol", "menu"])
TERM, MEANING, NOTE = "dt", "dd", "note"  # marks of blocks
NOTE_ROLE = "doc-endnote"
NOTE_INDENT = 4  # columns
MOST_SPAN = 1000  # rows or columns of a cell, as browsers have it
LANGUAGE_PREFIX = "language-"
UNREAD_ALERT = re.compile(  # of GitHub, or of Obsidian with a title before the end of the line
    r"\A\\?\[!(?P<kind>[a-zA-Z]{3,20})\\?\](?:[+-]?[ ](?P<title>[^\n]{1,80}?)[ ]{2}\n|[+-]?\s*)"
)


def close_container(closed: OpenElement, around: OpenElement) -> None:
    """Write a paragraph, or a container that Markdown does not know."""
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
    words = markdown_lines.inline_markdown(unbroken(closed.pieces)).strip(markdown_lines.EDGE_BLANK)
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
    known = [
        name.removeprefix(LANGUAGE_PREFIX) for name in names if name.startswith(LANGUAGE_PREFIX)
    ]
    return known[0].replace("`", "") if known else ""


def close_item(closed: OpenElement, around: OpenElement) -> None:
    """Write an item of a list, or of the list of footnotes."""
    if closed.in_cell:
        words = markdown_lines.paragraph_markdown(closed.pieces)
        around.pieces.append(MarkdownPiece(RAW, f"<li>{words}</li>" if words else ""))
        return
    if closed.attribute("role") == NOTE_ROLE:
        text = closed.finished()
        around.add(
            indented_after(f"[^{closed.attribute('data-label')}]: ", text, NOTE_INDENT), NOTE
        )
        return
    closed.flush()
    if not closed.blocks:
        return
    simple = all(block.mark in ("-", "*", ".", ")") for block in closed.blocks[1:])
    text = ("\n" if simple else PARAGRAPH_BREAK).join([block.text for block in closed.blocks])
    if around.tag in LIST_ELEMENTS:
        around.items.append(MarkdownItem(text, closed.attribute("value"), simple))
    else:
        around.add(list_item("-", text), "-")


def close_list(closed: OpenElement, around: OpenElement) -> None:
    """Write a list."""
    if closed.in_cell:
        inside = markdown_lines.inline_markdown(
            [piece for piece in closed.pieces if piece.kind == RAW]
        )
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
        start = attribute_number(closed.attribute("start"))
        signs = item_numbers(values, start, down=closed.has("reversed"))
    written = [
        list_item(f"{sign}{mark}", one.text) for sign, one in zip(signs, closed.items, strict=True)
    ]
    between = "\n" if all(one.is_simple for one in closed.items) else PARAGRAPH_BREAK
    if around.tag in LIST_ELEMENTS:
        _put_below(between.join(written), around)
    else:
        around.add(between.join(written), mark)


def _put_below(text: str, around: OpenElement) -> None:
    """Put a list that stands in another, but in none of its items, below the last item."""
    last = around.items.pop() if around.items else MarkdownItem("", "", is_simple=True)
    between = "\n" if last.is_simple else PARAGRAPH_BREAK
    around.items.append(replace(last, text=f"{last.text}{between}{text}".strip("\n")))


def close_term(closed: OpenElement, around: OpenElement) -> None:
    """Write a term of a definition list."""
    text = closed.finished()
    last = around.blocks[-1] if around.blocks and not around.pieces else None
    if text and last is not None and last.mark == TERM:
        last.text = f"{last.text}\n{text}"
    else:
        around.add(text, TERM)


def close_meaning(closed: OpenElement, around: OpenElement) -> None:
    """Write what a term means, below it."""
    text = definition(closed.finished())
    last = around.blocks[-1] if around.blocks and not around.pieces else None
    if text and last is not None and last.mark in (TERM, MEANING):
        last.text, last.mark = f"{last.text}\n{text}", MEANING
    else:
        around.add(text, MEANING)


def close_quote(closed: OpenElement, around: OpenElement) -> None:
    """Write a quote, or a callout, which begins with its kind."""
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
    text = closed.finished()
    around.add(f"<details>\n{text}{PARAGRAPH_BREAK}</details>" if text else "")


def close_summary(closed: OpenElement, around: OpenElement) -> None:
    """Write the line of `details` that is always shown; Markdown is not read in it."""
    words = " ".join(closed.element.text.split()) if closed.element is not None else ""
    around.add(f"<summary>{escape(words, quote=False)}</summary>" if words else "")


def close_cell(closed: OpenElement, around: OpenElement) -> None:
    """Add a cell to its row."""
    text = cell_text(markdown_lines.paragraph_markdown(closed.pieces))
    columns, rows = (_span(closed.attribute(name)) for name in ("colspan", "rowspan"))
    around.rows = around.rows or [[]]
    around.rows[-1].append(MarkdownCell(text, columns, rows))


def _span(text: str) -> int:
    return min(max(attribute_number(text) or 1, 1), MOST_SPAN)


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


CONTAINER_TAGS = (
    *("address", "article", "aside", "body", "caption", "center", "div", "dl", "fieldset"),
    *("figcaption", "figure", "footer", "form", "header", "html", "main", "nav", "p", "section"),
)
ELEMENT_WRITERS: Mapping[str, Callable[[OpenElement, OpenElement], None]] = {
    **dict.fromkeys(CONTAINER_TAGS, close_container),
    **dict.fromkeys(EMPHASIS, close_emphasis),
    **dict.fromkeys(AS_TAGS, close_tagged),
    **dict.fromkeys(HEADING_LEVELS, close_heading),
    **dict.fromkeys(LIST_ELEMENTS, close_list),
    **dict.fromkeys(TABLE_CELLS, close_cell),
    **dict.fromkeys(("tr", "thead", "tbody", "tfoot"), close_rows),
    "a": close_link,
    "blockquote": close_quote,
    "dd": close_meaning,
    "details": close_details,
    "dt": close_term,
    "li": close_item,
    "pre": close_pre,
    "q": close_quotation,
    "summary": close_summary,
    "table": close_table,
}
OWN_LINES = frozenset([*CONTAINER_TAGS, *HEADING_LEVELS, "dt", "dd", "details", "summary"])
LINES_IN_CELLS = OWN_LINES | {"blockquote"}
INLINE_ELEMENTS = frozenset([*EMPHASIS, *AS_TAGS, "a", "q"])


def markdown(fragment: str) -> str:
    """Convert a piece of HTML to Markdown."""
    root = parse_fragment(fragment)
    stack = [OpenElement(None, "", iter(list(root.children)))]
    while True:
        top = stack[-1]
        node = next(top.children, None)
        if type(node) is Text:
            data = node.data if top.as_written else collapsed_space(node.data)
            top.pieces.append(MarkdownPiece(TEXT, data))
        elif type(node) is Element:
            if not leaf(node, top):
                stack.append(_opened(node, top))
        elif node is None:
            if len(stack) == 1:
                return top.finished()
            stack.pop()
            _close(top, stack[-1])


def _opened(node: Element, around: OpenElement) -> OpenElement:
    tag = node.tag
    if tag in OWN_LINES and not around.in_cell:
        around.flush()
    return OpenElement(
        node,
        tag,
        iter(list(node.children)),
        in_cell=around.in_cell or tag in TABLE_CELLS,
        as_written=around.as_written or tag == "pre",
    )


def _close(closed: OpenElement, around: OpenElement) -> None:
    """Write an element whose content is complete into the one around it."""
    write = ELEMENT_WRITERS.get(closed.tag)
    if closed.blocks and (write is None or closed.tag in INLINE_ELEMENTS):  # a block inside a line
        closed.flush()
        around.take(closed.blocks)
    elif write is None:
        around.pieces += closed.pieces
    elif closed.in_cell and closed.tag in LINES_IN_CELLS:
        close_in_cell(closed, around)
    else:
        write(closed, around)
