"""Parts of a source: which of its pages each of several workers takes.

A page belongs to a part by a hash of its address. So no list has to be handed around, all pages
with an address belong to the same part, and a worker that starts again has the same pages to do.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from webstencil.model import RawPage, Resource
from webstencil.protocols import Source
from webstencil.urls import site_of, url_hash


@dataclass(frozen=True, slots=True)
class SourcePart:
    """One of several parts of equal size."""

    number: int = 0  # 0 .. of - 1
    of: int = 1
    whole_sites: bool = False  # all pages of a site are in one part

    def has(self, url: str) -> bool:
        """Return whether a page is in this part."""
        return self.of == 1 or self.takes(url_hash(site_of(url) if self.whole_sites else url))

    def takes(self, hashed: bytes) -> bool:
        """Return whether a page with that hash of its URL is in this part."""
        return int.from_bytes(hashed) % self.of == self.number


WHOLE_SOURCE = SourcePart()


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


@runtime_checkable
class Searchable(Protocol):
    """A source that has a page without all others being read."""

    def page(self, url: str) -> RawPage | None:
        """Return the page with that URL, None if there is none."""


@runtime_checkable
class Shrinking(Protocol):
    """A source that knows which of its former pages are gone."""

    def gone(self, urls: Iterable[str]) -> Iterator[str]:
        """Yield those of some URLs that are of this source, which has no such page any more."""

    def has_origin(self, origin: str) -> bool:
        """Return whether a page of that origin was one of this source."""


def page_of(source: Source, url: str) -> RawPage | None:
    """Return the page of a source with that URL, None if there is none."""
    if isinstance(source, Searchable):
        return source.page(url)
    return next((page for page in source.pages() if page.url == url), None)


def pages_named(source: Source, urls: Collection[str]) -> Iterator[RawPage]:
    """Yield the pages with some URLs; of a source that can only be read, all pages."""
    if not isinstance(source, Searchable):
        yield from source.pages()
        return
    yield from filter(None, map(source.page, sorted(urls)))


@dataclass(frozen=True, slots=True)
class PartOf:
    """A part of a source, as a source."""

    source: Source
    part: SourcePart
    but: frozenset[str] = frozenset()  # addresses of pages that are left out

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages of the part."""
        return (page for page in pages_of(self.source, self.part) if page.url not in self.but)

    def page(self, url: str) -> RawPage | None:
        """Return a page of the part."""
        ours = self.part.has(url) and url not in self.but
        return page_of(self.source, url) if ours else None

    def count(self) -> None:
        """Return None: all pages would have to be looked at."""

    def fetch(self, url: str) -> Resource | None:
        """Return what the source has."""
        return self.source.fetch(url)


@dataclass(frozen=True, slots=True)
class Note:
    """A kind of warning (damage, what was left out): how often it came, and where first."""

    kind: str
    count: int
    first: str


class Notes:
    """Warnings, counted by kind."""

    def __init__(self) -> None:
        self._met: dict[str, Note] = {}

    def add(self, kind: str, where: str, count: int = 1) -> None:
        """Add a warning; the first location of each kind is kept."""
        known = self._met.get(kind, Note(kind, 0, where))
        self._met[kind] = Note(kind, known.count + count, known.first)

    def clear(self) -> None:
        """Remove all warnings."""
        self._met.clear()

    def all(self) -> tuple[Note, ...]:
        """Return the warnings, the most frequent first."""
        return tuple(sorted(self._met.values(), key=lambda note: (-note.count, note.kind)))


@runtime_checkable
class Noting(Protocol):
    """A source that collects warnings while it is read."""

    @property
    def notes(self) -> Notes:
        """Return the warnings of the last reading."""
