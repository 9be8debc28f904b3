"""What is decided of a site's areas, as a value that lays them over any of its pages.

It needs nothing else: the vocabulary and the places of the site are in it, what the rendered pages
say of them, and the slots: what each area is called, on whichever page it is.
"""

from dataclasses import dataclass

from webstencil.geometry import EMPTY, Rect
from webstencil.site.borders import GRAIN


@dataclass(frozen=True, slots=True)
class KindEvidence:
    """What witnesses say of a kind of neighbours, and what was decided."""

    container: int  # places
    ends: int
    begins: int
    borders: float  # sum over pages of the share of such spots with a border
    pages: int  # witnesses
    border: bool = False  # decided
    held: bool = False  # as before, since the evidence against it is not clear


@dataclass(frozen=True, slots=True)
class Slot:
    """An area of the site: the same number and name on every page that has it."""

    number: int  # stays the same while the site grows
    name: str  # no two slots of a site have the same
    key: int  # place of the container, or key of what leads the units in it (`Spot.key`)
    holds: bool  # there are other slots in it
    repeats: bool  # several stand on a page, as cards and posts do
    kind: str | None = None  # by vote of the witnesses
    rect: Rect = EMPTY  # typical
    attributes: tuple[tuple[str, float], ...] = ()  # by vote
    pages: int = 0  # witnesses that have it
    confidence: float = 0.0  # 0..1, mean over these

    @property
    def hidden(self) -> bool:
        """Return whether no witness shows anything of it."""
        return self.pages > 0 and self.rect.empty


@dataclass(frozen=True, slots=True)
class SlotView:
    """A slot on the pages of one template."""

    template: int
    slot: int  # number
    kind: str | None
    rect: Rect
    pages: int  # witnesses


@dataclass(frozen=True, slots=True)
class SlotLead:
    """Which slot a unit, or a container with areas in it, belongs to."""

    key: int  # `Spot.key`
    slot: int  # number
    weight: float  # share of the text of witnesses, added up: the heaviest unit of a run leads it
    holds: bool = False  # it is a container


@dataclass(frozen=True, slots=True)
class SiteAreas:
    """The areas of a site."""

    labels: tuple[str, ...] = ()  # of each place
    containers: tuple[int, ...] = ()  # of each place
    seen: tuple[int, ...] = ()  # of each place: witnesses that have it
    once: tuple[int, ...] = ()  # places that stand once on a page
    names: tuple[tuple[str, str, str, int], ...] = ()  # vocabulary: tag, sign, name, pages
    evidence: tuple[KindEvidence, ...] = ()
    witnesses: tuple[str, ...] = ()  # URLs of the rendered pages, sorted
    grain: float = GRAIN  # strength from which there is a border
    slots: tuple[Slot, ...] = ()  # by number
    leads: tuple[SlotLead, ...] = ()  # by key
    views: tuple[SlotView, ...] = ()  # by template and slot
    newest: int = 0  # the largest number of a slot that was ever used
    version: int = 0  # rises with each change
    changes: tuple[str, ...] = ()  # decisions that are not as in the version before, in words

    def slot(self, number: int | None) -> Slot | None:
        """Return a slot by its number."""
        return next((slot for slot in self.slots if slot.number == number), None)


NO_AREAS = SiteAreas()
