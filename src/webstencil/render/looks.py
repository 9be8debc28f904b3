"""Computed styles and colours as the browser reports them, read once per distinct combination."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from webstencil.geometry import Rect
from webstencil.model import Style

# CSS colours as a browser computes them, made plain: `rgb()` or `rgba()` whatever the page wrote.
#
# The matrices and curves are those of CSS Color Module Level 4, section 18.


Triple: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Triple, Triple, Triple]


class Color(NamedTuple):
    """A colour of the sRGB space."""

    red: float  # 0..255
    green: float  # 0..255
    blue: float  # 0..255
    alpha: float  # 0..1

    def __str__(self) -> str:
        red, green, blue = round(self.red), round(self.green), round(self.blue)
        if self.alpha >= 1:
            return f"rgb({red}, {green}, {blue})"
        return f"rgba({red}, {green}, {blue}, {self.alpha:g})"

    def over(self, below: "Color") -> "Color":
        """Return what is seen where this colour lies on an opaque one."""
        alpha = self.alpha
        mixed = [a * alpha + b * (1 - alpha) for a, b in zip(self[:3], below[:3], strict=True)]
        return Color(mixed[0], mixed[1], mixed[2], 1.0)


WHITE_PAGE = Color(255.0, 255.0, 255.0, 1.0)
TRANSPARENT = Color(0.0, 0.0, 0.0, 0.0)

CSS_NUMBER = re.compile(r"none|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
FUNCTION = re.compile(r"(?:color\()?\s*([a-z][a-z0-9-]*)[\s(]", re.IGNORECASE)

XYZ_TO_SRGB: Matrix = (
    (3.2409699, -1.5373832, -0.4986108),
    (-0.9692436, 1.8759675, 0.0415551),
    (0.0556301, -0.2039770, 1.0569715),
)
P3_TO_XYZ: Matrix = (
    (0.4865709, 0.2656677, 0.1982173),
    (0.2289746, 0.6917385, 0.0792869),
    (0.0, 0.0451134, 1.0439444),
)
D50_TO_D65: Matrix = (
    (0.9554734, -0.0230985, 0.0632593),
    (-0.0283697, 1.0099955, 0.0210414),
    (0.0123140, -0.0205077, 1.3303659),
)
OKLAB_TO_LMS: Matrix = (
    (1.0, 0.3963378, 0.2158038),
    (1.0, -0.1055613, -0.0638542),
    (1.0, -0.0894842, -1.2914855),
)
LMS_TO_SRGB: Matrix = (
    (4.0767417, -3.3077116, 0.2309699),
    (-1.2684380, 2.6097574, -0.3413194),
    (-0.0041961, -0.7034186, 1.7076147),
)
D50_WHITE: Triple = (0.9642957, 1.0, 0.8251046)
LAB_EPSILON = 216 / 24389
LAB_KAPPA = 24389 / 27


@lru_cache(maxsize=4096)
def color_of(css: str) -> Color:
    """Read a computed colour; anything else is transparent."""
    named = FUNCTION.match(css)
    numbers = [0.0 if n.lower() == "none" else float(n) for n in _numbers(css)]
    if named is None or len(numbers) < 3:
        return TRANSPARENT
    space = named.group(1).lower()
    first = (numbers[0], numbers[1], numbers[2])
    alpha = numbers[3] if len(numbers) > 3 else 1.0
    if space in {"rgb", "rgba"}:
        return Color(*first, alpha)
    red, green, blue = (_to_byte(value) for value in COLOR_SPACES.get(space, _unchanged)(first))
    return Color(red, green, blue, alpha)


def _numbers(css: str) -> list[str]:
    """Find the numbers, but not those in the name of a space such as display-p3."""
    return CSS_NUMBER.findall(re.sub(r"\b[a-z][a-z0-9]*-[a-z0-9-]+", " ", css, flags=re.IGNORECASE))


def _to_byte(value: float) -> float:
    return min(max(value, 0.0), 1.0) * 255


def _unchanged(values: Triple) -> Triple:
    return values


def _encode(linear: Triple) -> Triple:
    red, green, blue = (
        value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
        for value in linear
    )
    return red, green, blue


def _decode(encoded: Triple) -> Triple:
    red, green, blue = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in encoded
    )
    return red, green, blue


def _times(matrix: Matrix, values: Triple) -> Triple:
    x, y, z = (sum(a * b for a, b in zip(row, values, strict=True)) for row in matrix)
    return x, y, z


def _from_xyz(values: Triple) -> Triple:
    return _encode(_times(XYZ_TO_SRGB, values))


def _from_p3(values: Triple) -> Triple:
    return _from_xyz(_times(P3_TO_XYZ, _decode(values)))


def _from_oklab(values: Triple) -> Triple:
    long, medium, short = (value**3 for value in _times(OKLAB_TO_LMS, values))
    return _encode(_times(LMS_TO_SRGB, (long, medium, short)))


def _from_lab(values: Triple) -> Triple:
    lightness, a, b = values
    y = (lightness + 16) / 116
    curved = (_uncurve(y + a / 500), _uncurve(y), _uncurve(y - b / 200))
    xyz = tuple(value * white for value, white in zip(curved, D50_WHITE, strict=True))
    return _from_xyz(_times(D50_TO_D65, (xyz[0], xyz[1], xyz[2])))


def _uncurve(value: float) -> float:
    cube = value**3
    return cube if cube > LAB_EPSILON else (116 * value - 16) / LAB_KAPPA


def _polar(values: Triple) -> Triple:
    lightness, chroma, hue = values
    angle = math.radians(hue)
    return lightness, chroma * math.cos(angle), chroma * math.sin(angle)


COLOR_SPACES: dict[str, Callable[[Triple], Triple]] = {
    "srgb-linear": _encode,
    "display-p3": _from_p3,
    "xyz": _from_xyz,
    "xyz-d65": _from_xyz,
    "lab": _from_lab,
    "lch": lambda values: _from_lab(_polar(values)),
    "oklab": _from_oklab,
    "oklch": lambda values: _from_oklab(_polar(values)),
}


BOX_SIDES = ("top", "right", "bottom", "left")
CSS_PROPERTIES = (  # the browser reports them in this order
    "display",
    "position",
    "float",
    "font-family",
    "font-size",
    "font-weight",
    "font-style",
    "text-decoration-line",
    "color",
    "background-color",
    "background-image",
    "visibility",
    "opacity",
    "overflow-x",
    "overflow-y",
    "clip",
    "clip-path",
    "transform",
    *(f"border-{side}-width" for side in BOX_SIDES),
    *(f"border-{side}-style" for side in BOX_SIDES),
    *(f"border-{side}-color" for side in BOX_SIDES),
)
NOT_DRAWN = frozenset({"none", "hidden"})  # border styles
OUT_OF_FLOW_POSITIONS = frozenset({"absolute", "fixed"})
# CSS 2.2, section 11.1.1: overflow applies to block containers only.
NEVER_CLIPPING = frozenset(
    {"inline", "table-row", "table-row-group", "table-header-group", "table-footer-group"}
)
VISIBLE = ("visible", "visible")
LENGTH = re.compile(r"-?[\d.]+(?:e-?\d+)?(?:px|%)?|auto")


@dataclass(frozen=True, slots=True)
class BoxLook:
    """What the computed style of a box says, apart from the boxes around it."""

    style: Style
    underlined: Style  # the same if an ancestor draws the line
    background: Color
    visible: bool
    opacity: float  # 0..1, without the ancestors'
    position: str
    transformed: bool
    overflow: tuple[str, str]  # across and down; "visible" where it does not apply
    cut: str  # the CSS property "clip" or "clip-path", whichever takes effect, empty if none
    starts_decoration: bool  # ancestors' underlines end here

    @property
    def plain(self) -> bool:
        """Return whether nothing changes for the boxes inside, underlines of ancestors apart."""
        return (
            self.position == "static"
            and self.overflow == VISIBLE
            and self.background.alpha == 0
            and self.opacity == 1
            and not (self.transformed or self.cut or self.style.underline)
        )


class Looks:
    """Reads looks and keeps them: equal styles are one object."""

    def __init__(self, strings: Sequence[str]) -> None:
        self._strings = strings
        self._looks: dict[tuple[int, ...], BoxLook] = {}
        self._styles: dict[Style, Style] = {}

    def read(self, indexes: Sequence[int]) -> BoxLook:
        """Return the look that belongs to a list of indexes into the snapshot's strings."""
        key = tuple(indexes)
        look = self._looks.get(key)
        if look is None:
            values = (self._strings[index] for index in key)
            look = self._make(dict(zip(CSS_PROPERTIES, values, strict=True)))
            self._looks[key] = look
        return look

    def _make(self, css: dict[str, str]) -> BoxLook:
        style = style_of(css)
        position, display = css["position"], css["display"]
        overflow = (css["overflow-x"], css["overflow-y"])
        return BoxLook(
            style=self._keep(style),
            underlined=self._keep(replace(style, underline=True)),
            background=color_of(css["background-color"]),
            visible=css["visibility"] == "visible",
            opacity=float(css["opacity"]),
            position=position,
            transformed=css["transform"] != "none",
            overflow=VISIBLE if display in NEVER_CLIPPING else overflow,
            cut=_cut(css),
            starts_decoration=(
                position in OUT_OF_FLOW_POSITIONS
                or css["float"] != "none"
                or display.startswith("inline-")
            ),
        )

    def _keep(self, style: Style) -> Style:
        return self._styles.setdefault(style, style)


