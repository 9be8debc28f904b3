"""Guo et al.: the Partition Finder, step by step."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstencil.geometry import Rect
from webstencil.segment.guo.frames import IMAGE, FrameStyle
from webstencil.segment.guo.partition import (
    Likeness,
    PartitionNode,
    PartKind,
    common_length,
    frames_in,
    partition_list,
    separators,
    similar,
    similar_sequences,
    white_space,
)

LIKENESS = Likeness(2.0, 0.6, 1.0, 0.0, 0.0)
PLAIN = FrameStyle("serif", 16.0, ("rgb(0, 0, 0)", False, False, False))
PT = 96 / 72  # px


def part(
    top: float,
    look: FrameStyle = PLAIN,
    *,
    height: float = 20,
    leaf: bool = True,
    frame: int = 0,
    ruled: bool = False,
) -> PartitionNode:
    """Make a part at the left of the page."""
    rect = Rect(0.0, top, 300.0, top + height)
    return PartitionNode(
        PartKind.FRAME, rect, look, 10, ruled, looks=(look,), frame=frame, leaf=leaf
    )


def sized(size: float) -> FrameStyle:
    return replace(PLAIN, size=size)


@pytest.mark.parametrize(
    ("other", "gap"),
    [
        (Rect(0, 30, 10, 40), 20),
        (Rect(15, 0, 20, 10), 5),
        (Rect(0, 5, 10, 15), 0),
        (Rect(-50, 14, -20, 20), 4),
    ],
    ids=["below", "beside", "overlapping", "next row"],
)
def test_white_space_lies_where_one_follows_the_other(other: Rect, gap: float) -> None:
    """Below or beside; at the end of a row it is the distance of the rows."""
    assert white_space(Rect(0, 0, 10, 10), other) == gap


def test_separator_is_more_white_space_than_the_mean() -> None:
    """Strictly more, by the spare pixels: equal spacing never separates."""
    regular = [part(top) for top in (0, 30, 60, 90)]
    irregular = [part(top) for top in (0, 22, 60, 82)]
    slightly = [part(top) for top in (0, 30, 61, 91)]

    assert separators(regular, 1.0) == []
    assert separators(irregular, 1.0) == [2]
    assert separators(slightly, 1.0) == []


def test_level_line_is_a_separator() -> None:
    """HR separates whatever the white space is."""
    assert separators([part(0), part(30, ruled=True), part(60)], 1.0) == [2]


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        (sized(16 + 2 * PT), True),
        (sized(round(16 + 2 * PT, 4)), True),
        (sized(16 + 3 * PT), False),
        (replace(PLAIN, family="monospace"), False),
        (replace(PLAIN, face=("rgb(0, 0, 238)", False, False, False)), False),
        (replace(PLAIN, face=("rgb(0, 0, 0)", True, False, False)), False),
        (IMAGE, False),
    ],
    ids=["2 pt", "2 pt rounded", "3 pt", "font", "colour", "bold", "image"],
)
def test_styles_match_within_two_points(other: FrameStyle, alike: bool) -> None:
    """Same font and face, sizes within 2 pt; an image only looks like an image."""
    assert similar(PLAIN, other, LIKENESS) is alike
    assert similar(other, PLAIN, LIKENESS) is alike


looks = st.lists(
    st.sampled_from([sized(size) for size in (8.0, 10.0, 12.0, 14.0, 30.0)]), max_size=9
)


@given(looks, looks)
def test_common_length_is_that_of_the_usual_table(
    one: list[FrameStyle], other: list[FrameStyle]
) -> None:
    """The longest common subsequence, also where similarity is not transitive."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, a in enumerate(one, start=1):
        for j, b in enumerate(other, start=1):
            match = table[i - 1][j - 1] + similar(a, b, LIKENESS)
            table[i][j] = max(match, table[i - 1][j], table[i][j - 1])

    found = common_length(one, other, lambda a, b: similar(a, b, LIKENESS))

    assert found == table[-1][-1]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ((16, 10, 12), (30, 10, 12), True),
        ((16, 10), (30, 10), False),
        ((16, 10, 12), (16, 10, 12, 40, 50), True),
        ((16, 10, 12), (16, 10, 12, 40, 50, 60), False),
    ],
    ids=["2 of 3", "1 of 2", "3 of 5", "3 of 6"],
)
def test_similar_sequences_have_60_percent_in_common(
    one: tuple[float, ...], other: tuple[float, ...], alike: bool
) -> None:
    """Of the longer one, and so of both."""
    sequences = [[part(0, sized(size)) for size in sizes] for sizes in (one, other)]
    likeness = replace(LIKENESS, size_difference=0.0)

    assert similar_sequences(*sequences, likeness) is alike


