"""VIPS: vision-based page segmentation.

Cai, Yu, Wen, Ma: VIPS, a Vision-based Page Segmentation Algorithm, MSR-TR-2003-79; the CPS paper
sums it up in section 4.1. Blocks are taken from the page by rules (`blocks.py`), separators are
found between them and weighed, and the page is split along them repeatedly (`structure.py`). Each
part has a degree of coherence (DoC, 1..10); a part that is more coherent than the permitted degree
is not split.

What the report leaves open is a setting or a named constant. `pdoc` and `child_share` were chosen
on half of 42 marked pages (Kreuzer et al.), where 7 and 0.07 fit best; notebook/segmentation.md
has the table, with the other half. `frame_share` was chosen by eye: without it, cards are cut into
a row of pictures over a row of texts, which the marked pages do not show.

`PAPER_VIPS` has the settings closest to the report: what it does not know (frames, what is seen at
a glance, long pages, last steps) is off, gaps of a pixel count, and the permitted degree is that of
public implementations.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from webstencil.geometry import Rect, bounding
from webstencil.model import NO_PARENT, Area, NodeId, Snapshot, is_content
from webstencil.segment.boxes import area_holders, innermost_owners, lineage, roots, stretched
from webstencil.segment.field_settings import check, setting
from webstencil.segment.tidy import tidied
from webstencil.segment.vips.blocks import MAX_DOC, BlockLimits
from webstencil.segment.vips.canvas import VipsCanvas, vips_canvas
from webstencil.segment.vips.structure import (
    BlockSeparator,
    BlockSpacing,
    Measures,
    StructureNode,
    content_structure,
    cut_parts,
    degrees,
    heaviest,
)

__all__ = ["PAPER_VIPS", "VIPS"]

# The output as Ω = (O, Φ, δ): the separators between areas, and which areas are adjacent.
#
# Report, section 3; CPS paper, section 4.1. An area is split along separators of one direction and
# one weight, so those of its areas are adjacent that follow each other. After the last steps, which
# the report does not know, this is told of an area whose areas are still those that it was split
# into.


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
    for box, owner in enumerate(innermost_owners(snapshot.boxes, areas)):
        if is_content(snapshot.boxes[box]):
            for area in lineage(areas, owner):
                found[area].add(box)
    return list(map(frozenset, found))


@dataclass(frozen=True, slots=True)
class VIPS:
    """Areas between the heaviest separators of a page."""

    pdoc: int = setting(
        7, "permitted degree of coherence: the larger, the more areas", low=1, high=10
    )
    node_share: float = setting(
        0.05, "share of its sub-page below which a box with text stays whole", low=0, high=1
    )
    child_share: float = setting(
        0.07, "share of its sub-page below which all children of a whole box are", low=0, high=1
    )
    frame_share: float = setting(
        0.2, "share of the window below which a framed or coloured box stays whole", low=0, high=10
    )
    glance_share: float = setting(
        0.05,
        "share of the window that is seen at a glance: the smaller, the more areas",
        low=0,
        high=1,
    )
    windows: float = setting(
        2.0, "windows that a sub-page counts for at most, however long it is", low=0.1, high=1e6
    )
    min_side: float = setting(
        16.0, "px; boxes smaller than this square stay whole", low=0, high=1000
    )
    min_separator: float = setting(
        3.0, "px; thinner gaps separate nothing, unless an edge is visible in them", low=0, high=100
    )
    adjacency: float = setting(
        2.0, "px within which a box or a line is beside a separator", low=0, high=100
    )
    max_rounds: int = setting(20, "rounds in which a part is divided again", low=1, high=1000)
    flow: bool = setting(True, "running text stays in one piece")
    even: bool = setting(True, "what looks alike is cut alike")

    def __post_init__(self) -> None:
        check(self)

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return the areas, parents before children; the first is the page."""
        split, _ = self._split(snapshot)
        return with_depths(tidied(snapshot, split, flow=self.flow, even=self.even))

    def structure(self, snapshot: Snapshot) -> tuple[AreaStructure, ...]:
        """Return the separators between the areas in each area, and which are adjacent."""
        split, parts = self._split(snapshot)
        tidy = tidied(snapshot, split, flow=self.flow, even=self.even)
        return structures(snapshot, tidy, split, parts)

    def _split(self, snapshot: Snapshot) -> tuple[tuple[Area, ...], tuple[StructureNode, ...]]:
        """Return the areas before the last steps, and the part of each."""
        canvas = vips_canvas(snapshot)
        if not canvas.layers:
            whole = StructureNode(NO_PARENT, (), snapshot.rect, snapshot.rect)
            return (Area(snapshot.rect, (), attributes=_attributes(MAX_DOC, 0)),), (whole,)
        window = float(snapshot.viewport.width * snapshot.viewport.height)
        frame = self.frame_share * window
        limits = BlockLimits(
            self.node_share, self.child_share, self.min_side, frame, self.windows * window
        )
        spacing = BlockSpacing(self.min_separator, self.adjacency)
        parts = content_structure(canvas, snapshot.rect, Measures(limits, spacing, self.max_rounds))
        docs = degrees(parts, self.glance_share * window)
        left = cut_parts(parts, docs, self.pdoc)
        areas = _make_areas(canvas, snapshot.rect, parts, docs, left)
        return areas, tuple(parts[part] for part in left)


