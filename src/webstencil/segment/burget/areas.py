"""Burget's visual areas: the value that each step takes and returns.

An area is a leaf or a parent. A leaf has boxes (text, images); a parent has areas, and the box that
frames or colours it if there is one. Styles are sums over letters, so that the style of joined
areas is the sum of theirs.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from webstencil.geometry import Rect, bounding
from webstencil.model import Style

NORMAL_WEIGHT = 400  # CSS
BOLD_STEP = 300.0  # from normal to bold (700)
GAMMA = 2.2  # of the luminosity formula
LUMINOSITY = (0.2126, 0.7152, 0.0722)  # shares of red, green and blue

# Allowed differences between texts of the same style.
SIZE_STEP = 1.0  # px, of the mean font size
BOLD_DIFFERENCE = 0.8  # 0..1, of the mean boldness
SLANT_DIFFERENCE = 0.8  # 0..1, of the share of italics
LUMINOSITY_DIFFERENCE = 0.005  # 0..1, of the mean luminosity of the text

NO_BORDER = (False, False, False, False)
BY_BOX = 0  # level of an area made by a box
BY_GROUPING = 1  # level of an area made by the algorithm


@dataclass(frozen=True, slots=True)
class TextLook:
    """The style of a text as sums over its letters; zero letters for an image."""

    letters: float = 0.0
    size: float = 0.0  # px
    bold: float = 0.0
    slant: float = 0.0
    underline: float = 0.0
    luminosity: float = 0.0

    def mean(self, total: float) -> float:
        """Return one of the sums per letter, 0 without letters."""
        return total / self.letters if self.letters else 0.0


PLAIN = TextLook()


@dataclass(frozen=True, slots=True)
class Visual:
    """A visual area."""

    rect: Rect
    boxes: tuple[int, ...]  # indexes into Snapshot.boxes; of a parent: its own box
    look: TextLook = PLAIN
    em: float = 0.0  # px; the font size that distances are relative to
    children: tuple["Visual", ...] = ()
    background: str = ""  # own colour, "" if none
    coloured: bool = False  # its background differs from what is behind it
    border: tuple[bool, bool, bool, bool] = NO_BORDER  # top, right, bottom, left
    content: bool = True  # it has text or an image
    level: int = BY_BOX
    whole: bool = False  # no separators between its areas
    loose: bool = False  # grouped across separators

    @property
    def leaf(self) -> bool:
        return not self.children


def look_of(style: Style, letters: float) -> TextLook:
    """Return the style of so many letters."""
    bold = min(max((style.font_weight - NORMAL_WEIGHT) / BOLD_STEP, 0.0), 1.0)
    return TextLook(
        letters,
        style.font_size * letters,
        bold * letters,
        style.italic * letters,
        style.underline * letters,
        luminosity(style.color) * letters,
    )


@lru_cache(maxsize=1024)
def luminosity(color: str) -> float:
    """Return how light a CSS colour is, 0..1."""
    channels = [float(number) / 255 for number in re.findall(r"\d+(?:\.\d+)?", color)[:3]]
    return sum(
        share * math.pow(value, GAMMA) for share, value in zip(LUMINOSITY, channels, strict=False)
    )


def add_looks(looks: Iterable[TextLook]) -> TextLook:
    """Return the style of several texts together."""
    letters = size = bold = slant = underline = light = 0.0
    for look in looks:
        letters += look.letters
        size += look.size
        bold += look.bold
        slant += look.slant
        underline += look.underline
        light += look.luminosity
    return TextLook(letters, size, bold, slant, underline, light)


def same_style(one: Visual, other: Visual) -> bool:
    """Return whether two areas look the same to a reader."""
    a, b = one.look, other.look
    return (
        one.background == other.background
        and abs(a.mean(a.size) - b.mean(b.size)) <= SIZE_STEP
        and abs(a.mean(a.bold) - b.mean(b.bold)) <= BOLD_DIFFERENCE
        and abs(a.mean(a.slant) - b.mean(b.slant)) <= SLANT_DIFFERENCE
        and abs(a.mean(a.luminosity) - b.mean(b.luminosity)) <= LUMINOSITY_DIFFERENCE
    )


def join(areas: Iterable[Visual]) -> Visual:
    """Join leaves: their boxes together, with the borders that are still outside.

    An area over a leaf, on its cells of the grid, may have areas in it; it loses them, not their
    boxes.
    """
    parts = tuple(areas)
    found = (box for part in parts for area in walk(part) for box in area.boxes)
    rect = bounding(part.rect for part in parts)
    return replace(
        parts[0],
        rect=rect,
        boxes=tuple(dict.fromkeys(found)),
        look=add_looks(part.look for part in parts),
        em=max(part.em for part in parts),
        children=(),
        coloured=any(part.coloured for part in parts),
        border=_outer_border(parts, rect),
        content=any(part.content for part in parts),
    )


def enclose(areas: Iterable[Visual]) -> Visual:
    """Make an area around several that is not in the page itself."""
    parts = tuple(areas)
    return Visual(
        rect=bounding(part.rect for part in parts),
        boxes=(),
        look=add_looks(part.look for part in parts),
        em=max(part.em for part in parts),
        children=parts,
        content=any(part.content for part in parts),
        level=BY_GROUPING,
    )


def with_children(area: Visual, children: Iterable[Visual]) -> Visual:
    """Return an area with other children, its rectangle extended to them."""
    parts = tuple(children)
    return replace(area, rect=bounding((area.rect, *(part.rect for part in parts))), children=parts)


def bottom_up(root: Visual, change: Callable[[Visual], Visual]) -> Visual:
    """Rebuild a tree from its leaves to its root: `change` gets each area with its new children."""
    done: list[Visual] = []
    pending = [(root, False)]
    while pending:
        area, opened = pending.pop()
        if not opened and area.children:
            pending.append((area, True))
            pending.extend((child, False) for child in reversed(area.children))
            continue
        if area.children:
            count = len(area.children)
            area = replace(area, children=tuple(done[-count:]))
            del done[-count:]
        done.append(change(area))
    return done[0]


def walk(root: Visual) -> Iterator[Visual]:
    """Yield all areas, parents before children."""
    pending = [root]
    while pending:
        area = pending.pop()
        yield area
        pending.extend(reversed(area.children))


def _outer_border(parts: tuple[Visual, ...], rect: Rect) -> tuple[bool, bool, bool, bool]:
    return (
        any(part.border[0] and part.rect.top == rect.top for part in parts),
        any(part.border[1] and part.rect.right == rect.right for part in parts),
        any(part.border[2] and part.rect.bottom == rect.bottom for part in parts),
        any(part.border[3] and part.rect.left == rect.left for part in parts),
    )
