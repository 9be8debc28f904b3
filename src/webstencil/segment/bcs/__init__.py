"""Box Clustering Segmentation: areas of boxes that are similar and close.

Zeleny, Burget, Zendulka: Box Clustering Segmentation, Information Processing and Management 53,
2017; the CPS paper sums it up in section 4.2. Elementary boxes are compared with their neighbours,
and the most similar ones merged until none are similar enough. The result is flat: areas beside
each other, none inside another one.

Two variants differ in the formula of similarity and in the tests before a merger: `paper` follows
the paper, `reference` the implementation of its authors, without its mistakes. Each module says
where it differs from both, and why. What the reference implementation does and neither variant
here:
- It takes empty boxes with a background for content; the paper does not, and nobody reads them.
- It drops boxes that are overlapped by others drawn later. A snapshot has no paint order, and a
  title that its subtitle touches was lost.
- It averages the colours of images; a snapshot has no pixels of single images.
- It clusters a box that is fixed to the window with what happens to be below it; here such a layer
  is clustered by itself, and the page as if nothing were over it.

The CPS paper drops boxes without a cluster. A headline is often such a box: here each is an area of
its own, with the attribute `clustered` 0, unless `singles` is off. `PAPER_BCS` has the settings of
both papers.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from webstencil.geometry import Rect, bounding
from webstencil.model import Area, Box, Snapshot, innermost_areas, is_content
from webstencil.segment.bcs.boxes import CellIndex, Leaf, extract_leaves
from webstencil.segment.bcs.clusters import Cluster, Rules, cluster_leaves, overlap
from webstencil.segment.bcs.similarity import relate
from webstencil.segment.boxes import area_holders, contents_below, roots
from webstencil.segment.field_settings import check, setting
from webstencil.segment.tidy import tidied

__all__ = ["BCS", "PAPER_BCS"]

REFERENCE_VARIANT = "reference"
PAPER_VARIANT = "paper"

# Chosen on 20 of Kreuzer's hand-marked pages: between 0.22 and 0.30 the B-cubed F over texts is
# about the same, and from 0.24 on the menu of a plain page melts into its article. The paper's own
# formula is at its best near 0.5.
SIMILARITY_THRESHOLD = 0.22


@dataclass(frozen=True, slots=True)
class BCS:
    """Box Clustering Segmentation with its settings."""

    variant: str = setting(
        REFERENCE_VARIANT,
        "formula of similarity and tests before a merger",
        choices=(REFERENCE_VARIANT, PAPER_VARIANT),
    )
    threshold: float = setting(
        SIMILARITY_THRESHOLD,
        "the larger, the fewer areas; about 0.5 for the paper's formula",
        low=0,
        high=1,
    )
    singles: bool = setting(True, "also make areas of boxes without a cluster")
    flow: bool = setting(True, "running text stays in one piece")
    even: bool = setting(True, "what looks alike is cut alike")

    def __post_init__(self) -> None:
        """Refuse values that are not allowed."""
        check(self)

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return the clusters as areas, from top to bottom."""
        reference = self.variant == REFERENCE_VARIANT
        leaves = extract_leaves(snapshot, emphasis=reference)
        clusters = cluster_layers(leaves, Rules(self.threshold, reference))
        kept = [c for c in clusters if self.singles or len(c.leaves) > 1]
        areas = _make_areas(snapshot, leaves, kept)
        tidy = tidied(snapshot, areas, flow=self.flow, even=self.even)
        return _counted(snapshot.boxes, leaves, tidy)


def cluster_layers(leaves: Sequence[Leaf], rules: Rules) -> list[Cluster]:
    """Cluster the leaves of the page, and those of each layer over it, in the leaves' order."""
    layers: dict[int, list[int]] = {}
    for number, leaf in enumerate(leaves):
        layers.setdefault(leaf.layer, []).append(number)
    clusters: list[Cluster] = []
    for numbers in layers.values():
        own = [leaves[number] for number in numbers]
        relations = relate(own, reference=rules.reference)
        for found in cluster_leaves([leaf.rect for leaf in own], relations, rules):
            members = tuple(numbers[member] for member in found.leaves)
            clusters.append(replace(found, leaves=members))
    return sorted(clusters, key=lambda cluster: cluster.leaves)


