"""Bytes to `Page`: the pruned tree as columns, its path set, its links.

CPS paper, section 5.1. Paths are those of Definition 6 with the paper's two changes (section 6):
elements only, and an element with an id is named by both. A path is kept as a 64-bit hash.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

from webstencil import urls
from webstencil.errors import ParseError
from webstencil.markup import Markup
from webstencil.model import NO_PARENT, Page, RawPage

SNIFFED = 1024  # bytes looked at to tell what is not HTML
MAGIC = (  # first bytes of what is often saved as a page but is none
    (b"%PDF-", "a PDF file"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "gzip-compressed data"),
    (b"\x28\xb5\x2f\xfd", "zstd-compressed data"),
)
FEED_ROOTS = frozenset({"rss", "feed", "rdf:rdf", "urlset", "sitemapindex", "opml"})
IMPLIED = frozenset({"html", "head", "body"})  # what any text becomes when parsed as HTML
FOLLOWED = ("http:", "https:", "file:")  # schemes of links that lead to pages

MASK = (1 << 64) - 1  # a path's hash has 64 bits
MULTIPLIER = 0x9E3779B97F4A7C15  # 2**64 / golden ratio, odd: spreads the bits (Knuth, TAOCP 6.4)


def parse(raw: RawPage) -> Page:
    """Read a page; raise a `ParseError` that says what the bytes are if they are not HTML."""
    _refuse_other_formats(raw)
    source = Markup(raw.body, raw.charset)
    labels, parents = source.labels()
    present = frozenset(labels)
    _refuse_what_has_no_tags(raw, present)
    base = source.base_href() if "base" in present else ""
    return Page(
        url=raw.url,
        site=urls.site_of(raw.url),
        body=raw.body,
        encoding=source.encoding,
        base_url=(urls.join(raw.url, base) or raw.url) if base else raw.url,
        paths=path_set(labels, parents),
        markup=source,
    )


def path_set(labels: Iterable[str], parents: Iterable[int]) -> frozenset[int]:
    """Hash each distinct path from the root to an element without element children."""
    hashes: list[int] = []
    leaves = set()
    last, path = NO_PARENT, 0
    for label, parent in zip(map(label_hash, labels), parents, strict=True):
        if parent != last:  # in document order a first child follows its parent: `last` has none
            leaves.add(path)
            path = hashes[parent]
        path = (path ^ label) * MULTIPLIER & MASK
        hashes.append(path)
        last += 1
    leaves.add(path)
    return frozenset(leaves)


@lru_cache(maxsize=1 << 16)
def label_hash(label: str) -> int:
    """Hash the name of an element in a path."""
    return int.from_bytes(blake2b(label.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def links(page: Page) -> tuple[str, ...]:
    """List where the hyperlinks of a page lead, each address absolute and once."""
    found = [urls.join(page.base_url, href.strip()) for href in page.markup.hrefs() if href]
    kept = [url for url in found if url is not None and url.startswith(FOLLOWED)]
    return tuple(dict.fromkeys(kept))


def _refuse_other_formats(raw: RawPage) -> None:
    if raw.fault:
        raise ParseError(f"{raw.url} cannot be read: {raw.fault}; see {raw.origin}")
    start = raw.body[:SNIFFED]
    if not start.strip():
        raise ParseError(f"{raw.url} is empty ({len(raw.body)} bytes); nothing to segment")
    for magic, name in MAGIC:
        if start.startswith(magic):
            raise ParseError(f"{raw.url} is {name}, not an HTML page; leave it out")
    if b"\0" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ParseError(f"{raw.url} is binary data, not an HTML page; leave it out")


def _refuse_what_has_no_tags(raw: RawPage, present: frozenset[str]) -> None:
    if present <= IMPLIED and not re.search(rb"(?i)<(!doctype|html|head|body)", raw.body):
        raise ParseError(f"{raw.url} is plain text without any HTML tag; leave it out")
    feed = present & FEED_ROOTS
    if feed and not re.search(rb"(?i)<(!doctype html|html|body)", raw.body):
        raise ParseError(f"{raw.url} is an XML file ({min(feed)}), not an HTML page; leave it out")
