"""Numbers of nodes: in one place, so that a number means the same node wherever it is used."""

from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from operator import attrgetter

from turbohtml import Document, Element, Node, Text

from webstencil.markup.nodes import tag
from webstencil.markup.paths import Path, first_path
from webstencil.model import NO_PARENT, Tree

parent_of = attrgetter("parent")


@dataclass(frozen=True)  # without slots, so that a column can be made late
class ElementTable:
    """The elements of a page, counted from 0 in document order."""

    elements: list[Node]  # by number
    numbers: dict[Node, int]  # in that order

    @cached_property
    def parents(self) -> list[int]:
        """Return the number of each element's parent, NO_PARENT for the root."""
        return list(map(self.numbers.get, map(parent_of, self.elements), repeat(NO_PARENT)))


def outline_of(page: Document) -> ElementTable:
    elements: list[Node] = list(page.iter_elements())
    return ElementTable(elements, dict(zip(elements, range(len(elements)), strict=True)))


def paths_of(page: Document) -> frozenset[int]:
    """Hash each distinct path from the root to an element without element children.

    The same as `paths.path_set`, in one loop that keeps no element longer than it must: the parser
    makes an object of each, and takes a quarter less time if it can use it again for the next one.
    """
    path = around = first_path()  # of the element before, and of its parent
    paths: dict[Node, Path] = {}  # of elements with children
    leaves: set[int] = set()
    last: Node = page
    parent: Node | None = None
    named = iter(page.select("[id]"))
    next_named = next(named, None)
    for element in page.iter_elements():
        above = element.parent
        if above is last:  # in document order a first child follows its parent
            parent, around = last, path
            paths[last] = path
        else:  # and what is not followed by a child has none
            leaves.add(path.hash)
            if above is not parent and above is not None:
                parent, around = above, paths[above]
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
    """Number the nodes that count: elements and texts that are not blank, in document order."""
    nodes = [
        node
        for node in page.descendants
        if isinstance(node, Element) or (isinstance(node, Text) and not node.data.isspace())
    ]
    numbers: dict[Node | None, int] = dict(zip(nodes, range(len(nodes)), strict=True))
    tree = Tree(
        tags=tuple(map(tag, nodes)),
        parents=tuple(map(numbers.get, map(parent_of, nodes), repeat(NO_PARENT))),
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
