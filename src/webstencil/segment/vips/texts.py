"""VIPS, the text in a box: its columns, and whether it is running text.

A box of many small children is a list, an article, or a row of lists: the foot of a page, a
directory of links. A reader takes a list as one thing and a row of lists as several. The difference
is a gutter: an upright band with lines of text on both sides that hardly any line crosses, such as
a headline over all columns. Only text counts, because there is also a gutter between the pictures
of a list and their texts.

The text of an article is in paragraphs that are children of one box. Headlines and pictures between
them do not make it several things.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from webstencil.geometry import Rect

if TYPE_CHECKING:
    from webstencil.segment.vips.canvas import VipsCanvas

GUTTER = 8.0  # px; the space between two words is narrower
CROSSING = 0.2  # of all lines may cross a gutter
BESIDE = 0.15  # of all lines must be on each side of it
COLUMN = 5.0  # lines; shorter columns are a menu, or a picture with its caption

PARAGRAPH = 40  # letters; with fewer it is a headline, a caption or a link
PARAGRAPHS = 2  # make running text
RUNNING = 0.5  # of a box's letters are in its own paragraphs

# docs/segmentation.md has the effect of other numbers.


def is_running_text(canvas: "VipsCanvas", box: int) -> bool:
    """Return whether a box is mostly paragraphs."""
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
    """Return the height along which there are lines on both sides of a position, in px."""
    left = [line for line in lines if line.right <= middle]
    right = [line for line in lines if line.left >= middle]
    top = max(min(line.top for line in side) for side in (left, right))
    bottom = min(max(line.bottom for line in side) for side in (left, right))
    return bottom - top


def _usual_height(lines: Sequence[Rect]) -> float:
    heights = sorted(line.height for line in lines)
    return heights[len(heights) // 2] if heights else 0.0
