"""Elements inside a line: emphasis, links, code, formulas, images, check boxes."""

from turbohtml import Element, Node, Text

from webstencil.markup.as_markdown import inline
from webstencil.markup.as_markdown.escaping import code_span, collapsed, in_link, target
from webstencil.markup.as_markdown.inline import BREAK, RAW, TEXT, MarkdownPiece, Pieces
from webstencil.markup.as_markdown.open_element import OpenElement

EMPHASIS = {
    **dict.fromkeys(("em", "i", "cite", "dfn", "var"), "em"),
    **dict.fromkeys(("strong", "b"), "strong"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
}
CODE = frozenset(["code", "tt", "samp"])
LEAVES = CODE | {"span", "a", "br", "img", "input", "hr"}
AS_TAGS = frozenset(["sub", "sup", "kbd", "mark", "ins", "u"])  # GitHub renders these
FORMULA, DISPLAY = "math", "display"  # classes, as pandoc has them
DELIMITERS = r"\(\)\[\]"
NOTE_ROLE = "doc-noteref"
HEADINGS = frozenset([f"h{level}" for level in range(1, 7)])


def leaf(node: Element, top: OpenElement) -> bool:
    """Write an element that has nothing in it, or is written as a whole."""
    tag = node.tag
    if tag not in LEAVES:
        return False
    if tag in CODE:
        return _code(node, top)
    if tag == "span":
        classes = (node.attr("class") or "").split()
        if FORMULA not in classes:
            return False
        _formula(node, top, display=DISPLAY in classes)
    elif tag == "a":
        if node.attr("role") != NOTE_ROLE:
            return False
        top.pieces.append(MarkdownPiece(RAW, f"[^{node.text.strip()}]"))
    elif tag == "br":
        top.pieces.append(MarkdownPiece(TEXT, "\n") if top.as_written else MarkdownPiece(BREAK))
    elif tag == "img":
        alt = in_link(collapsed(node.attr("alt") or "").strip())
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
    code = collapsed(node.text)
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
    alone = display and not top.in_cell and top.tag not in HEADINGS
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
    for number, part in enumerate(_broken(closed.pieces)):
        around.pieces += [MarkdownPiece(BREAK)] if number else []
        around.pieces += inline.emphasis(kind, inline.line(part))


def _broken(pieces: Pieces) -> list[Pieces]:
    """Divide pieces at breaks."""
    parts: list[Pieces] = [[]]
    for piece in pieces:
        if piece.kind == BREAK:
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts


def close_tagged(closed: OpenElement, around: OpenElement) -> None:
    """Write an element that Markdown has as HTML."""
    words = inline.line(unbroken(closed.pieces))
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
    words = inline.line(unbroken(closed.pieces))
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
