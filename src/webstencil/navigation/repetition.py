"""Menus by repetition: the links on most pages of a template.

Which pages have a link is read off the model of the site, so that the answer depends on the set of
its pages, and not on their order. Up to the bound of the model it is exact.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, repeat
from operator import sub

from webstencil.site.site_model import SiteModel
from webstencil.site.targets import hashes_of

REPEATED = 0.5  # share of the siblings: a block with more is a menu
GREY = (0.1, 0.9)  # share of the siblings; in between, it is not certain whether a block is a menu
FEWEST = 3  # siblings that are needed for an answer
WHOLE_SITE = ""  # of all templates together; pages without one have all pages as siblings


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """How many of some pages have each link."""

    pages: int
    links: Counter[int]  # by the hash of the target


@dataclass(frozen=True, eq=False)  # without slots, for `cached_property`
class SiblingLinks:
    """The links of the pages of a site, by template; the model must not change any more."""

    model: SiteModel
    templates: Mapping[str, str] = field(default_factory=dict)  # by URL

    def template_of(self, url: str) -> str:
        """Return the template of a page, WHOLE_SITE if it has none."""
        return self.templates.get(url, WHOLE_SITE)

    def shares(
        self, url: str, targets: Sequence[str], blocks: Sequence[range]
    ) -> list[float] | None:
        """Return the share of the siblings with each block of a page; None if there are too few.

        `targets` are those of all links of the page, as `names_of` names them. A page of the
        model is not its own sibling. If a template has too few pages, those of the whole site are
        its siblings.
        """
        page = self.model.page(url)
        own = frozenset(page.outline.links) if page else frozenset()
        for name in (self.template_of(url), WHOLE_SITE):
            counts = self._counts.get(name)
            siblings = counts.pages - (page is not None) if counts else 0
            if counts is not None and siblings >= FEWEST:
                links = hashes_of(targets)
                having = map(counts.links.get, links, repeat(0))
                others = map(sub, having, map(own.__contains__, links))
                before = list(accumulate(others, initial=0))
                return [
                    (before[block.stop] - before[block.start]) / (len(block) * siblings)
                    for block in blocks
                ]
        return None

    @cached_property
    def _counts(self) -> dict[str, LinkCounts]:
        """Count the pages with each link, by template, and those of the whole site."""
        pages: Counter[str] = Counter()
        links: dict[str, Counter[int]] = {WHOLE_SITE: Counter()}
        for page in self.model:
            distinct = frozenset(page.outline.links)
            for name in dict.fromkeys((self.template_of(page.url), WHOLE_SITE)):
                pages[name] += 1
                links.setdefault(name, Counter()).update(distinct)
        return {name: LinkCounts(pages[name], counted) for name, counted in links.items()}
