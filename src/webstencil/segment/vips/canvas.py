"""VIPS, before the first step: what is visible of each box.

A box has content if a reader sees text in it, an image, or a background image that stands for
hidden text (a logo, the items of a menu). Boxes without content are left out, and so are empty
margins: the rectangle of a box is around the content below it, and around the box itself only if
its background or its frame shows. Hence floats that stick out of a flat wrapper, absolutely
positioned children and text around a float are where the reader sees them.

Lines (HR, borders, thin coloured boxes) are not content. They are kept separately, because a line
among the blocks would split the very separator that it makes heavier.

A box that is fixed to the window is a layer over the page, and is separate from it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from webstencil.geometry import EMPTY, Rect, bounding
from webstencil.model import NO_PARENT, Box, BoxKind, Snapshot
from webstencil.segment.boxes import in_line, is_drawn_line, is_framed, is_thin, layers_of


@dataclass(frozen=True, slots=True)
class Font:
    """The mean font of a text, by the number of its letters."""

    size: float = 0.0  # px
    weight: float = 0.0  # 100..900
    letters: int = 0
    uniform: bool = True  # all of the text has one size and weight


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
    layers: tuple[int, ...]  # roots: the page itself if it has content, then the layers over it
    children: tuple[tuple[int, ...], ...]  # with content, in document order; without layers
    rects: tuple[Rect, ...]  # the visible part; empty if the box has no content
    contents: tuple[Rect, ...]  # the same without backgrounds and frames
    textual: tuple[bool, ...]  # text, or an inline box of nothing but text ("virtual text")
    inline: tuple[bool, ...]  # outside display inline, and no box in it breaks the line
    parted: tuple[float, ...]  # px² of children that the best line separates from the others
    fonts: tuple[Font, ...]
    level_lines: tuple[CanvasLine, ...]  # by position
    upright_lines: tuple[CanvasLine, ...]  # by position

    def atomic(self, box: int) -> bool:
        """Return whether the box can never be divided: text, replaced content, a picture."""
        whole = self.boxes[box].kind is not BoxKind.ELEMENT or not self.children[box]
        return whole and not self.rects[box].empty

    def all_text(self, box: int) -> bool:
        """Return whether the box has only text."""
        return all(self.textual[child] for child in self.children[box])

    def divisible(self, box: int) -> bool:
        """Return whether the box has blocks: more than a line of text."""
        return not self.atomic(box) and not self.all_text(box)


def vips_canvas(snapshot: Snapshot) -> VipsCanvas:
    """Compute what is visible of each box."""
    boxes = snapshot.boxes
    parents = layer_parents(boxes)
    contents = _content_rects(snapshot, parents)
    rects = _seen_rects(snapshot, parents, contents)
    children = _children(parents, rects)
    lines = [line for box in range(len(boxes)) for line in _lines(snapshot, box, rects[box])]
    return VipsCanvas(
        boxes=boxes,
        layers=tuple(
            box for box, parent in enumerate(parents) if parent < 0 and not rects[box].empty
        ),
        children=children,
        rects=tuple(rects),
        contents=tuple(contents),
        textual=_textual(boxes, children),
        inline=_inline(boxes, children),
        parted=_parted(boxes, rects),
        fonts=_fonts(boxes, parents, rects),
        level_lines=tuple(sorted(line for level, line in lines if level)),
        upright_lines=tuple(sorted(line for level, line in lines if not level)),
    )


def layer_parents(boxes: Sequence[Box]) -> list[int]:
    """Return the parent of each box, NO_PARENT for the roots of the layers."""
    return [
        NO_PARENT if layer == index else box.parent
        for index, (box, layer) in enumerate(zip(boxes, layers_of(boxes), strict=True))
    ]


def _content_rects(snapshot: Snapshot, parents: Sequence[int]) -> list[Rect]:
    """Return the rectangle around the content of each box, empty if it has none."""
    rects = [EMPTY] * len(parents)
    texts = [box.kind is BoxKind.TEXT for box in snapshot.boxes]  # it is one, or has one
    for index in range(len(parents) - 1, -1, -1):
        box, parent = snapshot.boxes[index], parents[index]
        if box.kind is not BoxKind.ELEMENT or (rects[index].empty and texts[index]):
            rects[index] = _round(rects[index], _own_rect(box, snapshot.rect))
        if parent != NO_PARENT:
            rects[parent] = _round(rects[parent], rects[index])
            texts[parent] = texts[parent] or texts[index]
    return rects


def _round(one: Rect, other: Rect) -> Rect:
    """Return the rectangle around two, mostly one of them."""
    if other.empty or (not one.empty and one.contains(other)):
        return one
    return other if one.empty or other.contains(one) else bounding((one, other))


def _own_rect(box: Box, page: Rect) -> Rect:
    """Return the visible part of a box itself, empty if it is hidden or just a line."""
    if not box.visible or (box.kind is BoxKind.ELEMENT and not box.style.background_image):
        return EMPTY
    shown = box.clip.clip(page)
    if box.kind is BoxKind.TEXT:
        lines = bounding(line.clip(shown) for line in box.lines)
        return shown if lines.empty else lines
    return EMPTY if is_thin(shown) else shown


def _seen_rects(snapshot: Snapshot, parents: Sequence[int], contents: Sequence[Rect]) -> list[Rect]:
    """Return the rectangle around the content of each box and the visible backgrounds."""
    rects = list(contents)
    for index in range(len(parents) - 1, -1, -1):
        box, parent = snapshot.boxes[index], parents[index]
        shown = box.style.background_image or is_framed(snapshot.boxes, box)
        if not rects[index].empty and shown and box.visible and box.kind is BoxKind.ELEMENT:
            rects[index] = _round(rects[index], box.clip.clip(snapshot.rect))
        if parent != NO_PARENT:
            rects[parent] = _round(rects[parent], rects[index])
    return rects


def _children(parents: Sequence[int], rects: Sequence[Rect]) -> tuple[tuple[int, ...], ...]:
    children: list[list[int]] = [[] for _ in parents]
    for index, parent in enumerate(parents):
        if parent != NO_PARENT and not rects[index].empty:
            children[parent].append(index)
    return tuple(map(tuple, children))


def _textual(boxes: Sequence[Box], children: Sequence[Sequence[int]]) -> tuple[bool, ...]:
    textual = [box.kind is BoxKind.TEXT for box in boxes]
    for index in range(len(boxes) - 1, -1, -1):
        if children[index] and in_line(boxes[index]):
            textual[index] = all(textual[child] for child in children[index])
    return tuple(textual)


def _inline(boxes: Sequence[Box], children: Sequence[Sequence[int]]) -> tuple[bool, ...]:
    inline = [in_line(box) for box in boxes]
    for index in range(len(boxes) - 1, -1, -1):
        inline[index] = inline[index] and all(inline[child] for child in children[index])
    return tuple(inline)


def _fonts(boxes: Sequence[Box], parents: Sequence[int], rects: Sequence[Rect]) -> tuple[Font, ...]:
    fonts = [Font()] * len(boxes)
    for index in range(len(boxes) - 1, -1, -1):
        box, parent = boxes[index], parents[index]
        if box.kind is BoxKind.TEXT and not rects[index].empty:
            fonts[index] = Font(box.style.font_size, box.style.font_weight, max(1, len(box.text)))
        if parent != NO_PARENT:
            fonts[parent] = _mixed(fonts[parent], fonts[index])
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
    """Return how much of each box's children a line separates from the others, at best."""
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
            if rects[index].empty and is_drawn_line(box):
                smaller = min(before[above], whole[above] - before[above])
                parted[above] = max(parted[above], smaller)
    return tuple(parted)


