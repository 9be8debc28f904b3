"""From a browser's snapshot to boxes, without a browser."""

import pytest

from webstencil.geometry import Rect
from webstencil.render.boxes import merge_lines, pair
from webstencil.render.looks import cut_out

BOX = Rect(100, 100, 300, 200)


@pytest.mark.parametrize(
    ("cut", "rest"),
    [
        ("inset(10px)", Rect(110, 110, 290, 190)),
        ("inset(10px 20px)", Rect(120, 110, 280, 190)),
        ("inset(0px 0px 50% 10% round 4px)", Rect(120, 100, 300, 150)),
        ("rect(10px, 50px, 20px, 5px)", Rect(105, 110, 150, 120)),
        ("rect(auto, auto, auto, auto)", BOX),
    ],
)
def test_cut_out_is_what_clip_properties_leave(cut: str, rest: Rect) -> None:
    """Lengths and percentages, from the sides or from the corner."""
    assert cut_out(cut, BOX) == rest


@pytest.mark.parametrize(
    "cut", ["inset(50%)", "rect(0px, 0px, 0px, 0px)", "circle(0px at 0px 0px)"]
)
def test_cuts_of_hidden_text_leave_nothing(cut: str) -> None:
    """The ways in which pages keep text for screen readers only."""
    assert cut_out(cut, BOX).empty


def test_lines_are_merged_where_pieces_touch() -> None:
    """Pieces of one line become one; a gap, another height or another line keeps them apart."""
    pieces = [
        Rect(0, 0, 10, 20),
        Rect(10.02, 0, 30, 20),  # touches
        Rect(40, 0, 50, 20),  # after a gap
        Rect(50, 0, 60, 25),  # higher
        Rect(0, 30, 10, 50),  # below
        Rect(-10, 30, 0, 50),  # right to left
    ]

    assert merge_lines(pieces) == [
        Rect(0, 0, 30, 20),
        Rect(40, 0, 50, 20),
        Rect(50, 0, 60, 25),
        Rect(-10, 30, 10, 50),
    ]


@pytest.mark.parametrize(
    ("pieces", "texts", "answers"),
    [
        (["a"], ["a"], [0]),
        (["a", "b"], ["a", "b"], [0, 1]),
        (["x", "x", "x"], ["x", "x", "x"], [0, 1, 2]),
        (["ab", "cd", "e"], ["abcd", "e"], [0, 0, 1]),
        (["a b"], ["\n a\tb"], [0]),
        (["b"], ["a", "b"], [1]),
        (["?", "b"], ["a", "b"], [None, 1]),
        (["a"], [], [None]),
    ],
)
def test_pieces_are_paired_with_texts_in_order(
    pieces: list[str], texts: list[str], answers: list[int | None]
) -> None:
    """Browsers break long texts, and parsers differ in white space; contents decide."""
    assert pair(pieces, texts) == answers
