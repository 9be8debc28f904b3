"""How single boxes look: as a line, as a frame, as part of a line of text."""

from collections.abc import Sequence

from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, Box, BoxKind

LINE_THICKNESS = 3.0  # px; what is no thicker is a line, not content (1 to 3 px are usual)


def is_thin(rect: Rect) -> bool:
    return min(rect.width, rect.height) <= LINE_THICKNESS


def is_line(box: Box) -> bool:
    """Return whether a box without content is drawn as a line: an HR, a thin coloured box."""
    style = box.style
    drawn = any(style.border) or style.background or style.background_image
    seen = box.kind is BoxKind.IMAGE or (box.kind is BoxKind.ELEMENT and bool(drawn))
    return box.visible and seen and is_thin(box.clip)


def is_framed(boxes: Sequence[Box], box: Box) -> bool:
    """Return whether an element has a background or a frame that its parent has not."""
    if box.kind is not BoxKind.ELEMENT or not box.visible or box.parent == NO_PARENT:
        return False
    behind = boxes[box.parent].backdrop
    top, right, bottom, left = box.style.border
    lined = bool((top and bottom) or (left and right)) and box.style.border_color != behind
    return lined or box.backdrop != behind


def in_line(box: Box) -> bool:
    """Return whether a box is part of a line of text: by its outside display type, not its tag."""
    return box.kind is BoxKind.TEXT or box.style.display.startswith(("inline", "ruby"))
