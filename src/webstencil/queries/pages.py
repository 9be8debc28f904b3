"""Pages of a store by their URLs, and the result of one."""

from collections.abc import Mapping
from dataclasses import dataclass

from webstencil.errors import SettingsError
from webstencil.model import PageArea, PageResult, Status
from webstencil.output.overlay import page_outlines
from webstencil.queries.box_pictures import BoxPicture, picture_of
from webstencil.queries.lists import ListPart, NotStored
from webstencil.queries.outside_links import page_link
from webstencil.queries.stencil_detail import AREAS
from webstencil.store import PageFilter, PageRow, SqlStore


@dataclass(frozen=True, slots=True)
class PageList:
    """Pages that were searched for."""

    pages: tuple[PageRow, ...]  # of this part of the list
    part: ListPart
    makers: Mapping[int, str]  # settings of the store, by number


@dataclass(frozen=True, slots=True)
class ResultDetail:
    """The result of a page."""

    result: PageResult
    maker: int  # number of its settings
    others: tuple[int, ...]  # settings that also have a result of the page
    makers: Mapping[int, str]  # settings of the store, by number
    link_to: str  # URL of the page on the web, empty if unknown
    areas: tuple[PageArea, ...]  # the first ones
    picture: BoxPicture


def list_pages(store: SqlStore, text: str = "", status: str = "", number: int = 1) -> PageList:
    """Return a part of the pages that have a text in their URLs, and a status."""
    if status and status not in set(Status):
        raise SettingsError(f"there is no status {status!r}; choose one of {', '.join(Status)}")
    skipped = ListPart(number, 0).skipped
    total, pages = store.lookups.find_pages(PageFilter(text, status, skipped=skipped))
    return PageList(pages, ListPart(number, total), store.lookups.makers())


def result_detail(store: SqlStore, url: str, maker: int = 0) -> ResultDetail:
    """Return the result of a page: that of a maker, or the newest."""
    known = store.lookups.makers_of(url)
    chosen = maker or (known[0] if known else 0)
    result = store.lookups.result_of(url, chosen) if chosen in known else None
    if result is None:
        raise NotStored(f"there is no result of {url!r}; search for a part of its URL")
    return ResultDetail(
        result=result,
        maker=chosen,
        others=tuple(one for one in known if one != chosen),
        makers=store.lookups.makers(),
        link_to=page_link(result.url, result.origin),
        areas=result.areas[:AREAS],
        picture=picture_of(page_outlines(result.areas)),
    )
