"""What is known of the sites of a job, for every stage: models, templates, areas, pages that wait.

A broad crawl has a few pages each of very many sites. So only what was asked for last is in memory;
what comes back is read from the store again. Without a store, models begin empty and grow.
"""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from webstencil.content.page_features import Row
from webstencil.content.page_types import type_shares
from webstencil.errors import SettingsError, StoreError
from webstencil.model import Area, Page, PageResult, Problem, Snapshot, Status
from webstencil.protocols import Store
from webstencil.site.areas import SiteAreas, Slot, SlotView
from webstencil.site.lay import LaidArea, SiteSpots, describe_laid, lay, without_hidden
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.plan import Learned
from webstencil.site.site_model import SiteModel
from webstencil.site.slots import drawn_areas, slotted
from webstencil.site.templates import NO_TEMPLATE, SiteTemplates, described_result, find_templates
from webstencil.site.type_votes import UNKNOWN_PAGE, TypedPage, agreed, decides, packed_types
from webstencil.urls import site_of

if TYPE_CHECKING:
    from webstencil.store.outlines import OutlineTable

T = TypeVar("T")

MODEL_PAGES_HELD = 10_000  # pages of all models in memory, 15 to 65 kB each
TYPED_PAGES_HELD = 200_000  # pages whose templates are in memory, about 200 bytes each
PLACES_HELD = 300_000  # places of sites in memory
GROWTH = 2  # a site without a store that has so many times the pages is divided again
MOST_WAITING = 20_000  # pages of a site that wait on disk, 5 to 20 kB each
ENOUGH_WAITING = 32  # pages from which a site is learned while others are still to come


class Held(Generic[T]):
    """Values of sites; those that were asked for the longest time ago are dropped first."""

    def __init__(self, read: Callable[[str], T], size: Callable[[T], int], most: int) -> None:
        """Let `read` make what is not here; hold values of `most` in all, but always one."""
        self.most = most
        self.size = 0  # of all values
        self._read = read
        self._size_of = size
        self._values: dict[str, tuple[T, int]] = {}  # with their sizes, the one met last at the end

    def __call__(self, site: str) -> T:
        """Return the value of a site."""
        value = self._values.pop(site, None)
        if value is None:
            self.put(site, self._read(site))
        else:
            self._values[site] = value
        return self._values[site][0]

    def here(self, site: str) -> T | None:
        """Return a value if it is in memory."""
        value = self._values.get(site)
        return None if value is None else value[0]

    def put(self, site: str, value: T) -> None:
        """Hold a value, also one that has grown."""
        self.drop(site)
        size = self._size_of(value)
        self.size += size
        while self.size > self.most and self._values:
            self.drop(next(iter(self._values)))
        self._values[site] = value, size

    def drop(self, site: str) -> None:
        """Drop a value, to be read again."""
        _, size = self._values.pop(site, (None, 0))
        self.size -= size

    def clear(self) -> None:
        """Drop all."""
        self._values.clear()
        self.size = 0

    def values(self) -> tuple[T, ...]:
        """Return what is in memory."""
        return tuple(value for value, _ in self._values.values())


class KnownTemplates(NamedTuple):
    """The templates of a site and of its pages."""

    templates: SiteTemplates
    pages: dict[str, TypedPage]  # by URL
    counts: Counter[int]  # pages of each template, by its number


class DividedSite(NamedTuple):
    """The templates of a model when it had so many pages."""

    pages: int
    templates: SiteTemplates


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


