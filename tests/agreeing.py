"""Attributes of areas against what is in these areas, counted anew."""

from collections.abc import Sequence

from webstencil.model import NO_PARENT, Area, Box, BoxKind, Snapshot, innermost_areas, is_content

CLOSE = 1e-6
PLACES = ("grid_column", "grid_row", "grid_width", "grid_height")


def contents_of(snapshot: Snapshot, areas: Sequence[Area]) -> list[list[Box]]:
    """Return the visible texts and images of each area, without those of areas in it."""
    boxes = snapshot.boxes
    owners = innermost_areas(areas, [box.node for box in boxes], [box.parent for box in boxes])
    found: list[list[Box]] = [[] for _ in areas]
    for box, owner in zip(boxes, owners, strict=True):
        if owner != NO_PARENT and is_content(box):
            found[owner].append(box)
    return found


def wrong_attributes(
    snapshot: Snapshot, areas: Sequence[Area], *, snap: float = 0.0
) -> list[tuple[int, str]]:
    """Return the areas and attributes that disagree with what is in the area."""
    own = contents_of(snapshot, areas)
    wrong = []
    for number, area in enumerate(areas):
        said = dict(area.attributes)
        true = {"depth": depth(areas, number), **style_of(own[number])}
        if "clustered" in said:
            true["clustered"] = float(said["boxes"] > 1)
            wrong += [(number, "boxes")] * (not 0 < said["boxes"] <= len(own[number]))
        if all(name in said for name in PLACES):
            true |= dict(zip(PLACES, place(areas, number, snap), strict=True))
        wrong += [
            (number, name)
            for name, value in true.items()
            if name in said and abs(said[name] - value) > CLOSE
        ]
    return wrong


def depth(areas: Sequence[Area], number: int) -> float:
    """Count the areas around one."""
    around = 0
    while (number := areas[number].parent) != NO_PARENT:
        around += 1
    return float(around)


def style_of(boxes: Sequence[Box]) -> dict[str, float]:
    """Count texts and images, and average the font over letters."""
    texts = [box for box in boxes if box.kind is BoxKind.TEXT]
    letters = sum(len(box.text) for box in texts)
    counted = {"texts": float(len(texts)), "images": float(len(boxes) - len(texts))}
    if not letters:
        return counted
    looks = {
        "font_size": sum(len(box.text) * box.style.font_size for box in texts),
        "font_weight": sum(len(box.text) * bounded_weight(box) for box in texts),
        "italic": sum(len(box.text) * box.style.italic for box in texts),
        "underline": sum(len(box.text) * box.style.underline for box in texts),
    }
    return counted | {name: total / letters for name, total in looks.items()}


def bounded_weight(box: Box) -> float:
    """Return the weight of a font between normal and bold."""
    return min(max(float(box.style.font_weight), 400.0), 700.0)


def place(areas: Sequence[Area], number: int, snap: float) -> tuple[float, ...]:
    """Return column, row, width and height of an area on the grid of its parent."""
    beside = [area.rect for area in areas if area.parent == areas[number].parent]
    rect = areas[number].rect
    across = [side for it in beside for side in (it.left, it.right)]
    down = [side for it in beside for side in (it.top, it.bottom)]
    column, width = cells(across, rect.left, rect.right, snap)
    row, height = cells(down, rect.top, rect.bottom, snap)
    return float(column), float(row), float(width), float(height)


def cells(sides: Sequence[float], start: float, end: float, snap: float) -> tuple[int, int]:
    """Return the first cell and the number of cells between two sides; close sides are one."""
    lines: list[float] = []
    for side in sorted(set(sides)):
        if not lines or side - lines[-1] > snap:
            lines.append(side)
    if len(lines) < 2:
        lines = [min(sides), max(sides)]
    first = min(sum(line <= start for line in lines) - 1, len(lines) - 2)
    return first, max(first, sum(line <= end for line in lines) - 2) - first + 1
