"""Burget: each step for itself, from the boxes to the groups."""

from itertools import combinations, pairwise

import pytest
from builders import BLACK, GREY, element, image, inline, line, paint, text
from hypothesis import given
from hypothesis import strategies as st

from webstencil.geometry import Rect, bounding
from webstencil.model import Snapshot
from webstencil.segment.burget import mark_significant
from webstencil.segment.burget.areas import (
    BY_GROUPING,
    BoxSight,
    TextLook,
    Tiles,
    Visual,
    add_looks,
    basic_areas,
    bottom_up,
    join_leaves,
    same_style,
    walk,
)
from webstencil.segment.burget.grouping import (
    GridSpan,
    GroupingOrder,
    SeparatedGrid,
    enclose_neighbours,
    grow,
    join_alike,
    make_grid,
    spans_meet,
    tracks,
    without_simple,
)
from webstencil.segment.burget.separators import (
    AreaSpacing,
    area_separators,
    carve,
    collapse,
    drawn_lines,
    find_bands,
    find_lines,
    is_line_area,
    row_starts,
    separating,
)

SIGHT = BoxSight(covered=0.8, list_items=False)
SPACING = AreaSpacing(least=1.0, always=3.0)
PLAIN_SPACING = AreaSpacing(least=0.0, always=0.0)
ORDER = GroupingOrder(SPACING, snap=3.0, rounds=2)
FRAMED = {"border": (1.0, 1.0, 1.0, 1.0), "border_color": BLACK}

Corners = tuple[float, float, float, float]


def leaf(at: Corners, box: int = 0, size: float = 12.0, letters: float = 10.0) -> Visual:
    """A leaf of text in one font."""
    return Visual(Rect(*at), (box,), TextLook(letters, size * letters), em=size)


def parent(*children: Visual, em: float = 12.0) -> Visual:
    rect = bounding(child.rect for child in children)
    return Visual(rect, (), em=em, children=children)


def rows(*tops: tuple[float, float]) -> Visual:
    """A column of texts, by where they start and end."""
    leaves = [leaf((0, top, 100, end), number) for number, (top, end) in enumerate(tops)]
    return parent(*leaves)


def page(snapshot: Snapshot, sight: BoxSight = SIGHT) -> Visual:
    """The areas of the page itself."""
    return basic_areas(snapshot, sight)[0]


def rects_of(areas: tuple[Visual, ...]) -> list[Rect]:
    return [area.rect for area in areas]


# The box tree and the basic areas.


def test_boxes_that_cannot_be_seen_are_no_areas() -> None:
    """Wrappers vanish: what is in them lies in the box that can be told apart."""
    words = element(element(text("words", at=(0, 0, 100, 16))))
    card = element(element(text("card", at=(10, 110, 90, 126))), at=(0, 100, 300, 200), **FRAMED)
    root = page(paint(words, card))

    assert rects_of(root.children) == [Rect(0, 0, 100, 16), Rect(0, 100, 300, 200)]
    assert rects_of(root.children[1].children) == [Rect(10, 110, 90, 126)]


def test_boxes_are_nested_as_they_are_seen() -> None:
    """A text that stands in a coloured box lies in it, wherever it is written."""
    box = element(at=(0, 0, 400, 200), background=GREY)
    words = element(text("words", at=(20, 20, 120, 36)))
    (area,) = page(paint(box, words)).children

    assert area.coloured
    assert rects_of(area.children) == [Rect(20, 20, 120, 36)]


def test_a_box_in_the_colour_behind_it_is_no_area() -> None:
    """Grey on grey is not seen, white on grey is."""
    inner = element(text("a", at=(20, 20, 60, 36)), at=(10, 10, 200, 100), background=GREY)
    hidden = page(paint(element(inner, at=(0, 0, 400, 200), background=GREY)))
    white = element(
        text("a", at=(20, 20, 60, 36)), at=(10, 10, 200, 100), background="rgb(255, 255, 255)"
    )
    seen = page(paint(element(white, at=(0, 0, 400, 200), background=GREY)))

    assert [area.leaf for area in hidden.children[0].children] == [True]
    assert [area.leaf for area in seen.children[0].children] == [False]


