"""VIPS, before the first step: what of each box is seen.

A box has content if something is painted in it that a reader looks at: text, an image, or a
background image that stands for hidden text (a logo, the items of a menu). Boxes without content
are left out, and so are empty margins: the rectangle of a box is drawn round the content below it,
and round the box itself only if its background or its frame shows. Hence floats that stick out of a
flat wrapper, absolutely positioned children and text that runs round a float are where the reader
sees them.

Lines (HR, borders, thin painted boxes) are no content. They are kept apart, because a line among
the blocks would split the very separator that it makes heavier.

A box that is fixed to the window lies over the page and is parted from it: it is a layer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webstencil.geometry import EMPTY, Rect, bounding
from webstencil.model import NO_PARENT, Box, BoxKind, Snapshot
from webstencil.segment.layers import layers_of

LINE_THICKNESS = 3.0  # px; a painted box no thicker is a line, not content (1 to 3 px are usual)


@dataclass(frozen=True, slots=True)
class Font:
    """The mean font of a text, by the number of its letters."""

    size: float = 0.0  # px
    weight: float = 0.0  # 100..900
    letters: int = 0
    uniform: bool = True  # one size and one weight in all of the text


@dataclass(frozen=True, slots=True, order=True)
class CanvasLine:
    """A line across or down the page; a border counts where its box ends."""

    at: float  # px: from the top if it is level, else from the left
    start: float  # px
    end: float  # px


@dataclass(frozen=True, slots=True)
class VipsCanvas:
    """The boxes of a snapshot as columns; entry i belongs to box i."""

    boxes: tuple[Box, ...]
    layers: tuple[int, ...]  # roots: the page itself if it has content, then what lies over it
    children: tuple[tuple[int, ...], ...]  # with content, in document order; layers are nobody's
    rects: tuple[Rect, ...]  # what is seen of it; empty if the box has no content
    contents: tuple[Rect, ...]  # the same without backgrounds and frames
    textual: tuple[bool, ...]  # text, or an inline box of nothing but text ("virtual text")
    inline: tuple[bool, ...]  # outside display inline, and no box inside that breaks the line
    parted: tuple[float, ...]  # px² of children that the best placed line parts from the others
    fonts: tuple[Font, ...]
    level_lines: tuple[CanvasLine, ...]  # in the order of their position
    upright_lines: tuple[CanvasLine, ...]  # in the order of their position

    def atomic(self, box: int) -> bool:
        """Tell whether the box can never be divided: text, replaced content, a picture."""
        whole = self.boxes[box].kind is not BoxKind.ELEMENT or not self.children[box]
        return whole and not self.rects[box].empty

    def all_text(self, box: int) -> bool:
        """Tell whether there is nothing but text in the box."""
        return all(self.textual[child] for child in self.children[box])

    def divisible(self, box: int) -> bool:
        """Tell whether the box has blocks in it: more than a line of text."""
        return not self.atomic(box) and not self.all_text(box)


def look_at(snapshot: Snapshot) -> VipsCanvas:
    """Work out what is seen of each box."""
    boxes = snapshot.boxes
    holders = holders_of(boxes)
    contents = content_rects(snapshot, holders)
    rects = seen_rects(snapshot, holders, contents)
    children = _children(holders, rects)
    lines = [line for box in range(len(boxes)) for line in _lines(snapshot, box, rects[box])]
    return VipsCanvas(
        boxes=boxes,
        layers=tuple(
            box for box, holder in enumerate(holders) if holder < 0 and not rects[box].empty
        ),
        children=children,
        rects=tuple(rects),
        contents=tuple(contents),
        textual=_textual(boxes, children),
        inline=_inline(boxes, children),
        parted=_parted(boxes, rects),
        fonts=_fonts(boxes, holders, rects),
        level_lines=tuple(sorted(line for level, line in lines if level)),
        upright_lines=tuple(sorted(line for level, line in lines if not level)),
    )


def holders_of(boxes: Sequence[Box]) -> list[int]:
    """Return the parent of each box, NO_PARENT for the roots of the layers."""
    return [
        NO_PARENT if layer == index else box.parent
        for index, (box, layer) in enumerate(zip(boxes, layers_of(boxes), strict=True))
    ]


def content_rects(snapshot: Snapshot, holders: Sequence[int]) -> list[Rect]:
    """Draw a rectangle round the content of each box, empty if it has none."""
    rects = [EMPTY] * len(holders)
    texts = [box.kind is BoxKind.TEXT for box in snapshot.boxes]  # it is one, or has one inside
    for index in range(len(holders) - 1, -1, -1):
        box, holder = snapshot.boxes[index], holders[index]
        if box.kind is not BoxKind.ELEMENT or (rects[index].empty and texts[index]):
            rects[index] = _round(rects[index], _own_rect(box, snapshot.rect))
        if holder != NO_PARENT:
            rects[holder] = _round(rects[holder], rects[index])
            texts[holder] = texts[holder] or texts[index]
    return rects


def _round(one: Rect, other: Rect) -> Rect:
    """Draw a rectangle round two; in most cases one of them is it."""
    if other.empty or (not one.empty and one.contains(other)):
        return one
    return other if one.empty or other.contains(one) else bounding((one, other))


def _own_rect(box: Box, page: Rect) -> Rect:
    """Return what is seen of a box itself, empty if it is hidden or no more than a line."""
    if not box.visible or (box.kind is BoxKind.ELEMENT and not box.style.background_image):
        return EMPTY
    shown = box.clip.clip(page)
    if box.kind is BoxKind.TEXT:
        lines = bounding(line.clip(shown) for line in box.lines)
        return shown if lines.empty else lines
    return EMPTY if _thin(shown) else shown


def _thin(rect: Rect) -> bool:
    return min(rect.width, rect.height) <= LINE_THICKNESS


def seen_rects(snapshot: Snapshot, holders: Sequence[int], contents: Sequence[Rect]) -> list[Rect]:
    """Draw a rectangle round the content of each box and whatever is painted behind it."""
    rects = list(contents)
    for index in range(len(holders) - 1, -1, -1):
        box, holder = snapshot.boxes[index], holders[index]
        shown = box.style.background_image or is_framed(snapshot.boxes, index)
        if not rects[index].empty and shown and box.visible and box.kind is BoxKind.ELEMENT:
            rects[index] = _round(rects[index], box.clip.clip(snapshot.rect))
        if holder != NO_PARENT:
            rects[holder] = _round(rects[holder], rects[index])
    return rects


def is_framed(boxes: Sequence[Box], index: int) -> bool:
    """Tell whether a reader can tell an element from what lies around it."""
    box = boxes[index]
    if box.kind is not BoxKind.ELEMENT or not box.visible or box.parent == NO_PARENT:
        return False
    behind = boxes[box.parent].backdrop
    top, right, bottom, left = box.style.border
    lined = bool((top and bottom) or (left and right)) and box.style.border_color != behind
    return lined or box.backdrop != behind


def _children(holders: Sequence[int], rects: Sequence[Rect]) -> tuple[tuple[int, ...], ...]:
    children: list[list[int]] = [[] for _ in holders]
    for index, holder in enumerate(holders):
        if holder != NO_PARENT and not rects[index].empty:
            children[holder].append(index)
    return tuple(map(tuple, children))


def _textual(boxes: Sequence[Box], children: Sequence[Sequence[int]]) -> tuple[bool, ...]:
    textual = [box.kind is BoxKind.TEXT for box in boxes]
    for index in range(len(boxes) - 1, -1, -1):
        if children[index] and _outside_inline(boxes[index]):
            textual[index] = all(textual[child] for child in children[index])
    return tuple(textual)


def _inline(boxes: Sequence[Box], children: Sequence[Sequence[int]]) -> tuple[bool, ...]:
    inline = [_outside_inline(box) for box in boxes]
    for index in range(len(boxes) - 1, -1, -1):
        inline[index] = inline[index] and all(inline[child] for child in children[index])
    return tuple(inline)


def _outside_inline(box: Box) -> bool:
    """Tell whether a box stands in a line of text: by its outside display type, not its tag."""
    return box.kind is BoxKind.TEXT or box.style.display.startswith(("inline", "ruby"))


def _fonts(boxes: Sequence[Box], holders: Sequence[int], rects: Sequence[Rect]) -> tuple[Font, ...]:
    fonts = [Font()] * len(boxes)
    for index in range(len(boxes) - 1, -1, -1):
        box, holder = boxes[index], holders[index]
        if box.kind is BoxKind.TEXT and not rects[index].empty:
            fonts[index] = Font(box.style.font_size, box.style.font_weight, max(1, len(box.text)))
        if holder != NO_PARENT:
            fonts[holder] = _mixed(fonts[holder], fonts[index])
    return tuple(fonts)


def _mixed(one: Font, other: Font) -> Font:
    if not one.letters or not other.letters:
        return one if one.letters else other
    letters = one.letters + other.letters
    same = (one.size, one.weight) == (other.size, other.weight)
    return Font(
        (one.size * one.letters + other.size * other.letters) / letters,
        (one.weight * one.letters + other.weight * other.letters) / letters,
        letters,
        one.uniform and other.uniform and same,
    )


def _parted(boxes: Sequence[Box], rects: Sequence[Rect]) -> tuple[float, ...]:
    """Return how much of each box's children a line parts from the others, at best."""
    whole = [0.0] * len(boxes)
    for index, box in enumerate(boxes):
        if box.parent != NO_PARENT:
            whole[box.parent] += rects[index].area
    before = [0.0] * len(boxes)
    parted = [0.0] * len(boxes)
    for index, box in enumerate(boxes):
        if box.parent != NO_PARENT:
            above = box.parent
            before[above] += rects[index].area
            if rects[index].empty and _is_line(box):
                smaller = min(before[above], whole[above] - before[above])
                parted[above] = max(parted[above], smaller)
    return tuple(parted)


