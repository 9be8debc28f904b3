"""Messages to workers and from workers."""

import os
import pickle
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from time import monotonic
from typing import Self, TypeAlias

from webstencil.errors import WebstencilError
from webstencil.jobs.job import Pipeline
from webstencil.jobs.learn import PageRendering, Rendered
from webstencil.jobs.survey import survey
from webstencil.model import PageResult, RawPage, Status
from webstencil.protocols import Done, PageEvent, Renderer, Source, Unchanged
from webstencil.report import Report
from webstencil.settings import Settings
from webstencil.sources import Note, PartOf, Several, SourcePart
from webstencil.store import StorePlace, open_store
from webstencil.urls import site_of


class Phase(Enum):
    """What workers do with the pages of a source."""

    SURVEY = auto()  # save their outlines
    LEARN = auto()  # render those that are wanted
    PROCESS = auto()  # find their areas


@dataclass(frozen=True, slots=True)
class WorkerJob:
    """A job as workers get it; each opens the store and starts a browser itself."""

    store: StorePlace
    source: Source
    settings: Settings
    renderer: Renderer
    items: tuple[str, ...]  # names of extractors
    run: int  # number of the run in the store
    phase: Phase = Phase.PROCESS
    surveyed: bool = False  # the source was surveyed before its pages are processed
    wanted: frozenset[str] = frozenset()  # URLs of pages to render

    def owner(self, part: SourcePart) -> str:
        """Return who holds the claims of a part: a new worker takes over those of a dead one."""
        return f"run {self.run}, part {part.number} of {part.of}"


@dataclass(frozen=True, slots=True)
class Met:
    """A page that a worker came to."""

    url: str
    digest: bytes
    result: PageResult | None  # without areas and items; None if the page is unchanged


@dataclass(frozen=True, slots=True)
class WorkerProgress:
    """What a worker did since its last message; all results are in the store."""

    pages: tuple[Met, ...]
    report: Report  # on all its pages so far
    repeated: int  # pages left out so far because their URL came before


@dataclass(frozen=True, slots=True)
class SurveyProgress:
    """How many pages a worker has surveyed so far, and of which sites."""

    pages: int
    sites: frozenset[str] = frozenset()  # in its last message


@dataclass(frozen=True, slots=True)
class RenderProgress:
    """What came of the pages that a worker rendered so far."""

    told: Rendered


@dataclass(frozen=True, slots=True)
class Ended:
    """A worker has finished its part."""

    notes: tuple[Note, ...]
    missing: frozenset[str]  # URLs of style sheets


@dataclass(frozen=True, slots=True)
class LostPage:
    """A page without a result, because it crashes its worker processes."""

    url: str
    origin: str
    why: str  # exit code or signal of the last one


@dataclass(frozen=True, slots=True)
class WorkersBroken:
    """The job cannot go on."""

    error: WebstencilError


Said: TypeAlias = (
    WorkerProgress | SurveyProgress | RenderProgress | Ended | LostPage | WorkersBroken
)
STOP = "stop"  # tells a worker to end early


# The page that a worker is processing, kept where its parent can read it after a crash.


LARGEST_NOTE = 1 << 20  # bytes written; no URL is that long


@dataclass(frozen=True, slots=True)
class Hand:
    """An unnamed file that worker and parent have open; costs a few microseconds per page."""

    descriptor: int

    @classmethod
    def new(cls) -> Self:
        """Create the file; the caller closes it."""
        with tempfile.TemporaryFile() as file:
            return cls(os.dup(file.fileno()))

    def take(self, page: RawPage | None) -> None:
        """Write down the page that is begun, None when it is done."""
        note = None if page is None else (page.url, page.origin)
        with suppress(OSError):  # a full disk must not end the job
            os.pwrite(self.descriptor, pickle.dumps(note), 0)

    def page(self) -> tuple[str, str] | None:
        """Return URL and origin of the page in work, None if there is none."""
        try:
            note: tuple[str, str] | None = pickle.loads(os.pread(self.descriptor, LARGEST_NOTE, 0))
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return note

    def close(self) -> None:
        """Close the file."""
        os.close(self.descriptor)


