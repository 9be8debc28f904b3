"""A part of a job: the pages of a source that one worker processes."""

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from webstencil.jobs.page_at_hand import Hand
from webstencil.jobs.worker_messages import Ended, Met, Said, WorkerJob, WorkerProgress
from webstencil.model import Status
from webstencil.pipeline.extractors import make_extractors
from webstencil.pipeline.job import Pipeline
from webstencil.protocols import Done, PageEvent, Source, Unchanged
from webstencil.sources import PartOf, Several, SourcePart
from webstencil.store import open_store

EVERY = 0.2  # s between messages
MOST = 256  # pages in a message


def do_part(
    job: WorkerJob, part: SourcePart, tell: Callable[[Said], None], hand: Hand, but: frozenset[str]
) -> None:
    """Process the pages of a part that are not done yet; report each once it is in the store.

    `hand` has the page in work; pages with the URLs `but` are left out.
    """
    with job.renderer as renderer, open_store(job.store) as store:
        store.owner = job.owner(part)
        store.end_claims(store.owner)  # of a dead worker that had this part
        extractors = make_extractors(job.items, store)
        pipeline = Pipeline(store, renderer, job.settings, extractors=extractors)
        pipeline.join(job.run, job.census, hand.take)
        telling = Telling(pipeline, job.source, tell)
        try:
            for page in pipeline.part(PartOf(job.source, part, but), part.has):
                telling.add(page)
        finally:
            for extractor in extractors:
                extractor.save()
            telling.flush()
    tell(ending(job.source))


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
