"""A web server on 127.0.0.1 that answers by a function, and lists the requests."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext
from threading import Thread

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Reply:
    """An answer of the server."""

    body: bytes = b""
    status: int = 200
    kind: str = HTML
    headers: tuple[tuple[str, str], ...] = ()
    endless: bool = False  # the body is sent again and again


@dataclass
class Server:
    """A running server."""

    url: str
    asked: list[str] = field(default_factory=list)  # paths, in the order of the requests
    agents: set[str] = field(default_factory=set)
    logins: list[str] = field(default_factory=list)


class QuietServer(ThreadingHTTPServer):
    """Does not report clients that were killed."""

    daemon_threads = True

    def handle_error(self, *args: object) -> None:
        """Keep quiet."""


@contextmanager
def serving(
    answer: Callable[[str, dict[str, str]], Reply], tls: SSLContext | None = None
) -> Iterator[Server]:
    """Serve what `answer` makes of a path and the request's headers; encrypted with `tls`."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            known.asked.append(self.path)
            known.agents.add(self.headers.get("User-Agent", ""))
            known.logins.append(self.headers.get("Authorization", ""))
            reply = answer(self.path, dict(self.headers))
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            self.send_header("Content-Type", reply.kind)
            if not reply.endless:
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            try:
                self.wfile.write(reply.body)
                while reply.endless:
                    self.wfile.write(reply.body)
            except OSError:
                self.close_connection = True

        def log_message(self, *args: object) -> None:
            """Keep quiet."""

    server = QuietServer(("127.0.0.1", 0), Handler)
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    known = Server(f"http://127.0.0.1:{server.server_port}")
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield known
    finally:
        server.shutdown()
        server.server_close()


def pages(site: dict[str, bytes | Reply]) -> Callable[[str, dict[str, str]], Reply]:
    """Answer from a dict; other paths do not exist."""

    def answer(path: str, _headers: dict[str, str]) -> Reply:
        found = site.get(path, Reply(b"not here", 404, "text/plain"))
        return found if isinstance(found, Reply) else Reply(found)

    return answer


def linked(title: str, *links: str, head: str = "", text: str = "Some words.") -> bytes:
    """Write a page with links."""
    items = "".join(f'<li><a href="{link}">{link}</a>' for link in links)
    return (
        f"<!doctype html><html><head><title>{title}</title>{head}</head><body><h1>{title}</h1>"
        f"<ul>{items}</ul><p>{text}</p></body></html>"
    ).encode()
