"""Descriptors of single nodes, and how to follow one: the isomorphic mapping paper, literally.

Sections IV and V: full and compact descriptors, Algorithms 1 and 2. Section VI: error detection by
all combinations of count, id and tag, falling back from the strictest at each node. The pipeline
follows all full descriptors of a stencil at once (`locate.py`); this is the method as published,
for its evaluation.

Deviations, each because the text cannot be followed literally:
- Algorithm 1 fails if there *are* children; the opposite is meant.
- A full descriptor does not name the root, because there is only one.
- A compact descriptor starts at the last node that is the first of its id. Today's pages repeat
  ids, and a search in document order finds the first one.
- Of the node at which a compact descriptor starts, only the tag is checked: it was found by its id,
  so its position among its siblings is free.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from webstencil import markup
from webstencil.errors import SettingsError
from webstencil.markup import Node, xpath
from webstencil.markup.parsed_page import path_set
from webstencil.model import NO_PARENT, ROOT, TEXT, Children, MissReason, NodeId, Page, Tree
from webstencil.paper.match import distance


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a descriptor: from a node to one of its children."""

    position: int  # among the children, from 0
    count: int  # of the children
    id: str  # empty if the node has none
    tag: str


@dataclass(frozen=True, slots=True)
class Descriptor:
    """The path to a node (mapping paper, Definition 2)."""

    steps: tuple[Step, ...]
    anchor: Step | None = None  # where a compact one starts, found by its id; None for the root


@dataclass(frozen=True, slots=True)
class Checks:
    """Which parts of a step are compared with the child at its position."""

    count: bool = True
    id: bool = True  # if the step has one
    tag: bool = True

    def __str__(self) -> str:
        """Return the name of the checks, e.g. "count+tag"."""
        named = (("count", self.count), ("id", self.id), ("tag", self.tag))
        return "+".join(name for name, compared in named if compared) or "none"


STRICTEST = Checks()

# From all checks to none. The order of equally many does not matter: the strictest combination that
# a child passes is that of all checks that it passes singly.
LADDER = tuple(
    sorted(
        (Checks(*compared) for compared in product((True, False), repeat=3)),
        key=lambda checks: -(checks.count + checks.id + checks.tag),
    )
)


@dataclass(frozen=True, slots=True)
class Walk:
    """The outcome of a search that falls back to weaker checks."""

    node: Node | None  # where it ended; None if there was no child at a position
    passed: tuple[Checks, ...]  # the strictest combination that each inspected node passed

    @property
    def strict(self) -> bool:
        """Return whether the node was found without falling back."""
        return self.node is not None and all(checks == STRICTEST for checks in self.passed)


class SearchOrder(StrEnum):
    """The order in which a page is searched for an id; section V tried both."""

    DEPTH_FIRST = "depth first"
    BREADTH_FIRST = "breadth first"


@dataclass(frozen=True, slots=True)
class Hunt:
    """The outcome of a search for an id."""

    node: Node | None
    seen: int  # nodes visited


def full(tree: Tree, nodes: Iterable[NodeId]) -> list[Descriptor]:
    """Describe nodes by all steps from the root."""
    children = tree.children()
    return [
        Descriptor(tuple(step_to(tree, children, passed) for passed in way(tree, ROOT, node)))
        for node in nodes
    ]


def compact(tree: Tree, nodes: Iterable[NodeId]) -> list[Descriptor]:
    """Describe nodes by the steps from the last node with an id, else from the root."""
    children = tree.children()
    anchors = first_of_ids(tree)
    found = []
    for node in nodes:
        start = last_anchor(tree, anchors, node)
        steps = tuple(step_to(tree, children, passed) for passed in way(tree, start or ROOT, node))
        found.append(Descriptor(steps, None if start is None else step_to(tree, children, start)))
    return found


def way(tree: Tree, start: NodeId, node: NodeId) -> list[NodeId]:
    """List the nodes from below `start` down to `node`, which is `start` or below it."""
    climbed = []
    while node != start:
        climbed.append(node)
        node = tree.parents[node]
    return climbed[::-1]


