"""Where two nodes or boxes meet that follow each other in document order."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Boundary:
    """Where one ends and the next begins."""

    container: int  # the lowest one around both
    ends: int  # the child of the container with the one before
    begins: int  # the child of the container with the one after


def place_between(parents: Sequence[int], before: int, after: int) -> Boundary:
    """Find where two meet, neither of which is around the other.

    In document order, what starts before the first and holds the second holds both.
    """
    begins = after
    container = parents[begins]
    while container > before:
        begins, container = container, parents[container]
    ends = before
    while parents[ends] != container:
        ends = parents[ends]
    return Boundary(container, ends, begins)
