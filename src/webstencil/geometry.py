"""Rectangles in page pixels, with the origin in the page's upper left corner."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

Interval: TypeAlias = tuple[float, float]  # px, from one side to the other


@dataclass(frozen=True, slots=True, order=True)
class Rect:
    """A rectangle; the right and bottom edges lie outside it."""

    left: float  # px
    top: float  # px
    right: float  # px
    bottom: float  # px

    @property
    def width(self) -> float:
        return max(0.0, self.right - self.left)

    @property
    def height(self) -> float:
        return max(0.0, self.bottom - self.top)

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def empty(self) -> bool:
        return self.right <= self.left or self.bottom <= self.top

    def contains(self, other: "Rect", *, slack: float = 0.0) -> bool:
        """Return whether `other` lies inside this rectangle widened by `slack` px."""
        return (
            self.left - slack <= other.left
            and self.top - slack <= other.top
            and self.right + slack >= other.right
            and self.bottom + slack >= other.bottom
        )

    def overlaps(self, other: "Rect") -> bool:
        """Return whether the two share an area of non-zero size."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def clip(self, bounds: "Rect") -> "Rect":
        """Cut off what lies outside `bounds`; an empty rectangle stays on its border."""
        left = min(max(self.left, bounds.left), bounds.right)
        top = min(max(self.top, bounds.top), bounds.bottom)
        right = max(left, min(self.right, bounds.right))
        bottom = max(top, min(self.bottom, bounds.bottom))
        return Rect(left, top, right, bottom)


EMPTY = Rect(0.0, 0.0, 0.0, 0.0)


def bounding(rects: Iterable[Rect]) -> Rect:
    """Return the smallest rectangle around all non-empty `rects`, `EMPTY` if there is none."""
    kept = [rect for rect in rects if not rect.empty]
    if not kept:
        return EMPTY
    return Rect(
        min(rect.left for rect in kept),
        min(rect.top for rect in kept),
        max(rect.right for rect in kept),
        max(rect.bottom for rect in kept),
    )


def joined_intervals(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the union of intervals, in order; touching ones are merged.

    >>> joined([(4, 6), (0, 2), (1, 3)])
    [(0, 3), (4, 6)]
    """
    found: list[Interval] = []
    for start, end in sorted(intervals):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found
