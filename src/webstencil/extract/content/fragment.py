"""Chosen runs as a piece of HTML, reduced to meaningful markup.

Headings, lists, tables, code, quotes, emphasis, links and images stay; wrappers, classes and styles
go. Text outside of such elements becomes a paragraph.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TypeAlias

from webstencil.extract.content.text_runs import TextRuns
from webstencil.markup import Markup, Node, Text, attribute, closest, tag
from webstencil.urls import join

KEPT_BLOCKS = frozenset(
    [
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "li",
        "td",
        "th",
        "dt",
        "dd",
        "pre",
        "blockquote",
        "figcaption",
        "caption",
    ]
)
FRAMES = frozenset(["ul", "ol", "dl", "table", "thead", "tbody", "tfoot", "tr", "figure"])
INLINE = frozenset(
    [
        "a",
        "b",
        "strong",
        "i",
        "em",
        "code",
        "kbd",
        "samp",
        "sub",
        "sup",
        "del",
        "ins",
        "q",
        "cite",
        "mark",
    ]
)
CELLS = frozenset(["td", "th"])
EMPTY_CELL = "<td></td>"
TABLE = CELLS | {"table", "thead", "tbody", "tfoot", "tr", "caption"}
FEWEST_CELLS = 4  # two rows of two; a note in a manual has three: a sign, a title, a text
NO_DATA = "table, h1, h2, h3, h4, h5, h6"  # not in tables of data
TRIMMED = KEPT_BLOCKS - {"pre"}  # blocks whose text is stripped
BREAK = "<br>"
BLOCK_STARTS = frozenset(f"<{name}>" for name in TRIMMED) | {BREAK}
BLANK = " \t\n\r\f\N{NO-BREAK SPACE}"  # Markdown would have the last as &#160; at an end
BLOCKS = KEPT_BLOCKS | FRAMES
DEEPEST = 40  # kept elements around a text; deeper nesting is an attack
PARAGRAPH = "p"

Around: TypeAlias = tuple[tuple[Node, str], ...]  # elements and their output tags


def fragment(markup: Markup, runs: TextRuns, chosen: Collection[int], base: str) -> str:
    """Return chosen runs, and the images between them, as HTML."""
    starts = {runs.pieces[runs.firsts[run]]: run for run in chosen}
    texts = {node: run for run in chosen for node in runs.nodes(run)}
    if not texts:
        return ""
    writer = FragmentWriter(base)
    left = len(texts)
    for node in markup.root.descendants:
        if isinstance(node, Text) and node in texts:
            run = texts[node]
            writer.text(node, runs.elements[runs.blocks[run]], starts_run=node in starts)
            left -= 1
            if not left:
                break
        elif left < len(texts) and tag(node) == "img":
            writer.image(node)
    return writer.html()


@dataclass(slots=True)
class FragmentWriter:
    """Writes texts and images in document order, with the kept elements around them."""

    base: str  # base URL of links
    _parts: list[str] = field(default_factory=list)
    _open: Around = ()
    _known: dict[Node, Around] = field(default_factory=dict)
    _cells: set[Node] = field(default_factory=set)  # written so far
    _layouts: dict[Node, bool] = field(default_factory=dict)  # tables: whether they are layout

    def text(self, node: Text, block: Node, *, starts_run: bool) -> None:
        """Write a text; `block` is the nearest block around it."""
        around = self._around(node.parent)
        if not any(name in KEPT_BLOCKS for _, name in around):
            around = _with_block(around, block, PARAGRAPH)
        stays = bool(self._open) and _blocks(around) == _blocks(self._open)
        if starts_run and stays and not any(name == "pre" for _, name in around):
            self._parts += [self._parts.pop().rstrip(BLANK), BREAK]
        self._enter(around)
        words = escape(node.data, quote=False)
        at_start = self._parts[-1] in BLOCK_STARTS
        self._parts.append(words.lstrip(BLANK) if at_start else words)

    def image(self, node: Node) -> None:
        """Write an image."""
        source = attribute(node, "src")
        if source and not source.startswith("data:"):
            self._enter(self._around(node.parent))
            url = escape(join(self.base, source) or source)
            self._parts.append(f'<img src="{url}" alt="{escape(attribute(node, "alt"))}">')

    def html(self) -> str:
        """Return the HTML."""
        self._enter(())
        return "".join(self._parts)

    def _around(self, node: Node | None) -> Around:
        """Return the kept elements around the content of a node, outermost first."""
        path: list[Node] = []
        while node is not None and node not in self._known:
            path.append(node)
            node = node.parent
        around = self._known[node] if node is not None else ()
        for inner in reversed(path):
            name = tag(inner)
            if name in INLINE and (name != "a" or attribute(inner, "href")):
                around = (*around, (inner, name))[-DEEPEST:]
            elif name in BLOCKS and not (name in TABLE and self._is_layout(inner)):
                around = _with_block(around, inner, name)[-DEEPEST:]
            self._known[inner] = around
        return around

    def _enter(self, around: Around) -> None:
        """Close and open elements until exactly these are open."""
        same = 0
        while same < min(len(around), len(self._open)) and around[same] == self._open[same]:
            same += 1
        if any(name in TRIMMED for _, name in self._open[same:]):
            self._parts[-1] = self._parts[-1].rstrip(BLANK)
        for node, name in reversed(self._open[same:]):
            if name == "tr":
                self._parts.append(EMPTY_CELL * self._unwritten(node.children[-1:]))
            self._parts.append(f"</{name}>")
        for node, name in around[same:]:
            if name in CELLS:
                self._parts.append(EMPTY_CELL * self._unwritten([node.previous_sibling]))
                self._cells.add(node)
            self._parts.append(self._start(node, name))
        self._open = around

    def _unwritten(self, last: Sequence[Node | None]) -> int:
        """Count the unwritten cells of a row up to a node, to keep its columns."""
        node = last[0] if last else None
        count = 0
        while node is not None and node not in self._cells:
            count += tag(node) in CELLS
            node = node.previous_sibling
        return count

    def _is_layout(self, node: Node) -> bool:
        """Return whether the table at or around a node is layout."""
        table = closest(node, "table")
        if table is None:
            return False
        if table not in self._layouts:
            self._layouts[table] = _holds_no_data(table)
        return self._layouts[table]

    def _start(self, node: Node, name: str) -> str:
        href = attribute(node, "href").strip() if name == "a" else ""
        if href and not href.lower().startswith("javascript:"):
            return f'<a href="{escape(join(self.base, href) or href)}">'
        return f"<{name}>"


def _holds_no_data(table: Node) -> bool:
    """Return whether a table has tables or headings in it, a single column or few cells."""
    if table.select_one(NO_DATA) is not None or len(table.select("td, th")) < FEWEST_CELLS:
        return True
    return table.select_one("td ~ td, td ~ th, th ~ td, th ~ th") is None


def _with_block(around: Around, node: Node, name: str) -> Around:
    """Put a block around the inline elements: a link around a heading goes inside it."""
    place = len(_blocks(around))
    return (*around[:place], (node, name), *around[place:])


def _blocks(around: Around) -> Around:
    """Return the elements before the first inline one."""
    for place, (_, name) in enumerate(around):
        if name in INLINE:
            return around[:place]
    return around
