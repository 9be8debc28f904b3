"""Survey the sites of a source before their pages are processed, and decide on their templates.

A survey reads every page once and saves its outline; pages that are as they were are not parsed.
The outlines are the truth: whatever the order, the number of workers, and however often the job was
killed, the model that is read from them is the same, and so are templates and plan.

A crawl cannot read its pages twice. Their outlines are saved with their results, and what depends
on the whole site is settled at the end, from pages that have waited in the store.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import groupby
from typing import TYPE_CHECKING

from webstencil.content.page_types import vote_of
from webstencil.errors import ParseError, StoreError
from webstencil.markup.parse import parse
from webstencil.model import Page, PageResult, RawPage
from webstencil.protocols import Arrival, LiveSource, Removed, Resources, Source, Store, Unchanged
from webstencil.settings import Settings
from webstencil.site.outline import outline, outline_and_excerpts
from webstencil.site.site_model import OutlinedPage, SurveyedPage
from webstencil.site.templates import find_templates
from webstencil.urls import site_of

if TYPE_CHECKING:
    from webstencil.store.outlines import OutlineTable

log = logging.getLogger(__name__)

AT_ONCE = 64  # pages that are looked up and saved together
ASSIGNED_AT_ONCE = 1_000  # pages whose templates are saved together
DIGEST_BYTES = 16
UNFINISHED = -1  # pages of a site that is being divided: if the job is killed, it is divided again


def digest(raw: RawPage) -> bytes:
    """Hash what of a page its result depends on."""
    charset = (raw.charset or "").encode("utf-8", "surrogatepass")
    return blake2b(raw.body, digest_size=DIGEST_BYTES, key=charset[:64]).digest()


def with_storable_names(raw: RawPage) -> RawPage:
    """Return a page whose URL and origin can be stored."""
    if storable(raw.url) and storable(raw.origin):
        return raw
    return replace(raw, url=stored_as(raw.url), origin=stored_as(raw.origin))


def storable(name: str) -> bool:
    """Return whether a store of any kind keeps a name as it is."""
    return "\0" not in name and (name.isascii() or stored_as(name) == name)


def stored_as(name: str) -> str:
    """Return a name without lone surrogates and zeros, which the user's own sources may yield."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8").replace("\0", "%00")


def ignore(_page: RawPage | None) -> None:
    """Do nothing: nobody wants to know which page is at hand."""


def told_later(_page: RawPage, _error: ParseError) -> None:
    """Do nothing: the job reports what is not HTML when it comes to it."""


def survey(
    pages: Iterable[RawPage],
    outlines: "OutlineTable",
    at_hand: Callable[[RawPage | None], None] = ignore,
    refused: Callable[[RawPage, ParseError], None] = told_later,
    sites: set[str] | None = None,
) -> Iterator[int]:
    """Save the outlines of pages that are new or changed; yield how many pages were read so far.

    `at_hand` is called with each page that is parsed, and with None when that is over; `refused`
    with what is not HTML. The sites of the pages are added to `sites`.
    """
    read = 0
    sites = set() if sites is None else sites
    batch: dict[str, RawPage] = {}  # by URL
    for raw in map(with_storable_names, pages):
        read += 1
        sites.add(site_of(raw.url))
        if raw.url in batch:  # a source that repeats a page: the last one counts
            _save(batch.values(), outlines, at_hand, refused)
            batch.clear()
        batch[raw.url] = raw
        if len(batch) >= AT_ONCE:
            _save(batch.values(), outlines, at_hand, refused)
            batch.clear()
            yield read
    _save(batch.values(), outlines, at_hand, refused)
    yield read


def _save(
    pages: Iterable[RawPage],
    outlines: "OutlineTable",
    at_hand: Callable[[RawPage | None], None],
    refused: Callable[[RawPage, ParseError], None],
) -> None:
    """Save the outlines of those of some pages that are new or changed."""
    found: list[SurveyedPage] = []
    gone: list[str] = []  # URLs of what was a page, and is none any more
    by_site = sorted(pages, key=lambda raw: site_of(raw.url))
    for site, group in groupby(by_site, key=lambda raw: site_of(raw.url)):
        members = list(group)
        known = outlines.known(site, [raw.url for raw in members], typed=True)
        for raw in members:
            if known.get(raw.url) != (hashed := digest(raw)):
                at_hand(raw)
                surveyed = surveyed_raw(raw, hashed, outlines, refused)
                if surveyed is not None:
                    found.append(surveyed)
                elif raw.url in known:
                    gone.append(raw.url)
                at_hand(None)
    if found:
        outlines.save(found)
    outlines.drop(gone)


