"""Bytes to `Page`: the pruned tree as columns, its path set, its links.

CPS paper, section 5.1. Paths are those of Definition 6 with the paper's two changes (section 6):
elements only, and an element with an id is named by both. A path is kept as a 64-bit hash.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TypeAlias

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

LabelTree: TypeAlias = dict[str, "LabelTree"]
LEAF = ""  # the key that marks where a path ends


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


def path_set(labels: Sequence[str], parents: Sequence[int]) -> frozenset[int]:
    """Hash each distinct path from the root to an element without element children.

    Equal paths are found by growing a tree of labels, so that only distinct ones are hashed.
    """
    trunk: LabelTree = {}
    here = trunk
    places: list[LabelTree] = []
    last = NO_PARENT
    for label, parent in zip(labels, parents, strict=True):
        if parent != last:  # in document order a first child follows its parent: `last` has none
            here[LEAF] = trunk
            here = places[parent]
        try:
            here = here[label]
        except KeyError:
            here[label] = here = {}
        places.append(here)
        last += 1
    here[LEAF] = trunk
    return frozenset(_leaf_hashes(trunk))


def _leaf_hashes(trunk: LabelTree) -> Iterator[int]:
    pending = [(0, trunk)]
    while pending:
        path, branches = pending.pop()
        for label, below in branches.items():
            if label == LEAF:
                yield path
            else:
                pending.append((path_hash(path, label), below))


@lru_cache(maxsize=1 << 16)
def path_hash(above: int, label: str) -> int:
    """Hash the path that ends with an element: its parent's path and its label."""
    step = f"{above:x}/{label}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(step, digest_size=8).digest())


def links(page: Page) -> tuple[str, ...]:
    """List where the hyperlinks of a page lead, each address absolute and once."""
    found = [urls.join(page.base_url, href.strip()) for href in page.markup.hrefs() if href]
    kept = [url for url in found if url is not None and url.startswith(FOLLOWED)]
    return tuple(dict.fromkeys(kept))


def _refuse_other_formats(raw: RawPage) -> None:
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
