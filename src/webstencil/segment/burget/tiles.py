"""Rectangles that can be asked for by place, without looking at all of them.

Each rectangle lies on tiles of about its own size, so on four at most. What lies at a point is
found by looking at one tile of each size in use.
"""

import math
from collections.abc import Iterable, Iterator

from webstencil.geometry import Rect

Tile = tuple[int, int, int]  # exponent of the size, column, row


class Tiles:
    """A growing set of rectangles, numbered in the order in which they come."""

    def __init__(self, rects: Iterable[Rect] = ()) -> None:
        self.rects: list[Rect] = []
        self._on: dict[Tile, list[int]] = {}
        self._sized: dict[int, list[int]] = {}  # by the exponent of their tiles' size
        for rect in rects:
            self.add(rect)

    def add(self, rect: Rect) -> int:
        """Put a rectangle in and return its number."""
        number = len(self.rects)
        self.rects.append(rect)
        exponent = math.ceil(max(rect.width, rect.height, 1.0)).bit_length()
        self._sized.setdefault(exponent, []).append(number)
        for tile in _tiles(rect, exponent):
            self._on.setdefault(tile, []).append(number)
        return number

    def at(self, x: float, y: float) -> Iterator[int]:
        """Yield the rectangles that hold a point, their border included."""
        for exponent in sorted(self._sized):
            size = 1 << exponent
            for number in self._on.get((exponent, int(x // size), int(y // size)), ()):
                rect = self.rects[number]
                if rect.left <= x <= rect.right and rect.top <= y <= rect.bottom:
                    yield number

    def over(self, rect: Rect) -> list[int]:
        """Return the rectangles that share a part of non-zero size with this one, in order."""
        found: set[int] = set()
        for exponent, numbers in self._sized.items():
            if _tile_count(rect, exponent) > len(numbers):
                found.update(numbers)
            else:
                for tile in _tiles(rect, exponent):
                    found.update(self._on.get(tile, ()))
        return sorted(number for number in found if self.rects[number].overlaps(rect))


def _tiles(rect: Rect, exponent: int) -> Iterator[Tile]:
    size = 1 << exponent
    for column in range(int(rect.left // size), int(rect.right // size) + 1):
        for row in range(int(rect.top // size), int(rect.bottom // size) + 1):
            yield exponent, column, row


def _tile_count(rect: Rect, exponent: int) -> float:
    size = 1 << exponent
    return (rect.width / size + 2) * (rect.height / size + 2)
