"""Running text stays in one piece: the last step of every segmenter.

Segmenters go by space, and a heading, a list or a piece of code stands in space of its own. So they
cut an article in one place on this page and in another on the next, by a few pixels more or less.
A reader sees one text, and so do the people who mark blocks by hand.

A *flow* is a run of neighbours in one column, each a paragraph, a heading, a list or the like, with
prose among them. What is between two flows of one parent (a table, a picture) is in the flow. Long
texts are often wrapped piece by piece; there, a box around a single box is looked through.

A flow that is parted goes to the area with most of it. If that holds other things, too, the flow
becomes an area beside it: a rectangle round both might cover half the page.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from webstencil.geometry import EMPTY, Rect, bounding
from webstencil.model import NO_PARENT, Area, Box, BoxKind, NodeId, Snapshot
from webstencil.segment.nodes import NOBODY, holders, is_content, roots

SENTENCE = 40  # characters; a block with so much text is prose
PROSE = 100  # characters of prose in a flow
LONG = 600  # characters of prose from which wrappers are looked through
SIMPLE = 2  # levels of blocks: a paragraph has one, a list of paragraphs two
INDENT = 8.0  # px; what is set in this far below a line belongs to that line
SLACK = 2.0  # px by which stacked boxes may overlap
OUT_OF_FLOW = frozenset({"absolute", "fixed"})  # CSS positions


@dataclass(frozen=True, slots=True)
class Outline:
    """What of a page's boxes tells flows; entry i belongs to box i."""

    boxes: tuple[Box, ...]
    children: list[list[int]]  # those with something to see, in document order
    characters: list[int]
    lasts: list[int]  # the last box within


@dataclass(frozen=True, slots=True)
class Draft:
    """The areas of a page while flows are given to them."""

    areas: list[Area]
    owners: list[int]  # the innermost area around each box, `NOBODY` if there is none
    weights: Counter[int]  # what each area holds, not counting what its children hold
    places: list[int]  # the first areas' own numbers; a new one stands behind that of this number


def keep_together(snapshot: Snapshot, areas: tuple[Area, ...]) -> tuple[Area, ...]:
    """Join the areas that part running text; return the areas, parents before children."""
    outline = outline_of(snapshot.boxes)
    owners = owners_of(snapshot.boxes, areas)
    weights = weigh(snapshot.boxes, owners, range(len(owners)))
    draft = Draft(list(areas), owners, weights, list(range(len(areas))))
    joined = False
    for flow in flows(outline):
        joined = give(outline, flow, draft) or joined
    return rebuilt(snapshot.boxes, draft) if joined else areas


def outline_of(boxes: tuple[Box, ...]) -> Outline:
    """Look at the boxes once, from the last to the first."""
    children: list[list[int]] = [[] for _ in boxes]
    characters = [len(box.text) if is_content(box) else 0 for box in boxes]
    lasts = list(range(len(boxes)))
    seen = [is_content(box) for box in boxes]
    for index in range(len(boxes) - 1, -1, -1):
        children[index].reverse()
        parent = boxes[index].parent
        if parent != NO_PARENT:
            lasts[parent] = max(lasts[parent], lasts[index])
            if seen[index]:
                seen[parent] = True
                characters[parent] += characters[index]
                children[parent].append(index)
    return Outline(boxes, children, characters, lasts)


def flows(outline: Outline) -> Iterator[list[int]]:
    """Yield the flows of a page, each as the boxes of one parent; outer ones only."""
    for least, looking_through in ((PROSE, False), (LONG, True)):
        levels = levels_of(outline, looking_through=looking_through)
        prose = prose_of(outline, levels)
        covered: set[int] = set()
        for index in range(len(outline.boxes)):
            if index not in covered and levels[index] > 1:
                for flow in flows_in(outline, index, levels, prose, least):
                    if len(flow) > 1:
                        covered.update(range(flow[0], outline.lasts[flow[-1]] + 1))
                        yield flow