def test_marked_words_are_a_part_of_their_line() -> None:
    """The background of an inline box makes no area."""
    marked = inline(text("marked", at=(50, 0, 100, 16)), background=GREY)
    root = page(paint(element(text("words", at=(0, 0, 50, 16)), marked)))

    assert [(area.leaf, area.coloured) for area in root.children] == [(True, False)] * 2


def test_list_items_are_areas_if_asked_for() -> None:
    """Off by default: the entries of a menu are list items, too."""
    item = element(text("a", at=(0, 0, 50, 16)), text("b", at=(60, 0, 90, 16)), display="list-item")
    snapshot = paint(item)

    assert len(page(snapshot).children) == 2
    assert len(page(snapshot, BoxSight(0.8, list_items=True)).children) == 1


def test_what_is_fixed_to_the_window_is_a_layer() -> None:
    """A notice lies over the page: it neither holds what is below it nor parts it."""
    words = [text(f"line {top}", at=(0, top, 300, top + 16)) for top in (0, 40, 80)]
    notice = element(
        text("a notice", at=(10, 42, 90, 58)), at=(0, 30, 400, 70), position="fixed", **FRAMED
    )
    below, layer = basic_areas(paint(notice, *(element(word) for word in words)), SIGHT)

    assert rects_of(below.children) == [Rect(0, top, 300, top + 16) for top in (0, 40, 80)]
    assert layer.rect == Rect(0, 30, 400, 70)


# Lines.


def test_b1_pieces_of_a_line_are_joined_up_to_a_gap() -> None:
    """Micro page B1: gaps of 0.5 and 2 em; two pieces are joined, the third stays apart."""
    pieces = (leaf((0, 0, 50, 12), 0), leaf((56, 0, 100, 12), 1), leaf((124, 0, 200, 12), 2))
    joined = find_lines(parent(*pieces), 1.5, SPACING)

    assert [(area.rect, area.boxes) for area in joined.children] == [
        (Rect(0, 0, 100, 12), (0, 1)),
        (Rect(124, 0, 200, 12), (2,)),
    ]


def test_a_border_keeps_pieces_of_a_line_apart() -> None:
    """A line is not joined over a border or a change of the background."""
    one, other = leaf((0, 0, 50, 12), 0), leaf((52, 0, 100, 12), 1)
    bordered = Visual(other.rect, (1,), other.look, 12.0, border=(False, False, False, True))
    coloured = Visual(other.rect, (1,), other.look, 12.0, background=GREY)

    assert len(find_lines(parent(one, other), 1.5, SPACING).children) == 1
    assert len(find_lines(parent(one, bordered), 1.5, SPACING).children) == 2
    assert len(find_lines(parent(one, coloured), 1.5, SPACING).children) == 2


def test_lines_of_one_text_are_a_paragraph() -> None:
    """A text box that was cut into lines is one again."""
    lines = (leaf((0, 0, 90, 12), 7), leaf((0, 20, 80, 32), 7), leaf((0, 40, 90, 52), 8))
    joined = find_lines(parent(*lines), 1.5, SPACING)

    assert [area.rect for area in joined.children] == [Rect(0, 0, 90, 32), Rect(0, 40, 90, 52)]


def test_an_only_leaf_is_taken_up_by_its_parent() -> None:
    """CollapseAreas: a frame round one text is that text, with a frame."""
    inner = leaf((10, 10, 90, 22), 1)
    frame = Visual(
        Rect(0, 0, 100, 32), (0,), inner.look, 12.0, (inner,), border=(True, True, True, True)
    )
    taken = collapse(frame)

    assert (taken.boxes, taken.leaf, taken.border) == ((0, 1), True, (True, True, True, True))


# Style.


@pytest.mark.parametrize(
    ("size", "bold", "same"), [(12.0, 0.0, True), (13.0, 0.0, True), (13.5, 0.0, False)]
)
def test_texts_of_about_the_same_size_look_the_same(size: float, bold: float, same: bool) -> None:
    """One px of difference is not seen."""
    other = Visual(Rect(0, 20, 9, 30), (1,), TextLook(10, size * 10, bold * 10), size)

    assert same_style(leaf((0, 0, 9, 10)), other) is same


def test_the_style_of_a_join_is_the_mean_over_its_letters() -> None:
    """Thirty letters of 10 px and ten of 18 px are of 12 px on average."""
    joined = join_leaves((leaf((0, 0, 9, 9), 0, 10.0, 30), leaf((9, 0, 19, 9), 1, 18.0, 10)))

    assert joined.look.mean(joined.look.size) == 12.0
    assert joined.em == 18.0