def _make_areas(
    snapshot: Snapshot, leaves: Sequence[Leaf], clusters: Sequence[Cluster]
) -> tuple[Area, ...]:
    """Return an area for each cluster, with the nodes of its boxes."""
    rects = [cluster.rect for cluster in clusters]
    owners = adopt(snapshot.boxes, own_boxes(snapshot.boxes, leaves, clusters), rects)
    held = area_holders(snapshot.boxes, owners)
    nodes = roots(snapshot.boxes, held, len(clusters) + 1)
    shown = contents_below(snapshot.boxes, held, len(clusters) + 1)
    return tuple(
        Area(
            rect=bounding((cluster.rect, *(snapshot.boxes[box].clip for box in inside))).clip(
                snapshot.rect
            ),
            nodes=own,
            attributes=(("similarity", cluster.similarity),),
        )
        for cluster, own, inside in zip(clusters, nodes, shown, strict=False)
    )


def _counted(
    boxes: Sequence[Box], leaves: Sequence[Leaf], areas: Sequence[Area]
) -> tuple[Area, ...]:
    """Add to each area how many elementary boxes are in it, and whether they are several.

    The last steps may part an area of spacers, which are no elementary boxes, from its neighbours:
    then these count.
    """
    owners = innermost_areas(areas, [box.node for box in boxes], [box.parent for box in boxes])
    numbers = Counter(owners[leaf.boxes[0]] for leaf in leaves)
    shown = Counter(owners[place] for place, box in enumerate(boxes) if is_content(box))
    counts = [numbers[place] or shown[place] for place in range(len(areas))]
    return tuple(
        replace(
            area,
            attributes=(
                ("clustered", float(count > 1)),
                ("boxes", float(count)),
                *area.attributes,
            ),
        )
        for area, count in zip(areas, counts, strict=True)
    )


def own_boxes(
    boxes: Sequence[Box], leaves: Sequence[Leaf], clusters: Sequence[Cluster]
) -> list[int | None]:
    """Return the number of each leaf's cluster for its boxes, one too high if it has none."""
    owners: list[int | None] = [None] * len(boxes)
    for leaf in leaves:
        for box in leaf.boxes:
            owners[box] = len(clusters)
    for number, cluster in enumerate(clusters):
        for box in (box for leaf in cluster.leaves for box in leaves[leaf].boxes):
            owners[box] = number
    return owners


def adopt(
    boxes: Sequence[Box], owners: Sequence[int | None], rects: Sequence[Rect]
) -> list[int | None]:
    """Give the remaining texts and images, backgrounds and spacers, to areas.

    Such a box goes to the one area that it is behind, the smallest boxes first, else to that of the
    box before it; to none if the area would then cover a part of another one.
    """
    given = list(owners)
    grown = list(rects)
    grid = CellIndex(rects)
    nobody = latest = len(rects)
    passed = [n for n, box in enumerate(boxes) if is_content(box) and owners[n] is None]
    for index in sorted(passed, key=lambda n: (boxes[n].clip.area, boxes[n].clip)):
        behind = min(_overlapped(grid, grown, boxes[index].clip), default=nobody)
        if behind != nobody:
            given[index] = _take(grid, grown, boxes[index].clip, behind)
    for index, box in enumerate(boxes):
        if is_content(box):
            owner = given[index]
            latest = _take(grid, grown, box.clip, latest) if owner is None else owner
            given[index] = latest
    return given


def _take(grid: CellIndex, rects: list[Rect], rect: Rect, owner: int) -> int:
    """Extend an area to a rectangle; return it, or NOBODY if it would cover another one."""
    nobody = len(rects)
    if owner == nobody or _overlapped(grid, rects, bounding((rects[owner], rect))) != {owner}:
        return nobody
    rects[owner] = bounding((rects[owner], rect))
    grid.enter(owner, rects[owner])
    return owner


def _overlapped(grid: CellIndex, rects: Sequence[Rect], rect: Rect) -> set[int]:
    return {number for number in grid.near(rect) if overlap(rect, rects[number])}


PAPER_BCS = BCS(variant=PAPER_VARIANT, threshold=0.5, singles=False, flow=False, even=False)
