"""Draw the areas of a page over its screenshot, as SVG."""

import math
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

from webstencil.geometry import Rect
from webstencil.model import Area, PageArea, Snapshot
from webstencil.site.slots import SLOT

# Colours of the levels, outermost first: far apart in hue, readable on white and on photographs.
COLOURS = ("#d81b60", "#1e88e5", "#2e7d32", "#e65100", "#6a1b9a", "#00838f", "#5d4037", "#37474f")
HUES = 24  # of slots; then they begin again
GOLDEN_ANGLE = 137.508  # degrees
NO_SLOT = "#777"
FRAME = 2.0  # px
MARGIN = 2.0  # px between a leaf's frame and its content
OUTER_MARGIN = 4.0  # px for inner areas, so that a frame around one leaf stays visible
FILL = 0.07  # opacity of a leaf's tint
LABEL_SIZE = 11  # px
LABEL_WIDTH = 7  # px per character
NARROW = 350  # px; a narrower frame has its label outside


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
        """Return its label."""
        what = self.name if self.of_site else self.kind or ""
        return f"{self.shown} {what}".strip()

    @property
    def colour(self) -> str:
        """Return the colour of its slot, or else of its level."""
        if self.of_site:
            return slot_colour(self.slot)
        return COLOURS[self.depth % len(COLOURS)]


def slot_hue(slot: int) -> int:
    """Return the hue of a slot, 0..359: those of slots with near numbers are far apart."""
    return round(slot % HUES * GOLDEN_ANGLE) % 360


def slot_colour(slot: int | None) -> str:
    """Return the colour of a slot; an area without one is grey."""
    return NO_SLOT if slot is None else f"hsl({slot_hue(slot)},70%,36%)"


def outlines(areas: Iterable[Area]) -> list[DrawnArea]:
    """Return the areas of a snapshot or a stencil that can be drawn."""
    return drawn((number, area.around, area) for number, area in enumerate(areas))


def slot_outlines(areas: Sequence[Area], names: Mapping[int, str]) -> list[DrawnArea]:
    """Return the areas of a template that can be drawn, with the names of slots."""
    slots = [slot_of(area) for area in areas]
    called = [names.get(slot, "") if slot is not None else "" for slot in slots]
    return [
        replace(one, slot=slots[one.number], name=called[one.number], of_site=True)
        for one in outlines(areas)
    ]


def slot_of(area: Area) -> int | None:
    """Return the slot of an area of a template."""
    found = dict(area.attributes).get(SLOT)
    return None if found is None else int(found)


def page_outlines(areas: Sequence[PageArea]) -> list[DrawnArea]:
    """Return the areas of a page that can be drawn; those like none of the stencil cannot.

    Of a slot that repeats only one typical place is known: it is drawn once.
    """
    if not any(area.name for area in areas):
        return drawn((area.id, area.parent, area) for area in areas)
    first: dict[int, PageArea] = {}
    for area in areas:
        if area.slot is not None:
            first.setdefault(area.slot, area)
    found = drawn((area.id, area.parent, area) for area in first.values())
    of = {area.id: area for area in areas}
    return [
        replace(one, slot=of[one.number].slot, name=of[one.number].name, of_site=True)
        for one in found
    ]


def drawn(areas: Iterable[tuple[int, int | None, Area | PageArea]]) -> list[DrawnArea]:
    """Return the areas to draw, given with their numbers and their parents'."""
    kept = [(number, around, area) for number, around, area in areas if has_place(area.rect)]
    holders = {around for _, around, _ in kept}
    depths: dict[int | None, int] = {}
    found = []
    for number, around, area in kept:
        depths[number] = depths.get(around, -1) + 1
        leaf = number not in holders
        found.append(DrawnArea(number, area.rect, area.kind, depths[number], leaf))
    return found


def has_place(rect: Rect) -> bool:
    """Return whether a rectangle can be seen in a picture."""
    finite = math.isfinite(rect.width) and math.isfinite(rect.height)
    return finite and not rect.empty and rect.right > 0 and rect.bottom > 0


def overlay(snapshot: Snapshot, areas: Iterable[Area]) -> str:
    """Draw the areas over the snapshot's screenshot, or over white if it has none."""
    return overlaid(snapshot, outlines(areas))


def overlaid(snapshot: Snapshot, areas: Iterable[DrawnArea]) -> str:
    """Draw areas over the snapshot's screenshot, or over white if it has none."""
    width, height = round(snapshot.rect.width), round(snapshot.rect.height)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="{LABEL_SIZE}">',
            f"<title>{escape(snapshot.url)}</title>",
            backdrop(snapshot, width, height),
            *map(frame, areas),
            "</svg>\n",
        )
    )


def backdrop(snapshot: Snapshot, width: int, height: int) -> str:
    """Draw the page."""
    if snapshot.screenshot is None:
        return f'<rect width="{width}" height="{height}" fill="#fff"/>'
    data = b64encode(snapshot.screenshot).decode("ascii")
    across, down = png_size(snapshot.screenshot)
    return f'<image width="{across}" height="{down}" href="data:image/png;base64,{data}"/>'


def png_size(picture: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG; a screenshot may show a part of a giant page."""
    return int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])


def frame(area: DrawnArea) -> str:
    """Draw an area as a frame in its colour; a leaf is tinted and labelled."""
    rect = grown(area.rect, MARGIN if area.leaf else OUTER_MARGIN)
    return box(area, rect, FRAME) + (tag(rect, area.words, area.colour) if area.leaf else "")


def box(area: DrawnArea, rect: Rect, width: float) -> str:
    """Draw the rectangle of an area, dashed if it holds others."""
    fill = f'fill="{area.colour}" fill-opacity="{FILL}"' if area.leaf else 'fill="none"'
    dash = "" if area.leaf else ' stroke-dasharray="6 4"'
    return (
        f'<rect x="{rect.left:g}" y="{rect.top:g}" width="{rect.width:g}" '
        f'height="{rect.height:g}" {fill} stroke="{area.colour}" stroke-width="{width:g}"{dash}/>'
    )


def grown(rect: Rect, by: float) -> Rect:
    """Move the edges of a rectangle outwards."""
    return Rect(rect.left - by, rect.top - by, rect.right + by, rect.bottom + by)


def tag(rect: Rect, words: str, colour: str) -> str:
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
