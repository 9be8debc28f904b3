"""Areas as boxes drawn to scale."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from webstencil.area_kinds import AreaKind
from webstencil.output.overlay import HUES, DrawnArea

KINDS = frozenset(map(str, AreaKind))  # those that the style sheet has a colour for
LETTERS = 0.026  # of the picture's width: 13 px where it is 500 px wide
LOWEST_SLOT = 0.3  # of a letter's height: a lower slot has no label
LETTER_WIDTH = 0.6  # of a letter's height
SMALLEST = 100.0  # px; a smaller picture cannot be read
THUMBNAIL = 1.25  # times its width is the most that a small picture shows of a page's height
MOST_SHAPES = 2000  # drawn of a page


@dataclass(frozen=True, slots=True)
class BoxShape:
    """A box of a picture."""

    anchor: str  # of the box
    mark: str  # what boxes and rows have in common: number of the area, or of the slot
    left: float
    top: float
    width: float
    height: float
    kind: str  # empty if there is none
    colour: str  # a class of the style sheet
    leaf: bool  # it holds no other box
    label: str  # empty if it would not fit
    title: str  # what it is
    faint: bool = False  # another slot is shown


@dataclass(frozen=True, slots=True)
class BoxPicture:
    """Boxes, and the size of the page they are on."""

    width: float  # px
    height: float  # px
    letters: float  # px, height of the labels
    shapes: tuple[BoxShape, ...]
    image: str = ""  # URL of the page's screenshot, empty if there is none
    image_size: tuple[int, int] = (0, 0)  # px

    @property
    def thumbnail_height(self) -> float:
        """Return how much of the page a small picture shows."""
        return min(self.height, THUMBNAIL * self.width)


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
        max((one.rect.right for one in drawn), default=0.0),
        max((one.rect.bottom for one in drawn), default=0.0),
    )
    width, height = max(width, SMALLEST), max(height, SMALLEST)
    letters = round(LETTERS * width, 1)
    named: set[int] = set()
    shapes = []
    for one in drawn:
        first = one.slot is not None and one.slot not in named
        named.update([one.slot] if one.slot is not None else [])
        shape = shape_of(one, letters, first=first)
        shapes.append(replace(shape, faint=only is not None and one.slot != only))
    return BoxPicture(width, height, letters, tuple(shapes), image, image_size)


def shape_of(one: DrawnArea, letters: float, *, first: bool = False) -> BoxShape:
    """Make a box of an area; its label is shortened or left out where it would not fit.

    `first` says that it is the first box of its slot.
    """
    rect = one.rect
    labels = [one.words, one.shown] if one.of_site else [one.words]
    low = LOWEST_SLOT if one.of_site else 1.0
    fitting = [
        words
        for words in labels
        if rect.width > LETTER_WIDTH * letters * (len(words) + 1) and rect.height > low * letters
    ]
    return BoxShape(
        anchor=f"box-{one.shown}" if first or not one.of_site else f"area-{one.number}",
        mark=one.shown,
        left=round(rect.left, 1),
        top=round(rect.top, 1),
        width=round(rect.width, 1),
        height=round(rect.height, 1),
        kind=one.kind or "",
        colour=colour_of(one),
        leaf=one.leaf,
        label=fitting[0] if one.leaf and fitting else "",
        title=title_of(one),
    )


def colour_of(one: DrawnArea) -> str:
    """Return the class of an area's colour: that of its slot, or of its kind."""
    if one.of_site:
        return slot_class(one.slot)
    return f"k-{one.kind}" if one.kind in KINDS else "k-none"


def slot_class(slot: int | None) -> str:
    """Return the class of a slot's colour, the same on all pages."""
    return "k-none" if slot is None else f"c-{slot % HUES}"


def title_of(one: DrawnArea) -> str:
    """Say what an area is."""
    if not one.of_site:
        return f"area {one.number}" + (f": {one.kind}" if one.kind else "")
    if one.slot is None:
        return "no slot"
    return f"slot {one.slot}: {one.name}" + (f" ({one.kind})" if one.kind else "")
