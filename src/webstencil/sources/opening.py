"""Sources by name: folders, pages, WARC files, patterns, and lists of these."""

import glob
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webstencil.codec import TooLarge, beginning, gunzipped
from webstencil.errors import BrowserMissing, RenderError, SourceError
from webstencil.model import RawPage, Resource
from webstencil.protocols import Resources, Source
from webstencil.sources.file import UNKNOWN_URL, GivenPage, PageFile, is_markup, read_stdin
from webstencil.sources.folder import (
    GZIP_ENDING,
    HTML_START,
    STYLE_SHEET,
    Folder,
    is_page,
    read_file,
)
from webstencil.sources.parts import (
    WHOLE_SOURCE,
    Notes,
    Noting,
    Shrinking,
    SourcePart,
    page_of,
    pages_of,
)
from webstencil.sources.warc import WarcFile
from webstencil.sources.web import WebPage
from webstencil.urls import url_hash

# Several sources read as one.


REPEATED_PAGE = "page that came before"
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
        return self.pages_of(WHOLE_SOURCE)

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
                        self._own.add(REPEATED_PAGE, f"{page.url} in {page.origin}")
                        continue
                    seen.add(key)
                    yield self._as_it_is(replace(page, resources=resources))
            except SourceError as error:
                self._own.add("source that cannot be read", str(error))

    def page(self, url: str) -> RawPage | None:
        """Return the page with that URL of the first source that has it."""
        for source in self.sources:
            page = page_of(source, url)
            if page is not None:
                return self._as_it_is(replace(page, resources=SharedResources(self, source)))
        return None

    def gone(self, urls: Iterable[str]) -> Iterator[str]:
        """Yield those of some URLs that are of one of the sources, and not there any more."""
        known = list(urls)
        yield from dict.fromkeys(
            url for one in self.sources if isinstance(one, Shrinking) for url in one.gone(known)
        )

    def has_origin(self, origin: str) -> bool:
        """Return whether a page of that origin was one of the sources'."""
        return any(one.has_origin(origin) for one in self.sources if isinstance(one, Shrinking))

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


STDIN = "-"
WEB_SCHEMES = ("http://", "https://")
WARC_NAMES = (".warc", ".warc.gz", ".warc.zst")
LIST_NAMES = (".txt", ".lst", ".list", ".paths")  # the last as Common Crawl has it
SNIFFED_OF_FILE = 4096  # bytes of a file that show what it is
UNOPENED_SOURCE = "listed source that cannot be opened"


def open_source(name: str | Path, *, base_url: str | None = None) -> Source:
    """Open what the user names: a folder, an HTML file, a WARC file, a pattern, a list of these.

    A list is a file with one name per line, relative to its folder or to the working one; `-` reads
    a list from standard input. `base_url` is the root URL of a folder, or the URL of a page.
    """
    name, path = str(name), Path(name)
    if name == STDIN:
        return _listed(sys.stdin, Path(), base_url)
    if name.startswith(WEB_SCHEMES):
        raise SourceError(
            f"{name} is on the web; use `webstencil crawl` for a site, `segment` for one page"
        )
    if name and path.is_dir():  # an empty name is a mistake, not the working folder
        return Folder(path, base_url=base_url)
    if path.is_file():
        return _file(path, base_url)
    if glob.has_magic(name):
        return _matching(name, base_url)
    there = "is neither a file nor a folder" if name and path.exists() else "does not exist"
    raise SourceError(
        f"{name or repr(name)} {there}; name a folder, an HTML file, a WARC file or a list"
    )


def open_sources(
    names: Sequence[str | Path],
    *,
    base_url: str | None = None,
    through: Callable[[RawPage, Resources], RawPage] | None = None,
    beyond: Callable[[str], Resource | None] | None = None,
) -> Several:
    """Open all that the user names as one source; `through` and `beyond` as for `Several`."""
    base_url = base_url if len(names) == 1 else _folder_url(base_url)
    sources = [open_source(name, base_url=base_url) for name in names]
    return Several(sources, through=through, beyond=beyond)