def levels_of(outline: Outline, *, looking_through: bool) -> list[int]:
    """Count the levels of blocks in each box: 0 in a line's, 1 in a paragraph's."""
    levels = [0] * len(outline.boxes)
    for index in range(len(levels) - 1, -1, -1):
        box, children = outline.boxes[index], outline.children[index]
        if box.kind is not BoxKind.ELEMENT:
            continue
        inside = deepest(outline.boxes, children, levels)
        if looking_through and len(children) == 1 and inside:
            levels[index] = inside
        elif inside or not box.style.display.startswith("inline"):
            levels[index] = inside + 1
    return levels


def deepest(boxes: Sequence[Box], children: Sequence[int], levels: Sequence[int]) -> int:
    """Return the most levels in any child; what is set in below a line counts as a paragraph."""
    most = 0
    line: int | None = None
    below = False
    for child in children:
        level = levels[child]
        if level and line is not None and (below or levels[line] == 1):
            below = set_in(boxes[line].rect, boxes[child].rect)
            level = 1 if below else level
        line = line if below else child
        most = max(most, level)
    return most


def set_in(line: Rect, rect: Rect) -> bool:
    """Tell whether a rectangle stands below a line, further right, and ends where it ends."""
    return (
        rect.left >= line.left + INDENT
        and rect.top >= line.bottom - SLACK
        and abs(rect.right - line.right) < INDENT
    )


def prose_of(outline: Outline, levels: Sequence[int]) -> list[int]:
    """Return the characters of the longest paragraph in each box."""
    longest = [0] * len(levels)
    for index in range(len(levels) - 1, -1, -1):
        if levels[index] == 1 and not any(map(levels.__getitem__, outline.children[index])):
            longest[index] = outline.characters[index]
        parent = outline.boxes[index].parent
        if parent != NO_PARENT:
            longest[parent] = max(longest[parent], longest[index])
    return longest


def flows_in(
    outline: Outline, parent: int, levels: Sequence[int], prose: Sequence[int], least: int
) -> list[list[int]]:
    """Return the flows among the children of a box; one column of several is one."""
    children = [
        child
        for child in outline.children[parent]
        if outline.boxes[child].style.position not in OUT_OF_FLOW
    ]
    found = [
        run
        for run in runs(outline.boxes, children, levels)
        if sum(outline.characters[child] for child in run if spoken(outline, child, levels, prose))
        >= least
    ]
    if len(found) < 2:
        return found
    span = [child for child in children if found[0][0] <= child <= found[-1][-1]]
    one_column = all(below_each_other(outline.boxes, *pair, levels) for pair in pairwise(span))
    return [span] if one_column else found


def runs(
    boxes: Sequence[Box], children: Sequence[int], levels: Sequence[int]
) -> Iterator[list[int]]:
    """Yield the runs of simple children that stand below each other."""
    run: list[int] = []
    for child in children:
        simple = levels[child] <= SIMPLE and boxes[child].style.floating == "none"
        if run and not (simple and below_each_other(boxes, run[-1], child, levels)):
            yield run
            run = []
        if simple:
            run.append(child)
    if run:
        yield run


def below_each_other(boxes: Sequence[Box], upper: int, lower: int, levels: Sequence[int]) -> bool:
    """Tell whether two neighbours are in one column; pieces of one line are."""
    in_line = not (levels[upper] and levels[lower])
    return in_line or boxes[lower].rect.top >= boxes[upper].rect.bottom - SLACK


def spoken(outline: Outline, child: int, levels: Sequence[int], prose: Sequence[int]) -> bool:
    """Tell whether a box holds prose."""
    return (prose[child] if levels[child] else outline.characters[child]) >= SENTENCE


def owners_of(boxes: Sequence[Box], areas: Sequence[Area]) -> list[int]:
    """Return the innermost area around each box, `NOBODY` if there is none."""
    given = {node: number for number, area in enumerate(areas) for node in area.nodes}
    owners: list[int] = []
    for box in boxes:
        around = owners[box.parent] if box.parent != NO_PARENT else NOBODY
        owners.append(given.get(box.node, around))
    return owners


def weigh(boxes: Sequence[Box], owners: Sequence[int], indexes: Iterable[int]) -> Counter[int]:
    """Count the characters, texts and images that each area has among some boxes."""
    weights: Counter[int] = Counter()
    for index in indexes:
        if owners[index] != NOBODY and is_content(boxes[index]):
            weights[owners[index]] += len(boxes[index].text) + 1
    return weights


