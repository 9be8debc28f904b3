"""Pages from a folder: a mirror made by wget or HTTrack, or a static site's output."""

import mimetypes
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from webstencil.codec import LARGEST_BODY, TooLarge, gunzipped
from webstencil.errors import SettingsError, SourceError
from webstencil.model import RawPage, Resource
from webstencil.sources.parts import WHOLE_SOURCE, Notes, SourcePart
from webstencil.urls import made_up_host, named_host

PAGE_ENDINGS = frozenset({".html", ".htm", ".xhtml", ".shtml"})
GZIP_ENDING = ".gz"  # ending of a compressed page; its URL is that of the page in it
SNIFFED_OF_PAGE = 1024  # bytes of a file whose name does not say what it is
HTML_START = re.compile(rb"(?i)<!doctype html|<html|<head|<body")
HTTRACK = ("hts-cache", "hts-log.txt")  # HTTrack writes them to the top of a mirror
WEB_URL = re.compile(r"(?i)https?://[^\s/?#]+(/[^\s?#]*)?")  # paths can follow it
UNESCAPED = "!$&'()*+,;=:@~"  # in a path, as browsers have it
STYLE_SHEET = re.compile(r"\.css\b")  # also "style.css@ver=5", as HTTrack and wget save it


class Folder:
    """The pages below a folder, in the order of their paths.

    A page's URL is that of the folder and the page's path. The URL of the folder is `base_url`;
    without it, the folder's name gives the host (`mirror/example.com/`), or a made-up one (see
    `webstencil.urls`). Folders directly in it may be hosts of their own: see `host_folders`.
    """

    def __init__(self, path: str | Path, *, base_url: str | None = None) -> None:
        if not Path(path).is_dir():
            raise SourceError(f"{path} does not exist or is no folder; name a folder of pages")
        if base_url is not None and not WEB_URL.fullmatch(base_url):
            raise SettingsError(
                f"the root URL of a folder must be like https://example.com/, not {base_url!r}"
            )
        self._folder = Path(path).resolve()
        name = self._folder.name
        own = f"http://{named_host(name.lower()) or made_up_host(name)}"
        self._base_url = own if base_url is None else base_url.rstrip("/")
        self._hosts = host_folders(self._folder) if base_url is None else {}
        self.notes = Notes()

    def __repr__(self) -> str:
        return f"Folder({str(self._folder)!r})"

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages; a page that cannot be read has a fault, a folder gives a warning."""
        return self.pages_of(WHOLE_SOURCE)

    def pages_of(self, part: SourcePart) -> Iterator[RawPage]:
        """Yield the pages of a part; files of others are not read."""
        self.notes.clear()
        for path in self._page_files(self._note):
            url = self.address(path)
            if part.has(url):
                yield read_page_file(url, path)

    def page(self, url: str) -> RawPage | None:
        """Return the page with that URL."""
        for path in self._paths_of(url):
            if is_file(path) and self.address(path) == url:
                return read_page_file(url, path)
        return None

    def gone(self, urls: Iterable[str]) -> Iterator[str]:
        """Yield those of some URLs that are of this folder, and have no file any more.

        A folder that cannot be read hides its files, and one without any page may be a disk that
        is not there: they are not gone.
        """
        if next(self._page_files(), None) is None:
            return
        for url in urls:
            paths = self._paths_of(url)
            if paths and all(map(is_missing, paths)):
                yield url

    def has_origin(self, origin: str) -> bool:
        """Return whether a page of that origin was a file of this folder."""
        return origin.startswith(f"{readable_path(self._folder)}/")

    def _paths_of(self, url: str) -> tuple[Path, ...]:
        """Return the files that a page with that URL may be; none if it is not of this folder."""
        named = {f"http://{host}/": self._folder / name for name, host in self._hosts.items()}
        for base, top in (*named.items(), (self._base_url + "/", self._folder)):
            if url.startswith(base):
                path = top / as_path(url.removeprefix(base))
                return path, path.with_name(path.name + GZIP_ENDING)
        return ()

    def count(self) -> int:
        """Return the number of pages."""
        return sum(1 for _ in self._page_files())

    def address(self, path: Path) -> str:
        """Return the URL of a file of the folder."""
        plain = path.with_suffix("") if is_packed_page(path) else path
        parts = plain.relative_to(self._folder).parts
        base = self._base_url
        if parts[0] in self._hosts:
            base, parts = f"http://{self._hosts[parts[0]]}", parts[1:]
        return base + "/" + "/".join(quote(os.fsencode(part), safe=UNESCAPED) for part in parts)

    def fetch(self, url: str) -> Resource | None:
        """Return the file of a URL; a URL on another host means the same path here.

        Saved pages often name their own host, which the folder does not know.
        """
        for path in self._files(url):
            if is_file(path) and self._folder in path.resolve().parents:
                return resource_in(path)
        return None

    def _files(self, url: str) -> Iterator[Path]:
        """Yield the paths that a URL can mean: first the file with that `address`."""
        parts = urlsplit(url)
        path, query, prefix = map(as_path, (parts.path, parts.query, urlsplit(self._base_url).path))
        plain = path.removeprefix(prefix).lstrip("/")
        hosts = [name for name, host in self._hosts.items() if host.lower() == parts.netloc.lower()]
        for name in (f"{plain}?{query}", f"{plain}@{query}", plain) if query else (plain,):
            for top in (*hosts, ""):
                yield Path(os.path.normpath(self._folder / top / name))
                yield Path(os.path.normpath(self._folder / top / f"{name}.html"))
                yield Path(os.path.normpath(self._folder / top / name / "index.html"))

    def _note(self, error: OSError) -> None:
        self.notes.add(f"folder that cannot be read: {error.strerror}", str(error.filename))

    def _page_files(self, note: Callable[[OSError], None] | None = None) -> Iterator[Path]:
        for folder, folders, names in os.walk(self._folder, onerror=note):
            folders.sort()
            for name in sorted(names):
                path = Path(folder, name)
                if is_page(path) and not (
                    is_packed_page(path) and name[: -len(GZIP_ENDING)] in names
                ):
                    yield path


def host_folders(top: Path) -> dict[str, str]:
    """Return the folders in `top` that each have the pages of one host, with their hosts.

    A mirror is a folder of such folders; a site can have folders that are only named like hosts,
    as `docs.rs/`. So a folder is a host's if its name is a host (`webstencil.urls.named_host`) and
    `top` is that of a mirror: it has no page of its own, since wget writes all pages below hosts;
    or HTTrack wrote it, whose index page lies there; or it has several folders, all named like
    hosts. Deeper folders are never hosts.
    """
    try:
        entries = sorted(top.iterdir())
    except OSError:
        return {}
    folders = [entry.name for entry in entries if entry.is_dir()]
    hosts = {name: host for name in folders if (host := named_host(name)) is not None}
    only_hosts = len(hosts) == len(folders) > 1
    by_httrack = any((top / name).exists() for name in HTTRACK)
    is_mirror = hosts and (only_hosts or by_httrack or not any(map(is_page, entries)))
    return hosts if is_mirror else {}


def is_missing(path: Path) -> bool:
    """Return whether there is surely no such file."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def as_path(part: str) -> str:
    """Undo the escapes of a part of a URL, also of bytes that are no UTF-8."""
    return unquote(part, errors="surrogateescape")


