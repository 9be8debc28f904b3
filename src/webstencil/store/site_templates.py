"""The templates of sites, and their names in results."""

from collections.abc import Iterable, Iterator

from webstencil.codec import decode_value, encode_value
from webstencil.content.page_types import described_result
from webstencil.model import PageResult
from webstencil.site.templates import EMPTY_SITE, SiteTemplates
from webstencil.site.type_votes import UNKNOWN_PAGE, TypedPage
from webstencil.store.blobs import BlobTable
from webstencil.store.database import OpenDatabase
from webstencil.store.outlines import OutlineTable

KEPT_AS = "templates of sites, 1"  # key of the decisions in the store


class TemplateTable:
    """The part of a store that keeps templates."""

    def __init__(self, database: OpenDatabase, blobs: BlobTable, outlines: OutlineTable) -> None:
        self._database = database
        self._blobs = blobs
        self._outlines = outlines

    def of(self, site: str) -> SiteTemplates:
        """Return the templates of a site, none if they were never decided."""
        body = self._blobs.kept(KEPT_AS, site)
        if body is None:
            return EMPTY_SITE
        what = f"the templates of {site}"
        return self._database.decoded(
            lambda blob: decode_value(blob, SiteTemplates, what), body, what
        )

    def save(self, site: str, templates: SiteTemplates) -> None:
        """Save the templates of a site."""
        self._blobs.keep(KEPT_AS, site, encode_value(templates, f"the templates of {site}"))

    def names(self, site: str) -> dict[str, str]:
        """Return the names of the templates of a site's pages, by URL."""
        names = {one.number: one.name for one in self.of(site).templates}
        if not names:
            return {}
        numbers = self._outlines.templates(site)
        return {url: names[number] for url, number in numbers.items() if number in names}

    def named(self, results: Iterable[PageResult]) -> Iterator[PageResult]:
        """Yield results with their templates and types as they are now."""
        sites: dict[str, tuple[SiteTemplates, dict[str, TypedPage]]] = {}
        for result in results:
            if result.site not in sites:
                sites[result.site] = self.of(result.site), self._outlines.typed(result.site)
            templates, pages = sites[result.site]
            yield described_result(result, templates, pages.get(result.url, UNKNOWN_PAGE))
