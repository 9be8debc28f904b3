"""Find the areas of a stencil on a page by one of the published ways.

All full descriptors at once (`locate.py`), or compact ones, each from the node with its id (mapping
paper, section V-C); with or without verification of each node by its subtree (section IV-C).
"""

from dataclasses import dataclass
from functools import lru_cache

from webstencil.markup import Node
from webstencil.model import Located, Miss, MissReason, NodeId, Page, Problem, Stencil
from webstencil.site.paper.descriptors import Descriptor, compact, find
from webstencil.site.paper.locate import Guide, answers, follow
from webstencil.site.paper.subtrees import distances, subtree_paths

PREPARED = 256  # stencils whose descriptors and subtrees are kept


@dataclass(frozen=True, slots=True)
class SearchRule:
    """How nodes are searched for."""

    compact: bool = False  # by compact descriptors instead of full ones
    farthest: float | None = None  # 0..1, of subtrees that are equivalent; None for no verification


def search(stencil: Stencil, plan: Guide, page: Page, rule: SearchRule) -> list[Located | Miss]:
    """Find each area with nodes on a page, as a whole or in part."""
    root = page.markup.root
    if rule.compact:
        found, lost = each_by_id(stencil, root)
    else:
        found, lost = follow(plan.forks, root)
    if rule.farthest is not None:
        refused = unlike(stencil, found, page, rule.farthest)
        lost = lost | dict.fromkeys(refused, MissReason.SUBTREE)
        found = {node: there for node, there in found.items() if node not in refused}
    return answers(plan, found, lost)


def each_by_id(stencil: Stencil, root: Node) -> tuple[dict[NodeId, Node], dict[NodeId, MissReason]]:
    """Follow the compact descriptors of all areas' nodes."""
    found: dict[NodeId, Node] = {}
    lost: dict[NodeId, MissReason] = {}
    for node, descriptor in compact_descriptors(stencil):
        answer = find(descriptor, root)
        if isinstance(answer, MissReason):
            lost[node] = answer
        else:
            found[node] = answer
    return found, lost


def unlike(
    stencil: Stencil, found: dict[NodeId, Node], page: Page, farthest: float
) -> frozenset[NodeId]:
    """Return the areas' nodes that were found with another subtree below them."""
    expected = {node: paths for node, paths in subtrees(stencil) if node in found}
    far = distances([found[node] for node in expected], expected.values(), page)
    return frozenset(node for node, apart in zip(expected, far, strict=True) if apart > farthest)


@lru_cache(maxsize=PREPARED)
def compact_descriptors(stencil: Stencil) -> tuple[tuple[NodeId, Descriptor], ...]:
    """Return the compact descriptor of each node of a stencil's areas."""
    nodes = nodes_of(stencil)
    return tuple(zip(nodes, compact(stencil.tree, nodes), strict=True))


@lru_cache(maxsize=PREPARED)
def subtrees(stencil: Stencil) -> tuple[tuple[NodeId, frozenset[int]], ...]:
    """Return the paths below each node of a stencil's areas."""
    ends = stencil.tree.ends()
    return tuple(
        (node, subtree_paths(stencil.tree, node, ends[node])) for node in nodes_of(stencil)
    )


def nodes_of(stencil: Stencil) -> tuple[NodeId, ...]:
    """Return the nodes of all areas of a stencil."""
    return tuple(node for area in stencil.areas for node in area.nodes)


def problem_of(answer: Located | Miss) -> Problem | None:
    """Return the problem of an area that was not found, or only in part."""
    if isinstance(answer, Miss):
        return not_there(answer.area, answer.reason)
    if answer.missed is None:
        return None
    return not_there(answer.area, answer.missed, round(100 * answer.confidence))


@lru_cache(maxsize=1024)
def not_there(area: int, reason: MissReason, found: int = 0) -> Problem:
    """Return the problem of an area of which so many percent of its nodes were found."""
    if found:
        return Problem("locate", reason, f"{found} % of area {area} is on this page")
    return Problem("locate", reason, f"area {area} is not on this page")
