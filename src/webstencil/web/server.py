"""The server: a socket, uvicorn around the application, a clean shutdown."""

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

FIRST_REQUEST = 10.0  # s within which a connection must send a request
PATIENCE = 5  # s that open requests may still take at the shutdown
HERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # for all interfaces, this machine
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Impatient(H11Protocol):
    """A connection that is closed if no request comes.

    Many silent connections would otherwise keep all others out.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request, but not for long."""
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
    """Return the URL of the server."""
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
        timeout_graceful_shutdown=PATIENCE,
        ws="none",
    )
    return uvicorn.Server(settings)


def serve(app: ASGIApp, taken: socket.socket, began: Callable[[], None]) -> None:
    """Serve until SIGINT or SIGTERM; call `began` when requests are accepted."""
    server = server_for(app)
    with ended_by_signals(server):
        began()
        server.run(sockets=[taken])
    taken.close()


@contextmanager
def ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
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
