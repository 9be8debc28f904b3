"""One page from the web, with what it is painted with."""

import ipaddress
import socket
from collections.abc import Iterator
from email.message import Message
from http.client import HTTPException, HTTPMessage
from typing import IO
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from webstencil.errors import SourceError
from webstencil.model import RawPage, Resource

TIMEOUT = 15.0  # s, for one request
LARGEST = 20_000_000  # bytes of one response
USER_AGENT = "webstencil (+https://pypi.org/project/webstencil)"


class Web:
    """Answers requests on behalf of pages: from public addresses, and from one host of their own.

    A page on the web must not make us ask the machines of our own network.
    """

    def __init__(self, own: str = "", timeout: float = TIMEOUT) -> None:
        """Allow the host `own` (with its port), whatever it is; `timeout` is for one request."""
        self._own = own
        self._timeout = timeout

    def get(self, url: str) -> tuple[bytes, Message, str]:
        """Return body, headers and final address; raise `ValueError` if it may not be asked."""
        if not self.allows(url):
            raise ValueError(f"{url} is not a public address")
        request = Request(url, headers={"User-Agent": USER_AGENT})
        opener = build_opener(_CheckedRedirects(self))
        with opener.open(request, timeout=self._timeout) as response:
            body = response.read(LARGEST + 1)
            if len(body) > LARGEST:
                raise ValueError(f"it is larger than {LARGEST:,} bytes")
            return body, response.headers, response.url

    def allows(self, url: str) -> bool:
        """Tell whether an address may be asked for on behalf of a page."""
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            return False
        return parts.netloc == self._own or is_public(parts.hostname)


class WebPage:
    """A page and its resources, fetched when they are asked for."""

    def __init__(self, url: str) -> None:
        if urlsplit(url).scheme not in {"http", "https"}:
            raise SourceError(f"{url} is not a web address; it must start with http:// or https://")
        self._url = url
        self._web = Web(urlsplit(url).netloc)

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
        """Return a resource; None if it cannot be had or may not be asked for."""
        try:
            body, headers, _ = self._web.get(url)
        except (URLError, HTTPException, OSError, ValueError):
            return None
        return Resource(body, headers.get_content_type())


class _CheckedRedirects(HTTPRedirectHandler):
    """Follows a redirect only to where a page may ask."""

    def __init__(self, web: Web) -> None:
        self._web = web

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if not self._web.allows(newurl):
            raise URLError(f"it redirects to {newurl}, which is not a public address")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def is_public(host: str) -> bool:
    """Tell whether all addresses of a host are public ones."""
    found = {info[4][0] for info in socket.getaddrinfo(host, None)}
    return all(ipaddress.ip_address(str(address).split("%")[0]).is_global for address in found)
