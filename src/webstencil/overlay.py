"""Areas drawn over the picture of their page, as SVG."""

from base64 import b64encode
from collections.abc import Sequence
from html import escape

from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, Area, Snapshot

# Colours of the levels, outermost first: far apart in hue, readable on white and on photographs.
COLOURS = ("#d81b60", "#1e88e5", "#2e7d32", "#e65100", "#6a1b9a", "#00838f", "#5d4037", "#37474f")
FRAME = 2.0  # px
MARGIN = 2.0  # px a leaf's frame stands off what it holds
OUTER_MARGIN = 4.0  # px for inner areas, so that a frame around one leaf stays visible
FILL = 0.07  # opacity of a leaf's tint
LABEL_SIZE = 11  # px
LABEL_WIDTH = 7  # px a character takes
NARROW = 350  # px: a narrower frame has its label outside


def overlay(snapshot: Snapshot, areas: Sequence[Area]) -> str:
    """Draw the areas over the snapshot's screenshot, or over white if it has none."""
    width, height = round(snapshot.rect.width), round(snapshot.rect.height)
    depths = levels(areas)
    leaves = set(range(len(areas))) - {area.parent for area in areas}
    shapes = [
        frame(area, number, depths[number], number in leaves) for number, area in enumerate(areas)
    ]
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="{LABEL_SIZE}">',
            f"<title>{escape(snapshot.url)}</title>",
            backdrop(snapshot, width, height),
            *shapes,
            "</svg>\n",
        )
    )


def levels(areas: Sequence[Area]) -> list[int]:
    """Return how deep each area lies; an area without parent lies at 0."""
    depths: list[int] = []
    for area in areas:
        depths.append(0 if area.parent == NO_PARENT else depths[area.parent] + 1)
    return depths


def backdrop(snapshot: Snapshot, width: int, height: int) -> str:
    """Draw the page itself."""
    if snapshot.screenshot is None:
        return f'<rect width="{width}" height="{height}" fill="#fff"/>'
    data = b64encode(snapshot.screenshot).decode("ascii")
    across, down = png_size(snapshot.screenshot)
    return f'<image width="{across}" height="{down}" href="data:image/png;base64,{data}"/>'


def png_size(picture: bytes) -> tuple[int, int]:
    """Read width and height of a PNG; of a giant page the screenshot shows only a part."""
    return int.from_bytes(picture[16:20]), int.from_bytes(picture[20:24])


def frame(area: Area, number: int, depth: int, leaf: bool) -> str:
    """Draw an area: a frame in its level's colour; a leaf is tinted and labelled."""
    colour = COLOURS[depth % len(COLOURS)]
    rect = grown(area.rect, MARGIN if leaf else OUTER_MARGIN)
    label = "" if not leaf else tag(rect, f"{number} {area.kind or ''}".strip(), colour)
    fill = f'fill="{colour}" fill-opacity="{FILL}"' if leaf else 'fill="none"'
    dash = "" if leaf else ' stroke-dasharray="6 4"'
    return (
        f'<rect x="{rect.left:g}" y="{rect.top:g}" width="{rect.width:g}" '
        f'height="{rect.height:g}" {fill} stroke="{colour}" stroke-width="{FRAME:g}"{dash}/>{label}'
    )


def grown(rect: Rect, by: float) -> Rect:
    """Move the edges outwards."""
    return Rect(rect.left - by, rect.top - by, rect.right + by, rect.bottom + by)


def tag(rect: Rect, words: str, colour: str) -> str:
    """Write a small label in the upper right corner, where pages have the least text.

    In a narrow frame it would hide what the frame is around; there it stands on top of it.
    """
    width, height = LABEL_WIDTH * len(words) + 4, LABEL_SIZE + 3
    above = rect.width < NARROW and rect.top >= height
    left, top = max(rect.right - width, 0.0), rect.top - height if above else rect.top
    return (
        f'<rect x="{left:g}" y="{top:g}" width="{width}" height="{height}" '
        f'fill="{colour}" fill-opacity="0.85"/><text x="{left + 2:g}" '
        f'y="{top + LABEL_SIZE:g}" fill="#fff">{escape(words)}</text>'
    )
