"""A job in several processes that share a store, wherever they run."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial

from webstencil.jobs.gather import Gathering
from webstencil.jobs.worker_messages import (
    Ended,
    LostPage,
    Phase,
    Said,
    SurveyProgress,
    WorkerJob,
    WorkerProgress,
    WorkersBroken,
)
from webstencil.model import PageResult
from webstencil.pipeline.extractors import make_extractors
from webstencil.pipeline.job import StoredRun, reads_twice, unwatched
from webstencil.pipeline.page import with_items
from webstencil.pipeline.redo import redo_if_settings_changed
from webstencil.pipeline.report import Report
from webstencil.pipeline.site_models import SiteModels
from webstencil.pipeline.survey import decide_templates, settle
from webstencil.protocols import Done, PageEvent, Renderer, Source, StencilStore, Store
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.sources import Notes
from webstencil.store import StorePlace, open_store


class Shared(ABC):
    """Processes pages as a `Pipeline` does, in workers that each process parts of a source.

    Each worker has its own browser. `renderer` and the source are copied to the workers; `items`
    are names of extractors.
    """

    bare = False  # yield results without areas and items, which need not be read from the store
    settled = False  # results were revised after the last one was yielded

    def __init__(
        self,
        store: StorePlace,
        settings: Settings | None = None,
        *,
        renderer: Renderer | None = None,
        items: Sequence[str] = (),
    ) -> None:
        """Use the store in a file or on a server."""
        self.settings = settings or Settings()
        self._store = store
        self._renderer = renderer or ChromiumRenderer()
        self._items = tuple(items)
        self._gathering: Gathering | None = None
        self.watch: Callable[[int], None] = unwatched  # called with the pages surveyed so far

    def run(self, source: Source) -> Iterator[PageResult]:
        """Process new and changed pages; a result is in the store before it is yielded."""
        with open_store(self._store) as store:
            redo_if_settings_changed(store, self.settings)
            run = StoredRun(store, self.settings)
            job = WorkerJob(
                self._store, source, self.settings, self._renderer, self._items, run.begin()
            )
            if reads_twice(source, self.settings):
                self._survey(replace(job, phase=Phase.SURVEY), store)
                job = replace(job, surveyed=True)
            self._gathering = Gathering(store, self.settings.learner, bare=self.bare)
            told = self._said(job, store)
            for event in run.drive(self._events(self._gathering, told, run)):
                if isinstance(event, Done):
                    yield event.result
            if not job.surveyed:
                self._settle(store)

    def _survey(self, job: WorkerJob, store: Store) -> None:
        """Read the source once to know its sites; its pages are processed after that."""
        read: dict[int, int] = {}
        with closing(self._said(job, store)) as told:
            for worker, said in told:
                if isinstance(said, WorkersBroken):
                    raise said.error
                if isinstance(said, SurveyProgress):
                    read[worker] = said.pages
                    self.watch(sum(read.values()))
        decide_templates(store)

    def _settle(self, store: Store) -> None:
        """Revise what depends on whole sites, for pages that were read once."""
        decide_templates(store)
        extractors = make_extractors(self._items, SiteModels(store.outlines))
        settle(store, self.settings.learner, partial(with_items, extractors))
        self.settled = True

    def _events(
        self, gathering: Gathering, told: Generator[tuple[int, Said]], run: StoredRun
    ) -> Iterator[PageEvent]:
        """Yield what workers tell of pages."""
        with closing(told):  # before the store, also after an error
            for worker, said in told:
                if isinstance(said, WorkersBroken):
                    raise said.error
                if isinstance(said, Ended):
                    gathering.end(said)
                elif isinstance(said, LostPage):
                    yield from gathering.lost(said, run)
                elif isinstance(said, WorkerProgress):
                    yield from gathering.events(worker, said)

    def report(self) -> Report:
        """Return the counts and times so far."""
        return self._gathering.report() if self._gathering else Report()

    @property
    def repeated(self) -> int:
        """Return how many pages were left out because their URL came before."""
        return self._gathering.repeated if self._gathering else 0

    @property
    def notes(self) -> Notes:
        """Return the warnings of the sources."""
        return self._gathering.notes() if self._gathering else Notes()

    @abstractmethod
    def _said(self, job: WorkerJob, store: StencilStore) -> Generator[tuple[int, Said]]:
        """Yield messages, with a number for each worker, until all parts are done."""