# Leaves of one style.


def test_neighbours_of_one_style_are_joined() -> None:
    """HomogeneousLeaves: paragraphs are one text, the headline above them is not."""
    headline = leaf((0, 0, 100, 24), 0, size=24.0)
    texts = [leaf((0, top, 100, top + 30), number) for number, top in ((1, 30), (2, 66), (3, 102))]
    joined = join_alike(parent(headline, *texts), ORDER)

    assert [area.boxes for area in joined.children] == [(0,), (1, 2, 3)]


def test_what_lies_over_a_text_is_joined_to_it_with_all_that_it_holds() -> None:
    """Of an area with others in it, on the cells of a text that grows, no box is lost."""
    over = parent(leaf((20, 4, 40, 12), 2), leaf((60, 4, 80, 12), 3))
    texts = [leaf((0, 0, 100, 30), 0), leaf((0, 33, 100, 63), 1)]
    joined = join_alike(parent(*texts, over), ORDER)

    assert [area.boxes for area in joined.children] == [(0, 1, 2, 3)]


def test_pictures_are_not_alike() -> None:
    """Pictures below each other make no picture."""
    pictures = [
        Visual(Rect(0, top, 100, top + 30), (number,), em=12.0)
        for number, top in enumerate((0, 33, 66))
    ]

    assert len(join_alike(parent(*pictures), ORDER).children) == 3


def test_a_line_between_texts_keeps_them_apart() -> None:
    """An HR parts what looks the same."""
    lined = page(
        paint(
            element(text("one", at=(0, 0, 100, 16))),
            line(at=(0, 19, 100, 20)),
            element(text("two", at=(0, 24, 100, 40))),
        )
    )
    plain = page(
        paint(element(text("one", at=(0, 0, 100, 16))), element(text("two", at=(0, 24, 100, 40))))
    )

    assert sum(area.content for area in join_alike(lined, ORDER).children) == 2
    assert sum(area.content for area in join_alike(plain, ORDER).children) == 1


# Separators.


@pytest.mark.parametrize(("gap", "found"), [(10.0, 1), (9.0, 0)])
def test_b4_a_gap_of_ten_px_is_a_separator(gap: float, found: int) -> None:
    """Micro page B4, in a font of 12 px with all gaps counted: ten px part, nine do not."""
    column = rows((0, 100), (100 + gap, 200))

    assert len(list(carve(column, PLAIN_SPACING))) == found


def test_a_gap_is_measured_by_the_font() -> None:
    """By default a gap parts from one em on."""
    large = parent(leaf((0, 0, 100, 50), 0, 24.0), leaf((0, 65, 100, 120), 1, 24.0), em=24.0)

    assert not list(carve(large, SPACING))
    assert len(list(carve(large, PLAIN_SPACING))) == 1


def test_equal_steps_part_nothing() -> None:
    """The entries of a list follow each other in equal steps; a wider gap ends the list."""
    listing = rows((0, 10), (25, 35), (50, 60), (75, 85), (125, 135))

    assert [(it.rect.top, it.rect.bottom) for it in carve(listing, SPACING)] == [(85, 125)]


def test_two_equal_steps_are_no_rhythm() -> None:
    """A head, a text and a foot stand in two equal steps by chance; three are a list."""
    assert len(list(carve(rows((0, 10), (30, 40), (60, 70)), SPACING))) == 2
    assert not list(carve(rows((0, 10), (30, 40), (60, 70), (90, 100)), SPACING))


def test_very_wide_gaps_always_part() -> None:
    """Three em of nothing are a separator even in equal steps."""
    listing = rows((0, 10), (50, 60), (100, 110), (150, 160))

    assert len(list(carve(listing, SPACING))) == 3


def test_a_gap_higher_than_its_column_is_wide_parts() -> None:
    """At the foot of a narrow column, far below it, something else begins."""
    assert len(list(carve(rows((0, 10), (500, 510)), SPACING))) == 1


