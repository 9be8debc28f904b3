"""Some pages of a site: in a given order, at random, or as a store keeps them."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Self

from webstencil.jobs.survey import with_storable_names
from webstencil.model import RawPage, Resource
from webstencil.protocols import Source
from webstencil.site.outline import OutlinedPage
from webstencil.site.site_model import decode_outline, encode_outline


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
