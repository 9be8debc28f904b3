"""Guo et al., the Block Finder: the largest consistently aligned frames (paper, section 3).

A frame is X-aligned if its children are below each other, and everything inside them is X-aligned
too; Y-aligned likewise if they are beside each other. It is consistent if it is one of the two. The
largest consistent frames are the blocks.

How the paper's pseudo-code is read (GetAlignment contradicts figure 1 if it is taken literally):
- The alignment is a set: a leaf is aligned both ways, a frame as its children allow.
- Only children with frames inside count; if there are none, all count. The text says so ("ignoring
  the alignment of leaf frames"), the code takes the first child in any case.
- Aligned means at the left, at the right or in the centre, within a tolerance; the code compares
  one coordinate.

What fails on today's pages, and what is done here:
- In running text, pictures, tables and quotations are anywhere. They do not make it inconsistent.
- A run of the Partition Finder counts as a leaf. Otherwise the cards of a grid or the rows of a
  table would all be blocks; the paper has the same complaint (section 5, figure 4) and the same
  plan (section 6: both finders by turns).
- On a page of one column everything is aligned. A frame that holds most of the page, in several
  frames and not in leaves, is never one block: it is the skeleton of the page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from webstencil.geometry import Rect
from webstencil.segment.guo.frames import Frame, FrameStyle


class Axis(Enum):
    """What aligned frames have in common."""

    X = auto()  # they are below each other
    Y = auto()  # they are beside each other


Alignment: TypeAlias = frozenset[Axis]

BOTH: Alignment = frozenset(Axis)
NONE: Alignment = frozenset()

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
    found = [BOTH] * len(frames)
    for index in range(len(frames) - 1, -1, -1):
        frame = frames[index]
        if is_running_text(frames, frame, order):
            found[index] = frozenset({Axis.X})
        elif not frame.leaf:
            inner = inner_frames(frames, index, runs)
            if is_skeleton(frames, index, inner, order.page_share):
                found[index] = NONE
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


def is_running_text(frames: Sequence[Frame], frame: Frame, order: ConsistencyOrder) -> bool:
    """Return whether most of a frame is text of its own, in paragraphs of one style."""
    own = [frames[child] for child in frame.children if frames[child].leaf]
    letters = sum(leaf.letters for leaf in own)
    if not order.prose or not own:
        return False
    if letters < max(order.prose_share * frame.letters, order.prose * len(own)):
        return False
    by_look: dict[FrameStyle, int] = {}
    for leaf in own:
        by_look[leaf.look] = by_look.get(leaf.look, 0) + leaf.letters
    body = max(by_look, key=lambda look: (by_look[look], look))
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
        if all(axis in found[child] for child in considered) and in_line(rects, axis, tolerance)
    )


def in_line(rects: Iterable[Rect], axis: Axis, tolerance: float) -> bool:
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
