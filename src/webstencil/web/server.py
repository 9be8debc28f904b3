"""The server: a socket, uvicorn around the application, and an end without a fuss."""

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from webstencil.errors import SettingsError

FIRST_REQUEST = 10.0  # s in which a connection must have asked for something
PATIENCE = 5  # s that answers in work may still take when the server is to end
HERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # of all addresses, this machine's
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Impatient(H11Protocol):
    """A connection that is closed if nobody asks for anything.

    Whoever opens many and says nothing would otherwise keep all others out.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, for a while."""
        super().connection_made(transport)
        self.loop.call_later(FIRST_REQUEST, self._close_if_silent)

    def _close_if_silent(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


def bound(host: str, port: int) -> socket.socket:
    """Take a port; port 0 is any that is free."""
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
            f"cannot serve at {host}, port {port}: {error}; name another --port or --host"
        ) from error
    return taken


def address_of(taken: socket.socket, host: str) -> str:
    """Return the address at which a browser finds the server."""
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
        proxy_headers=False,  # nothing here depends on who asks
        timeout_graceful_shutdown=PATIENCE,
        ws="none",
    )
    return uvicorn.Server(settings)


def serve(app: ASGIApp, taken: socket.socket, began: Callable[[], None]) -> None:
    """Serve until a SIGINT or SIGTERM; `began` is called when the first request would be heard."""
    server = server_for(app)
    with ended_by_signals(server):
        began()
        server.run(sockets=[taken])
    taken.close()


@contextmanager
def ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Let signals end the server and nothing else.

    uvicorn listens to them while it runs, and passes them on when it has ended; one that comes
    before it listens must not be lost.
    """

    def end(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    before = {number: signal.signal(number, end) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
