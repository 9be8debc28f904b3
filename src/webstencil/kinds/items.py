"""Find the items of areas: similar children of one element."""

import re
from collections.abc import Sequence

from webstencil.model import NO_PARENT, TEXT, Area, Box, BoxKind, Tree, is_content

ALIKE = frozenset({"a", "article", "dd", "dt", "li", "tr"})  # items of any class and width
NO_ITEMS = frozenset(
    {TEXT, "b", "br", "em", "font", "i", "p", "span", "strong", "td", "th"}
    | {"h1", "h2", "h3", "h4", "h5", "h6"}
)
DIGITS = re.compile(r"\d+")
REPEATED = 0.6  # share of the ink in items: a list also has a title and a "more" link
UNSEEN = -2  # no area yet; NO_PARENT is outside of all areas


def items_of(
    tree: Tree, boxes: Sequence[Box], owners: Sequence[int], areas: Sequence[Area]
) -> list[int]:
    """Return the number of items of each area, 0 if items are not most of it."""
    inks, holders = spread(boxes, owners, areas)
    needed = [REPEATED * ink for ink in inks_of(boxes, owners, areas)]
    items = [0] * len(areas)
    for group in alike(tree, boxes, inks):
        for area, members in shares(group, holders, areas).items():
            if len(members) > 1 and sum(inks[box] for box in members) >= needed[area]:
                items[area] = max(items[area], len(members))
    return items


def alike(tree: Tree, boxes: Sequence[Box], inks: Sequence[float]) -> list[list[int]]:
    """Return the groups of boxes with the same parent and the same form."""
    groups: dict[tuple[int, str], list[int]] = {}
    for index, box in enumerate(boxes):
        if inks[index] and box.parent != NO_PARENT and tree.tags[box.node] not in NO_ITEMS:
            groups.setdefault((box.parent, form_of(tree, box)), []).append(index)
    return list(groups.values())


def form_of(tree: Tree, box: Box) -> str:
    """Return the form of a box: tag, first class without digits, width."""
    tag = tree.tags[box.node]
    if tag in ALIKE:
        return tag
    name = DIGITS.sub("", tree.classes[box.node].partition(" ")[0])
    return f"{tag}.{name} {box.rect.width:.0f}"


def shares(
    group: Sequence[int], holders: Sequence[int], areas: Sequence[Area]
) -> dict[int, Sequence[int]]:
    """Return the boxes of a group by area: each in its own, and all in the one around all."""
    found: dict[int, list[int]] = {}
    around = UNSEEN
    for box in group:
        found.setdefault(holders[box], []).append(box)
        around = meet(areas, around, holders[box])
    return {area: members for area, members in {**found, around: group}.items() if area >= 0}


def spread(
    boxes: Sequence[Box], owners: Sequence[int], areas: Sequence[Area]
) -> tuple[list[float], list[int]]:
    """Return the ink in each box, and the innermost area around all of it."""
    inks = [ink_of(box) if is_content(box) else 0.0 for box in boxes]
    holders = [owners[box.node] if ink else UNSEEN for box, ink in zip(boxes, inks, strict=True)]
    for index in range(len(boxes) - 1, -1, -1):
        parent = boxes[index].parent
        if parent != NO_PARENT:
            inks[parent] += inks[index]
            holders[parent] = meet(areas, holders[parent], holders[index])
    return inks, holders


def inks_of(boxes: Sequence[Box], owners: Sequence[int], areas: Sequence[Area]) -> list[float]:
    """Return the ink in each area, its child areas included."""
    inks = [0.0] * (len(areas) + 1)  # the last one is that of the page
    for box in boxes:
        if is_content(box):
            inks[owners[box.node]] += ink_of(box)
    for index in range(len(areas) - 1, -1, -1):
        inks[areas[index].parent] += inks[index]
    return inks


def meet(areas: Sequence[Area], one: int, other: int) -> int:
    """Return the innermost area around two areas; parents come before children."""
    if UNSEEN in {one, other}:
        return max(one, other)
    while one != other:
        one, other = min(one, other), areas[max(one, other)].parent
    return one


def ink_of(box: Box) -> float:
    """Return the size that a text or an image covers, in px²."""
    if box.kind is BoxKind.TEXT:
        return min(box.clip.area, sum(line.area for line in box.lines))
    return box.clip.area
