"""What a survey tells of the sites of a job, as the store has it: models and templates."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from webstencil.content.page_features import Row
from webstencil.content.page_types import described_result, type_shares
from webstencil.model import Page, PageResult, RawPage
from webstencil.pipeline.site_models import SiteModels
from webstencil.pipeline.survey import surveyed_raw
from webstencil.protocols import Store
from webstencil.site.site_model import OutlinedPage, SurveyedPage
from webstencil.site.templates import NO_TEMPLATE, SiteTemplates
from webstencil.site.type_votes import UNSEEN, TypedPage, agreed, decides, packed

HELD = 200_000  # pages whose templates are in memory, about 200 bytes each


class KnownTemplates(NamedTuple):
    """The templates of a site and of its pages."""

    templates: SiteTemplates
    pages: dict[str, TypedPage]  # by URL
    counts: Counter[int]  # pages of each template, by its number


class SurveyedSites:
    """Knows the models of sites and the templates of their pages."""

    def __init__(self, store: Store) -> None:
        self.outlines = store.outlines
        self.models = SiteModels(store.outlines)
        self._store = store
        self._sites: dict[str, KnownTemplates] = {}
        self._held = 0  # pages of these, and sites

    def described(
        self, page: Page, result: PageResult, told: OutlinedPage | None = None
    ) -> PageResult:
        """Return a result with the name of its template and the type of its page.

        `told` is what the page tells, if the store does not know it yet. The page is asked for its
        type if its template does not decide.
        """
        known = self._known(result.site)
        typed = known.pages.get(result.url, UNSEEN)
        if told is not None:
            typed = TypedPage(known.templates.number_of(told.url, told.outline), told.types)
        if not typed.types and not decides(known.templates.votes_of(typed.template)):
            typed = typed._replace(types=packed(type_shares(page)))
        return described_result(result, known.templates, typed)

    def voted(self, page: Page, shares: Sequence[float]) -> Row:
        """Return the probabilities of types by a page, which has these alone, and its template."""
        known = self._known(page.site)
        number = known.pages.get(page.url, UNSEEN).template
        return agreed(packed(shares), known.templates.votes_of(number))

    def number(self, page: Page, told: OutlinedPage | None = None) -> int:
        """Return the number of a page's template, NO_TEMPLATE if it follows none that is known."""
        known = self._known(page.site)
        if told is None:
            return known.pages.get(page.url, UNSEEN).template or NO_TEMPLATE
        return known.templates.number_of(told.url, told.outline)

    def pages_like(self, page: Page) -> int:
        """Return how many pages of the site have the template of a page."""
        known = self._known(page.site)
        number = known.pages.get(page.url, UNSEEN).template or NO_TEMPLATE
        return 1 if number == NO_TEMPLATE else known.counts[number]

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
            pages = self._store.outlines.typed(site)
            templates = self._store.templates.of(site)
            known = KnownTemplates(
                templates, pages, Counter([page.template or NO_TEMPLATE for page in pages.values()])
            )
            self._sites[site] = known
            self._held += 1 + len(pages)
        return known