# A part of a job: the pages of a source that one worker processes.


EVERY = 0.2  # s between messages
MOST_IN_MESSAGE = 256  # pages in a message


def do_part(
    job: WorkerJob, part: SourcePart, tell: Callable[[Said], None], hand: Hand, but: frozenset[str]
) -> None:
    """Survey or process the pages of a part.

    `hand` has the page in work; pages with the URLs `but` are left out.
    """
    pages = PartOf(job.source, part, but)
    if job.phase is Phase.SURVEY:
        survey_part(job, pages, tell, hand)
    elif job.phase is Phase.LEARN:
        learn_part(job, pages, tell, hand)
    else:
        process_part(job, pages, tell, hand)
    tell(ending(job.source))


def survey_part(job: WorkerJob, pages: PartOf, tell: Callable[[Said], None], hand: Hand) -> None:
    """Save the outlines of the pages of a part that are new or changed."""
    told = 0.0
    read = 0
    sites: set[str] = set()
    with open_store(job.store) as store:
        for read in survey(pages.pages(), store.outlines, hand.take, sites=sites):
            if monotonic() - told > EVERY:
                told = monotonic()
                tell(SurveyProgress(read))
    tell(SurveyProgress(read, frozenset(sites)))


def learn_part(job: WorkerJob, pages: PartOf, tell: Callable[[Said], None], hand: Hand) -> None:
    """Render those of the pages of a part that are wanted."""
    wanted = {url for url in job.wanted if pages.part.has(url)}
    with open_store(job.store) as store:  # a dead worker of this part may have rendered some
        for site in {site_of(url) for url in wanted}:
            wanted.difference_update(store.witnesses.known(job.settings.learner, site))
    if not wanted:
        return
    with job.renderer as renderer, open_store(job.store) as store:
        rendering = PageRendering(renderer, store, job.settings, at_hand=hand.take)
        rendering.watch = lambda done, _: tell(RenderProgress(Rendered(done=done)))
        known = ((raw, raw.resources or job.source) for raw in pages.pages())
        tell(RenderProgress(rendering.render(known, frozenset(wanted))))


def process_part(job: WorkerJob, pages: PartOf, tell: Callable[[Said], None], hand: Hand) -> None:
    """Process the pages of a part that are not done yet; report each once it is in the store."""
    with job.renderer as renderer, open_store(job.store) as store:
        store.owner = job.owner(pages.part)
        store.end_claims(store.owner)  # of a dead worker that had this part
        pipeline = Pipeline(store, renderer, job.settings, items=job.items)
        pipeline.join(job.run, hand.take, surveyed=job.surveyed)
        telling = Telling(pipeline, job.source, tell)
        try:
            for page in pipeline.part(pages, pages.part.has):
                telling.add(page)
        finally:
            telling.flush()


class Telling:
    """Reports pages, many in a message."""

    def __init__(self, pipeline: Pipeline, source: Source, tell: Callable[[Said], None]) -> None:
        self._pipeline = pipeline
        self._source = source
        self._tell = tell
        self._pages: list[Met] = []
        self._told = 0.0

    def add(self, page: PageEvent) -> None:
        """Report a page, now or soon."""
        urgent = False
        if isinstance(page, Unchanged):
            self._pages.append(Met(page.url, page.digest, None))
        elif isinstance(page, Done):
            bare = replace(page.result, areas=(), items=())
            self._pages.append(Met(bare.url, page.digest, bare))
            urgent = page.result.status is not Status.HIT
        if urgent or len(self._pages) >= MOST_IN_MESSAGE or monotonic() - self._told > EVERY:
            self.flush()

    def flush(self) -> None:
        """Report all pages that were not reported yet."""
        pages, self._pages = tuple(self._pages), []
        self._told = monotonic()
        repeated = self._source.repeated if isinstance(self._source, Several) else 0
        self._tell(WorkerProgress(pages, self._pipeline.report(), repeated))


def ending(source: Source) -> Ended:
    """Return the last message of a part, with the warnings of its source."""
    if isinstance(source, Several):
        return Ended(source.notes.all(), frozenset(source.missing))
    return Ended((), frozenset())
