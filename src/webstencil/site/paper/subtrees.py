"""Verification of a located node: the mapping paper, section IV-C.

Two nodes are equivalent if their subtrees are; the path sets of subtrees are compared as those of
pages are when a page is matched. The paper does not say how near they must be; the threshold for
pages of one template is used.
"""

from collections.abc import Iterable

from webstencil.markup import Node
from webstencil.markup.parsed_page import path_set
from webstencil.model import NO_PARENT, TEXT, NodeId, Page, Tree
from webstencil.site.paper.match import distance


def distances(
    nodes: Iterable[Node | None], paths: Iterable[frozenset[int]], page: Page
) -> list[float]:
    """Return the distance of each node's subtree from the `paths` expected there, 1 for no node."""
    tree = page.tree
    ends = tree.ends()
    numbers = {node: number for number, node in enumerate(page.markup.nodes(range(len(tree))))}
    far = []
    for node, expected in zip(nodes, paths, strict=True):
        if node is None:
            far.append(1.0)
        else:
            number = numbers[node]
            far.append(distance(expected, subtree_paths(tree, number, ends[number])))
    return far


def subtree_paths(tree: Tree, node: NodeId, end: NodeId) -> frozenset[int]:
    """Hash the paths from `node` to the leaves below it; its subtree ends before `end`.

    All texts have the same paths, which no element has.
    """
    numbers: dict[NodeId, int] = {}
    labels: list[str] = []
    parents: list[int] = []
    for inside in range(node, end):
        if tree.tags[inside] != TEXT:
            numbers[inside] = len(labels)
            labels.append(label(tree, inside))
            parents.append(numbers.get(tree.parents[inside], NO_PARENT))
    return path_set(labels, parents)


def label(tree: Tree, node: NodeId) -> str:
    """Return the tag of an element, with its id if it has one."""
    return f"{tree.tags[node]}#{tree.ids[node]}" if tree.ids[node] else tree.tags[node]
