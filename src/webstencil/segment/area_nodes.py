"""From boxes to nodes: the nodes of an area.

Segmenters see boxes, areas have nodes. The best node for a part of an area is the highest one
without content of another area: it is found on other pages more surely than the many nodes below
it, and includes what is not rendered.
"""

from collections.abc import Sequence

from webstencil.model import NO_PARENT, Box, BoxKind, NodeId, inherited, is_content

NOBODY = NO_PARENT
SEVERAL = -2


def holders(boxes: Sequence[Box], owners: Sequence[int | None]) -> list[int]:
    """Return the area with all visible texts and images of each box, below 0 if there is none.

    `owners` assigns areas to boxes; a box without an area belongs to that of its parent.
    """
    owned = inherited([box.parent for box in boxes], owners)
    found = [NOBODY] * len(boxes)
    for index in range(len(boxes) - 1, -1, -1):
        box = boxes[index]
        if is_content(box):
            found[index] = _together(found[index], owned[index])
        if box.parent != NO_PARENT:
            found[box.parent] = _together(found[box.parent], found[index])
    return found


def roots(boxes: Sequence[Box], held: Sequence[int], areas: int) -> list[tuple[NodeId, ...]]:
    """Return the nodes of each area: the highest ones whose content is all of the area."""
    found: list[list[NodeId]] = [[] for _ in range(areas)]
    for index, box in enumerate(boxes):
        if held[index] >= 0 and (box.parent == NO_PARENT or held[box.parent] != held[index]):
            found[held[index]].append(box.node)
    return [tuple(nodes) for nodes in found]


def contents(boxes: Sequence[Box], held: Sequence[int], areas: int) -> list[list[int]]:
    """Return the visible texts and images below the nodes of each area."""
    found: list[list[int]] = [[] for _ in range(areas)]
    inside = list(held)
    for index, box in enumerate(boxes):
        if box.parent != NO_PARENT and inside[box.parent] >= 0:
            inside[index] = inside[box.parent]
        if inside[index] >= 0 and is_content(box):
            found[inside[index]].append(index)
    return found


def _together(one: int, other: int) -> int:
    if other in {one, NOBODY}:
        return one
    return other if one == NOBODY else SEVERAL


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
