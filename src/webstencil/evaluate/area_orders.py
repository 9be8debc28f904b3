"""Areas of the same pages in several orders, and by several workers: all must be the same.

Each job has a store and renderings of its own. What it gives is compared by hashes of the bytes
that a store keeps: the areas decided for the site with their slots, and the results of all pages,
sorted by URL.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from random import Random

from webstencil.codec import encode_result, encode_value
from webstencil.evaluate.order import Excerpt
from webstencil.evaluate.survey_orders import LISTED, hashed, scratch_place
from webstencil.jobs.job import Pipeline
from webstencil.jobs.survey import with_storable_names
from webstencil.jobs.workers import Workers
from webstencil.model import PageResult, RawPage
from webstencil.protocols import Renderer, Source, Store
from webstencil.settings import Settings
from webstencil.store import open_store


@dataclass(frozen=True, slots=True)
class AreaDigests:
    """What a job gives for a site, as hashes."""

    pages: int
    areas: str  # decided for the site, with slots
    results: str  # of all pages

    def differences(self, other: "AreaDigests") -> tuple[str, ...]:
        """Return the names of what is not the same."""
        names = [field.name for field in fields(self)]
        return tuple(name for name in names if getattr(self, name) != getattr(other, name))


NO_AREAS_FOUND = AreaDigests(0, "", "")


@dataclass(frozen=True, slots=True)
class OrderedAreas:
    """What a job gives in one order."""

    order: str  # "shuffle 2", "4 workers"
    sites: Mapping[str, AreaDigests]


@dataclass(frozen=True, slots=True)
class AreaOrderRow:
    """A site and what of its areas depends on the order of its pages."""

    site: str
    orders: tuple[str, ...]
    found: AreaDigests  # with the pages as listed
    differences: tuple[str, ...]  # "results (shuffle 2)"; empty if all jobs give the same


@dataclass(frozen=True, slots=True)
class OrderedJobs:
    """How to process the same pages again and again."""

    renderer: Renderer
    settings: Settings = Settings()
    pages: int | None = None  # of the source, the first ones; None for all


def areas_in_orders(
    source: Source, how: OrderedJobs, *, shuffles: int, workers: Sequence[int] = ()
) -> Iterator[OrderedAreas]:
    """Process pages as they are listed, shuffled, and with so many workers."""
    found = map(with_storable_names, islice(source.pages(), how.pages))
    pages = list({raw.url: raw for raw in found}.values())
    listed = list(pages)
    yield OrderedAreas(LISTED, by_one(excerpt(pages, source), how))
    for number in range(1, shuffles + 1):
        Random(number).shuffle(pages)
        yield OrderedAreas(f"shuffle {number}", by_one(excerpt(pages, source), how))
    for number in workers:
        yield OrderedAreas(f"{number} workers", by_workers(excerpt(listed, source), how, number))


def excerpt(pages: Sequence[RawPage], source: Source) -> Excerpt:
    """Return a source of some pages in their order."""
    return Excerpt({raw.url: raw for raw in pages}, source)


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
    sites: dict[str, list[PageResult]] = {}
    for result in sorted(results, key=lambda one: one.url):
        sites.setdefault(result.site, []).append(result)
    return {
        site: AreaDigests(
            len(found),
            hashed([encode_value(store.witnesses.areas(learner, site), "areas")]),
            hashed(map(encode_result, found)),
        )
        for site, found in sorted(sites.items())
    }


def compared_areas(jobs: Sequence[OrderedAreas]) -> Iterator[AreaOrderRow]:
    """Yield a row for each site; the first job is what the others are compared with."""
    for site in sorted({site for one in jobs for site in one.sites}):
        first = jobs[0].sites.get(site, NO_AREAS_FOUND)
        differences = [
            f"{name} ({one.order})"
            for one in jobs[1:]
            for name in first.differences(one.sites.get(site, NO_AREAS_FOUND))
        ]
        yield AreaOrderRow(site, tuple(one.order for one in jobs), first, tuple(differences))
