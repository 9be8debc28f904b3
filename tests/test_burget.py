"""Burget: known answers; the promises of all segmenters are in test_segmenters.py."""

from builders import GREY, element, paint, text

from webstencil.geometry import Rect
from webstencil.model import Area
from webstencil.segment import Burget

BLUE = "rgb(200, 220, 255)"


def said(area: Area, *names: str) -> tuple[float, ...]:
    """Return what an area says of itself under these names."""
    attributes = dict(area.attributes)
    return tuple(attributes[name] for name in names)


def test_b3_neighbours_share_a_line_of_the_grid() -> None:
    """Areas at x 0-99 and 100-249 are in columns 0 and 1, one column wide; a gutter is a column."""
    touching = paint(
        element(text("a", at=(0, 0, 99, 16)), at=(0, 0, 100, 200), background=GREY),
        element(text("b", at=(100, 0, 249, 16)), at=(100, 0, 249, 200), background=BLUE),
    )
    apart = paint(
        element(text("a", at=(0, 0, 99, 16)), at=(0, 0, 100, 200), background=GREY),
        element(text("b", at=(140, 0, 249, 16)), at=(140, 0, 249, 200), background=BLUE),
    )
    _, *two = Burget(leaves="all").segment(touching)
    _, *three = Burget(leaves="all").segment(apart)

    assert [said(area, "grid_column", "grid_width") for area in two] == [(0.0, 1.0), (1.0, 1.0)]
    assert [said(area, "grid_column", "grid_width") for area in three] == [(0.0, 1.0), (2.0, 1.0)]


def test_b2_box_that_lies_in_another_for_the_most_part_is_nested_in_it() -> None:
    """85 % inside is inside, 75 % is not."""

    def nested(right: float) -> bool:
        snapshot = paint(
            element(text("a", at=(0, 0, 90, 16)), at=(0, 0, 300, 400), background=GREY),
            element(
                text("b", at=(right - 100, 100, right - 20, 116)),
                at=(right - 100, 100, right, 200),
                background=BLUE,
            ),
        )
        areas = Burget(leaves="all").segment(snapshot)
        inner = next(area for area in areas if area.rect == Rect(right - 100, 100, right, 200))
        return inner.parent != 0

    assert nested(315)
    assert not nested(325)
