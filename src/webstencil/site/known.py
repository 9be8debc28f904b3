"""What the stencils of a site teach in paper mode, ready to use on its pages."""

from webstencil.model import PageArea, Stencil
from webstencil.site.lay import describe_same
from webstencil.site.paper.locate import Guide, guide
from webstencil.site.paper.match import Matcher


class SiteKnowledge:
    """What is known of a site."""

    def __init__(self) -> None:
        self.stencils: dict[str, Stencil] = {}  # by key
        self.guides: dict[str, Guide] = {}  # to the areas of each stencil
        self.same: dict[str, tuple[PageArea | None, ...]] = {}  # equal on all pages
        self.matcher = Matcher()
        self.version = 0  # stencils that were ever learned of it
        self.newest = 0  # number of the newest one read from the store
        self._keys: dict[str, str] = {}  # by URL of the learned page

    def learn(self, stencil: Stencil) -> None:
        """Add a stencil; it replaces one that was learned from the same URL."""
        older = self._keys.get(stencil.made_from, "")
        self.stencils.pop(older, None)
        self._keys[stencil.made_from] = stencil.key
        self.stencils[stencil.key] = stencil
        self.guides.pop(older, None)
        self.same.pop(older, None)
        self.matcher.remove(older)
        self.guides[stencil.key] = guide(stencil)
        self.same[stencil.key] = describe_same(stencil)
        self.matcher.add(stencil)