def test_a_gutter_is_found_below_a_headline() -> None:
    """What a headline hides on the page is seen in the cell below it."""
    columns = parent(
        leaf((0, 0, 300, 12), 0),
        leaf((0, 40, 130, 200), 1),
        leaf((170, 40, 300, 200), 2),
    )

    assert [(it.upright, it.rect) for it in carve(columns, SPACING)] == [
        (False, Rect(0, 12, 300, 40)),
        (True, Rect(130, 40, 170, 200)),
    ]


def test_gaps_of_two_columns_that_meet_end_no_row() -> None:
    """A gap that runs through text and margin by chance parts each of them at most for itself."""
    columns = parent(
        *(leaf((0, top, 130, top + 80), top) for top in (0, 120)),
        *(leaf((170, top, 300, top + 20), top + 1) for top in (0, 24, 48, 120, 144, 168)),
    )
    level = [it.rect for it in carve(columns, SPACING) if not it.upright]

    assert level == [Rect(170, 68, 300, 120), Rect(0, 80, 130, 120)]


def test_the_longer_column_goes_on_below_the_shorter_one() -> None:
    """Below the end of a short text the margin beside it is still the margin."""
    columns = parent(
        leaf((0, 0, 130, 68), 0),
        *(leaf((170, top, 300, top + 20), top + 1) for top in (0, 48, 96, 144)),
    )

    assert [it.rect for it in carve(columns, SPACING)] == [Rect(130, 0, 170, 164)]


def test_a_heading_between_rows_of_columns_is_in_neither() -> None:
    """It stands on one side of the gutter, but columns begin anew below it."""
    rows_found = row_starts([[(0, 90), (110, 200)], [(0, 60)], [(0, 90), (110, 200)]], 10.0)

    assert rows_found == [0, 1, 2]
    assert row_starts([[(0, 90), (110, 200)], [(0, 60)], [(112, 180)]], 10.0) == [0]


def test_a_gutter_runs_on_only_where_its_column_begins_alike() -> None:
    """Gaps between words of a menu are no gutters of the title below it."""
    menu, title = [(0, 60), (80, 140), (160, 220)], [(0, 40), (180, 220)]

    assert row_starts([menu, title], 10.0) == [0, 1]
    assert row_starts([menu, [(0, 40), (78, 150), (160, 200)]], 10.0) == [0]


def test_a_band_longer_than_what_it_parts_is_none() -> None:
    """Words far apart in one line are not two columns."""
    line_of_words = parent(leaf((0, 0, 50, 12), 0), leaf((250, 0, 300, 12), 1))

    assert not list(carve(line_of_words, SPACING))


def test_frames_and_colours_draw_lines() -> None:
    """A frame is a separator on each side that is seen, a background on all four."""
    below = Visual(Rect(0, 0, 9, 9), (0,), border=(False, False, True, False))
    coloured = Visual(Rect(0, 0, 9, 9), (0,), coloured=True)

    assert [it.rect for it in drawn_lines(below)] == [Rect(0, 8, 9, 9)]
    assert len(list(drawn_lines(coloured))) == 4
    assert all(it.drawn for it in area_separators(parent(coloured), SPACING))


def test_thin_boxes_without_content_are_lines() -> None:
    """An HR is a line, a picture of the same shape or a thick box is none."""

    def hollow(at: Corners) -> Visual:
        return Visual(Rect(*at), (0,), coloured=True, content=False)

    assert is_line_area(hollow((0, 0, 300, 2)))
    assert is_line_area(hollow((0, 0, 9, 300)))
    assert not is_line_area(hollow((0, 0, 300, 40)))
    assert not is_line_area(leaf((0, 0, 300, 2)))


# Growing and the grid.


def test_b3_the_grid_has_a_line_for_each_side() -> None:
    """Micro page B3: areas at x 0-99 and 100-249 are in columns 0 and 1."""
    grid = make_grid([Rect(0, 0, 100, 20), Rect(100, 0, 250, 20)])

    assert grid.columns == (0, 100, 250)
    assert grid.spans == (GridSpan(0, 0, 0, 0), GridSpan(1, 0, 1, 0))


def test_sides_that_nearly_meet_are_one_line() -> None:
    """Within the tolerance, ragged sides make no columns of their own."""
    rects = [Rect(0, 0, 100, 20), Rect(2, 20, 101, 40)]

    assert make_grid(rects, 0.0).columns == (0, 2, 100, 101)
    assert make_grid(rects, 3.0).columns == (0, 100)


