"""Baselines for segmenters: the whole page, and each leaf of it."""

from dataclasses import dataclass

from webstencil.model import ROOT, Area, BoxKind, Snapshot


@dataclass(frozen=True, slots=True)
class WholePage:
    """Returns the page as one area."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return the page."""
        return (Area(snapshot.rect, (ROOT,)),)


@dataclass(frozen=True, slots=True)
class EachLeaf:
    """Returns each visible text and image as an area."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return an area for each of them."""
        return tuple(
            Area(box.clip, (box.node,))
            for box in snapshot.boxes
            if box.visible and box.kind is not BoxKind.ELEMENT
        )
