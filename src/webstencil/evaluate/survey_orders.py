"""Surveys of the same pages in several orders, and by several workers: all must be the same.

Each survey goes through a store of its own. What it decides is compared by hashes of the bytes that
a store would keep: the model, the templates, the template of each page, the plan.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from hashlib import blake2b
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from webstencil.codec import encode_value
from webstencil.jobs.survey import decide_templates, survey, with_storable_names
from webstencil.jobs.work import Phase, WorkerJob
from webstencil.jobs.workers import Workers
from webstencil.model import RawPage
from webstencil.protocols import Source
from webstencil.queries.surveys import survey_of, surveyed_sites
from webstencil.site.site_model import SiteModel, encode_outline
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
        return digests(store)


def with_workers(source: Source, number: int) -> dict[str, SurveyDigests]:
    """Survey a source in several processes."""
    with scratch_place() as place:
        SurveyWorkers(place, number=number).survey(source)
        with open_store(place) as store:
            return digests(store)


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


def digests(store: SqlStore) -> dict[str, SurveyDigests]:
    """Return what a store knows of its sites, as hashes."""
    return {site: digests_of(store, site) for site in surveyed_sites(store)}


def digests_of(store: SqlStore, site: str) -> SurveyDigests:
    """Return what a store knows of a site, as hashes."""
    model = store.outlines.model(site)
    numbers = sorted(store.outlines.templates(site).items())
    return SurveyDigests(
        pages=model.pages,
        model=hashed(model_bytes(model)),
        templates=hashed([encode_value(store.templates.of(site), "templates")]),
        numbers=hashed([encode_value(numbers, "numbers")]),
        plan=hashed([encode_value(survey_of(store, site).plan, "a plan")]),
    )


def model_bytes(model: SiteModel) -> Iterator[bytes]:
    """Yield a model as bytes."""
    yield encode_value((model.most, model.pages, len(model)), "a model")
    for page in model:
        yield encode_value((page.url, page.digest), "a page")
        yield encode_outline(page.outline)


def hashed(pieces: Iterable[bytes]) -> str:
    """Hash bytes."""
    known = blake2b(digest_size=DIGEST_BYTES)
    for piece in pieces:
        known.update(piece)
    return known.hexdigest()


def compared(surveys: Sequence[OrderedSurvey]) -> Iterator[OrderRow]:
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
