"""A line chart over runs, small enough to stand in a page."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 320.0  # of the drawing
HEIGHT = 90.0
EDGE = 6.0  # around the line, so that its points are whole
STEP = 0.1  # the scale begins at a multiple of it


@dataclass(frozen=True, slots=True)
class Dot:
    """A point of a chart, with its label."""

    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A line chart."""

    name: str
    low: float  # the scale's lower end, 0..1; its upper end is 1
    dots: tuple[Dot, ...]

    @property
    def line(self) -> str:
        """Return the points as SVG has them."""
        return " ".join(f"{dot.x:g},{dot.y:g}" for dot in self.dots)


def chart(name: str, points: Sequence[tuple[str, float | None]], *, low: float = 0.0) -> Chart:
    """Chart shares over runs, each named by its time; runs without a share are left out.

    The scale begins at `low`, or lower if a share is below it.
    """
    known = [(when, share) for when, share in points if share is not None]
    lowest = min([low, *(math.floor(share / STEP) * STEP for _, share in known)])
    step = (WIDTH - 2 * EDGE) / max(1, len(known) - 1)
    span = max(1.0 - lowest, STEP)
    dots = [
        Dot(
            x=round(EDGE + number * step, 1),
            y=round(EDGE + (HEIGHT - 2 * EDGE) * (1.0 - min(share, 1.0)) / span, 1),
            words=f"{when}: {share:.1%}",
        )
        for number, (when, share) in enumerate(known)
    ]
    return Chart(name, round(lowest, 1), tuple(dots))
