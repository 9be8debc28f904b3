"""Pages that mean harm, or do some: each one ends, and the next page is rendered."""

import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from research.support.process_tree import (
    browsers,
    descendants,
    own_temporary_folder,
    page_processes,
    send,
)
from webstencil.errors import PageCrashed, PageTimeout, RenderError
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage, Resource, Viewport
from webstencil.render import ChromiumRenderer, browser, chromium
from webstencil.render.chromium import BrowserGone, Chromium, Confinement
from webstencil.render.scripts import ScriptBrowser, ScriptTab
from webstencil.render.tab import Tab
from webstencil.testing import MemorySource

pytestmark = pytest.mark.browser

URL = "http://hostile.example/page.html"
NOTHING = MemorySource({})
QUICK = {"page_timeout": 3.0, "snapshot_timeout": 3.0, "max_elements": 1_000_000}


class Calling(MemorySource):
    """Does something at every request."""

    def __init__(self, action: Callable[[str], object]) -> None:
        super().__init__({})
        self._action = action

    def fetch(self, url: str) -> Resource | None:
        self._action(url)
        return Resource(b"", "text/css")


@pytest.fixture(scope="module")
def renderer() -> Iterator[ChromiumRenderer]:
    with ChromiumRenderer() as running:
        yield running


@pytest.fixture(scope="module")
def hasty() -> Iterator[ChromiumRenderer]:
    """A renderer that accepts giants, but does not wait for them."""
    with ChromiumRenderer(**QUICK) as running:
        yield running


def page_of(html: str) -> Page:
    return parse(RawPage(URL, html.encode()))


def texts(renderer: ChromiumRenderer, html: str) -> list[str]:
    return [box.text for box in renderer.render(page_of(html), NOTHING).boxes if box.text]


def still_works(renderer: ChromiumRenderer) -> bool:
    return texts(renderer, "<!DOCTYPE html><p>next") == ["next"]


HARMLESS = {
    "endless loop": "<script>for (;;);</script>",
    "dialogs": "<script>alert(1); confirm(2); prompt(3)</script><body onbeforeunload='return 1'>",
    "windows": "<script>for (;;) window.open('/')</script><a target=_blank href=x>",
    "memory": "<script>a = []; for (;;) a.push(new Array(1e6))</script>",
    "leaving": "<meta http-equiv=refresh content='0; url=http://other.example/'>",
    "turning round": "<meta http-equiv=refresh content='0'>",
    "another scheme": "<meta http-equiv=refresh content='0; url=file:///etc/passwd'>",
    "download": "<meta http-equiv=refresh content='0; url=data:application/zip,x'>"
    "<iframe src='data:application/octet-stream,x'></iframe>",
    "frames of itself": f"<iframe src='{URL}'></iframe><iframe src='?2'></iframe>" * 5,
    "files": "<iframe src=file:///etc/passwd></iframe><img src=file:///etc/passwd>"
    "<link rel=stylesheet href=file:///etc/passwd><object data=file:///etc/passwd></object>",
    "wide": "<div style='width:1e9px;height:1px'></div>",
    "its own stamps": "<b data-webstencil=99999999999999999999></b><b data-webstencil=-1></b>",
    "strict policy": "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">",
}


@pytest.mark.parametrize("html", HARMLESS.values(), ids=HARMLESS.keys())
def test_page_without_its_teeth_is_rendered(renderer: ChromiumRenderer, html: str) -> None:
    """What a page does with scripts, frames or URLs has no effect on it."""
    assert texts(renderer, f"<!DOCTYPE html>{html}<p>here") == ["here"]
    assert still_works(renderer)


GIANTS = {
    "many elements": "<p>x</p>" * 100_000,
    "deep nesting": "<div>" * 100_000,
    "one long text": "<p>" + "lorem ipsum " * 800_000,
    "selectors without end": "<style>"
    + "".join(f"div:has(~ div .c{n}) span {{ color: red }}" for n in range(3000))
    + "</style>"
    + "<div><p><span>x</span></p></div>" * 3000,
    "table without end": "<table>" + "<tr><td>x" * 30_000,
}


@pytest.mark.parametrize("html", GIANTS.values(), ids=GIANTS.keys())
def test_giant_page_ends(hasty: ChromiumRenderer, html: str) -> None:
    """It is rendered, or it fails alone and in time."""
    with suppress(RenderError):
        hasty.render(page_of(f"<!DOCTYPE html>{html}"), NOTHING)

    assert still_works(hasty)


