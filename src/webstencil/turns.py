"""What is known of the sites of a job, and whose turn it is to learn more.

Other processes may learn from the same sites at the same time. So a page that has to be learned is
learned only with the store's leave: first comes what the others have learned, which may do, and
then one process learns while the others go on with other pages.
"""

from enum import Enum, auto

from webstencil.known import Known
from webstencil.seams import News, StencilStore
from webstencil.settings import Mode


class Answer(Enum):
    """What one is told who wants to learn from a site."""

    LEARN = auto()  # nobody else does
    AGAIN = auto()  # there is news: see what it teaches
    LATER = auto()  # another process is learning from it


class Turns:
    """What is known of sites; it grows by what this job learns, and by what others do."""

    def __init__(self, store: StencilStore, mode: Mode, made_by: str) -> None:
        self._store = store
        self._mode = mode
        self._made_by = made_by
        self._known: dict[str, Known] = {}  # by site
        self._claimed = ""  # the site that this job has the turn of

    def __contains__(self, site: str) -> bool:
        return site in self._known

    def known(self, site: str) -> Known:
        """Return what is known of a site, from the store if it was not asked for before."""
        if site not in self._known:
            self._known[site] = known = Known(self._mode)
            take_in(known, self._store.news(site, self._made_by))
        return self._known[site]

    def ask(self, site: str) -> Answer:
        """Ask to be the one who learns from a site; take in what is new."""
        known = self.known(site)
        turn = self._store.claim(site, self._made_by, known.newest, known.stencils)
        take_in(known, turn.news)
        if turn.mine:
            self._claimed = site
            return Answer.LEARN
        return Answer.AGAIN if turn.news.stencils else Answer.LATER

    def saved(self) -> None:
        """Note that what was learned is in the store, which ends the turn."""
        self._claimed = ""

    def give_back(self) -> None:
        """End a turn in which nothing was learned."""
        site, self._claimed = self._claimed, ""
        if site:
            self._store.give_back(site, self._made_by)

    def clear(self) -> None:
        """Forget all, to be read again."""
        self._known.clear()


def take_in(known: Known, news: News) -> None:
    """Learn what others have learned."""
    for stencil in news.stencils:
        known.learn(stencil)
    known.version, known.newest = news.version, news.newest
