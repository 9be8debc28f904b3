"""What a survey tells of the sites of a job, as the store has it: models and templates."""

from collections import Counter
from typing import NamedTuple

from webstencil.model import Page, RawPage
from webstencil.pipeline.site_models import SiteModels
from webstencil.pipeline.survey import surveyed_raw
from webstencil.protocols import Store
from webstencil.site.site_model import OutlinedPage, SurveyedPage
from webstencil.site.templates import NO_TEMPLATE, SiteTemplates

HELD = 200_000  # pages whose templates are in memory, about 200 bytes each


class KnownTemplates(NamedTuple):
    """The templates of a site and of its pages."""

    templates: SiteTemplates
    numbers: dict[str, int]  # of each page's template, by URL
    pages: Counter[int]  # of each template, by its number


class SurveyedSites:
    """Knows the models of sites and the templates of their pages."""

    def __init__(self, store: Store) -> None:
        self.outlines = store.outlines
        self.models = SiteModels(store.outlines)
        self._store = store
        self._sites: dict[str, KnownTemplates] = {}
        self._held = 0  # pages of these, and sites

    def template(self, page: Page, told: OutlinedPage | None = None) -> str | None:
        """Return the name of a page's template, None if it follows none that is known.

        `told` is what the page tells, if the store does not know it yet.
        """
        return self._known(page.site).templates.name_of(self.number(page, told))

    def number(self, page: Page, told: OutlinedPage | None = None) -> int:
        """Return the number of a page's template, NO_TEMPLATE if it follows none that is known."""
        known = self._known(page.site)
        if told is None:
            return known.numbers.get(page.url, NO_TEMPLATE)
        return known.templates.number_of(told.url, told.outline)

    def pages_like(self, page: Page) -> int:
        """Return how many pages of the site have the template of a page."""
        known = self._known(page.site)
        number = known.numbers.get(page.url, NO_TEMPLATE)
        return 1 if number == NO_TEMPLATE else known.pages[number]

    def survey_failed(self, raw: RawPage, hashed: bytes) -> SurveyedPage | None:
        """Return what a page tells that could not be processed, None if it is no HTML page.

        A site is all of its pages, whichever of them can be rendered.
        """
        surveyed = surveyed_raw(raw, hashed, self.outlines)
        if surveyed is None:
            self.outlines.drop([raw.url])
        else:
            self.models.add(surveyed.page)
        return surveyed

    def clear(self) -> None:
        """Forget all, to be read again."""
        self.models.clear()
        self._forget()

    def _forget(self) -> None:
        self._sites.clear()
        self._held = 0

    def _known(self, site: str) -> KnownTemplates:
        known = self._sites.get(site)
        if known is None:
            if self._held > HELD:
                self._forget()
            numbers = self._store.outlines.templates(site)
            templates = self._store.templates.of(site)
            known = KnownTemplates(templates, numbers, Counter(numbers.values()))
            self._sites[site] = known
            self._held += 1 + len(numbers)
        return known
