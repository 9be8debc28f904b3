"""One saved page, with the style sheets and pictures that lie around it."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

from webstencil.codec.compression import TooLarge, gunzipped
from webstencil.errors import SourceError
from webstencil.model import RawPage, Resource
from webstencil.sources.folder import as_path, content_type, is_file, read_file, readable, resource_in

# What a page is painted with, its scripts, and nothing else: they may not read what is around it.
SERVED = ("text/css", "image/", "font/", "text/javascript", "application/javascript")


class PageFile:
    """A page in a file; its address has the file's whole path, so that `../` finds its way.

    An address from the root, as in `/style.css`, is looked for in each folder above the page: a
    saved page does not tell which of them was its site's.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path).absolute()
        if not self._path.is_file():
            raise SourceError(f"{path} is not a file; name an HTML file")

    def __repr__(self) -> str:
        return f"PageFile({str(self._path)!r})"

    def pages(self) -> Iterator[RawPage]:
        """Yield the page."""
        try:
            body = gunzipped(read_file(self._path))
        except OSError as error:
            raise SourceError(f"{self._path} cannot be read: {error.strerror}") from error
        except TooLarge as error:
            raise SourceError(f"{self._path} cannot be read: {error}") from error
        url = "http://localhost" + quote(bytes(self._path))
        yield RawPage(url, body, origin=readable(self._path))

    def count(self) -> int:
        """Return 1."""
        return 1

    def fetch(self, url: str) -> Resource | None:
        """Return what lies at the address, seen from each folder above the page."""
        name = as_path(urlsplit(url).path).lstrip("/")
        for folder in (Path("/"), *self._path.parents):
            path = folder / name
            kind = content_type(path)
            if kind.startswith(SERVED) and is_file(path):
                return resource_in(path)
        return None
