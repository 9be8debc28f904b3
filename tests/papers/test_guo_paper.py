"""Guo et al. 2007: algorithms and figures, with the published settings."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from builders import Sketch, element, leaf_texts, line, paint, text

from webstencil.model import Area, Snapshot
from webstencil.segment import Guo
from webstencil.segment.guo import PAPER_GUO
from webstencil.segment.guo.frames import (
    NOT_ALIGNED,
    Axis,
    ConsistencyOrder,
    Glance,
    alignments,
    find_frames,
)

BLUE, GREY, BLACK = "rgb(0, 0, 150)", "rgb(120, 120, 120)", "rgb(0, 0, 0)"
PT = 96 / 72  # px
STRICT = ConsistencyOrder(0.0, 0, 0.5, 1.0)
ABSTRACT = "word " * 30
STORY = (  # words, font size, colour, height: figure 2
    ("A headline of some words", 24.0, BLUE, 28.0),
    ("By a reporter", 11.0, GREY, 14.0),
    (ABSTRACT, 14.0, BLACK, 60.0),
)


def stories(gaps: Sequence[float], *, first: float = 0.0, number: int = 4) -> list[Sketch]:
    """Sketch stories below each other, with a gap below each of their parts."""
    found = []
    top = 0.0
    for story in range(number):
        for part, (words, size, color, height) in enumerate(STORY):
            larger = first if (story, part) == (0, 0) else 0.0
            found.append(
                element(
                    text(f"{words} {story}{part}", at=(0, top, 300, top + height)),
                    font_size=size + larger,
                    color=color,
                )
            )
            top += height + gaps[part]
    return found


def with_paragraphs(snapshot: Snapshot, parts: Iterable[str]) -> Snapshot:
    """Make a P of each element whose text ends in one of these."""
    ends = tuple(parts)
    holding = {box.parent for box in snapshot.boxes if box.text.endswith(ends)}
    tags = ["p" if number in holding else "div" for number in range(len(snapshot.boxes))]
    return replace(snapshot, tags=tuple(tags))


def ends_of(snapshot: Snapshot, areas: Sequence[Area]) -> list[list[str]]:
    """Return the last words of the texts of each leaf area."""
    return [[words.split()[-1] for words in own] for own in leaf_texts(snapshot, areas)]


def kinds(areas: Sequence[Area]) -> list[tuple[str, ...]]:
    """Return the names of each area's attributes."""
    return [tuple(name for name, _ in area.attributes) for area in areas]


EACH = [[f"{story}{part}" for part in range(3)] for story in range(4)]


def test_section_3_find_blocks() -> None:
    """A frame that is not consistent gives its aligned children as blocks."""
    left = element(*(element(text(w, at=(0, y, 90, y + 15))) for w, y in (("a", 0), ("b", 20))))
    right = element(
        *(element(text(w, at=(x, 300, x + 90, 315))) for w, x in (("c", 400), ("d", 500))),
        font_size=30.0,
    )
    snapshot = paint(left, right)

    areas = PAPER_GUO.segment(snapshot)

    assert leaf_texts(snapshot, areas) == [("a", "b"), ("c", "d")]
    assert kinds(areas)[1:] == [("block", "x_aligned"), ("block", "y_aligned")]


def test_section_3_get_alignment() -> None:
    """X-aligned below each other, Y-aligned beside each other, neither if inside differs."""
    row = element(*(element(text("r", at=(x, 40, x + 50, 55))) for x in (0, 80)))
    stack = element(*(element(text("s", at=(0, y, 50, y + 15))) for y in (0, 20)))

    found = alignments(find_frames(paint(stack, row), Glance(0.0, 0.0)), frozenset(), STRICT)

    assert found[0] == NOT_ALIGNED
    assert {frozenset({Axis.X}), frozenset({Axis.Y})} <= set(found)
    assert PAPER_GUO.tolerance == STRICT.tolerance == 0.0  # `XCord != XFirst`


def test_section_4_separators_are_lines_and_white_space_above_the_mean() -> None:
    """A rule between two pairs of texts cuts them, and so does a wide gap."""
    pair = ((24.0, BLUE), (14.0, BLACK))

    def pairs(gap: float, *between: Sketch) -> Snapshot:
        tops = [0.0, 30.0, 50.0 + gap, 80.0 + gap]
        parts = [
            element(text(f"{top:g}", at=(0, top, 200, top + 20)), font_size=size, color=color)
            for top, (size, color) in zip(tops, pair * 2, strict=True)
        ]
        return paint(*parts[:2], *between, *parts[2:])

    for snapshot in (pairs(40.0), pairs(10.0, line(at=(0, 54, 200, 55)))):
        assert kinds(PAPER_GUO.segment(snapshot))[1:] == [("pattern",), ("pattern",)]
    assert len(PAPER_GUO.segment(pairs(10.0))) == 1


def test_section_4_p_is_a_separator_without_any_white_space() -> None:
    """`p { margin: 0 }`: the end of a story's last P ends the story, not the gap in it."""
    snapshot = paint(*stories((8.0, 0.0, 0.0)), size=(1000.0, 1500.0))

    shifted = replace(PAPER_GUO, paragraphs=False).segment(snapshot)

    assert ends_of(snapshot, shifted)[0] == ["01", "02", "10"]
    for paragraphs in (("1", "2"), ("2",)):
        marked = with_paragraphs(snapshot, paragraphs)
        assert ends_of(snapshot, PAPER_GUO.segment(marked)) == EACH


