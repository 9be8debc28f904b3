"""A job that is shared among processes which have a store in common, wherever they run."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from webstencil.jobs.gather import Gathering
from webstencil.jobs.messages import Ended, LostPage, Said, WorkerJob, WorkersBroken
from webstencil.model import PageResult
from webstencil.pipeline.report import Report
from webstencil.protocols import Renderer, Source, StencilStore
from webstencil.render import ChromiumRenderer
from webstencil.settings import Settings
from webstencil.site.census import Census, take_census
from webstencil.sources import Notes
from webstencil.store import StorePlace, open_store


class Shared(ABC):
    """Processes pages as a `Pipeline` does, in processes that each do parts of a source.

    Each has a browser of its own. `renderer` and what `run` takes are copied to them, `items` are
    names of extractors.
    """

    bare = False  # results need no areas and items: they are not read from the store again

    def __init__(
        self,
        store: StorePlace,
        settings: Settings | None = None,
        *,
        renderer: Renderer | None = None,
        items: Sequence[str] = (),
    ) -> None:
        """Work with the store in a file or at an address."""
        self.settings = settings or Settings()
        self._store = store
        self._renderer = renderer or ChromiumRenderer()
        self._items = tuple(items)
        self._gathering: Gathering | None = None

    def run(self, source: Source) -> Iterator[PageResult]:
        """Process what is new or changed in a source; each result is in the store when it comes."""
        with open_store(self._store) as store:
            made_by = self.settings.made_by
            job = self._job(source, store.begin(made_by, datetime.now(UTC)))
            self._gathering = gathering = Gathering(store, made_by, bare=self.bare)
            for worker, said in self._said(job, store):
                if isinstance(said, WorkersBroken):
                    raise said.error
                if isinstance(said, Ended):
                    gathering.end(said)
                elif isinstance(said, LostPage):
                    yield from gathering.lost(said, job.run)
                else:
                    yield from gathering.results(worker, said)
            store.end(job.run, gathering.met, self.settings.retire_after)

    def report(self) -> Report:
        """Sum up what was done so far."""
        return self._gathering.report() if self._gathering else Report()

    @property
    def repeated(self) -> int:
        """Return how many pages were left out because they came before."""
        return self._gathering.repeated if self._gathering else 0

    @property
    def notes(self) -> Notes:
        """Return what was met in the sources."""
        return self._gathering.notes() if self._gathering else Notes()

    @abstractmethod
    def _said(self, job: WorkerJob, store: StencilStore) -> Iterator[tuple[int, Said]]:
        """Yield what is told, with a number for each process, until all parts are done."""

    def _job(self, source: Source, run: int) -> WorkerJob:
        settings = self.settings
        census = Census(settings.threshold)
        if settings.min_pages_per_template > 1:
            census = take_census(source.pages(), settings.threshold)
        return WorkerJob(self._store, source, settings, self._renderer, self._items, run, census)
