"""Main content in one call: of a page, or of the pages of a site one by one."""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, replace
from enum import StrEnum
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal, overload

from webstencil.content.extractor import Content, MainContent, Policy
from webstencil.content.page_types import UNSURE_TYPES
from webstencil.errors import SettingsError
from webstencil.items.metadata import Metadata
from webstencil.jobs.sites import Sites
from webstencil.jobs.survey import digest, save_outlines
from webstencil.markup.parse import parse
from webstencil.model import Item, Page, RawPage
from webstencil.output.tei import tei
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.type_votes import has_vote, packed_types
from webstencil.stages import today

if TYPE_CHECKING:
    from webstencil.store import SqlStore

WITH_METADATA = frozenset({"json", "jsonl", "xml-tei"})  # formats that always have it
HASH_BYTES = 8  # of a page, to recognise it


class Format(StrEnum):
    """The formats of content."""

    TEXT = "txt"
    MARKDOWN = "md"
    HTML = "html"
    JSON = "json"
    JSON_LINE = "jsonl"
    TEI = "xml-tei"
    ITEM = "item"


@overload
def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    format: Literal["txt", "md", "html", "json", "jsonl", "xml-tei"] = "txt",
    policy: Policy | None = None,
) -> str: ...


@overload
def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    format: Literal["item", Format.ITEM],
    policy: Policy | None = None,
) -> Item: ...


@overload
def extract(
    html: str | bytes, *, url: str | None = None, format: str, policy: Policy | None = None
) -> str | Item: ...


def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    format: str = Format.TEXT,  # noqa: A002 - the usual word
    policy: Policy | None = None,
) -> str | Item:
    """Extract the main content of one page, without a store or a browser.

    `format` is txt, md, html; json (jsonl on one line) or xml-tei, which have the metadata, too; or
    item for an `Item` with selector, XPath and confidence. Raises a `ParseError` if `html` is no
    HTML page.
    """
    content = MainContent(policy or Policy()).content(parsed(html, url))
    return written(content, format, facts_for(content.page, format, Metadata(latest=today())))


class Site:
    """Extracts the content of a site's pages; each is compared with those before it.

    A page that comes again, by its URL, replaces what was known of it. Pages without a URL are told
    apart by their bytes.
    """

    def __init__(self, *, policy: Policy | None = None, store: "SqlStore | None" = None) -> None:
        """Start with the pages that the store has of a site, if one is given."""
        self._outlines = store.outlines if store is not None else None
        # What is not saved yet cannot be read again: all models stay in memory.
        self._sites = Sites(outlines=self._outlines, held=sys.maxsize)
        self._extractor = MainContent(policy or Policy(), self._sites)
        self._unsaved: dict[str, OutlinedPage] = {}  # by URL

    def process(self, html: str | bytes, *, url: str | None = None) -> Content:
        """Extract the content of a page; later pages are compared with it."""
        raw = raw_page(html, url)
        if url is None:
            raw = replace(raw, url=name_of(raw.body))
        page = parse(raw)
        content = self._extractor.content(page)
        self._add(
            page, raw, packed_types(content.types or UNSURE_TYPES) if has_vote(page.url) else b""
        )
        if url is None:  # the name is for the model alone
            base = "" if page.base_url == page.url else page.base_url
            content = replace(content, page=replace(page, url="", base_url=base), parts=None)
        return content.voted(self._sites.voted(page, content.types)) if content.types else content

    def save(self) -> None:
        """Write the pages that were processed since the last call to the store."""
        if self._outlines is not None:
            save_outlines(self._unsaved.values(), self._outlines)
        self._unsaved.clear()

    def _add(self, page: Page, raw: RawPage, types: bytes) -> None:
        if self._outlines is None:
            self._sites.add(OutlinedPage(page.url, outline(page), types=types))
            return
        known = OutlinedPage(page.url, outline(page), digest(raw), types)
        self._sites.add(known)
        self._unsaved[page.url] = known


def parsed(html: str | bytes, url: str | None) -> Page:
    """Parse a page that the caller has in memory."""
    return parse(raw_page(html, url))


def raw_page(html: str | bytes, url: str | None) -> RawPage:
    """Return a page that the caller has in memory, as a source would."""
    url = url or ""
    if isinstance(html, str):
        return RawPage(url, html.encode("utf-8", "replace"), "utf-8")
    if not isinstance(html, bytes):
        raise SettingsError(f"html must be the text or bytes of a page, not {html!r}")
    return RawPage(url, html)


def name_of(body: bytes) -> str:
    """Return a name for a page without a URL, which is no URL; equal pages have equal ones."""
    return blake2b(body, digest_size=HASH_BYTES).hexdigest()


def facts_for(page: Page, form: str, extractor: Metadata) -> dict[str, str]:
    """Return the metadata of a page by kind, if a format has it."""
    return metadata_of(page, extractor) if form in WITH_METADATA else {}


def metadata_of(page: Page, extractor: Metadata) -> dict[str, str]:
    """Return the metadata of a page by kind."""
    return {item.kind: item.text for item in extractor.items(page)}


def written(content: Content, form: str, facts: Mapping[str, object]) -> str | Item:
    """Return content in a format, with facts of its page if the format has such."""
    match form:
        case Format.TEXT:
            return content.text
        case Format.MARKDOWN:
            return content.markdown
        case Format.HTML:
            return content.html
        case Format.JSON | Format.JSON_LINE:
            line = {"url": content.page.url, **facts, **asdict(content.item)}
            return json.dumps(line, ensure_ascii=False, indent=1 if form == Format.JSON else None)
        case Format.TEI:
            texts = {kind: fact for kind, fact in facts.items() if isinstance(fact, str)}
            return tei(content.html, texts, content.page.url)
        case Format.ITEM:
            return content.item
    raise SettingsError(f"format must be one of {', '.join(Format)}, not {form!r}")
