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
    Stencil,
    Tree,
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a descriptor: from a node to one of its children."""

    position: int  # among the children, from 0
    count: int  # of the children
    id: str  # empty if the node has none
    tag: str


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