def test_giant_pages_are_refused_by_default(renderer: ChromiumRenderer) -> None:
    """Without a browser being bothered."""
    text = replace(page_of("<p>x"), body=b"x" * 50_000_000)
    elements = page_of("<p>x</p>" * 100_000)

    for page in (text, elements):
        with pytest.raises(RenderError, match="at most"):
            renderer.render(page, NOTHING)


def test_memory_of_a_page_is_limited() -> None:
    """A page that wants more than its share crashes alone."""
    with ChromiumRenderer(memory_limit=400 << 20) as small:
        with pytest.raises(RenderError, match=URL):
            small.render(page_of("<p>" + "lorem ipsum " * 1_000_000), NOTHING)

        assert still_works(small)


@pytest.fixture
def listener() -> Iterator[tuple[int, list[bytes]]]:
    """Listen on this machine; give the port and a list of what was sent there."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=listen, args=(server, heard), daemon=True)
        thread.start()
        yield server.getsockname()[1], heard
        server.shutdown(socket.SHUT_RDWR)
    thread.join(10)


def listen(server: socket.socket, heard: list[bytes]) -> None:
    with suppress(OSError):
        while True:
            connection, _ = server.accept()
            with connection:
                connection.settimeout(2)
                heard.append(b"connected")
                with suppress(OSError):
                    heard.append(connection.recv(1000))


REQUESTS = """<!DOCTYPE html><head>
<link rel=preconnect href={there}><link rel=preconnect href={there} crossorigin>
<link rel=dns-prefetch href={there}><link rel=prefetch href={there}/1>
<link rel=prerender href={there}/2><link rel=preload as=image href={there}/3>
<link rel=modulepreload href={there}/4><link rel=stylesheet href={there}/5>
<link rel=icon href={there}/6><link rel=manifest href={there}/7>
<style>@import url({there}/8); p {{ background: url({there}/9) }}
@font-face {{ font-family: F; src: url({there}/10) }} p {{ font-family: F }}</style>
<script type=speculationrules>{{"prefetch":[{{"source":"list","urls":["{there}/11"]}}]}}</script>
<meta http-equiv=refresh content="0; url={there}/12">
</head><body background={there}/13><p>here</p><img src={there}/14 srcset="{there}/15 2x">
<iframe src={there}/16></iframe><iframe srcdoc="<img src={there}/17>"></iframe>
<object data={there}/18></object><embed src={there}/19><video src={there}/20 poster={there}/21>
</video><audio src={there}/22></audio><script src={there}/23></script>
<svg><image href={there}/24 /><use href={there}/25#x /></svg><input type=image src={there}/26>
<a ping={there}/27 href={there}/28>a</a><iframe src=http://other.example/29></iframe>"""


@pytest.mark.parametrize("confinement", chromium.confinements(), ids=str)
def test_nothing_reaches_this_machine_or_any_other(
    confinement: Confinement, listener: tuple[int, list[bytes]]
) -> None:
    """No kind of request opens as much as a connection, in whatever confinement."""
    port, heard = listener
    try:
        running = Chromium(browser.find_browser(), confinement, memory_limit=2 << 30)
    except BrowserGone as error:
        pytest.skip(f"refused here: {error}")
    asked: list[tuple[str, str]] = []
    html = REQUESTS.format(there=f"http://127.0.0.1:{port}")
    tab = Tab(running, Viewport())
    tab.show(
        Resource(html.encode(), "text/html"),
        URL,
        lambda url, kind: asked.append((url, kind)),
        until=time.monotonic() + 20,
    )
    time.sleep(0.5)  # for what comes late
    tab.capture((), until=time.monotonic() + 20)
    running.close()

    assert heard == []
    assert len({url for url, _ in asked if str(port) in url}) > 10


CALLS = """<script>
const there = "{there}", host = there.slice(7), tried = [
  () => fetch(there + "/40"), () => fetch(there + "/41", {{method: "POST", body: "x"}}),
  () => {{ const x = new XMLHttpRequest(); x.open("GET", there + "/42"); x.send() }},
  () => navigator.sendBeacon(there + "/43", "x"), () => new WebSocket("ws://" + host + "/44"),
  () => new EventSource(there + "/45"), () => import(there + "/46"),
  () => new Worker(URL.createObjectURL(new Blob([`fetch("${{there}}/47")`]))),
  () => window.open(there + "/48"), () => {{ location = there + "/49" }},
  () => {{ for (const urls of ["stun:" + host, "turn:" + host + "?transport=tcp"]) {{
    const peer = new RTCPeerConnection(
      {{iceServers: [{{urls, username: "a", credential: "b"}}]}});
    peer.createDataChannel("x"); peer.createOffer().then(o => peer.setLocalDescription(o)) }} }},
];
for (const one of tried) try {{ one() }} catch (error) {{}}
</script>"""