class Sites:
    """What is known of sites, by name; calling it returns the model of a site.

    With a store or a table of outlines, a model is read when it is asked for. Without one, models
    begin empty, and all stay in memory.

    >>> from webstencil.site.outline import EMPTY_OUTLINE
    >>> sites = Sites()
    >>> sites.add(OutlinedPage("https://example.com/", EMPTY_OUTLINE))
    >>> sites("example.com").pages, sites("example.org").pages
    (1, 0)
    """

    def __init__(
        self,
        store: Store | None = None,
        learner: str = "",
        *,
        outlines: "OutlineTable | None" = None,
        held: int = MODEL_PAGES_HELD,
    ) -> None:
        """Hold models of about `held` pages in memory."""
        if held < 1:
            raise SettingsError(f"models of 1 or more pages must be held, not {held}")
        self.outlines = store.outlines if store is not None else outlines
        self._store = store
        self._learner = learner
        self._held = held
        most = sys.maxsize if self.outlines is None else held  # what is nowhere else is not dropped
        self._models: Held[SiteModel] = Held(self._model, size_of, most)
        self._divided: dict[str, DividedSite] = {}  # without a store
        self._templates = Held(
            self._read_templates, lambda one: 1 + len(one.pages), TYPED_PAGES_HELD
        )
        self._areas = Held(self._read_areas, lambda one: 1 + len(one.areas.labels), PLACES_HELD)
        self._waiting: Counter[str] = Counter()  # pages, by site
        self._counted: set[str] = set()  # sites whose pages in the store are counted

    def clear(self) -> None:
        """Forget all, to be read again."""
        self._models.clear()
        self._templates.clear()
        self._areas.clear()
        self._waiting.clear()
        self._counted.clear()

    def clear_areas(self) -> None:
        """Forget what is decided of areas, to be read again."""
        self._areas.clear()

    # Models

    def __call__(self, site: str) -> SiteModel:
        """Return the model of a site; it changes as pages are added here."""
        return self._models(site)

    def add(self, page: OutlinedPage) -> None:
        """Add a page to the model of its site, in place of an older version.

        If there is a table, the page must be in it before the model is read again; a model that is
        not in memory is not read for that.
        """
        site = site_of(page.url)
        model = self(site) if self.outlines is None else self._models.here(site)
        if model is not None:
            if page.url in model:
                model.subtract(page.url)
            model.add(page)
            self._models.put(site, model)

    def forget(self, site: str) -> None:
        """Drop the model of a site from memory."""
        self._models.drop(site)

    @property
    def is_full(self) -> bool:
        """Return whether more is in memory than should be."""
        return self._models.size > self._held

    def in_memory(self) -> tuple[SiteModel, ...]:
        """Return the models in memory."""
        return self._models.values()

    def _model(self, site: str) -> SiteModel:
        return SiteModel() if self.outlines is None else self.outlines.model(site)

    # Templates and types

    def templates(self, site: str) -> KnownTemplates:
        """Return the templates of a site and of its pages, as the store has them."""
        return self._templates(site)

    def number(self, page: Page, outlined: OutlinedPage | None = None) -> int:
        """Return the number of a page's template, NO_TEMPLATE if it follows none that is known.

        `outlined` is what the page tells, if the store does not know it yet.
        """
        known = self._templates(page.site)
        if outlined is None:
            return known.pages.get(page.url, UNKNOWN_PAGE).template or NO_TEMPLATE
        return known.templates.number_of(outlined.url, outlined.outline)

    def pages_like(self, page: Page) -> int:
        """Return how many pages of the site have the template of a page."""
        number = self.number(page)
        return 1 if number == NO_TEMPLATE else self._templates(page.site).counts[number]

    def described(
        self, page: Page, result: PageResult, outlined: OutlinedPage | None = None
    ) -> PageResult:
        """Return a result with the name of its template and the type of its page.

        The page is asked for its type if its template does not decide.
        """
        known = self._templates(result.site)
        typed = known.pages.get(result.url, UNKNOWN_PAGE)
        if outlined is not None:
            number = known.templates.number_of(outlined.url, outlined.outline)
            typed = TypedPage(number, outlined.types)
        if not typed.types and not decides(known.templates.votes_of(typed.template)):
            typed = typed._replace(types=packed_types(type_shares(page)))
        return described_result(result, known.templates, typed)

    def named(self, result: PageResult) -> PageResult:
        """Return a result with the name of its template, without a look at its page."""
        known = self._templates(result.site)
        typed = known.pages.get(result.url, UNKNOWN_PAGE)
        return described_result(result, known.templates, typed)

    def voted(self, page: Page, shares: Row) -> Row:
        """Return the probabilities of types by a page, which has these alone, and its template."""
        if self._store is None:
            return self._voted_without_store(page, shares)
        known = self._templates(page.site)
        number = known.pages.get(page.url, UNKNOWN_PAGE).template
        return agreed(packed_types(shares), known.templates.votes_of(number))

    def _voted_without_store(self, page: Page, shares: Row) -> Row:
        templates, number = self.template_without_store(page)
        return agreed(packed_types(shares), templates.votes_of(number))

    def template_without_store(self, page: Page) -> tuple[SiteTemplates, int]:
        """Return the templates of a site, and the number of that of a page.

        A site is divided when the first of its pages is asked for, and again as it grows.
        """
        model = self(page.site)
        known = self._divided.get(page.site)
        if known is None or model.pages >= GROWTH * known.pages:
            known = self._divided[page.site] = DividedSite(model.pages, find_templates(model))
        own = model.page(page.url)
        number = known.templates.number_of(
            page.url,
            own.outline if own is not None else outline(page),
            learned=own is not None and model.pages == known.pages,
        )
        return known.templates, number

    def _read_templates(self, site: str) -> KnownTemplates:
        store = self._stored()
        pages = store.outlines.typed(site)
        counts = Counter([page.template or NO_TEMPLATE for page in pages.values()])
        return KnownTemplates(store.templates.of(site), pages, counts)

    def _stored(self) -> Store:
        if self._store is None:
            raise SettingsError("templates and areas of sites are in a store; name one")
        return self._store

    # Areas

    def areas(self, site: str) -> DecidedSite:
        """Return what is decided of a site; as long as that is nothing, the store is asked."""
        known = self._areas(site)
        if not known.is_known:
            self._areas.drop(site)
        return known

    def _read_areas(self, site: str) -> DecidedSite:
        table = self._stored().witnesses
        areas = table.areas(self._learner, site)
        return DecidedSite.of(areas, table.learned(self._learner, site))

    # Pages that wait until their whole site is known

    def waits(self, result: PageResult) -> bool:
        """Return whether a page is kept; beyond the bound, only what no rendered page has is."""
        site = result.site
        if site not in self._counted:
            self._counted.add(site)
            self._waiting[site] += self._stored().spool.count(site)
        odd = result.status is Status.WAITING or bool(result.problems)
        if self._waiting[site] >= MOST_WAITING and not odd:
            return False
        self._waiting[site] += 1
        return True

    def is_time(self, site: str) -> bool:
        """Return whether enough pages of a site wait to learn it."""
        return self._waiting[site] >= ENOUGH_WAITING

    def is_overfull(self, result: PageResult) -> bool:
        """Return whether no more pages of a site may wait for it to be learned."""
        return result.status is Status.WAITING and self._waiting[result.site] >= MOST_WAITING


def size_of(model: SiteModel) -> int:
    """Measure a model in pages; one without any takes memory, too."""
    return 1 + len(model)


def lay_site(page: Page, known: DecidedSite, template: int, *, origin: str = "") -> PageResult:
    """Lay the areas of a site over one of its pages."""
    laid = without_hidden(lay(known.spots, page.markup.body), known.hidden)
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
        template_number=template or None,
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
    return described_result(result, templates, TypedPage(number, packed_types(type_shares(page))))


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
