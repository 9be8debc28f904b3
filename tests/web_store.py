"""A store for the tests of the web pages, made by real runs without a browser.

`a.example` was redesigned between its two runs, so that drift is noticed; one of its pages is
empty. `b.example` has texts and addresses of somebody who wants to run a script on our pages.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from starlette.testclient import TestClient

from webstencil.jobs.job import Pipeline
from webstencil.model import Item, Page, PageArea
from webstencil.protocols import Segmenter
from webstencil.queries.lists import DEFAULT, ShownStore
from webstencil.store import SqlStore, open_store
from webstencil.testing import MemorySource, StackRenderer
from webstencil.web.app import PRESETS, make_app
from webstencil.web.server import hosts_for

PAGES = 60  # of a.example, one empty page more
STORY = (
    "<!doctype html><title>S</title><body><h1>Story {0}</h1><p>Text {0}</p><ul><li>One<li>Two</ul>"
)
NEW_STORY = "<!doctype html><title>S</title><body><main><h2>Story {0}</h2><table><tr><td>Cell {0}"
SCRIPT = "<script>window.stolen=1</script>"
HOSTILE_URL = f'https://b.example/"><{SCRIPT}'
HOSTILE = b"""<!doctype html><body><h1>&lt;script&gt;window.stolen=1&lt;/script&gt;</h1>
<p onclick="x" id='"&gt;&lt;img src=x onerror=window.stolen=1&gt;'>&lt;/script&gt;&lt;img src=x
onerror=window.stolen=1&gt;</p>"""


def url_of(number: int) -> str:
    return f"https://a.example/Story/{number:03}.html"


def site_of(story: str) -> MemorySource:
    pages = {url_of(number): story.format(number).encode() for number in range(PAGES)}
    return MemorySource({**pages, "https://a.example/empty.html": b""})


class Links:
    """Gives each page a row with a link that must not become one."""

    def items(self, page: Page, areas: tuple[PageArea, ...] = ()) -> tuple[Item, ...]:
        del areas
        fields = (("link", "javascript:alert(1)"), ("page", page.url))
        return (Item("row", f"Row of {page.url}", "li", "//li", 0.5, "by hand", fields=fields),)

    def save(self) -> None:
        """Do nothing."""


def fill(store: SqlStore) -> None:
    """Run over the sites."""
    for day, source in ((1, site_of(STORY)), (2, site_of(NEW_STORY))):
        when = datetime(2026, 3, day, 12, 30, tzinfo=UTC)
        list(Pipeline(store, StackRenderer(), now=lambda: when).run(source))  # noqa: B023 - at once
    source = MemorySource({HOSTILE_URL: HOSTILE, "https://b.example/?q=1&r=%2F": HOSTILE})
    when = datetime(2026, 3, 3, tzinfo=UTC)
    pipeline = Pipeline(store, StackRenderer(), extractors=[Links()], now=lambda: when)
    list(pipeline.run(source))


def make_store(path: Path) -> Path:
    with open_store(path) as store:
        fill(store)
    return path


@contextmanager
def asking(
    path: Path, *, fetch: bool = False, segmenters: Mapping[str, Segmenter] = PRESETS[DEFAULT]
) -> Iterator[TestClient]:
    """Ask the pages of a store as a browser on this machine would."""
    app = make_app(ShownStore(path), hosts_for("127.0.0.1"), fetch=fetch, segmenters=segmenters)
    with TestClient(app, base_url="http://127.0.0.1:8000", follow_redirects=False) as client:
        yield client
