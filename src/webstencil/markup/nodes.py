"""Nodes of a parsed page: their children and ancestors, texts, selectors and XPaths."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from operator import attrgetter

from turbohtml import Document, Element, Node, Text

_NEAR = 16  # ancestors to look at first; more than most nodes have

above: Callable[[Node], Node] = attrgetter("parent")  # a parent must exist; faster than `parent`


def children(node: Node) -> list[Node]:
    """List the children of a node that count: elements and non-blank texts."""
    return [
        child
        for child in node
        if type(child) is Element or (type(child) is Text and not child.data.isspace())
    ]


def strings(node: Node) -> list[str]:
    """List the texts in a node, each stripped."""
    return [node.data.strip()] if isinstance(node, Text) else list(node.stripped_strings)


def text_leaves(node: Node) -> list[Node]:
    """List the non-blank texts below a node, in document order."""
    return [leaf for leaf in node.descendants if isinstance(leaf, Text) and not leaf.data.isspace()]


def take_out(node: Node) -> None:
    """Remove a node and its subtree from its page."""
    node.decompose()


def leaf_text(leaf: Node) -> str:
    """Return the text of a text leaf, white space collapsed; empty for others."""
    return " ".join(leaf.data.split()) if isinstance(leaf, Text) else ""


def parent(node: Node) -> Node | None:
    """Return the parent element of a node, None for the root."""
    above = node.parent
    return above if isinstance(above, Element) else None


def common_ancestor(first: Node, last: Node) -> Node:
    """Return the lowest common ancestor of two nodes; it may be one of them."""
    reach = _NEAR
    while True:  # pages nest 100,000 deep, so look further up only if needed
        around = {first, *islice(first.ancestors, reach)}
        climbed = [last, *islice(last.ancestors, reach)]
        for node in climbed:
            if node in around:
                return node
        if len(around) <= reach and len(climbed) <= reach:
            raise ValueError("two nodes of different pages have no common ancestor")
        reach *= 4


def line(node: Node, limit: int) -> list[Node]:
    """List the nodes from the root element to `node`, none if there are more than `limit`."""
    climbed = [node, *islice(node.ancestors, limit + 1)]
    if isinstance(climbed[-1], Document):
        climbed.pop()
    return climbed[::-1] if len(climbed) <= limit else []


def line_end(node: Node, count: int) -> list[Node]:
    """List the last `count` nodes from the root element to `node`."""
    return [node, *islice(node.ancestors, count - 1)][::-1]


def leaves_before(node: Node, count: int) -> list[Node]:
    """List the text leaves that end before a node begins, the nearest first."""
    return list(islice(filter(_is_leaf, node.preceding), count))


def leaves_after(node: Node, count: int) -> list[Node]:
    """List the text leaves that begin after a node ends, the nearest first."""
    return list(islice(filter(_is_leaf, node.following), count))


def _is_leaf(node: Node) -> bool:
    return isinstance(node, Text) and not node.data.isspace()


def ordinal(node: Node) -> int:
    """Return the number of siblings with the same tag before a node, without blank texts."""
    if isinstance(node, Element):
        wanted = node.tag
        return sum(isinstance(one, Element) and one.tag == wanted for one in node.previous_siblings)
    return sum(isinstance(one, Text) and not one.data.isspace() for one in node.previous_siblings)


def descendants(node: Node, selector: str) -> list[Node]:
    """List the elements below a node that match a CSS selector."""
    return list(node.select(selector)) if isinstance(node, Element) else []


def fitting_line(node: Node, selector: str, count: int) -> list[Node]:
    """List those of a node and its nearest ancestors, `count` in all, that match a CSS selector."""
    line = (node, *islice(node.ancestors, count - 1))
    return [one for one in line if one.matches(selector)]


def closest(node: Node, selector: str) -> Node | None:
    """Return the node or its nearest ancestor that matches a CSS selector."""
    return node.closest(selector)


def identifier(node: Node) -> str:
    return (node.attr("id") or "") if isinstance(node, Element) else ""


def attribute(node: Node, name: str) -> str:
    """Return an attribute of an element, empty if it is missing or the node is a text."""
    return (node.attr(name) or "") if isinstance(node, Element) else ""


def called(node: Node) -> str:
    """Return the names of an element: its classes, its id and its ARIA label."""
    if not isinstance(node, Element):
        return ""
    attr = node.attr
    names, name, label = attr("class"), attr("id"), attr("aria-label")
    return f"{names or ''} {name or ''} {label or ''}" if names or name or label else ""


def length(node: Node, most: int) -> int:
    """Return the number of characters in a node, at most `most`."""
    count = -1  # spaces between pieces: one fewer than pieces
    for piece in node.stripped_strings:
        count += len(piece) + 1
        if count >= most:
            return most
    return max(count, 0)


def text(nodes: Iterable[Node]) -> str:
    """Return the text of some nodes as a reader sees it, white space collapsed.

    A text continues the line of the node before it; each element is on a line of its own.
    """
    written = ""
    runs_on = True
    for node in nodes:
        if isinstance(node, Text):
            words = leaf_text(node)
            before, after = node.data[:1].isspace(), words and node.data[-1].isspace()
            written += (" " if before else "") + words + (" " if after else "")
            runs_on = True
        else:
            written += ("" if runs_on else "\n") + node.to_text().strip()
            runs_on = False
    return written.strip()


def described(nodes: Sequence[Node]) -> tuple[str, str, str]:
    """Return the text, the CSS selector and the XPath of some nodes."""
    if len(nodes) == 1 and isinstance(node := nodes[0], Element):  # as in most areas
        return node.to_text().strip(), node.css_path(), node.xpath_path()
    selectors, xpaths = [], []
    around: Node | None = None
    path = chosen = ""
    numbers: dict[Node, int] = {}  # of the texts in `around`, from 1 as XPath has them
    for node in nodes:
        if isinstance(node, Element):
            selectors.append(node.css_path())
            xpaths.append(node.xpath_path())
            continue
        if above(node) is not around:
            around = above(node)
            path, chosen = xpath(around), selector(around)
            texts = [child for child in around.children if isinstance(child, Text)]
            numbers = {child: number for number, child in enumerate(texts, start=1)}
        selectors.append(chosen)
        xpaths.append(f"{path}/text()[{numbers[node]}]")
    return text(nodes), ", ".join(dict.fromkeys(selectors)), " | ".join(xpaths)


def selector(node: Node) -> str:
    """Return the CSS selector of an element; a text has its parent's."""
    element = node if isinstance(node, Element) else node.parent
    return element.css_path() if isinstance(element, Element) else ""


def xpath(node: Node) -> str:
    """Return the XPath of a node."""
    return node.xpath_path() if isinstance(node, Element) else described([node])[2]
