"""Pages of a store by their URLs, and the result of one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from webstencil import urls
from webstencil.content.page_types import described_result
from webstencil.errors import SettingsError
from webstencil.model import PageArea, PageResult, Status
from webstencil.output.overlay import BoxPicture
from webstencil.queries.lists import ListPart, NotStored
from webstencil.queries.outside_links import page_link
from webstencil.queries.site_places import TemplateMembers, template_members, with_urls
from webstencil.queries.site_slots import NO_NAME, is_default
from webstencil.queries.slot_detail import result_picture
from webstencil.queries.stencil_detail import AREAS
from webstencil.site.template_stencils import template_key
from webstencil.site.templates import NO_TEMPLATE
from webstencil.store import PageFilter, PageRow, SqlStore


@dataclass(frozen=True, slots=True)
class PageList:
    """Pages that were searched for."""

    pages: tuple[PageRow, ...]  # of this part of the list
    part: ListPart
    makers: Mapping[int, str]  # settings of the store, by number
    template: TemplateMembers | None  # that all of them follow, None for any
    names: Mapping[str, str]  # of templates, by the keys that these pages have


@dataclass(frozen=True, slots=True)
class ResultDetail:
    """The result of a page."""

    result: PageResult
    maker: int  # number of its settings
    others: tuple[int, ...]  # settings that also have a result of the page
    makers: Mapping[int, str]  # settings of the store, by number
    template: int | None  # its number, None if it is not decided
    link_to: str  # URL of the page on the web, empty if unknown
    areas: tuple[PageArea, ...]  # the first ones
    picture: BoxPicture


def list_pages(store: SqlStore, wanted: PageFilter, number: int = 1) -> PageList:
    """Return a part of the pages that are looked for.

    A template none of whose pages was processed lists its members without results.
    """
    if wanted.status and wanted.status not in set(Status):
        known = ", ".join(Status)
        raise SettingsError(f"there is no status {wanted.status!r}; choose one of {known}")
    wanted = replace(wanted, skipped=ListPart(number, 0).skipped)
    total, pages = store.lookups.find_pages(wanted)
    template = None
    if wanted.template is not None:
        template = template_members(store, wanted.site, wanted.template)
        if not (total or wanted.text or wanted.status):
            template, total = with_urls(store, template, wanted.skipped), template.pages
    makers = store.lookups.makers()
    names = template_names(store, pages, makers)
    return PageList(pages, ListPart(number, total), makers, template, names)


def template_names(
    store: SqlStore, pages: Iterable[PageRow], makers: Mapping[int, str]
) -> dict[str, str]:
    """Return the names of the templates that pages follow in the default mode, by key."""
    found: dict[str, str] = {}
    for site, maker in {(urls.site_of(page.url), page.maker) for page in pages}:
        if is_default(makers.get(maker, "")):
            named = [(one.number, one.name) for one in store.templates.of(site).templates]
            for number, name in [*named, (NO_TEMPLATE, NO_NAME)]:
                found[template_key(site, makers[maker], number)] = name
    return found


def result_detail(store: SqlStore, url: str, maker: int = 0) -> ResultDetail:
    """Return the result of a page: that of a maker, or the newest."""
    known = store.lookups.makers_of(url)
    chosen = maker or (known[0] if known else 0)
    result = store.lookups.result_of(url, chosen) if chosen in known else None
    if result is None:
        raise NotStored(f"there is no result of {url!r}; search for a part of its URL")
    page = store.outlines.typed_page(result.url)
    return ResultDetail(
        result=described_result(result, store.templates.of(result.site), page),
        maker=chosen,
        others=tuple(one for one in known if one != chosen),
        makers=store.lookups.makers(),
        template=page.template,
        link_to=page_link(result.url, result.origin),
        areas=result.areas[:AREAS],
        picture=result_picture(store, result),
    )
