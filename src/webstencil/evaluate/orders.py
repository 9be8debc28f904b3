"""Surveys and areas of the same pages in several orders, and by several workers: all the same.

Each survey and each job goes through a store of its own, jobs with renderings of their own. What is
found is compared by hashes of the bytes that a store would keep: the model, the templates, the
template of each page, the plan; the areas decided for the site with their slots, and the results of
all pages, sorted by URL.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Generic, TypeVar

from webstencil.codec import encode_result, encode_value
from webstencil.evaluate.site_pages import Excerpt
from webstencil.evaluate.tables import Evaluated, grouped, score_table
from webstencil.jobs.job import Pipeline
from webstencil.jobs.survey import decide_templates, survey, with_storable_names
from webstencil.jobs.workers import Workers
from webstencil.model import PageResult, RawPage
from webstencil.protocols import Renderer, Source, Store
from webstencil.queries.surveys import survey_of, surveyed_sites
from webstencil.settings import Settings
from webstencil.site.site_model import SiteModel, encode_outline
from webstencil.store import SqlStore, open_store

AS_LISTED = "as listed"
ORDER_HASH_BYTES = 16
EQUAL = "equal"

Digests = TypeVar("Digests", bound="SiteDigests")


@dataclass(frozen=True, slots=True)
class SiteDigests:
    """What was found at a site, as hashes of the bytes that a store keeps."""

    pages: int = 0

    def differences(self, other: "SiteDigests") -> tuple[str, ...]:
        """Return the names of what is not the same."""
        names = [field.name for field in fields(self)]
        return tuple(name for name in names if getattr(self, name) != getattr(other, name))


@dataclass(frozen=True, slots=True)
class SurveyDigests(SiteDigests):
    """What a survey found at a site."""

    model: str = ""
    templates: str = ""
    numbers: str = ""  # the template of each page
    plan: str = ""


@dataclass(frozen=True, slots=True)
class AreaDigests(SiteDigests):
    """What a job gives for a site."""

    areas: str = ""  # decided for the site, with slots
    results: str = ""  # of all pages


@dataclass(frozen=True, slots=True)
class InOrder(Generic[Digests]):
    """What was found in one order."""

    order: str  # "shuffle 2", "4 workers"
    sites: Mapping[str, Digests]


@dataclass(frozen=True, slots=True)
class OrderRow(Generic[Digests]):
    """A site and what depends on the order of its pages."""

    site: str
    orders: tuple[str, ...]
    found: Digests  # with the pages as listed
    differences: tuple[str, ...]  # "plan (shuffle 2)"; empty if all orders give the same

    @property
    def outcome(self) -> str:
        """Write what differs."""
        return "; ".join(self.differences) or EQUAL


def surveys_in_orders(
    source: Source, *, shuffles: int, workers: Sequence[int] = ()
) -> Iterator[InOrder[SurveyDigests]]:
    """Survey a source as it is listed, shuffled, and with so many workers; its pages are kept.

    Workers read the source themselves, each a part of it: their pages mix as the machine has it.
    """
    for order, pages in in_orders(source, shuffles):
        yield InOrder(order, in_one_process(pages))
    for number in workers:
        yield InOrder(f"{number} workers", with_workers(source, number))


def in_orders(
    source: Source, shuffles: int, most: int | None = None
) -> Iterator[tuple[str, list[RawPage]]]:
    """Yield the first pages of a source, each once, as they are listed and shuffled."""
    found = map(with_storable_names, islice(source.pages(), most))
    pages = list({raw.url: raw for raw in found}.values())
    yield AS_LISTED, list(pages)
    for number in range(1, shuffles + 1):
        Random(number).shuffle(pages)
        yield f"shuffle {number}", list(pages)


def in_one_process(pages: Iterable[RawPage]) -> dict[str, SurveyDigests]:
    """Survey pages in their order."""
    with scratch_place() as place, open_store(place) as store:
        for _ in survey(pages, store.outlines):
            pass  # it saves some pages at each step
        decide_templates(store)
        return survey_digests(store)


def with_workers(source: Source, number: int) -> dict[str, SurveyDigests]:
    """Survey a source in several processes."""
    with scratch_place() as place:
        Workers(place, number=number).survey(source)
        with open_store(place) as store:
            return survey_digests(store)


@contextmanager
def scratch_place() -> Iterator[Path]:
    """Yield the path of a store that is deleted afterwards."""
    with TemporaryDirectory(prefix="webstencil-") as folder:
        yield Path(folder) / "survey.db"


def survey_digests(store: SqlStore) -> dict[str, SurveyDigests]:
    """Return what a store knows of its sites, as hashes."""
    return {site: digests_of(store, site) for site in surveyed_sites(store)}


def digests_of(store: SqlStore, site: str) -> SurveyDigests:
    """Return what a store knows of a site, as hashes."""
    model = store.outlines.model(site)
    numbers = sorted(store.outlines.templates(site).items())
    return SurveyDigests(
        pages=model.pages,
        model=hashed_bytes(model_bytes(model)),
        templates=hashed_bytes([encode_value(store.templates.of(site), "templates")]),
        numbers=hashed_bytes([encode_value(numbers, "numbers")]),
        plan=hashed_bytes([encode_value(survey_of(store, site).plan, "a plan")]),
    )


def model_bytes(model: SiteModel) -> Iterator[bytes]:
    """Yield a model as bytes."""
    yield encode_value((model.most, model.pages, len(model)), "a model")
    for page in model:
        yield encode_value((page.url, page.digest), "a page")
        yield encode_outline(page.outline)


def hashed_bytes(pieces: Iterable[bytes]) -> str:
    """Hash bytes."""
    known = blake2b(digest_size=ORDER_HASH_BYTES)
    for piece in pieces:
        known.update(piece)
    return known.hexdigest()


def compared_orders(
    orders: Sequence[InOrder[Digests]], none: Digests
) -> Iterator[OrderRow[Digests]]:
    """Yield a row for each site; the first order is what the others are compared with."""
    for site in sorted({site for one in orders for site in one.sites}):
        first = orders[0].sites.get(site, none)
        differences = [
            f"{name} ({one.order})"
            for one in orders[1:]
            for name in first.differences(one.sites.get(site, none))
        ]
        yield OrderRow(site, tuple(one.order for one in orders), first, tuple(differences))


@dataclass(frozen=True, slots=True)
class OrderedJobs:
    """How to process the same pages again and again."""

    renderer: Renderer
    settings: Settings = Settings()
    pages: int | None = None  # of the source, the first ones; None for all


def areas_in_orders(
    source: Source, how: OrderedJobs, *, shuffles: int, workers: Sequence[int] = ()
) -> Iterator[InOrder[AreaDigests]]:
    """Process pages as they are listed, shuffled, and with so many workers."""
    for order, pages in in_orders(source, shuffles, how.pages):
        yield InOrder(order, by_one(Excerpt.of(pages, source), how))
    ((_, listed),) = in_orders(source, 0, how.pages)
    for number in workers:
        yield InOrder(f"{number} workers", by_workers(Excerpt.of(listed, source), how, number))


def by_one(source: Excerpt, how: OrderedJobs) -> dict[str, AreaDigests]:
    """Process pages in this process."""
    with scratch_place() as place, open_store(place) as store:
        results = list(Pipeline(store, how.renderer, how.settings).run(source))
        return area_digests(store, how.settings.learner, results)


def by_workers(source: Excerpt, how: OrderedJobs, number: int) -> dict[str, AreaDigests]:
    """Process pages in several processes."""
    with scratch_place() as place:
        jobs = Workers(place, how.settings, number=number, renderer=how.renderer)
        results = list(jobs.run(source))
        with open_store(place) as store:
            return area_digests(store, how.settings.learner, results)


def area_digests(
    store: Store, learner: str, results: Sequence[PageResult]
) -> dict[str, AreaDigests]:
    """Return what a job gave, as hashes."""
    sites = grouped(sorted(results, key=lambda one: one.url), "site")
    return {
        site: AreaDigests(
            len(found),
            hashed_bytes([encode_value(store.witnesses.areas(learner, site), "areas")]),
            hashed_bytes(map(encode_result, found)),
        )
        for site, found in sorted(sites.items())
    }


ORDER_COLUMNS = (
    *("site=survey.site", "pages=survey.found.pages", "orders", "surveys=survey.outcome"),
    *("pages with areas=pages", "areas=outcome"),
)


@dataclass(frozen=True, slots=True)
class OrderedSite:
    """A site, and what depends on the order of its pages."""

    survey: OrderRow[SurveyDigests]
    areas: OrderRow[AreaDigests] | None  # None if they were not asked for

    @property
    def is_equal(self) -> bool:
        """Return whether nothing does."""
        return not self.survey.differences and not (self.areas and self.areas.differences)

    @property
    def orders(self) -> int:
        """Return the number of orders."""
        return len(self.survey.orders)

    @property
    def pages(self) -> int:
        """Return the number of pages whose areas were compared."""
        return self.areas.found.pages if self.areas else 0

    @property
    def outcome(self) -> str | None:
        """Write what differs of areas."""
        return self.areas.outcome if self.areas else None


def show_orders(sites: Sequence[OrderedSite]) -> Evaluated:
    """Show the sites; it does not hold if anything depends on the order."""
    values = [
        {**asdict(one.survey), "areas": asdict(one.areas) if one.areas else None} for one in sites
    ]
    holds = all(one.is_equal for one in sites)
    return Evaluated([score_table("", ORDER_COLUMNS, sites)], values, holds=holds)
