"""Keep a segmented page as a stencil (CPS paper, "Creating a Cluster Representative").

The segmenter says which nodes an area holds; what it says is checked against Definitions 9 and 10
before it is kept, because every later page of the template inherits it.
"""

from hashlib import blake2b

from webstencil.errors import SegmentError
from webstencil.geometry import Rect
from webstencil.model import Area, Page, Snapshot, Stencil

KEY_BYTES = 6  # a site has at most thousands of stencils
SLACK = 2.0  # px: layouts have fractions, segmenters round


def represent(page: Page, snapshot: Snapshot, areas: tuple[Area, ...], made_by: str) -> Stencil:
    """Make a stencil of a page and its areas; raise `SegmentError` if the mapping is wrong."""
    check_order(areas)
    check_mapping(page, areas)
    check_containment(snapshot, areas)
    name = "\n".join((page.site, made_by, page.url)).encode("utf-8", "surrogatepass")
    return Stencil(
        key=blake2b(name + page.body, digest_size=KEY_BYTES).hexdigest(),
        site=page.site,
        tree=page.tree,
        paths=page.paths,
        areas=areas,
        made_by=made_by,
        made_from=page.url,
    )


def check_order(areas: tuple[Area, ...]) -> None:
    """Check that parents come before their children."""
    for index, area in enumerate(areas):
        if not -1 <= area.parent < index:
            raise SegmentError(f"area {index} comes before its parent {area.parent}")


def check_mapping(page: Page, areas: tuple[Area, ...]) -> None:
    """Check that nodes exist and that no node is in two areas (Definition 9: in no child of v)."""
    ends = page.tree.ends()
    owners = sorted((node, index) for index, area in enumerate(areas) for node in area.nodes)
    free = 0  # the first node that no area has taken yet
    for node, index in owners:
        if not 0 <= node < len(ends):
            raise SegmentError(f"area {index} names node {node}, the page has {len(ends)}")
        if node < free:
            raise SegmentError(f"area {index} names node {node}, which another area holds")
        free = ends[node]


def check_containment(snapshot: Snapshot, areas: tuple[Area, ...]) -> None:
    """Check that an area visually contains its nodes (Definition 9: v contains d)."""
    painted: dict[int, Rect] = {box.node: box.clip for box in snapshot.boxes if box.visible}
    for index, area in enumerate(areas):
        for node in area.nodes:
            rect = painted.get(node)
            if rect is not None and not area.rect.contains(rect, slack=SLACK):
                raise SegmentError(f"area {index} at {area.rect} does not contain node {node}")
