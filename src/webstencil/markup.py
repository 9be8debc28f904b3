"""HTML in and out: the one file that knows the parser, turbohtml.

A hit asks for little: the names of the elements, the children of a few nodes, the text of the
areas. So a page is kept as the parser made it, and the columns of its tree are made only for
whoever asks. Nodes are numbered in one function, so that a number means the same node wherever it
is used.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from operator import attrgetter

import turbohtml
from turbohtml import Comment, Doctype, Document, Element, Node, Text
from turbohtml.detect import detect

from webstencil.model import NO_PARENT, TEXT, NodeId, Tree

__all__ = [
    "Markup",
    "Node",
    "attribute",
    "bare_parse",
    "children",
    "identifier",
    "selector",
    "stamp",
    "tag",
    "text",
    "xpath",
]

PRUNED = "script, style, template"  # never painted, and not the same on pages of one template

_SPACE = re.compile(r"\s+")
_parent_of = attrgetter("parent")
_tag_of = attrgetter("tag")


class Markup:
    """A parsed and pruned page; columns are computed when they are first asked for."""

    __slots__ = ("_numbered", "_page", "encoding")

    def __init__(self, body: bytes, charset: str | None = None) -> None:
        """Parse `body`; `charset` is what came with it over HTTP and yields only to a BOM."""
        self._page = _parse(body, charset)
        self._page.remove(PRUNED)
        self._numbered: _Numbered | None = None
        self.encoding = self._page.encoding or "UTF-8"  # WHATWG name

    @property
    def root(self) -> Node:
        root = self._page.root
        return root if root is not None else self._page

    def base_href(self) -> str:
        """Return the address in the base element, empty if there is none."""
        base = self._page.select_one("base[href]")
        return (base.attr("href") or "").strip() if base is not None else ""

    def labels(self) -> tuple[list[str], list[int]]:
        """List the elements by tag and, where there is one, id; and the parent of each."""
        elements = list(self._page.iter_elements())
        numbers: dict[Node, int] = dict(zip(elements, range(len(elements)), strict=True))
        labels = list(map(_tag_of, elements))
        for element in self._page.select("[id]"):
            labels[numbers[element]] += f"#{element.attr('id') or ''}"
        return labels, list(map(numbers.get, map(_parent_of, elements), repeat(NO_PARENT)))

    def hrefs(self) -> list[str]:
        """List the addresses of the hyperlinks, as written."""
        return [link.attr("href") or "" for link in self._page.select("a[href], area[href]")]

    def frames(self) -> list[str]:
        """List the addresses of the pages that a frameset holds, as written."""
        return [frame.attr("src") or "" for frame in self._page.select("frame[src]")]

    def canonical(self) -> str:
        """Return the address that the page itself says is its own, empty if it says none."""
        link = self._page.select_one('link[rel~="canonical" i][href]')
        return (link.attr("href") or "").strip() if link is not None else ""

    def meta(self, name: str) -> str:
        """Return what a meta element with this name or HTTP header says, empty if none does."""
        wanted = f'meta[name="{name}" i], meta[http-equiv="{name}" i]'
        found = self._page.select_one(wanted)
        return (found.attr("content") or "").strip() if found is not None else ""

    def pictures(self) -> list[str]:
        """List the addresses of the images, as written."""
        return [image.attr("src") or "" for image in self._page.select("img[src]")]

    def sheets(self) -> list[str]:
        """List the addresses of the style sheets, as written."""
        found = self._page.select('link[rel~="stylesheet" i][href]')
        return [sheet.attr("href") or "" for sheet in found]

    def text(self) -> str:
        """Return all that a reader sees."""
        return self._page.to_text()

    @property
    def tree(self) -> Tree:
        return self._columns().tree

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the text of each node, empty for elements."""
        return self._columns().texts

    def nodes(self, numbers: Iterable[NodeId]) -> tuple[Node, ...]:
        """Return the nodes with these numbers."""
        known = self._columns().nodes
        return tuple([known[number] for number in numbers])

    def _columns(self) -> "_Numbered":
        if self._numbered is None:
            self._numbered = _number(self._page)
        return self._numbered


def bare_parse(body: bytes) -> Node:
    """Parse a page and do nothing else: the yardstick for what all else costs."""
    return turbohtml.parse(body, detect_encoding=True, positions=False)


def stamp(body: bytes, encoding: str, *, attribute: str, head: str = "") -> str:
    """Write a page again with each element's number in `attribute`, `head` opening its head."""
    page = _parse(body, encoding)
    with _put_aside(page, PRUNED):
        for number, node in enumerate(_number(page).nodes):
            if isinstance(node, Element):
                node.attrs[attribute] = str(number)
    place = page.find("head")
    if head and place is not None:
        place.insert_adjacent_html("afterbegin", head)
    return _doctype(page) + "".join(
        part.serialize() for part in page.children if not isinstance(part, Doctype)
    )


