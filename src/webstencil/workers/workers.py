"""A job on several cores of one machine."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from webstencil.census import Census, take_census
from webstencil.errors import SettingsError
from webstencil.model import PageResult
from webstencil.render import ChromiumRenderer
from webstencil.report import Report
from webstencil.seams import Renderer, Source
from webstencil.settings import Settings
from webstencil.sources import Notes
from webstencil.store import open_store
from webstencil.workers.crew import Crew
from webstencil.workers.gathering import Gathering
from webstencil.workers.job import Broken, Ended, Job, StorePlace, Told


class Workers:
    """Processes pages as a `Pipeline` does, in several processes that share a store.

    Each has a browser of its own, and does the pages whose addresses fall into its part. A worker
    that dies is replaced by one that goes on where it was. `renderer` and what `run` takes are
    copied to the workers, `items` are names of extractors.
    """

    def __init__(
        self,
        store: StorePlace,
        settings: Settings | None = None,
        *,
        number: int,
        renderer: Renderer | None = None,
        items: Sequence[str] = (),
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Work with the store in a file or at an address; `now` tells when a run begins."""
        if number < 1:
            raise SettingsError(f"the number of workers must be 1 or more, not {number}")
        self.settings = settings or Settings()
        self._store = store
        self._number = number
        self._renderer = renderer or ChromiumRenderer()
        self._items = tuple(items)
        self._now = now
        self._gathering: Gathering | None = None

    def run(self, source: Source) -> Iterator[PageResult]:
        """Process what is new or changed in a source; each result is in the store when it comes."""
        with open_store(self._store) as store:
            made_by = self.settings.made_by
            job = self._job(source, store.begin(made_by, self._now()))
            self._gathering = gathering = Gathering(store, made_by)
            with Crew(job, self._number, store.end_claims) as crew:
                for worker, said in crew.said():
                    if isinstance(said, Told):
                        yield from gathering.results(worker, said)
                    elif isinstance(said, Ended):
                        gathering.end(said)
                    elif isinstance(said, Broken):
                        raise said.error
            crew.check()
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

    def _job(self, source: Source, run: int) -> Job:
        settings = self.settings
        census = Census(settings.threshold)
        if settings.min_pages_per_template > 1:
            census = take_census(source.pages(), settings.threshold)
        return Job(self._store, source, settings, self._renderer, self._items, run, census)
