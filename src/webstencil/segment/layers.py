"""Layers: what is fixed to the window lies over the page, whatever is below it."""

from collections.abc import Sequence

from webstencil.model import NO_PARENT, Box, BoxKind


def layers_of(boxes: Sequence[Box]) -> list[int]:
    """Return, for each box, the outermost one around it that is fixed to the window.

    That is NO_PARENT for the boxes of the page itself.
    """
    layers: list[int] = []
    for index, box in enumerate(boxes):
        above = layers[box.parent] if box.parent != NO_PARENT else NO_PARENT
        fixed = box.kind is not BoxKind.TEXT and box.style.position == "fixed"
        layers.append(index if fixed and above == NO_PARENT else above)
    return layers
