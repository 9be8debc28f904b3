"""Find the nodes of an area of a page on another one; tell every step and check (mapping paper)."""

from collections.abc import Sequence
from dataclasses import dataclass

from webstencil import markup
from webstencil.errors import SettingsError
from webstencil.markup import Node, xpath
from webstencil.model import MissReason, NodeId, Page
from webstencil.site.paper.descriptors import Descriptor, Walk, compact, fall_back, find, find_start
from webstencil.site.paper.descriptors import full as full_descriptors
from webstencil.site.paper.subtrees import distances, subtree_paths


@dataclass(frozen=True, slots=True)
class ToldStep:
    """A step of a descriptor, and what the node there passes."""

    position: int  # among its siblings, from 0
    count: int
    id: str
    tag: str
    passed: str  # the strictest combination of checks; empty if there is no such child


@dataclass(frozen=True, slots=True)
class ToldMapping:
    """The search for a node by a full or a compact descriptor."""

    form: str
    node: str  # XPath on the pattern page
    steps: tuple[ToldStep, ...]
    start: str  # the id at which a compact descriptor starts, if no node has it
    miss: str  # the check by which the strictest search fails; empty if it does not
    xpath: str  # of the node that was found, also by weaker checks; empty if there is none
    text: str
    distance: float  # 0..1, of its subtree
    verified: bool  # the subtree is near enough


def told_mappings(
    pattern: Page, other: Page, selector: str, farthest: float
) -> tuple[ToldMapping, ...]:
    """Search for each node that a selector selects, by its full and then its compact descriptor."""
    selected = pattern.markup.select(selector)
    if not selected:
        raise SettingsError(f"{selector!r} selects nothing on {pattern.url}; choose another node")
    numbers = numbers_of(pattern, selected)
    ends = pattern.tree.ends()
    paths = [subtree_paths(pattern.tree, number, ends[number]) for number in numbers]
    forms = {
        "full": full_descriptors(pattern.tree, numbers),
        "compact": compact(pattern.tree, numbers),
    }
    told = [
        tell(form, descriptors, other, [*map(xpath, selected)], paths, farthest)
        for form, descriptors in forms.items()
    ]
    return tuple(one for pair in zip(*told, strict=True) for one in pair)


def numbers_of(page: Page, nodes: Sequence[Node]) -> list[NodeId]:
    """Return the numbers of some elements of a page; raise if one is left out of its tree."""
    known = page.markup.nodes(range(len(page.tree)))
    numbers = {node: NodeId(number) for number, node in enumerate(known)}
    for node in nodes:
        if node not in numbers:
            raise SettingsError(f"{xpath(node)} is no part of the page that is segmented")
    return [numbers[node] for node in nodes]


def tell(
    form: str,
    descriptors: Sequence[Descriptor],
    page: Page,
    named: Sequence[str],
    paths: Sequence[frozenset[int]],
    farthest: float,
) -> list[ToldMapping]:
    """Follow descriptors, and tell each step."""
    root = page.markup.root
    starts = [find_start(descriptor, root) for descriptor in descriptors]
    walks = [
        Walk(None, ()) if start is None else fall_back(descriptor, start)
        for descriptor, start in zip(descriptors, starts, strict=True)
    ]
    apart = distances([walk.node for walk in walks], paths, page)
    return [
        ToldMapping(
            form=form,
            node=name,
            steps=told_steps(descriptor, walk),
            start=descriptor.anchor.id if start is None and descriptor.anchor else "",
            miss=answer.value if isinstance(answer, MissReason) else "",
            xpath="" if walk.node is None else xpath(walk.node),
            text="" if walk.node is None else " ".join(markup.text((walk.node,)).split()),
            distance=far,
            verified=walk.node is not None and far <= farthest,
        )
        for descriptor, start, walk, far, name in zip(
            descriptors, starts, walks, apart, named, strict=True
        )
        for answer in (find(descriptor, root),)
    ]


def told_steps(descriptor: Descriptor, walk: Walk) -> tuple[ToldStep, ...]:
    """Return the steps with the strictest checks that each node passes."""
    steps = [*([descriptor.anchor] if descriptor.anchor else []), *descriptor.steps]
    passed = [str(checks) for checks in walk.passed]
    passed += [""] * (len(steps) - len(passed))
    return tuple(
        ToldStep(step.position, step.count, step.id, step.tag, said)
        for step, said in zip(steps, passed, strict=True)
    )
