"""Stands before the pages: who may ask, how much may be sent, and what a browser may do with them.

Texts on our pages were written by strangers, and our server may stand inside a network. So a
browser is told to load nothing from elsewhere and to run no script of a page; a request that names
a host we do not serve is refused (a stranger's page could otherwise let its own name point to us
and read all: DNS rebinding), and so is a form that another site sends.
"""

import asyncio
import ipaddress
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # "no-referrer" would take the origin from our own forms, too, by which we tell them.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
EVERYWHERE = frozenset({"", "0.0.0.0", "::"})  # addresses by which all are meant
READING = frozenset({"GET", "HEAD"})
OWN = frozenset({"same-origin", "none"})  # "none": a person, not a page, began it
KEPT = "no-cache"  # it may be kept, but not be used before we said that it is still the same
LONGEST_PAUSE = 20.0  # s between two pieces of a request
LARGEST_PAGE = 20_000_000  # bytes, as many as are rendered
LARGEST = LARGEST_PAGE + 1_000_000  # bytes of a request


class RequestTooLarge(Exception):
    """A request has more bytes than may be sent."""


@dataclass(frozen=True, slots=True)
class Hosts:
    """The names under which we are asked."""

    names: frozenset[str]
    addresses: bool = False  # any that is a number: no stranger's name can point there

    def allow(self, host: str) -> bool:
        """Tell whether a host is one of ours; without the port."""
        return host in self.names or (self.addresses and is_address(host))


def hosts_for(bound: str, others: Iterable[str] = ()) -> Hosts:
    """Return the names for a server that is bound to a host, and has other names outside."""
    named = {bound.lower(), *(other.lower() for other in others)}
    return Hosts(frozenset(named | LOCAL), bound in EVERYWHERE)


def is_address(host: str) -> bool:
    """Tell whether a host is a number and no name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def host_of(netloc: str) -> str:
    """Return the host of `host:port`, empty if it is none."""
    try:
        return urlsplit(f"//{netloc}").hostname or ""
    except ValueError:
        return ""


def refusal(scope: Scope, hosts: Hosts) -> tuple[int, str] | None:
    """Return status and reason if a request is to be refused."""
    headers = Headers(scope=scope)
    asked = headers.get("host", "")
    if not hosts.allow(host_of(asked)):
        return 400, (
            f"This server does not answer for the host {host_of(asked)!r}. Ask it by the address "
            "that it was started with, or start it with --allow-host."
        )
    if scope["method"] not in READING and is_foreign(headers, hosts):
        return 403, "This form was sent by another site, and is refused. Use the form of this one."
    return None


def is_foreign(headers: Headers, hosts: Hosts) -> bool:
    """Tell whether a page of another site sends this.

    Browsers tell where a request comes from; older ones tell the origin only. What tells neither is
    no browser, and can do no more than who started it.
    """
    if (sent_by := headers.get("sec-fetch-site")) is not None:
        return sent_by not in OWN
    if (origin := headers.get("origin")) is None:
        return False
    netloc = origin.partition("://")[2]
    return netloc != headers.get("host", "") and host_of(netloc) not in hosts.names - LOCAL


async def in_time(receive: Receive) -> Message:
    """Return what is sent next; give up on one who keeps us waiting."""
    try:
        async with asyncio.timeout(LONGEST_PAUSE):
            return await receive()
    except TimeoutError:
        raise HTTPException(408, "the rest of the form did not come; send it again") from None


def too_long(length: str) -> bool:
    """Tell whether a request announces too much."""
    return not length.isdecimal() or int(length) > LARGEST


def too_large_words() -> str:
    """Say how much may be sent."""
    return f"This is too large: a page may have {LARGEST_PAGE:,} bytes. Try a smaller one."


def is_static(scope: Scope) -> bool:
    """Tell whether something is the same for every store."""
    path: str = scope["path"]
    return path.startswith("/static/")


class Guard:
    """Passes on what may be asked, and adds the headers of safety to each answer."""

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
            if too_long(announced):
                raise RequestTooLarge(too_large_words())
            message = await in_time(receive) if awaited else await receive()
            awaited = message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > LARGEST:
                raise RequestTooLarge(too_large_words())
            return message

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", KEPT if is_static(scope) else "no-store")
            await send(message)

        if refused := refusal(scope, self._hosts):
            status, words = refused
            await PlainTextResponse(words + "\n", status)(scope, receive, headed)
        else:
            await self._app(scope, counted, headed)
