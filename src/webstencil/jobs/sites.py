"""The models of the sites of a job: read from a store, or grown in memory.

A broad crawl has a few pages each of very many sites. So only the models that were asked for last
are in memory; one that comes back is read from the store again.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from webstencil.content.page_features import Row
from webstencil.content.page_types import described, type_shares, vote_of
from webstencil.errors import ParseError, SettingsError, StoreError
from webstencil.jobs.survey import surveyed_raw
from webstencil.markup.parse import parse
from webstencil.model import Area, Page, PageResult, Problem, RawPage, Snapshot, Status
from webstencil.protocols import Store
from webstencil.site.areas import SiteAreas, Slot, SlotView
from webstencil.site.lay import LaidArea, SiteSpots, describe_laid, lay, without_hidden
from webstencil.site.outline import outline
from webstencil.site.plan import Learned
from webstencil.site.site_model import OutlinedPage, SiteModel, SurveyedPage
from webstencil.site.slots import drawn_areas, slotted
from webstencil.site.templates import NO_TEMPLATE, SiteTemplates, find_templates
from webstencil.site.type_votes import UNKNOWN_PAGE, TypedPage, agreed, decides, packed_types
from webstencil.urls import site_of

if TYPE_CHECKING:
    from webstencil.store.outlines import OutlineTable

MODEL_PAGES_HELD = 10_000  # pages of all models in memory, 15 to 65 kB each
SAVED_AT_ONCE = 64  # pages


class SiteModels:
    """The models of sites, by name.

    With a table of outlines, a model is read from it when it is asked for, and those that were
    asked for last stay in memory. Without one, models begin empty, and all stay in memory.

    >>> from webstencil.site.outline import EMPTY
    >>> models = SiteModels()
    >>> models.add(OutlinedPage("https://example.com/", EMPTY))
    >>> models("example.com").pages, models("example.org").pages
    (1, 0)
    """

    def __init__(
        self, outlines: "OutlineTable | None" = None, *, held: int = MODEL_PAGES_HELD
    ) -> None:
        """Read models from `outlines`, and hold about so many pages in memory."""
        if held < 1:
            raise SettingsError(f"models of 1 or more pages must be held, not {held}")
        self._outlines = outlines
        self._held = held
        self._models: dict[str, SiteModel] = {}  # by site, the one asked for last at the end
        self._size = 0  # of the models in memory

    def __call__(self, site: str) -> SiteModel:
        """Return the model of a site; it changes as pages are added here."""
        model = self._models.pop(site, None)
        if model is None:
            model = SiteModel() if self._outlines is None else self._outlines.model(site)
            self._size += size_of(model)
            self._make_room()
        self._models[site] = model
        return model

    def add(self, page: OutlinedPage) -> None:
        """Add a page to the model of its site, in place of an older version.

        If there is a table, the page must be in it before the model is read again; a model that is
        not in memory is not read for that.
        """
        site = site_of(page.url)
        model = self(site) if self._outlines is None else self._models.get(site)
        if model is not None:
            self._size -= size_of(model)
            if page.url in model:
                model.subtract(page.url)
            model.add(page)
            self._size += size_of(model)

    def forget(self, site: str) -> None:
        """Drop the model of a site from memory."""
        model = self._models.pop(site, None)
        if model is not None:
            self._size -= size_of(model)

    def clear(self) -> None:
        """Drop all models from memory."""
        self._models.clear()
        self._size = 0

    @property
    def is_full(self) -> bool:
        """Return whether more is in memory than should be."""
        return self._size > self._held

    def in_memory(self) -> tuple[SiteModel, ...]:
        """Return the models in memory."""
        return tuple(self._models.values())

    def _make_room(self) -> None:
        """Drop the models asked for the longest time ago, if they can be read again."""
        while self.is_full and self._models and self._outlines is not None:
            self.forget(next(iter(self._models)))


def size_of(model: SiteModel) -> int:
    """Measure a model in pages; one without any takes memory, too."""
    return 1 + len(model)


def models_of(
    pages: Iterable[RawPage],
    outlines: "OutlineTable | None",
    things: ExitStack,
    *,
    held: int = MODEL_PAGES_HELD,
    typed: bool = True,
) -> SiteModels:
    """Make the models of all sites of some pages, before any page is compared with the others.

    `typed` means that pages vote on their types. Outlines go to the table. Without one they stay in
    memory; if they are too many, they go to a store that `things` deletes. Pages that are not HTML
    are left out.
    """
    left = iter(pages)
    if outlines is None:
        models = grown(left, held, typed=typed)
        if not models.is_full:
            return models
        outlines = temporary_outlines(things)
        for model in models.in_memory():
            save_outlines(model, outlines)
    survey_all(left, outlines)
    return SiteModels(outlines, held=held)


def grown(pages: Iterator[RawPage], held: int, *, typed: bool = True) -> SiteModels:
    """Make models in memory of pages until they are full; the other pages are not read."""
    models = SiteModels(held=held)
    for raw in pages:
        if models(site_of(raw.url)).takes(raw.url):
            try:
                page = parse(raw)
            except ParseError:
                continue
            types = vote_of(page) if typed else b""
            models.add(OutlinedPage(page.url, outline(page), types=types))
            if models.is_full:
                break
    return models


def survey_all(pages: Iterable[RawPage], outlines: "OutlineTable") -> None:
    """Save the outlines of pages, but for those that the table has of the same bytes."""
    from webstencil.jobs.survey import survey  # noqa: PLC0415 - database

    for _ in survey(pages, outlines):
        pass  # it saves some pages at each step


def save_outlines(pages: Iterable[OutlinedPage], outlines: "OutlineTable") -> None:
    """Save pages, some at a time."""
    left = iter(pages)
    while some := [SurveyedPage(page) for page in islice(left, SAVED_AT_ONCE)]:
        outlines.save(some)


def temporary_outlines(things: ExitStack) -> "OutlineTable":
    """Open a table in a file that `things` deletes."""
    from webstencil.store import open_store  # noqa: PLC0415 - loads the database

    folder = things.enter_context(TemporaryDirectory(prefix="webstencil-"))
    return things.enter_context(open_store(Path(folder) / "outlines.db")).outlines


# Votes on the types of pages whose site has no templates in a store.


GROWTH = 2  # a site that has so many times the pages is divided again


class DividedSite(NamedTuple):
    """The templates of a model when it had so many pages."""

    pages: int
    templates: SiteTemplates


class SiteTypes:
    """Asks the pages of a template for the type of one of them; see `extractor.TypeVote`.

    A site is divided when the first of its pages is asked for, and again as it grows.
    """

    def __init__(self, models: SiteModels) -> None:
        self._models = models
        self._divided: dict[str, DividedSite] = {}

    def __call__(self, page: Page, types: Row) -> Row:
        """Return the probabilities of types by a page, which has these alone, and its template."""
        model = self._models(page.site)
        known = self._known(page.site, model)
        own = model.page(page.url)
        number = known.templates.number_of(
            page.url,
            own.outline if own is not None else outline(page),
            learned=own is not None and model.pages == known.pages,
        )
        return agreed(packed_types(types), known.templates.votes_of(number))

    def _known(self, site: str, model: SiteModel) -> DividedSite:
        known = self._divided.get(site)
        if known is None or model.pages >= GROWTH * known.pages:
            known = self._divided[site] = DividedSite(model.pages, find_templates(model))
        return known


# What a survey tells of the sites of a job, as the store has it: models and templates.


TYPED_PAGES_HELD = 200_000  # pages whose templates are in memory, about 200 bytes each


class KnownTemplates(NamedTuple):
    """The templates of a site and of its pages."""

    templates: SiteTemplates
    pages: dict[str, TypedPage]  # by URL
    counts: Counter[int]  # pages of each template, by its number


class SurveyedSites:
    """Knows the models of sites and the templates of their pages."""

    def __init__(self, store: Store) -> None:
        self.outlines = store.outlines
        self.models = SiteModels(store.outlines)
        self._store = store
        self._sites: dict[str, KnownTemplates] = {}
        self._held = 0  # pages of these, and sites

    def described(
        self, page: Page, result: PageResult, told: OutlinedPage | None = None
    ) -> PageResult:
        """Return a result with the name of its template and the type of its page.

        `told` is what the page tells, if the store does not know it yet. The page is asked for its
        type if its template does not decide.
        """
        known = self._known(result.site)
        typed = known.pages.get(result.url, UNKNOWN_PAGE)
        if told is not None:
            typed = TypedPage(known.templates.number_of(told.url, told.outline), told.types)
        if not typed.types and not decides(known.templates.votes_of(typed.template)):
            typed = typed._replace(types=packed_types(type_shares(page)))
        return described(result, known.templates, typed)

    def voted(self, page: Page, shares: Sequence[float]) -> Row:
        """Return the probabilities of types by a page, which has these alone, and its template."""
        known = self._known(page.site)
        number = known.pages.get(page.url, UNKNOWN_PAGE).template
        return agreed(packed_types(shares), known.templates.votes_of(number))

    def number(self, page: Page, told: OutlinedPage | None = None) -> int:
        """Return the number of a page's template, NO_TEMPLATE if it follows none that is known."""
        known = self._known(page.site)
        if told is None:
            return known.pages.get(page.url, UNKNOWN_PAGE).template or NO_TEMPLATE
        return known.templates.number_of(told.url, told.outline)

    def pages_like(self, page: Page) -> int:
        """Return how many pages of the site have the template of a page."""
        known = self._known(page.site)
        number = known.pages.get(page.url, UNKNOWN_PAGE).template or NO_TEMPLATE
        return 1 if number == NO_TEMPLATE else known.counts[number]

    def survey_failed(self, raw: RawPage, hashed: bytes) -> SurveyedPage | None:
        """Return what a page tells that could not be processed, None if it is no HTML page.

        A site is all of its pages, whichever of them can be rendered.
        """
        surveyed = surveyed_raw(raw, hashed, self.outlines)
        if surveyed is None:
            self.outlines.drop([raw.url])
        else:
            self.models.add(surveyed.page)
        return surveyed

    def clear(self) -> None:
        """Forget all, to be read again."""
        self.models.clear()
        self._forget()

    def _forget(self) -> None:
        self._sites.clear()
        self._held = 0

    def _known(self, site: str) -> KnownTemplates:
        known = self._sites.get(site)
        if known is None:
            if self._held > TYPED_PAGES_HELD:
                self._forget()
            pages = self._store.outlines.typed(site)
            templates = self._store.templates.of(site)
            known = KnownTemplates(
                templates, pages, Counter([page.template or NO_TEMPLATE for page in pages.values()])
            )
            self._sites[site] = known
            self._held += 1 + len(pages)
        return known