def style_of(css: dict[str, str]) -> Style:
    """Pick what segmenters need from the computed style of an element."""
    border = tuple(_border(css, side) for side in BOX_SIDES)
    drawn = [side for side, width in zip(BOX_SIDES, border, strict=True) if width]
    background = color_of(css["background-color"])
    return Style(
        display=css["display"],
        position=css["position"],
        floating=css["float"],
        font_family=css["font-family"],
        font_size=_pixels(css["font-size"]),
        font_weight=round(float(css["font-weight"])),
        italic=css["font-style"] != "normal",
        underline="underline" in css["text-decoration-line"],
        color=str(color_of(css["color"])),
        background=str(background) if background.alpha else "",
        background_image=css["background-image"] != "none",
        border=(border[0], border[1], border[2], border[3]),
        border_color=str(color_of(css[f"border-{drawn[0]}-color"])) if drawn else "",
    )


def _border(css: dict[str, str], side: str) -> float:
    if css[f"border-{side}-style"] in NOT_DRAWN or not color_of(css[f"border-{side}-color"]).alpha:
        return 0.0
    return _pixels(css[f"border-{side}-width"])


def _pixels(length: str) -> float:
    return float(length.removesuffix("px"))


def _cut(css: dict[str, str]) -> str:
    path = css["clip-path"]
    if path.startswith(("inset(", "rect(", "circle(0")) and "calc" not in path:
        return path
    return css["clip"] if css["clip"] != "auto" and css["position"] in OUT_OF_FLOW_POSITIONS else ""


