"""Box Clustering Segmentation, from its steps to whole pages."""

import pickle
import random
from dataclasses import replace
from itertools import combinations
from math import isclose

import pytest
from builders import element, image, inline, leaf_texts, paint, snapshot_of, text, text_owners
from hypothesis import example, given
from hypothesis import strategies as st

from webstencil.errors import SettingsError
from webstencil.geometry import Rect
from webstencil.model import Area, BoxKind, Snapshot
from webstencil.segment.bcs import BCS, adopt
from webstencil.segment.bcs.boxes import (
    PICTURE_COLOUR,
    WHITE_COLOUR,
    CellIndex,
    Leaf,
    extract_leaves,
    read_colour,
    text_colour,
)
from webstencil.segment.bcs.clusters import (
    Cluster,
    Rules,
    adjacent,
    cluster_leaves,
    differ_in_density,
    outside,
    overlap,
)
from webstencil.segment.bcs.similarity import (
    CONTACT,
    BoxPair,
    Neighbour,
    NeighbourDirection,
    Relation,
    aligned_runs,
    colour_distance,
    farthest_related,
    farthest_seen,
    find_neighbours,
    find_pairs,
    paper_similarity,
    position,
    ratio_distance,
    reference_similarity,
    relate,
    relative_distance,
    shape_distance,
    size_distance,
)

BLACK = (0.0, 0.0, 0.0)
RED = (1.0, 0.0, 0.0)
BOLD = 700

PAPER = BCS(variant="paper", threshold=0.5)
REFERENCE = BCS(variant="reference", threshold=0.3)

sides = st.integers(0, 300).map(float)
lengths = st.integers(4, 120).map(float)
rectangles = st.builds(
    lambda left, top, width, height: Rect(left, top, left + width, top + height),
    sides,
    sides,
    lengths,
    lengths,
)
colours = st.sampled_from(("rgb(0, 0, 0)", "rgb(200, 0, 0)", "rgb(0, 0, 220)"))


def leaves_at(*corners: tuple[float, float, float, float]) -> tuple[Leaf, ...]:
    """Make black leaves on one panel."""
    return tuple(Leaf(Rect(*at), BLACK, (number,)) for number, at in enumerate(corners))


def colours_of(snapshot: Snapshot, *, emphasis: bool = False) -> list[tuple[float, float, float]]:
    """Return the colours of the leaves of a page."""
    return [leaf.colour for leaf in extract_leaves(snapshot, emphasis=emphasis)]


def rects_of(snapshot: Snapshot) -> list[Rect]:
    """Return the rectangles of the leaves of a page."""
    return [leaf.rect for leaf in extract_leaves(snapshot, emphasis=False)]


def shared_out(areas: tuple[Area, ...], snapshot: Snapshot) -> set[frozenset[str]]:
    """Return the texts of each area, without any order."""
    return {frozenset(words) for words in leaf_texts(snapshot, areas)}


def column(count: int, *, pitch: float, left: float = 100.0) -> list[tuple[float, ...]]:
    """Return the corners of equal lines below each other, 16 px high."""
    return [(left, i * pitch, left + 80.0, i * pitch + 16.0) for i in range(count)]


# The index


@given(st.lists(rectangles, max_size=40), rectangles)
def test_the_grid_finds_all_that_overlaps(rects: list[Rect], where: Rect) -> None:
    """A rectangle is near all rectangles that it shares a part with."""
    near = set(CellIndex(rects).near(where))

    assert {n for n, rect in enumerate(rects) if rect.overlaps(where)} <= near


# First step: elementary boxes


def test_a_colour_is_laid_over_what_is_behind_it() -> None:
    """Half transparent black on white is grey; what is no colour is as what is behind it."""
    assert read_colour("rgb(255, 0, 0)") == RED
    assert read_colour("rgba(0, 0, 0, 0.5)", WHITE_COLOUR) == (0.5, 0.5, 0.5)
    assert read_colour("", RED) == RED


def test_emphasis_darkens_grey_text_and_saturates_coloured_text() -> None:
    """The reference implementation distinguishes bold and plain words by their colour."""
    grey, coloured = (
        paint(element(text("a", at=(0, 0, 50, 16)), color=color, font_weight=BOLD)).boxes[2].style
        for color in ("rgb(128, 128, 128)", "rgb(200, 100, 100)")
    )

    changed = [
        text_colour(style, "rgb(255, 255, 255)", emphasis=True) for style in (grey, coloured)
    ]

    assert changed[0] == pytest.approx((128 / 255 - 0.3,) * 3)
    assert changed[1] == pytest.approx((200 / 255, 200 / 255 * 0.2, 200 / 255 * 0.2))


