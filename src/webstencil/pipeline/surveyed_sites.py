"""What a survey tells of the sites of a job, as the store has it: models and templates."""

from webstencil.model import Page, RawPage
from webstencil.pipeline.site_models import SiteModels
from webstencil.pipeline.survey import surveyed_raw
from webstencil.protocols import Store
from webstencil.site.site_model import OutlinedPage, SurveyedPage
from webstencil.site.templates import NO_TEMPLATE, SiteTemplates

HELD = 200_000  # pages whose templates are in memory, about 200 bytes each


class SurveyedSites:
    """Knows the models of sites and the templates of their pages."""

    def __init__(self, store: Store) -> None:
        self.outlines = store.outlines
        self.models = SiteModels(store.outlines)
        self._store = store
        self._sites: dict[str, tuple[SiteTemplates, dict[str, int]]] = {}
        self._held = 0  # pages of these, and sites

    def template(self, page: Page, told: OutlinedPage | None = None) -> str | None:
        """Return the name of a page's template, None if it follows none that is known.

        `told` is what the page tells, if the store does not know it yet.
        """
        templates, numbers = self._known(page.site)
        if told is None:
            return templates.name_of(numbers.get(page.url))
        return templates.name_of(templates.number_of(told.url, told.outline))

    def pages_like(self, page: Page) -> int:
        """Return how many pages of the site have the template of a page."""
        _, numbers = self._known(page.site)
        number = numbers.get(page.url, NO_TEMPLATE)
        if number == NO_TEMPLATE:
            return 1
        return sum(other == number for other in numbers.values())

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

    def _known(self, site: str) -> tuple[SiteTemplates, dict[str, int]]:
        known = self._sites.get(site)
        if known is None:
            if self._held > HELD:
                self._forget()
            known = self._store.templates.of(site), self._store.outlines.templates(site)
            self._sites[site] = known
            self._held += 1 + len(known[1])
        return known
