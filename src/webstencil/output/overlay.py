"""Draw the areas of a page to scale: over its screenshot, as an SVG, or as boxes for a template."""

import math
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from webstencil.area_kinds import AreaKind
from webstencil.geometry import Rect
from webstencil.model import Area, PageArea, Snapshot
from webstencil.output.files import short_name
from webstencil.site.slots import SLOT

# Colours of the levels, outermost first: far apart in hue, readable on white and on photographs.
COLOURS = ("#d81b60", "#1e88e5", "#2e7d32", "#e65100", "#6a1b9a", "#00838f", "#5d4037", "#37474f")
HUES = 24  # of slots; then they begin again
GOLDEN_ANGLE = 137.508  # degrees
NO_SLOT = "#777"
FRAME_WIDTH = 2.0  # px
MARGIN = 2.0  # px between a leaf's frame and its content
OUTER_MARGIN = 4.0  # px for inner areas, so that a frame around one leaf stays visible
FILL = 0.07  # opacity of a leaf's tint
LABEL_SIZE = 11  # px
LABEL_WIDTH = 7  # px per character
NARROW = 350  # px; a narrower frame has its label outside

# Boxes of a template.
COLOURED_KINDS = frozenset(map(str, AreaKind))  # those that the style sheet has a colour for
LETTER_HEIGHT = 0.026  # of the picture's width: 13 px where it is 500 px wide
LOWEST_SLOT = 0.3  # of a letter's height: a lower slot has no label
LETTER_WIDTH = 0.6  # of a letter's height
NARROWEST_PICTURE = 100.0  # px; a smaller picture cannot be read
THUMBNAIL = 1.25  # times its width is the most that a small picture shows of a page's height
MOST_SHAPES = 2000  # drawn of a page
SCREENSHOTS = "pictures"  # folder in an HTML output
SHRUNK = 3  # px of a page per px of its picture: 455 px wide, 0.1 to 0.3 MB


@dataclass(frozen=True, slots=True)
class DrawnArea:
    """An area as drawn."""

    number: int
    rect: Rect
    kind: str | None
    depth: int  # areas around it
    leaf: bool  # it holds no other area
    slot: int | None = None  # of the site, None if it has none
    name: str = ""  # of the slot
    of_site: bool = False  # it is drawn by slot, as the areas of a site are

    @property
    def shown(self) -> str:
        """Return the number to draw: the slot's, the same on all pages, else the area's."""
        return str(self.number) if not self.of_site else str(self.slot or "")

    @property
    def words(self) -> str:
        what = self.name if self.of_site else self.kind or ""
        return f"{self.shown} {what}".strip()

    @property
    def colour(self) -> str:
        """Return the colour of its slot, or else of its level."""
        if self.of_site:
            return NO_SLOT if self.slot is None else f"hsl({slot_hue(self.slot)},70%,36%)"
        return COLOURS[self.depth % len(COLOURS)]


def slot_hue(slot: int) -> int:
    """Return the hue of a slot, 0..359: those of slots with near numbers are far apart."""
    return round(slot % HUES * GOLDEN_ANGLE) % 360


def outlines(areas: Iterable[Area]) -> list[DrawnArea]:
    """Return the areas of a snapshot or a stencil that can be drawn."""
    return _drawn((number, area.around, area) for number, area in enumerate(areas))


def slot_outlines(areas: Sequence[Area], names: Mapping[int, str]) -> list[DrawnArea]:
    """Return the areas of a template that can be drawn, with the names of slots."""
    drawn = []
    for one in outlines(areas):
        number = dict(areas[one.number].attributes).get(SLOT)
        slot = None if number is None else int(number)
        name = "" if slot is None else names.get(slot, "")
        drawn.append(replace(one, slot=slot, name=name, of_site=True))
    return drawn


def page_outlines(areas: Sequence[PageArea]) -> list[DrawnArea]:
    """Return the areas of a page that can be drawn; those like none of the stencil cannot.

    Of a slot that repeats only one typical place is known: it is drawn once.
    """
    if not any(area.name for area in areas):
        return _drawn((area.id, area.parent, area) for area in areas)
    first: dict[int, PageArea] = {}
    for area in areas:
        if area.slot is not None:
            first.setdefault(area.slot, area)
    found = _drawn((area.id, area.parent, area) for area in first.values())
    of = {area.id: area for area in areas}
    return [
        replace(one, slot=of[one.number].slot, name=of[one.number].name, of_site=True)
        for one in found
    ]


