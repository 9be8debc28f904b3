"""One page from the web, with the resources that it is rendered with."""

from collections.abc import Iterator
from email.message import Message
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from webstencil import network
from webstencil.codec import put
from webstencil.errors import SourceError
from webstencil.model import RawPage, Resource
from webstencil.urls import url_hash

FETCH_TIMEOUT = 15.0  # s, for one request
LARGEST_RESPONSE = 20_000_000  # bytes of one response


class Web:
    """Fetches URLs on behalf of pages: of public hosts, and of one host of their own."""

    def __init__(self, own: str = "", timeout: float = FETCH_TIMEOUT) -> None:
        """Allow the host `own` (with its port), whatever it is; `timeout` is for one request."""
        self._own = own
        self._timeout = timeout

    def get(self, url: str) -> tuple[bytes, Message, str]:
        """Return body, headers and final URL; raise `OSError` or `ValueError` if there is none."""
        with network.public_opener(self._own).open(url, timeout=self._timeout) as response:
            body = response.read(LARGEST_RESPONSE + 1)
            if len(body) > LARGEST_RESPONSE:
                raise ValueError(f"it is larger than {LARGEST_RESPONSE:,} bytes")
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
            if isinstance(error, HTTPError):  # some reasons read like those of files
                reason = f"the server answers {error.code} ({reason}) for that address"
            raise SourceError(f"{self._url} cannot be fetched: {reason}") from error
        yield RawPage(url, body, headers.get_content_charset(), origin=self._url)

    def fetch(self, url: str) -> Resource | None:
        """Return a resource; None if it cannot be fetched."""
        try:
            body, headers, _ = self._web.get(url)
        except (URLError, HTTPException, OSError, ValueError):
            return None
        return Resource(body, headers.get_content_type())


# Resources that no source has, from the web: each is fetched once and cached in a folder.
#
# Pages of Common Crawl come without their style sheets, and pages saved by hand link to theirs on
# the web. Requests go to public hosts only; a cached resource is never fetched again, so that a
# repeated job has the same resources.


CACHE_TIMEOUT = 8.0  # s for one request; rendering waits for it
NAME_BYTES = 16  # of the hash of a URL, which names a file
REFUSED = range(400, 500)  # statuses that are final, except
FOR_NOW = frozenset({408, 425, 429})  # these
NO_TYPE = b""  # the type of a resource that does not exist


class WebCache:
    """Fetches resources from the web into a folder. A file is a type, a newline and a body."""

    def __init__(self, folder: Path, web: Web | None = None) -> None:
        """Cache resources in `folder`; raise a `SourceError` if it cannot be created."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SourceError(f"{folder} cannot be created: {error.strerror}") from error
        self._folder = folder
        self._web = web or Web(timeout=CACHE_TIMEOUT)
        self._silent: set[str] = set()  # hosts without an answer; this job does not ask them again

    def fetch(self, url: str) -> Resource | None:
        """Return the cached resource, else fetch it; None if there is none."""
        file = self._file(url)
        try:
            kind, _, body = file.read_bytes().partition(b"\n")
        except FileNotFoundError:
            return self._ask(url, file)
        return Resource(body, kind.decode("ascii", "replace")) if kind != NO_TYPE else None

    def _file(self, url: str) -> Path:
        name = url_hash(url, NAME_BYTES).hex()
        return self._folder / name[:2] / name

    def _ask(self, url: str, file: Path) -> Resource | None:
        host = urlsplit(url).netloc
        if host in self._silent:
            return None
        try:
            body, headers, _ = self._web.get(url)
        except HTTPError as error:
            if error.code in REFUSED and error.code not in FOR_NOW:
                self._keep(file, NO_TYPE, b"")
            return None
        except (URLError, HTTPException, OSError):
            self._silent.add(host)
            return None
        except ValueError:  # too large, or no URL
            return None
        kind = headers.get_content_type()
        self._keep(file, kind.encode("ascii", "replace"), body)
        return Resource(body, kind)

    def _keep(self, file: Path, kind: bytes, body: bytes) -> None:
        try:
            put(file, kind + b"\n" + body)
        except OSError as error:
            raise SourceError(f"{self._folder} cannot be written: {error.strerror}") from error