def open_stdin(base_url: str | None = None) -> Source:
    """Open the page on standard input, with this URL; or the list of sources that is there."""
    body = read_stdin()
    if is_markup(body):
        return GivenPage(body, base_url or UNKNOWN_URL)
    return _listed(body.decode("utf-8", "replace").splitlines(), Path(), base_url)


def open_page(name: str | Path, *, base_url: str | None = None) -> Source:
    """Open the page that the user names by its URL or its file, or `-` for standard input.

    The URL of a file ends in its name alone: it tells nothing of this machine.
    """
    name = str(name)
    if name == STDIN:
        return GivenPage(read_stdin(), base_url or UNKNOWN_URL)
    if name.startswith(WEB_SCHEMES):
        return WebPage(name)
    if Path(name).is_dir():
        raise SourceError(f"{name} is a folder; name one page of it, or use `webstencil run`")
    if not Path(name).exists():
        raise SourceError(f"{name} does not exist; name an HTML file, or a URL with https://")
    return PageFile(name, base_url=base_url or UNKNOWN_URL)


def is_warc(path: Path) -> bool:
    """Return whether a file is a WARC file, by its name or its first bytes."""
    start = _start(path)
    plain = (start, *[beginning(start, coding, SNIFFED_OF_FILE) for coding in ("gzip", "zstd")])
    named = path.name.lower().endswith(WARC_NAMES)
    return named or any(begin.startswith(b"WARC/") for begin in plain)


def is_list_file(path: Path) -> bool:
    """Return whether a file is a list: by its name, and since it is no page."""
    named = path.name.lower().removesuffix(GZIP_ENDING).endswith(LIST_NAMES)
    return named and not HTML_START.search(_start(path))


def is_page_file(path: Path) -> bool:
    """Return whether a file is opened as a single page."""
    return path.is_file() and not is_warc(path) and not is_list_file(path)


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(SNIFFED_OF_FILE)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error


def _file(path: Path, base_url: str | None) -> Source:
    if is_page_file(path):
        return PageFile(path, base_url=base_url)
    if is_warc(path):
        return WarcFile(path)
    try:
        lines = gunzipped(read_file(path)).decode("utf-8", "replace").splitlines()
    except (OSError, TooLarge) as error:
        raise SourceError(f"{path} cannot be read: {error}") from error
    return _listed(lines, path.parent, base_url)


def _matching(pattern: str, base_url: str | None) -> Source:
    """Open the pages, WARC files and folders that a pattern matches; ignore other files."""
    names = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - Path.glob is relative
    folders = "**" not in pattern  # which also matches what is in them
    kept = [path for path in map(Path, names) if _is_source(path, folders)]
    if not kept:
        raise SourceError(f"no page and no WARC file matches {pattern}; check it for typing errors")
    base_url = _folder_url(base_url)
    return Several([open_source(str(path), base_url=base_url) for path in kept])


def _folder_url(base_url: str | None) -> str | None:
    """Return the URL of a folder that several pages are in: each adds its name."""
    return base_url if base_url is None or base_url.endswith("/") else f"{base_url}/"


def _is_source(path: Path, folders: bool) -> bool:
    if path.is_dir():
        return folders
    return path.is_file() and (is_page(path) or is_warc(path))


def _listed(lines: Iterable[str], folder: Path, base_url: str | None) -> Source:
    """Open what a list names; what cannot be opened gives a warning, the rest is read."""
    base_url = _folder_url(base_url)
    sources, notes = [], []
    for name in filter(None, map(str.strip, lines)):
        beside = folder / name
        try:
            if name == STDIN or (beside.is_file() and not is_warc(beside) and is_list_file(beside)):
                raise SourceError(f"{name} is a list in a list; put its lines in the first one")
            there = str(beside) if beside.exists() else name
            sources.append(open_source(there, base_url=base_url))
        except (SourceError, OSError) as error:  # a line may be too long for a file name
            notes.append((UNOPENED_SOURCE, str(error)))
    if not sources:
        why = notes[0][1] if notes else "it is empty"
        raise SourceError(f"nothing in the list can be opened: {why}")
    return Several(sources, notes)
