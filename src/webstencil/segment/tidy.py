"""The last steps of every segmenter, on the areas that it has found.

Running text is kept together before what looks alike is cut alike, since cuts through it are most
of what is uneven on a page; and once more after it, so that what holds for short texts does not cut
the long ones.
"""

from webstencil.model import Area, Snapshot
from webstencil.segment.draft import draft_of, rebuilt
from webstencil.segment.even import cut_alike
from webstencil.segment.flow import keep_together


def tidied(
    snapshot: Snapshot, areas: tuple[Area, ...], *, flow: bool, even: bool
) -> tuple[Area, ...]:
    """Return the areas, parents before children, with running text whole and alike cut alike."""
    draft = draft_of(snapshot.boxes, areas)
    changed = flow and keep_together(snapshot.boxes, draft)
    changed = (even and cut_alike(snapshot.boxes, draft)) or changed
    changed = (flow and keep_together(snapshot.boxes, draft)) or changed
    return rebuilt(snapshot.boxes, draft) if changed else areas
