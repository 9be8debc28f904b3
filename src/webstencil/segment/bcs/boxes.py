"""Box Clustering Segmentation, first step: the elementary boxes of a page.

Zeleny, Burget, Zendulka: Box Clustering Segmentation, 2017, section on box extraction. The paper
takes each line of a text, each image, and drops what visually contains something else. Here these
pieces are joined again, paragraph by paragraph, to *leaves*: a node cannot be in two areas, so the
lines of a text cannot either, and the words of a sentence belong together whatever their colour.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from colorsys import hsv_to_rgb, rgb_to_hsv
from dataclasses import dataclass, replace
from typing import TypeAlias

from webstencil.geometry import Rect, bounding
from webstencil.model import NO_PARENT, Box, BoxKind, Snapshot, Style
from webstencil.segment.boxes import layers_of, shows_itself

# The colour by which a box is compared with others.

Colour: TypeAlias = tuple[float, float, float]  # red, green, blue, each 0..1

WHITE_COLOUR: Colour = (1.0, 1.0, 1.0)
# Stands for the average tone of a picture, which snapshots do not have: as far from black as from
# white, so that a picture is like other pictures and unlike any text.
PICTURE_COLOUR: Colour = (0.5, 0.5, 0.5)

RGB_NUMBER = re.compile(r"[\d.]+")

# How emphasis changes a colour (reference implementation).
UNDERLINE_CHANGE = 0.2
ITALIC_CHANGE = -0.2
BOLD_CHANGE = 0.3
BOLD_WEIGHT = 600  # the smallest CSS font weight that looks bold
LEAST_BRIGHTNESS = 0.2  # black could not be darkened
WHITE_SATURATION = 0.2  # of the background's hue, in white text


def read_colour(css: str, behind: Colour = WHITE_COLOUR) -> Colour:
    """Parse `rgb()` or `rgba()` over the colour behind it; other texts give that one."""
    numbers = [float(number) for number in RGB_NUMBER.findall(css)]
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
    change = UNDERLINE_CHANGE * style.underline + ITALIC_CHANGE * style.italic
    change += BOLD_CHANGE * (style.font_weight >= BOLD_WEIGHT)
    if colour == WHITE_COLOUR:
        return hsv_to_rgb(rgb_to_hsv(*behind)[0], WHITE_SATURATION, 1.0)
    if saturation:
        return hsv_to_rgb(hue, _clamped(saturation + change), brightness)
    return hsv_to_rgb(hue, 0.0, _clamped(max(brightness, LEAST_BRIGHTNESS) - change))


def _clamped(share: float) -> float:
    return min(1.0, max(0.0, share))


# Cells: the lines of the grid are where rectangles begin, not at equal steps, so that a page with
# all its boxes in one corner has as few of them per cell as any other page.


RECTS_PER_ROW = 4  # that begin in it, at least
CELLS_PER_RECT = 4  # at most: 16 columns on a usual page, more if there are fewer rows


class CellIndex:
    """Cells with the numbers of the rectangles that reach into them."""

    __slots__ = ("cells", "columns", "rows", "width")

    def __init__(self, rects: Sequence[Rect]) -> None:
        """Choose the lines, and add the rectangles by their index."""
        self.rows = _lines([rect.top for rect in rects], RECTS_PER_ROW)
        rects_per_column = -(-(len(self.rows) + 1) // CELLS_PER_RECT)
        self.columns = _lines([rect.left for rect in rects], rects_per_column)
        self.width = len(self.columns) + 1
        self.cells: list[list[int]] = [[] for _ in range(self.width * (len(self.rows) + 1))]
        for number, rect in enumerate(rects):
            self.enter(number, rect)

    def enter(self, number: int, rect: Rect) -> None:
        """Add a number to all cells that the rectangle reaches into."""
        for cell in self.cells_of(rect):
            self.cells[cell].append(number)

    def cells_of(self, rect: Rect) -> Iterator[int]:
        """List the cells that the rectangle reaches into."""
        columns = self.columns_of(rect)
        for row in self.rows_of(rect):
            start = row * self.width
            yield from range(start + columns.start, start + columns.stop)

    def columns_of(self, rect: Rect) -> range:
        """Return the columns that the rectangle reaches into."""
        first = bisect_right(self.columns, rect.left)
        return range(first, bisect_right(self.columns, rect.right, first) + 1)

    def rows_of(self, rect: Rect) -> range:
        """Return the rows that the rectangle reaches into."""
        first = bisect_right(self.rows, rect.top)
        return range(first, bisect_right(self.rows, rect.bottom, first) + 1)

    def near(self, rect: Rect) -> Iterator[int]:
        """Yield the numbers in the cells that the rectangle reaches into, some more than once."""
        for cell in self.cells_of(rect):
            yield from self.cells[cell]


def _lines(starts: Sequence[float], each: int) -> list[float]:
    """Return the distinct values of every `each`-th of the sorted starts."""
    return sorted(set(sorted(starts)[each::each]))


MIN_SIDE = 3.0  # px; thinner boxes are not read: spacers, lines, texts for screen readers
ICON_SIDE = 32.0  # px; a larger image in a line of text is not part of the sentence
PANEL_LEAVES = 3  # a coloured box with fewer is a title bar, a button, a list item

POSITIONED = ("absolute", "fixed")
NO_PARAGRAPH = -1


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A line of a text, or an image."""

    rect: Rect
    colour: Colour
    box: int  # index into Snapshot.boxes
    paragraph: int  # number of the run of inline content around it, or NO_PARAGRAPH


