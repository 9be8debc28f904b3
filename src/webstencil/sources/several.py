"""Several sources read as one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from webstencil.errors import BrowserMissing, RenderError, SourceError
from webstencil.model import RawPage, Resource
from webstencil.protocols import Resources, Source
from webstencil.sources.folder import STYLE_SHEET
from webstencil.sources.notes import Notes, Noting
from webstencil.sources.parts import WHOLE, SourcePart, pages_of
from webstencil.sources.warc import WarcFile
from webstencil.urls import url_hash

REPEATED = "page that came before"
NOT_RUN = "page whose scripts do not end: taken as it came"
NO_STYLE = "missing style sheet: pages are rendered without it"
LOOKED_THROUGH = 2_000_000_000  # bytes of WARC files in all; about 20 s for looking through them


class Several:
    """The pages of sources, one source after the other; an address that comes again is left out.

    A page is rendered with what its own source has, else with what another one has: a crawl
    may be in several WARC files. Files that are too large to be looked through beforehand are
    asked only for the pages in them, and their pages are not counted.
    """

    def __init__(
        self,
        sources: Sequence[Source],
        notes: Iterable[tuple[str, str]] = (),
        *,
        through: Callable[[RawPage, Resources], RawPage] | None = None,
        beyond: Callable[[str], Resource | None] | None = None,
    ) -> None:
        """Read `sources`; `notes` are the kinds and places of what could not be opened.

        Pages go `through` something first, such as a `ScriptRunner`; what no source has is looked
        for `beyond` them, as by `Kept.fetch`.
        """
        parts: list[Source] = []
        given = list(notes)
        for source in sources:
            parts += source.sources if isinstance(source, Several) else (source,)
            given += source.given if isinstance(source, Several) else ()
        self.sources: tuple[Source, ...] = tuple(parts)
        self.given: tuple[tuple[str, str], ...] = tuple(given)
        self._through = through
        self._beyond = beyond
        self._own = Notes()
        self.repeated = 0  # pages left out so far, in this reading
        self.missing: set[str] = set()  # addresses of style sheets that were noted
        warcs = [source for source in self.sources if isinstance(source, WarcFile)]
        self._small = sum(warc.size for warc in warcs) <= LOOKED_THROUGH

    def __repr__(self) -> str:
        return f"Several({list(self.sources)!r})"

    @property
    def read_once(self) -> bool:
        """Return whether a second reading would cost much: scripts, or requests to the web."""
        costly = [getattr(source, "read_once", False) for source in self.sources]
        return self._through is not None or any(costly)

    @property
    def notes(self) -> Notes:
        """Return what was met in all sources."""
        notes = Notes()
        for kind, where in self.given:
            notes.add(kind, where)
        for part in (self._own, *[s.notes for s in self.sources if isinstance(s, Noting)]):
            for note in part.all():
                notes.add(note.kind, note.first, note.count)
        return notes

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages; a source that cannot be read is noted."""
        return self.pages_of(WHOLE)

    def pages_of(self, part: SourcePart) -> Iterator[RawPage]:
        """Yield the pages of a part."""
        self._own.clear()
        self.missing.clear()
        self.repeated = 0
        seen: set[bytes] = set()  # hashes of 8 bytes: addresses would take three times the memory
        for source in self.sources:
            resources = SharedResources(self, source)
            try:
                for page in pages_of(source, part):
                    key = url_hash(page.url)
                    if key in seen:
                        self.repeated += 1
                        self._own.add(REPEATED, f"{page.url} in {page.origin}")
                        continue
                    seen.add(key)
                    yield self._as_it_is(replace(page, resources=resources))
            except SourceError as error:
                self._own.add("source that cannot be read", str(error))

    def _as_it_is(self, page: RawPage) -> RawPage:
        """Return a page as it is to be read."""
        if self._through is None or page.resources is None:
            return page
        try:
            return self._through(page, page.resources)
        except BrowserMissing:
            raise
        except RenderError as error:
            self._own.add(NOT_RUN, f"{page.url}: {error}")
            return page

    def count(self) -> int | None:
        """Return the number of pages, those that come again included; None if it is not known."""
        if not self._small:
            return None
        counts = [source.count() for source in self.sources]
        return None if None in counts else sum(count or 0 for count in counts)

    def fetch(self, url: str) -> Resource | None:
        """Return a resource of any of the sources."""
        return self.fetch_for(None, url)

    def fetch_for(self, own: Source | None, url: str) -> Resource | None:
        """Return a resource from a page's own source, else from another one."""
        others = self.sources if self._small else ()
        for source in (own, *others):
            resource = source.fetch(url) if source is not None else None
            if resource is not None:
                return resource
        if self._beyond is not None and (found := self._beyond(url)) is not None:
            return found
        address = url.partition("://")[2]  # renderings ask for http and https
        if STYLE_SHEET.search(url) and address not in self.missing:
            self.missing.add(address)
            self._own.add(NO_STYLE, url)
        return None


@dataclass(frozen=True, slots=True)
class SharedResources:
    """Answers for the pages of one of several sources: the page's own source first."""

    all: Several
    own: Source

    def fetch(self, url: str) -> Resource | None:
        """Return a resource from the page's own source, else from another one."""
        return self.all.fetch_for(self.own, url)
