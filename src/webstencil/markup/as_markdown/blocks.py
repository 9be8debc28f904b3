"""A piece of HTML as Markdown, in one loop over its elements.

What Markdown has no mark for stays as HTML that Markdown allows: sub- and superscripts, keys,
`details`, lists in cells. Code blocks, formulas, footnotes and callouts are read as
`extract.content.fragment` writes them, which are mostly pandoc's forms.
"""

from collections.abc import Callable, Mapping

import turbohtml
from turbohtml import Element, Text

from webstencil.markup.as_markdown import block_elements as block
from webstencil.markup.as_markdown.escaping import collapsed
from webstencil.markup.as_markdown.inline import TEXT, MarkdownPiece
from webstencil.markup.as_markdown.inline_elements import (
    AS_TAGS,
    EMPHASIS,
    HEADINGS,
    close_emphasis,
    close_link,
    close_quotation,
    close_tagged,
    leaf,
)
from webstencil.markup.as_markdown.open_element import OpenElement

CONTAINERS = (
    *("address", "article", "aside", "body", "caption", "center", "div", "dl", "fieldset"),
    *("figcaption", "figure", "footer", "form", "header", "html", "main", "nav", "p", "section"),
)
WRITERS: Mapping[str, Callable[[OpenElement, OpenElement], None]] = {
    **dict.fromkeys(CONTAINERS, block.close_container),
    **dict.fromkeys(EMPHASIS, close_emphasis),
    **dict.fromkeys(AS_TAGS, close_tagged),
    **dict.fromkeys(HEADINGS, block.close_heading),
    **dict.fromkeys(block.LISTS, block.close_list),
    **dict.fromkeys(block.CELLS, block.close_cell),
    **dict.fromkeys(("tr", "thead", "tbody", "tfoot"), block.close_rows),
    "a": close_link,
    "blockquote": block.close_quote,
    "dd": block.close_meaning,
    "details": block.close_details,
    "dt": block.close_term,
    "li": block.close_item,
    "pre": block.close_pre,
    "q": close_quotation,
    "summary": block.close_summary,
    "table": block.close_table,
}
OWN_LINES = frozenset([*CONTAINERS, *HEADINGS, "dt", "dd", "details", "summary"])
INLINE = frozenset([*EMPHASIS, *AS_TAGS, "a", "q"])


def markdown(fragment: str) -> str:
    """Convert a piece of HTML to Markdown."""
    root = turbohtml.parse_fragment(fragment)
    stack = [OpenElement(None, "", iter(list(root.children)))]
    while True:
        top = stack[-1]
        node = next(top.children, None)
        if type(node) is Text:
            data = node.data if top.as_written else collapsed(node.data)
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
        in_cell=around.in_cell or tag in block.CELLS,
        as_written=around.as_written or tag == "pre",
    )


def _close(closed: OpenElement, around: OpenElement) -> None:
    """Write an element whose content is complete into the one around it."""
    write = WRITERS.get(closed.tag)
    if closed.blocks and (write is None or closed.tag in INLINE):  # a block inside a line
        closed.flush()
        around.take(closed.blocks)
    elif write is None:
        around.pieces += closed.pieces
    else:
        write(closed, around)
