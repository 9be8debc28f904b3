"""Guo et al.: the frame tree, made of the boxes of a snapshot."""

from collections.abc import Sequence

import pytest
from builders import Sketch, element, image, inline, line, paint, text

from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, Snapshot
from webstencil.segment.guo.frames import IMAGE, Frame, FrameStyle, Glance, find_frames

EVERYTHING = Glance(0.0, 0.0)  # nothing is too small to be divided
PLAIN = FrameStyle("sans-serif", 16.0, ("rgb(0, 0, 0)", False, False, False))


def column(*texts: str, left: float = 0, top: float = 0) -> list[Sketch]:
    """Sketch lines of text below each other, each in a block of its own."""
    return [
        element(text(words, at=(left, top + 20 * row, left + 100, top + 20 * row + 15)))
        for row, words in enumerate(texts)
    ]


def frame_texts(snapshot: Snapshot, frames: Sequence[Frame]) -> list[str]:
    """Return the texts of each leaf frame."""
    ends = list(range(1, len(snapshot.boxes) + 1))
    for index in range(len(ends) - 1, 0, -1):
        parent = snapshot.boxes[index].parent
        ends[parent] = max(ends[parent], ends[index])
    return [
        " ".join(
            snapshot.boxes[inner].text
            for box in frame.boxes
            for inner in range(box, ends[box])
            if snapshot.boxes[inner].text
        )
        for frame in frames
        if frame.leaf
    ]


def test_what_flows_in_lines_is_one_leaf() -> None:
    """A link in a paragraph is no frame: it would never be aligned with anything."""
    paragraph = element(
        text("See", at=(0, 0, 30, 15)),
        inline(text("this page", at=(35, 0, 90, 15))),
        text("for more.", at=(95, 0, 150, 15)),
    )
    snapshot = paint(paragraph, element(text("Next", at=(0, 30, 50, 45))))

    frames = find_frames(snapshot, EVERYTHING)

    assert frame_texts(snapshot, frames) == ["See this page for more.", "Next"]


def test_inline_boxes_between_blocks_are_one_leaf() -> None:
    """Text beside blocks stands in lines of its own, as CSS has it."""
    snapshot = paint(
        text("one", at=(0, 0, 30, 15)),
        inline(text("two", at=(35, 0, 60, 15))),
        element(text("block", at=(0, 20, 60, 35))),
        text("three", at=(0, 40, 60, 55)),
    )

    frames = find_frames(snapshot, EVERYTHING)

    assert frame_texts(snapshot, frames) == ["one two", "block", "three"]


def test_wrappers_are_one_frame() -> None:
    """Boxes that are each other's only content count once, as large as the outermost."""
    wrapped = element(element(*column("a", "b")), at=(0, 0, 500, 60))
    frames = find_frames(paint(wrapped, *column("c", top=100)), EVERYTHING)

    assert [(frame.parent, frame.children) for frame in frames] == [
        (NO_PARENT, (1, 4)),
        (0, (2, 3)),
        (1, ()),
        (1, ()),
        (0, ()),
    ]
    assert (frames[1].rect, frames[1].seen) == (Rect(0, 0, 500, 60), Rect(0, 0, 100, 35))


def test_hidden_and_empty_boxes_are_no_frames() -> None:
    """What nobody sees is not there."""
    hidden = element(text("hidden", at=(0, 0, 50, 15), visible=False))
    empty = element(at=(0, 20, 100, 80))
    snapshot = paint(hidden, empty, *column("a", "b", top=100))

    frames = find_frames(snapshot, EVERYTHING)

    assert frame_texts(snapshot, frames) == ["a", "b"]


def test_level_line_marks_the_frame_before_it() -> None:
    """HR is a separator and no content; a line at the top parts nothing."""
    rule = line(at=(0, 20, 500, 22))
    top = line(at=(0, -5, 500, -3))
    frames = find_frames(paint(top, *column("a"), rule, *column("b", top=30)), EVERYTHING)

    assert [frame.ruled for frame in frames] == [False, True, False]


def test_upright_line_is_no_separator() -> None:
    """Bars between the items of a menu do not part it."""
    bar = line(at=(110, 0, 112, 20))
    frames = find_frames(paint(*column("a"), bar, *column("b", left=120)), EVERYTHING)

    assert not any(frame.ruled for frame in frames)


@pytest.mark.parametrize(
    ("glance", "texts"),
    [
        (EVERYTHING, ["a", "b", "c"]),
        (Glance(80.0, 0.0), ["a b", "c"]),
        (Glance(0.0, 1.0), ["a b", "c"]),
    ],
    ids=["all", "small", "low"],
)
def test_what_is_seen_at_a_glance_is_a_leaf(glance: Glance, texts: list[str]) -> None:
    """A small frame, or a row of one line, is not divided."""
    snapshot = paint(element(*column("a"), *column("b", left=120)), *column("c", top=100))

    assert frame_texts(snapshot, find_frames(snapshot, glance)) == texts


def test_style_of_a_frame_is_that_of_most_of_its_letters() -> None:
    """One bold word does not make a bold paragraph; without text it looks like an image."""
    words = text("a long enough sentence", at=(0, 0, 200, 15))
    bold = inline(text("word", at=(205, 0, 240, 15)), font_weight=700)
    frames = find_frames(paint(element(words, bold), image(at=(0, 50, 90, 90))), EVERYTHING)

    assert [(frame.look, frame.letters) for frame in frames[1:]] == [(PLAIN, 26), (IMAGE, 0)]