def cut_out(cut: str, box: Rect) -> Rect:
    """Return the part of a box that its "clip" or "clip-path" leaves; it may be empty."""
    shape, _, arguments = cut.partition("(")
    edges = LENGTH.findall(arguments.partition("round")[0])
    if shape == "circle" or not edges:
        return Rect(box.left, box.top, box.left, box.top)
    top, right, bottom, left = _four(edges)
    start = (box.left + _length(left, box.width, 0.0), box.top + _length(top, box.height, 0.0))
    if shape == "inset":
        end = (box.right - _length(right, box.width), box.bottom - _length(bottom, box.height))
    else:
        end = (box.left + _length(right, box.width), box.top + _length(bottom, box.height))
    return Rect(*start, *end)


def _four(edges: list[str]) -> tuple[str, str, str, str]:
    """Complete a list of one to four sides as CSS does: the missing ones equal the opposite."""
    top = edges[0]
    right = edges[1] if len(edges) > 1 else top
    return top, right, edges[2] if len(edges) > 2 else top, edges[3] if len(edges) > 3 else right


def _length(css: str, whole: float, auto: float | None = None) -> float:
    if css == "auto":
        return whole if auto is None else auto
    return float(css[:-1]) * whole / 100 if css.endswith("%") else _pixels(css)
