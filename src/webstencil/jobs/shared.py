"""A job in several processes that share a store, wherever they run."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from webstencil.errors import WebstencilError
from webstencil.jobs.gather import Gathering
from webstencil.jobs.worker_messages import (
    Ended,
    LostPage,
    Phase,
    RenderProgress,
    Said,
    SurveyProgress,
    WorkerJob,
    WorkerProgress,
    WorkersBroken,
)
from webstencil.model import Mode, PageResult, Status
from webstencil.pipeline.job import Pipeline
from webstencil.pipeline.learning import Rendered, learn_sites
from webstencil.pipeline.page_tasks import reads_twice
from webstencil.pipeline.redo import redo_if_settings_changed
from webstencil.pipeline.report import Report, unwatched
from webstencil.pipeline.stored_run import StoredRun
from webstencil.pipeline.survey import decide_templates, ignore
from webstencil.protocols import Done, PageEvent, Renderer, Source, Store
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
        # Called with the pages rendered so far, and how many are to be.
        self.watch_rendering: Callable[[int, int], None] = unwatched

    def run(self, source: Source) -> Iterator[PageResult]:
        """Process new and changed pages; a result is in the store before it is yielded.

        Pages that wait for their site are yielded when they have a result.
        """
        with open_store(self._store) as store:
            redo_if_settings_changed(store, self.settings)
            run = StoredRun(store, self.settings)
            job = WorkerJob(
                self._store, source, self.settings, self._renderer, self._items, run.begin()
            )
            rendered = 0
            if reads_twice(source, self.settings):
                sites = self._survey(replace(job, phase=Phase.SURVEY), store)
                rendered = self._learn(replace(job, phase=Phase.LEARN), store, sites)
                job = replace(job, surveyed=True)
            self._gathering = Gathering(store, self.settings.learner, bare=self.bare)
            self._gathering.rendered = rendered
            for event in run.drive(self._settling(job, store, run)):
                if isinstance(event, Done) and event.result.status is not Status.WAITING:
                    yield event.result

    def _settling(self, job: WorkerJob, store: Store, run: StoredRun) -> Iterator[PageEvent]:
        """Process a source; what depends on whole sites is settled after the last page."""
        gathering = self._gathered()
        yield from self._events(gathering, self._said(job, store), run)
        if not job.surveyed:
            yield from self._settle(job, store, gathering)

    def _survey(self, job: WorkerJob, store: Store) -> set[str]:
        """Read the source once to know its sites; its pages are processed after that."""
        read: dict[int, int] = {}
        sites: set[str] = set()
        with closing(self._said(job, store)) as told:
            for worker, said in told:
                if isinstance(said, WorkersBroken):
                    raise said.error
                if isinstance(said, SurveyProgress):
                    read[worker] = said.pages
                    sites |= said.sites
                    self.watch(sum(read.values()))
        decide_templates(store)
        return sites

    def _learn(self, job: WorkerJob, store: Store, sites: set[str]) -> int:
        """Render the planned pages of sites and decide on their areas; return how many."""
        if self.settings.mode is not Mode.DEFAULT:
            return 0
        return learn_sites(
            store,
            self.settings,
            sites,
            lambda wanted: self._rendered(replace(job, wanted=wanted), store),
        )

    def _rendered(self, job: WorkerJob, store: Store) -> Rendered:
        """Render pages in workers."""
        parts: dict[int, Rendered] = {}
        lost: dict[str, str] = {}
        with closing(self._said(job, store)) as told:
            for worker, said in told:
                if isinstance(said, WorkersBroken):
                    raise said.error
                if isinstance(said, LostPage):
                    lost[said.url] = f"it crashes its worker processes ({said.why})"
                if isinstance(said, RenderProgress):
                    parts[worker] = said.told
                    done = sum(part.done for part in parts.values())
                    self.watch_rendering(done, len(job.wanted))
        came = Rendered(done=sum(part.done for part in parts.values()))
        for part in parts.values():
            came.failed |= part.failed
            came.no_browser = came.no_browser or part.no_browser
        came.failed |= lost  # their parts have left them out since
        return came

    def _settle(self, job: WorkerJob, store: Store, gathering: Gathering) -> Iterator[PageEvent]:
        """Finish pages that were read once, now that all of their sites is known."""
        with self._renderer as renderer:
            pipeline = Pipeline(store, renderer, self.settings, items=self._items)
            pipeline.join(job.run, ignore, surveyed=False)
            for done in pipeline.settle(job.source):
                gathering.settled(done)
                yield done
            gathering.rendered += pipeline.report().rendered
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

    def _gathered(self) -> Gathering:
        if self._gathering is None:
            raise WebstencilError("this job is not running; call run first")
        return self._gathering

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
    def _said(self, job: WorkerJob, store: Store) -> Generator[tuple[int, Said]]:
        """Yield messages, with a number for each worker, until all parts are done."""
