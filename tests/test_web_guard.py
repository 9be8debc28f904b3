"""Who may ask the web pages, and what a browser is told to do with them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Message
from web_store import asking

from webstencil.store import open_store
from webstencil.web import server
from webstencil.web.server import LARGEST_REQUEST, hosts_for

POLICY = {
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    path: Path = tmp_path_factory.mktemp("guard") / "empty.db"
    open_store(path).close()
    with asking(path) as client:
        yield client


@pytest.mark.parametrize("place", ["/", "/try", "/nowhere", "/pages?page=x", "/result.json?url=x"])
def test_every_answer_tells_the_browser_to_be_careful(client: TestClient, place: str) -> None:
    """No script and nothing from elsewhere, no frame around us; and no cookie."""
    headers = client.get(place).headers

    assert {name: headers[name] for name in POLICY} == POLICY
    assert "set-cookie" not in headers


def test_our_own_style_sheet_may_be_kept(client: TestClient) -> None:
    """It is asked for again, and comes only if it is another one."""
    first = client.get("/static/style.css")
    again = client.get("/static/style.css", headers={"if-none-match": first.headers["etag"]})

    assert {**POLICY, "cache-control": "no-cache"}.items() <= dict(first.headers).items()
    assert again.status_code == 304


def test_refused_requests_are_answered_with_the_same_care(client: TestClient) -> None:
    """They go through the same door."""
    headers = client.get("/", headers={"host": "evil.example"}).headers

    assert {name: headers[name] for name in POLICY} == POLICY


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "LOCALHOST", "[::1]:8000"])
def test_this_machine_may_be_asked_by_its_names(client: TestClient, host: str) -> None:
    """With or without a port."""
    assert client.get("/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8000", "192.168.0.9", "", "[::1", "a b"]
)
def test_a_host_that_is_not_ours_is_refused(client: TestClient, host: str) -> None:
    """Else a stranger's name that points to us would let a stranger's page read the store."""
    answer = client.get("/", headers={"host": host})

    assert answer.status_code == 400
    assert "--allow-host" in answer.text


def test_hosts_follow_from_where_the_server_is_bound() -> None:
    """Bound to all addresses, any that is a number may be asked: no name can point there."""
    everywhere = hosts_for("0.0.0.0", ["Stencils.example"])
    here = hosts_for("192.168.0.9")

    asked = ("10.1.2.3", "fe80::1", "stencils.example", "localhost", "evil.example")
    assert [everywhere.allow(host) for host in asked] == [True, True, True, True, False]
    assert [here.allow(host) for host in ("192.168.0.9", "10.1.2.3")] == [True, False]


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site", "origin": "http://127.0.0.1:8000"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
    ],
)
def test_a_form_of_another_site_is_refused(client: TestClient, headers: dict[str, str]) -> None:
    """As is one of another server on this machine."""
    answer = client.post("/try", data={"html": "<p>x"}, headers=headers)

    assert answer.status_code == 403
    assert "another site" in answer.text


@pytest.mark.parametrize(
    "headers", [{"sec-fetch-site": "same-origin"}, {"origin": "http://127.0.0.1:8000"}, {}]
)
def test_our_own_form_and_programs_are_heard(client: TestClient, headers: dict[str, str]) -> None:
    """What they send is empty here, which is told."""
    answer = client.post("/try", data={"html": ""}, headers=headers)

    assert answer.status_code == 400
    assert "there is no page:" in answer.text


def test_a_request_that_is_too_large_is_refused_before_it_is_read(client: TestClient) -> None:
    """By what it announces, or while it comes."""
    kind = {"content-type": "multipart/form-data; boundary=x"}
    announced, odd = (
        client.post("/try", content=b"", headers={**kind, "content-length": length})
        for length in (str(LARGEST_REQUEST + 1), "-5")
    )
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.html"\r\n\r\n'
    unannounced = client.post("/try", content=iter([head, *[b"a" * 1_000_000] * 22]), headers=kind)

    assert [answer.status_code for answer in (announced, odd, unannounced)] == [413, 413, 413]
    assert [("20,000,000 bytes" in one.text) for one in (announced, unannounced)] == [True, True]
    assert "List of sites" in announced.text


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "POST"])
def test_other_methods_are_refused(client: TestClient, method: str) -> None:
    """There is nothing to change."""
    assert client.request(method, "/").status_code == 405


async def silence() -> Message:
    """Send nothing, ever."""
    await asyncio.Event().wait()
    raise AssertionError


def test_who_keeps_us_waiting_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of a form: it is told so."""
    monkeypatch.setattr(server, "LONGEST_PAUSE", 0.01)

    with pytest.raises(HTTPException, match="408: the rest of the form did not arrive"):
        asyncio.run(server.in_time(silence))


async def answers_to(*requests: bytes) -> list[bytes]:
    """Return what a server sends on connections that begin so, until it closes them."""
    taken = server.bound("127.0.0.1", 0)
    serving = server.server_for(PlainTextResponse("hello"))
    task = asyncio.create_task(serving.serve(sockets=[taken]))
    while not serving.started:
        await asyncio.sleep(0.01)
    answers = []
    for request in requests:
        reader, writer = await asyncio.open_connection(*taken.getsockname())
        writer.write(request)
        answers.append(await reader.read())
        writer.close()
    serving.should_exit = True
    await task
    return answers


def test_who_asks_for_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections in which no request comes are closed: they would keep others out."""
    monkeypatch.setattr(server, "FIRST_REQUEST", 0.2)
    asked = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    silent, half, whole = asyncio.run(answers_to(b"", asked, asked + b"\r\n"))

    assert (silent, half) == (b"", b"")
    assert whole.endswith(b"hello")