def test_an_area_grows_over_all_that_nothing_parts_from_it() -> None:
    """Right, left, down and up; a separator ends it."""
    column = rows((0, 20), (24, 44), (48, 68), (108, 128))
    grid = make_grid(rects_of(column.children), 3.0)
    field = SeparatedGrid(grid, area_separators(column, SPACING), 3.0)

    assert field.areas_in(grow(field, 1, lambda _: True)) == (0, 1, 2)
    assert field.areas_in(grow(field, 3, lambda _: True)) == (3,)
    assert field.areas_in(grow(field, 1, lambda area: area != 0)) == (1, 2)


def test_super_areas_enclose_what_no_separator_keeps_apart() -> None:
    """Two stories with a gap between them are two groups of headline and text."""
    stories = parent(
        *(
            leaf((0, top, 200, top + height), number, size)
            for number, (top, height, size) in enumerate(
                ((0, 20, 20.0), (24, 60, 12.0), (140, 20, 20.0), (164, 60, 12.0))
            )
        )
    )
    grouped = enclose_neighbours(stories, ORDER)

    assert [area.level for area in grouped.children] == [BY_GROUPING] * 2
    assert [[part.boxes for part in area.children] for area in grouped.children] == [
        [(0,), (1,)],
        [(2,), (3,)],
    ]


def test_a_parent_that_nothing_divides_is_whole() -> None:
    """All areas would make one group: then it is the parent itself."""
    story = parent(leaf((0, 0, 200, 20), 0, 20.0), leaf((0, 24, 200, 84), 1))

    assert enclose_neighbours(story, ORDER).whole


def test_neighbours_are_grouped_again_whatever_else_the_parent_has() -> None:
    """In the second round simple separators do not count, even if the first has found nothing."""
    apart = parent(leaf((0, 0, 200, 20), 0, 20.0), leaf((0, 60, 200, 80), 1), em=20.0)
    beside = (leaf((230, 0, 330, 20), 2), leaf((230, 24, 330, 84), 3, 20.0))
    alone = enclose_neighbours(parent(*apart.children, leaf((230, 0, 330, 84), 2)), ORDER)
    busy = enclose_neighbours(parent(*apart.children, *beside), ORDER)

    assert alone.children[0].rect == busy.children[0].rect == Rect(0, 0, 200, 80)


def test_a_line_past_all_areas_is_never_simple() -> None:
    """A coloured bar across the page parts what is above it from what is below it."""
    bar = Visual(Rect(0, 40, 200, 60), (1,), TextLook(9, 108), em=12.0, coloured=True)
    crossed = parent(leaf((0, 0, 150, 20), 0), bar, leaf((0, 80, 150, 100), 2))
    kept = without_simple(area_separators(crossed, SPACING), crossed.children)

    assert [it.rect for it in kept] == [Rect(0, 40, 200, 41), Rect(0, 59, 200, 60)]


# What is significant.


def test_a_small_frame_is_one_thing_and_a_large_one_is_not() -> None:
    """A reader takes a card as one thing, whatever is in it; half a page is not a card."""
    apart = (leaf((0, 0, 90, 20), 0), leaf((0, 80, 90, 100), 1))
    frame = Visual(Rect(0, 0, 100, 100), (2,), children=apart, border=(True, True, True, True))

    assert mark_significant(frame, limit=20_000, loose=1e6).whole
    assert not mark_significant(frame, limit=5_000, loose=1e6).whole


def test_a_group_over_separators_must_be_small() -> None:
    """The second round groups over separators; if that is large it is half a page."""
    parts = (leaf((0, 0, 90, 20), 0), leaf((0, 80, 90, 100), 1))
    group = Visual(Rect(0, 0, 100, 100), (), children=parts, level=BY_GROUPING, loose=True)

    assert mark_significant(group, limit=0, loose=20_000).whole
    assert not mark_significant(group, limit=0, loose=5_000).whole


def test_what_is_divided_inside_is_opened() -> None:
    """A group of which much is taken up by divided areas is not one thing."""
    large = leaf((0, 0, 90, 20), 1, 24.0)
    frame = Visual(Rect(0, 0, 100, 90), (0,), children=(large, leaf((0, 70, 90, 90), 2)))
    group = Visual(
        Rect(0, 0, 100, 100), (), children=(frame, leaf((0, 95, 90, 100), 3)), level=BY_GROUPING
    )

    assert not mark_significant(group, limit=0, loose=1e6).whole


