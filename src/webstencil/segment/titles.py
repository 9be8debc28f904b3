"""Find boxes that begin with a title: a line that is larger or bolder than the text below."""

from collections.abc import Sequence

from webstencil.model import Box

LONGEST = 100  # characters of a title


def titled_of(
    boxes: Sequence[Box], children: Sequence[Sequence[int]], characters: Sequence[int]
) -> list[bool]:
    """Return whether each box begins with a title; `children` are those with content."""
    longest = longest_of(boxes, children)
    return [
        len(within) > 1
        and characters[within[0]] < LONGEST
        and larger(boxes[longest[within[0]]], boxes[longest[index]])
        for index, within in enumerate(children)
    ]


def longest_of(boxes: Sequence[Box], children: Sequence[Sequence[int]]) -> list[int]:
    """Return the first of the longest texts in each box, the box itself if it has none."""
    longest = list(range(len(boxes)))
    for index in range(len(boxes) - 1, -1, -1):
        for child in reversed(children[index]):
            if len(boxes[longest[child]].text) >= len(boxes[longest[index]].text):
                longest[index] = longest[child]
    return longest


def larger(title: Box, text: Box) -> bool:
    """Return whether a text is larger than another one, or as large and bolder."""
    one, other = title.style, text.style
    sizes = (one.font_size, one.font_weight), (other.font_size, other.font_weight)
    return bool(title.text) and sizes[0] > sizes[1]
