"""Pages that are done and wait to be saved together.

A transaction takes longer than a hit, and one for many pages hardly longer than one for one. So
hits wait for others, a moment at most; a page that was rendered is not put at risk.
"""

from time import monotonic

from webstencil.model import Status
from webstencil.protocols import Done

MOST = 64  # pages; with more, a page saves no time that can be measured
LONGEST = 0.5  # s, after which those who look on want to see results


class WriteBatch:
    """Pages with different addresses, in the order in which they were done."""

    def __init__(self) -> None:
        self._pages: dict[str, Done] = {}  # by address
        self._since = 0.0
        self._urgent = False

    def add(self, page: Done) -> None:
        """Add a page."""
        if not self._pages:
            self._since = monotonic()
        self._pages[page.result.url] = page
        self._urgent = self._urgent or page.result.status is not Status.HIT

    def is_due(self) -> bool:
        """Return whether it is time to save."""
        full = len(self._pages) >= MOST
        return self._urgent or full or monotonic() - self._since >= LONGEST

    def take(self) -> list[Done]:
        """Return the pages and empty the batch."""
        pages = list(self._pages.values())
        self._pages, self._urgent = {}, False
        return pages

    def __contains__(self, url: str) -> bool:
        return url in self._pages
