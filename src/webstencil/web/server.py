"""The server: a guard before the application, uvicorn around both, a clean shutdown.

The guard checks every request and response: allowed hosts, size limits, security headers. Texts on
our pages were written by strangers, and the server may run inside a private network. So browsers
may load nothing from elsewhere and run no inline script; a request for a host that we do not serve
is refused (otherwise a stranger could let a domain point to us and read everything: DNS rebinding),
and so is a form sent by another site.
"""

import asyncio
import ipaddress
import signal
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from urllib.parse import urlsplit

import uvicorn
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from webstencil.errors import SettingsError

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # "no-referrer" would also hide the origin of our own forms, by which we know them.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NAMES_OF_HERE = frozenset({"localhost", "127.0.0.1", "::1"})
EVERYWHERE = frozenset({"", "0.0.0.0", "::"})  # all interfaces
READING = frozenset({"GET", "HEAD"})
OWN_ORIGINS = frozenset({"same-origin", "none"})  # "none": the user, not a page, began it
REVALIDATED = "no-cache"  # may be cached, but must be revalidated
LONGEST_PAUSE = 20.0  # s between two pieces of a request
LARGEST_PAGE = 20_000_000  # bytes, as many as are rendered
LARGEST_REQUEST = LARGEST_PAGE + 1_000_000  # bytes of a request
FIRST_REQUEST = 10.0  # s within which a connection must send a request
LONGEST_SHUTDOWN = 5  # s that open requests may still take at the shutdown
HERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # for all interfaces, this machine
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class RequestTooLarge(Exception):
    """A request is larger than allowed."""


@dataclass(frozen=True, slots=True)
class Hosts:
    """The values of the Host header that we accept."""

    names: frozenset[str]
    addresses: bool = False  # any IP address: no stranger's domain can be one

    def allow(self, host: str) -> bool:
        """Return whether a host, without the port, is one of ours."""
        if host in self.names or not self.addresses:
            return host in self.names
        try:
            ipaddress.ip_address(host)
        except ValueError:
            return False
        return True


def hosts_for(bound: str, others: Iterable[str] = ()) -> Hosts:
    """Return the hosts for a server that is bound to one and has other names outside."""
    named = {bound.lower(), *(other.lower() for other in others)}
    return Hosts(frozenset(named | NAMES_OF_HERE), bound in EVERYWHERE)


def _host_of(netloc: str) -> str:
    """Return the host of `host:port`, empty if it is invalid."""
    try:
        return urlsplit(f"//{netloc}").hostname or ""
    except ValueError:
        return ""


def _refusal(scope: Scope, hosts: Hosts) -> tuple[int, str] | None:
    """Return status and reason if a request is refused."""
    headers = Headers(scope=scope)
    asked = headers.get("host", "")
    if not hosts.allow(_host_of(asked)):
        return 400, (
            f"This server does not serve the host {_host_of(asked)!r}. Use the URL that it printed "
            "at its start, or start it with --allow-host."
        )
    if scope["method"] not in READING and _is_foreign(headers, hosts):
        return 403, "This form was sent by another site. Use the form of this one."
    return None


def _is_foreign(headers: Headers, hosts: Hosts) -> bool:
    """Return whether a page of another site sends this.

    Browsers say where a request comes from; older ones send the origin only. A client that sends
    neither is no browser, and can do no more than the user who started it.
    """
    if (sent_by := headers.get("sec-fetch-site")) is not None:
        return sent_by not in OWN_ORIGINS
    if (origin := headers.get("origin")) is None:
        return False
    netloc = origin.partition("://")[2]
    return netloc != headers.get("host", "") and _host_of(netloc) not in hosts.names - NAMES_OF_HERE


async def in_time(receive: Receive) -> Message:
    """Return the next message; give up on a client that is too slow."""
    try:
        async with asyncio.timeout(LONGEST_PAUSE):
            return await receive()
    except TimeoutError:
        raise HTTPException(408, "the rest of the form did not arrive; send it again") from None


def too_large_words() -> str:
    """Say how large a page may be."""
    return f"This page is too large: at most {LARGEST_PAGE:,} bytes are allowed."


class Guard:
    """Refuses what is not allowed, and adds security headers to every response."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        received, awaited = 0, True
        announced = Headers(scope=scope).get("content-length", "0")

        async def counted() -> Message:
            nonlocal received, awaited
            if not announced.isdecimal() or int(announced) > LARGEST_REQUEST:
                raise RequestTooLarge(too_large_words())
            message = await in_time(receive) if awaited else await receive()
            awaited = message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > LARGEST_REQUEST:
                raise RequestTooLarge(too_large_words())
            return message

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                kept = REVALIDATED if scope["path"].startswith("/static/") else "no-store"
                headers.setdefault("Cache-Control", kept)
            await send(message)

        if refused := _refusal(scope, self._hosts):
            status, words = refused
            await PlainTextResponse(words + "\n", status)(scope, receive, headed)
        else:
            await self._app(scope, counted, headed)


class Impatient(H11Protocol):
    """A connection that is closed if no request comes.

    Many silent connections would otherwise keep all others out.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(FIRST_REQUEST, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def bound(host: str, port: int) -> socket.socket:
    """Bind a socket; port 0 means any free port."""
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        taken = socket.socket(family, kind)
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(address)
        taken.listen()
    except (OSError, OverflowError) as error:
        raise SettingsError(
            f"cannot serve at {host}, port {port}: {error}; choose another --port or --host"
        ) from error
    return taken


def address_of(taken: socket.socket, host: str) -> str:
    named = HERE.get(host, host)
    name = f"[{named}]" if ":" in named else named
    return f"http://{name}:{taken.getsockname()[1]}/"


def server_for(app: ASGIApp) -> uvicorn.Server:
    """Put a server around the application."""
    settings = uvicorn.Config(
        app,
        http=Impatient,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # nothing here depends on the client
        timeout_graceful_shutdown=LONGEST_SHUTDOWN,
        ws="none",
    )
    return uvicorn.Server(settings)


def serve(app: ASGIApp, taken: socket.socket, began: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM; call `began` when requests are accepted."""
    server = server_for(app)
    with _ended_by_signals(server):
        began()
        server.run(sockets=[taken])
    taken.close()


@contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Let signals stop the server and nothing else.

    uvicorn handles them while it runs, and passes them on at its end; one that comes before must
    not be lost.
    """

    def end(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    before = {number: signal.signal(number, end) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