@contextmanager
def _put_aside(page: Document, selector: str) -> Iterator[None]:
    """Take what is selected out of the page for a while."""
    aside: list[tuple[Element, Comment]] = []
    for node in page.select(selector):
        placeholder = Comment("")
        node.replace_with(placeholder)
        aside.append((node, placeholder))
    yield
    for element, placeholder in reversed(aside):
        placeholder.replace_with(element)


@dataclass(frozen=True, slots=True)
class _Numbered:
    nodes: tuple[Node, ...]
    tree: Tree
    texts: tuple[str, ...]


def _number(page: Document) -> _Numbered:
    """Number the nodes that count: elements and texts that are not blank, in document order."""
    nodes = [
        node
        for node in page.descendants
        if isinstance(node, Element) or (isinstance(node, Text) and not node.data.isspace())
    ]
    numbers: dict[Node | None, int] = dict(zip(nodes, range(len(nodes)), strict=True))
    tree = Tree(
        tags=tuple(map(tag, nodes)),
        parents=tuple(map(numbers.get, map(_parent_of, nodes), repeat(NO_PARENT))),
        ids=_attribute(page, "id", numbers),
        classes=_attribute(page, "class", numbers),
    )
    texts = tuple([node.data if isinstance(node, Text) else "" for node in nodes])
    return _Numbered(tuple(nodes), tree, texts)


def _attribute(page: Document, name: str, numbers: dict[Node | None, int]) -> tuple[str, ...]:
    column = [""] * len(numbers)
    for element in page.select(f"[{name}]"):
        column[numbers[element]] = element.attr(name) or ""
    return tuple(column)


def children(node: Node) -> list[Node]:
    """List the children of a node that count: elements and texts that are not blank."""
    return [
        child
        for child in node.children
        if isinstance(child, Element) or (isinstance(child, Text) and not child.data.isspace())
    ]


def tag(node: Node) -> str:
    return node.tag if isinstance(node, Element) else TEXT


def identifier(node: Node) -> str:
    return (node.attr("id") or "") if isinstance(node, Element) else ""


def attribute(node: Node, name: str) -> str:
    """Return an attribute of an element, empty if it has none or is a text."""
    return (node.attr(name) or "") if isinstance(node, Element) else ""


def text(nodes: Iterable[Node]) -> str:
    """Return what a reader sees of some nodes, block by block, white space collapsed.

    A text beside another node runs on in the same line; elements stand on lines of their own.
    """
    written = ""
    runs_on = True
    for node in nodes:
        if isinstance(node, Text):
            written += _SPACE.sub(" ", node.data)
            runs_on = True
        else:
            written += ("" if runs_on else "\n") + node.to_text().strip()
            runs_on = False
    return written.strip()


def selector(node: Node) -> str:
    """Write the CSS selector of an element; a text has its parent's."""
    element = node if isinstance(node, Element) else node.parent
    return element.css_path() if isinstance(element, Element) else ""


def xpath(node: Node) -> str:
    """Write the XPath of a node."""
    if isinstance(node, Element):
        return node.xpath_path()
    parent = node.parent
    if not isinstance(parent, Element):
        return ""
    texts: list[Node] = [child for child in parent.children if isinstance(child, Text)]
    return f"{parent.xpath_path()}/text()[{texts.index(node) + 1}]"


def _parse(body: bytes, charset: str | None) -> Document:
    label = charset if charset and _known(charset) else None
    page = turbohtml.parse(body, encoding=label, detect_encoding=True, positions=False)
    if page.encoding == "UTF-8" and _is_not_utf8(body):
        guess = detect(re.sub(rb"(?i)charset", b"-------", body)).encoding
        if guess and guess != "UTF-8":
            return turbohtml.parse(body, encoding=guess, positions=False)
    return page


@lru_cache
def _known(charset: str) -> bool:
    try:
        turbohtml.parse(b"", encoding=charset)
    except LookupError:
        return False
    return True


def _is_not_utf8(body: bytes) -> bool:
    """Tell whether bytes that claim to be UTF-8 break its rules more often than they keep them."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        decoded = body.decode("utf-8", "replace")
        broken = decoded.count("\ufffd")
        return broken > sum(character > "\x7f" for character in decoded) - broken
    return False


def _doctype(page: Document) -> str:
    """Write the doctype as the source had it: it decides over quirks mode, hence the layout."""
    for child in page.children:
        if isinstance(child, Doctype):
            public = f' PUBLIC "{child.public_id}"' if child.public_id is not None else ""
            keyword = "" if public else " SYSTEM"
            system = f'{keyword} "{child.system_id}"' if child.system_id is not None else ""
            return f"<!DOCTYPE {child.name}{public}{system}>"
    return ""