def test_white_text_takes_the_hue_of_its_background() -> None:
    """White menus on blue and on red are not the same menu."""
    page = paint(
        element(text("a", at=(0, 0, 50, 16)), color="rgb(255, 255, 255)", background="rgb(255,0,0)")
    )
    style = page.boxes[3].style

    assert text_colour(style, "rgb(255, 0, 0)", emphasis=True) == pytest.approx((1.0, 0.8, 0.8))
    assert text_colour(style, "rgb(255, 0, 0)", emphasis=False) == WHITE_COLOUR


def test_the_lines_of_a_text_are_one_leaf() -> None:
    """A node cannot be in two areas, so its lines cannot either."""
    page = paint(element(text("a b", at=(10, 10, 90, 50))))
    lines = (Rect(10.0, 10.0, 90.0, 26.0), Rect(10.0, 30.0, 60.0, 46.0))
    page = replace(page, boxes=(*page.boxes[:-1], replace(page.boxes[-1], lines=lines)))

    assert rects_of(page) == [Rect(10.0, 10.0, 90.0, 46.0)]


def test_the_words_of_a_sentence_are_one_leaf() -> None:
    """Inline elements and icons are part of their paragraph; the largest part gives the colour."""
    page = paint(
        element(
            image(at=(0, 2, 12, 14)),
            text("Read", at=(16, 0, 50, 16)),
            inline(text("this and that", at=(54, 0, 200, 16)), color="rgb(255, 0, 0)"),
        )
    )

    assert extract_leaves(page, emphasis=False) == (
        Leaf(Rect(0.0, 0.0, 200.0, 16.0), RED, (3, 4, 6)),
    )


def test_a_block_ends_a_paragraph() -> None:
    """Text before and after a block is not drawn together across it; a float ends nothing."""
    page = paint(
        element(
            text("before", at=(0, 0, 50, 16)),
            element(text("inside", at=(0, 20, 50, 36))),
            text("after", at=(0, 40, 50, 56)),
            element(text("aside", at=(300, 40, 350, 56)), floating="left"),
            inline(text("the end", at=(54, 40, 90, 56))),
        )
    )

    assert rects_of(page) == [
        Rect(0.0, 0.0, 50.0, 16.0),
        Rect(0.0, 20.0, 50.0, 36.0),
        Rect(0.0, 40.0, 90.0, 56.0),
        Rect(300.0, 40.0, 350.0, 56.0),
    ]


def test_a_painted_box_stands_for_the_one_text_in_it() -> None:
    """Of a button, the smallest coloured box around its text counts, in its own colour."""
    button = element(
        element(text("Go", at=(20, 20, 40, 36)), at=(10, 15, 50, 41), background="rgb(255, 0, 0)"),
        at=(0, 0, 60, 60),
        background="rgb(0, 0, 255)",
    )

    leaves = extract_leaves(paint(button), emphasis=False)
    assert leaves == (Leaf(Rect(10.0, 15.0, 50.0, 41.0), RED, (4,)),)


def test_a_painted_box_of_the_colour_behind_it_stands_for_nothing() -> None:
    """White on white is not seen."""
    page = paint(
        element(text("a", at=(9, 9, 40, 25)), at=(0, 0, 90, 90), background="rgb(255, 255, 255)")
    )

    assert rects_of(page) == [Rect(9.0, 9.0, 40.0, 25.0)]


def test_what_lies_behind_other_boxes_is_dropped() -> None:
    """Of a picture with a caption on it, the caption is taken; of two equal ones, the upper."""
    page = paint(
        image(at=(0, 0, 300, 200)),
        image(at=(400, 0, 500, 100)),
        image(at=(400, 0, 500, 100)),
        element(text("caption", at=(10, 150, 200, 166))),
    )

    leaves = extract_leaves(page, emphasis=False)
    assert [leaf.boxes for leaf in leaves] == [(4,), (6,)]
    assert colours_of(page) == [PICTURE_COLOUR, BLACK]


def test_what_no_one_can_read_is_no_leaf() -> None:
    """Spacers, texts for screen readers only and hidden boxes are left out."""
    page = paint(
        image(at=(0, 0, 300, 1)),
        element(text("Skip to content", at=(0, 5, 1, 6))),
        element(text("hidden", at=(0, 50, 100, 66)), visible=False),
        element(text("seen", at=(0, 80, 100, 96))),
    )
    page = replace(
        page, boxes=tuple(replace(b, visible=b.visible and b.text != "hidden") for b in page.boxes)
    )

    assert rects_of(page) == [Rect(0.0, 80.0, 100.0, 96.0)]


