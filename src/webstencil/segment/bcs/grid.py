"""An index of rectangles, to find those near a given one.

The lines of the grid are where rectangles begin, not at equal steps, so that a page with all its
boxes in one corner has as few of them per cell as any other page.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from webstencil.geometry import Rect

RECTS_PER_ROW = 4  # that begin in it, at least
CELLS_PER_RECT = 4  # at most: 16 columns on a usual page, more if there are fewer rows


class CellIndex:
    """Cells with the numbers of the rectangles that reach into them."""

    __slots__ = ("cells", "columns", "rows", "width")

    def __init__(self, rects: Sequence[Rect]) -> None:
        """Choose the lines, and add the rectangles by their index."""
        self.rows = lines([rect.top for rect in rects], RECTS_PER_ROW)
        rects_per_column = -(-(len(self.rows) + 1) // CELLS_PER_RECT)
        self.columns = lines([rect.left for rect in rects], rects_per_column)
        self.width = len(self.columns) + 1
        self.cells: list[list[int]] = [[] for _ in range(self.width * (len(self.rows) + 1))]
        for number, rect in enumerate(rects):
            self.enter(number, rect)

    def enter(self, number: int, rect: Rect) -> None:
        """Add a number to all cells that the rectangle reaches into."""
        for cell in self.cells_of(rect):
            self.cells[cell].append(number)

    def cells_of(self, rect: Rect) -> Iterator[int]:
        """List the cells that the rectangle reaches into."""
        columns = self.columns_of(rect)
        for row in self.rows_of(rect):
            start = row * self.width
            yield from range(start + columns.start, start + columns.stop)

    def columns_of(self, rect: Rect) -> range:
        """Return the columns that the rectangle reaches into."""
        first = bisect_right(self.columns, rect.left)
        return range(first, bisect_right(self.columns, rect.right, first) + 1)

    def rows_of(self, rect: Rect) -> range:
        """Return the rows that the rectangle reaches into."""
        first = bisect_right(self.rows, rect.top)
        return range(first, bisect_right(self.rows, rect.bottom, first) + 1)

    def near(self, rect: Rect) -> Iterator[int]:
        """Yield the numbers in the cells that the rectangle reaches into, some more than once."""
        for cell in self.cells_of(rect):
            yield from self.cells[cell]


def lines(starts: Sequence[float], each: int) -> list[float]:
    """Return the distinct values of every `each`-th of the sorted starts."""
    return sorted(set(sorted(starts)[each::each]))
