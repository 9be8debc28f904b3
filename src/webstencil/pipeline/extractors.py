"""The extractors by name: what can be taken from the pages of a job besides their areas."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from webstencil.content.extractor import MainContent, ModelOfSite, TypeVote, alone, no_siblings
from webstencil.errors import SettingsError
from webstencil.items.headlines import kind_items, marked_items
from webstencil.items.metadata import Metadata
from webstencil.items.posts import posts
from webstencil.items.products import product
from webstencil.items.rows import rows
from webstencil.model import Item, Page, PageArea
from webstencil.navigation import page_items
from webstencil.protocols import Extractor

CONTENT = "content"
METADATA = "metadata"


@dataclass(frozen=True, slots=True)
class PageByPage:
    """An extractor that learns nothing."""

    take: Callable[[Page, Sequence[PageArea]], tuple[Item, ...]]

    def items(self, page: Page, areas: Sequence[PageArea] = ()) -> tuple[Item, ...]:
        """Return the pieces of a page."""
        return self.take(page, areas)


PAGE_BY_PAGE: dict[str, PageByPage] = {
    "headlines": PageByPage(lambda _, areas: kind_items(areas)),
    "sizes": PageByPage(lambda _, areas: marked_items(areas)),
    "rows": PageByPage(rows),
    "posts": PageByPage(lambda page, _: posts(page)),
    "product": PageByPage(lambda page, _: product(page)),
    "navigation": PageByPage(lambda page, _: page_items(page)),
}
EXTRACTORS = (CONTENT, METADATA, *PAGE_BY_PAGE)
WAITING = frozenset({CONTENT, METADATA})  # what depends on all pages of a site


def make_extractors(
    names: Iterable[str], models: ModelOfSite = no_siblings, vote: TypeVote = alone
) -> tuple[Extractor, ...]:
    """Make the extractors of these names, each once; `models` tells what the pages of a site share.

    `SiteModels` does, for sites in a store. `vote` asks the pages of a template for their type.
    """
    return tuple(_make(name, models, vote) for name in dict.fromkeys(names))


def today() -> date:
    """Return the day before which all pages appeared, wherever they were."""
    return datetime.now(tz=UTC).date() + timedelta(days=1)


def _make(name: str, models: ModelOfSite, vote: TypeVote) -> Extractor:
    if name == CONTENT:
        return MainContent(models=models, vote=vote)
    if name == METADATA:
        return Metadata(models, today())
    if name not in PAGE_BY_PAGE:
        raise SettingsError(f"there is no extractor {name!r}; known are {', '.join(EXTRACTORS)}")
    return PAGE_BY_PAGE[name]
