"""Representing: what a segmenter says is checked before it is kept."""

from dataclasses import replace

import pytest
from builders import page_of

from webstencil.errors import SegmentError
from webstencil.geometry import Rect
from webstencil.model import Area, BoxKind, Page, Snapshot
from webstencil.paper.stencils import represent
from webstencil.testing import MemorySource, StackRenderer

PAGE = page_of("<body><h1>Title</h1><div><p>one</p><p>two</p></div>")
TAGS = PAGE.tree.tags
H1, DIV, P = TAGS.index("h1"), TAGS.index("div"), TAGS.index("p")


def rendered(page: Page) -> Snapshot:
    return StackRenderer().render(page, MemorySource({}))


def test_stencil_keeps_the_page_and_its_areas() -> None:
    """Definition 1: the tree, the areas, the mapping between them."""
    snapshot = rendered(PAGE)
    areas = (
        Area(snapshot.rect, ()),
        Area(snapshot.rect, (H1,), parent=0),
        Area(snapshot.rect, (DIV,), parent=0),
    )

    stencil = represent(PAGE, snapshot, areas, "maker")

    assert (stencil.tree, stencil.paths, stencil.areas) == (PAGE.tree, PAGE.paths, areas)
    assert (stencil.site, stencil.made_by, stencil.made_from) == (PAGE.site, "maker", PAGE.url)


def test_key_depends_on_the_page_and_the_maker() -> None:
    """Two makers, or two pages, never share a key; the same work has the same key."""
    snapshot = rendered(PAGE)
    other = page_of("<body><h1>Title</h1>", url="http://site.example/other.html")
    keys = [
        represent(PAGE, snapshot, (), "maker").key,
        represent(PAGE, snapshot, (), "maker").key,
        represent(PAGE, snapshot, (), "another").key,
        represent(other, rendered(other), (), "maker").key,
    ]

    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


@pytest.mark.parametrize(
    ("areas", "said"),
    [
        (((H1,), (H1,)), "which area 0 holds"),
        (((DIV,), (P,)), "which area 0 holds"),
        (((len(TAGS),),), "the page has"),
        (((-1,),), "the page has"),
    ],
    ids=["twice", "inside", "beyond", "negative"],
)
def test_node_in_two_areas_or_in_no_page_is_refused(
    areas: tuple[tuple[int, ...], ...], said: str
) -> None:
    """Definition 9: a node belongs to one area."""
    snapshot = rendered(PAGE)

    with pytest.raises(SegmentError, match=said):
        represent(PAGE, snapshot, tuple(Area(snapshot.rect, nodes) for nodes in areas), "maker")


def test_area_that_does_not_contain_its_node_is_refused() -> None:
    """Definition 9: an area visually contains what it holds."""
    snapshot = rendered(PAGE)
    elsewhere = Area(Rect(0.0, 0.0, 5.0, 5.0), (DIV,))

    with pytest.raises(SegmentError, match="does not contain"):
        represent(PAGE, snapshot, (elsewhere,), "maker")


def test_text_that_is_cut_off_needs_no_more_room_than_its_lines_that_are_seen() -> None:
    """The second line is wider, but it has scrolled out of sight."""
    snapshot = rendered(PAGE)
    index = next(n for n, box in enumerate(snapshot.boxes) if box.kind is BoxKind.TEXT)
    text = replace(
        snapshot.boxes[index],
        clip=Rect(0.0, 0.0, 90.0, 10.0),
        lines=(Rect(0.0, 0.0, 50.0, 10.0), Rect(0.0, 10.0, 90.0, 20.0)),
    )
    cut_off = replace(snapshot, boxes=(text,))
    area = Area(Rect(0.0, 0.0, 50.0, 10.0), (text.node,))

    assert represent(PAGE, cut_off, (area,), "maker").areas == (area,)


def test_child_before_its_parent_is_refused() -> None:
    """Areas come parents first."""
    snapshot = rendered(PAGE)
    area = Area(snapshot.rect, ())

    with pytest.raises(SegmentError, match="before its parent"):
        represent(PAGE, snapshot, (replace(area, parent=1), area), "maker")
