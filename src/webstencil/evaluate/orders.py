"""Surveys of the same pages in several orders, and by several workers: all must be the same.

Each survey goes through a store of its own. What it decides is compared by hashes of the bytes that
a store would keep: the model, the templates, the template of each page, the plan.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from webstencil.codec.values import encode_result, encode_value
from webstencil.evaluate.site_pages import Excerpt
from webstencil.jobs.worker_messages import Phase, WorkerJob
from webstencil.jobs.workers import Workers
from webstencil.model import PageResult, RawPage
from webstencil.pipeline.job import Pipeline
from webstencil.pipeline.survey import decide_templates, survey, with_storable_names
from webstencil.protocols import Renderer, Source, Store
from webstencil.queries.site_surveys import survey_of, surveyed_sites
from webstencil.settings import Settings
from webstencil.site.outline_codec import encode_outline
from webstencil.site.site_model import SiteModel
from webstencil.store import SqlStore, open_store

LISTED = "as listed"
DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True)
class SurveyDigests:
    """What a survey found at a site, as hashes."""

    pages: int
    model: str
    templates: str
    numbers: str  # the template of each page
    plan: str

    def differences(self, other: "SurveyDigests") -> tuple[str, ...]:
        """Return the names of what is not the same."""
        names = [field.name for field in fields(self)]
        return tuple(name for name in names if getattr(self, name) != getattr(other, name))


NO_SURVEY = SurveyDigests(0, "", "", "", "")


@dataclass(frozen=True, slots=True)
class OrderedSurvey:
    """What the survey of a source found in one order."""

    order: str  # "shuffle 2", "4 workers"
    sites: Mapping[str, SurveyDigests]


@dataclass(frozen=True, slots=True)
class OrderRow:
    """A site and what depends on the order of its pages."""

    site: str
    orders: tuple[str, ...]
    found: SurveyDigests  # with the pages as listed
    differences: tuple[str, ...]  # "plan (shuffle 2)"; empty if all surveys are the same


def surveys_in_orders(
    source: Source, *, shuffles: int, workers: Sequence[int] = ()
) -> Iterator[OrderedSurvey]:
    """Survey a source as it is listed, shuffled, and with so many workers; its pages are kept.

    Workers read the source themselves, each a part of it: their pages mix as the machine has it.
    """
    pages = list({raw.url: raw for raw in map(with_storable_names, source.pages())}.values())
    yield OrderedSurvey(LISTED, in_one_process(pages))
    for number in range(1, shuffles + 1):
        Random(number).shuffle(pages)
        yield OrderedSurvey(f"shuffle {number}", in_one_process(pages))
    for number in workers:
        yield OrderedSurvey(f"{number} workers", with_workers(source, number))


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
        SurveyWorkers(place, number=number).survey(source)
        with open_store(place) as store:
            return survey_digests(store)


@contextmanager
def scratch_place() -> Iterator[Path]:
    """Yield the path of a store that is deleted afterwards."""
    with TemporaryDirectory(prefix="webstencil-") as folder:
        yield Path(folder) / "survey.db"


class SurveyWorkers(Workers):
    """Workers that survey a source and leave it at that."""

    def survey(self, source: Source) -> None:
        """Save the outlines of all pages, and decide on the templates."""
        with open_store(self._store) as store:
            job = WorkerJob(
                self._store, source, self.settings, self._renderer, (), run=0, phase=Phase.SURVEY
            )
            self._survey(job, store)


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
    known = blake2b(digest_size=DIGEST_BYTES)
    for piece in pieces:
        known.update(piece)
    return known.hexdigest()


def compared_surveys(surveys: Sequence[OrderedSurvey]) -> Iterator[OrderRow]:
    """Yield a row for each site; the first survey is what the others are compared with."""
    names = sorted({site for one in surveys for site in one.sites})
    for site in names:
        first = surveys[0].sites.get(site, NO_SURVEY)
        differences = [
            f"{name} ({one.order})"
            for one in surveys[1:]
            for name in first.differences(one.sites.get(site, NO_SURVEY))
        ]
        yield OrderRow(site, tuple(one.order for one in surveys), first, tuple(differences))


# Areas of the same pages in several orders, and by several workers: all must be the same.
#
# Each job has a store and renderings of its own. What it gives is compared by hashes of the bytes
# that a store keeps: the areas decided for the site with their slots, and the results of all pages,
# sorted by URL.


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
            hashed_bytes([encode_value(store.witnesses.areas(learner, site), "areas")]),
            hashed_bytes(map(encode_result, found)),
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
