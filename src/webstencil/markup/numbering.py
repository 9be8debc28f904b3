"""The numbers of nodes: assigned here only, so that a number means the same node everywhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

from turbohtml import Comment, Doctype, Document, Element, Node, Text

from webstencil.markup.nodes import above
from webstencil.markup.paths import Path, first_path
from webstencil.markup.source import PRUNED, UNRENDERED, parse_bytes
from webstencil.model import NO_PARENT, TEXT, Tree


def tag(node: Node) -> str:
    return node.tag if isinstance(node, Element) else TEXT


@dataclass(frozen=True)  # without slots, for `cached_property`
class ElementTable:
    """The elements of a page, counted from 0 in document order."""

    elements: list[Node]  # by number
    numbers: dict[Node, int]  # in that order

    @cached_property
    def parents(self) -> list[int]:
        """Return the number of each element's parent, NO_PARENT for the root."""
        return list(map(self.numbers.get, map(above, self.elements), repeat(NO_PARENT)))


def table_of(page: Document) -> ElementTable:
    elements: list[Node] = list(page.iter_elements())
    return ElementTable(elements, dict(zip(elements, range(len(elements)), strict=True)))


def whole_table(body: bytes, encoding: str) -> tuple[ElementTable, list[int]]:
    """Number all elements, also pruned ones, and list the numbers of the pruned ones."""
    page = parse_bytes(body, encoding)
    table = table_of(page)
    gone = ", ".join(f"{name}, {name} *" for name in UNRENDERED)
    return table, [table.numbers[element] for element in page.select(gone)]


def paths_of(page: Document) -> frozenset[int]:
    """Hash each distinct path from the root to an element without element children.

    Equal to `paths.path_set`, in a loop that releases each element at once: the parser makes an
    object for each, and saves a quarter of the time if it can reuse it for the next one.
    """
    path = around = first_path()  # of the previous element, and of its parent
    paths: dict[Node, Path] = {}  # of elements with children
    leaves: set[int] = set()
    last: Node = page
    parent: Node | None = None
    named = iter(page.select("[id]"))
    next_named = next(named, None)
    for element in page.iter_elements():
        upper = element.parent
        if upper is last:  # in document order, a first child follows its parent
            parent, around = last, path
            paths[last] = path
        else:  # no child follows, so there is none
            leaves.add(path.hash)
            if upper is not parent and upper is not None:
                parent, around = upper, paths[upper]
        if element is next_named:
            path = around[f"{element.tag}#{element.attr('id') or ''}"]
            next_named = next(named, None)
        else:
            path = around[element.tag]
        last = element
    leaves.add(path.hash)
    return frozenset(leaves)


@dataclass(frozen=True, slots=True)
class Numbered:
    nodes: tuple[Node, ...]
    tree: Tree
    texts: tuple[str, ...]


def numbered(page: Document) -> Numbered:
    """Number the elements and non-blank texts, in document order."""
    nodes = [
        node
        for node in page.descendants
        if isinstance(node, Element) or (isinstance(node, Text) and not node.data.isspace())
    ]
    numbers: dict[Node | None, int] = dict(zip(nodes, range(len(nodes)), strict=True))
    tree = Tree(
        tags=tuple(map(tag, nodes)),
        parents=tuple(map(numbers.get, map(above, nodes), repeat(NO_PARENT))),
        ids=_attribute(page, "id", numbers),
        classes=_attribute(page, "class", numbers),
    )
    texts = tuple([node.data if isinstance(node, Text) else "" for node in nodes])
    return Numbered(tuple(nodes), tree, texts)


def _attribute(page: Document, name: str, numbers: dict[Node | None, int]) -> tuple[str, ...]:
    column = [""] * len(numbers)
    for element in page.select(f"[{name}]"):
        column[numbers[element]] = element.attr(name) or ""
    return tuple(column)


def stamp(body: bytes, encoding: str, *, attribute: str, head: str = "") -> str:
    """Return a page's HTML with each element's number in `attribute` and `head` in its head."""
    page = parse_bytes(body, encoding)
    with _put_aside(page, PRUNED):
        for number, node in enumerate(numbered(page).nodes):
            if isinstance(node, Element):
                node.attrs[attribute] = str(number)
    opening = page.find("head")
    if head and opening is not None:
        opening.insert_adjacent_html("afterbegin", head)
    return _doctype(page) + "".join(
        part.serialize() for part in page.children if not isinstance(part, Doctype)
    )


@contextmanager
def _put_aside(page: Document, selector: str) -> Iterator[None]:
    """Take the selected elements out of the page for a while."""
    aside: list[tuple[Element, Comment]] = []
    for node in page.select(selector):
        placeholder = Comment("")
        node.replace_with(placeholder)
        aside.append((node, placeholder))
    yield
    for element, placeholder in reversed(aside):
        placeholder.replace_with(element)


def _doctype(page: Document) -> str:
    """Return the doctype as in the source: it decides on quirks mode, and so on the layout."""
    for child in page.children:
        if isinstance(child, Doctype):
            public = f' PUBLIC "{child.public_id}"' if child.public_id is not None else ""
            keyword = "" if public else " SYSTEM"
            system = f'{keyword} "{child.system_id}"' if child.system_id is not None else ""
            return f"<!DOCTYPE {child.name}{public}{system}>"
    return ""
