"""One page from the web, with the resources that it is rendered with."""

from collections.abc import Iterator
from email.message import Message
from http.client import HTTPException
from urllib.error import URLError
from urllib.parse import urlsplit

from webstencil import network
from webstencil.errors import SourceError
from webstencil.model import RawPage, Resource

TIMEOUT = 15.0  # s, for one request
LARGEST = 20_000_000  # bytes of one response


class Web:
    """Fetches URLs on behalf of pages: of public hosts, and of one host of their own."""

    def __init__(self, own: str = "", timeout: float = TIMEOUT) -> None:
        """Allow the host `own` (with its port), whatever it is; `timeout` is for one request."""
        self._own = own
        self._timeout = timeout

    def get(self, url: str) -> tuple[bytes, Message, str]:
        """Return body, headers and final URL; raise `OSError` or `ValueError` if there is none."""
        with network.opener(self._own).open(url, timeout=self._timeout) as response:
            body = response.read(LARGEST + 1)
            if len(body) > LARGEST:
                raise ValueError(f"it is larger than {LARGEST:,} bytes")
            return body, response.headers, response.url


class WebPage:
    """A page and its resources, fetched when they are needed."""

    read_once = True  # each reading is a request

    def __init__(self, url: str, *, guarded: bool = False) -> None:
        """Name a page; `guarded` if its own host must be public, too."""
        if urlsplit(url).scheme not in network.SCHEMES:
            raise SourceError(f"{url} is not a web URL; it must start with http:// or https://")
        self._url = url
        self._web = Web("" if guarded else urlsplit(url).netloc)

    def __repr__(self) -> str:
        return f"WebPage({self._url!r})"

    def count(self) -> int:
        """Return 1."""
        return 1

    def pages(self) -> Iterator[RawPage]:
        """Yield the page; raise `SourceError` if it cannot be fetched."""
        try:
            body, headers, url = self._web.get(self._url)
        except (URLError, HTTPException, OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise SourceError(f"{self._url} cannot be fetched: {reason}") from error
        yield RawPage(url, body, headers.get_content_charset(), origin=self._url)

    def fetch(self, url: str) -> Resource | None:
        """Return a resource; None if it cannot be fetched."""
        try:
            body, headers, _ = self._web.get(url)
        except (URLError, HTTPException, OSError, ValueError):
            return None
        return Resource(body, headers.get_content_type())
