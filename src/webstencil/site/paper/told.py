"""Find one node of a page on another page, and tell every step and check (mapping paper)."""

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
    steps: tuple[ToldStep, ...]
    start: str  # the id at which a compact descriptor starts, if no node has it
    miss: str  # the check by which the strictest search fails; empty if it does not
    xpath: str  # of the node that was found, also by weaker checks; empty if there is none
    text: str
    distance: float  # 0..1, of its subtree
    verified: bool  # the subtree is near enough


def told_mappings(
    pattern: Page, other: Page, selector: str, farthest: float
) -> tuple[ToldMapping, ToldMapping]:
    """Search for the first node that a selector selects, by its full and compact descriptor."""
    selected = pattern.markup.select(selector)
    if not selected:
        raise SettingsError(f"{selector!r} selects nothing on {pattern.url}; choose another node")
    nodes = pattern.markup.nodes(range(len(pattern.tree)))
    number = nodes.index(selected[0])
    paths = subtree_paths(pattern.tree, number, pattern.tree.ends()[number])

    def told(form: str, descriptor: Descriptor) -> ToldMapping:
        return tell(form, descriptor, other, paths, farthest)

    return (
        told("full", *full_descriptors(pattern.tree, [NodeId(number)])),
        told("compact", *compact(pattern.tree, [NodeId(number)])),
    )


def tell(
    form: str, descriptor: Descriptor, page: Page, paths: frozenset[int], farthest: float
) -> ToldMapping:
    """Follow a descriptor, and tell each step."""
    root = page.markup.root
    start = find_start(descriptor, root)
    walk = Walk(None, ()) if start is None else fall_back(descriptor, start)
    answer = find(descriptor, root)
    (apart,) = distances([walk.node], [paths], page)
    found: Node | None = walk.node
    return ToldMapping(
        form=form,
        steps=told_steps(descriptor, walk),
        start=descriptor.anchor.id if start is None and descriptor.anchor else "",
        miss=answer.value if isinstance(answer, MissReason) else "",
        xpath="" if found is None else xpath(found),
        text="" if found is None else " ".join(markup.text((found,)).split()),
        distance=apart,
        verified=found is not None and apart <= farthest,
    )


def told_steps(descriptor: Descriptor, walk: Walk) -> tuple[ToldStep, ...]:
    """Return the steps with the strictest checks that each node passes."""
    steps = [*([descriptor.anchor] if descriptor.anchor else []), *descriptor.steps]
    passed = [str(checks) for checks in walk.passed]
    passed += [""] * (len(steps) - len(passed))
    return tuple(
        ToldStep(step.position, step.count, step.id, step.tag, said)
        for step, said in zip(steps, passed, strict=True)
    )
