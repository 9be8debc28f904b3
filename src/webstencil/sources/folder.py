"""Pages from a folder: a mirror made by wget or HTTrack, or a static site's output."""

import mimetypes
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from webstencil.codec.compression import LARGEST, TooLarge, gunzipped
from webstencil.errors import SettingsError, SourceError
from webstencil.model import RawPage, Resource
from webstencil.sources.notes import Notes
from webstencil.sources.parts import WHOLE, SourcePart

PAGE_ENDINGS = frozenset({".html", ".htm", ".xhtml", ".shtml"})
PACKED = ".gz"  # a page that is kept compressed; its address is that of the page in it
SNIFFED = 1024  # bytes of a file without a telling name
LOOKS_LIKE_HTML = re.compile(rb"(?i)<!doctype html|<html|<head|<body")
HOST_NAME = re.compile(
    r"(?i)[a-z0-9-]+(\.[a-z0-9-]+)*\.(?!(php|html?|aspx?|jsp|cgi)$)[a-z]{2,}(:\d+)?"
)  # a folder "index.php" is a part of an address
WEB_ADDRESS = re.compile(r"(?i)https?://[^\s/?#]+(/[^\s?#]*)?")  # paths can follow it
UNESCAPED = "!$&'()*+,;=:@~"  # in a path, as browsers have it
STYLE_SHEET = re.compile(r"\.css\b")  # also "style.css@ver=5", as HTTrack and wget save it


class Folder:
    """The pages below a folder, in the order of their paths.

    A page's address is `base_url` and its path. Without `base_url`, a first folder that is named
    like a host (as mirrors have it) is the host, else the folder's own name is.
    """

    def __init__(self, path: str | Path, *, base_url: str | None = None) -> None:
        if not Path(path).is_dir():
            raise SourceError(f"{path} does not exist or is no folder; name a folder of pages")
        if base_url is not None and not WEB_ADDRESS.fullmatch(base_url):
            raise SettingsError(
                f"the address of a folder's top is like https://example.com/, not {base_url!r}"
            )
        self._folder = Path(path).resolve()
        self._base_url = base_url
        self.notes = Notes()

    def __repr__(self) -> str:
        return f"Folder({str(self._folder)!r})"

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages; one that cannot be read comes with its fault, a folder is noted."""
        return self.pages_of(WHOLE)

    def pages_of(self, part: SourcePart) -> Iterator[RawPage]:
        """Yield the pages of a part; files of others are not read."""
        self.notes.clear()
        for path in self._page_files(self._note):
            address = self.address(path)
            if part.has(address):
                yield read_page(address, path)

    def count(self) -> int:
        """Return the number of pages."""
        return sum(1 for _ in self._page_files())

    def address(self, path: Path) -> str:
        """Return the address of a file of the folder."""
        plain = path.with_suffix("") if is_packed_page(path) else path
        parts = plain.relative_to(self._folder).parts
        if self._base_url is not None:
            base = self._base_url.rstrip("/")
        elif len(parts) > 1 and HOST_NAME.fullmatch(parts[0]):
            base, parts = f"http://{parts[0]}", parts[1:]
        else:
            base = "http://" + (re.sub(r"[^a-z0-9.-]", "-", self._folder.name.lower()) or "folder")
        return base + "/" + "/".join(quote(os.fsencode(part), safe=UNESCAPED) for part in parts)

    def fetch(self, url: str) -> Resource | None:
        """Return the file behind an address; an address on another host means the same path here.

        Saved pages often name their own host, which the folder does not know.
        """
        for path in self._candidates(url):
            if is_file(path) and self._folder in path.resolve().parents:
                return resource_in(path)
        return None

    def _candidates(self, url: str) -> Iterator[Path]:
        parts = urlsplit(url)
        prefix = urlsplit(self._base_url).path.rstrip("/") if self._base_url else ""
        plain = unquote(parts.path).removeprefix(prefix).lstrip("/")
        queried = [f"{plain}?{unquote(parts.query)}", f"{plain}@{unquote(parts.query)}"]
        for name in [*queried, plain] if parts.query else [plain]:
            for start in (parts.netloc, ""):
                yield Path(os.path.normpath(self._folder / start / name))
                yield Path(os.path.normpath(self._folder / start / f"{name}.html"))
                yield Path(os.path.normpath(self._folder / start / name / "index.html"))

    def _note(self, error: OSError) -> None:
        self.notes.add(f"folder that cannot be read: {error.strerror}", str(error.filename))

    def _page_files(self, note: Callable[[OSError], None] | None = None) -> Iterator[Path]:
        for folder, folders, names in os.walk(self._folder, onerror=note):
            folders.sort()
            for name in sorted(names):
                path = Path(folder, name)
                if is_page(path) and not (is_packed_page(path) and name[: -len(PACKED)] in names):
                    yield path


def is_file(path: Path) -> bool:
    """Tell whether there is such a file; there is none whose name is too long for a file."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def resource_in(path: Path) -> Resource | None:
    """Return what a file has, None if it cannot be read."""
    try:
        return Resource(read_file(path), content_type(path))
    except (OSError, TooLarge):
        return None


def read_file(path: Path) -> bytes:
    """Read a file; raise `TooLarge` if that would take more memory than any page is worth."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > LARGEST:
            raise TooLarge(f"it is larger than {LARGEST:,} bytes")
        return file.read()


def read_page(url: str, path: Path) -> RawPage:
    """Read a page from a file, unpacked if it is gzip; what went wrong is its fault."""
    try:
        return RawPage(url, gunzipped(read_file(path)), origin=readable(path))
    except OSError as error:
        fault = error.strerror or str(error)
    except TooLarge as error:
        fault = str(error)
    return RawPage(url, b"", origin=readable(path), fault=fault)


def readable(path: Path) -> str:
    """Write a path as text, escaped where it is no UTF-8, as the names of old mirrors."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def is_packed_page(path: Path) -> bool:
    """Tell by its name whether a file is a compressed page."""
    name = path.name.lower()
    return name.endswith(PACKED) and Path(name.removesuffix(PACKED)).suffix in PAGE_ENDINGS


def is_page(path: Path) -> bool:
    """Tell by its name, or where that is silent by its first bytes, whether a file is a page."""
    ending = path.suffix.lower()
    if ending in PAGE_ENDINGS or is_packed_page(path):
        return not is_device(path)
    if mimetypes.guess_type(path.name)[0] is not None or STYLE_SHEET.search(path.name):
        return False
    if is_device(path):
        return False
    try:
        with path.open("rb") as file:
            return LOOKS_LIKE_HTML.search(file.read(SNIFFED)) is not None
    except OSError:
        return False


def is_device(path: Path) -> bool:
    """Tell whether a path is a pipe, a socket or the like, whose reading may never end."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False  # a link that leads nowhere is a page that cannot be read


def content_type(path: Path) -> str:
    """Return the media type of a file by its name."""
    if STYLE_SHEET.search(path.name):
        return "text/css"
    return mimetypes.guess_type(path.name)[0] or "application/octet-stream"
