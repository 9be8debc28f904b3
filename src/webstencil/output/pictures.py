"""Areas as boxes that templates draw to scale, over the picture of their page if there is one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webstencil.kinds import AreaKind
from webstencil.output.files import short_name
from webstencil.output.overlay import HUES, DrawnArea, png_size

KINDS = frozenset(map(str, AreaKind))  # those that the style sheet has a colour for
LETTERS = 0.026  # of the picture's width: 13 px where it is 500 px wide
LOWEST_SLOT = 0.3  # of a letter's height: a lower slot has no label
LETTER_WIDTH = 0.6  # of a letter's height
SMALLEST = 100.0  # px; a smaller picture cannot be read
THUMBNAIL = 1.25  # times its width is the most that a small picture shows of a page's height
MOST_SHAPES = 2000  # drawn of a page
SCREENSHOTS = "pictures"  # folder in an HTML output
SHRUNK = 3  # px of a page per px of its picture: 455 px wide, 0.1 to 0.3 MB


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
    width, height = max(width, SMALLEST), max(height, SMALLEST)
    letters = round(LETTERS * width, 1)
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
        colour=_colour(area),
        leaf=area.leaf,
        label=fitting[0] if area.leaf and fitting else "",
        title=_title(area),
        faint=faint,
    )


def _colour(area: DrawnArea) -> str:
    """Return the class of an area's colour: that of its slot, or of its kind."""
    if area.of_site:
        return slot_class(area.slot)
    return f"k-{area.kind}" if area.kind in KINDS else "k-none"


def slot_class(slot: int | None) -> str:
    """Return the class of a slot's colour, the same on all pages."""
    return "k-none" if slot is None else f"c-{slot % HUES}"


def _title(area: DrawnArea) -> str:
    """Say what an area is."""
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