def test_leaves_know_the_panel_they_stand_on() -> None:
    """A framed or coloured box is a panel from three leaves on; a title bar is none."""
    lines = [element(text("x", at=(10, y, 90, y + 16))) for y in (10.0, 30.0, 50.0)]
    page = paint(
        element(*lines, at=(0, 0, 100, 100), background="rgb(238, 238, 238)"),
        element(
            element(text("title", at=(210, 10, 290, 26))),
            element(text("more", at=(300, 10, 330, 26))),
            at=(200, 0, 350, 40),
            background="rgb(238, 238, 238)",
        ),
    )

    assert [leaf.panel for leaf in extract_leaves(page, emphasis=False)] == [2, 0, 0, 2, 2]


# Second step: neighbours


def test_neighbours_are_the_nearest_boxes_in_each_direction() -> None:
    """All nearest ones count, farther ones do not, nor what shares no row and no column."""
    rects = [
        Rect(0.0, 0.0, 100.0, 20.0),
        Rect(0.0, 30.0, 40.0, 50.0),
        Rect(60.0, 30.0, 100.0, 50.0),
        Rect(0.0, 60.0, 100.0, 80.0),
        Rect(150.0, 90.0, 200.0, 110.0),
    ]
    beside = ((), (Neighbour(1, 10.0), Neighbour(2, 10.0)), (), ())

    assert find_neighbours(rects)[0] == beside
    assert find_neighbours(rects)[4] == ((), (), (), ())


def test_being_a_neighbour_is_not_mutual() -> None:
    """A wide box sees the nearest box below it, a farther box below sees the wide one."""
    wide, near, far = Rect(0, 0, 100, 20), Rect(0, 30, 40, 50), Rect(60, 45, 100, 65)

    around = find_neighbours([wide, near, far])

    assert around[0][NeighbourDirection.BELOW] == (Neighbour(1, 10.0),)
    assert around[2][NeighbourDirection.ABOVE] == (Neighbour(0, 25.0),)


def test_edges_that_touch_share_nothing() -> None:
    """Layouts round: a common pixel row is more than the contact of two edges."""
    one = Rect(0.0, 0.0, 50.0, 20.0)

    assert position(one, Rect(60.0, 19.5, 90.0, 40.0)) is None
    assert position(one, Rect(60.0, 18.5, 90.0, 40.0)) == (NeighbourDirection.RIGHT, 10.0)


def test_overlapping_boxes_have_a_position() -> None:
    """Lines with a tight line height still lie below each other."""
    one, other = Rect(0.0, 0.0, 100.0, 20.0), Rect(0.0, 17.0, 100.0, 37.0)

    assert position(one, other) == (NeighbourDirection.BELOW, -3.0)
    assert position(other, one) == (NeighbourDirection.ABOVE, -3.0)
    assert position(one, Rect(95.0, 10.0, 195.0, 30.0)) == (NeighbourDirection.RIGHT, -5.0)
    assert position(one, Rect(90.0, 10.0, 190.0, 30.0)) == (NeighbourDirection.BELOW, -10.0)


@given(st.lists(rectangles, max_size=25, unique=True))
def test_the_index_changes_no_neighbour(rects: list[Rect]) -> None:
    """The neighbours are those that a comparison of all boxes finds."""
    found = find_neighbours(rects)

    for number, own in enumerate(rects):
        where = {n: position(own, rect) for n, rect in enumerate(rects) if n != number}
        for direction in NeighbourDirection:
            gaps = {n: at[1] for n, at in where.items() if at and at[0] is direction}
            reach = min(gaps.values(), default=0.0) + CONTACT
            expected = tuple(Neighbour(n, gap) for n, gap in gaps.items() if gap <= reach)
            assert found[number][direction] == expected


# Third step: similarity


def test_the_ratio_of_a_square_and_a_tall_box_is_within_bounds() -> None:
    """The paper's formula gives -1.5 here; micro page C2."""
    square, tall = Rect(0.0, 0.0, 50.0, 50.0), Rect(60.0, 0.0, 110.0, 100.0)

    assert isclose(ratio_distance(square, tall), 2 / 3)
    assert 0.0 <= shape_distance(square, tall) <= 1.0


def test_the_ratio_is_that_of_the_paper_where_that_works() -> None:
    """(rmax - rmin) / ((rmax² - 1) / rmax) for boxes of which the more elongated one lies."""
    assert isclose(ratio_distance(Rect(0, 0, 40, 10), Rect(0, 0, 20, 10)), (4 - 2) / (15 / 4))
    assert ratio_distance(Rect(0, 0, 40, 10), Rect(0, 0, 80, 20)) == 0.0
    assert ratio_distance(Rect(0, 0, 10, 10), Rect(0, 0, 20, 20)) == 0.0


