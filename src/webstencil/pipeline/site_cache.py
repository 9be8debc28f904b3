"""What is known of the sites of a job, and whose turn it is to learn more.

Other processes may learn from the same sites at the same time. So a page that has to be learned is
learned only with the store's leave: first comes what the others have learned, which may do, and
then one process learns while the others go on with other pages.

A broad crawl has a few pages each of very many sites, so that only the sites met last are known in
memory; one that comes back is read from the store again, which has all that was learned.
"""

from enum import Enum, auto

from webstencil.paper.stencils import SiteKnowledge
from webstencil.protocols import News, Store

HELD = 3_000  # sites and their stencils in memory, 0.1 to 0.4 MB each: docs/matching.md


class ClaimOutcome(Enum):
    """Outcome of claiming a site."""

    MINE = auto()  # nobody else learns from it
    NEWS = auto()  # others have learned from it meanwhile: see what that teaches
    TAKEN = auto()  # another process is learning from it


class SiteCache:
    """What is known of sites; it grows by what this job learns, and by what others do."""

    def __init__(self, store: Store, learner: str, *, held: int = HELD) -> None:
        """Know what `store` has of the sites that were met last, `held` stencils or so."""
        self._store = store
        self._learner = learner
        self._held = held
        self._known: dict[str, SiteKnowledge] = {}  # by site, the one that was met last at the end
        self._claimed = ""  # the site that this job has the turn of

    def __contains__(self, site: str) -> bool:
        return site in self._known

    def known(self, site: str) -> SiteKnowledge:
        """Return what is known of a site, from the store if it was not asked for before."""
        known = self._known.pop(site, None)
        if known is None:
            known = SiteKnowledge()
            take_in(known, self._store.news(site, self._learner))
            self._forget(len(known.stencils))
        self._known[site] = known
        return known

    def _forget(self, new: int) -> None:
        """Make room for a site with so many stencils."""
        size = new + sum(1 + len(known.stencils) for known in self._known.values())
        while size >= self._held and self._known:
            size -= 1 + len(self._known.pop(next(iter(self._known))).stencils)

    def claim(self, site: str) -> ClaimOutcome:
        """Ask to be the one who learns from a site; take in what is new."""
        known = self.known(site)
        turn = self._store.claim(site, self._learner, known.newest, known.stencils)
        take_in(known, turn.news)
        if turn.mine:
            self._claimed = site
            return ClaimOutcome.MINE
        return ClaimOutcome.NEWS if turn.news.stencils else ClaimOutcome.TAKEN

    def saved(self) -> None:
        """Note that what was learned is in the store, which ends the turn."""
        self._claimed = ""

    def give_back(self) -> None:
        """End a turn in which nothing was learned."""
        site, self._claimed = self._claimed, ""
        if site:
            self._store.give_back(site, self._learner)

    def clear(self) -> None:
        """Forget all, to be read again."""
        self._known.clear()


def take_in(known: SiteKnowledge, news: News) -> None:
    """Learn what others have learned."""
    for stencil in news.stencils:
        known.learn(stencil)
    known.version, known.newest = news.version, news.newest
