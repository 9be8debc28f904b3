"""Main content in one call: of a page, or of the pages of a site one by one."""

from enum import StrEnum
from typing import Literal, overload

from webstencil.errors import SettingsError
from webstencil.extract.content.extractor import Content, MainContent
from webstencil.extract.content.policy import Policy
from webstencil.markup.parse import parse
from webstencil.model import Item, Page, RawPage
from webstencil.protocols import BlobStore

NOWHERE = "http://localhost/"  # stands for an unknown URL


class Format(StrEnum):
    """The formats of content."""

    TEXT = "txt"
    MARKDOWN = "md"
    HTML = "html"
    ITEM = "item"


@overload
def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    format: Literal["txt", "md", "html", Format.TEXT, Format.MARKDOWN, Format.HTML] = Format.TEXT,
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

    `format` is txt, md, html, or item for an `Item` with selector, XPath and confidence. Raises a
    `ParseError` if `html` is not an HTML page.
    """
    return written(MainContent(policy or Policy()).content(parsed(html, url)), format)


class Site:
    """Extracts the content of a site's pages; each page learns from those before it."""

    def __init__(self, *, policy: Policy | None = None, store: BlobStore | None = None) -> None:
        """Start with what the store knows of the site, if one is given."""
        self._extractor = MainContent(policy or Policy(), store)

    def process(self, html: str | bytes, *, url: str | None = None, again: bool = False) -> Content:
        """Extract the content of a page; `again` if it was processed before."""
        return self._extractor.content(parsed(html, url), counted=again)

    def save(self) -> None:
        """Write what was learned to the store."""
        self._extractor.save()


def parsed(html: str | bytes, url: str | None) -> Page:
    """Parse a page that the caller has in memory."""
    url = NOWHERE if url is None else url
    if isinstance(html, str):
        return parse(RawPage(url, html.encode("utf-8", "replace"), "utf-8"))
    if not isinstance(html, bytes):
        raise SettingsError(f"html must be the text or bytes of a page, not {html!r}")
    return parse(RawPage(url, html))


def written(content: Content, form: str) -> str | Item:
    """Return content in a format."""
    match form:
        case Format.TEXT:
            return content.text
        case Format.MARKDOWN:
            return content.markdown
        case Format.HTML:
            return content.html
        case Format.ITEM:
            return content.item
    raise SettingsError(f"format must be one of {', '.join(Format)}, not {form!r}")