@given(rectangles, rectangles)
def test_shapes_compare_within_bounds_and_either_way(one: Rect, other: Rect) -> None:
    """The order of the boxes does not matter, nor a turn of the page by a right angle."""
    turned = [Rect(r.top, r.left, r.bottom, r.right) for r in (one, other)]

    assert 0.0 <= shape_distance(one, other) <= 1.0
    assert shape_distance(one, other) == shape_distance(other, one)
    assert isclose(shape_distance(one, other), shape_distance(*turned), abs_tol=1e-12)


def test_sizes_and_colours_compare_from_0_to_1() -> None:
    """Equal is 0; a quarter of the size is 0.75; black to white is 1."""
    assert size_distance(Rect(0, 0, 10, 10), Rect(0, 0, 5, 5)) == 0.75
    assert colour_distance(BLACK, WHITE_COLOUR) == 1.0
    assert colour_distance(RED, RED) == 0.0


def test_a_gap_is_judged_by_the_farthest_neighbours() -> None:
    """10 px are little where the next box is 100 px away, and all there is where it is not."""
    assert relative_distance(10.0, (100.0, 20.0)) == 0.3
    assert relative_distance(10.0, (10.0, 10.0)) == 1.0
    assert relative_distance(0.0, (0.0, 0.0)) == 0.0
    assert relative_distance(-3.0, (10.0, 10.0)) == 0.0
    assert relative_distance(30.0, (10.0, 0.0)) == 1.0


def test_in_the_paper_a_distance_of_0_or_1_decides_alone() -> None:
    """Otherwise the three parts weigh the same."""
    assert paper_similarity(0.9, 0.9, 0.0) == 0.0
    assert paper_similarity(0.0, 0.0, 1.0) == 1.0
    assert isclose(paper_similarity(0.3, 0.6, 0.9), 0.6)


def test_in_the_reference_formula_aligned_boxes_are_more_alike() -> None:
    """Colour weighs most; a run of three aligned boxes divides by six."""
    assert reference_similarity(1.0, 1.0, 0.0, 1) == 0.0
    assert isclose(reference_similarity(1.0, 1.0, 1.0, 1), 0.5)
    assert isclose(reference_similarity(0.5, 0.2, 1.0, 3), (0.15 + 0.1 + 0.2) / 6)


def test_pairs_are_found_from_both_sides_and_listed_once() -> None:
    """One of the two being a neighbour of the other is enough."""
    rects = [Rect(0, 0, 100, 20), Rect(0, 30, 40, 50), Rect(60, 45, 100, 65)]
    around = find_neighbours(rects)
    pairs = [BoxPair(0, 1, False, 10.0), BoxPair(0, 2, False, 25.0), BoxPair(1, 2, True, 20.0)]

    assert find_pairs(around) == pairs
    assert farthest_seen(around) == [10.0, 20.0, 25.0]
    assert farthest_related(pairs, 3) == [25.0, 20.0, 25.0]


def test_runs_need_an_edge_in_line_and_equal_gaps() -> None:
    """Three lines 8 px apart are a run of three; a fourth one farther down starts another run."""
    rects = [Rect(0, y, 60 + y, y + 16) for y in (0.0, 24.0, 48.0, 80.0)]
    pairs = find_pairs(find_neighbours(rects))
    shifted = [*rects[:3], Rect(5.0, 72.0, 65.0, 88.0)]

    assert list(aligned_runs(rects, pairs).values()) == [3, 3, 2]
    assert list(aligned_runs(shifted, find_pairs(find_neighbours(shifted))).values()) == [3, 3, 1]


def test_what_is_far_away_is_not_aligned() -> None:
    """A gap of more than one and a half times the smallest side ends a run."""
    near = [Rect(0, 0, 60, 16), Rect(0, 40, 60, 56)]
    far = [Rect(0, 0, 60, 16), Rect(0, 41, 60, 57)]

    assert list(aligned_runs(near, find_pairs(find_neighbours(near))).values()) == [2]
    assert list(aligned_runs(far, find_pairs(find_neighbours(far))).values()) == [1]


def test_boxes_on_different_panels_are_unlike_unless_they_overlap() -> None:
    """The reference formula sees frames and backgrounds; the paper's does not."""
    one, other = leaves_at((0, 0, 60, 16), (0, 17, 60, 33))
    over = replace(other, rect=Rect(0, 10, 60, 26), panel=5)

    assert relate((one, other), reference=True)[0].similarity == 0.05
    assert relate((one, replace(other, panel=5)), reference=True)[0].similarity == 1.0
    assert relate((one, over), reference=True)[0].similarity == 0.0
    assert relate((one, replace(other, panel=5)), reference=False)[0].similarity == 1.0


