"""The last steps of every segmenter, on the areas that it found.

Running text is kept together before what looks alike is cut alike, because most uneven cuts go
through it; and once more afterwards, so that rules from short texts do not cut long ones.
"""

from webstencil.model import Area, Snapshot
from webstencil.segment.draft import draft_of, rebuilt
from webstencil.segment.even import cut_alike
from webstencil.segment.flow import columns_of, flows, keep_together


def tidied(
    snapshot: Snapshot, areas: tuple[Area, ...], *, flow: bool, even: bool
) -> tuple[Area, ...]:
    """Return the areas, parents before children, after the last steps."""
    boxes = snapshot.boxes
    draft = draft_of(boxes, areas)
    columns = columns_of(boxes)
    found = list(flows(columns)) if flow else []
    changed = keep_together(columns, found, draft)
    changed = (even and cut_alike(boxes, draft)) or changed
    changed = keep_together(columns, found, draft) or changed
    return rebuilt(boxes, draft) if changed else areas