# What is decided of the areas of sites, ready to be laid over their pages.


PLACES_HELD = 300_000  # places of sites in memory


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
            if self._held > PLACES_HELD:
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
    return described(result, templates, TypedPage(number, packed_types(type_shares(page))))


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


# How many pages of each site wait in the store, and when there are enough of them.


MOST_WAITING = 20_000  # pages of a site that wait on disk, 5 to 20 kB each
ENOUGH = 32  # pages from which a site is learned while others are still to come


class SpooledSites:
    """Counts the pages that wait, by site."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counts: Counter[str] = Counter()
        self._known: set[str] = set()  # sites whose pages in the store are counted

    def takes(self, result: PageResult) -> bool:
        """Return whether a page is kept; beyond the bound, only what no rendered page has is."""
        site = result.site
        if site not in self._known:
            self._known.add(site)
            self._counts[site] += self._store.spool.count(site)
        odd = result.status is Status.WAITING or bool(result.problems)
        if self._counts[site] >= MOST_WAITING and not odd:
            return False
        self._counts[site] += 1
        return True

    def is_time(self, site: str) -> bool:
        """Return whether enough pages of a site wait to learn it."""
        return self._counts[site] >= ENOUGH

    def is_full(self, result: PageResult) -> bool:
        """Return whether no more pages of a site may wait for it to be learned."""
        return result.status is Status.WAITING and self._counts[result.site] >= MOST_WAITING

    def clear(self) -> None:
        """Forget all, to be counted again."""
        self._counts.clear()
        self._known.clear()
