"""Survey the sites of a source before their pages are processed, and decide on their templates.

A survey reads every page once and makes its outline; pages that are as they were are not parsed.
The outlines are the truth: whatever the order, the number of workers, and however often the job was
killed, the model that is read from them is the same, and so are templates and plan.

A crawl cannot read its pages twice. Their outlines are saved with their results, and what depends
on the whole site is settled at the end, from pages that have waited in the store.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from webstencil.content.page_types import vote_of
from webstencil.errors import ParseError, StoreError
from webstencil.jobs.sites import MODEL_PAGES_HELD, Sites
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage
from webstencil.protocols import Store
from webstencil.site.outline import OutlinedPage, outline, outline_and_excerpts
from webstencil.site.site_model import SurveyedPage
from webstencil.site.templates import find_templates
from webstencil.urls import site_of

if TYPE_CHECKING:
    from webstencil.store.outlines import OutlineTable

log = logging.getLogger(__name__)

AT_ONCE = 64  # pages that are looked up and saved together
ASSIGNED_AT_ONCE = 1_000  # pages whose templates are saved together
DIGEST_BYTES = 16
UNFINISHED = -1  # pages of a site that is being divided: if the job is killed, it is divided again
# Bytes of pages that stay parsed from the survey until they are processed. A parsed page takes 11
# to 16 times its bytes, so this is about 100 MB in each process; pages beyond it are parsed twice.
PARSED_BYTES = 8_000_000


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


class ParsedPages:
    """Pages that are parsed and will be needed again: from the survey to the last stage.

    The first ones are kept, as long as there is room: pages are processed in the order in which
    they were surveyed.
    """

    def __init__(self, most: int = PARSED_BYTES) -> None:
        self._room = most
        self._pages: dict[tuple[str, bytes], Page] = {}  # by URL and digest

    def page(self, raw: RawPage, hashed: bytes) -> Page:
        """Return a page, and keep it if there is room."""
        known = self._pages.get((raw.url, hashed))
        if known is None:
            known = parse(raw)
            if len(raw.body) <= self._room:
                self._room -= len(raw.body)
                self._pages[raw.url, hashed] = known
        return known

    def take(self, raw: RawPage, hashed: bytes) -> Page:
        """Return a page, and let it go."""
        known = self._pages.pop((raw.url, hashed), None)
        if known is None:
            return parse(raw)
        self._room += len(raw.body)
        return known


def ignore(_page: RawPage | None) -> None:
    """Do nothing: nobody wants to know which page is at hand."""


def report_later(_page: RawPage, _error: ParseError) -> None:
    """Do nothing: the job reports what is not HTML when it comes to it."""


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What some pages of a source tell of their sites; those that are as they were tell nothing."""

    read: int  # pages of the source so far
    sites: frozenset[str]  # of the pages that were read
    pages: tuple[SurveyedPage, ...]
    lost: tuple[str, ...]  # URLs of what is no page, and may have been one


@dataclass(frozen=True, slots=True)
class Surveyor:
    """Reads the pages of a source and makes their outlines; it writes nothing.

    `at_hand` is called with each page that is parsed, and with None when that is over; `refused`
    with what is not HTML.
    """

    outlines: "OutlineTable"
    at_hand: Callable[[RawPage | None], None] = ignore
    refused: Callable[[RawPage, ParseError], None] = report_later
    parse: Callable[[RawPage, bytes], Page] = lambda raw, _: parse(raw)

    def survey(self, pages: Iterable[RawPage]) -> Iterator[Surveyed]:
        """Yield what pages tell, some at a time; what was yielded must be saved before the next."""
        read = 0
        batch: dict[str, RawPage] = {}  # by URL
        for raw in map(with_storable_names, pages):
            if raw.url in batch:  # a source that repeats a page: the last one counts
                yield self._outlined(read, batch.values())
                batch.clear()
            read += 1
            batch[raw.url] = raw
            if len(batch) >= AT_ONCE:
                yield self._outlined(read, batch.values())
                batch.clear()
        yield self._outlined(read, batch.values())

    def _outlined(self, read: int, pages: Iterable[RawPage]) -> Surveyed:
        found: list[SurveyedPage] = []
        lost: list[str] = []
        sites = []
        by_site = sorted(pages, key=lambda raw: site_of(raw.url))
        for site, group in groupby(by_site, key=lambda raw: site_of(raw.url)):
            sites.append(site)
            members = list(group)
            known = self.outlines.known(site, [raw.url for raw in members], typed=True)
            for raw in members:
                if known.get(raw.url) != (hashed := digest(raw)):
                    self.at_hand(raw)
                    surveyed = self.page(raw, hashed)
                    if surveyed is not None:
                        found.append(surveyed)
                    elif raw.url in known:
                        lost.append(raw.url)
                    self.at_hand(None)
        return Surveyed(read, frozenset(sites), tuple(found), tuple(lost))

    def page(self, raw: RawPage, hashed: bytes) -> SurveyedPage | None:
        """Return what a page tells of its site, None if it is not HTML."""
        try:
            return surveyed_page(self.parse(raw, hashed), hashed, self.outlines)
        except ParseError as error:
            self.refused(raw, error)
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


