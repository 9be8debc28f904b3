"""How many pages of each site wait in the store, and when there are enough of them."""

from collections import Counter

from webstencil.model import PageResult, Status
from webstencil.protocols import Store

MOST = 20_000  # pages of a site that wait on disk, 5 to 20 kB each
ENOUGH = 32  # pages from which a site is learned while others are still to come


class SpooledSites:
    """Counts the pages that wait, by site."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counts: Counter[str] = Counter()
        self._known: set[str] = set()  # sites whose pages in the store are counted

    def takes(self, result: PageResult) -> bool:
        """Return whether a page is kept; beyond the bound, only what no rendered page has is."""
        site = result.site
        if site not in self._known:
            self._known.add(site)
            self._counts[site] += self._store.spool.count(site)
        odd = result.status is Status.WAITING or bool(result.problems)
        if self._counts[site] >= MOST and not odd:
            return False
        self._counts[site] += 1
        return True

    def is_time(self, site: str) -> bool:
        """Return whether enough pages of a site wait to learn it."""
        return self._counts[site] >= ENOUGH

    def is_full(self, result: PageResult) -> bool:
        """Return whether no more pages of a site may wait for it to be learned."""
        return result.status is Status.WAITING and self._counts[result.site] >= MOST

    def clear(self) -> None:
        """Forget all, to be counted again."""
        self._counts.clear()
        self._known.clear()