def test_lines_of_one_style_are_a_run() -> None:
    """There is nothing to distinguish in them, however they are spaced."""
    parts = partition_list([part(top) for top in (0, 22, 60, 82, 120)], LIKENESS)

    assert [(found.kind, len(found.parts)) for found in parts] == [(PartKind.RUN, 5)]


def test_submenus_of_different_length_are_patterns_of_a_group() -> None:
    """Figure 1: a title and its links, two or three of them."""
    title, link = sized(30), PLAIN
    menu = [
        *(part(top, look) for top, look in ((0, title), (22, link), (44, link))),
        *(part(top, look) for top, look in ((100, title), (122, link), (144, link), (166, link))),
    ]
    (group,) = partition_list(menu, LIKENESS)

    assert group.kind is PartKind.GROUP
    assert [[inner.kind for inner in pattern.parts] for pattern in group.parts] == [
        [PartKind.FRAME, PartKind.RUN],
        [PartKind.FRAME, PartKind.RUN],
    ]


def test_different_sequence_ends_a_group() -> None:
    """Only neighbours are grouped."""
    sizes = (16, 30, 16, 30, 50, 60, 16, 30, 16, 30)
    parts = [part(30 * n + 20 * (n // 2), sized(size)) for n, size in enumerate(sizes)]

    found = partition_list(parts, LIKENESS)

    assert [one.kind for one in found] == [
        PartKind.GROUP,
        PartKind.FRAME,
        PartKind.FRAME,
        PartKind.GROUP,
    ]


def test_leaf_is_not_joined_with_a_frame() -> None:
    """A title is no story, even in the same style."""
    found = partition_list([part(0), part(30, leaf=False), part(60, leaf=False)], LIKENESS)

    assert [one.kind for one in found] == [PartKind.FRAME, PartKind.GROUP]


@pytest.mark.parametrize(
    ("likeness", "kind"),
    [
        (LIKENESS, PartKind.GROUP),
        (replace(LIKENESS, pattern_side=100.0), PartKind.RUN),
        (replace(LIKENESS, pattern_row=2.0), PartKind.RUN),
    ],
    ids=["any", "small", "low"],
)
def test_small_frames_are_no_patterns(likeness: Likeness, kind: PartKind) -> None:
    """Thumbnails and rows of a table stay together."""
    (found,) = partition_list([part(top, leaf=False) for top in (0, 30, 60)], likeness)

    assert found.kind is kind


def test_frames_that_overlap_are_not_grouped() -> None:
    """A reader sees no repetition there."""
    found = partition_list([part(top, leaf=False) for top in (0, 10, 20)], LIKENESS)

    assert [one.kind for one in found] == [PartKind.FRAME] * 3


@given(
    st.lists(
        st.tuples(
            st.integers(0, 60),
            st.sampled_from([PLAIN, sized(30.0), IMAGE]),
            st.booleans(),
            st.booleans(),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_partition_keeps_all_frames_in_order(
    rows: list[tuple[int, FrameStyle, bool, bool]],
) -> None:
    """Putting together neither loses, doubles nor moves a frame."""
    top, parts = 0, []
    for frame, (gap, look, leaf, ruled) in enumerate(rows):
        parts.append(part(top + gap, look, leaf=leaf, frame=frame, ruled=ruled))
        top += gap + 20

    assert frames_in(partition_list(parts, LIKENESS)) == list(range(len(rows)))