def _lines(snapshot: Snapshot, index: int, seen: Rect) -> Iterator[tuple[bool, CanvasLine]]:
    """Yield the lines that a box draws, itself or its borders, and whether they are level."""
    box = snapshot.boxes[index]
    shown = box.clip.clip(snapshot.rect)
    if not box.visible or shown.empty or box.kind is BoxKind.TEXT or box.parent == NO_PARENT:
        return
    if seen.empty and is_drawn_line(box):
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


# The text in a box: its columns, and whether it is running text.
#
# A box of many small children is a list, an article, or a row of lists: the foot of a page, a
# directory of links. A reader takes a list as one thing and a row of lists as several. The
# difference is a gutter: an upright band with lines of text on both sides that hardly any line
# crosses, such as a headline over all columns. Only text counts, because there is also a gutter
# between the pictures of a list and their texts.
#
# The text of an article is in paragraphs that are children of one box. Headlines and pictures
# between them do not make it several things.


GUTTER_WIDTH = 8.0  # px; the space between two words is narrower
CROSSING = 0.2  # of all lines may cross a gutter
BESIDE_GUTTER = 0.15  # of all lines must be on each side of it
COLUMN = 5.0  # lines; shorter columns are a menu, or a picture with its caption

PARAGRAPH_LETTERS = 40  # letters; with fewer it is a headline, a caption or a link
PARAGRAPHS = 2  # make running text
RUNNING_SHARE = 0.5  # of a box's letters are in its own paragraphs

