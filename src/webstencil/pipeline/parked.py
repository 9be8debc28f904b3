"""Pages that wait for their turn while another process learns from their site."""

from collections.abc import Callable, Iterator
from time import monotonic

from webstencil import urls
from webstencil.jobs.survey import PageTask
from webstencil.protocols import Removed, Unchanged

MOST = 64  # pages that wait; with more, none that may be like them are begun
CLAIM_PAUSE = 0.1  # s between two questions for the same turn; a rendering takes 0.2 to 1 s


class Parked:
    """Puts pages aside, and brings them back."""

    def __init__(self, is_free: Callable[[str], bool]) -> None:
        """Bring pages back when `is_free` says so of their site."""
        self._is_free = is_free
        self._sites: dict[str, dict[str, PageTask]] = {}  # by site and address
        self._next = 0.0  # when to ask again

    def __len__(self) -> int:
        return sum(map(len, self._sites.values()))

    def add(self, task: PageTask) -> None:
        """Put a page aside."""
        self._sites.setdefault(urls.site_of(task.raw.url), {})[task.raw.url] = task

    def drop(self, url: str) -> None:
        """Forget a page that came again."""
        if not self._sites:
            return
        site = urls.site_of(url)
        tasks = self._sites.get(site, {})
        tasks.pop(url, None)
        if not tasks:
            self._sites.pop(site, None)

    def in_turn(
        self, fresh: Iterator[PageTask | Unchanged | Removed | None]
    ) -> Iterator[PageTask | Unchanged | Removed | None]:
        """Yield new pages, and pages put aside when it is their turn.

        None means that there is nothing to do for a moment. A page that comes and has to wait
        (again) is to be added before the next one is asked for.
        """
        for task in fresh:
            yield from self._back()
            while len(self) >= MOST:
                yield None
                yield from self._back()
            if isinstance(task, PageTask):
                self.drop(task.raw.url)
            yield task
        while len(self):
            yield from self._back()
            if len(self):
                yield None

    def _back(self) -> Iterator[PageTask]:
        """Yield the pages whose site is free."""
        if not self._sites or monotonic() < self._next:
            return
        for site in list(self._sites):
            if not self._is_free(site):  # asked one by one: to ask may be to have the turn
                continue
            tasks = self._sites.pop(site)
            while tasks and site not in self._sites:  # until one has to wait again
                yield tasks.pop(next(iter(tasks)))
            if tasks:
                self._sites[site] |= tasks
        self._next = monotonic() + CLAIM_PAUSE