def _is_line(box: Box) -> bool:
    """Tell whether a box without content is drawn as a line: an HR, a thin painted box."""
    style = box.style
    painted = any(style.border) or style.background or style.background_image
    seen = box.kind is BoxKind.IMAGE or (box.kind is BoxKind.ELEMENT and bool(painted))
    return box.visible and seen and _thin(box.clip)


def _lines(snapshot: Snapshot, index: int, seen: Rect) -> Iterator[tuple[bool, CanvasLine]]:
    """List the lines that a box draws, and whether they are level: itself, or its borders."""
    box = snapshot.boxes[index]
    shown = box.clip.clip(snapshot.rect)
    if not box.visible or shown.empty or box.kind is BoxKind.TEXT or box.parent == NO_PARENT:
        return
    if seen.empty and _is_line(box):
        level = shown.width > shown.height
        yield level, _middle_line(shown, level=level)
    elif box.style.border_color != snapshot.boxes[box.parent].backdrop:
        top, right, bottom, left = box.style.border
        if top:
            yield True, CanvasLine(shown.top, shown.left, shown.right)
        if bottom:
            yield True, CanvasLine(shown.bottom, shown.left, shown.right)
        if left:
            yield False, CanvasLine(shown.left, shown.top, shown.bottom)
        if right:
            yield False, CanvasLine(shown.right, shown.top, shown.bottom)


def _middle_line(rect: Rect, *, level: bool) -> CanvasLine:
    if level:
        return CanvasLine((rect.top + rect.bottom) / 2, rect.left, rect.right)
    return CanvasLine((rect.left + rect.right) / 2, rect.top, rect.bottom)
