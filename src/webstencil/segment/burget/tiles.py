"""An index of rectangles by position.

Each rectangle is on tiles of about its own size, so on four at most. The rectangles at a point are
on one tile of each size in use.
"""

import math
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from webstencil.geometry import Rect

Tile: TypeAlias = tuple[int, int, int]  # exponent of the size, column, row


class Tiles:
    """A changing set of rectangles, numbered in order of insertion."""

    def __init__(self, rects: Iterable[Rect] = ()) -> None:
        self.rects: list[Rect] = []
        self._on: dict[Tile, set[int]] = {}
        self._sized: dict[int, set[int]] = {}  # by the exponent of their tiles' size
        for rect in rects:
            self.add(rect)

    def add(self, rect: Rect) -> int:
        """Add a rectangle and return its number."""
        number = len(self.rects)
        self.rects.append(rect)
        exponent = _exponent(rect)
        self._sized.setdefault(exponent, set()).add(number)
        for tile in _tiles(rect, exponent):
            self._on.setdefault(tile, set()).add(number)
        return number

    def remove(self, number: int) -> None:
        """Remove a rectangle."""
        exponent = _exponent(self.rects[number])
        self._sized[exponent].remove(number)
        for tile in _tiles(self.rects[number], exponent):
            self._on[tile].remove(number)

    def at(self, x: float, y: float) -> list[int]:
        """Return the rectangles that contain a point, borders included, in order."""
        found: list[int] = []
        for exponent in self._sized:
            size = 1 << exponent
            for number in self._on.get((exponent, int(x // size), int(y // size)), ()):
                rect = self.rects[number]
                if rect.left <= x <= rect.right and rect.top <= y <= rect.bottom:
                    found.append(number)
        return sorted(found)

    def over(self, rect: Rect) -> list[int]:
        """Return the rectangles that overlap this one, in order."""
        found: set[int] = set()
        for exponent, numbers in self._sized.items():
            size = 1 << exponent
            if (rect.width + size) * (rect.height + size) > len(numbers) * size * size:
                found |= numbers  # fewer than the tiles to check
                continue
            for tile in _tiles(rect, exponent):
                if tile in self._on:
                    found |= self._on[tile]
        return sorted(number for number in found if self.rects[number].overlaps(rect))

    def meets(self, rect: Rect) -> bool:
        """Return whether any rectangle overlaps this one."""
        for exponent, numbers in self._sized.items():
            size = 1 << exponent
            if (rect.width + size) * (rect.height + size) > len(numbers) * size * size:
                if any(self.rects[number].overlaps(rect) for number in numbers):
                    return True
                continue
            for tile in _tiles(rect, exponent):
                if any(self.rects[number].overlaps(rect) for number in self._on.get(tile, ())):
                    return True
        return False


def _exponent(rect: Rect) -> int:
    return math.ceil(max(rect.width, rect.height, 1.0)).bit_length()


def _tiles(rect: Rect, exponent: int) -> Iterator[Tile]:
    size = 1 << exponent
    for column in range(int(rect.left // size), int(rect.right // size) + 1):
        for row in range(int(rect.top // size), int(rect.bottom // size) + 1):
            yield exponent, column, row
