"""VIPS, what the rules want to know of the text in a box: its columns, and whether it runs on.

A box of many small children is a list, an article, or a row of lists: the foot of a page, a
directory of links. A reader takes a list as one thing and a row of lists as several. What tells
them apart is a gutter: an upright band with lines of text to its left and to its right that hardly
any line runs across, such as a headline over all columns. Text alone counts, because a gutter also
runs between the pictures of a list and what is said about them.

The text of an article runs through paragraphs that are children of one box. Headlines and pictures
between them do not make it several things.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from webstencil.geometry import Rect

if TYPE_CHECKING:
    from webstencil.segment.vips.canvas import VipsCanvas

GUTTER = 8.0  # px; the space between two words is narrower
CROSSING = 0.2  # of all lines may run across a gutter
BESIDE = 0.15  # of all lines must stand on each side of it
COLUMN = 5.0  # lines; what is beside each other for less is a menu, or a picture's caption

PARAGRAPH = 40  # letters; what has fewer is a headline, a caption or a link
PARAGRAPHS = 2  # make a text that runs on
RUNNING = 0.5  # of a box's letters that stand in its own paragraphs

# docs/segmentation.md has what other numbers do.


def is_running_text(canvas: "VipsCanvas", box: int) -> bool:
    """Return whether a box is there for its paragraphs."""
    letters = [
        canvas.fonts[child].letters
        for child in canvas.children[box]
        if canvas.all_text(child) and not canvas.inline[child]
    ]
    paragraphs = [count for count in letters if count >= PARAGRAPH]
    whole = canvas.fonts[box].letters
    return len(paragraphs) >= PARAGRAPHS and sum(paragraphs) >= RUNNING * whole


def in_columns(canvas: "VipsCanvas", box: int) -> bool:
    """Return whether a gutter runs through the text of a box."""
    lines = text_lines(canvas, box)
    least = COLUMN * _usual_height(lines)
    return any(_shared_height(lines, middle) >= least for middle in gutters(lines))


def text_lines(canvas: "VipsCanvas", box: int) -> list[Rect]:
    """Return the lines of all text that is seen in a box."""
    lines: list[Rect] = []
    pending = [box]
    while pending:
        index = pending.pop()
        lines.extend(line for line in canvas.boxes[index].lines if not line.empty)
        pending.extend(canvas.children[index])
    return lines


def gutters(lines: Sequence[Rect]) -> Iterator[float]:
    """Yield where a gutter runs, in px from the left."""
    starts = sorted(line.left for line in lines)
    ends = sorted(line.right for line in lines)
    beside = BESIDE * len(lines)
    for end in sorted(set(ends)):
        before = bisect_right(ends, end)
        first = bisect_left(starts, end)
        after = len(lines) - first
        crossing = len(lines) - before - after
        enough = before >= beside and after >= beside and crossing <= CROSSING * len(lines)
        if enough and starts[first] - end >= GUTTER:
            yield (end + starts[first]) / 2


def _shared_height(lines: Sequence[Rect], middle: float) -> float:
    """Return for how many px lines stand on both sides of a place."""
    left = [line for line in lines if line.right <= middle]
    right = [line for line in lines if line.left >= middle]
    top = max(min(line.top for line in side) for side in (left, right))
    bottom = min(max(line.bottom for line in side) for side in (left, right))
    return bottom - top


def _usual_height(lines: Sequence[Rect]) -> float:
    heights = sorted(line.height for line in lines)
    return heights[len(heights) // 2] if heights else 0.0