def _drawn(areas: Iterable[tuple[int, int | None, Area | PageArea]]) -> list[DrawnArea]:
    """Return those to draw of areas with their numbers and their parents': what can be seen."""
    kept = []
    for number, around, area in areas:
        rect = area.rect
        finite = math.isfinite(rect.width) and math.isfinite(rect.height)
        if finite and not rect.empty and rect.right > 0 and rect.bottom > 0:
            kept.append((number, around, area))
    holders = {around for _, around, _ in kept}
    depths: dict[int | None, int] = {}
    found = []
    for number, around, area in kept:
        depths[number] = depths.get(around, -1) + 1
        leaf = number not in holders
        found.append(DrawnArea(number, area.rect, area.kind, depths[number], leaf))
    return found


def overlay(snapshot: Snapshot, areas: Iterable[Area]) -> str:
    """Draw the areas over the snapshot's screenshot, or over white if it has none."""
    return overlaid(snapshot, outlines(areas))


def overlaid(snapshot: Snapshot, areas: Iterable[DrawnArea]) -> str:
    """Draw areas over the snapshot's screenshot, or over white if it has none."""
    width, height = round(snapshot.rect.width), round(snapshot.rect.height)
    page = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    if snapshot.screenshot is not None:
        data = b64encode(snapshot.screenshot).decode("ascii")
        across, down = png_size(snapshot.screenshot)
        page = f'<image width="{across}" height="{down}" href="data:image/png;base64,{data}"/>'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="{LABEL_SIZE}">',
            f"<title>{escape(snapshot.url)}</title>",
            page,
            *map(frame, areas),
            "</svg>\n",
        )
    )


