"""Find the items of areas: children of one element that are alike."""

import re
from collections.abc import Sequence

from webstencil.model import NO_PARENT, TEXT, Area, Box, BoxKind, Tree, is_content

ALIKE = frozenset({"a", "article", "dd", "dt", "li", "tr"})  # items whatever their class and width
NO_ITEMS = frozenset(
    {TEXT, "b", "br", "em", "font", "i", "p", "span", "strong", "td", "th"}
    | {"h1", "h2", "h3", "h4", "h5", "h6"}
)
DIGITS = re.compile(r"\d+")
REPEATED = 0.6  # share of the ink that items have: a list has a title and a "more" link, too
UNSEEN = -2  # no area was seen yet; NO_PARENT is outside of all areas


def items_of(
    tree: Tree, boxes: Sequence[Box], owners: Sequence[int], areas: Sequence[Area]
) -> list[int]:
    """Return for each area how many items it is made of, 0 if it is not; `owners` is by node."""
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
    """Return what boxes that look alike have in common: tag, first class but for digits, width."""
    tag = tree.tags[box.node]
    if tag in ALIKE:
        return tag
    name = DIGITS.sub("", tree.classes[box.node].partition(" ")[0])
    return f"{tag}.{name} {box.rect.width:.0f}"


def shares(
    group: Sequence[int], holders: Sequence[int], areas: Sequence[Area]
) -> dict[int, Sequence[int]]:
    """Return the boxes of a group by area: those in one each, and all in the one around all."""
    found: dict[int, list[int]] = {}
    around = UNSEEN
    for box in group:
        found.setdefault(holders[box], []).append(box)
        around = meet(areas, around, holders[box])
    return {area: members for area, members in {**found, around: group}.items() if area >= 0}


def spread(
    boxes: Sequence[Box], owners: Sequence[int], areas: Sequence[Area]
) -> tuple[list[float], list[int]]:
    """Return for each box the ink in it, and the innermost area around all of that."""
    inks = [ink_of(box) if is_content(box) else 0.0 for box in boxes]
    holders = [owners[box.node] if ink else UNSEEN for box, ink in zip(boxes, inks, strict=True)]
    for index in range(len(boxes) - 1, -1, -1):
        parent = boxes[index].parent
        if parent != NO_PARENT:
            inks[parent] += inks[index]
            holders[parent] = meet(areas, holders[parent], holders[index])
    return inks, holders


def inks_of(boxes: Sequence[Box], owners: Sequence[int], areas: Sequence[Area]) -> list[float]:
    """Return the ink in each area and the areas in it."""
    inks = [0.0] * (len(areas) + 1)  # the last one, of NO_PARENT, is of the whole page
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
    """Return what a text or an image covers, in px²."""
    if box.kind is BoxKind.TEXT:
        return min(box.clip.area, sum(line.area for line in box.lines))
    return box.clip.area
