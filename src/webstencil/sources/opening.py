"""Sources by name: folders, pages, WARC files, patterns, and lists of these."""

import glob
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from webstencil.codec.compression import TooLarge, beginning, gunzipped
from webstencil.errors import SourceError
from webstencil.model import RawPage, Resource
from webstencil.protocols import Resources, Source
from webstencil.sources.file import PageFile
from webstencil.sources.folder import LOOKS_LIKE_HTML, PACKED, Folder, is_page, read_file
from webstencil.sources.given import NOWHERE, GivenPage, is_markup, read_stdin
from webstencil.sources.several import Several
from webstencil.sources.warc import WarcFile
from webstencil.sources.web import WebPage

STDIN = "-"
WEB = ("http://", "https://")
WARC_NAMES = (".warc", ".warc.gz", ".warc.zst")
LIST_NAMES = (".txt", ".lst", ".list", ".paths")  # the last as Common Crawl has it
SNIFFED = 4096  # bytes of a file that show what it is
MISSING = "listed source that cannot be opened"


def open_source(name: str | Path, *, base_url: str | None = None) -> Source:
    """Open what the user names: a folder, an HTML file, a WARC file, a pattern, a list of these.

    A list is a file with one name per line, relative to its folder or to the working one; `-` reads
    a list from standard input. `base_url` is the root URL of a folder, or the URL of a page.
    """
    name, path = str(name), Path(name)
    if name == STDIN:
        return _listed(sys.stdin, Path(), base_url)
    if name.startswith(WEB):
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
        return GivenPage(body, base_url or NOWHERE)
    return _listed(body.decode("utf-8", "replace").splitlines(), Path(), base_url)


def open_page(name: str | Path) -> Source:
    """Open the page that the user names by its URL or its file."""
    name = str(name)
    if name.startswith(WEB):
        return WebPage(name)
    if Path(name).is_dir():
        raise SourceError(f"{name} is a folder; name one page of it, or use `webstencil run`")
    if not Path(name).exists():
        raise SourceError(f"{name} does not exist; name an HTML file, or a URL with https://")
    return PageFile(name)


def is_warc(path: Path) -> bool:
    """Return whether a file is a WARC file, by its name or its first bytes."""
    start = _start(path)
    plain = (start, *[beginning(start, coding, SNIFFED) for coding in ("gzip", "zstd")])
    named = path.name.lower().endswith(WARC_NAMES)
    return named or any(begin.startswith(b"WARC/") for begin in plain)


def is_list(path: Path) -> bool:
    """Return whether a file is a list: by its name, and since it is no page."""
    named = path.name.lower().removesuffix(PACKED).endswith(LIST_NAMES)
    return named and not LOOKS_LIKE_HTML.search(_start(path))


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(SNIFFED)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error


def _file(path: Path, base_url: str | None) -> Source:
    if is_warc(path):
        return WarcFile(path)
    if not is_list(path):
        return PageFile(path, base_url=base_url)
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
            if name == STDIN or (beside.is_file() and not is_warc(beside) and is_list(beside)):
                raise SourceError(f"{name} is a list in a list; put its lines in the first one")
            there = str(beside) if beside.exists() else name
            sources.append(open_source(there, base_url=base_url))
        except (SourceError, OSError) as error:  # a line may be too long for a file name
            notes.append((MISSING, str(error)))
    if not sources:
        why = notes[0][1] if notes else "it is empty"
        raise SourceError(f"nothing in the list can be opened: {why}")
    return Several(sources, notes)
