"""Guo et al., before the first step: the frame tree.

The paper works on Mozilla's frame tree. This one is made of the snapshot's boxes, with three
changes that keep the paper's rules meaningful on today's pages:

- Inline content is one leaf: a paragraph with its links and bold words, or the inline boxes between
  two blocks. As separate frames, the links would never be aligned, and no frame above a text with a
  link in it could be consistent.
- A chain of wrappers, each the only content of the one around it, is one frame.
- A frame that a reader sees at a glance is a leaf: a small one, or a row of one line.

Boxes without text or image are left out. A level line (HR, or a box drawn as one) is not a frame;
it becomes a mark on the frame before it, because the Partition Finder takes it for a separator. A P
is a frame and a separator; it is known if the snapshot has the tags of its page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from webstencil.geometry import EMPTY, Rect, bounding
from webstencil.model import NO_PARENT, Box, BoxKind, Snapshot
from webstencil.segment.box_looks import in_line, is_framed, is_line, is_thin

PARAGRAPH = "p"
BOLD = 600  # font weight from which text looks bold; CSS calls 600 semi-bold


@dataclass(frozen=True, slots=True, order=True)
class FrameStyle:
    """The presentation style of a text (paper, section 4)."""

    family: str
    size: float  # px
    face: tuple[str, bool, bool, bool]  # colour, bold, italic, underlined


IMAGE = FrameStyle("", 0.0, ("", False, False, False))  # images form a class of their own


@dataclass(frozen=True, slots=True)
class Glance:
    """What a reader sees at a glance."""

    side: float  # px; a frame no larger than a square of this side; 0 for none
    row: float  # em; a frame no higher than this; 0 for none


@dataclass(frozen=True, slots=True)
class Frame:
    """A node of the frame tree; a leaf has no children."""

    parent: int  # index among the frames, NO_PARENT for the root
    boxes: tuple[int, ...]  # indexes into Snapshot.boxes: one, or those of an inline run
    rect: Rect  # as laid out
    seen: Rect  # around its content, and around itself if its background or border shows
    look: FrameStyle  # of most of its letters
    letters: int
    looks: tuple[FrameStyle, ...]  # of all its letters, each once, in the order of the text
    paragraph: bool = False  # it is a P
    ruled: bool = False  # a level line follows it
    children: tuple[int, ...] = ()

    @property
    def leaf(self) -> bool:
        return not self.children


@dataclass(frozen=True, slots=True)
class GuoCanvas:
    """The boxes of a snapshot as columns; entry i belongs to box i."""

    boxes: tuple[Box, ...]
    seen: tuple[Rect, ...]  # empty if the box has no content
    looks: tuple[FrameStyle, ...]  # of most of its letters
    styles: tuple[tuple[FrameStyle, ...], ...]  # of all, each once
    letters: tuple[int, ...]
    tags: tuple[str, ...]  # by node; empty if they are not known
    inline: tuple[bool, ...]  # it is in a line of text, and has no block in it
    children: tuple[tuple[int, ...], ...]  # with content, and level lines


def find_frames(snapshot: Snapshot, glance: Glance) -> tuple[Frame, ...]:
    """Make the frame tree of a snapshot, parents before children; empty for an empty page."""
    canvas = look_at(snapshot)
    if not snapshot.boxes or canvas.seen[0].empty:
        return ()
    frames: list[Frame] = []
    children: list[list[int]] = []
    pending: list[tuple[tuple[int, ...], int]] = [((0,), NO_PARENT)]
    while pending:
        boxes, parent = pending.pop()
        if canvas.seen[boxes[0]].empty:  # a line; before the first frame it separates nothing
            if children[parent]:
                before = children[parent][-1]
                frames[before] = replace(frames[before], ruled=True)
            continue
        number = len(frames)
        frames.append(_frame(canvas, boxes, parent))
        children.append([])
        if parent != NO_PARENT:
            children[parent].append(number)
        if not at_a_glance(frames[number], glance):
            pending.extend((below, number) for below in reversed(inside(canvas, boxes)))
    return tuple(
        replace(frame, children=tuple(below)) for frame, below in zip(frames, children, strict=True)
    )


def at_a_glance(frame: Frame, glance: Glance) -> bool:
    """Return whether a frame is too small or too low to be divided."""
    if frame.parent == NO_PARENT:
        return False
    return frame.seen.area <= glance.side**2 or frame.seen.height <= glance.row * frame.look.size


def inside(canvas: GuoCanvas, boxes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the boxes of each frame inside a frame, none for a leaf; lines come one by one."""
    if len(boxes) > 1:
        return []
    below = canvas.children[boxes[0]]
    while len(below) == 1 and not canvas.inline[below[0]]:
        below = canvas.children[below[0]]
    runs: list[list[int]] = []
    joins = False  # the last run goes on
    for box in below:
        inline = canvas.inline[box] and not canvas.seen[box].empty
        if inline and joins:
            runs[-1].append(box)
        else:
            runs.append([box])
        joins = inline
    return [tuple(run) for run in runs] if len(runs) > 1 else []


