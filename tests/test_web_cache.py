"""Resources that no source has, from the web: fetched once, and cached."""

import pickle
from pathlib import Path

import pytest

from research.support.web_server import Reply, serving
from webstencil.errors import SourceError
from webstencil.model import Resource
from webstencil.sources import Several, WebCache
from webstencil.sources.web import Web
from webstencil.testing import MemorySource

STYLE = Resource(b"p { color: red }", "text/css")


def answer(path: str, _headers: dict[str, str]) -> Reply:
    """Serve one style sheet."""
    if path == "/busy.css":
        return Reply(status=503)
    return Reply(STYLE.body, kind="text/css") if path == "/a.css" else Reply(status=404)


def host(url: str) -> str:
    return url.removeprefix("http://").strip("/")


def test_a_resource_is_asked_for_once(tmp_path: Path) -> None:
    """Also if it does not exist; another job with the same folder makes no request."""
    with serving(answer) as server:
        web = Web(host(server.url))
        found = [
            WebCache(tmp_path, web).fetch(f"{server.url}/{name}") for name in ("a.css", "b.css")
        ]
        again = [
            WebCache(tmp_path, web).fetch(f"{server.url}/{name}") for name in ("a.css", "b.css")
        ]

    assert found == again == [STYLE, None]
    assert server.asked == ["/a.css", "/b.css"]


def test_what_may_be_there_later_is_asked_for_again(tmp_path: Path) -> None:
    """An answer such as 503 is not kept."""
    with serving(answer) as server:
        kept = WebCache(tmp_path, Web(host(server.url)))
        found = [kept.fetch(f"{server.url}/busy.css") for _ in range(2)]

    assert found == [None, None]
    assert server.asked == ["/busy.css", "/busy.css"]
    assert list(tmp_path.rglob("*.css")) == []


def test_private_machines_are_not_asked(tmp_path: Path) -> None:
    """Whatever a page says."""
    with serving(answer) as server:
        found = WebCache(tmp_path).fetch(f"{server.url}/a.css")

    assert found is None
    assert server.asked == []


def test_a_host_without_an_answer_is_asked_once(tmp_path: Path) -> None:
    """A page does not wait for it again and again."""
    kept = WebCache(tmp_path, Web("127.0.0.1:9"))

    assert kept.fetch("http://127.0.0.1:9/a.css") is None
    assert kept._silent == {"127.0.0.1:9"}


def test_sources_come_before_the_web(tmp_path: Path) -> None:
    """What no source has comes from the web, without a warning; also in pickled copies."""
    own = Resource(b"b {}", "text/css")
    with serving(answer) as server:
        inside = MemorySource({}, {f"{server.url}/own.css": own})
        beyond = WebCache(tmp_path, Web(host(server.url))).fetch
        source = pickle.loads(pickle.dumps(Several([inside], beyond=beyond)))
        found = [source.fetch(f"{server.url}/{name}.css") for name in ("own", "a", "none")]

    assert found == [own, STYLE, None]
    assert [note.first for note in source.notes.all()] == [f"{server.url}/none.css"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """Before anything is fetched."""
    (tmp_path / "file").write_text("")

    with pytest.raises(SourceError, match="file/kept cannot be created: Not a directory"):
        WebCache(tmp_path / "file" / "kept")
