"""Box Clustering Segmentation: the colour by which a box is compared with others."""

import re
from colorsys import hsv_to_rgb, rgb_to_hsv
from typing import TypeAlias

from webstencil.model import Style

Colour: TypeAlias = tuple[float, float, float]  # red, green, blue, each 0..1

WHITE: Colour = (1.0, 1.0, 1.0)
# Stands for the average tone of a picture, which snapshots do not have: as far from black as from
# white, so that a picture is like other pictures and unlike any text.
PICTURE: Colour = (0.5, 0.5, 0.5)

NUMBER = re.compile(r"[\d.]+")

# How emphasis changes a colour (reference implementation).
UNDERLINED = 0.2
ITALIC = -0.2
BOLD = 0.3
BOLD_WEIGHT = 600  # the smallest CSS font weight that looks bold
LEAST_BRIGHTNESS = 0.2  # black could not be darkened
WHITE_SATURATION = 0.2  # of the background's hue, in white text


def read_colour(css: str, behind: Colour = WHITE) -> Colour:
    """Parse `rgb()` or `rgba()` over the colour behind it; other texts give that one."""
    numbers = [float(number) for number in NUMBER.findall(css)]
    if not css.startswith("rgb") or len(numbers) not in {3, 4}:
        return behind
    alpha = min(1.0, numbers[3]) if len(numbers) == 4 else 1.0
    red, green, blue = (
        min(1.0, part / 255) * alpha + back * (1 - alpha)
        for part, back in zip(numbers[:3], behind, strict=True)
    )
    return red, green, blue


def text_colour(style: Style, backdrop: str, *, emphasis: bool) -> Colour:
    """Return the colour of a text; with `emphasis`, changed by its font."""
    behind = read_colour(backdrop)
    colour = read_colour(style.color, behind)
    return emphasised(colour, behind, style) if emphasis else colour


def emphasised(colour: Colour, behind: Colour, style: Style) -> Colour:
    """Change the saturation of coloured text and the brightness of grey text by its emphasis."""
    hue, saturation, brightness = rgb_to_hsv(*colour)
    change = UNDERLINED * style.underline + ITALIC * style.italic
    change += BOLD * (style.font_weight >= BOLD_WEIGHT)
    if colour == WHITE:
        return hsv_to_rgb(rgb_to_hsv(*behind)[0], WHITE_SATURATION, 1.0)
    if saturation:
        return hsv_to_rgb(hue, _clamped(saturation + change), brightness)
    return hsv_to_rgb(hue, 0.0, _clamped(max(brightness, LEAST_BRIGHTNESS) - change))


def _clamped(share: float) -> float:
    return min(1.0, max(0.0, share))
