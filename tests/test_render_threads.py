"""One renderer, or one script runner, in several threads, with a real browser."""

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from research.support.process_tree import browsers, descendants, own_temporary_folder, send
from webstencil.errors import BrowserMissing
from webstencil.markup.parse import parse
from webstencil.model import RawPage, Resource, Snapshot
from webstencil.render import ChromiumRenderer
from webstencil.render.scripts import ScriptRunner
from webstencil.testing import MemorySource

pytestmark = pytest.mark.browser

THREADS = 4
CARD = "<div style='float:left;width:{width}px'><h2>{number}</h2><p>{words}</div>"
SHEET = Resource(b"p { font: 17px/23px serif } h2 { background: #eef }", "text/css")


def raw_page(number: int) -> RawPage:
    """Return a page that no other number has."""
    cards = (
        CARD.format(width=100 + 10 * number, number=number, words="some words " * (number + card))
        for card in range(10)
    )
    html = "<!DOCTYPE html><link rel=stylesheet href=style.css>" + "".join(cards)
    return RawPage(f"http://site.example/{number}", html.encode())


PAGES = [raw_page(number) for number in range(40)]
SOURCE = MemorySource({}, {"http://site.example/style.css": SHEET})


def at_once(render: Callable[[RawPage], Snapshot], raws: Sequence[RawPage]) -> list[Snapshot]:
    """Render pages in several threads."""
    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(render, raws))


@pytest.fixture(scope="module")
def expected() -> list[Snapshot]:
    """Render all pages in one thread."""
    with ChromiumRenderer() as renderer:
        return [renderer.render(parse(raw), SOURCE) for raw in PAGES]


def test_threads_share_a_renderer(expected: list[Snapshot]) -> None:
    """Each page has the snapshot that it has in one thread."""
    with ChromiumRenderer() as renderer:
        snapshots = at_once(lambda raw: renderer.render(parse(raw), SOURCE), PAGES)

    assert snapshots == expected


def test_threads_enter_and_leave_a_renderer_as_they_like(expected: list[Snapshot]) -> None:
    """One that leaves ends the browser, and the others get a new one; nothing is left behind."""
    renderer = ChromiumRenderer()

    def render(raw: RawPage) -> Snapshot:
        with renderer:
            return renderer.render(parse(raw), SOURCE)

    before = set(descendants())  # other tests may have a server
    with own_temporary_folder() as folder:
        snapshots = at_once(render, PAGES[:12])

        assert snapshots == expected[:12]
        assert (set(descendants()) - before, list(folder.iterdir())) == (set(), [])


def test_browser_killed_in_one_thread_is_replaced_for_all(expected: list[Snapshot]) -> None:
    """Neither the page that was shown nor those that wait are lost."""
    deaths: list[str] = []

    class Deadly(MemorySource):
        def fetch(self, url: str) -> Resource | None:
            if len(deaths) < 1:
                deaths.append(url)
                send(signal.SIGKILL, browsers())
            return SOURCE.fetch(url)

    with ChromiumRenderer() as renderer:
        snapshots = at_once(lambda raw: renderer.render(parse(raw), Deadly({})), PAGES[:12])

    assert snapshots == expected[:12]
    assert len(deaths) == 1


def test_source_may_render_while_a_page_asks_it(expected: list[Snapshot]) -> None:
    """The thread that renders does not wait for itself."""
    inner: list[Snapshot] = []

    class Rendering(MemorySource):
        def fetch(self, url: str) -> Resource | None:
            inner.append(renderer.render(parse(PAGES[0]), SOURCE))
            return SOURCE.fetch(url)

    with ChromiumRenderer() as renderer:
        outer = renderer.render(parse(PAGES[1]), Rendering({}))

    assert [*inner, outer] == expected[:2]


def test_threads_share_a_script_runner() -> None:
    """Each page is what its own scripts make of it."""
    raws = [
        RawPage(
            f"http://site.example/{number}",
            f"<p id=p><script>p.append(location.pathname + {number})</script>".encode(),
        )
        for number in range(12)
    ]
    with ScriptRunner() as run_scripts:
        try:
            run_scripts(raws[0], SOURCE)
        except BrowserMissing as error:
            pytest.skip(f"no scripts are run here: {error}")
        with ThreadPoolExecutor(THREADS) as threads:
            pages = list(threads.map(lambda raw: run_scripts(raw, SOURCE), raws))

    assert all(f"/{number}{number}<".encode() in page.body for number, page in enumerate(pages))
