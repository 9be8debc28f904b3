"""Resources that no source has, from the web: each is fetched once and cached in a folder.

Pages of Common Crawl come without their style sheets, and pages saved by hand link to theirs on the
web. Requests go to public hosts only; a cached resource is never fetched again, so that a repeated
job has the same resources.
"""

from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from webstencil.codec.atomic_files import put
from webstencil.errors import SourceError
from webstencil.model import Resource
from webstencil.sources.web import Web
from webstencil.urls import url_hash

TIMEOUT = 8.0  # s for one request; rendering waits for it
NAME_BYTES = 16  # of the hash of a URL, which names a file
REFUSED = range(400, 500)  # statuses that are final, except
FOR_NOW = frozenset({408, 425, 429})  # these
NOTHING = b""  # the type of a resource that does not exist


class WebCache:
    """Fetches resources from the web into a folder. A file is a type, a newline and a body."""

    def __init__(self, folder: Path, web: Web | None = None) -> None:
        """Cache resources in `folder`; raise a `SourceError` if it cannot be created."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SourceError(f"{folder} cannot be created: {error.strerror}") from error
        self._folder = folder
        self._web = web or Web(timeout=TIMEOUT)
        self._silent: set[str] = set()  # hosts without an answer; this job does not ask them again

    def fetch(self, url: str) -> Resource | None:
        """Return the cached resource, else fetch it; None if there is none."""
        file = self._file(url)
        try:
            kind, _, body = file.read_bytes().partition(b"\n")
        except FileNotFoundError:
            return self._ask(url, file)
        return Resource(body, kind.decode("ascii", "replace")) if kind != NOTHING else None

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
                self._keep(file, NOTHING, b"")
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
