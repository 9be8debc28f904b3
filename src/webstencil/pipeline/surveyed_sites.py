"""What a survey tells of the sites of a job, as the store has it: models and templates."""

from webstencil.model import Page
from webstencil.pipeline.site_models import SiteModels
from webstencil.protocols import Store
from webstencil.site.site_model import OutlinedPage
from webstencil.site.templates import NO_TEMPLATE, SiteTemplates

HELD = 200_000  # pages whose templates are in memory, about 200 bytes each


class SurveyedSites:
    """Knows the models of sites and the templates of their pages."""

    def __init__(self, store: Store) -> None:
        self.outlines = store.outlines
        self.models = SiteModels(store.outlines)
        self._store = store
        self._sites: dict[str, tuple[SiteTemplates, dict[str, int]]] = {}

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

    def clear(self) -> None:
        """Forget all, to be read again."""
        self.models.clear()
        self._sites.clear()

    def _known(self, site: str) -> tuple[SiteTemplates, dict[str, int]]:
        known = self._sites.get(site)
        if known is None:
            held = sum(len(numbers) for _, numbers in self._sites.values())
            if held > HELD:
                self._sites.clear()
            known = self._store.templates.of(site), self._store.outlines.templates(site)
            self._sites[site] = known
        return known
