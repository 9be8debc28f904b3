"""The pages of a source in crawl order.

Crawl order is breadth first from the start page over the links between the source's own pages;
pages that no link leads to come last, in the source's order. Pages that only redirect to another
one are left out: a crawler follows them.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from webstencil import markup
from webstencil.errors import ParseError
from webstencil.markup.parse import links, parse
from webstencil.model import RawPage, Resource
from webstencil.protocols import Source

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