# Fourth step: clusters


def test_pairs_above_the_threshold_stay_apart() -> None:
    """The threshold itself still passes."""
    rects = [Rect(0, 0, 10, 10), Rect(0, 20, 10, 30), Rect(0, 50, 10, 60)]
    relations = (Relation(0, 1, False, 0.3), Relation(1, 2, False, 0.4))

    assert cluster_leaves(rects, relations, Rules(0.3, reference=False)) == (
        Cluster(Rect(0, 0, 10, 30), (0, 1), 0.3),
        Cluster(Rect(0, 50, 10, 60), (2,), 0.0),
    )


def test_parallel_relations_become_their_mean() -> None:
    """Two boxes related to a third one by 0.1 and 0.5 are, as a cluster, related to it by 0.3."""
    rects = [Rect(0, 0, 10, 10), Rect(20, 0, 30, 10), Rect(0, 20, 30, 30)]
    relations = (
        Relation(0, 1, True, 0.0),
        Relation(0, 2, False, 0.1),
        Relation(1, 2, False, 0.5),
    )
    apart = cluster_leaves(rects, relations, Rules(0.29, reference=False))
    together = cluster_leaves(rects, relations, Rules(0.3, reference=False))

    assert [cluster.leaves for cluster in apart] == [(0, 1), (2,)]
    assert together == (Cluster(Rect(0, 0, 30, 30), (0, 1, 2), 0.2),)


@pytest.mark.parametrize("reference", [False, True])
def test_a_box_in_between_is_absorbed(reference: bool) -> None:
    """Micro page C3: what the common rectangle overlaps joins the cluster, whatever it is."""
    rects = [Rect(0, 0, 10, 10), Rect(0, 20, 10, 30), Rect(5, 8, 30, 22)]
    relations = (Relation(0, 1, False, 0.1), Relation(1, 2, False, 0.9))

    clusters = cluster_leaves(rects, relations, Rules(0.3, reference=reference))
    assert [cluster.leaves for cluster in clusters] == [(0, 1, 2)]
    assert clusters[0].rect == Rect(0, 0, 30, 30)


@pytest.mark.parametrize("reference", [False, True])
def test_a_cluster_in_between_is_not_absorbed(reference: bool) -> None:
    """Micro page C3: two boxes do not merge across a cluster."""
    rects = [Rect(0, 0, 10, 10), Rect(0, 60, 10, 70), Rect(0, 20, 10, 30), Rect(0, 40, 10, 50)]
    relations = (Relation(2, 3, False, 0.1), Relation(0, 1, False, 0.2))

    clusters = cluster_leaves(rects, relations, Rules(0.3, reference=reference))
    assert [cluster.leaves for cluster in clusters] == [(0,), (1,), (2, 3)]


def test_what_an_absorbed_box_brings_up_forbids_the_merger_in_the_paper() -> None:
    """The reference implementation goes on if what comes up is next to what is there."""
    rects = [Rect(0, 0, 10, 10), Rect(0, 20, 10, 30), Rect(5, 8, 30, 22), Rect(11, 0, 30, 7)]
    relations = (Relation(0, 1, False, 0.1),)

    by_paper = cluster_leaves(rects, relations, Rules(0.3, reference=False))
    by_reference = cluster_leaves(rects, relations, Rules(0.3, reference=True))
    assert [cluster.leaves for cluster in by_paper] == [(0,), (1,), (2,), (3,)]
    assert [cluster.leaves for cluster in by_reference] == [(0, 1, 2, 3)]


def test_a_refused_pair_is_tried_again_when_it_can_be_merged() -> None:
    """A cluster between two boxes is no obstacle once it has become a part of the pair."""
    rects = [Rect(0, 0, 10, 10), Rect(0, 60, 10, 70), Rect(0, 20, 10, 30), Rect(0, 40, 10, 50)]
    relations = (
        Relation(2, 3, False, 0.1),
        Relation(0, 1, False, 0.2),
        Relation(0, 2, False, 0.25),
    )

    clusters = cluster_leaves(rects, relations, Rules(0.3, reference=False))
    assert [cluster.leaves for cluster in clusters] == [(0, 1, 2, 3)]


