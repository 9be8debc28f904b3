"""The things that can be swapped, as protocols."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias, runtime_checkable

from webstencil.model import (
    Area,
    Item,
    Page,
    PageArea,
    PageResult,
    RawPage,
    Resource,
    Snapshot,
    Stencil,
)

if TYPE_CHECKING:
    from webstencil.site.site_model import SurveyedPage
    from webstencil.store.learned import BlobTable, TemplateTable, WitnessTable
    from webstencil.store.outlines import OutlineTable, SpoolTable
    from webstencil.store.results import ResultTable
    from webstencil.store.stencils import StencilTable
    from webstencil.store.usage import RunTable


class Resources(Protocol):
    """Answers for what a page needs to be rendered."""

    def fetch(self, url: str) -> Resource | None:
        """Return a resource, None if there is none."""


class Source(Resources, Protocol):
    """Where pages come from; it answers for those that name nobody else (`RawPage.resources`)."""

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages, in an order that is always the same."""

    def count(self) -> int | None:
        """Return the number of pages, None if it is not known beforehand."""


class Renderer(Protocol):
    """Paints a page. Holds a browser, so it is a context manager."""

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Render `page` with what `resources` has; raise a `RenderError` if that fails."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exc: object) -> None: ...


class Segmenter(Protocol):
    """Finds the visual areas of a rendered page. Its settings are its fields."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return the areas, parents before children."""


class Extractor(Protocol):
    """Takes pieces out of pages."""

    def items(self, page: Page, areas: Sequence[PageArea] = ()) -> tuple[Item, ...]:
        """Return the pieces of a page; `areas` are those found on it. The page stays as it is."""


@dataclass(frozen=True, slots=True)
class Done:
    """A processed page, as a store keeps it."""

    result: PageResult
    digest: bytes  # of what the result depends on
    learned: Stencil | None = None  # the stencil that was made of it
    why: str = ""  # it had to be learned; empty if it had not
    changed: bool = False  # it had a result before
    surveyed: "SurveyedPage | None" = None  # what it tells of its site, if that is to be kept
    waiting: RawPage | None = None  # itself, if it has to wait until its whole site is known
    settled: bool = False  # it has waited, and came before
    outdated: bool = False  # it is as it was, but more is known of its site
    body: bytes = field(default=b"", compare=False, repr=False)  # the result as stored, if encoded

    @property
    def url(self) -> str:
        """Return the URL of the page."""
        return self.result.url


@dataclass(frozen=True, slots=True)
class News:
    """What was learned of a site in paper mode."""

    stencils: tuple[Stencil, ...]  # that teach, oldest first
    version: int  # number of stencils of the site that were ever learned


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A page that is as it was when it was processed."""

    url: str
    digest: bytes = b""  # empty if its server says so


@dataclass(frozen=True, slots=True)
class Removed:
    """A page that is not there any more."""

    url: str


PageEvent: TypeAlias = Done | Unchanged | Removed  # what became of a page
Arrival: TypeAlias = RawPage | Unchanged | Removed | None  # None: nothing for the moment


@runtime_checkable
class LiveSource(Protocol):
    """A source that knows what became of pages, and wants to know which results are stored."""

    def arrivals(self) -> Iterator[Arrival]:
        """Yield pages, and the URLs of those that are unchanged or gone."""

    def settle(self, event: PageEvent) -> None:
        """Take note that the store has what became of a page."""


class Store(Protocol):
    """A store as `open_store` returns it: its tables, and what changes several of them.

    What a method has written survives the end of the process.
    """

    results: "ResultTable"
    stencils: "StencilTable"
    runs: "RunTable"
    blobs: "BlobTable"
    outlines: "OutlineTable"
    templates: "TemplateTable"
    spool: "SpoolTable"
    witnesses: "WitnessTable"

    def save(self, learner: str, pages: Sequence[Done], run: int = 0) -> None:
        """Save the results of pages, and the stencils learned from them, in one transaction.

        They replace what was saved for the same URLs and `learner`, and stencils with the same key,
        site and `learner`; an older stencil that was learned from one of these URLs stops teaching.
        No two of the pages have the same URL. `run` is the number of the run; if it is 0, the uses
        of stencils are not counted.
        """

    def close(self) -> None:
        """Close the store."""
