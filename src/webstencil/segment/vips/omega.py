"""VIPS, the output as Ω = (O, Φ, δ): the separators between areas, and which areas are adjacent.

Report, section 3; CPS paper, section 4.1. An area is split along separators of one direction and
one weight, so those of its areas are adjacent that follow each other. After the last steps, which
the report does not know, this is told of an area whose areas are still those that it was split
into.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from webstencil.model import NO_PARENT, Area, Snapshot, is_content
from webstencil.segment.draft import lineage, owners_of
from webstencil.segment.vips.separators import BlockSeparator
from webstencil.segment.vips.structure import StructureNode


@dataclass(frozen=True, slots=True)
class AreaStructure:
    """What is between the areas in an area."""

    separators: tuple[BlockSeparator, ...] = ()  # Φ
    neighbours: tuple[tuple[int, int], ...] = ()  # δ: indexes of areas


def structures(
    snapshot: Snapshot,
    areas: Sequence[Area],
    split: Sequence[Area],
    parts: Sequence[StructureNode],
) -> tuple[AreaStructure, ...]:
    """Return the structure of each area; `split` are those of `parts`, before the last steps."""
    before = {inside: number for number, inside in enumerate(insides(snapshot, split)) if inside}
    origins = [before.get(inside, NO_PARENT) for inside in insides(snapshot, areas)]
    found = []
    for number, origin in enumerate(origins):
        below = [it for it, area in enumerate(areas) if area.parent == number]
        was = {it for it, area in enumerate(split) if area.parent == origin}
        if origin == NO_PARENT or not below or {origins[it] for it in below} != was:
            found.append(AreaStructure())
            continue
        order = sorted(below, key=origins.__getitem__)
        separators = parts[origin].separators
        found.append(AreaStructure(separators, tuple(pairwise(order)) if separators else ()))
    return tuple(found)


def insides(snapshot: Snapshot, areas: Sequence[Area]) -> list[frozenset[int]]:
    """Return the visible texts and images in each area and the areas in it."""
    found: list[set[int]] = [set() for _ in areas]
    for box, owner in enumerate(owners_of(snapshot.boxes, areas)):
        if is_content(snapshot.boxes[box]):
            for area in lineage(areas, owner):
                found[area].add(box)
    return list(map(frozenset, found))