def test_two_rows_above_each_other_stay_apart_in_the_reference() -> None:
    """A menu and the menu below it are two menus; the paper takes them for one."""
    rects = [Rect(x, y, x + 40, y + 16) for y in (0.0, 40.0) for x in (0.0, 60.0, 120.0)]
    relations = (
        *(Relation(i, i + 1, True, 0.1) for i in (0, 1, 3, 4)),
        *(Relation(i, i + 3, False, 0.2) for i in (0, 1, 2)),
    )

    apart = cluster_leaves(rects, relations, Rules(0.3, reference=True))
    together = cluster_leaves(rects, relations, Rules(0.3, reference=False))
    assert [cluster.leaves for cluster in apart] == [(0, 1, 2), (3, 4, 5)]
    assert [cluster.leaves for cluster in together] == [(0, 1, 2, 3, 4, 5)]


def test_things_of_different_shape_merge_only_without_anything_between() -> None:
    """In the reference, a row does not join a box below it across another box."""
    rects = [Rect(0, 0, 40, 16), Rect(60, 0, 100, 16), Rect(0, 60, 100, 76), Rect(30, 30, 50, 46)]
    relations = (
        Relation(0, 1, True, 0.1),
        Relation(0, 2, False, 0.2),
        Relation(1, 2, False, 0.2),
    )

    apart = cluster_leaves(rects, relations, Rules(0.3, reference=True))
    together = cluster_leaves(rects, relations, Rules(0.3, reference=False))
    free = cluster_leaves(rects[:3], relations, Rules(0.3, reference=True))
    assert [cluster.leaves for cluster in apart] == [(0, 1), (2,), (3,)]
    assert [cluster.leaves for cluster in together] == [(0, 1, 2, 3)]
    assert [cluster.leaves for cluster in free] == [(0, 1, 2)]


def test_of_equally_similar_pairs_the_smaller_one_goes_first() -> None:
    """Here the pair that goes first is the only one to merge: as one, they are unlike the third."""
    rects = [Rect(0, 0, 90, 90), Rect(0, 100, 50, 150), Rect(0, 160, 20, 180)]
    relations = (
        Relation(0, 1, False, 0.2),
        Relation(0, 2, False, 0.9),
        Relation(1, 2, False, 0.2),
    )

    clusters = cluster_leaves(rects, relations, Rules(0.3, reference=False))
    assert [cluster.leaves for cluster in clusters] == [(0,), (1, 2)]


@pytest.mark.parametrize("reference", [False, True])
@given(
    rects=st.lists(rectangles, max_size=60, unique=True),
    pairs=st.lists(st.tuples(st.integers(0, 59), st.integers(0, 59)), max_size=60, unique=True),
)
def test_a_cluster_overlaps_nothing(
    reference: bool, rects: list[Rect], pairs: list[tuple[int, int]]
) -> None:
    """Whatever is related to whatever: only single boxes may overlap each other."""
    inside = sorted({pair for pair in pairs if pair[0] < pair[1] < len(rects)})
    relations = [Relation(*pair, number % 2 == 0, 0.1) for number, pair in enumerate(inside)]

    clusters = cluster_leaves(rects, relations, Rules(0.3, reference=reference))
    assert sorted(leaf for c in clusters for leaf in c.leaves) == list(range(len(rects)))
    assert not any(
        overlap(one.rect, other.rect)
        for one, other in combinations(clusters, 2)
        if len(one.leaves) > 1 or len(other.leaves) > 1
    )


def test_the_gaps_inside_a_cluster_belong_to_it() -> None:
    """Two boxes do not merge across a cluster, even where it has no member between them."""
    corners = [Rect(0, 50, 10, 60), Rect(200, 250, 210, 260)]
    across = [Rect(100, 0, 110, 10), Rect(100, 300, 110, 310)]
    elsewhere = [Rect(x, 1000 + x, x + 5, 1005 + x) for x in range(20, 200, 4)]
    elsewhere += [Rect(400, y, 410, y + 2) for y in range(0, 310, 4)]
    relations = (Relation(0, 1, False, 0.1), Relation(2, 3, False, 0.2))

    clusters = cluster_leaves([*corners, *across, *elsewhere], relations, Rules(0.3, False))
    assert [cluster.leaves for cluster in clusters[:3]] == [(0, 1), (2,), (3,)]


def test_densities_differ_if_one_is_at_most_half_of_the_other() -> None:
    """Nothing differs from nothing."""
    assert differ_in_density(0.1, 0.2)
    assert not differ_in_density(0.2, 0.11)
    assert not differ_in_density(0.0, 0.0)


def test_contact_is_no_overlap() -> None:
    """Rectangles that share a pixel are adjacent."""
    one = Rect(0, 0, 10, 10)

    assert not overlap(one, Rect(9, 0, 20, 10))
    assert overlap(one, Rect(8, 0, 20, 10))
    assert adjacent(one, Rect(11, 0, 20, 10))
    assert not adjacent(one, Rect(12, 0, 20, 10))


