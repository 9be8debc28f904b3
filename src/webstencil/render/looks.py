"""Computed styles as the browser reports them, read once per distinct combination."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from webstencil.geometry import Rect
from webstencil.model import Style
from webstencil.render.colors import Color, color_of

SIDES = ("top", "right", "bottom", "left")
PROPERTIES = (  # the browser reports them in this order
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
    *(f"border-{side}-width" for side in SIDES),
    *(f"border-{side}-style" for side in SIDES),
    *(f"border-{side}-color" for side in SIDES),
)
NOT_DRAWN = frozenset({"none", "hidden"})  # border styles
OUT_OF_FLOW = frozenset({"absolute", "fixed"})
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
            look = self._make(dict(zip(PROPERTIES, values, strict=True)))
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
                position in OUT_OF_FLOW or css["float"] != "none" or display.startswith("inline-")
            ),
        )

    def _keep(self, style: Style) -> Style:
        return self._styles.setdefault(style, style)


def style_of(css: dict[str, str]) -> Style:
    """Pick what segmenters need from the computed style of an element."""
    border = tuple(_border(css, side) for side in SIDES)
    drawn = [side for side, width in zip(SIDES, border, strict=True) if width]
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
    return css["clip"] if css["clip"] != "auto" and css["position"] in OUT_OF_FLOW else ""


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
