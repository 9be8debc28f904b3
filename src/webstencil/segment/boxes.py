"""Boxes for all segmenters: how they look, which nodes an area of them has, and drafts of areas."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from webstencil.geometry import EMPTY, Rect, bounding
from webstencil.model import (
    NO_PARENT,
    Area,
    Box,
    BoxKind,
    NodeId,
    inherited,
    innermost_areas,
    is_content,
)

LINE_THICKNESS = 3.0  # px; what is no thicker is a line, not content (1 to 3 px are usual)


def is_thin(rect: Rect) -> bool:
    return min(rect.width, rect.height) <= LINE_THICKNESS


def is_drawn_line(box: Box) -> bool:
    """Return whether a box without content is drawn as a line: an HR, a thin coloured box."""
    style = box.style
    drawn = any(style.border) or style.background or style.background_image
    seen = box.kind is BoxKind.IMAGE or (box.kind is BoxKind.ELEMENT and bool(drawn))
    return box.visible and seen and is_thin(box.clip)


def is_framed(boxes: Sequence[Box], box: Box) -> bool:
    """Return whether an element has a background or a frame that its parent has not."""
    if box.kind is not BoxKind.ELEMENT or not box.visible or box.parent == NO_PARENT:
        return False
    behind = boxes[box.parent].backdrop
    top, right, bottom, left = box.style.border
    lined = bool((top and bottom) or (left and right)) and box.style.border_color != behind
    return lined or box.backdrop != behind


def in_line(box: Box) -> bool:
    """Return whether a box is part of a line of text: by its outside display type, not its tag."""
    return box.kind is BoxKind.TEXT or box.style.display.startswith(("inline", "ruby"))


# From boxes to nodes. Segmenters see boxes, areas have nodes. The best node for a part of an area
# is the highest one without content of another area: it is found on other pages more surely than
# the many nodes below it, and includes what is not rendered.

IN_NO_AREA = NO_PARENT
IN_SEVERAL_AREAS = -2


def area_holders(
    boxes: Sequence[Box], owners: Sequence[int | None], whole: Sequence[bool] | None = None
) -> list[int]:
    """Return the area with all content of each box, below 0 if there is none.

    `owners` assigns areas to boxes; a box without an area belongs to that of its parent. `whole`
    tells of each box whether it counts as content as a whole; usually texts and images do.
    """
    owned = inherited([box.parent for box in boxes], owners)
    found = [IN_NO_AREA] * len(boxes)
    whole = whole or list(map(is_content, boxes))
    for index in range(len(boxes) - 1, -1, -1):
        parent = boxes[index].parent
        if whole[index]:
            found[index] = owned[index]
        if parent != NO_PARENT and found[index] != IN_NO_AREA:
            known = found[parent] in {IN_NO_AREA, found[index]}
            found[parent] = found[index] if known else IN_SEVERAL_AREAS
    return found


def roots(boxes: Sequence[Box], held: Sequence[int], areas: int) -> list[tuple[NodeId, ...]]:
    """Return the nodes of each area: the highest ones whose content is all of the area."""
    found: list[list[NodeId]] = [[] for _ in range(areas)]
    for index, box in enumerate(boxes):
        if held[index] >= 0 and (box.parent == NO_PARENT or held[box.parent] != held[index]):
            found[held[index]].append(box.node)
    return [tuple(nodes) for nodes in found]


def contents_below(boxes: Sequence[Box], held: Sequence[int], areas: int) -> list[list[int]]:
    """Return the visible texts and images below the nodes of each area."""
    found: list[list[int]] = [[] for _ in range(areas)]
    inside = list(held)
    for index, box in enumerate(boxes):
        if box.parent != NO_PARENT and inside[box.parent] >= 0:
            inside[index] = inside[box.parent]
        if inside[index] >= 0 and is_content(box):
            found[inside[index]].append(index)
    return found


def stretched(rects: Sequence[Rect], parents: Sequence[int]) -> list[Rect]:
    """Return the rectangle around each area and all areas in it; parents come before children."""
    around = list(rects)
    for number in range(len(around) - 1, 0, -1):
        around[parents[number]] = bounding((around[parents[number]], around[number]))
    return around


def shows_itself(boxes: Sequence[Box], box: Box) -> bool:
    """Return whether an element's own rectangle is visible, by its background or border."""
    pictured = box.visible and box.parent != NO_PARENT and box.style.background_image
    return pictured or is_framed(boxes, box)


def layers_of(boxes: Sequence[Box]) -> list[int]:
    """Return, for each box, the outermost one around it that is fixed to the window.

    It lies over the page, whatever is below it. Boxes of the page itself have NO_PARENT.
    """
    layers: list[int] = []
    for index, box in enumerate(boxes):
        above = layers[box.parent] if box.parent != NO_PARENT else NO_PARENT
        fixed = box.kind is not BoxKind.TEXT and box.style.position == "fixed"
        layers.append(index if fixed and above == NO_PARENT else above)
    return layers


@dataclass(frozen=True, slots=True)
class Boundary:
    """The boundary between two nodes or boxes that are adjacent in document order."""

    container: int  # the lowest one around both
    ends: int  # the child of the container with the one before
    begins: int  # the child of the container with the one after


