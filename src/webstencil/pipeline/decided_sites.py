"""What is decided of the areas of sites, ready to be laid over their pages."""

from dataclasses import dataclass

from webstencil.errors import StoreError
from webstencil.extract.content.page_types import type_shares
from webstencil.extract.typed_results import described
from webstencil.model import Area, Page, PageResult, Problem, Snapshot, Status
from webstencil.protocols import Store
from webstencil.site.describe import describe_laid
from webstencil.site.lay import LaidArea, SiteSpots, lay, shown
from webstencil.site.outline import outline
from webstencil.site.site_areas import SiteAreas, Slot, SlotView
from webstencil.site.slots import drawn_areas, slotted
from webstencil.site.type_votes import TypedPage, packed
from webstencil.site.witness import Learned

HELD = 300_000  # places of sites in memory


@dataclass(frozen=True, slots=True, eq=False)
class DecidedSite:
    """The areas of a site, ready to be laid over its pages."""

    areas: SiteAreas
    spots: SiteSpots
    learned: Learned
    slots: dict[int, Slot]  # by number
    views: dict[int, dict[int, SlotView]]  # by template and slot
    witnesses: frozenset[str]  # URLs
    hidden: frozenset[int]  # slots that no reader sees

    @classmethod
    def of(cls, areas: SiteAreas, learned: Learned) -> "DecidedSite":
        """Prepare what is decided."""
        views: dict[int, dict[int, SlotView]] = {}
        for view in areas.views:
            views.setdefault(view.template, {})[view.slot] = view
        slots = {slot.number: slot for slot in areas.slots}
        hidden = frozenset(slot.number for slot in areas.slots if slot.hidden)
        witnesses = frozenset(areas.witnesses)
        return cls(areas, SiteSpots(areas), learned, slots, views, witnesses, hidden)

    @property
    def is_known(self) -> bool:
        """Return whether anything was decided."""
        return self.areas.version > 0


class DecidedSites:
    """Knows what is decided of sites; those that were asked for last are in memory."""

    def __init__(self, store: Store, learner: str) -> None:
        self._store = store
        self._learner = learner
        self._sites: dict[str, DecidedSite] = {}
        self._held = 0  # places

    def __call__(self, site: str) -> DecidedSite:
        """Return what is decided of a site."""
        known = self._sites.get(site)
        if known is None:
            table = self._store.witnesses
            areas = table.areas(self._learner, site)
            if self._held > HELD:
                self.clear()
            known = DecidedSite.of(areas, table.learned(self._learner, site))
            self._sites[site] = known
            self._held += 1 + len(areas.labels)
        return known

    def clear(self) -> None:
        """Forget all, to be read again."""
        self._sites.clear()
        self._held = 0


def lay_site(page: Page, known: DecidedSite, template: int, *, origin: str = "") -> PageResult:
    """Lay the areas of a site over one of its pages."""
    laid = shown(lay(known.spots, page.markup.body), known.hidden)
    areas = describe_laid(laid, known.slots, known.views.get(template, {}))
    witness = page.url in known.witnesses
    return PageResult(
        page.url,
        page.site,
        Status.LEARNED if witness else Status.HIT,
        None,
        confidence=page_confidence(laid, [len(area.text) for area in areas]),
        areas=areas,
        problems=problems_of(known, laid),
        origin=origin,
        version=known.areas.version,
        grain=known.areas.grain,
        template_number=template,
    )


def lay_stored(page: Page, store: Store, learner: str, site: str = "") -> PageResult:
    """Lay the areas of a stored site, by default that of the page, over a page.

    Raise a `StoreError` if the site was not learned.
    """
    site = site or page.site
    table = store.witnesses
    areas = table.areas(learner, site)
    if not areas.version:
        raise StoreError(f"{site} is not learned in this store; `webstencil run` learns it")
    templates = store.templates.of(site)
    number = templates.number_of(page.url, outline(page))
    known = DecidedSite.of(areas, table.learned(learner, site))
    result = lay_site(page, known, number)
    return described(result, templates, TypedPage(number, packed(type_shares(page))))


def slots_on_page(
    page: Page, snapshot: Snapshot, store: Store, learner: str, site: str = ""
) -> tuple[Area, ...]:
    """Return the slots of a stored site where they stand on a rendered page, by their numbers."""
    site = site or page.site
    spots = SiteSpots(store.witnesses.areas(learner, site))
    laid = lay(spots, page.markup.body)
    drawn = drawn_areas(page, snapshot, laid)
    return slotted(laid, drawn)


def page_confidence(laid: tuple[LaidArea, ...], sizes: list[int]) -> float:
    """Return the mean confidence of a page's areas, by their characters."""
    leaves = [(area, 1 + size) for area, size in zip(laid, sizes, strict=True) if area.leaf]
    whole = sum(size for _, size in leaves)
    if not whole:
        return 1.0
    return round(sum(area.confidence * size for area, size in leaves) / whole, 4)


def problems_of(known: DecidedSite, laid: tuple[LaidArea, ...]) -> tuple[Problem, ...]:
    """Tell what of a page no rendered page has, or why there is none."""
    if not known.witnesses:
        reason = known.learned.reason or "no page of its site was rendered"
        return (Problem("learn", "not rendered", f"areas are those of the markup alone: {reason}"),)
    unseen = sum(area.unseen for area in laid)
    if not unseen:
        return ()
    message = f"{unseen:,} characters stand where no rendered page has anything"
    return (Problem("lay", "unseen", message),)