# Properties.

sides = st.integers(0, 60)
lengths = st.integers(1, 40)
rectangles = st.builds(
    lambda left, top, width, height: Rect(left, top, left + width, top + height),
    *(sides, sides, lengths, lengths),
)


@given(st.lists(rectangles, max_size=12), rectangles)
def test_tiles_find_all_that_overlaps(rects: list[Rect], where: Rect) -> None:
    """No more and no less than looking at each."""
    tiles = Tiles(rects)
    expected = [number for number, rect in enumerate(rects) if rect.overlaps(where)]

    assert tiles.over(where) == expected
    assert tiles.meets(where) is bool(expected)


@given(st.lists(rectangles, min_size=2, max_size=12), st.data())
def test_tiles_forget_what_is_taken_out(rects: list[Rect], data: st.DataObject) -> None:
    """What was removed is not found any more, and the numbers of the others stay."""
    gone = data.draw(st.integers(0, len(rects) - 1))
    tiles = Tiles(rects)
    tiles.remove(gone)

    assert tiles.over(Rect(0, 0, 200, 200)) == [n for n in range(len(rects)) if n != gone]


@given(st.lists(rectangles, min_size=1, max_size=12), st.sampled_from((0.0, 3.0)))
def test_the_grid_keeps_areas_apart_that_do_not_overlap(rects: list[Rect], snap: float) -> None:
    """Each area has cells on the grid; without tolerance its cells have just its rectangle."""
    grid = make_grid(rects, snap)

    assert all(grid.whole.contains(span) for span in grid.spans)
    if snap == 0.0:
        assert [grid.rect(span) for span in grid.spans] == rects
        for (one, a), (other, b) in combinations(zip(rects, grid.spans, strict=True), 2):
            assert one.overlaps(other) == spans_meet(a, b)


@given(st.lists(rectangles, min_size=1, max_size=12))
def test_tracks_know_what_lies_on_a_row(rects: list[Rect]) -> None:
    """Asked for a whole row, a track has all areas on it."""
    grid = make_grid(rects)
    for number, track in enumerate(tracks(grid.spans, rows=True)):
        expected = {a for a, span in enumerate(grid.spans) if span.row <= number <= span.last_row}

        assert set(track.between(0, len(grid.columns))) == expected


@given(st.lists(rectangles, min_size=1, max_size=10), st.booleans())
def test_bands_have_no_area_in_them(rects: list[Rect], upright: bool) -> None:
    """A band lies between areas, and no band reaches into another one."""
    areas = [Visual(rect, (n,), em=12.0) for n, rect in enumerate(rects)]
    bands = find_bands(areas, 12.0, upright=upright)

    for band in separating(bands, PLAIN_SPACING, upright=upright):
        for rect in rects:
            start, end = (rect.left, rect.right) if upright else (rect.top, rect.bottom)
            assert end <= band.start or start >= band.end
    assert all(a.end <= b.start for a, b in pairwise(bands))


@given(st.lists(rectangles, min_size=1, max_size=9))
def test_no_step_loses_or_doubles_a_box(rects: list[Rect]) -> None:
    """After lines, leaves of one style and groups each box is in one area, and in its rectangle."""
    root = parent(*(Visual(rect, (n,), TextLook(5, 60), 12.0) for n, rect in enumerate(rects)))
    root = bottom_up(root, lambda area: find_lines(area, 1.5, SPACING) if area.children else area)
    root = bottom_up(root, lambda area: join_alike(area, ORDER))
    root = bottom_up(root, lambda area: enclose_neighbours(area, ORDER))
    leaves = [area for area in walk(root) if area.leaf]

    assert sorted(box for area in leaves for box in area.boxes) == list(range(len(rects)))
    assert all(area.rect.contains(rects[box]) for area in leaves for box in area.boxes)
    assert add_looks(area.look for area in leaves).letters == 5 * len(rects)


def test_pictures_and_texts_are_basic_areas() -> None:
    """An image is a leaf without letters, a text one with all of its own."""
    root = page(
        paint(element(image(at=(0, 0, 90, 60))), element(text("five!", at=(0, 70, 90, 86))))
    )

    assert [area.look.letters for area in root.children] == [0, 5]
