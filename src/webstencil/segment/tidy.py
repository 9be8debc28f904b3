"""The last steps of every segmenter, on the areas that it has found.

Running text is kept together before what looks alike is cut alike, since cuts through it are most
of what is uneven on a page; and once more after it, so that what holds for short texts does not cut
the long ones.
"""

from webstencil.model import Area, Snapshot
from webstencil.segment.draft import draft_of, rebuilt
from webstencil.segment.even import cut_alike
from webstencil.segment.flow import flows, keep_together, outline_of


def tidied(
    snapshot: Snapshot, areas: tuple[Area, ...], *, flow: bool, even: bool
) -> tuple[Area, ...]:
    """Return the areas, parents before children, with running text whole and alike cut alike."""
    boxes = snapshot.boxes
    draft = draft_of(boxes, areas)
    outline = outline_of(boxes)
    found = list(flows(outline)) if flow else []
    changed = keep_together(outline, found, draft)
    changed = (even and cut_alike(boxes, draft)) or changed
    changed = keep_together(outline, found, draft) or changed
    return rebuilt(boxes, draft) if changed else areas
