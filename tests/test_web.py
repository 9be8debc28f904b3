"""Pages from the web: fetched for the user, never from machines of our own network."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from webstencil.errors import SourceError
from webstencil.model import RawPage, Resource
from webstencil.sources import WebPage


class Handler(BaseHTTPRequestHandler):
    """Serves a page, its style sheet, and redirects to wherever the path says."""

    def do_GET(self) -> None:
        if self.path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", self.path.removeprefix("/to/"))
            self.end_headers()
            return
        kind = "text/css" if self.path.endswith(".css") else "text/html; charset=iso-8859-2"
        self.send_response(404 if self.path == "/missing" else 200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(b"<p>hello")

    def log_message(self, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture
def servers() -> Iterator[tuple[str, str]]:
    """Two servers: the page's own and one it has no business with."""
    running = [ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(2)]
    for server in running:
        Thread(target=server.serve_forever, daemon=True).start()
    own, other = (f"http://127.0.0.1:{server.server_port}" for server in running)
    yield own, other
    for server in running:
        server.shutdown()
        server.server_close()


def test_page_comes_with_its_url_and_charset(servers: tuple[str, str]) -> None:
    """Where redirects lead to is the page's URL."""
    own, _ = servers

    assert list(WebPage(f"{own}/to//page").pages()) == [
        RawPage(f"{own}/page", b"<p>hello", "iso-8859-2", origin=f"{own}/to//page")
    ]


def test_resources_of_the_pages_own_host_are_fetched(servers: tuple[str, str]) -> None:
    """With their type; what is not there is None."""
    own, _ = servers
    page = WebPage(f"{own}/")

    assert page.fetch(f"{own}/style.css") == Resource(b"<p>hello", "text/css")
    assert page.fetch(f"{own}/missing") is None


def test_other_machines_of_our_network_are_not_asked(servers: tuple[str, str]) -> None:
    """Neither directly, nor by a redirect, nor by another scheme."""
    own, other = servers
    page = WebPage(f"{own}/")

    assert page.fetch(f"{other}/style.css") is None
    assert page.fetch(f"{own}/to/{other}/style.css") is None
    assert page.fetch("file:///etc/passwd") is None


def test_page_that_cannot_be_fetched_is_told(servers: tuple[str, str]) -> None:
    """In one sentence with the URL."""
    own, _ = servers

    with pytest.raises(SourceError, match="/missing cannot be fetched"):
        list(WebPage(f"{own}/missing").pages())
    with pytest.raises(SourceError, match="not a web URL"):
        WebPage("ftp://host/x")
