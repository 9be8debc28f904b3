"""Guo et al.: the Block Finder, the known answers, and the areas of a page."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from builders import (
    Corners,
    Sketch,
    chain,
    element,
    image,
    inline,
    leaf_texts,
    leaves,
    line,
    paint,
    snapshot_of,
    text,
    text_owners,
)
from hypothesis import given
from hypothesis import strategies as st

from webstencil.errors import SettingsError
from webstencil.geometry import Rect
from webstencil.model import Area
from webstencil.segment.guo import PAPER_GUO, Guo
from webstencil.segment.guo.frames import (
    BOTH_AXES,
    NOT_ALIGNED,
    Axis,
    ConsistencyOrder,
    Glance,
    _share_an_edge,
    alignments,
    find_frames,
)

EVERYTHING = Glance(0.0, 0.0)  # nothing is too small to be divided
STRICT = ConsistencyOrder(3.0, 0, 0.5, 1.0)
PT = 96 / 72  # px
X, Y = frozenset({Axis.X}), frozenset({Axis.Y})


def column(*texts: str, left: float = 0, top: float = 0, step: float = 20) -> list[Sketch]:
    """Sketch lines of text below each other, each in a block of its own."""
    return [
        element(text(words, at=(left, top + step * row, left + 100, top + step * row + 15)))
        for row, words in enumerate(texts)
    ]


def row(*texts: str, top: float = 0, step: float = 120) -> Sketch:
    """Sketch a row of blocks with a line of text each."""
    return element(
        *(
            element(text(words, at=(step * place, top, step * place + 100, top + 15)))
            for place, words in enumerate(texts)
        )
    )


def story(top: float, *sizes: float) -> list[Sketch]:
    """Sketch blocks of text of these font sizes (px) below each other, in letters of one line."""
    return [
        element(
            text(f"{top:g}-{place}", at=(0, top + 25 * place, 300, top + 25 * place + 20)),
            font_size=size,
        )
        for place, size in enumerate(sizes)
    ]


def kinds(areas: Sequence[Area]) -> list[tuple[str, ...]]:
    """Return the names of each area's attributes."""
    return [tuple(name for name, _ in area.attributes) for area in areas]


# The Block Finder


@pytest.mark.parametrize(
    ("rects", "axis", "aligned"),
    [
        ([(0, 0, 10, 5), (2, 9, 50, 14)], Axis.X, True),
        ([(0, 0, 50, 5), (20, 9, 53, 14)], Axis.X, True),
        ([(0, 0, 100, 5), (26, 9, 86, 14)], Axis.X, True),
        ([(0, 0, 100, 5), (40, 9, 90, 14)], Axis.X, False),
        ([(0, 0, 10, 5), (20, 2, 30, 40)], Axis.Y, True),
        ([(0, 0, 10, 50), (20, 45, 30, 53)], Axis.Y, True),
        ([(0, 0, 10, 5), (20, 9, 30, 14)], Axis.Y, False),
    ],
    ids=["left", "right", "centre", "nowhere", "top", "bottom", "lower"],
)
def test_alignment_is_at_an_edge_or_in_the_middle(
    rects: list[Corners], axis: Axis, aligned: bool
) -> None:
    """Within 3 px, or twice as much in the middle."""
    assert _share_an_edge([Rect(*corners) for corners in rects], axis, 3.0) is aligned


@pytest.mark.parametrize(
    ("sketches", "expected"),
    [
        (column("a", "b"), X),
        ([row("a", "b"), *column("c", top=50)], Y),
        ([element(*column("a", "b")), element(*column("c", "d", top=50))], X),
        ([row("a", "b"), row("c", "d", top=50)], NOT_ALIGNED),
        ([element(*column("a", "b")), row("c", "d", top=50)], NOT_ALIGNED),
        ([element(*column("a", "b")), element(*column("c", "d", left=150))], NOT_ALIGNED),
    ],
    ids=["stack", "row and leaf", "stacks", "table", "stack and row", "columns"],
)
def test_frame_is_aligned_as_all_inside_it(
    sketches: list[Sketch], expected: frozenset[Axis]
) -> None:
    """Leaves beside frames do not count; rows of rows are not aligned on either axis."""
    frames = find_frames(paint(*sketches), EVERYTHING)

    assert alignments(frames, frozenset(), STRICT)[0] == expected


def test_leaf_is_aligned_both_ways() -> None:
    """It fits into a stack and into a row."""
    assert alignments(find_frames(chain(3), EVERYTHING), frozenset(), STRICT) == (BOTH_AXES,)