@dataclass(frozen=True, slots=True)
class Leaf:
    """An elementary box: a paragraph or an image."""

    rect: Rect
    colour: Colour
    boxes: tuple[int, ...]  # indices into Snapshot.boxes: its texts and images
    panel: int = 0  # index into Snapshot.boxes: the innermost coloured or framed box around it
    layer: int = NO_PARENT  # index into Snapshot.boxes: its layer over the page, if any


def extract_leaves(snapshot: Snapshot, *, emphasis: bool) -> tuple[Leaf, ...]:
    """Return the elementary boxes of a page, from top to bottom."""
    layers = layers_of(snapshot.boxes)
    by_layer: dict[int, list[TextPiece]] = {}
    for piece in take_pieces(snapshot, emphasis=emphasis):
        by_layer.setdefault(layers[piece.box], []).append(piece)
    read = [piece for pieces in by_layer.values() for piece in _innermost(pieces)]
    leaves = join_paragraphs(framed(snapshot.boxes, read))
    panels = find_panels(snapshot.boxes, leaves)
    return tuple(
        replace(leaf, panel=min(panels[box] for box in leaf.boxes), layer=layers[leaf.boxes[0]])
        for leaf in leaves
    )


def take_pieces(snapshot: Snapshot, *, emphasis: bool) -> list[TextPiece]:
    """Return the lines of all visible texts, and all visible images."""
    pieces = []
    paragraphs = number_paragraphs(snapshot.boxes)
    for index, box in enumerate(snapshot.boxes):
        shown = box.clip.clip(snapshot.rect)
        if not box.visible or shown.empty:
            continue
        if box.kind is BoxKind.TEXT:
            colour = text_colour(box.style, box.backdrop, emphasis=emphasis)
            seen = [line.clip(shown) for line in box.lines] or [shown]
            pieces += [TextPiece(r, colour, index, paragraphs[index]) for r in seen if not _thin(r)]
        elif box.kind is BoxKind.IMAGE and not _thin(shown):
            pieces.append(TextPiece(shown, PICTURE_COLOUR, index, paragraphs[index]))
    return pieces


def number_paragraphs(boxes: Sequence[Box]) -> list[int]:
    """Give each text and each icon the number of its paragraph.

    A paragraph is a run of inline content in one block; a block inside of that block ends the run.
    """
    containers: list[int] = []  # for each box: the block around it, or the box itself
    latest: dict[int, int] = {}  # the last paragraph of each block
    paragraphs = [NO_PARAGRAPH] * len(boxes)
    number = 0
    for index, box in enumerate(boxes):
        around = containers[box.parent] if box.parent != NO_PARENT else 0
        if box.kind is BoxKind.TEXT or _is_icon(box):
            if around not in latest:
                latest[around] = number
                number += 1
            paragraphs[index] = latest[around]
        elif box.visible and _ends_line(box):
            latest.pop(around, None)
        containers.append(around if box.style.display == "inline" else index)
    return paragraphs


def _innermost(pieces: Sequence[TextPiece]) -> list[TextPiece]:
    """Drop each piece that visually contains another one; of two equal ones, the first.

    It is a background: the contained pieces are read.
    """
    by_size = sorted(pieces, key=lambda piece: (piece.rect.area, -piece.box))
    rects = [piece.rect for piece in by_size]
    grid = CellIndex(rects)
    kept = []
    for number, piece in enumerate(by_size):
        rect = piece.rect
        # Smaller pieces have smaller numbers, and come first in each cell.
        if not any(other < number and rect.contains(rects[other]) for other in grid.near(rect)):
            kept.append(piece)
    return kept