def is_file(path: Path) -> bool:
    """Return whether a path is a file; one that is too long for a file is not."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def resource_in(path: Path) -> Resource | None:
    """Return a file as a resource, None if it cannot be read."""
    try:
        return Resource(read_file(path), content_type(path))
    except (OSError, TooLarge):
        return None


def read_file(path: Path) -> bytes:
    """Read a file; raise `TooLarge` if it is larger than any page should be."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > LARGEST_BODY:
            raise TooLarge(f"it is larger than {LARGEST_BODY:,} bytes")
        return file.read()


def read_page_file(url: str, path: Path) -> RawPage:
    """Read a page from a file, decompressed if it is gzip; `fault` says what went wrong."""
    try:
        return RawPage(url, gunzipped(read_file(path)), origin=readable_path(path))
    except OSError as error:
        fault = error.strerror or str(error)
    except TooLarge as error:
        fault = str(error)
    return RawPage(url, b"", origin=readable_path(path), fault=fault)


def readable_path(path: Path) -> str:
    """Return a path as text, escaped where it is not UTF-8, as in old mirrors."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def is_packed_page(path: Path) -> bool:
    """Return whether a file is a compressed page, by its name."""
    name = path.name.lower()
    return (
        name.endswith(GZIP_ENDING) and Path(name.removesuffix(GZIP_ENDING)).suffix in PAGE_ENDINGS
    )


def is_page(path: Path) -> bool:
    """Return whether a file is a page, by its name, else by its first bytes."""
    ending = path.suffix.lower()
    if ending in PAGE_ENDINGS or is_packed_page(path):
        return not is_device(path)
    if mimetypes.guess_type(path.name)[0] is not None or STYLE_SHEET.search(path.name):
        return False
    if is_device(path):
        return False
    try:
        with path.open("rb") as file:
            return HTML_START.search(file.read(SNIFFED_OF_PAGE)) is not None
    except OSError:
        return False


def is_device(path: Path) -> bool:
    """Return whether a path is a pipe, a socket or the like, which may never end."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False  # a dangling link is a page that cannot be read


def content_type(path: Path) -> str:
    """Return the media type of a file by its name."""
    if STYLE_SHEET.search(path.name):
        return "text/css"
    return mimetypes.guess_type(path.name)[0] or "application/octet-stream"
