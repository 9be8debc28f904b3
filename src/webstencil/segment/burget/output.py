"""Burget, the output: visual areas as areas with nodes, grid positions and styles.

CPS paper, 4.1: a parent has its areas on its grid, a leaf has texts and images with their mean
style.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from webstencil.geometry import Rect, bounding
from webstencil.model import (
    NO_PARENT,
    Area,
    Box,
    BoxKind,
    Snapshot,
    innermost_areas,
    is_content,
)
from webstencil.segment.area_nodes import contents, holders, roots
from webstencil.segment.burget.areas import (
    BOLD_STEP,
    NORMAL_WEIGHT,
    Visual,
    add_looks,
    look_of,
    walk,
)
from webstencil.segment.burget.grid import make_grid

Attributes: TypeAlias = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class PlacedArea:
    """A visual area of the result."""

    area: Visual
    parent: int  # index in the result
    leaf: bool  # its content is not divided
    boxes: tuple[int, ...]  # texts and images of no other area


def place(root: Visual, boxes: Sequence[Box], *, opened: bool) -> list[PlacedArea]:
    """List the areas with content, parents first; whole ones are divided only if `opened`.

    An area that is alone in another one replaces it. A text belongs to the first leaf with a line
    of it.
    """
    placed: list[PlacedArea] = []
    taken: set[int] = set()
    pending = [(root, NO_PARENT)]
    while pending:
        area, parent = pending.pop()
        leaf = area.leaf or (area.whole and not opened)
        found = (box for part in (walk(area) if leaf else (area,)) for box in part.boxes)
        own = tuple(box for box in found if box not in taken and is_content(boxes[box]))
        inside = () if leaf else tuple(child for child in area.children if child.content)
        if parent == NO_PARENT or own or len(inside) > 1:
            taken.update(own)
            placed.append(PlacedArea(area, parent, leaf, own))
            parent = len(placed) - 1
        pending.extend((child, parent) for child in reversed(inside))
    return placed


def make_areas(snapshot: Snapshot, placed: Sequence[PlacedArea]) -> tuple[Area, ...]:
    """Make areas with nodes, rectangles and the level of each."""
    owners: list[int | None] = [None] * len(snapshot.boxes)
    for number, entry in enumerate(placed):
        for box in entry.boxes:
            owners[box] = number
    held = holders(snapshot.boxes, owners)
    nodes = roots(snapshot.boxes, held, len(placed))
    inside = contents(snapshot.boxes, held, len(placed))
    rects = area_rects(snapshot, placed, inside)
    return tuple(
        Area(rects[number], nodes[number], entry.parent, attributes=(("level", entry.area.level),))
        for number, entry in enumerate(placed)
    )


def measured(snapshot: Snapshot, areas: Sequence[Area], snap: float) -> tuple[Area, ...]:
    """Add to each area its place on its parent's grid; to a leaf what is in it, and its style."""
    boxes = snapshot.boxes
    owners = innermost_areas(areas, [box.node for box in boxes], [box.parent for box in boxes])
    own: list[list[Box]] = [[] for _ in areas]
    for box, owner in zip(boxes, owners, strict=True):
        if owner != NO_PARENT and is_content(box):
            own[owner].append(box)
    parents = {area.parent for area in areas}
    positions = grid_positions([area.rect for area in areas], [area.parent for area in areas], snap)
    return tuple(
        replace(
            area,
            attributes=(
                *area.attributes,
                *positions[number],
                *(leaf_style(own[number]) if number not in parents else ()),
            ),
        )
        for number, area in enumerate(areas)
    )


def area_rects(
    snapshot: Snapshot, placed: Sequence[PlacedArea], inside: Sequence[Sequence[int]]
) -> list[Rect]:
    """Return the rectangle around each area, its content and the areas in it."""
    rects = []
    for entry, own in zip(placed, inside, strict=True):
        around = (entry.area.rect, *(snapshot.boxes[box].clip for box in own))
        rects.append(bounding(rect.clip(snapshot.rect) for rect in around))
    for number in range(len(placed) - 1, 0, -1):
        parent = placed[number].parent
        rects[parent] = bounding((rects[parent], rects[number]))
    return rects


def grid_positions(rects: Sequence[Rect], parents: Sequence[int], snap: float) -> list[Attributes]:
    """Return the position of each area on the grid of its parent; the page has none."""
    children: dict[int, list[int]] = {}
    for number, parent in enumerate(parents):
        children.setdefault(parent, []).append(number)
    positions: list[Attributes] = [()] * len(rects)
    for parent, numbers in children.items():
        spans = make_grid([rects[number] for number in numbers], snap).spans
        for number, span in zip(numbers, spans, strict=True):
            if parent != NO_PARENT:
                positions[number] = (
                    ("grid_column", float(span.column)),
                    ("grid_row", float(span.row)),
                    ("grid_width", float(span.width)),
                    ("grid_height", float(span.height)),
                )
    return positions


def leaf_style(boxes: Sequence[Box]) -> Attributes:
    """Return the numbers of texts and images of a leaf, and the mean style of its letters."""
    texts = [box for box in boxes if box.kind is BoxKind.TEXT]
    counts = (("texts", float(len(texts))), ("images", float(len(boxes) - len(texts))))
    look = add_looks(look_of(box.style, len(box.text)) for box in texts)
    if not look.letters:
        return counts
    return (
        *counts,
        ("font_size", look.mean(look.size)),
        ("font_weight", NORMAL_WEIGHT + BOLD_STEP * look.mean(look.bold)),
        ("italic", look.mean(look.slant)),
        ("underline", look.mean(look.underline)),
        ("luminosity", look.mean(look.luminosity)),
    )