@given(rectangles, rectangles)
def test_the_outside_of_a_rectangle_is_cut_without_loss(one: Rect, other: Rect) -> None:
    """The parts overlap nothing and fill the whole together with the rectangle cut out."""
    outer = Rect(
        min(one.left, other.left),
        min(one.top, other.top),
        max(one.right, other.right),
        max(one.bottom, other.bottom),
    )
    parts = list(outside(outer, one))

    assert not any(a.overlaps(b) for a, b in combinations([*parts, one], 2))
    assert isclose(sum(part.area for part in parts) + one.area, outer.area)


# Whole pages


def test_an_isolated_list_is_one_area_in_the_reference_and_none_in_the_paper() -> None:
    """Micro page C1: evenly spaced, all neighbours are as far as the farthest one."""
    page = paint(*(element(text(str(n), at=at)) for n, at in enumerate(column(5, pitch=24.0))))

    assert leaf_texts(page, REFERENCE.segment(page)) == [("0", "1", "2", "3", "4")]
    assert len(PAPER.segment(page)) == 5


def test_areas_say_what_they_are_made_of() -> None:
    """A cluster names its boxes by their common root; a box alone is an area, marked as such."""
    page = paint(
        element(*(element(text(str(n), at=at)) for n, at in enumerate(column(3, pitch=24.0)))),
        element(text("far", at=(700, 900, 760, 940)), color="rgb(255, 0, 0)", font_size=30.0),
    )

    listed, single = REFERENCE.segment(page)

    assert listed == Area(
        Rect(100.0, 0.0, 180.0, 64.0),
        (2,),
        attributes=(("clustered", 1.0), ("boxes", 3.0), ("similarity", round(0.2 / 6, 9))),
    )
    assert single == Area(
        Rect(700.0, 900.0, 760.0, 940.0),
        (9,),
        attributes=(("clustered", 0.0), ("boxes", 1.0), ("similarity", 0.0)),
    )


def test_single_boxes_can_be_left_out() -> None:
    """The CPS paper drops them; their nodes are then in no area."""
    page = paint(
        element(*(element(text(str(n), at=at)) for n, at in enumerate(column(3, pitch=24.0)))),
        element(text("far", at=(700, 900, 760, 940)), color="rgb(255, 0, 0)"),
    )

    areas = replace(REFERENCE, singles=False).segment(page)
    assert leaf_texts(page, areas) == [("0", "1", "2")]
    assert [area.nodes for area in areas] == [(2,)]


def test_lists_far_apart_stay_apart_if_what_is_between_them_is_left_out() -> None:
    """Their last and first entries are not adjacent, though nothing else is in an area."""
    rows = range(3)
    page = paint(
        element(
            *(element(text(f"a{n}", at=(100, 24 * n, 180, 24 * n + 16))) for n in rows),
            element(text("alone", at=(100, 300, 180, 700)), color="rgb(255, 0, 0)"),
            *(element(text(f"b{n}", at=(100, 900 + 24 * n, 180, 916 + 24 * n))) for n in rows),
        )
    )

    areas = replace(REFERENCE, singles=False, even=True).segment(page)

    assert leaf_texts(page, areas) == [("a0", "a1", "a2"), ("b0", "b1", "b2")]


def test_a_background_belongs_to_what_lies_on_it() -> None:
    """The picture behind a caption is not compared with anything, but is part of the area."""
    page = paint(
        element(image(at=(0, 0, 300, 200)), element(text("caption", at=(10, 150, 200, 166))))
    )

    assert REFERENCE.segment(page)[0].rect == Rect(0.0, 0.0, 300.0, 200.0)
    assert REFERENCE.segment(page)[0].nodes == (0,)


def test_a_background_of_two_areas_belongs_to_none() -> None:
    """It would make one area cover the other."""
    page = paint(image(at=(0, 0, 300, 200)), image(at=(0, 300, 300, 500)))
    rects = [Rect(10.0, 10.0, 50.0, 30.0), Rect(200.0, 100.0, 280.0, 180.0)]
    boxes = [box for box in page.boxes if box.kind is BoxKind.IMAGE]

    assert adopt(boxes, [None, 1], rects) == [2, 1]
    assert adopt(boxes[:1], [None], rects[:1]) == [0]


def test_an_area_does_not_grow_over_another_one() -> None:
    """A box behind one area is not adopted if their common rectangle covers a part of another."""
    page = paint(image(at=(40, 20, 100, 60)))
    behind = [box for box in page.boxes if box.kind is BoxKind.IMAGE]
    rects = [Rect(0.0, 0.0, 50.0, 30.0), Rect(60.0, 0.0, 100.0, 15.0)]

    assert adopt(behind, [None], rects) == [2]
    assert adopt(behind, [None], rects[:1]) == [0]


