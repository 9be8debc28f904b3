"""Votes on the types of pages whose site has no templates in a store."""

from typing import NamedTuple

from webstencil.extract.content.page_numbers import Row
from webstencil.model import Page
from webstencil.pipeline.site_models import SiteModels
from webstencil.site.outline import outline
from webstencil.site.site_model import SiteModel
from webstencil.site.templates import SiteTemplates, find_templates
from webstencil.site.type_votes import agreed, packed_types

GROWTH = 2  # a site that has so many times the pages is divided again


class DividedSite(NamedTuple):
    """The templates of a model when it had so many pages."""

    pages: int
    templates: SiteTemplates


class SiteTypes:
    """Asks the pages of a template for the type of one of them; see `extractor.TypeVote`.

    A site is divided when the first of its pages is asked for, and again as it grows.
    """

    def __init__(self, models: SiteModels) -> None:
        self._models = models
        self._divided: dict[str, DividedSite] = {}

    def __call__(self, page: Page, types: Row) -> Row:
        """Return the probabilities of types by a page, which has these alone, and its template."""
        model = self._models(page.site)
        known = self._known(page.site, model)
        own = model.page(page.url)
        number = known.templates.number_of(
            page.url,
            own.outline if own is not None else outline(page),
            learned=own is not None and model.pages == known.pages,
        )
        return agreed(packed_types(types), known.templates.votes_of(number))

    def _known(self, site: str, model: SiteModel) -> DividedSite:
        known = self._divided.get(site)
        if known is None or model.pages >= GROWTH * known.pages:
            known = self._divided[site] = DividedSite(model.pages, find_templates(model))
        return known
