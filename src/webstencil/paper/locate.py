"""Find the areas of a stencil on another page of its template, without rendering it.

Isomorphic mapping paper, Algorithm 1 (its inverted test repaired: the search fails if there is no
child at the position, or the number of children differs), with full descriptors: position, sibling
count, id and tag at every step from the root. The descriptors of a stencil share their beginnings,
so all are followed at once and each step is taken once. `descriptors.py` follows them one by one,
as the paper does; both find the same nodes. An area has several nodes; if only some are found, it
is found in part.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from webstencil import markup
from webstencil.markup import Element, Node
from webstencil.model import (
    NO_PARENT,
    ROOT,
    TEXT,
    Located,
    Miss,
    MissReason,
    NodeId,
    Page,
    Problem,
    Stencil,
    Tree,
)
from webstencil.paper.descriptors import Descriptor, Step, compact, distances, find, subtree_paths


@dataclass(frozen=True, slots=True)
class Fork:
    """The steps that start at one node of the stencil."""

    node: NodeId
    count: int  # of its children
    steps: tuple[tuple[NodeId, Step], ...]  # with the stencil's node at the end of each


@dataclass(frozen=True, slots=True)
class Guide:
    """The descriptors of all areas of a stencil, each step once, parents first."""

    forks: tuple[Fork, ...]
    held: tuple[tuple[int, tuple[NodeId, ...]], ...]  # areas and their nodes


def guide(stencil: Stencil) -> Guide:
    """Prepare a stencil for locating."""
    wanted = {node for area in stencil.areas for node in area.nodes}
    areas = [(number, area.nodes) for number, area in enumerate(stencil.areas) if area.nodes]
    return Guide(tuple(forks(stencil.tree, wanted)), tuple(areas))


def forks(tree: Tree, wanted: set[NodeId]) -> Iterator[Fork]:
    """Yield the steps from the root to all `wanted` nodes, in document order."""
    children = tree.children()
    followed = with_ancestors(tree, wanted)
    for node in sorted({tree.parents[node] for node in followed} - {NO_PARENT}):
        below = children.of(node)
        steps = [
            (child, Step(position, len(below), tree.ids[child], tree.tags[child]))
            for position, child in enumerate(below)
            if child in followed
        ]
        yield Fork(node, len(below), tuple(steps))


def with_ancestors(tree: Tree, nodes: set[NodeId]) -> set[NodeId]:
    """Return `nodes` and all their ancestors."""
    found = set()
    for node in nodes:
        while node >= ROOT and node not in found:
            found.add(node)
            node = tree.parents[node]  # noqa: PLW2901 - climbs
    return found


def locate(plan: Guide, page: Page) -> list[Located | Miss]:
    """Find each area with nodes on `page`, as a whole or in part."""
    found, lost = follow(plan.forks, page.markup.root)
    return answers(plan, found, lost)


def answers(
    plan: Guide, found: Mapping[NodeId, Node], lost: Mapping[NodeId, MissReason]
) -> list[Located | Miss]:
    """Return what became of each area, given what became of the stencil's nodes."""
    said: list[Located | Miss] = []
    for area, nodes in plan.held:
        there = [found[node] for node in nodes if node in found]
        if len(there) == len(nodes):
            said.append(Located(area, tuple(there), 1.0))
            continue
        missing = next(node for node in nodes if node not in found)
        if there:
            said.append(Located(area, tuple(there), len(there) / len(nodes), lost[missing]))
        else:
            said.append(Miss(area, missing, lost[missing]))
    return said


def follow(
    forks: Sequence[Fork], root: Node
) -> tuple[dict[NodeId, Node], dict[NodeId, MissReason]]:
    """Take all steps from `root`; return the nodes at their ends, and why others failed."""
    found: dict[NodeId, Node] = {ROOT: root}
    lost: dict[NodeId, MissReason] = {}
    for fork in forks:
        place = found.get(fork.node)
        if place is None:
            lost.update(dict.fromkeys([node for node, _ in fork.steps], lost[fork.node]))
            continue
        children = markup.children(place)
        if len(children) != fork.count:
            lost.update({node: by_number(step, len(children)) for node, step in fork.steps})
            continue
        for node, step in fork.steps:
            child = children[step.position]
            if step.tag != (child.tag if type(child) is Element else TEXT):
                lost[node] = MissReason.TAG
            elif step.id and step.id != markup.identifier(child):
                lost[node] = MissReason.ID
            else:
                found[node] = child
    return found, lost


def by_number(step: Step, children: int) -> MissReason:
    """Return why a step fails if the number of children differs from the stencil's."""
    return MissReason.COUNT if step.position < children else MissReason.POSITION


# Find the areas of a stencil on a page by one of the published ways.
#
# All full descriptors at once (`locate.py`), or compact ones, each from the node with its id
# (mapping paper, section V-C); with or without verification of each node by its subtree (section
# IV-C).


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
