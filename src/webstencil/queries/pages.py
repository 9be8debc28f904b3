"""Pages of a store by their URLs, and the result of one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from webstencil import urls
from webstencil.codec import TooLarge, gunzipped
from webstencil.errors import SettingsError
from webstencil.markup import Markup
from webstencil.model import PageArea, PageResult, Status
from webstencil.output.overlay import BoxPicture, page_outlines, picture_of, slot_outlines
from webstencil.queries.lists import AREAS_SHOWN, NO_NAME, ListPart, NotStored
from webstencil.queries.surveys import TemplateMembers, template_members, with_urls
from webstencil.site.templates import NO_TEMPLATE, described_result
from webstencil.store import PageFilter, PageRow, SqlStore

# Links from a result to its page on the web.
#
# Pages of a folder have invented hosts (`http://FOLDER/`, `http://localhost/`) if neither
# `--base-url` nor a subfolder names the real one. Such a URL is not a link; but the page's file, if
# it can still be read, may give the real URL as the canonical one.


WEB = ("http", "https")
HEAD = 200_000  # bytes of a page in which its canonical link is looked for


def page_link(url: str, origin: str = "") -> str:
    """Return the URL of a page on the web, empty if it is not known; `origin` is its result's."""
    if leads_to_web(url, origin):
        return url
    canonical = canonical_url(url, Path(origin)) if origin else ""
    return canonical if leads_to_web(canonical, origin) else ""


def leads_to_web(url: str, origin: str = "") -> bool:
    """Return whether a URL from a page may be a link.

    Other schemes could do things when they are clicked. Hosts of pages that were read from files
    may be invented; without an origin, the page came from that host.
    """
    try:
        scheme = urlsplit(url).scheme
    except ValueError:
        return False
    return scheme in WEB and (not origin or urls.has_public_suffix(url))


def outside_link(url: str) -> str:
    """Return the URL of a surveyed page on the web, empty if its host is made up."""
    return url if leads_to_web(url) and not urls.has_made_up_host(url) else ""


def canonical_url(url: str, path: Path) -> str:
    """Return the URL that the page in a file gives as its own, empty if it gives none."""
    try:
        if not path.is_file():  # it is gone, or on another machine
            return ""
        with path.open("rb") as file:
            start = gunzipped(file.read(HEAD))[:HEAD]
    except (OSError, ValueError, TooLarge):
        return ""
    return urls.join_url(url, Markup(start, None).canonical()) or ""


@dataclass(frozen=True, slots=True)
class PageList:
    """Pages that were searched for."""

    pages: tuple[PageRow, ...]  # of this part of the list
    part: ListPart
    makers: Mapping[int, str]  # settings of the store, by number
    template: TemplateMembers | None  # that all of them follow, None for any
    names: Mapping[tuple[str, int], str]  # of the templates of these pages, by site and number


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
    names = template_names(store, pages)
    return PageList(pages, ListPart(number, total), store.lookups.makers(), template, names)


def template_names(store: SqlStore, pages: Iterable[PageRow]) -> dict[tuple[str, int], str]:
    """Return the names of the templates that pages follow in the default mode."""
    names: dict[tuple[str, int], str] = {}
    for site in {page.site for page in pages if page.template is not None}:
        names[site, NO_TEMPLATE] = NO_NAME
        names |= {(site, one.number): one.name for one in store.templates.of(site).templates}
    return names


def result_picture(store: SqlStore, result: PageResult, made_by: str) -> BoxPicture:
    """Draw the areas of a page: its slots as on the typical page of its template."""
    if result.grain is None:
        return picture_of(page_outlines(result.areas))
    names = {area.slot: area.name for area in result.areas if area.slot is not None}
    number = result.template_number or NO_TEMPLATE
    template = store.templates.drawn(made_by, result.site).get(number)
    drawn = slot_outlines(template.areas, names) if template is not None else []
    here = [area for area in drawn if area.slot in names]
    shown = {area.slot for area in here}
    others = [area for area in page_outlines(result.areas) if area.slot not in shown]
    numbered = enumerate([*here, *others])  # they come from several pages
    return picture_of([replace(area, number=number) for number, area in numbered])


def result_detail(store: SqlStore, url: str, maker: int = 0) -> ResultDetail:
    """Return the result of a page: that of a maker, or the newest."""
    known = store.lookups.makers_of(url)
    chosen = maker or (known[0] if known else 0)
    result = store.lookups.result_of(url, chosen) if chosen in known else None
    if result is None:
        raise NotStored(f"there is no result of {url!r}; search for a part of its URL")
    page = store.outlines.typed_page(result.url)
    result = described_result(result, store.templates.of(result.site), page)
    return ResultDetail(
        result=result,
        maker=chosen,
        others=tuple(one for one in known if one != chosen),
        makers=store.lookups.makers(),
        template=page.template,
        link_to=page_link(result.url, result.origin),
        areas=result.areas[:AREAS_SHOWN],
        picture=result_picture(store, result, store.lookups.makers()[chosen]),
    )
