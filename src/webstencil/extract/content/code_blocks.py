"""Code blocks of a page: their text line by line, without line numbers and buttons."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import islice

from webstencil.extract.content.code_languages import NEAR, known, language_of
from webstencil.extract.content.text_runs import TextRuns
from webstencil.markup import Element, Markup, Node, Text, attribute, closest, tag
from webstencil.model import Page

EDITORS = ".cm-content, .CodeMirror-code, .view-lines, .ace_text-layer"
LISTINGS = "div.fragment:has(> .line), .ltx_listing:has(> .ltx_listingline)"  # Doxygen, LaTeXML
BOXES = f".syntaxhighlighter, .crayon-pre, table.js-file-line-container, {EDITORS}, {LISTINGS}"
BOX_NAMES = (
    *("syntaxhighlighter", "crayon-pre", "js-file-line-container", "fragment", "ltx_listingline"),
    *("cm-content", "CodeMirror-code", "view-lines", "ace_text-layer"),
)
WRITERSIDE = ("code-block", "div.code-block[data-lang]:not(:has(pre, code))")  # name and selector
DISTILL = (b"distill", "d-code[block]")  # name of its script, and selector
HEAD = 20_000  # bytes of a page in which its scripts are named
BLOCK_CODE = "code.block, code.code-block, code[style*='display:block'], code[style*='block;']"
BLOCK_CODE += ", code[slot='code']"  # of a web component
NAMED_CODE = "code[class*='language-']"  # a block if it has lines, in `pre` or not
LINES = frozenset(["div", "p", "tr", "li", "table", "tbody", "ol", "ul", "pre"])
LINE_NAMES = re.compile(
    r"(?i)(?:^|[\s_-])(?:line|code-line|codeline|token-line|view-line|cl)(?:$|\s)"
)
NUMBERS = re.compile(
    r"(?i)(?:^|[\s_-])(?:lineno|linenos|linenums?|linenumbers?|line-?no|line-?num(?:ber)?s?|lnt?"
    r"|gutters?|ln-num|ln-numbers|blob-num|hljs-ln-n|rouge-gutter|linenodiv|line_numbers?)(?:$|[\s_-])"
)
NOT_CODE = re.compile(
    r"(?i)(?:^|[\s_-])(?:copy|clipboard|copied|toolbar|tooltip|sr-only)(?:$|[\s_-])"
)
SKIPPED = frozenset(["button", "svg", "style", "script", "template", "select", "textarea", "input"])
UNSELECTABLE = re.compile(r"user-select\s*:\s*none")
OWN_LINE = re.compile(r"display\s*:\s*block")
DOCBOOK = frozenset(["screen", "programlisting"])  # blocks in which `code` is a part of a line
MOST_BREAKS = 1_000  # of a page that are looked at, as they may nest deep
MOST_ROWS = 3  # of a table that puts line numbers beside code
LETTERS = re.compile(r"[^\W\d_]|[(){}<>=]")
ONLY_NUMBERS = re.compile(r"[\s\d]*\d[\s\d]*")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A code block: its code, and the language if it tells one."""

    code: str
    language: str

    @property
    def html(self) -> str:
        """Return it as a piece of HTML."""
        if not self.code.strip():
            return ""
        name = f' class="language-{escape(self.language)}"' if self.language else ""
        start = "\n" if self.code.startswith("\n") else ""
        return f"<pre><code{name}>{start}{escape(self.code, quote=False)}</code></pre>"


def code_blocks(page: Page, runs: TextRuns) -> dict[Node, CodeBlock]:
    """Return the code blocks of a page by their outermost element."""
    boxes = _boxes(page, runs)
    coded = [node for node in boxes if not _is_numbers(node)]
    around = Counter([one for node in coded for one in islice(node.ancestors, NEAR)])
    shared: set[Node] = {node for node, count in around.items() if count > 1}
    return {block: _code(block, node, shared) for block, node in _with_owners(boxes).items()}


def code_elements(page: Page, runs: TextRuns) -> list[Node]:
    """List the outermost elements of the code blocks of a page."""
    return list(_with_owners(_boxes(page, runs)))


