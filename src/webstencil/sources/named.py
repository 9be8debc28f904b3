"""Sources as people name them: folders, pages, WARC files, patterns, lists of all these."""

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
from webstencil.sources.several import Several
from webstencil.sources.warc import WarcFile
from webstencil.sources.web import WebPage

STDIN = "-"
WEB = ("http://", "https://")
WARC_NAMES = (".warc", ".warc.gz", ".warc.zst")
LIST_NAMES = (".txt", ".lst", ".list", ".paths")  # the last as Common Crawl has it
SNIFFED = 4096  # bytes of a file, looked at to tell what it is
MISSING = "listed source that cannot be opened"


def open_source(name: str | Path, *, base_url: str | None = None) -> Source:
    """Open what a person names: a folder, an HTML file, a WARC file, a pattern, a list of these.

    A list is a file with a name a line, its folder or the working one is where they start; `-` is
    a list that comes from standard input. `base_url` is the address of a folder's top.
    """
    name, path = str(name), Path(name)
    if name == STDIN:
        return _listed(sys.stdin, Path(), base_url)
    if name.startswith(WEB):
        raise SourceError(
            f"{name} is on the web: `webstencil crawl` takes sites, `webstencil segment` one page"
        )
    if name and path.is_dir():  # a name that is empty is a mistake, not this folder
        return Folder(path, base_url=base_url)
    if path.is_file():
        return _file(path, base_url)
    if glob.has_magic(name):
        return _matching(name, base_url)
    there = "is no file and no folder" if name and path.exists() else "does not exist"
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
    """Open all that a person names as one source; `through` and `beyond` as of `Several`."""
    sources = [open_source(name, base_url=base_url) for name in names]
    return Several(sources, through=through, beyond=beyond)


def open_page(name: str | Path) -> Source:
    """Open the one page that a person names by its address or its file."""
    name = str(name)
    if name.startswith(WEB):
        return WebPage(name)
    if Path(name).is_dir():
        raise SourceError(
            f"{name} is a folder; name one page of it, or give it to `webstencil run`"
        )
    if not Path(name).exists():
        raise SourceError(f"{name} does not exist; name an HTML file, or an address with https://")
    return PageFile(name)


def is_warc(path: Path) -> bool:
    """Tell by its first bytes, or if they are none of a WARC by its name, what a file is."""
    start = _start(path)
    plain = (start, *[beginning(start, coding, SNIFFED) for coding in ("gzip", "zstd")])
    named = path.name.lower().endswith(WARC_NAMES)
    return named or any(begin.startswith(b"WARC/") for begin in plain)


def is_list(path: Path) -> bool:
    """Tell by its name, and that it is no page, whether a file is a list."""
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
        return PageFile(path)
    try:
        lines = gunzipped(read_file(path)).decode("utf-8", "replace").splitlines()
    except (OSError, TooLarge) as error:
        raise SourceError(f"{path} cannot be read: {error}") from error
    return _listed(lines, path.parent, base_url)


def _matching(pattern: str, base_url: str | None) -> Source:
    """Open the pages, WARC files and folders that a pattern matches; leave out other files."""
    names = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - Path.glob is relative
    folders = "**" not in pattern  # which matches what is in them, too
    kept = [path for path in map(Path, names) if _is_source(path, folders)]
    if not kept:
        raise SourceError(f"no page and no WARC file matches {pattern}; is there a typing error?")
    return Several([open_source(str(path), base_url=base_url) for path in kept])


def _is_source(path: Path, folders: bool) -> bool:
    if path.is_dir():
        return folders
    return path.is_file() and (is_page(path) or is_warc(path))


def _listed(lines: Iterable[str], folder: Path, base_url: str | None) -> Source:
    """Open what a list names; what cannot be opened is noted, and the rest is read."""
    sources, notes = [], []
    for name in filter(None, map(str.strip, lines)):
        beside = folder / name
        try:
            if name == STDIN or (beside.is_file() and not is_warc(beside) and is_list(beside)):
                raise SourceError(f"{name} is a list in a list; name what it has")
            there = str(beside) if beside.exists() else name
            sources.append(open_source(there, base_url=base_url))
        except (SourceError, OSError) as error:  # a line may be too long for a file's name
            notes.append((MISSING, str(error)))
    if not sources:
        why = notes[0][1] if notes else "it is empty"
        raise SourceError(f"nothing of the list can be opened: {why}")
    return Several(sources, notes)
