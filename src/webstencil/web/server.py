"""The server: a socket, uvicorn around the application, and an end without a fuss."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from webstencil.errors import SettingsError

PATIENCE = 5  # s that answers in work may still take when the server is to end
HERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # of all addresses, this machine's
SIGNALS = (signal.SIGINT, signal.SIGTERM)


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


def serve(app: ASGIApp, taken: socket.socket, began: Callable[[], None]) -> None:
    """Serve until a SIGINT or SIGTERM; `began` is called when the first request would be heard."""
    settings = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,  # nothing here depends on who asks
        timeout_graceful_shutdown=PATIENCE,
        ws="none",
    )
    server = uvicorn.Server(settings)
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