def step_to(tree: Tree, children: Children, node: NodeId) -> Step:
    """Return the step to a node from its parent."""
    parent = tree.parents[node]
    if parent == NO_PARENT:
        return Step(0, 1, tree.ids[node], tree.tags[node])
    position = children.position(node, parent)
    return Step(position, children.count(parent), tree.ids[node], tree.tags[node])


def first_of_ids(tree: Tree) -> frozenset[NodeId]:
    """Return the first node of each id, in document order."""
    known: dict[str, NodeId] = {}
    for node, name in enumerate(tree.ids):
        if name:
            known.setdefault(name, node)
    return frozenset(known.values())


def last_anchor(tree: Tree, anchors: frozenset[NodeId], node: NodeId) -> NodeId | None:
    """Return the nearest anchor at or above `node`, None if there is none."""
    while node != NO_PARENT and node not in anchors:
        node = tree.parents[node]
    return None if node == NO_PARENT else node


def find_start(descriptor: Descriptor, root: Node) -> Node | None:
    """Find the start of a descriptor, by depth-first search if it is compact (Algorithm 2)."""
    if descriptor.anchor is None:
        return root
    return hunt(descriptor.anchor.id, root).node


def hunt(wanted: str, root: Node, order: SearchOrder = SearchOrder.DEPTH_FIRST) -> Hunt:
    """Search a page for the first node with an id.

    If an id is repeated, only depth-first search finds the node that a compact descriptor means.
    """
    pending = deque([root])
    seen = 0
    while pending:
        node = pending.pop() if order is SearchOrder.DEPTH_FIRST else pending.popleft()
        seen += 1
        if markup.identifier(node) == wanted:
            return Hunt(node, seen)
        below = markup.children(node)
        pending.extend(reversed(below) if order is SearchOrder.DEPTH_FIRST else below)
    return Hunt(None, seen)


def find_node(descriptor: Descriptor, start: Node, checks: Checks = STRICTEST) -> Node | MissReason:
    """Follow a descriptor from its start (Algorithm 1); return the node or the failed check."""
    if descriptor.anchor is not None and not tag_passes(descriptor.anchor, start, checks):
        return MissReason.TAG
    node = start
    for step in descriptor.steps:
        siblings = markup.children(node)
        reason = difference(step, siblings, checks)
        if reason is not None:
            return reason
        node = siblings[step.position]
    return node


def find(descriptor: Descriptor, root: Node, checks: Checks = STRICTEST) -> Node | MissReason:
    """Find the node of a descriptor on the page with this root."""
    start = find_start(descriptor, root)
    return MissReason.ID if start is None else find_node(descriptor, start, checks)


def fall_back(descriptor: Descriptor, start: Node) -> Walk:
    """Follow a descriptor from its start, with the strictest checks that each node passes."""
    passed = []
    if descriptor.anchor is not None:
        anchor = descriptor.anchor
        passed.append(next(checks for checks in LADDER if tag_passes(anchor, start, checks)))
    node = start
    for step in descriptor.steps:
        siblings = markup.children(node)
        if step.position >= len(siblings):
            return Walk(None, tuple(passed))
        passed.append(
            next(checks for checks in LADDER if difference(step, siblings, checks) is None)
        )
        node = siblings[step.position]
    return Walk(node, tuple(passed))


def difference(step: Step, siblings: Sequence[Node], checks: Checks) -> MissReason | None:
    """Return the check that the child at the step's position fails, None if it passes all."""
    if step.position >= len(siblings):
        return MissReason.POSITION
    if checks.count and step.count != len(siblings):
        return MissReason.COUNT
    child = siblings[step.position]
    if not tag_passes(step, child, checks):
        return MissReason.TAG
    if checks.id and step.id and step.id != markup.identifier(child):
        return MissReason.ID
    return None


def tag_passes(step: Step, node: Node, checks: Checks) -> bool:
    """Return whether a node has the step's tag, or need not have it."""
    return not checks.tag or step.tag == markup.tag(node)


# Verification of a located node: the mapping paper, section IV-C.
#
# Two nodes are equivalent if their subtrees are; the path sets of subtrees are compared as those of
# pages are when a page is matched. The paper does not say how near they must be; the threshold for
# pages of one template is used.


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


# Find the nodes of an area of a page on another one; tell every step and check (mapping paper).


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
        "full": full(pattern.tree, numbers),
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