def framed(boxes: Sequence[Box], pieces: Sequence[TextPiece]) -> list[TextPiece]:
    """Let a coloured box stand for the one piece in it, as a button for its text.

    Of several such boxes around the piece, the smallest does; one behind other pieces does not.
    """
    below = count_below(boxes, (piece.box for piece in pieces))
    grid = CellIndex([piece.rect for piece in pieces])
    frames = (_in_frame(boxes, below, piece) for piece in pieces)
    return [
        piece
        if any(
            frame.rect.contains(pieces[n].rect) and pieces[n] is not piece
            for n in grid.near(frame.rect)
        )
        else frame
        for piece, frame in zip(pieces, frames, strict=True)
    ]


def count_below(boxes: Sequence[Box], marked: Iterable[int]) -> list[int]:
    """Count the marked boxes in each box, itself included."""
    below = [0] * len(boxes)
    for index in marked:
        below[index] += 1
    for index in range(len(boxes) - 1, -1, -1):
        if boxes[index].parent != NO_PARENT:
            below[boxes[index].parent] += below[index]
    return below


def join_paragraphs(pieces: Iterable[TextPiece]) -> tuple[Leaf, ...]:
    """Join the pieces of each paragraph to one leaf; sort the leaves from the top."""
    together: dict[tuple[int, int], list[TextPiece]] = {}
    for piece in pieces:
        alone = piece.box if piece.paragraph == NO_PARAGRAPH else NO_PARENT
        together.setdefault((piece.paragraph, alone), []).append(piece)
    return tuple(sorted(map(_leaf, together.values()), key=reading_order))


def find_panels(boxes: Sequence[Box], leaves: Iterable[Leaf]) -> list[int]:
    """Return the innermost panel around each box: a coloured or framed box."""
    below = count_below(boxes, (leaf.boxes[0] for leaf in leaves))
    panels: list[int] = []
    for index, box in enumerate(boxes):
        if box.parent == NO_PARENT:
            panels.append(index)
        else:
            is_panel = below[index] >= PANEL_LEAVES and shows_itself(boxes, box)
            panels.append(index if is_panel else panels[box.parent])
    return panels


def reading_order(leaf: Leaf) -> tuple[float, float, float, float, tuple[int, ...]]:
    """Return the key that sorts leaves by position."""
    rect = leaf.rect
    return rect.top, rect.left, rect.bottom, rect.right, leaf.boxes


def _leaf(pieces: Sequence[TextPiece]) -> Leaf:
    """Make a leaf, in the colour of most of its pieces."""
    parts: dict[Colour, float] = {}
    for piece in pieces:
        parts[piece.colour] = parts.get(piece.colour, 0.0) + piece.rect.area
    return Leaf(
        rect=bounding(piece.rect for piece in pieces),
        colour=max(parts, key=lambda colour: (parts[colour], colour)),
        boxes=tuple(sorted({piece.box for piece in pieces})),
    )


def _in_frame(boxes: Sequence[Box], below: Sequence[int], piece: TextPiece) -> TextPiece:
    rect, colour = None, piece.colour
    for box in _chain(boxes, below, piece.box):
        own = box.clip
        if box.style.background and _differs(boxes, box) and (rect is None or own.area < rect.area):
            rect, colour = own, read_colour(box.style.background)
    return piece if rect is None else TextPiece(rect, colour, piece.box, piece.paragraph)


def _chain(boxes: Sequence[Box], below: Sequence[int], index: int) -> Iterator[Box]:
    """Go up from a box as long as nothing else is visible in its parent."""
    while index != NO_PARENT and below[index] == 1:
        yield boxes[index]
        index = boxes[index].parent


def _differs(boxes: Sequence[Box], box: Box) -> bool:
    """Return whether a box's background differs from what is behind it."""
    return box.visible and box.parent != NO_PARENT and box.backdrop != boxes[box.parent].backdrop


def _is_icon(box: Box) -> bool:
    """Return whether an image is a sign among the words of a line."""
    small = max(box.clip.width, box.clip.height) <= ICON_SIDE
    inline = box.style.display.startswith("inline") and box.style.floating == "none"
    return box.kind is BoxKind.IMAGE and box.visible and small and inline


def _thin(rect: Rect) -> bool:
    return min(rect.width, rect.height) <= MIN_SIDE


def _ends_line(box: Box) -> bool:
    """Return whether a box ends a line of text; floats and positioned boxes do not."""
    style = box.style
    in_flow = style.floating == "none" and style.position not in POSITIONED
    return in_flow and not style.display.startswith("inline")