def _boxes(page: Page, runs: TextRuns) -> list[Node]:
    """List the elements that hold code or line numbers beside it, the outermost ones."""
    markup = page.markup
    classes = " ".join(runs.classes)
    boxed = any(name in classes for name in BOX_NAMES)
    boxes = markup.select(f"pre, xmp, {BOXES}") if boxed else markup.named("pre", "xmp")
    drawn = markup.select(DISTILL[1]) if DISTILL[0] in page.body[:HEAD] else []
    if WRITERSIDE[0] in classes:
        drawn += markup.select(WRITERSIDE[1])
    every = dict.fromkeys([*boxes, *drawn, *_block_code(markup)])
    outer = {True: f"pre, code, {BOXES}", False: f"pre, {BOXES}"}  # by whether it is `code`
    return [node for node in every if closest_other(node, outer[tag(node) == "code"]) is None]


def _with_owners(boxes: Iterable[Node]) -> dict[Node, Node | None]:
    """Return the boxes by the outermost element of their code block, None for line numbers."""
    found: dict[Node, Node | None] = {}
    for node in boxes:
        block = _with_numbers(node)
        if _is_numbers(node):
            found.setdefault(node, None)
        elif block not in found:
            found[block] = node
    return found


def _code(block: Node, node: Node | None, shared: set[Node]) -> CodeBlock:
    """Return the code in a box; line numbers are none."""
    if node is None:
        return CodeBlock("", "")
    inside = node.select_one("code, [data-code-block-lang]") if tag(node) == "pre" else node
    names = block if block is not node else None
    return CodeBlock(_text(_code_of(node)), language_of(node, inside, shared, names))


def _block_code(markup: Markup) -> list[Node]:
    """List `code` elements that are blocks: by their names, or by the lines in them."""
    if not markup.named("code"):
        return []
    broken = [closest(one, "code") for one in markup.select("code br")[:MOST_BREAKS]]
    lined = [one for one in markup.select(NAMED_CODE) if "\n" in one.text.strip()]
    return [*markup.select(BLOCK_CODE), *[one for one in broken if one is not None], *lined]


def closest_other(node: Node, selector: str) -> Node | None:
    """Return the nearest element around a node that matches a selector."""
    return closest(node.parent, selector) if isinstance(node.parent, Element) else None


def _with_numbers(node: Node) -> Node:
    """Return the table around a code block if its other cells are line numbers, else the block.

    If the table has the name of a file above the code, it is the row. A table of one cell is only
    the frame of the code.
    """
    table = closest_other(node, "table")
    if table is None or table.select_one(f"tr:nth-of-type({MOST_ROWS})") is not None:
        return node
    cells = [cell for cell in table.select("td") if cell.text.strip()]
    own = [cell for cell in cells if not ONLY_NUMBERS.fullmatch(cell.text)]
    if len(own) != 1 or node not in own[0].descendants:
        return node
    if len(cells) < 2 and (own[0].text.strip() != node.text.strip() or table.select_one("th")):
        return node
    return table if table.select_one("th") is None else own[0].parent or node


def _is_numbers(node: Node) -> bool:
    """Return whether a block holds line numbers, beside the one with the code."""
    cell = closest(node, "td, .gutter, .linenos, .lineno, .line-numbers")
    if cell is None or not isinstance(cell, Element) or not ONLY_NUMBERS.fullmatch(cell.text):
        return False
    row = cell.parent
    return row is not None and len(row.select("pre")) > 1


def _code_of(node: Node) -> list[Node]:
    """Return the elements with the code: an editor's lines, `code` elements, or the block."""
    editor = node.select_one(EDITORS)
    if editor is not None:
        return [editor]
    if tag(node) != "pre":
        return [node]
    codes = [one for one in node.select("code") if closest_other(one, "code") is None]
    if not DOCBOOK.isdisjoint(attribute(node, "class").split()) or _has_own_text(node):
        return [node]
    outside = len(node.text.strip()) - sum(len(one.text.strip()) for one in codes)
    if codes and (outside <= 0 or node.select_one("pre > code") is not None):
        return [*codes]
    return [*codes] if len(codes) == 1 and _is_titled(node, codes[0]) else [node]


