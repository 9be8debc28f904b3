"""The pages of a source in crawl order, or some of them.

Crawl order is breadth first from the start page over the links between the source's own pages;
pages that no link leads to come last, in the source's order. Pages that only redirect to another
one are left out: a crawler follows them.
"""

import random
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Self
from urllib.parse import unquote, urlsplit

from webstencil import markup
from webstencil.errors import ParseError
from webstencil.markup.parse import links, parse
from webstencil.model import RawPage, Resource
from webstencil.pipeline.survey import with_storable_names
from webstencil.protocols import Source
from webstencil.site.outline_codec import decode_outline, encode_outline
from webstencil.site.site_model import OutlinedPage

STUB = re.compile(rb"(?i)<meta[^>]+http-equiv\s*=\s*[\"']?refresh")
STUB_TEXT = 400  # characters; a page with more text is read, even if it redirects
INDEX = re.compile(r"(^|/)(index|default)\.(x?html?|php)$")


@dataclass(frozen=True)
class Crawled:
    """A source in crawl order."""

    source: Source

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages, each once."""
        pages = {page_key(raw.url): raw for raw in self.source.pages() if not is_stub(raw)}
        yield from breadth_first(pages)

    def count(self) -> int | None:
        """Return None: the number of pages is not known before stubs are left out."""
        return None

    def fetch(self, url: str) -> Resource | None:
        """Return a resource of the source."""
        return self.source.fetch(url)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some pages of a source, in a given order."""

    raws: dict[str, RawPage]  # by URL
    source: Source

    @classmethod
    def of(cls, pages: Iterable[RawPage], source: Source) -> Self:
        """Return a source of some pages in their order."""
        return cls({raw.url: raw for raw in pages}, source)

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages."""
        return iter(self.raws.values())

    def count(self) -> int:
        """Return the number of pages."""
        return len(self.raws)

    def fetch(self, url: str) -> Resource | None:
        """Return a resource of the source."""
        return self.source.fetch(url)


def page_key(url: str) -> str:
    """Return the path of a URL in one form; the host does not matter."""
    path = unquote(urlsplit(url).path)
    return INDEX.sub(r"\1", path).removesuffix(".html").strip("/")


def is_stub(raw: RawPage) -> bool:
    """Return whether a page only redirects to another one."""
    if not STUB.search(raw.body):
        return False
    return len(markup.text([markup.bare_parse(raw.body)])) < STUB_TEXT


def breadth_first(pages: Mapping[str, RawPage]) -> Iterator[RawPage]:
    """Yield pages breadth first from the start page, then the others."""
    seen = dict.fromkeys(pages, False)
    for start in sorted(pages, key=lambda name: name != ""):
        queue = deque([] if seen[start] else [start])
        seen[start] = True
        while queue:
            raw = pages[queue.popleft()]
            yield raw
            for name in linked_pages(raw):
                if name in seen and not seen[name]:
                    seen[name] = True
                    queue.append(name)


def linked_pages(raw: RawPage) -> list[str]:
    """List the pages that a page links to; none if it cannot be read."""
    try:
        return [page_key(url) for url in links(parse(raw))]
    except ParseError:
        return []


# Which pages of a site are measured.


@dataclass(frozen=True, slots=True)
class SiteSample:
    """Which pages of a site to take."""

    pages: int | None = None  # the first ones; None for all
    sample: int | None = None  # random ones of these; None for all
    seed: int = 0


def sampled(source: Source, wanted: SiteSample) -> list[RawPage]:
    """Return pages of a source, each once."""
    pages = map(with_storable_names, islice(source.pages(), wanted.pages))
    raws = list({raw.url: raw for raw in pages}.values())
    if wanted.sample is None or wanted.sample >= len(raws):
        return raws
    return random.Random(wanted.seed).sample(raws, wanted.sample)


# Pages with their outlines as bytes: a site of any size fits into memory, as it would not else.


@dataclass(frozen=True, slots=True)
class PackedPage:
    """A page as a store keeps it."""

    url: str
    digest: bytes  # of the page's bytes
    body: bytes  # the outline, 1 to 5 kB

    def unpacked(self) -> OutlinedPage:
        """Return the page as a model has it."""
        return OutlinedPage(self.url, decode_outline(self.body), self.digest)


def packed_page(page: OutlinedPage) -> PackedPage:
    """Return a page as a store keeps it."""
    return PackedPage(page.url, page.digest, encode_outline(page.outline))
