"""Areas as boxes drawn to scale."""

from collections.abc import Sequence
from dataclasses import dataclass

from webstencil.kinds import AreaKind
from webstencil.output.overlay import DrawnArea

KINDS = frozenset(map(str, AreaKind))  # those that the style sheet has a colour for
LETTERS = 0.026  # of the picture's width: 13 px where it is 500 px wide
LETTER_WIDTH = 0.6  # of a letter's height
SMALLEST = 100.0  # px; a smaller picture cannot be read
THUMBNAIL = 1.25  # times its width is the most that a small picture shows of a page's height
MOST_SHAPES = 2000  # drawn of a page


@dataclass(frozen=True, slots=True)
class BoxShape:
    """A box of a picture."""

    number: int
    left: float
    top: float
    width: float
    height: float
    kind: str  # empty if there is none
    colour: str  # a class of the style sheet
    leaf: bool  # it holds no other box
    label: str  # empty if it would not fit


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
) -> BoxPicture:
    """Draw areas; without a size the picture is as large as they need."""
    drawn = outlines[:MOST_SHAPES]
    width, height = size or (
        max((one.rect.right for one in drawn), default=0.0),
        max((one.rect.bottom for one in drawn), default=0.0),
    )
    width, height = max(width, SMALLEST), max(height, SMALLEST)
    letters = round(LETTERS * width, 1)
    shapes = tuple(shape_of(one, letters) for one in drawn)
    return BoxPicture(width, height, letters, shapes, image, image_size)


def shape_of(one: DrawnArea, letters: float) -> BoxShape:
    """Make a box of an area; its label is left out where it would not fit."""
    rect = one.rect
    fits = rect.width > LETTER_WIDTH * letters * (len(one.words) + 1) and rect.height > letters
    return BoxShape(
        number=one.number,
        left=round(rect.left, 1),
        top=round(rect.top, 1),
        width=round(rect.width, 1),
        height=round(rect.height, 1),
        kind=one.kind or "",
        colour=f"k-{one.kind}" if one.kind in KINDS else "k-none",
        leaf=one.leaf,
        label=one.words if one.leaf and fits else "",
    )
