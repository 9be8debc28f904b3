"""Guo et al.: the frame tree, and the Block Finder.

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

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TypeAlias

from webstencil.geometry import EMPTY, Rect, bounding
from webstencil.model import NO_PARENT, Box, BoxKind, Snapshot
from webstencil.segment.boxes import in_line, is_drawn_line, is_thin, shows_itself

SEPARATING_TAG = "p"
LOOKS_BOLD = 600  # font weight from which text looks bold; CSS calls 600 semi-bold


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
    canvas = _look_at(snapshot)
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
            pending.extend((below, number) for below in reversed(_inside(canvas, boxes)))
    return tuple(
        replace(frame, children=tuple(below)) for frame, below in zip(frames, children, strict=True)
    )


def at_a_glance(frame: Frame, glance: Glance) -> bool:
    """Return whether a frame is too small or too low to be divided."""
    if frame.parent == NO_PARENT:
        return False
    return frame.seen.area <= glance.side**2 or frame.seen.height <= glance.row * frame.look.size


def _inside(canvas: GuoCanvas, boxes: tuple[int, ...]) -> list[tuple[int, ...]]:
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


def _look_at(snapshot: Snapshot) -> GuoCanvas:
    """Compute what is visible of each box, from the innermost boxes outwards."""
    boxes = snapshot.boxes
    seen = _seen_rects(snapshot)
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


def _seen_rects(snapshot: Snapshot) -> list[Rect]:
    """Return the visible rectangle of each box, empty for a box without content."""
    boxes = snapshot.boxes
    seen = [EMPTY] * len(boxes)
    for index in range(len(boxes) - 1, -1, -1):
        box = boxes[index]
        if box.kind is not BoxKind.ELEMENT:
            seen[index] = bounding((seen[index], _content_rect(box, snapshot.rect)))
        elif not seen[index].empty and shows_itself(boxes, box):
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


def look_of_most(texts: Iterable[tuple[FrameStyle, int]]) -> tuple[FrameStyle, int]:
    """Return the style of most letters of some texts, and the number of all letters."""
    letters: Counter[FrameStyle] = Counter()
    for look, count in texts:
        letters[look] += count
    return max(letters, key=lambda look: (letters[look], look)), letters.total()


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
    look, letters = look_of_most((canvas.looks[box], canvas.letters[box]) for box in boxes)
    return Frame(
        parent,
        boxes,
        first.rect if laid_out else seen,
        seen,
        look,
        letters,
        one_each(*(canvas.styles[box] for box in boxes)),
        len(boxes) == 1 and bool(canvas.tags) and canvas.tags[first.node] == SEPARATING_TAG,
    )


def _look(box: Box) -> FrameStyle:
    style = box.style
    face = (style.color, style.font_weight >= LOOKS_BOLD, style.italic, style.underline)
    return FrameStyle(style.font_family, style.font_size, face)


def _content_rect(box: Box, page: Rect) -> Rect:
    """Return the visible part of a text or an image, empty if it is hidden or just a line."""
    shown = box.clip.clip(page)
    if not box.visible or (box.kind is BoxKind.IMAGE and is_thin(shown)):
        return EMPTY
    lines = bounding(line.clip(shown) for line in box.lines)
    return shown if lines.empty else lines


def _is_level_line(box: Box) -> bool:
    """Return whether a box without content is drawn as a line across the page."""
    return is_drawn_line(box) and box.clip.width > box.clip.height


# The Block Finder: the largest consistently aligned frames (paper, section 3).
#
# A frame is X-aligned if its children are below each other, and everything inside them is X-aligned
# too; Y-aligned likewise if they are beside each other. It is consistent if it is one of the two.
# The largest consistent frames are the blocks.
#
# How the paper's pseudo-code is read (GetAlignment contradicts figure 1 if it is taken literally):
# - The alignment is a set: a leaf is aligned both ways, a frame as its children allow.
# - Only children with frames inside count; if there are none, all count. The text says so
#   ("ignoring the alignment of leaf frames"), the code takes the first child in any case.
# - Aligned means at the left, at the right or in the centre, within a tolerance; the code compares
#   one coordinate.
#
# What fails on today's pages, and what is done here:
# - In running text, pictures, tables and quotations are anywhere. They do not make it inconsistent.
# - A run of the Partition Finder counts as a leaf. Otherwise the cards of a grid or the rows of a
#   table would all be blocks; the paper has the same complaint (section 5, figure 4) and the same
#   plan (section 6: both finders by turns).
# - On a page of one column everything is aligned. A frame that holds most of the page, in several
#   frames and not in leaves, is never one block: it is the skeleton of the page.


class Axis(Enum):
    """What aligned frames have in common."""

    X = auto()  # they are below each other
    Y = auto()  # they are beside each other


Alignment: TypeAlias = frozenset[Axis]

BOTH_AXES: Alignment = frozenset(Axis)
NOT_ALIGNED: Alignment = frozenset()

# Share of the leaves of running text with the style of most letters: paragraphs, not titles. In a
# list of stories, each with a title, a byline and a text, it is a third.
BODY_SHARE = 0.4
SKELETON_SHARE = 0.9  # of its letters that are in frames inside; a list also has leaves
CENTRE_SLACK = 2.0  # a centre may be off by twice as much as an edge (spec., 4.3)


@dataclass(frozen=True, slots=True)
class ConsistencyOrder:
    """When a frame is consistent."""

    tolerance: float  # px
    prose: int  # mean letters of the leaves of running text; 0 for no running text
    prose_share: float  # 0..1, of the letters of running text in its own leaves
    page_share: float  # 0..1, of the page's letters that a block made of frames may hold


def alignments(
    frames: Sequence[Frame], runs: frozenset[int], order: ConsistencyOrder
) -> tuple[Alignment, ...]:
    """Return the alignment of each frame; frames in `runs` count as leaves for their parents."""
    found = [BOTH_AXES] * len(frames)
    for index in range(len(frames) - 1, -1, -1):
        frame = frames[index]
        if is_frame_of_text(frames, frame, order):
            found[index] = frozenset({Axis.X})
        elif not frame.leaf:
            inner = inner_frames(frames, index, runs)
            if is_skeleton(frames, index, inner, order.page_share):
                found[index] = NOT_ALIGNED
            elif inner or all(frames[child].leaf for child in frame.children):
                considered = inner or frame.children
                found[index] = alignment(frames, considered, found, order.tolerance)
    return tuple(found)


def is_skeleton(
    frames: Sequence[Frame], frame: int, inner: Sequence[int], page_share: float
) -> bool:
    """Return whether a frame holds most of the page, in several frames inside."""
    letters = frames[frame].letters
    within = sum(frames[child].letters for child in inner)
    most_of_page = letters > page_share * frames[0].letters
    return most_of_page and len(inner) > 1 and within >= SKELETON_SHARE * letters


def inner_frames(frames: Sequence[Frame], frame: int, runs: frozenset[int]) -> list[int]:
    """Return the children of a frame that are not, and do not count as, leaves."""
    return [
        child for child in frames[frame].children if not frames[child].leaf and child not in runs
    ]


def is_frame_of_text(frames: Sequence[Frame], frame: Frame, order: ConsistencyOrder) -> bool:
    """Return whether most of a frame is text of its own, in paragraphs of one style."""
    own = [frames[child] for child in frame.children if frames[child].leaf]
    letters = sum(leaf.letters for leaf in own)
    if not order.prose or not own:
        return False
    if letters < max(order.prose_share * frame.letters, order.prose * len(own)):
        return False
    body, _ = look_of_most((leaf.look, leaf.letters) for leaf in own)
    return sum(leaf.look == body for leaf in own) >= BODY_SHARE * len(own)


def alignment(
    frames: Sequence[Frame],
    considered: Sequence[int],
    found: Sequence[Alignment],
    tolerance: float,
) -> Alignment:
    """Return the alignment of a frame by its children (paper, algorithm GetAlignment)."""
    rects = [frames[child].rect for child in considered]
    return frozenset(
        axis
        for axis in Axis
        if all(axis in found[child] for child in considered)
        and _share_an_edge(rects, axis, tolerance)
    )


def _share_an_edge(rects: Iterable[Rect], axis: Axis, tolerance: float) -> bool:
    """Return whether rectangles have an edge or their centre in common, on an axis."""
    if axis is Axis.X:
        edges = [(rect.left, rect.right) for rect in rects]
    else:
        edges = [(rect.top, rect.bottom) for rect in rects]
    return (
        _spread(start for start, _ in edges) <= tolerance
        or _spread(end for _, end in edges) <= tolerance
        or _spread((start + end) / 2 for start, end in edges) <= CENTRE_SLACK * tolerance
    )


def _spread(values: Iterable[float]) -> float:
    known = sorted(values)
    return known[-1] - known[0]
