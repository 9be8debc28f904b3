"""A job in several processes of one machine."""

from collections.abc import Generator, Sequence

from webstencil.errors import SettingsError
from webstencil.jobs.shared import Shared
from webstencil.jobs.supervisor import Crew
from webstencil.jobs.worker_messages import Phase, Said, WorkerJob
from webstencil.protocols import Renderer, Store
from webstencil.settings import Settings
from webstencil.sources import Notes, SourcePart
from webstencil.store import StorePlace

DEATH = "worker that died and was replaced"


class Workers(Shared):
    """Processes pages as a `Pipeline` does, in several processes of this machine.

    A worker that dies is replaced by one that processes the rest of its part.
    """

    def __init__(
        self,
        store: StorePlace,
        settings: Settings | None = None,
        *,
        number: int,
        renderer: Renderer | None = None,
        items: Sequence[str] = (),
    ) -> None:
        """Use the store in a file or on a server, in a number of processes."""
        if number < 1:
            raise SettingsError(f"the number of workers must be 1 or more, not {number}")
        super().__init__(store, settings, renderer=renderer, items=items)
        self._number = number
        self._deaths = Notes()

    def _said(self, job: WorkerJob, store: Store) -> Generator[tuple[int, Said]]:
        processing = job.phase is Phase.PROCESS  # what a survey cannot read is told after it

        def bury(part: SourcePart, why: str) -> None:
            store.end_claims(job.owner(part))
            if why and processing:
                self._deaths.add(DEATH, f"part {part.number + 1} of {part.of}: {why}")

        parts = [SourcePart(number, self._number) for number in range(self._number)]
        with Crew(job, parts, bury) as crew:
            yield from crew.said()
        if processing:
            crew.check()

    @property
    def notes(self) -> Notes:
        """Return the warnings of the sources, and the workers that died."""
        notes = super().notes
        for note in self._deaths.all():
            notes.add(note.kind, note.first, note.count)
        return notes
