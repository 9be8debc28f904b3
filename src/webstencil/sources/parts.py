"""Parts of a source: which of its pages each of several workers takes.

A page belongs to a part by a hash of its address. So no list has to be handed around, all pages
with an address belong to the same part, and a worker that starts again has the same pages to do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from webstencil.model import RawPage, Resource
from webstencil.protocols import Source
from webstencil.urls import url_hash


@dataclass(frozen=True, slots=True)
class SourcePart:
    """One of several parts of equal size."""

    number: int = 0  # 0 .. of - 1
    of: int = 1

    def has(self, url: str) -> bool:
        """Return whether a page is in this part."""
        return self.of == 1 or self.takes(url_hash(url))

    def takes(self, hashed: bytes) -> bool:
        """Return whether a page with that hash of its URL is in this part."""
        return int.from_bytes(hashed) % self.of == self.number


WHOLE = SourcePart()


@runtime_checkable
class Divisible(Protocol):
    """A source that can leave pages out without reading them."""

    def pages_of(self, part: SourcePart) -> Iterator[RawPage]:
        """Yield the pages of a part, in the order of all pages."""


def pages_of(source: Source, part: SourcePart) -> Iterator[RawPage]:
    """Yield the pages of a part of a source."""
    if isinstance(source, Divisible):
        return source.pages_of(part)
    return (page for page in source.pages() if part.has(page.url))


@dataclass(frozen=True, slots=True)
class PartOf:
    """A part of a source, as a source."""

    source: Source
    part: SourcePart
    but: frozenset[str] = frozenset()  # addresses of pages that are left out

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages of the part."""
        return (page for page in pages_of(self.source, self.part) if page.url not in self.but)

    def count(self) -> None:
        """Return None: all pages would have to be looked at."""

    def fetch(self, url: str) -> Resource | None:
        """Return what the source has."""
        return self.source.fetch(url)
