"""A job in several processes that share a store, wherever they run."""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing

from webstencil.jobs.gather import Gathering
from webstencil.jobs.worker_messages import Ended, LostPage, Said, WorkerJob, WorkersBroken
from webstencil.model import PageResult
from webstencil.pipeline.job import StoredRun
from webstencil.pipeline.redo import redo_if_settings_changed
from webstencil.pipeline.report import Report
from webstencil.protocols import Done, PageEvent, Renderer, Source, StencilStore
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.site.census import Census, take_census
from webstencil.sources import Notes
from webstencil.store import StorePlace, open_store


class Shared(ABC):
    """Processes pages as a `Pipeline` does, in workers that each process parts of a source.

    Each worker has its own browser. `renderer` and the source are copied to the workers; `items`
    are names of extractors.
    """

    bare = False  # yield results without areas and items, which need not be read from the store

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

    def run(self, source: Source) -> Iterator[PageResult]:
        """Process new and changed pages; a result is in the store before it is yielded."""
        with open_store(self._store) as store:
            redo_if_settings_changed(store, self.settings)
            run = StoredRun(store, self.settings)
            job = self._job(source, run.begin())
            self._gathering = Gathering(store, self.settings.learner, bare=self.bare)
            for event in run.drive(self._events(self._gathering, self._said(job, store), run)):
                if isinstance(event, Done):
                    yield event.result

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
                else:
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

    def _job(self, source: Source, run: int) -> WorkerJob:
        settings = self.settings
        census = Census(settings.threshold)
        if settings.min_pages_per_template > 1:
            census = take_census(source.pages(), settings.threshold)
        return WorkerJob(self._store, source, settings, self._renderer, self._items, run, census)
