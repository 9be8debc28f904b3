"""One saved page, with the style sheets and images around it."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from webstencil.codec import LARGEST_BODY, TooLarge, gunzipped
from webstencil.errors import SettingsError, SourceError
from webstencil.model import RawPage, Resource
from webstencil.sources.folder import (
    as_path,
    content_type,
    is_file,
    read_file,
    readable_path,
    resource_in,
)

PAGE_URL = re.compile(r"(?i)https?://[^\s/?#]+([/?][^\s#]*)?")
# Resources and scripts, nothing else: scripts may not read other files around the page.
SERVED = ("text/css", "image/", "font/", "text/javascript", "application/javascript")


class PageFile:
    """A page in a file; its URL is `http://localhost` and the file's whole path.

    So `../` works in its links. A path from the root, as `/style.css`, is searched for in each
    folder above the page: a saved page does not say which of them was the root of its site.

    `base_url` tells the URL instead: that of the page, or, if it ends in a slash or is only a host,
    that of the folder the page is in.
    """

    def __init__(self, path: str | Path, *, base_url: str | None = None) -> None:
        self._path = Path(path).absolute()
        if base_url is not None and not PAGE_URL.fullmatch(base_url):
            raise SettingsError(
                f"the URL of a page must be like https://example.com/page, not {base_url!r}"
            )
        self._url = "http://localhost" + quote(bytes(self._path))
        if base_url is not None:
            folder = base_url if urlsplit(base_url).path else f"{base_url}/"
            name = quote(self._path.name) if folder.endswith("/") else ""
            self._url = folder + name
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
        yield RawPage(self._url, body, origin=readable_path(self._path))

    def count(self) -> int:
        """Return 1."""
        return 1

    def fetch(self, url: str) -> Resource | None:
        """Return the resource at a URL, searched for from each folder above the page."""
        name = as_path(urlsplit(url).path).lstrip("/")
        around = self._url.rpartition("/")[0] + "/"
        beside = as_path(urlsplit(url.removeprefix(around)).path)
        near = [self._path.parent / beside] if url.startswith(around) else []
        for path in (*near, *[folder / name for folder in (Path("/"), *self._path.parents)]):
            kind = content_type(path)
            if kind.startswith(SERVED) and is_file(path):
                return resource_in(path)
        return None


# One page that came without its site, as on standard input.

UNKNOWN_URL = "http://localhost/"  # stands for an unknown URL
ORIGIN = "standard input"
UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")  # how pages in it begin


@dataclass(frozen=True, slots=True)
class GivenPage:
    """A page in memory; it brings no style sheets and images along."""

    body: bytes
    url: str = UNKNOWN_URL

    def pages(self) -> Iterator[RawPage]:
        """Yield the page."""
        yield RawPage(self.url, self.body, origin=ORIGIN)

    def count(self) -> int:
        """Return 1."""
        return 1

    def fetch(self, url: str) -> Resource | None:
        """Return None: there is nothing but the page."""
        del url
        return None


def read_stdin() -> bytes:
    """Read all of standard input; raise `SourceError` if it is empty or larger than any page."""
    body = sys.stdin.buffer.read(LARGEST_BODY + 1)
    if not body.strip():
        raise SourceError(
            "there is nothing on standard input; pipe a page or a list of names to it"
        )
    if len(body) > LARGEST_BODY:
        raise SourceError(f"standard input has more than {LARGEST_BODY:,} bytes, which no page has")
    return body


def is_markup(body: bytes) -> bool:
    """Return whether bytes are a page, and no list of names: they begin with a tag."""
    return body.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"<" or body[:2] in UTF_16_MARKS