def test_what_is_passed_over_goes_with_the_box_before_it() -> None:
    """A spacer is part of the area it stands in; before the first area it is of no area."""
    page = paint(image(at=(0, 0, 100, 1)), image(at=(0, 10, 100, 60)), image(at=(0, 70, 100, 71)))
    spaced = [box for box in page.boxes if box.kind is BoxKind.IMAGE]

    assert adopt(spaced, [None, 0, None], [Rect(0.0, 10.0, 100.0, 60.0)]) == [1, 0, 0]


def test_a_page_without_content_has_no_areas() -> None:
    """Neither has a page without boxes."""
    assert REFERENCE.segment(paint()) == ()
    assert REFERENCE.segment(snapshot_of((), Rect(0.0, 0.0, 100.0, 100.0))) == ()


def test_settings_are_checked_and_survive_a_copy() -> None:
    """A segmenter is its settings."""
    assert pickle.loads(pickle.dumps(PAPER)) == PAPER
    with pytest.raises(SettingsError, match=r"threshold must be 0\.\.1, not 2"):
        BCS(threshold=2)
    with pytest.raises(SettingsError, match="variant must be reference or paper, not lengal"):
        BCS(variant="lengal")


@st.composite
def pages(draw: st.DrawFn) -> list[tuple[Rect, str]]:
    """Draw a page of up to 20 boxes in three colours, some of which overlap."""
    rects = draw(st.lists(rectangles, min_size=1, max_size=20, unique=True))
    return [(rect, draw(colours)) for rect in rects]


def painted(boxes: list[tuple[Rect, str]], order: list[int]) -> Snapshot:
    """Paint boxes in some order, each named by its place in the list."""
    return paint(
        *(
            element(
                text(str(n), at=(boxes[n][0].left, boxes[n][0].top, *_far_corner(boxes[n][0]))),
                color=boxes[n][1],
            )
            for n in order
        )
    )


# The last one lies over two others, of which only one can be in its area.
BEHIND = [
    (Rect(*corners), "rgb(0, 0, 0)")
    for corners in ((34, 12, 106, 84), (2, 95, 122, 99), (105, 0, 110, 99), (106, 95, 110, 99))
]


def _far_corner(rect: Rect) -> tuple[float, float]:
    return rect.right, rect.bottom


@pytest.mark.parametrize("segmenter", [PAPER, REFERENCE], ids=["paper", "reference"])
@given(boxes=pages(), seed=st.integers(0, 1000))
@example(boxes=BEHIND, seed=0)
def test_the_order_of_boxes_does_not_matter(
    segmenter: BCS, boxes: list[tuple[Rect, str]], seed: int
) -> None:
    """Micro page C4: shuffled input gives identical clusters."""
    segmenter = replace(segmenter, even=False)  # neighbours are those of the document
    order = list(range(len(boxes)))
    page = painted(boxes, order)
    random.Random(seed).shuffle(order)
    shuffled = painted(boxes, order)

    assert shared_out(segmenter.segment(page), page) == shared_out(
        segmenter.segment(shuffled), shuffled
    )


@pytest.mark.parametrize("segmenter", [PAPER, REFERENCE], ids=["paper", "reference"])
@given(boxes=pages())
def test_no_text_is_in_two_areas(segmenter: BCS, boxes: list[tuple[Rect, str]]) -> None:
    """Areas lie in the page, contain their texts, and share none of them."""
    page = painted(boxes, list(range(len(boxes))))

    areas = segmenter.segment(page)
    owners = text_owners(page, areas)
    assert max(map(len, owners.values())) <= 1
    assert all(page.rect.contains(area.rect) and area.nodes for area in areas)
    for box in page.boxes:
        for owner in owners.get(box.node, ()):
            assert areas[owner].rect.contains(box.clip)


def test_what_is_fixed_to_the_window_is_clustered_for_itself() -> None:
    """A notice over a text neither joins it nor keeps its paragraphs apart."""
    tops = (0, 24, 48, 72, 96, 120)
    words = [element(text(f"line {top}", at=(0, top, 300, top + 16))) for top in tops]
    notice = element(text("a notice", at=(20, 50, 400, 66)), position="fixed")

    without = BCS().segment(paint(*words))
    beneath = BCS().segment(paint(*words, notice))

    assert len(without) == 1
    assert [area.rect for area in beneath] == [without[0].rect, Rect(20, 50, 400, 66)]
