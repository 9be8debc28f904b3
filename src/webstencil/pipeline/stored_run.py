"""A run in the store: begun with its first result, ended after its last page."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime

from webstencil.protocols import Done, PageEvent, Store, Unchanged
from webstencil.settings import Settings

log = logging.getLogger(__name__)


class StoredRun:
    """A run in the store: begun with its first result, ended after its last page."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.number = 0  # in the store; 0 until it begins
        self.retired: tuple[str, ...] = ()  # keys of stencils that the last run retired
        self._store = store
        self._learner = settings.learner
        self._retire_after = settings.retire_after
        self._now = now
        self._unchanged: set[str] = set()  # URLs

    def begin(self) -> int:
        """Begin, unless that was done; return the run's number."""
        if not self.number:
            self.number = self._store.runs.begin(self._learner, self._now())
        return self.number

    def save(self, pages: Sequence[Done]) -> None:
        """Keep the results of pages."""
        self._store.save(self._learner, pages, self.begin())

    def drive(self, events: Iterable[PageEvent]) -> Iterator[PageEvent]:
        """Yield what happens to the pages of a job; the run ends after the last event."""
        for event in events:
            if isinstance(event, Unchanged):
                self._unchanged.add(event.url)
            yield event
        self.end()

    def end(self) -> None:
        """End, and retire the stencils that their sites no longer need."""
        number, self.number = self.begin(), 0
        self.retired = self._store.runs.end(number, self._unchanged, self._retire_after)
        self._unchanged.clear()
        for key in self.retired:
            log.info("retired stencil=%s", key)