def place_between(parents: Sequence[int], before: int, after: int) -> Boundary:
    """Return the boundary between two, neither of which contains the other.

    In document order, an ancestor of the second that starts before the first contains both.
    """
    begins = after
    container = parents[begins]
    while container > before:
        begins, container = container, parents[container]
    ends = before
    while parents[ends] != container:
        ends = parents[ends]
        if ends == NO_PARENT:  # a climb that passes the root would never end
            raise ValueError(f"{before} contains {after}, so nothing is between them")
    return Boundary(container, ends, begins)


def find_head(parents: list[int], member: int) -> int:
    """Return the head of a member's set, and shorten the path to it (union-find)."""
    while parents[member] != member:
        parents[member] = parents[parents[member]]
        member = parents[member]
    return member


# The areas of a page while the last steps of a segmenter change their content.
#
# What a segmenter says of an area holds for the content that it found: an area with other content,
# and a new one, has no attributes. What can be measured on any area (its place on a grid, its
# texts) is measured by the segmenters after the last steps.


@dataclass(frozen=True, slots=True)
class Draft:
    """The areas of a page, and their changing content."""

    areas: list[Area]
    owners: list[int]  # the innermost area around each box, `NOBODY` if there is none
    weights: Counter[int]  # size of each area's own content, without its children's
    places: list[int]  # order of the areas: a new one comes after the one with this number


def start_draft(boxes: Sequence[Box], areas: Sequence[Area]) -> Draft:
    """Start with the given areas."""
    owners = innermost_owners(boxes, areas)
    weights = weigh_areas(boxes, owners, range(len(owners)))
    return Draft(list(areas), owners, weights, list(range(len(areas))))


def innermost_owners(boxes: Sequence[Box], areas: Sequence[Area]) -> list[int]:
    """Return the innermost area around each box, `NOBODY` if there is none."""
    return innermost_areas(areas, [box.node for box in boxes], [box.parent for box in boxes])


def weigh_areas(
    boxes: Sequence[Box], owners: Sequence[int], indexes: Iterable[int]
) -> Counter[int]:
    """Count the characters, texts and images of each area among some boxes."""
    weights: Counter[int] = Counter()
    for index in indexes:
        if owners[index] != IN_NO_AREA and is_content(boxes[index]):
            weights[owners[index]] += len(boxes[index].text) + 1
    return weights


def area_beside(draft: Draft, number: int) -> int:
    """Add an empty area with the parent of another one, or within it if it is around all."""
    area = draft.areas[number]
    around_all = area.parent == NO_PARENT and any(it.parent == number for it in draft.areas)
    parent = number if around_all else area.parent
    draft.areas.append(replace(area, rect=EMPTY, nodes=(), parent=parent, kind=None, attributes=()))
    draft.places.append(draft.places[number])
    return len(draft.areas) - 1


def rebuilt(boxes: Sequence[Box], draft: Draft) -> tuple[Area, ...]:
    """Make new areas from their content now; empty ones are dropped."""
    owners = draft.owners
    areas = without_stale(boxes, draft)
    nodes = _nodes_of(boxes, owners, len(areas))
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
    return tuple(_numbered(areas, rects, nodes, [it for it in order if kept[it]]))


def _nodes_of(boxes: Sequence[Box], owners: Sequence[int], areas: int) -> list[tuple[NodeId, ...]]:
    """Return the nodes of each area; boxes in no area stay so."""
    given = [
        (areas if owner == IN_NO_AREA else owner) if is_content(box) else None
        for box, owner in zip(boxes, owners, strict=True)
    ]
    return roots(boxes, area_holders(boxes, given), areas + 1)[:areas]


def _numbered(
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
    """Return the areas that lost content."""
    before = innermost_owners(boxes, areas)
    moves = {move for move in zip(before, owners, strict=True) if move[0] != move[1]}
    return {
        area for source, target in moves for area in lineage(areas, source) - lineage(areas, target)
    }


def without_stale(boxes: Sequence[Box], draft: Draft) -> list[Area]:
    """Return the areas, those with other content than before without attributes."""
    before = innermost_owners(boxes, draft.areas)
    pairs = zip(boxes, before, draft.owners, strict=True)
    moves = {(old, new) for box, old, new in pairs if old != new and is_content(box)}
    changed = {
        area for old, new in moves for area in lineage(draft.areas, old) ^ lineage(draft.areas, new)
    }
    return [
        replace(area, attributes=()) if number in changed else area
        for number, area in enumerate(draft.areas)
    ]


def lineage(areas: Sequence[Area], number: int) -> set[int]:
    """Return an area and its ancestors."""
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
    """Return the rectangle of each area, a new one if its nodes changed."""
    parts: list[list[Rect]] = [[] for _ in areas]
    named = {node: number for number, own in enumerate(nodes) for node in own}
    for box, owner in zip(boxes, owners, strict=True):
        if box.visible and (box.node in named or (is_content(box) and owner != IN_NO_AREA)):
            parts[named.get(box.node, owner)].append(box.clip)
    return [
        area.rect if set(own) == set(area.nodes) else bounding(around)
        for area, own, around in zip(areas, nodes, parts, strict=True)
    ]