def surveyed_raw(
    raw: RawPage,
    hashed: bytes,
    outlines: "OutlineTable",
    refused: Callable[[RawPage, ParseError], None] = told_later,
) -> SurveyedPage | None:
    """Return what a page tells of its site, None if it is not HTML."""
    try:
        return surveyed_page(parse(raw), hashed, outlines)
    except ParseError as error:
        refused(raw, error)
        return None
    except StoreError:
        raise  # no page after this one would fare better
    except Exception:  # no page ends a survey; the job goes on without its outline
        log.warning("no outline url=%s", raw.url, exc_info=True)
        return None


def surveyed_page(page: Page, hashed: bytes, outlines: "OutlineTable") -> SurveyedPage:
    """Return what a page tells of its site."""
    types = vote_of(page)
    if not outlines.shows(page.site, page.url):
        return SurveyedPage(OutlinedPage(page.url, outline(page), hashed, types))
    found, excerpts = outline_and_excerpts(page)
    return SurveyedPage(OutlinedPage(page.url, found, hashed, types), excerpts)


def decide_templates(store: Store) -> tuple[str, ...]:
    """Divide the sites whose pages have changed; return their names."""
    changed = [
        count.site
        for count in store.outlines.sites()
        if count.undecided or count.pages != store.templates.of(count.site).pages
    ]
    for site in changed:
        _decide(store, site)
    return tuple(changed)


def _decide(store: Store, site: str) -> None:
    """Divide a site and tell each of its pages its template."""
    outlines = store.outlines
    model = outlines.model(site)
    templates = find_templates(model, store.templates.of(site))
    store.templates.save(site, replace(templates, pages=UNFINISHED))
    numbers = templates.numbers_of(model)
    for page in outlines.pages_beyond(model, site):
        numbers[page.url] = templates.number_of(page.url, page.outline)
    known = outlines.templates(site)
    changed = {url: number for url, number in numbers.items() if known.get(url) != number}
    urls = list(changed)
    for start in range(0, len(urls), ASSIGNED_AT_ONCE):
        part = urls[start : start + ASSIGNED_AT_ONCE]
        outlines.assign(site, {url: changed[url] for url in part})
    outlines.keep_few_excerpts(site)
    store.templates.save(site, templates)
    found = len(templates.templates)
    log.info("divided site=%s templates=%d pages=%d", site, found, templates.pages)


def settled(
    raw: RawPage, result: PageResult, again: Callable[[Page, PageResult], PageResult]
) -> PageResult:
    """Return the result of a page as it is now; as it was if that fails."""
    try:
        return again(parse(raw), result)
    except StoreError:
        raise
    except Exception:  # no page ends a job; the next one would meet it again
        log.warning("not settled url=%s", raw.url, exc_info=True)
        return result


# What is to be done with the pages of a source.


class _NoResources:
    """Answers for a page that brings nothing along."""

    def fetch(self, url: str) -> None:
        """Return None."""


NO_RESOURCES = _NoResources()


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page to be done."""

    raw: RawPage
    digest: bytes
    resources: Resources


def reads_twice(source: Source, settings: Settings) -> bool:
    """Return whether a source is surveyed first: it costs little, or templates must be counted."""
    if isinstance(source, LiveSource):
        return False
    return settings.min_pages_per_template > 1 or not getattr(source, "read_once", False)


def tasks(
    arrivals: Iterator[Arrival], source: Source
) -> Iterator[PageTask | Unchanged | Removed | None]:
    """Turn the pages of a source into tasks; the source answers for pages that name nobody."""
    return (task_of(one, source) if isinstance(one, RawPage) else one for one in arrivals)


def task_of(raw: RawPage, source: Resources) -> PageTask:
    """Return what is to be done with a page; its names become text that can be stored."""
    raw = with_storable_names(raw)
    return PageTask(raw, digest(raw), raw.resources or source)