def png_size(picture: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG; a screenshot may show a part of a giant page."""
    return int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])


def frame(area: DrawnArea) -> str:
    """Draw an area as a frame in its colour: tinted and labelled, or dashed if it holds others."""
    by = MARGIN if area.leaf else OUTER_MARGIN
    left, top, right, bottom = area.rect.left, area.rect.top, area.rect.right, area.rect.bottom
    rect = Rect(left - by, top - by, right + by, bottom + by)
    fill = f'fill="{area.colour}" fill-opacity="{FILL}"' if area.leaf else 'fill="none"'
    dash = "" if area.leaf else ' stroke-dasharray="6 4"'
    return (
        f'<rect x="{rect.left:g}" y="{rect.top:g}" width="{rect.width:g}" '
        f'height="{rect.height:g}" {fill} stroke="{area.colour}" '
        f'stroke-width="{FRAME_WIDTH:g}"{dash}/>'
    ) + (_tag(rect, area.words, area.colour) if area.leaf else "")


def _tag(rect: Rect, words: str, colour: str) -> str:
    """Draw a label in the upper right corner, where pages have the least text.

    In a narrow frame it would hide the content, so there it is above the frame.
    """
    width, height = LABEL_WIDTH * len(words) + 4, LABEL_SIZE + 3
    above = rect.width < NARROW and rect.top >= height
    left, top = max(rect.right - width, 0.0), rect.top - height if above else rect.top
    return (
        f'<rect x="{left:g}" y="{top:g}" width="{width}" height="{height}" '
        f'fill="{colour}" fill-opacity="0.85"/><text x="{left + 2:g}" '
        f'y="{top + LABEL_SIZE:g}" fill="#fff">{escape(words)}</text>'
    )


@dataclass(frozen=True, slots=True)
class BoxShape:
    """A box of a picture."""

    anchor: str  # of the box
    mark: str  # what boxes and rows have in common: number of the area, or of the slot
    left: float
    top: float
    width: float
    height: float
    path: str  # its outline, as SVG has it
    colour: str  # a class of the style sheet
    leaf: bool  # it holds no other box
    label: str  # empty if it would not fit
    title: str  # what it is
    faint: bool  # another slot is shown


@dataclass(frozen=True, slots=True)
class BoxPicture:
    """Boxes, and the size of the page they are on."""

    width: float  # px
    height: float  # px
    letters: float  # px, height of the labels
    shapes: tuple[BoxShape, ...]
    image: str = ""  # URL of the page's screenshot, empty if there is none
    image_size: tuple[int, int] = (0, 0)  # px of the page

    @property
    def thumbnail_height(self) -> float:
        """Return how much of the page a small picture shows."""
        return min(self.height, THUMBNAIL * self.width)

    def below(self, home: str) -> "BoxPicture":
        """Return it for a page from which its folder is at `home`."""
        return replace(self, image=home + self.image) if self.image and home else self


def picture_of(
    outlines: Sequence[DrawnArea],
    *,
    size: tuple[float, float] | None = None,
    image: str = "",
    image_size: tuple[int, int] = (0, 0),
    only: int | None = None,
) -> BoxPicture:
    """Draw areas; without a size the picture is as large as they need.

    If `only` names a slot, the others are faint.
    """
    drawn = outlines[:MOST_SHAPES]
    width, height = size or (
        max((area.rect.right for area in drawn), default=0.0),
        max((area.rect.bottom for area in drawn), default=0.0),
    )
    width, height = max(width, NARROWEST_PICTURE), max(height, NARROWEST_PICTURE)
    letters = round(LETTER_HEIGHT * width, 1)
    named: set[int | None] = {None}
    shapes = []
    for area in drawn:
        faint = only is not None and area.slot != only
        shapes.append(_shape(area, letters, first=area.slot not in named, faint=faint))
        named.add(area.slot)
    return BoxPicture(width, height, letters, tuple(shapes), image, image_size)


def _shape(area: DrawnArea, letters: float, *, first: bool, faint: bool) -> BoxShape:
    """Make a box of an area; its label is shortened or left out where it would not fit.

    `first` says that it is the first box of its slot.
    """
    rect = area.rect
    left, top, width, height = (
        round(side, 1) for side in (rect.left, rect.top, rect.width, rect.height)
    )
    labels = [area.words, area.shown] if area.of_site else [area.words]
    low = LOWEST_SLOT if area.of_site else 1.0
    kind = f"k-{area.kind}" if area.kind in COLOURED_KINDS else "k-none"
    fitting = [
        words
        for words in labels
        if rect.width > LETTER_WIDTH * letters * (len(words) + 1) and rect.height > low * letters
    ]
    return BoxShape(
        anchor=f"box-{area.shown}" if first or not area.of_site else f"area-{area.number}",
        mark=area.shown,
        left=left,
        top=top,
        width=width,
        height=height,
        path=f"M{left} {top}h{width}v{height}H{left}z",
        colour=slot_class(area.slot) if area.of_site else kind,
        leaf=area.leaf,
        label=fitting[0] if area.leaf and fitting else "",
        title=_title(area),
        faint=faint,
    )


def slot_class(slot: int | None) -> str:
    """Return the class of a slot's colour, the same on all pages."""
    return "k-none" if slot is None else f"c-{slot % HUES}"


def _title(area: DrawnArea) -> str:
    kind = area.kind or ""
    if not area.of_site:
        return f"area {area.number}" + (f": {kind}" if kind else "")
    if area.slot is None:
        return "no slot"
    name = f": {area.name}" if area.name else ""
    return f"slot {area.slot}{name}" + (f" ({kind})" if kind else "")


def picture_file(folder: Path, url: str) -> Path:
    """Return the file of a page's screenshot in an HTML output."""
    return folder / SCREENSHOTS / f"{short_name(url)}.png"


def pictured(folder: Path, url: str, outlines: Sequence[DrawnArea]) -> BoxPicture:
    """Draw areas over the screenshot of a page, if an HTML output has one."""
    file = picture_file(folder, url)
    try:
        width, height = png_size(file.read_bytes())
    except OSError:
        return picture_of(outlines)
    size = SHRUNK * width, SHRUNK * height
    return picture_of(outlines, image=f"{SCREENSHOTS}/{file.name}", image_size=size)