@pytest.mark.parametrize("confinement", chromium.confinements(), ids=str)
def test_scripts_reach_nobody_either(
    confinement: Confinement, listener: tuple[int, list[bytes]]
) -> None:
    """No call of a script opens a connection or sends a packet, in whatever confinement."""
    port, heard = listener
    try:
        running = ScriptBrowser(browser.find_browser(), confinement, memory_limit=2 << 30)
    except BrowserGone as error:
        pytest.skip(f"refused here: {error}")
    asked: list[tuple[str, str]] = []
    html = (REQUESTS + CALLS).format(there=f"http://127.0.0.1:{port}")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as packets:
        packets.bind(("127.0.0.1", port))
        packets.setblocking(False)
        tab = ScriptTab(running, Viewport())
        tab.show(
            Resource(html.encode(), "text/html"),
            URL,
            lambda url, kind: asked.append((url, kind)),
            until=time.monotonic() + 20,
        )
        tab.settle(within=3.0)
        running.close()
        with pytest.raises(BlockingIOError):
            packets.recv(1000)

    assert heard == []
    assert {kind for url, kind in asked if str(port) in url} >= {"Fetch", "XHR", "Script"}


def test_page_process_killed_while_loading_fails_that_page(renderer: ChromiumRenderer) -> None:
    """The error of a crash names the page's URL."""
    crash = Calling(lambda _url: send(signal.SIGKILL, page_processes()))

    with pytest.raises(PageCrashed, match=URL):
        renderer.render(page_of("<!DOCTYPE html><link rel=stylesheet href=a><p>x"), crash)
    assert still_works(renderer)


def test_page_that_hangs_is_given_up() -> None:
    """The time limits hold for a page process that no longer does anything."""
    others = browsers().keys()

    def stop(_url: str) -> None:
        for browser_process in browsers().keys() - others:
            send(signal.SIGSTOP, page_processes(browser_process))

    with ChromiumRenderer(**QUICK) as running:
        with pytest.raises(PageTimeout, match=URL):
            running.render(
                page_of("<!DOCTYPE html><link rel=stylesheet href=a><p>x"), Calling(stop)
            )
        assert still_works(running)


def test_page_process_killed_between_two_pages_is_replaced(renderer: ChromiumRenderer) -> None:
    """The tab that waits for the next page may be lost without the page being so."""
    assert still_works(renderer)
    send(signal.SIGKILL, page_processes())

    assert still_works(renderer)


def test_page_that_loads_too_slowly_is_taken_as_it_is() -> None:
    """What has arrived in time is rendered; the snapshot says that it is not complete."""
    html = "<!DOCTYPE html><p>here</p>" + "".join(f"<img src={n}.png>" for n in range(9))
    with ChromiumRenderer(page_timeout=1.0) as running:
        snapshot = running.render(page_of(html), Calling(lambda _url: time.sleep(0.4)))

    assert not snapshot.complete
    assert [box.text for box in snapshot.boxes if box.text] == ["here"]


def test_browser_killed_between_two_pages_is_replaced(renderer: ChromiumRenderer) -> None:
    """The next page does not notice."""
    assert still_works(renderer)
    send(signal.SIGKILL, browsers())

    assert still_works(renderer)


def test_browser_killed_while_loading_is_replaced_once(renderer: ChromiumRenderer) -> None:
    """The page is tried again, but a page that kills every browser is given up."""
    page = page_of("<!DOCTYPE html><link rel=stylesheet href=a><p>x")
    deaths: list[str] = []

    def kill(url: str, *, times: int) -> None:
        if len(deaths) < times:
            deaths.append(url)
            send(signal.SIGKILL, browsers())

    once = renderer.render(page, Calling(lambda url: kill(url, times=1)))
    with pytest.raises(PageCrashed, match=URL):
        renderer.render(page, Calling(lambda url: kill(url, times=100)))

    assert once.complete
    assert still_works(renderer)


def test_nothing_is_left_of_a_renderer_that_met_them_all() -> None:
    """No process, no file, also after errors."""
    with own_temporary_folder() as folder:
        before = set(descendants())
        with suppress(ZeroDivisionError), ChromiumRenderer(**QUICK) as running:
            with suppress(RenderError):
                running.render(page_of("<div>" * 30_000), NOTHING)
            send(signal.SIGKILL, browsers().keys() - before)
            still_works(running)
            raise ZeroDivisionError

        assert (set(descendants()) - before, list(folder.iterdir())) == (set(), [])