# notebook/segmentation.md has the effect of other numbers.


def is_box_of_text(canvas: VipsCanvas, box: int) -> bool:
    """Return whether a box is mostly paragraphs."""
    letters = [
        canvas.fonts[child].letters
        for child in canvas.children[box]
        if canvas.all_text(child) and not canvas.inline[child]
    ]
    paragraphs = [count for count in letters if count >= PARAGRAPH_LETTERS]
    whole = canvas.fonts[box].letters
    return len(paragraphs) >= PARAGRAPHS and sum(paragraphs) >= RUNNING_SHARE * whole


def in_columns(canvas: VipsCanvas, box: int) -> bool:
    """Return whether a gutter runs through the text of a box."""
    lines = text_lines(canvas, box)
    least = COLUMN * _usual_height(lines)
    return any(_shared_height(lines, middle) >= least for middle in gutters(lines))


def text_lines(canvas: VipsCanvas, box: int) -> list[Rect]:
    """Return the lines of all visible text in a box."""
    lines: list[Rect] = []
    pending = [box]
    while pending:
        index = pending.pop()
        lines.extend(line for line in canvas.boxes[index].lines if not line.empty)
        pending.extend(canvas.children[index])
    return lines


def gutters(lines: Sequence[Rect]) -> Iterator[float]:
    """Yield the positions of gutters, in px from the left."""
    starts = sorted(line.left for line in lines)
    ends = sorted(line.right for line in lines)
    beside = BESIDE_GUTTER * len(lines)
    for end in sorted(set(ends)):
        before = bisect_right(ends, end)
        first = bisect_left(starts, end)
        after = len(lines) - first
        crossing = len(lines) - before - after
        enough = before >= beside and after >= beside and crossing <= CROSSING * len(lines)
        if enough and starts[first] - end >= GUTTER_WIDTH:
            yield (end + starts[first]) / 2


def _shared_height(lines: Sequence[Rect], middle: float) -> float:
    """Return the height along which there are lines on both sides of a position, in px."""
    left = [line for line in lines if line.right <= middle]
    right = [line for line in lines if line.left >= middle]
    top = max(min(line.top for line in side) for side in (left, right))
    bottom = min(max(line.bottom for line in side) for side in (left, right))
    return bottom - top


def _usual_height(lines: Sequence[Rect]) -> float:
    heights = sorted(line.height for line in lines)
    return heights[len(heights) // 2] if heights else 0.0
