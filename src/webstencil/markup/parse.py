"""Parse bytes to a `Page`, or say what they are instead (CPS paper, section 5.1)."""

import re

from webstencil import urls
from webstencil.errors import ParseError
from webstencil.markup.parsed_page import Markup
from webstencil.model import Page, RawPage

SNIFFED_FORMAT = 1024  # bytes that are checked for other formats
MAGIC = (  # first bytes of formats that are often saved as pages
    (b"%PDF-", "a PDF file"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "gzip-compressed data"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed data"),
)
FEED_ROOTS = frozenset({"rss", "feed", "rdf:rdf", "urlset", "sitemapindex", "opml"})
IMPLIED = frozenset({"html", "head", "body"})  # the parser adds these to any text
PAGE_TAG = re.compile(rb"(?i)<(!doctype html|html|body)")
BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")
HEAD_TAG = re.compile(rb"(?i)<(!doctype|head)")
FOLLOWED_SCHEMES = ("http:", "https:", "file:")  # schemes of links to pages


def parse(raw: RawPage) -> Page:
    """Parse a page; raise a `ParseError` that names the format if it is not HTML."""
    _refuse_other_formats(raw)
    source = Markup(raw.body, raw.charset)
    _refuse_what_has_no_tags(raw, source)
    base = source.base_href()
    base_url = raw.url
    if base:
        base_url = (urls.join_url(raw.url, base) if raw.url else urls.normalise(base)) or raw.url
    return Page(raw.url, urls.site_of(raw.url), raw.body, source.encoding, base_url, source)


def links(page: Page) -> tuple[str, ...]:
    """List the distinct absolute URLs of the hyperlinks of a page."""
    found = [urls.join_url(page.base_url, href.strip()) for href in page.markup.hrefs() if href]
    kept = [url for url in found if url is not None and url.startswith(FOLLOWED_SCHEMES)]
    return tuple(dict.fromkeys(kept))


def _refuse_other_formats(raw: RawPage) -> None:
    if raw.fault:
        raise ParseError(f"{raw.url} cannot be read: {raw.fault}; see {raw.origin}")
    start = raw.body[:SNIFFED_FORMAT]
    if not start.strip():
        raise ParseError(f"{raw.url} is empty ({len(raw.body)} bytes); nothing to segment")
    for magic, name in MAGIC:
        if start.startswith(magic):
            raise ParseError(f"{raw.url} is {name}, not an HTML page; leave it out")
    # UTF-16 has zeros, and HTML may have stray ones, which browsers drop.
    if b"\0" in start and not (start.startswith(BYTE_ORDER_MARKS) or PAGE_TAG.search(start)):
        raise ParseError(f"{raw.url} is binary data, not an HTML page; leave it out")


def _refuse_what_has_no_tags(raw: RawPage, source: Markup) -> None:
    if b"<html" in raw.body or PAGE_TAG.search(raw.body):
        return
    present = frozenset(source.labels()[0])
    if present <= IMPLIED and not HEAD_TAG.search(raw.body):
        raise ParseError(f"{raw.url} is plain text without any HTML tag; leave it out")
    feed = present & FEED_ROOTS
    if feed:
        raise ParseError(f"{raw.url} is an XML file ({min(feed)}), not an HTML page; leave it out")
