"""The things that can be swapped, as protocols."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, Self, TypeAlias, runtime_checkable

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
    """Finds the visual areas of a painted page. Its settings are its fields."""

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return the areas, parents before children."""


class Extractor(Protocol):
    """Takes pieces out of pages; may learn from each page for those after it."""

    def items(self, page: Page, areas: Sequence[PageArea] = ()) -> tuple[Item, ...]:
        """Return the pieces of a page; `areas` are those found on it. The page stays as it is."""

    def save(self) -> None:
        """Keep what was learned from the pages so far."""


@dataclass(frozen=True, slots=True)
class Done:
    """A page that was processed, and what a store keeps of that."""

    result: PageResult
    digest: bytes  # of what the result depends on
    learned: Stencil | None = None  # the stencil that was made of it
    why: str = ""  # it had to be learned; empty if it had not
    changed: bool = False  # it had a result before

    @property
    def url(self) -> str:
        """Return the URL of the page."""
        return self.result.url


@dataclass(frozen=True, slots=True)
class News:
    """What was learned of a site since somebody last looked."""

    stencils: tuple[Stencil, ...]  # oldest first
    version: int  # stencils of the site that were ever learned
    newest: int  # number of the newest stencil, after which there is no news yet


@dataclass(frozen=True, slots=True)
class ClaimReply:
    """The answer to who wants to learn from a site."""

    mine: bool  # nobody else learns from it until it is given back
    news: News  # if there are stencils in it, they may teach all that is needed


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A page that is as it was when it was done."""

    url: str
    digest: bytes = b""  # empty if its server says so


@dataclass(frozen=True, slots=True)
class Removed:
    """A page that is not there any more."""

    url: str


Arrival: TypeAlias = RawPage | Unchanged | Removed | None  # None: nothing for the moment


@runtime_checkable
class LiveSource(Protocol):
    """A source that knows what became of pages, and wants to know which results are stored."""

    def arrivals(self) -> Iterator[Arrival]:
        """Yield pages, and the URLs of those that are unchanged or gone."""

    def settle(self, event: "Done | Unchanged | Removed") -> None:
        """Take note that the store has what became of a page."""


class StencilStore(Protocol):
    """Keeps stencils and results. What a method has written survives the end of the process."""

    def stencils(self, site: str, made_by: str) -> tuple[Stencil, ...]:
        """Return the stencils of a site that this segmenter made and that teach, oldest first."""

    def results(self, made_by: str) -> Iterator[PageResult]:
        """Yield the results of the pages done, in the order in which they were done."""

    def done(self, made_by: str) -> dict[str, bytes]:
        """Return, for each page that has areas and may keep them, its URL and body's digest."""

    def save(self, made_by: str, pages: Sequence[Done], run: int = 0) -> None:
        """Keep the results of pages, and the stencils learned from them, in one step.

        No two of the pages have the same URL. `run` is the number of the run that did them; if it
        is 0, the uses of stencils are not counted. Sites that were claimed to learn these stencils
        are given back.
        """

    def begin(self, made_by: str, when: datetime) -> int:
        """Note that a run begins; return its number."""

    def end(self, run: int, met: Container[str], after: int) -> tuple[str, ...]:
        """Note that a run came to its end; return the stencils that it retired.

        `met` are the addresses of unchanged pages. A stencil is retired if `after` or more pages
        of its site were done in runs that did not use it, and others were learned.
        """

    def versions(self, made_by: str) -> dict[str, int]:
        """Return, for each page that hit, the version that it was made with."""

    def news(self, site: str, made_by: str, after: int = 0, known: Container[str] = ()) -> News:
        """Return what was learned of a site after the stencil with that number.

        Stencils whose keys are `known` are left out.
        """

    def claim(
        self, site: str, made_by: str, after: int = 0, known: Container[str] = ()
    ) -> ClaimReply:
        """Ask to be the one who learns from a site; first comes what others have learned."""

    def give_back(self, site: str, made_by: str) -> None:
        """Let others learn from a site of which nothing was learned."""

    def redo(self, made_by: str) -> int:
        """Let all pages be processed again; return how many. Their results stay until then."""

    def remove(self, made_by: str, url: str) -> None:
        """Remove the result of a page that is gone."""

    def kept(self, made_by: str, name: str) -> bytes | None:
        """Return the bytes kept under a name, None if there are none."""

    def keep(self, made_by: str, name: str, body: bytes) -> None:
        """Keep bytes under a name, in place of others."""

    def close(self) -> None:
        """Give the database back."""
