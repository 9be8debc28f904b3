"""Verification of a located node: the mapping paper, section IV-C.

Two nodes are equivalent if their subtrees are; the path sets of subtrees are compared as those of
pages are when a page is matched.
"""

from webstencil.markup.paths import path_set
from webstencil.model import NO_PARENT, TEXT, NodeId, Tree
from webstencil.settings import THRESHOLD
from webstencil.site.paper.match import distance

# 0..1. The paper does not give it; it is the threshold for pages of one template.
FARTHEST = THRESHOLD

__all__ = ["FARTHEST", "distance", "subtree_paths"]


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