def _is_titled(node: Node, code: Node) -> bool:
    """Return whether a block begins with the name of a language, beside its only `code`."""
    first = next(iter(node.stripped_strings), "")
    return known(first, sure=False) != "" and not code.text.strip().startswith(first)


def _has_own_text(node: Node) -> bool:
    """Return whether lines of a block are in none of the elements in it."""
    own = "".join([one.data for one in node.children if isinstance(one, Text)])
    return "\n" in own and bool(own.strip())


def _text(nodes: list[Node]) -> str:
    """Return the code in some elements, one line after the other."""
    written: list[str] = []
    for number, node in enumerate(nodes):
        if number:
            _end_line(written)
        _write(node, written)
    code = "".join(written).replace("\r\n", "\n").replace("\N{NO-BREAK SPACE}", " ")
    lines = [line.rstrip() for line in code.replace("\u200b", "").split("\n")]
    return _dedented("\n".join(lines).strip("\n"), nodes)


def _dedented(code: str, nodes: list[Node]) -> str:
    """Remove the indentation of a page's source around code that is not preformatted."""
    return (
        code.strip()
        if all(tag(node) == "code" and closest_other(node, "pre") is None for node in nodes)
        else code
    )


def _end_line(written: list[str]) -> None:
    if written and not written[-1].endswith("\n"):
        written.append("\n")


def _write(top: Node, written: list[str]) -> None:
    """Add the code of an element, in one loop over what is in it."""
    stack: list[tuple[Node, Iterator[Node]]] = [(top, iter(list(top.children)))]
    while stack:
        element, children = stack[-1]
        node = next(children, None)
        if node is None:
            stack.pop()
            if stack and _is_line(element):
                _end_line(written)
        elif isinstance(node, Text):
            written.append(node.data)
        elif tag(node) == "br":
            written.append("\n")
        elif isinstance(node, Element) and not _is_beside(node):
            if _is_line(node):
                _end_line(written)
            stack.append((node, iter(list(node.children))))


def _is_line(node: Node) -> bool:
    """Return whether an element is a line of code."""
    if tag(node) in LINES:
        return True
    if attribute(node, "data-line") or LINE_NAMES.search(attribute(node, "class")):
        sibling = node.next_sibling
        if isinstance(sibling, Text):  # Gatsby takes away the end of a line that it marks
            return sibling.data[:1] not in "\r\n" and "highlight" in attribute(node, "class")
        return isinstance(sibling, Element) and sibling.tag != "br" and "\n" not in node.text
    return OWN_LINE.search(attribute(node, "style")) is not None


def _is_beside(node: Node) -> bool:
    """Return whether an element is not code: a line number, a button, a hint."""
    if tag(node) in SKIPPED or attribute(node, "role") == "button" or _is_download(node):
        return True
    names = attribute(node, "class")
    if NUMBERS.search(names) and isinstance(node, Element) and not LETTERS.search(node.text):
        return True
    if tag(node) == "td" and _is_number_cell(node):
        return True
    if UNSELECTABLE.search(attribute(node, "style")) or "select-none" in names.split():
        return not _holds_code(node)
    return NOT_CODE.search(names) is not None and not _holds_code(node)


def _is_download(node: Node) -> bool:
    return tag(node) == "a" and isinstance(node, Element) and node.attr("download") is not None


def _is_number_cell(node: Node) -> bool:
    """Return whether a cell has a line number, beside the cell with the line."""
    if not isinstance(node, Element) or not ONLY_NUMBERS.fullmatch(node.text):
        return False
    return node.matches("td:first-child:nth-last-child(2)")


def _holds_code(node: Node) -> bool:
    """Return whether an element has more than a number or a word."""
    if not isinstance(node, Element):
        return False
    text = node.text.strip()
    return (
        bool(text)
        and not ONLY_NUMBERS.fullmatch(text)
        and (len(text.split()) > 3 or node.select_one("code, span span") is not None)
    )
