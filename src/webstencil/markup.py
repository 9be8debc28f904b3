"""HTML in and out: the one file that knows the parser, turbohtml.

A hit asks for little: the names of the elements, the children of a few nodes, the text of the
areas. So a page is kept as the parser made it, and the columns of its tree are made only for
whoever asks. Nodes are numbered in one function, so that a number means the same node wherever it
is used.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import repeat
from operator import attrgetter, methodcaller

import turbohtml
from turbohtml import Doctype, Document, Element, Node, Text
from turbohtml.detect import detect

from webstencil.model import NO_PARENT, TEXT, NodeId, Tree

__all__ = [
    "PRUNED",
    "Markup",
    "Node",
    "children",
    "identifier",
    "selector",
    "stamp",
    "tag",
    "text",
    "xpath",
]

PRUNED = frozenset({"script", "style", "template"})  # never painted, vary within a template

_SPACE = re.compile(r"\s+")
_parent_of = attrgetter("parent")


class Markup:
    """A parsed page; columns are computed when they are first asked for."""

    __slots__ = ("_nodes", "_page", "_texts", "_tree", "encoding")

    def __init__(self, body: bytes, charset: str | None = None) -> None:
        """Parse `body`; `charset` is what came with it over HTTP and yields only to a BOM."""
        self._page = _parse(body, charset)
        self._tree: Tree | None = None
        self._texts: tuple[str, ...] = ()
        self._nodes: tuple[Node, ...] = ()
        self.encoding = self._page.encoding or "UTF-8"  # WHATWG name

    @property
    def root(self) -> Node:
        root = self._page.root
        return root if root is not None else self._page

    @property
    def base_href(self) -> str:
        """Return the address in the base element, empty if there is none."""
        base = self._page.select_one("base[href]")
        return (base.attr("href") or "").strip() if base is not None else ""

    def labels(self) -> tuple[list[str], list[int]]:
        """List all elements, scripts too, by tag and, where there is one, id; and their parents."""
        elements = list(self._page.iter_elements())
        numbers = dict(zip(elements, range(len(elements)), strict=True))
        labels = [element.tag for element in elements]
        for element in self._page.select("[id]"):
            labels[numbers[element]] += f"#{element.attr('id') or ''}"
        return labels, list(map(numbers.get, map(_parent_of, elements), repeat(NO_PARENT)))

    def hrefs(self) -> list[str]:
        """List the addresses of the hyperlinks, as written."""
        return [link.attr("href") or "" for link in self._page.select("a[href], area[href]")]

    @property
    def tree(self) -> Tree:
        self._number()
        assert self._tree is not None
        return self._tree

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the text of each node, empty for elements."""
        self._number()
        return self._texts

    def nodes(self, numbers: Iterable[NodeId]) -> tuple[Node, ...]:
        """Return the nodes with these numbers."""
        self._number()
        return tuple(self._nodes[number] for number in numbers)

    def _number(self) -> None:
        if self._tree is not None:
            return
        numbers: dict[Node | None, int] = {self._page: NO_PARENT}
        nodes: list[Node] = []
        parents = []
        for node in _kept(self._page):
            parent = numbers.get(node.parent)
            if parent is not None:
                numbers[node] = len(nodes)
                nodes.append(node)
                parents.append(parent)
        self._nodes = tuple(nodes)
        self._texts = tuple([node.data if isinstance(node, Text) else "" for node in nodes])
        self._tree = Tree(
            tags=tuple([node.tag if isinstance(node, Element) else TEXT for node in nodes]),
            parents=tuple(parents),
            ids=self._attribute("id", numbers),
            classes=self._attribute("class", numbers),
        )

    def _attribute(self, name: str, numbers: dict[Node | None, int]) -> tuple[str, ...]:
        column = [""] * len(self._nodes)
        elements = self._page.select(f"[{name}]")
        values = map(methodcaller("attr", name), elements)
        for number, value in zip(map(numbers.get, elements), values, strict=True):
            if number is not None and value:
                column[number] = value
        return tuple(column)

    def stamp(self, attribute: str, *, head: str = "") -> str:
        """Write the page with each element's number in `attribute`, `head` ending its head.

        This changes the parsed page: give a `Markup` of its own to it.
        """
        self._number()
        for number, node in enumerate(self._nodes):
            if isinstance(node, Element):
                node.attrs[attribute] = str(number)
        place = self._page.find("head")
        if head and place is not None:
            place.insert_adjacent_html("beforeend", head)
        parts = self._page.children
        return _doctype(self._page) + "".join(
            part.serialize() for part in parts if not isinstance(part, Doctype)
        )


def stamp(body: bytes, encoding: str, *, attribute: str, head: str = "") -> str:
    """Write a page's source again with each element's number in `attribute`."""
    return Markup(body, encoding).stamp(attribute, head=head)


def _kept(page: Document) -> Iterator[Node]:
    for node in page.descendants:
        if isinstance(node, Element):
            if node.tag not in PRUNED:
                yield node
        elif isinstance(node, Text) and not node.data.isspace():
            yield node


def children(node: Node) -> list[Node]:
    """List the children of a node that count: no blank text, no comments, nothing pruned."""
    return [
        child
        for child in node.children
        if (isinstance(child, Element) and child.tag not in PRUNED)
        or (isinstance(child, Text) and not child.data.isspace())
    ]


def tag(node: Node) -> str:
    return node.tag if isinstance(node, Element) else TEXT


def identifier(node: Node) -> str:
    return (node.attr("id") or "") if isinstance(node, Element) else ""


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