def survey(
    pages: Iterable[RawPage],
    outlines: "OutlineTable",
    at_hand: Callable[[RawPage | None], None] = ignore,
    refused: Callable[[RawPage, ParseError], None] = report_later,
    sites: set[str] | None = None,
) -> Iterator[int]:
    """Save the outlines of pages that are new or changed; yield how many pages were read so far.

    The sites of the pages are added to `sites`.
    """
    for surveyed in Surveyor(outlines, at_hand, refused).survey(pages):
        save_surveyed(surveyed, outlines)
        if sites is not None:
            sites |= surveyed.sites
        yield surveyed.read


def save_surveyed(surveyed: Surveyed, outlines: "OutlineTable") -> None:
    """Save what pages tell of their sites."""
    if surveyed.pages:
        outlines.save(surveyed.pages)
    outlines.drop(surveyed.lost)


def decide_templates(store: Store, sites: Sites | None = None) -> tuple[str, ...]:
    """Divide the sites whose pages have changed; return their names."""
    sites = sites or Sites(store)
    changed = [
        count.site
        for count in store.outlines.sites()
        if count.undecided or count.pages != store.templates.of(count.site).pages
    ]
    for site in changed:
        _divide(store, site, sites)
    return tuple(changed)


def _divide(store: Store, site: str, sites: Sites) -> None:
    """Divide a site and tell each of its pages its template."""
    outlines = store.outlines
    model = sites(site)
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


def models_of(
    pages: Iterable[RawPage],
    outlines: "OutlineTable | None",
    things: ExitStack,
    *,
    held: int = MODEL_PAGES_HELD,
    typed: bool = True,
) -> Sites:
    """Make the models of all sites of some pages, before any page is compared with the others.

    `typed` means that pages vote on their types. Outlines go to the table. Without one they stay in
    memory; if they are too many, they go to a store that `things` deletes. Pages that are not HTML
    are left out.
    """
    left = iter(pages)
    if outlines is None:
        models = grown(left, held, typed=typed)
        if not models.is_full:
            return models
        outlines = temporary_outlines(things)
        for model in models.in_memory():
            save_outlines(model, outlines)
    for _ in survey(left, outlines):
        pass  # it saves some pages at each step
    return Sites(outlines=outlines, held=held)


def grown(pages: Iterator[RawPage], held: int, *, typed: bool = True) -> Sites:
    """Make models in memory of pages until they are full; the other pages are not read."""
    models = Sites(held=held)
    for raw in pages:
        if models(site_of(raw.url)).takes(raw.url):
            try:
                page = parse(raw)
            except ParseError:
                continue
            types = vote_of(page) if typed else b""
            models.add(OutlinedPage(page.url, outline(page), types=types))
            if models.is_full:
                break
    return models


def save_outlines(pages: Iterable[OutlinedPage], outlines: "OutlineTable") -> None:
    """Save pages, some at a time."""
    left = iter(pages)
    while some := [SurveyedPage(page) for page in islice(left, AT_ONCE)]:
        outlines.save(some)


def temporary_outlines(things: ExitStack) -> "OutlineTable":
    """Open a table in a file that `things` deletes."""
    from webstencil.store import open_store  # noqa: PLC0415 - loads the database

    folder = things.enter_context(TemporaryDirectory(prefix="webstencil-"))
    return things.enter_context(open_store(Path(folder) / "outlines.db")).outlines