def test_frames_of_a_run_count_as_leaves() -> None:
    """What the Partition Finder has put together does not make its parent inconsistent."""
    frames = find_frames(paint(row("a", "b"), row("c", "d", top=50)), EVERYTHING)
    rows = frozenset(frames[0].children)

    assert alignments(frames, rows, STRICT)[0] == BOTH_AXES


def test_running_text_is_a_stack_whatever_stands_in_it() -> None:
    """A table or a picture beside the text does not cut an article."""
    paragraphs = column("word " * 30, "word " * 30, "word " * 30, step=60)
    frames = find_frames(paint(*paragraphs, row("a", "b", top=200)), EVERYTHING)

    assert alignments(frames, frozenset(), STRICT)[0] == Y
    assert alignments(frames, frozenset(), replace(STRICT, prose=40))[0] == X


def test_skeleton_of_the_page_is_not_aligned() -> None:
    """On a page of one column everything is; the page is no block for that."""
    frames = find_frames(
        paint(element(*column("a", "b")), element(*column("c", "d", top=50))), EVERYTHING
    )

    assert alignments(frames, frozenset(), replace(STRICT, page_share=0.5))[0] == NOT_ALIGNED


# Known answers


@pytest.mark.parametrize("segmenter", [PAPER_GUO, Guo()], ids=["paper", "default"])
def test_g1_menu_of_links_is_one_block(segmenter: Guo) -> None:
    """G1: a vertical menu is X-aligned; where there is nothing else, the page is the block."""
    areas = segmenter.segment(paint(*column("Home", "News", "Sport", "Weather", "Contact")))

    assert kinds(areas) == [("block", "x_aligned")]


def test_g1_table_is_a_block_per_row() -> None:
    """G1: rows win over columns, as figure 4 has it and complains about it."""
    table = element(*(row("a", "b", "c", top=top) for top in (0, 30, 60)))
    snapshot = paint(table, *column("below", top=200))

    areas = PAPER_GUO.segment(snapshot)

    assert leaf_texts(snapshot, areas) == [("a", "b", "c")] * 3 + [("below",)]
    assert [("y_aligned", 1.0) in area.attributes for area in leaves(areas)] == [True] * 3 + [False]


def test_table_is_one_block_by_default() -> None:
    """Nobody takes the rows of a table for areas of their own."""
    table = element(*(row("a", "b", "c", top=top) for top in (0, 30, 60)))
    other = element(*column("d", "e", "f", left=500, step=60), font_size=30.0)
    snapshot = paint(table, other)

    areas = Guo().segment(snapshot)

    assert leaf_texts(snapshot, areas) == [("a", "b", "c") * 3, ("d", "e", "f")]


@pytest.mark.parametrize("segmenter", [PAPER_GUO, Guo()], ids=["paper", "default"])
@pytest.mark.parametrize("first", [24.0, 24.0 + 2 * PT, 24.0 + 3 * PT], ids=["same", "2pt", "3pt"])
def test_g2_stories_are_patterns_of_a_group(segmenter: Guo, first: float) -> None:
    """G2: title, byline, text; a title 2 pt larger matches, 3 pt larger leaves 2 of 3."""
    stories = [*story(0, first, 10.0, 16.0), *story(120, 24, 10, 16), *story(240, 24, 10, 16)]
    snapshot = paint(*stories)

    areas = segmenter.segment(snapshot)

    assert kinds(areas) == [("block", "group", "x_aligned"), *[("pattern",)] * 3]
    assert leaf_texts(snapshot, areas) == [
        tuple(f"{top}-{place}" for place in range(3)) for top in (0, 120, 240)
    ]


@pytest.mark.parametrize("segmenter", [PAPER_GUO, Guo()], ids=["paper", "default"])
def test_g2_story_of_two_with_a_larger_title_does_not_match(segmenter: Guo) -> None:
    """G2: 1 of 2 is not 60 %; the other two stories still make a group."""
    stories = [*story(0, 24 + 3 * PT, 10.0), *story(100, 24, 10), *story(200, 24, 10)]
    snapshot = paint(*stories)

    areas = segmenter.segment(snapshot)

    assert kinds(areas) == [("block", "x_aligned"), ("group",), ("pattern",), ("pattern",)]
    assert text_owners(snapshot, areas)[3] == [0]
    assert leaf_texts(snapshot, areas) == [("100-0", "100-1"), ("200-0", "200-1")]


def test_long_stories_are_no_running_text() -> None:
    """Figure 2: the texts of news stories have more letters than their titles and bylines."""
    stories = [
        element(
            text("word " * words, at=(0, 120 * number + top, 300, 120 * number + top + 20)),
            font_size=size,
        )
        for number in range(3)
        for words, top, size in ((8, 0, 24.0), (4, 25, 10.0), (40, 50, 16.0))
    ]

    areas = Guo(flow=False).segment(paint(*stories))

    assert kinds(areas) == [("block", "group", "x_aligned"), *[("pattern",)] * 3]


