"""Find the areas of a stencil on another page of its template, without rendering it.

Isomorphic mapping paper, Algorithm 1 (its inverted test repaired: the search fails where there is
no child at the position, or where the number of children differs), with full descriptors: position,
sibling count, id and tag at every step from the root. The descriptors of a stencil share their
beginnings, so all are followed at once and each step is taken once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webstencil import markup
from webstencil.markup import Node
from webstencil.model import ROOT, Located, Miss, MissReason, NodeId, Page, Stencil, Tree


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a descriptor: from a node of the stencil to one of its children."""

    node: NodeId
    parent: NodeId
    position: int  # among the children, from 0
    count: int  # of the children
    identifier: str
    tag: str


@dataclass(frozen=True, slots=True)
class Guide:
    """The descriptors of all areas of a stencil, each step once, parents first."""

    steps: tuple[Step, ...]
    areas: tuple[tuple[NodeId, ...], ...]


def guide(stencil: Stencil) -> Guide:
    """Prepare a stencil for locating."""
    wanted = {node for area in stencil.areas for node in area.nodes}
    return Guide(
        steps=tuple(steps(stencil.tree, wanted)),
        areas=tuple(area.nodes for area in stencil.areas),
    )


def steps(tree: Tree, wanted: set[NodeId]) -> Iterator[Step]:
    """Yield the steps from the root to all `wanted` nodes, in document order."""
    children = tree.children()
    for node in sorted(with_ancestors(tree, wanted) - {ROOT}):
        parent = tree.parents[node]
        yield Step(
            node=node,
            parent=parent,
            position=children.position(node, parent),
            count=children.count(parent),
            identifier=tree.ids[node],
            tag=tree.tags[node],
        )


def with_ancestors(tree: Tree, nodes: set[NodeId]) -> set[NodeId]:
    """Return `nodes` and all their ancestors."""
    found = set()
    for node in nodes:
        while node >= ROOT and node not in found:
            found.add(node)
            node = tree.parents[node]  # noqa: PLW2901 - climbs
    return found


def locate(plan: Guide, page: Page) -> list[Located | Miss]:
    """Find each area on `page`; an area is found when all its nodes are."""
    found, lost = follow(plan.steps, page.markup.root)
    answers: list[Located | Miss] = []
    for area, nodes in enumerate(plan.areas):
        places = [found[node] for node in nodes if node in found]
        if len(places) == len(nodes):
            answers.append(Located(area, tuple(places), 1.0))
        else:
            missing = next(node for node in nodes if node not in found)
            answers.append(Miss(area, missing, lost[missing]))
    return answers


def follow(
    steps: Sequence[Step], root: Node
) -> tuple[dict[NodeId, Node], dict[NodeId, MissReason]]:
    """Take all steps from `root`; return where they led, and why the others led nowhere."""
    found: dict[NodeId, Node] = {ROOT: root}
    lost: dict[NodeId, MissReason] = {}
    children: dict[NodeId, list[Node]] = {}
    for step in steps:
        if step.parent in lost:
            lost[step.node] = lost[step.parent]
            continue
        if step.parent not in children:
            children[step.parent] = markup.children(found[step.parent])
        reason = difference(step, children[step.parent])
        if reason is None:
            found[step.node] = children[step.parent][step.position]
        else:
            lost[step.node] = reason
    return found, lost


def difference(step: Step, children: Sequence[Node]) -> MissReason | None:
    """Tell what keeps the child at the step's position from being the stencil's node."""
    if step.position >= len(children):
        return MissReason.POSITION
    if step.count != len(children):
        return MissReason.COUNT
    child = children[step.position]
    if step.tag != markup.tag(child):
        return MissReason.TAG
    if step.identifier and step.identifier != markup.identifier(child):
        return MissReason.ID
    return None
