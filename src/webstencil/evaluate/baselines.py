"""What any segmenter has to beat: a page left whole, and a page in pieces."""

from dataclasses import dataclass

from webstencil.model import ROOT, Area, BoxKind, Snapshot


@dataclass(frozen=True, slots=True)
class WholePage:
    """Takes the page as one area."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return the page."""
        return (Area(snapshot.rect, (ROOT,)),)


@dataclass(frozen=True, slots=True)
class EachLeaf:
    """Takes each visible text and image for an area."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return an area for each of them."""
        return tuple(
            Area(box.clip, (box.node,))
            for box in snapshot.boxes
            if box.visible and box.kind is not BoxKind.ELEMENT
        )