@pytest.mark.parametrize(
    ("larger", "color", "patterns"),
    [(0.0, BLACK, 2), (2 * PT, BLACK, 2), (3 * PT, BLACK, 0), (0.0, BLUE, 0)],
    ids=["same", "2 pt", "3 pt", "another colour"],
)
def test_section_4_styles_are_similar_within_two_points(
    larger: float, color: str, patterns: int
) -> None:
    """Font and its style are the same, and its size is within two points."""
    pair, other = ((30.0, BLACK), (12.0, GREY)), ((30.0 + larger, color), (12.0, GREY))
    tops = (0.0, 40.0, 200.0, 240.0)
    parts = zip(tops, (*pair, *other), strict=True)
    snapshot = paint(
        *(
            element(text(f"{top:g}", at=(0, top, 200, top + 30)), font_size=size, color=shade)
            for top, (size, shade) in parts
        )
    )

    areas = PAPER_GUO.segment(snapshot)

    assert sum(("pattern", 1.0) in area.attributes for area in areas) == patterns


def test_section_4_sixty_percent_in_common() -> None:
    """A sequence of five with three parts of the other is similar, one of six is not."""
    sizes = {"a": 10.0, "b": 16.0, "c": 24.0, "d": 40.0, "e": 60.0, "f": 90.0}

    def sequences(*names: str) -> int:
        found, top = [], 0.0
        for name in names:
            for sign in name:
                words = text(f"{sign}{top:g}", at=(0, top, 200, top + 20))
                found.append(element(words, font_size=sizes[sign]))
                top += 25.0
            top += 100.0
        areas = PAPER_GUO.segment(paint(*found, size=(1000.0, 2000.0)))
        return sum(("pattern", 1.0) in area.attributes for area in areas)

    assert sequences("abc", "abcde") == 2
    assert sequences("abc", "abcdef") == 0


def test_figure_1_submenus_in_boxes_of_their_own() -> None:
    """Four submenus are four patterns, however long their titles and however many their items."""
    titles = ("Books", "A title that has more letters than all of the items below it", "Toys")
    menus, tops, top = [], [], 0.0
    for number, title in enumerate((*titles, "And another title of very many letters here")):
        rows = [top + 25 + 20 * row for row in range(2 + number % 3)]
        items = (element(text("item", at=(0, y, 150, y + 15)), color=BLUE) for y in rows)
        heading = element(text(title, at=(0, top, 150, top + 18)), font_weight=700)
        menus.append(element(heading, element(*items)))
        tops.append(top)
        top = rows[-1] + 45
    snapshot = paint(*menus, size=(1000.0, 1500.0))

    areas = PAPER_GUO.segment(snapshot)

    assert kinds(areas)[1:] == [("pattern",)] * 4
    assert [area.rect.top for area in areas[1:]] == tops


@pytest.mark.parametrize("first", [0.0, 2 * PT], ids=["as large", "2 pt larger"])
def test_figure_2_a_story_is_a_pattern(first: float) -> None:
    """Headline, byline, abstract; the first headline is a little larger than the others."""
    snapshot = paint(*stories((5.0, 2.0, 20.0), first=first), size=(1000.0, 1500.0))

    areas = PAPER_GUO.segment(snapshot)

    assert kinds(areas) == [("block", "group", "x_aligned"), *[("pattern",)] * 4]
    assert ends_of(snapshot, areas) == EACH


def test_figure_2_running_text_stays_together_by_default() -> None:
    """By default stories of running text in one column are one text, as `flow` says."""
    snapshot = paint(*stories((5.0, 2.0, 20.0)), size=(1000.0, 1500.0))

    assert ends_of(snapshot, Guo().segment(snapshot)) == [[end for story in EACH for end in story]]
    assert ends_of(snapshot, Guo(flow=False).segment(snapshot)) == EACH


def test_figure_3_a_sublist_is_a_block_with_its_title() -> None:
    """Sublists beside each other are blocks, each with its title."""

    def sublist(left: float, *words: str) -> Sketch:
        title = element(text(words[0], at=(left, 0, left + 100, 20)), font_weight=700)
        items = (
            element(text(word, at=(left, 30 + 20 * row, left + 100, 45 + 20 * row)))
            for row, word in enumerate(words[1:])
        )
        return element(title, element(*items))

    snapshot = paint(element(sublist(0, "Tools", "a", "b"), sublist(300, "Courses", "c", "d", "e")))

    areas = PAPER_GUO.segment(snapshot)

    assert leaf_texts(snapshot, areas) == [("Tools", "a", "b"), ("Courses", "c", "d", "e")]


def test_figure_4_rows_of_a_table_win_over_its_columns() -> None:
    """The paper calls this incorrect, and so it comes out."""
    rows = [
        element(*(element(text(f"{x}{y}", at=(x, y, x + 80, y + 15))) for x in (0, 300, 600)))
        for y in (0, 20, 40)
    ]
    other = element(text("below", at=(500, 200, 700, 215)))
    snapshot = paint(element(*rows), other)

    areas = PAPER_GUO.segment(snapshot)

    assert [len(own) for own in leaf_texts(snapshot, areas)] == [3, 3, 3, 1]