def look_at(snapshot: Snapshot) -> GuoCanvas:
    """Compute what is visible of each box, from the innermost boxes outwards."""
    boxes = snapshot.boxes
    seen = seen_rects(snapshot)
    inline = [in_line(box) for box in boxes]
    for index in range(len(boxes) - 1, 0, -1):
        if not inline[index] and not seen[index].empty:
            inline[boxes[index].parent] = False
    children: list[list[int]] = [[] for _ in boxes]
    for index, box in enumerate(boxes):
        if box.parent != NO_PARENT and (not seen[index].empty or _is_level_line(box)):
            children[box.parent].append(index)
    looks, letters = dominant_looks(boxes, seen)
    return GuoCanvas(
        boxes,
        tuple(seen),
        tuple(looks),
        distinct_looks(boxes, seen),
        tuple(letters),
        snapshot.tags,
        tuple(inline),
        tuple(map(tuple, children)),
    )


def seen_rects(snapshot: Snapshot) -> list[Rect]:
    """Return the visible rectangle of each box, empty for a box without content."""
    boxes = snapshot.boxes
    seen = [EMPTY] * len(boxes)
    for index in range(len(boxes) - 1, -1, -1):
        box = boxes[index]
        if box.kind is not BoxKind.ELEMENT:
            seen[index] = bounding((seen[index], _content_rect(box, snapshot.rect)))
        elif not seen[index].empty and _shows_itself(boxes, box):
            seen[index] = bounding((seen[index], box.clip.clip(snapshot.rect)))
        if box.parent != NO_PARENT and not seen[index].empty:
            seen[box.parent] = bounding((seen[box.parent], seen[index]))
    return seen


def dominant_looks(
    boxes: Sequence[Box], seen: Sequence[Rect]
) -> tuple[list[FrameStyle], list[int]]:
    """Return the style of most letters of each box, and its number of letters."""
    looks = [IMAGE] * len(boxes)
    letters = [0] * len(boxes)
    tallies: list[dict[FrameStyle, int]] = [{} for _ in boxes]  # a finished box gives its own up
    for index in range(len(boxes) - 1, -1, -1):
        box = boxes[index]
        if seen[index].empty:
            continue
        if box.kind is BoxKind.TEXT:
            count = max(1, len(box.text))
            looks[index], letters[index], tallies[index] = _look(box), count, {_look(box): count}
        if (parent := box.parent) != NO_PARENT:
            letters[parent] += letters[index]
            looks[parent], tallies[parent] = _tallied(
                (looks[index], tallies[index]), (looks[parent], tallies[parent])
            )
    return looks, letters


def distinct_looks(
    boxes: Sequence[Box], seen: Sequence[Rect]
) -> tuple[tuple[FrameStyle, ...], ...]:
    """Return the styles of each box's texts and images, each once, in the order of the text."""
    found: list[tuple[FrameStyle, ...]] = [()] * len(boxes)
    for index in range(len(boxes) - 1, -1, -1):
        box = boxes[index]
        if seen[index].empty:
            continue
        if box.kind is not BoxKind.ELEMENT:
            found[index] = (_look(box) if box.kind is BoxKind.TEXT else IMAGE,)
        if box.parent != NO_PARENT:
            found[box.parent] = one_each(found[index], found[box.parent])
    return tuple(found)


def one_each(*looks: Iterable[FrameStyle]) -> tuple[FrameStyle, ...]:
    """Return styles without those that came before."""
    return tuple(dict.fromkeys(look for some in looks for look in some))


def _tallied(
    one: tuple[FrameStyle, dict[FrameStyle, int]], other: tuple[FrameStyle, dict[FrameStyle, int]]
) -> tuple[FrameStyle, dict[FrameStyle, int]]:
    """Add the smaller tally to the larger one: a deep page costs no more than a flat one."""
    (_, small), (look, large) = sorted((one, other), key=lambda tally: len(tally[1]))
    for name, count in small.items():
        large[name] = large.get(name, 0) + count
        look = max(look, name, key=lambda known: (large.get(known, 0), known))
    return look, large


def _frame(canvas: GuoCanvas, boxes: tuple[int, ...], parent: int) -> Frame:
    seen = bounding(canvas.seen[box] for box in boxes)
    first = canvas.boxes[boxes[0]]
    laid_out = len(boxes) == 1 and not first.rect.empty and not in_line(first)
    by_look: dict[FrameStyle, int] = {}
    for box in boxes:
        by_look[canvas.looks[box]] = by_look.get(canvas.looks[box], 0) + canvas.letters[box]
    return Frame(
        parent,
        boxes,
        first.rect if laid_out else seen,
        seen,
        max(by_look, key=lambda look: (by_look[look], look)),
        sum(by_look.values()),
        one_each(*(canvas.styles[box] for box in boxes)),
        len(boxes) == 1 and bool(canvas.tags) and canvas.tags[first.node] == PARAGRAPH,
    )


def _look(box: Box) -> FrameStyle:
    style = box.style
    face = (style.color, style.font_weight >= BOLD, style.italic, style.underline)
    return FrameStyle(style.font_family, style.font_size, face)


def _content_rect(box: Box, page: Rect) -> Rect:
    """Return the visible part of a text or an image, empty if it is hidden or just a line."""
    shown = box.clip.clip(page)
    if not box.visible or (box.kind is BoxKind.IMAGE and is_thin(shown)):
        return EMPTY
    lines = bounding(line.clip(shown) for line in box.lines)
    return shown if lines.empty else lines


def _shows_itself(boxes: Sequence[Box], box: Box) -> bool:
    """Return whether an element's own rectangle is visible, by its background or border."""
    pictured = box.visible and box.parent != NO_PARENT and box.style.background_image
    return pictured or is_framed(boxes, box)


def _is_level_line(box: Box) -> bool:
    """Return whether a box without content is drawn as a line across the page."""
    return is_line(box) and box.clip.width > box.clip.height