# Areas


def test_header_columns_and_footer_are_blocks() -> None:
    """Columns stand side by side, so that their frame is not aligned, but each of them is."""
    left, right = element(*column("a", "b", top=100)), element(*column("c", "d", left=400, top=100))
    snapshot = paint(*column("header"), element(left, right), *column("footer", top=400))

    areas = PAPER_GUO.segment(snapshot)

    assert leaf_texts(snapshot, areas) == [("header",), ("a", "b"), ("c", "d"), ("footer",)]
    assert [area.rect for area in leaves(areas)] == [
        Rect(0, 0, 100, 15),
        Rect(0, 100, 100, 135),
        Rect(400, 100, 500, 135),
        Rect(0, 400, 100, 415),
    ]


def test_leaves_in_a_row_are_one_block() -> None:
    """Leaf siblings that no frame parts belong together."""
    stack = element(*column("c", "d", top=50))
    snapshot = paint(*column("a", "b"), stack, row("e", "f", top=120), *column("g", "h", top=150))

    areas = PAPER_GUO.segment(snapshot)

    assert leaf_texts(snapshot, areas) == [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]


def test_leaves_far_apart_are_not_joined_over_others() -> None:
    """An area does not lie over what it has nothing to do with."""
    stack = element(*column("c", "d", top=50))
    corner = text("fixed to the corner", at=(900, 500, 1000, 515))
    snapshot = paint(*column("a"), element(corner), stack, row("e", "f", top=120))

    areas = PAPER_GUO.segment(snapshot)

    assert leaf_texts(snapshot, areas)[:2] == [("a",), ("fixed to the corner",)]


def test_area_names_the_highest_nodes_that_are_its_own() -> None:
    """A block is the element that holds it, a run of leaves the elements in it."""
    left, right = element(*column("a", "b")), element(*column("c", "d", left=400))
    areas = PAPER_GUO.segment(paint(left, right, *column("e", "f", top=100)))

    assert [area.nodes for area in leaves(areas)] == [(2,), (7,), (12, 14)]


def test_blocks_can_be_had_alone() -> None:
    """Without the Partition Finder there are no groups."""
    stories = [*story(0, 24, 10, 16), *story(120, 24, 10, 16)]

    assert kinds(Guo(partitions=False).segment(paint(*stories))) == [("block", "x_aligned")]


def test_empty_page_is_one_area() -> None:
    """It holds nothing."""
    snapshot = snapshot_of((), Rect(0, 0, 1366, 768))

    assert Guo().segment(snapshot) == (Area(snapshot.rect, ()),)


def test_setting_out_of_range_is_refused() -> None:
    """The message names the setting, its range and the value."""
    with pytest.raises(SettingsError, match=r"common_share must be 0\.\.1, not 60"):
        Guo(common_share=60)


corners = st.builds(
    lambda left, top, width, height: (left, top, left + width, top + height),
    *(st.integers(0, 800), st.integers(0, 800), st.integers(1, 300), st.integers(1, 120)),
)
texts = st.builds(
    lambda words, at: text(words, at=at), st.sampled_from(["a", "word " * 30]), corners
)
sketches = st.recursive(
    st.one_of(
        texts,
        st.builds(lambda at: image(at=at), corners),
        st.builds(lambda at: line(at=at), corners),
    ),
    lambda inside: st.builds(
        lambda children, kind, size: kind(*children, font_size=size),
        st.lists(inside, min_size=1, max_size=4),
        st.sampled_from([element, inline]),
        st.sampled_from([12.0, 16.0, 24.0]),
    ),
    max_leaves=25,
)


@given(st.lists(sketches, max_size=5), st.sampled_from([Guo(), PAPER_GUO, Guo(partitions=False)]))
def test_areas_keep_their_promises_on_any_page(sketched: list[Sketch], segmenter: Guo) -> None:
    """Parents first and around their children; each text in one area that contains it."""
    snapshot = paint(*sketched)

    areas = segmenter.segment(snapshot)

    owners = text_owners(snapshot, areas)
    boxes = {box.node: box for box in snapshot.boxes}
    assert areas[0].rect == snapshot.rect
    for index, area in enumerate(areas[1:], start=1):
        assert 0 <= area.parent < index
        assert areas[area.parent].rect.contains(area.rect)
    assert all(area.nodes for area in leaves(areas)) or (not owners and len(areas) == 1)
    assert all(len(owned_by) == 1 for owned_by in owners.values())
    assert all(areas[owner].rect.contains(boxes[node].clip) for node, (owner,) in owners.items())
    assert segmenter.segment(snapshot) == areas
