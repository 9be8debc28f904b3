"""Layers: boxes that are fixed to the window are over the page, whatever is below."""

from collections.abc import Sequence

from webstencil.model import NO_PARENT, Box, BoxKind


def layers_of(boxes: Sequence[Box]) -> list[int]:
    """Return the outermost fixed box around each box, NO_PARENT for those of the page itself."""
    layers: list[int] = []
    for index, box in enumerate(boxes):
        above = layers[box.parent] if box.parent != NO_PARENT else NO_PARENT
        fixed = box.kind is not BoxKind.TEXT and box.style.position == "fixed"
        layers.append(index if fixed and above == NO_PARENT else above)
    return layers
