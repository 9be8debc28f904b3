"""One saved page, with the style sheets and images around it."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlsplit

from webstencil.codec.compression import TooLarge, gunzipped
from webstencil.errors import SourceError
from webstencil.model import RawPage, Resource
from webstencil.sources.folder import (
    as_path,
    content_type,
    is_file,
    read_file,
    readable,
    resource_in,
)

# Resources and scripts, nothing else: scripts may not read other files around the page.
SERVED = ("text/css", "image/", "font/", "text/javascript", "application/javascript")


class PageFile:
    """A page in a file; its URL is `http://localhost` and the file's whole path.

    So `../` works in its links. A path from the root, as `/style.css`, is searched for in each
    folder above the page: a saved page does not say which of them was the root of its site.
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
        """Return the resource at a URL, searched for from each folder above the page."""
        name = as_path(urlsplit(url).path).lstrip("/")
        for folder in (Path("/"), *self._path.parents):
            path = folder / name
            kind = content_type(path)
            if kind.startswith(SERVED) and is_file(path):
                return resource_in(path)
        return None
