"""CSS colours made plain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstencil.render.looks import TRANSPARENT, WHITE_PAGE, Color, color_of

SAMPLES = {
    "rgb(1, 2, 3)": "rgb(1, 2, 3)",
    "rgba(1, 2, 3, 0.5)": "rgba(1, 2, 3, 0.5)",
    "rgba(0, 0, 0, 0)": "rgba(0, 0, 0, 0)",
    "color(srgb 0.5 0 1e-7)": "rgb(128, 0, 0)",
    "color(srgb-linear 0.5 0.5 0.5)": "rgb(188, 188, 188)",
    "color(display-p3 0.6 0.6 0.6 / 0.25)": "rgba(153, 153, 153, 0.25)",
    "color(xyz-d65 0.9505 1 1.089)": "rgb(255, 255, 255)",
    "lab(54.2917 80.8125 69.8851)": "rgb(255, 0, 0)",
    "lch(50 0 0)": "rgb(119, 119, 119)",
    "oklab(1 0 0)": "rgb(255, 255, 255)",
    "oklch(0.627955 0.257683 29.2339)": "rgb(255, 0, 0)",
    "oklch(0.5 none none / 0.5)": "rgba(99, 99, 99, 0.5)",
}


@pytest.mark.parametrize(("css", "plain"), SAMPLES.items())
def test_every_space_becomes_rgb(css: str, plain: str) -> None:
    """Whatever a page wrote, segmenters see rgb() or rgba()."""
    assert str(color_of(css)) == plain


@pytest.mark.parametrize("css", ["", "none", "currentcolor", "url(x)", "rgb(1)"])
def test_what_is_no_colour_is_transparent(css: str) -> None:
    """Nothing that a browser reports breaks a page."""
    assert color_of(css) == TRANSPARENT


channel = st.integers(0, 255)


@given(channel, channel, channel)
def test_opaque_colours_survive_a_round_trip(red: int, green: int, blue: int) -> None:
    """Reading what was written gives the same colour, and it hides what is below."""
    color = Color(red, green, blue, 1.0)

    assert color_of(str(color)) == color
    assert color.over(WHITE_PAGE) == color


def test_thin_colours_mix_with_what_is_below() -> None:
    """Half black on white is grey; nothing on white is white."""
    assert str(Color(0, 0, 0, 0.5).over(WHITE_PAGE)) == "rgb(128, 128, 128)"
    assert TRANSPARENT.over(WHITE_PAGE) == WHITE_PAGE
