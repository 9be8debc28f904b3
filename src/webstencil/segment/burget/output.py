"""Burget, the output: visual areas as areas with nodes, grid positions and styles.

CPS paper, 4.1: a parent has its areas on its grid, a leaf has texts and images with their mean
style.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from webstencil.geometry import Rect, bounding
from webstencil.model import NO_PARENT, Area, Box, BoxKind, Snapshot, is_content
from webstencil.segment.area_nodes import contents, holders, roots
from webstencil.segment.burget.areas import BOLD_STEP, NORMAL_WEIGHT, Visual, walk
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


def make_areas(snapshot: Snapshot, placed: Sequence[PlacedArea], snap: float) -> tuple[Area, ...]:
    """Make areas with nodes, rectangles and attributes."""
    owners: list[int | None] = [None] * len(snapshot.boxes)
    for number, entry in enumerate(placed):
        for box in entry.boxes:
            owners[box] = number
    held = holders(snapshot.boxes, owners)
    nodes = roots(snapshot.boxes, held, len(placed))
    inside = contents(snapshot.boxes, held, len(placed))
    rects = area_rects(snapshot, placed, inside)
    positions = grid_positions(rects, [entry.parent for entry in placed], snap)
    return tuple(
        Area(
            rect=rects[number],
            nodes=nodes[number],
            parent=entry.parent,
            attributes=(
                ("level", float(entry.area.level)),
                *positions[number],
                *(leaf_style(entry, snapshot.boxes) if entry.leaf else ()),
            ),
        )
        for number, entry in enumerate(placed)
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


def leaf_style(entry: PlacedArea, boxes: Sequence[Box]) -> Attributes:
    """Return the numbers of texts and images of a leaf, and the mean style of its letters."""
    kinds = [boxes[box].kind for box in entry.boxes]
    counts = (
        ("texts", float(kinds.count(BoxKind.TEXT))),
        ("images", float(kinds.count(BoxKind.IMAGE))),
    )
    look = entry.area.look
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
