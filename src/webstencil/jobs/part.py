"""A part of a job: the pages of a source that one worker processes."""

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from webstencil.jobs.page_at_hand import Hand
from webstencil.jobs.worker_messages import (
    Ended,
    Met,
    Phase,
    RenderProgress,
    Said,
    SurveyProgress,
    WorkerJob,
    WorkerProgress,
)
from webstencil.model import Status
from webstencil.pipeline.job import Pipeline
from webstencil.pipeline.learning import PageRendering, Rendered
from webstencil.pipeline.survey import survey
from webstencil.protocols import Done, PageEvent, Source, Unchanged
from webstencil.sources import PartOf, Several, SourcePart
from webstencil.store import open_store
from webstencil.urls import site_of

EVERY = 0.2  # s between messages
MOST = 256  # pages in a message


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
        if urgent or len(self._pages) >= MOST or monotonic() - self._told > EVERY:
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
