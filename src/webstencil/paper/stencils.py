"""Keep a segmented page as a stencil (CPS paper, "Creating a Cluster Representative").

The nodes that the segmenter puts into areas are checked against Definitions 9 and 10 before they
are kept, because every later page of the template inherits them.
"""

from hashlib import blake2b

from webstencil.errors import SegmentError
from webstencil.geometry import Rect, bounding
from webstencil.model import Area, Box, BoxKind, NodeId, Page, PageArea, Snapshot, Stencil
from webstencil.paper.locate import Guide, guide
from webstencil.paper.match import Matcher
from webstencil.site.lay import describe_same
from webstencil.stages import check_mapping, check_order

SLACK = 2.0  # px: layouts have fractions, segmenters round
THINNEST = 3.0  # px: anything thinner is a rule or a spacer, which divides areas and is in none

STENCIL_KEY_BYTES = 6  # a site has at most thousands of stencils


def represent(page: Page, snapshot: Snapshot, areas: tuple[Area, ...], learner: str) -> Stencil:
    """Make a stencil of a page and its areas; raise `SegmentError` if the nodes are wrong."""
    check_order(areas)
    owners = check_mapping(page, areas)
    check_containment(snapshot, areas, owners)
    name = "\n".join((page.site, learner, page.url)).encode("utf-8", "surrogatepass")
    return Stencil(
        key=blake2b(name + page.body, digest_size=STENCIL_KEY_BYTES).hexdigest(),
        site=page.site,
        tree=page.tree,
        paths=page.paths,
        areas=tuple(map(Area.with_floats, areas)),
        made_by=learner,
        made_from=page.url,
    )


def check_containment(
    snapshot: Snapshot, areas: tuple[Area, ...], owners: dict[NodeId, int]
) -> None:
    """Check that an area contains the texts and pictures of its nodes (Definition 9: v contains d).

    Elements are not checked: an element shows what lies in it, and its box also has its padding.
    """
    for box in snapshot.boxes:
        index = owners.get(box.node)
        if index is None or box.kind is BoxKind.ELEMENT or not box.visible:
            continue
        if min(box.clip.width, box.clip.height) <= THINNEST:
            continue
        shown = shown_of(box)
        if not areas[index].rect.contains(shown, slack=SLACK):
            raise SegmentError(
                f"area {index} at {areas[index].rect} does not contain its node {box.node} "
                f"at {shown}"
            )


def shown_of(box: Box) -> Rect:
    """Return the visible part of a box.

    A text that is cut off after its first line is as wide as that line, which may be less than the
    rectangle around all its lines.
    """
    lines = bounding(line.clip(box.clip) for line in box.lines)
    return box.clip if lines.empty else lines


# What the stencils of a site teach in paper mode, ready to use on its pages.


class SiteKnowledge:
    """What is known of a site."""

    def __init__(self) -> None:
        self.stencils: dict[str, Stencil] = {}  # by key
        self.guides: dict[str, Guide] = {}  # to the areas of each stencil
        self.same: dict[str, tuple[PageArea | None, ...]] = {}  # equal on all pages
        self.matcher = Matcher()
        self.version = 0  # stencils that were ever learned of it
        self._keys: dict[str, str] = {}  # by URL of the learned page

    def learn(self, stencil: Stencil) -> None:
        """Add a stencil; it replaces one that was learned from the same URL."""
        older = self._keys.get(stencil.made_from, "")
        self.stencils.pop(older, None)
        self._keys[stencil.made_from] = stencil.key
        self.stencils[stencil.key] = stencil
        self.guides.pop(older, None)
        self.same.pop(older, None)
        self.matcher.remove(older)
        self.guides[stencil.key] = guide(stencil)
        self.same[stencil.key] = describe_same(stencil)
        self.matcher.add(stencil)
