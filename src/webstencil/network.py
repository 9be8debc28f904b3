"""The guard of every request that leaves the program: only public machines are asked.

A page of the web must not make us ask the machines of our own network. What is checked is the IP
address that is connected to, not the name, so it makes no difference how a URL writes its host, or
whether a name has another address a moment later. The user can allow more: the host of a page that
the user named, or everything (`--allow-private`).

Proxies of the environment (`http_proxy`, `https_proxy`, `no_proxy`) are used, since many networks
have no other way out. A proxy looks names up itself, so its address cannot be checked: a host that
is private as far as this machine knows is refused, and a warning says that a proxy does the rest.
"""

import ipaddress
import logging
import socket
from functools import cache
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit
from urllib.request import (
    AbstractHTTPHandler,
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPRedirectHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
    UnknownHandler,
    getproxies,
)

from webstencil import urls

log = logging.getLogger(__name__)

USER_AGENT = "webstencil (+https://pypi.org/project/webstencil)"
SCHEMES = frozenset({"http", "https"})
NAT64 = ipaddress.ip_network("64:ff9b::/96")  # RFC 6052: IPv4 addresses written as IPv6

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class PrivateAddress(OSError):
    """A host is a machine that may not be asked."""


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet."""
    known = _meant(ipaddress.ip_address(address.partition("%")[0]))
    if isinstance(known, ipaddress.IPv6Address) and known.is_site_local:
        return False
    return known.is_global and not known.is_multicast and not known.is_reserved


def _meant(address: IPAddress) -> IPAddress:
    """Return the IPv4 address that an IPv6 address stands for, else itself.

    Other ways to write one (Teredo, `::127.0.0.1`, 64:ff9b:1::/48) are not global or reserved.
    """
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address


def is_plainly_private(url: str) -> bool:
    """Return whether the host of a URL is no public machine, as far as its name alone tells."""
    host = _host(url)
    try:
        return not is_public(host)
    except ValueError:
        return host == urls.LOCALHOST or host.endswith(f".{urls.LOCALHOST}")


def names_private_machine(url: str) -> bool:
    """Return whether the host of a URL is, or has the address of, a machine that is not public."""
    if is_plainly_private(url):
        return True
    try:
        checked_addresses(_host(url), 0)
    except PrivateAddress:
        return True
    except (OSError, UnicodeError):  # nobody knows the host
        return False
    return False


def _host(url: str) -> str:
    """Return the host as browsers read it: 127.0.0.1 for 2130706433, 0x7f.1 and 127.0.0.%31."""
    try:
        return (urlsplit(urls.normalise(url) or url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def checked_addresses(host: str, port: int) -> list[tuple[Any, ...]]:
    """Look a host up, as `socket.getaddrinfo` does; raise `PrivateAddress` if it is not public."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if not all(is_public(str(info[4][0])) for info in found):
        raise PrivateAddress(f"{host} is not a public address")
    return found


def connect_public(host: str, port: int, timeout: float | None) -> socket.socket:
    """Connect to a public host, by an address that was checked: it is looked up only once."""
    last = OSError(f"{host} has no address")
    for family, kind, protocol, _, address in checked_addresses(host, port):
        connection = socket.socket(family, kind, protocol)
        try:
            connection.settimeout(timeout)
            connection.connect(address)
        except OSError as error:
            connection.close()
            last = error
        else:
            return connection
    raise last


class CheckedConnection(HTTPConnection):
    """A connection to a public host."""

    def connect(self) -> None:
        """Connect."""
        self.sock = connect_public(self.host, self.port, self.timeout)


class CheckedTLSConnection(HTTPSConnection, CheckedConnection):
    """An encrypted connection to a public host; it is the name that the host has to prove."""


class CheckedHandler(AbstractHTTPHandler):
    """Opens URLs by checked connections, except those of one host and those of proxies."""

    http_request = https_request = AbstractHTTPHandler.do_request_

    def __init__(self, own: str) -> None:
        super().__init__()
        self._own = own

    def http_open(self, req: Request) -> HTTPResponse:
        """Open a URL."""
        return self.do_open(HTTPConnection if self._is_free(req) else CheckedConnection, req)

    def https_open(self, req: Request) -> HTTPResponse:
        """Open a URL, encrypted."""
        return self.do_open(HTTPSConnection if self._is_free(req) else CheckedTLSConnection, req)

    def _is_free(self, request: Request) -> bool:
        proxied = request.host != Request(request.full_url).host
        return proxied or request.host == self._own


class CheckedProxies(ProxyHandler):
    """Asks proxies only for what may be asked, as far as this machine can tell."""

    def __init__(self, own: str) -> None:
        super().__init__()
        self._own = own
        warn_of_proxies()

    def proxy_open(self, req: Request, proxy: str, type: str) -> HTTPResponse | None:  # noqa: A002
        """Send a request through a proxy."""
        if req.host != self._own and names_private_machine(req.full_url):
            raise PrivateAddress(f"{req.host} is not a public address")
        return super().proxy_open(req, proxy, type)


@cache  # once is enough
def warn_of_proxies() -> None:
    """Say that addresses cannot be checked, if there are proxies."""
    for scheme in sorted(SCHEMES & getproxies().keys()):
        log.warning("%s_proxy is set: the proxy looks up hosts, private ones too", scheme)


def public_opener(own: str = "") -> OpenerDirector:
    """Open http and https URLs of public hosts, and of the host `own`, also after redirects."""
    made = OpenerDirector()
    for handler in (
        CheckedProxies(own),
        CheckedHandler(own),
        HTTPRedirectHandler(),
        HTTPErrorProcessor(),
        HTTPDefaultErrorHandler(),
        UnknownHandler(),
    ):
        made.add_handler(handler)
    made.addheaders = [("User-Agent", USER_AGENT)]
    return made
