"""Print how long Box Clustering Segmentation takes for pages of 300 to 10,000 boxes.

The pages are made up: three columns of stories (a picture, a title, paragraphs, a list of links)
below a menu. If the cost grows as n log n, the last column stays about the same.
"""

from collections.abc import Iterator
from itertools import count, islice
from math import log
from time import process_time

from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, Box, BoxKind, Snapshot, Style, Viewport
from webstencil.segment.bcs import BCS

SIZES = (300, 600, 1_250, 2_500, 5_000, 10_000)  # boxes
COLUMNS = 3
COLUMN_WIDTH = 440.0  # px
WHITE, BLACK, BLUE = "rgb(255, 255, 255)", "rgb(0, 0, 0)", "rgb(0, 0, 200)"

# What a story is made of: kind, colour, width and height in px, gap to the next in px.
STORY = (
    (BoxKind.IMAGE, BLACK, 300.0, 180.0, 6.0),
    (BoxKind.TEXT, BLACK, 380.0, 26.0, 8.0),
    *((BoxKind.TEXT, BLACK, 400.0, 90.0, 14.0),) * 3,
    *((BoxKind.TEXT, BLUE, 210.0, 16.0, 5.0),) * 7,
)
STORY_GAP = 40.0  # px


def main() -> None:
    """Print a line for each size and variant."""
    print(f"{'variant':>10} {'boxes':>7} {'areas':>6} {'seconds':>8} {'s/(n log n)':>12}")  # noqa: T201 - the purpose of the script
    for variant, threshold in (("reference", 0.22), ("paper", 0.5)):
        segmenter = BCS(variant=variant, threshold=threshold)
        for size in SIZES:
            snapshot = made_up_page(size)
            start = process_time()
            areas = segmenter.segment(snapshot)
            seconds = process_time() - start
            print(  # noqa: T201 - the purpose of the script
                f"{variant:>10} {size:>7,} {len(areas):>6} {seconds:>8.2f} "
                f"{seconds / (size * log(size)):>12.2e}"
            )


def made_up_page(size: int) -> Snapshot:
    """Make a snapshot with so many texts and images, each in a block of its own."""
    leaves = list(islice(stories(), size))
    page = Rect(0.0, 0.0, COLUMNS * COLUMN_WIDTH, max(rect.bottom for _, _, rect in leaves))
    boxes = [Box(0, NO_PARENT, BoxKind.ELEMENT, page, page, True, style(BLACK), WHITE)]
    for kind, colour, rect in leaves:
        block = len(boxes)
        look = style(colour)
        lines = (rect,) if kind is BoxKind.TEXT else ()
        boxes.append(Box(block, 0, BoxKind.ELEMENT, rect, rect, True, look, WHITE))
        boxes.append(Box(block + 1, block, kind, rect, rect, True, look, WHITE, lines, "words"))
    return Snapshot("http://example.org/", Viewport(), page, tuple(boxes), complete=True)


def stories() -> Iterator[tuple[BoxKind, str, Rect]]:
    """Yield the boxes of one row of stories after the other, without end."""
    height = sum(part[3] + part[4] for part in STORY) + STORY_GAP
    for row in count():
        for column in range(COLUMNS):
            left, top = column * COLUMN_WIDTH, row * height
            for kind, colour, width, tall, gap in STORY:
                yield kind, colour, Rect(left, top, left + width, top + tall)
                top += tall + gap


def style(colour: str) -> Style:
    """Return a plain style in one colour."""
    none = (0.0, 0.0, 0.0, 0.0)
    return Style(
        "block", "static", "none", "serif", 16.0, 400, False, False, colour, "", False, none, ""
    )


if __name__ == "__main__":
    main()
