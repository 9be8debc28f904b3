"""Boundaries between two nodes or boxes that are adjacent in document order."""

from collections.abc import Sequence
from dataclasses import dataclass

from webstencil.model import NO_PARENT


@dataclass(frozen=True, slots=True)
class Boundary:
    """The boundary between one and the next."""

    container: int  # the lowest one around both
    ends: int  # the child of the container with the one before
    begins: int  # the child of the container with the one after


def place_between(parents: Sequence[int], before: int, after: int) -> Boundary:
    """Return the boundary between two, neither of which contains the other.

    In document order, an ancestor of the second that starts before the first contains both.
    """
    begins = after
    container = parents[begins]
    while container > before:
        begins, container = container, parents[container]
    ends = before
    while parents[ends] != container:
        ends = parents[ends]
        if ends == NO_PARENT:  # a climb that passes the root would never end
            raise ValueError(f"{before} contains {after}, so nothing is between them")
    return Boundary(container, ends, begins)