def _make_areas(
    canvas: VipsCanvas,
    page: Rect,
    parts: Sequence[StructureNode],
    docs: Sequence[int],
    left: Sequence[int],
) -> tuple[Area, ...]:
    """Make areas of the parts left after the cut, with the nodes of those that are not split."""
    place = {part: number for number, part in enumerate(left)}
    parents = [place.get(parts[part].parent, NO_PARENT) for part in left]
    kept = [parts[part] for part in left]
    held = held_nodes(canvas, kept, parents)
    rects = _area_rects(canvas, kept, parents, held)
    weights = heaviest(parts)
    areas = []
    for number, part in enumerate(left):
        attributes = _attributes(docs[part], weights[part])
        rect = rects[number] if number else page
        areas.append(Area(rect, held[number], parents[number], attributes=attributes))
    return tuple(areas)


def _attributes(doc: int, weight: int) -> tuple[tuple[str, float], ...]:
    return (("doc", doc), ("max_separator_weight", weight))


def with_depths(areas: Sequence[Area]) -> tuple[Area, ...]:
    """Add to each area how many areas are around it."""
    depths: list[int] = []
    for area in areas:
        depths.append(depths[area.parent] + 1 if area.parent != NO_PARENT else 0)
    return tuple(
        replace(area, attributes=(*area.attributes, ("depth", depth)))
        for area, depth in zip(areas, depths, strict=True)
    )


def held_nodes(
    canvas: VipsCanvas, parts: Sequence[StructureNode], parents: Sequence[int]
) -> list[tuple[NodeId, ...]]:
    """Return the nodes of each part: the highest ones without content of another part.

    A split part has none. Content is that of the canvas, and atomic boxes count as a whole.
    """
    split = frozenset(parents)
    owners: list[int | None] = [None] * len(canvas.boxes)
    for number, part in enumerate(parts):
        for block in part.blocks if number not in split else ():
            owners[block.box] = number
    whole = list(map(canvas.atomic, range(len(canvas.boxes))))
    return roots(canvas.boxes, area_holders(canvas.boxes, owners, whole), len(parts))


def _area_rects(
    canvas: VipsCanvas,
    parts: Sequence[StructureNode],
    parents: Sequence[int],
    held: Sequence[tuple[NodeId, ...]],
) -> list[Rect]:
    """Return the rectangle around the blocks, nodes and child areas of each area.

    A node's background may reach under other areas; it counts up to the part's cell.
    """
    seen = {box.node: rect for box, rect in zip(canvas.boxes, canvas.rects, strict=True)}
    rects = []
    for part, own in zip(parts, held, strict=True):
        around = (seen[node].clip(part.cell) for node in own)
        rects.append(bounding((*around, *(block.rect for block in part.blocks))))
    return stretched(rects, parents)


PAPER_VIPS = VIPS(
    pdoc=8,
    child_share=0.05,
    frame_share=0.0,
    glance_share=0.0,
    windows=1e6,
    min_side=0.0,
    min_separator=1.0,
    flow=False,
    even=False,
)
