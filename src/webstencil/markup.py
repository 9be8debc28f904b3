"""HTML in and out: the one file that knows the parser, turbohtml.

A hit asks for little: the names of the elements, the children of a few nodes, the text of the
areas. So a page is kept as the parser made it, and the columns of its tree are made only for
whoever asks. Nodes are numbered in one function, so that a number means the same node wherever it
is used.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, repeat
from operator import attrgetter

import turbohtml
from turbohtml import Comment, Doctype, Document, Element, Node, Text
from turbohtml.detect import detect

from webstencil.model import NO_PARENT, TEXT, NodeId, Tree
from webstencil.paths import path_set

__all__ = [
    "Element",
    "Markup",
    "Node",
    "Outline",
    "Text",
    "attribute",
    "bare_parse",
    "children",
    "descendants",
    "has_text",
    "identifier",
    "leaf_text",
    "leaves_after",
    "leaves_before",
    "line",
    "line_end",
    "main_text",
    "markdown",
    "named_children",
    "ordinal",
    "parent",
    "scripts",
    "selector",
    "stamp",
    "strings",
    "tag",
    "take_out",
    "text",
    "text_leaves",
    "whole_outline",
    "xpath",
]

PRUNED = "script, style, template"  # never painted, and not the same on pages of one template

NAMELESS = (TEXT, "", "")  # the tag, id and classes of a text

_SPACE = re.compile(r"\s+")
_parent_of = attrgetter("parent")
_tag_of = attrgetter("tag")


class Markup:
    """A parsed and pruned page; columns are computed when they are first asked for."""

    __slots__ = ("_numbered", "_outline", "_page", "_paths", "encoding")

    def __init__(self, body: bytes, charset: str | None = None) -> None:
        """Parse `body`; `charset` is what came with it over HTTP and yields only to a BOM."""
        self._page = _parse(body, charset)
        self._page.remove(PRUNED)
        self._numbered: _Numbered | None = None
        self._paths: frozenset[int] | None = None
        self._outline: Outline | None = None
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
        outline = self.outline()
        labels = list(map(_tag_of, outline.numbers))
        for element in self._page.select("[id]"):
            labels[outline.numbers[element]] += f"#{element.attr('id') or ''}"
        return labels, outline.parents

    def outline(self) -> "Outline":
        """Return the elements, numbered from 0 without the texts; it is made once."""
        if self._outline is None:
            self._outline = _outline(self._page)
        return self._outline

    def select(self, selector: str) -> list[Node]:
        """List the elements that a CSS selector fits, in document order."""
        return list(self._page.select(selector))

    def names(self) -> tuple[list[str], list[int]]:
        """List the elements by tag and class attribute, those of the head by what they tell.

        The second list has the parent of each.
        """
        outline = self.outline()
        names = list(map(_tag_of, outline.numbers))
        for element in self._page.select("[class]"):
            names[outline.numbers[element]] += f".{element.attr('class') or ''}"
        for element in self._page.select("meta, link"):
            names[outline.numbers[element]] = f"{element.tag}@{_told(element)}"
        return names, outline.parents

    @property
    def paths(self) -> frozenset[int]:
        """Return a hash of each distinct path from the root to a leaf."""
        if self._paths is None:
            self._paths = path_set(*self.labels())
        return self._paths

    def titles(self) -> str:
        """Return what the head of the page gives as its title, in all ways."""
        title = self._page.select_one("title")
        metas = self._page.select("meta[property='og:title'], meta[name='twitter:title']")
        written = [title.text] if title is not None else []
        written += [meta.attr("content") or "" for meta in metas]
        return " ".join(" ".join(written).split())

    def hrefs(self) -> list[str]:
        """List the addresses of the hyperlinks, as written."""
        return [link.attr("href") or "" for link in self._page.select("a[href], area[href]")]

    def hyperlinks(self) -> tuple[list[Node], list[str], list[str]]:
        """List the hyperlinks that are `a` elements, their texts and their addresses."""
        nodes = self._page.select("a[href]")
        texts = [" ".join(node.text.split()) for node in nodes]
        return list(nodes), texts, [(node.attr("href") or "").strip() for node in nodes]

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

    def leaves(self) -> list[Node]:
        """List the texts that are not blank, in document order."""
        return text_leaves(self._page)

    def along(self, tags: Sequence[str], tokens: Iterable[str] = ()) -> list[Node]:
        """List the elements to which tags lead from the root, in document order.

        With `tokens`, class names and #ids, tags lead from any element that has them all.
        """
        first = tags[0] + "".join(map(_has_token, sorted(tokens)))
        try:
            return list(self._page.select(" > ".join((first, *tags[1:]))))
        except ValueError:  # a tag of broken HTML that no selector can name
            return []

    def at(self, tags: tuple[str, ...], ordinals: tuple[int, ...]) -> Node | None:
        """Return the element to which tags lead, each with its ordinal among those of its tag."""
        try:
            return self._page.select_one(_nth_of_types(tags, ordinals))
        except ValueError:  # as above
            return None

    def flow(self) -> tuple[list[str], list[int], list[str]]:
        """List elements and texts, blank ones too: the tag, the parent and the text of each.

        Blank texts have no number, but they part the words of two elements.
        """
        nodes = [node for node in self._page.descendants if isinstance(node, (Element, Text))]
        places: dict[Node, int] = dict(zip(nodes, range(len(nodes)), strict=True))
        parents = list(map(places.get, map(_parent_of, nodes), repeat(NO_PARENT)))
        texts = [node.data if isinstance(node, Text) else "" for node in nodes]
        return list(map(tag, nodes)), parents, texts

    def nodes(self, numbers: Iterable[NodeId]) -> tuple[Node, ...]:
        """Return the nodes with these numbers."""
        known = self._columns().nodes
        return tuple([known[number] for number in numbers])

    def _columns(self) -> "_Numbered":
        if self._numbered is None:
            self._numbered = _number(self._page)
        return self._numbered


def _told(element: Element) -> str:
    """Return what a meta or link element is about."""
    for name in ("property", "name", "rel"):
        if told := element.attr(name):
            return told
    return ""


def bare_parse(body: bytes) -> Node:
    """Parse a page and do nothing else: the yardstick for what all else costs."""
    return turbohtml.parse(body, detect_encoding=True, positions=False)


def scripts(body: bytes, encoding: str, kind: str) -> list[str]:
    """List the scripts of a media type, which a parsed page has no more; parses it again."""
    if kind.encode() not in body:
        return []
    return [script.text for script in _parse(body, encoding).select(f'script[type="{kind}"]')]


def whole_outline(body: bytes, encoding: str) -> tuple["Outline", list[int]]:
    """Number all elements, pruned ones too, and list the numbers of the latter."""
    page = _parse(body, encoding)
    outline = _outline(page)
    gone = ", ".join(f"{name}, {name} *" for name in PRUNED.split(", "))
    return outline, [outline.numbers[element] for element in page.select(gone)]


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
class Outline:
    """The elements of a page, counted from 0 in document order."""

    numbers: dict[Node, int]  # in that order
    parents: list[int]  # NO_PARENT for the root


def _outline(page: Document) -> Outline:
    elements = list(page.iter_elements())
    numbers: dict[Node, int] = dict(zip(elements, range(len(elements)), strict=True))
    return Outline(numbers, list(map(numbers.get, map(_parent_of, elements), repeat(NO_PARENT))))


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


def named_children(node: Node) -> list[tuple[Node, tuple[str, str, str]]]:
    """List the children of a node that count, each with its tag, id and classes."""
    found: list[tuple[Node, tuple[str, str, str]]] = []
    for child in node.children:
        if isinstance(child, Element):
            attr = child.attr
            found.append((child, (child.tag, attr("id") or "", attr("class") or "")))
        elif isinstance(child, Text) and not child.data.isspace():
            found.append((child, NAMELESS))
    return found


def has_text(node: Node) -> bool:
    """Tell whether there is any text in a node that counts."""
    return isinstance(node, Text) or next(iter(node.stripped_strings), None) is not None


def strings(node: Node) -> list[str]:
    """List the texts in a node, without the space around each."""
    return [node.data.strip()] if isinstance(node, Text) else list(node.stripped_strings)


def text_leaves(node: Node) -> list[Node]:
    """List the texts below a node that are not blank, in document order."""
    return [leaf for leaf in node.descendants if isinstance(leaf, Text) and not leaf.data.isspace()]


def take_out(node: Node) -> None:
    """Take a node with all below it out of its page."""
    node.decompose()


def leaf_text(leaf: Node) -> str:
    """Return the text of a text leaf, white space collapsed; empty for others."""
    return " ".join(leaf.data.split()) if isinstance(leaf, Text) else ""


def parent(node: Node) -> Node | None:
    """Return the element around a node, None for the root."""
    above = node.parent
    return above if isinstance(above, Element) else None


def line(node: Node, limit: int) -> list[Node]:
    """List the nodes from the root element to `node`; nothing if there are more than `limit`."""
    climbed = [node, *islice(node.ancestors, limit + 1)]
    if isinstance(climbed[-1], Document):
        climbed.pop()
    return climbed[::-1] if len(climbed) <= limit else []


def line_end(node: Node, count: int) -> list[Node]:
    """List the last nodes, at most so many, of the line from the root down to `node`."""
    return [node, *islice(node.ancestors, count - 1)][::-1]


def leaves_before(node: Node, count: int) -> list[Node]:
    """List the text leaves that end before a node begins, the nearest first."""
    return list(islice(filter(_is_leaf, node.preceding), count))


def leaves_after(node: Node, count: int) -> list[Node]:
    """List the text leaves that begin after a node ends, the nearest first."""
    return list(islice(filter(_is_leaf, node.following), count))


def _is_leaf(node: Node) -> bool:
    return isinstance(node, Text) and not node.data.isspace()


def _has_token(token: str) -> str:
    name, value = ("id=", token[1:]) if token.startswith("#") else ("class~=", token)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name}"{escaped}"]'


@lru_cache
def _nth_of_types(tags: tuple[str, ...], ordinals: tuple[int, ...]) -> str:
    pairs = zip(tags, ordinals, strict=True)
    return " > ".join(f"{name}:nth-of-type({number + 1})" for name, number in pairs)


def ordinal(node: Node) -> int:
    """Return how many siblings of its tag come before a node, blank texts not counted."""
    if isinstance(node, Element):
        wanted = node.tag
        return sum(isinstance(one, Element) and one.tag == wanted for one in node.previous_siblings)
    return sum(isinstance(one, Text) and not one.data.isspace() for one in node.previous_siblings)


def descendants(node: Node, selector: str) -> list[Node]:
    """List the elements below a node that a CSS selector fits."""
    return list(node.select(selector)) if isinstance(node, Element) else []


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


def main_text(body: bytes) -> str:
    """Extract the main text of a page by the parser's own rules; a peer to compare with."""
    return turbohtml.parse(body, detect_encoding=True).main_text() or ""


def markdown(fragment: str) -> str:
    """Write a piece of HTML as Markdown."""
    return turbohtml.parse_fragment(fragment).to_markdown().strip()


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