def give(outline: Outline, flow: Sequence[int], draft: Draft) -> bool:
    """Give a flow that is parted to one area; tell whether it was parted.

    That is the area with most of it, or a new one beside that if it has something else, too.
    """
    inside = [index for child in flow for index in range(child, outline.lasts[child] + 1)]
    weights = weigh(outline.boxes, draft.owners, inside)
    if len(weights) < 2:
        return False
    taker = max(weights, key=lambda area: (weights[area], -area))
    if draft.weights[taker] > weights[taker]:
        taker = area_beside(draft, taker)
    draft.weights.subtract(weights)
    draft.weights[taker] += weights.total()
    for index in inside:
        draft.owners[index] = taker
    return True


def area_beside(draft: Draft, number: int) -> int:
    """Add an empty area with the parent of another one; within it, if it is around all."""
    area = draft.areas[number]
    around_all = area.parent == NO_PARENT and any(it.parent == number for it in draft.areas)
    parent = number if around_all else area.parent
    draft.areas.append(replace(area, rect=EMPTY, nodes=(), parent=parent, kind=None))
    draft.places.append(draft.places[number])
    return len(draft.areas) - 1


def rebuilt(boxes: Sequence[Box], draft: Draft) -> tuple[Area, ...]:
    """Make the areas anew from what each of them owns now; those left without anything go."""
    areas, owners = draft.areas, draft.owners
    nodes = nodes_of(boxes, owners, len(areas))
    rects = rects_of(boxes, nodes, owners, areas)
    for number in lost(boxes, areas, owners):
        rects[number] = rects[number] if nodes[number] else EMPTY
    kept = [bool(own) for own in nodes]
    order = sorted(range(len(areas)), key=draft.places.__getitem__)
    for number in reversed(order):
        parent = areas[number].parent
        if kept[number] and parent != NO_PARENT:
            kept[parent] = True
            rects[parent] = bounding((rects[parent], rects[number]))
    return tuple(numbered(areas, rects, nodes, [it for it in order if kept[it]]))


def nodes_of(boxes: Sequence[Box], owners: Sequence[int], areas: int) -> list[tuple[NodeId, ...]]:
    """Return the nodes of each of so many areas; what is nobody's stays nobody's."""
    given = [
        (areas if owner == NOBODY else owner) if is_content(box) else None
        for box, owner in zip(boxes, owners, strict=True)
    ]
    return roots(boxes, holders(boxes, given), areas + 1)[:areas]


def numbered(
    areas: Sequence[Area],
    rects: Sequence[Rect],
    nodes: Sequence[tuple[NodeId, ...]],
    order: Sequence[int],
) -> Iterator[Area]:
    """Yield the areas in a new order, parents before children."""
    places = {number: place for place, number in enumerate(order)}
    for number in order:
        parent = places.get(areas[number].parent, NO_PARENT)
        yield replace(areas[number], rect=rects[number], nodes=nodes[number], parent=parent)


def lost(boxes: Sequence[Box], areas: Sequence[Area], owners: Sequence[int]) -> set[int]:
    """Return the areas out of which something went."""
    before = owners_of(boxes, areas)
    moves = {move for move in zip(before, owners, strict=True) if move[0] != move[1]}
    return {
        area for source, target in moves for area in lineage(areas, source) - lineage(areas, target)
    }


def lineage(areas: Sequence[Area], number: int) -> set[int]:
    """Return an area and all around it."""
    found: set[int] = set()
    while number >= 0:
        found.add(number)
        number = areas[number].parent
    return found


def rects_of(
    boxes: Sequence[Box],
    nodes: Sequence[tuple[NodeId, ...]],
    owners: Sequence[int],
    areas: Sequence[Area],
) -> list[Rect]:
    """Draw a rectangle round each area that changed."""
    parts: list[list[Rect]] = [[] for _ in areas]
    named = {node: number for number, own in enumerate(nodes) for node in own}
    for box, owner in zip(boxes, owners, strict=True):
        if box.visible and (box.node in named or (is_content(box) and owner != NOBODY)):
            parts[named.get(box.node, owner)].append(box.clip)
    return [
        area.rect if set(own) == set(area.nodes) else bounding(around)
        for area, own, around in zip(areas, nodes, parts, strict=True)
    ]
