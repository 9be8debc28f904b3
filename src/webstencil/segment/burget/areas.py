"""Burget's visual areas: the value that each step takes and returns, and the first step.

An area is a leaf or a parent. A leaf has boxes (text, images); a parent has areas, and the box that
frames or colours it if there is one. Styles are sums over letters, so that the style of joined
areas is the sum of theirs.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from webstencil.geometry import EMPTY, Rect, bounding
from webstencil.model import NO_PARENT, Box, BoxKind, Snapshot, Style, is_content
from webstencil.segment.boxes import layers_of

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


PLAIN_LOOK = TextLook()


@dataclass(frozen=True, slots=True)
class Visual:
    """A visual area."""

    rect: Rect
    boxes: tuple[int, ...]  # indexes into Snapshot.boxes; of a parent: its own box
    look: TextLook = PLAIN_LOOK
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


def join_leaves(areas: Iterable[Visual]) -> Visual:
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


# An index of rectangles by position.
#
# Each rectangle is on tiles of about its own size, so on four at most. The rectangles at a point
# are on one tile of each size in use.


Tile: TypeAlias = tuple[int, int, int]  # exponent of the size, column, row


class Tiles:
    """A changing set of rectangles, numbered in order of insertion."""

    def __init__(self, rects: Iterable[Rect] = ()) -> None:
        self.rects: list[Rect] = []
        self._on: dict[Tile, set[int]] = {}
        self._sized: dict[int, set[int]] = {}  # by the exponent of their tiles' size
        for rect in rects:
            self.add(rect)

    def add(self, rect: Rect) -> int:
        """Add a rectangle and return its number."""
        number = len(self.rects)
        self.rects.append(rect)
        exponent = _exponent(rect)
        self._sized.setdefault(exponent, set()).add(number)
        for tile in _tiles(rect, exponent):
            self._on.setdefault(tile, set()).add(number)
        return number

    def remove(self, number: int) -> None:
        """Remove a rectangle."""
        exponent = _exponent(self.rects[number])
        self._sized[exponent].remove(number)
        for tile in _tiles(self.rects[number], exponent):
            self._on[tile].remove(number)

    def at(self, x: float, y: float) -> list[int]:
        """Return the rectangles that contain a point, borders included, in order."""
        found: list[int] = []
        for exponent in self._sized:
            size = 1 << exponent
            for number in self._on.get((exponent, int(x // size), int(y // size)), ()):
                rect = self.rects[number]
                if rect.left <= x <= rect.right and rect.top <= y <= rect.bottom:
                    found.append(number)
        return sorted(found)

    def over(self, rect: Rect) -> list[int]:
        """Return the rectangles that overlap this one, in order."""
        found: set[int] = set()
        for exponent, numbers in self._sized.items():
            size = 1 << exponent
            if (rect.width + size) * (rect.height + size) > len(numbers) * size * size:
                found |= numbers  # fewer than the tiles to check
                continue
            for tile in _tiles(rect, exponent):
                if tile in self._on:
                    found |= self._on[tile]
        return sorted(number for number in found if self.rects[number].overlaps(rect))

    def meets(self, rect: Rect) -> bool:
        """Return whether any rectangle overlaps this one."""
        for exponent, numbers in self._sized.items():
            size = 1 << exponent
            if (rect.width + size) * (rect.height + size) > len(numbers) * size * size:
                if any(self.rects[number].overlaps(rect) for number in numbers):
                    return True
                continue
            for tile in _tiles(rect, exponent):
                if any(self.rects[number].overlaps(rect) for number in self._on.get(tile, ())):
                    return True
        return False


def _exponent(rect: Rect) -> int:
    return math.ceil(max(rect.width, rect.height, 1.0)).bit_length()


def _tiles(rect: Rect, exponent: int) -> Iterator[Tile]:
    size = 1 << exponent
    for column in range(int(rect.left // size), int(rect.right // size) + 1):
        for row in range(int(rect.top // size), int(rect.bottom // size) + 1):
            yield exponent, column, row


# The first step: the visual box tree and the basic areas.
#
# Boxes are nested as they look, not as in the source: a box is in the innermost earlier one that
# covers most of it. Only boxes that a reader can distinguish from their surroundings are kept:
# lines of text, images, frames and backgrounds.
#
# Where this differs from the public implementation, and why:
# - One pass in document order instead of two nestings: a box can only be in an earlier one, so its
#   parent and the colour behind it are known. No pair of boxes is compared twice.
# - A text never contains another box; texts that overlap are siblings.
# - Boxes with the same rectangle are nested in their order. There, each encloses the other.
# - The innermost of several is the smallest, whatever their order.
# - Frames and backgrounds of inline boxes do not count: marked words are part of their line.
# - A line of text is as high as its font; the browser's line boxes overlap where lines are narrow.
# - The frame of an image or of a form control is a part of it and separates nothing.
# - A box that is fixed to the window is a layer over the page, whatever is below it.
# - List items are areas only on request: today's menus are lists without bullets.


WHITE_RGB = "rgb(255, 255, 255)"  # of a page without a colour
DOT_SIDE = 1.0  # px; a box no larger in both directions is not an area


@dataclass(frozen=True, slots=True)
class BoxSight:
    """What makes a box an area of its own."""

    covered: float  # 0..1, share of a box's size inside its parent
    list_items: bool  # list items are areas


@dataclass(frozen=True, slots=True)
class VisualBox:
    """A visually separate box, or one line of a text box."""

    rect: Rect
    box: int  # index into Snapshot.boxes
    parent: int  # index of the piece around it
    backdrop: str  # the colour visible in it
    letters: float = 0.0
    background: str = ""  # own colour
    coloured: bool = False  # a background that differs from the parent's
    border: tuple[bool, bool, bool, bool] = NO_BORDER


def basic_areas(snapshot: Snapshot, sight: BoxSight) -> tuple[Visual, ...]:
    """Return the tree of basic areas of the page, then of each layer over it."""
    pieces = nest(snapshot, sight)
    below: list[list[Visual]] = [[] for _ in pieces]
    roots: list[Visual] = []
    for number in range(len(pieces) - 1, -1, -1):
        area = _area(pieces[number], below[number], snapshot.boxes)
        parent = pieces[number].parent
        (roots if parent == NO_PARENT else below[parent]).append(area)
    return tuple(reversed(roots))


def nest(snapshot: Snapshot, sight: BoxSight) -> list[VisualBox]:
    """Find the visually separate boxes, each with its visual parent.

    The first piece is the page; the others without a parent are layers over it.
    """
    boxes = snapshot.boxes
    pieces = [
        VisualBox(snapshot.rect, NO_PARENT, NO_PARENT, boxes[0].backdrop if boxes else WHITE_RGB)
    ]
    holders = {NO_PARENT: Holders(snapshot.rect, sight.covered, 0)}  # by layer
    contents = _content_rects(boxes)
    layers = layers_of(boxes)
    for index, box in enumerate(boxes):
        layer = layers[index]
        if box.visible and layer not in holders:
            ground = _whole(boxes[layer].clip.clip(snapshot.rect))
            holders[layer] = Holders(ground, sight.covered, len(pieces))
            pieces.append(VisualBox(ground, NO_PARENT, NO_PARENT, pieces[0].backdrop))
        for piece in _pieces(index, snapshot, pieces, holders[layer]) if box.visible else ():
            element = box.kind is BoxKind.ELEMENT  # it shows only its frame and its background
            found = _framed(piece, box, contents[index], sight) if element else piece
            if found and box.kind is not BoxKind.TEXT:
                holders[layer].add(found.rect, len(pieces))
            if found:
                pieces.append(found)
    return pieces


def _pieces(
    index: int, snapshot: Snapshot, pieces: Sequence[VisualBox], holders: "Holders"
) -> Iterator[VisualBox]:
    """Yield the visible pieces of a box, each in the piece around it."""
    box = snapshot.boxes[index]
    rects = _seen_rects(box, snapshot.rect)
    width = sum(rect.width for rect in rects)
    for seen in rects:
        parent = holders.innermost(seen)
        letters = len(box.text) * seen.width / width
        yield VisualBox(seen, index, parent, pieces[parent].backdrop, letters)


class Holders:
    """The boxes so far that may contain a later one."""

    def __init__(self, ground: Rect, covered: float, piece: int) -> None:
        self._covered = covered
        self._tiles = Tiles()
        self._pieces: list[int] = []  # by their number among the tiles
        self._sizes: list[float] = []  # px²
        self.add(ground, piece)

    def add(self, rect: Rect, piece: int) -> None:
        self._tiles.add(rect)
        self._pieces.append(piece)
        self._sizes.append(rect.area)

    def innermost(self, rect: Rect) -> int:
        """Return the smallest piece that covers enough of a rectangle, of equal ones the last.

        A piece that covers more than half of it each way covers its centre, so only these count.
        """
        best, smallest = self._pieces[0], math.inf
        enough = self._covered * rect.area
        middle_x, middle_y = (rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2
        for number in self._tiles.at(middle_x, middle_y):
            holder, size = self._tiles.rects[number], self._sizes[number]
            if size > smallest or (rect != holder and rect.contains(holder)):
                continue
            if not holder.contains(rect) and holder.clip(rect).area < enough:
                continue
            if size < smallest or self._pieces[number] > best:
                best, smallest = self._pieces[number], size
        return best


def _content_rects(boxes: Sequence[Box]) -> list[Rect]:
    """Return the rectangle around the text and images in each box, empty if there are none."""
    rects = [EMPTY] * len(boxes)
    for index in range(len(boxes) - 1, -1, -1):
        box = boxes[index]
        if is_content(box):
            rects[index] = bounding((rects[index], box.clip))
        if box.parent != NO_PARENT and not rects[index].empty:
            rects[box.parent] = bounding((rects[box.parent], rects[index]))
    return rects


def _seen_rects(box: Box, page: Rect) -> list[Rect]:
    """Return what is visible of a box in whole pixels: a rectangle per line of text, else one.

    Dots are left out, unless they are text.
    """
    shown = box.clip.clip(page)
    if box.kind is not BoxKind.TEXT:
        rect = _whole(shown)
        return [rect] if max(rect.width, rect.height) > DOT_SIDE else []
    lines = [line.clip(shown) for line in box.lines]
    seen = [_core(line, box.style.font_size) for line in lines if not line.empty]
    return [_whole(line) for line in seen or [shown]]


def _core(line: Rect, size: float) -> Rect:
    """Cut a line of text down to the height of its font."""
    spare = max(line.height - size, 0.0) / 2
    return Rect(line.left, line.top + spare, line.right, line.bottom - spare)


def _whole(rect: Rect) -> Rect:
    left, top = round(rect.left), round(rect.top)
    return Rect(left, top, max(round(rect.right), left + 1), max(round(rect.bottom), top + 1))


def _framed(piece: VisualBox, box: Box, content: Rect, sight: BoxSight) -> VisualBox | None:
    """Return the piece of a box without content of its own, None if it is not visible."""
    style = box.style
    if style.display == "inline":
        return None
    background = box.backdrop if style.background else ""
    coloured = style.background_image or background not in {"", piece.backdrop}
    border = _border(box, piece.backdrop)
    item = sight.list_items and style.display == "list-item"
    if not (coloured or any(border) or item):
        return None
    strip = piece.rect
    if sum(border) == 1 and not coloured and not item:
        strip = bounding((_strip(piece.rect, border), _whole(content).clip(piece.rect)))
    return replace(
        piece,
        rect=strip,
        backdrop=background or piece.backdrop,
        background=background if coloured else "",
        coloured=coloured,
        border=border,
    )


def _border(box: Box, behind: str) -> tuple[bool, bool, bool, bool]:
    """Return which sides of a box have a border that differs from the colour behind it."""
    if box.style.border_color == behind:
        return NO_BORDER
    top, right, bottom, left = box.style.border
    return top > 0, right > 0, bottom > 0, left > 0


def _strip(rect: Rect, border: tuple[bool, bool, bool, bool]) -> Rect:
    """Return the pixels along the only side with a border."""
    top, right, bottom, left = border
    return Rect(
        rect.right - 1 if right else rect.left,
        rect.bottom - 1 if bottom else rect.top,
        rect.left + 1 if left else rect.right,
        rect.top + 1 if top else rect.bottom,
    )


def _area(piece: VisualBox, below: Sequence[Visual], boxes: Sequence[Box]) -> Visual:
    """Make the area of a piece; its children come last first."""
    children = tuple(reversed(below))
    box = None if piece.box == NO_PARENT else boxes[piece.box]
    own = look_of(box.style, piece.letters) if box else PLAIN_LOOK
    look = add_looks((own, *(child.look for child in children)))
    return Visual(
        rect=bounding((piece.rect, *(child.rect for child in children))),
        boxes=(piece.box,) if box else (),
        look=look,
        em=look.mean(look.size) or (box.style.font_size if box else 0.0),
        children=children,
        background=piece.background,
        coloured=piece.coloured,
        border=piece.border,
        content=bool(box and box.kind is not BoxKind.ELEMENT)
        or any(child.content for child in children),
    )
