"""`Page` to `Snapshot`: a page rendered by Chromium, with scripts off and without a network.

The page is written again with its nodes' numbers (`markup.stamp`), shown in a fresh tab, and read
back in one piece with its computed styles. Its resources come from its source.
"""

import math
import time
from contextlib import closing
from dataclasses import dataclass

from webstencil import markup
from webstencil.errors import BrowserMissing, RenderError
from webstencil.geometry import Rect
from webstencil.model import TEXT, Page, Resource, Snapshot, Viewport
from webstencil.protocols import Resources
from webstencil.render import browser, chromium
from webstencil.render.boxes import NUMBER_ATTRIBUTE, make_boxes, scrolled_page
from webstencil.render.chromium import MEMORY_LIMIT, Chromium
from webstencil.render.scrolling import capture_whole
from webstencil.render.tab import (
    MADE_UP,
    MAX_BODY,
    MAX_REQUESTS,
    BrowserOwner,
    Supply,
    Tab,
    refuse,
    shown_url,
)

SHOWN_HTML_TYPE = "text/html; charset=utf-8"
SVG_TYPE = "image/svg+xml"
TALLEST_SCREENSHOT = 16_384  # px of a screenshot; Chromium makes no taller ones in one piece
WIDEST_SCREENSHOT = 2  # windows of a screenshot; boxes far to the right are hidden as a rule
CHECK_TIMEOUT = 20.0  # s
ONE_LETTER = Resource(b"<!DOCTYPE html><p>x", SHOWN_HTML_TYPE)

# What appears later, or moves, is shown at once in its final state.
FINAL_STATE = (
    "<style>*,::before,::after{content-visibility:visible!important;animation-delay:-1ms!important;"
    "animation-duration:1ms!important;animation-iteration-count:1!important;"
    "animation-fill-mode:both!important;transition:none!important}</style>"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChromiumRenderer(BrowserOwner):
    """Renders pages in a browser that it starts with the first one. Close it, or use `with`.

    Threads may share it: they render one page after the other.
    """

    viewport: Viewport = Viewport()
    page_timeout: float = 20.0  # s to load a page; then it is taken as it is
    snapshot_timeout: float = 15.0  # s to read it, and as many for a screenshot
    memory_limit: int = MEMORY_LIMIT  # bytes of each process of the browser
    max_elements: int = 60_000
    max_body: int = MAX_BODY  # bytes of the page, and of each resource
    max_requests: int = MAX_REQUESTS

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Render `page` with `resources`; raise a `RenderError` if that fails."""
        self._refuse_giants(page)
        html = markup.stamp(page.body, page.encoding, attribute=NUMBER_ATTRIBUTE, head=FINAL_STATE)
        shown = Resource(html.encode("utf-8", "replace"), SHOWN_HTML_TYPE)
        try:
            return self._persist(lambda: self._render(page, shown, resources, screenshot))
        except BrowserMissing:
            raise
        except RenderError as error:
            raise type(error)(f"{page.url}: {error}") from error

    def picture(self, content: str, width: int, height: int) -> bytes:
        """Return a PNG of an SVG picture or HTML page of our own, at most `TALLEST` px a side."""
        size = Viewport(
            min(max(width, 1), TALLEST_SCREENSHOT), min(max(height, 1), TALLEST_SCREENSHOT)
        )
        kind = SVG_TYPE if content.lstrip().startswith(("<svg", "<?xml")) else SHOWN_HTML_TYPE
        shown = Resource(content.encode(), kind)
        return self._persist(lambda: self._photograph(shown, size))

    def _refuse_giants(self, page: Page) -> None:
        self._refuse(page, len(page.body), self.max_body, "bytes")
        elements = len(page.tree) - page.tree.tags.count(TEXT)
        self._refuse(page, elements, self.max_elements, "elements")

    def _refuse(self, page: Page, size: int, limit: int, unit: str) -> None:
        if size > limit:
            raise RenderError(
                f"{page.url} has {size} {unit}, and at most {limit} are rendered; leave it out, or "
                "take its content with `webstencil extract`, which renders nothing"
            )

    def _start(self) -> Chromium:
        running = chromium.start(browser.find_browser(), memory_limit=self.memory_limit)
        try:
            _check_fonts(running)
        except RenderError:
            running.close()
            raise
        return running

    def _tab(self) -> Tab:
        """Take the spare tab, or make one."""
        running = self._chromium()
        spare, self._held.spare = self._held.spare, None
        if spare and not spare.usable():
            spare.close()
            spare = None
        return spare or Tab(running, self.viewport)

    def _render(
        self, page: Page, shown: Resource, resources: Resources, screenshot: bool
    ) -> Snapshot:
        with closing(self._tab()) as tab:
            until = time.monotonic() + self.page_timeout
            supply = Supply(page.url, resources, self.max_requests, self.max_body, until)
            tab.show(shown, shown_url(page.url), supply, until=until)
            self._held.spare = Tab(self._chromium(), self.viewport)
            captured = capture_whole(tab, page, self.viewport, until=self._read_until())
            whole = scrolled_page(captured)
            picture = self._screenshot(tab, whole) if screenshot else None
        boxes = make_boxes(page, captured, self.viewport)
        return Snapshot(page.url, self.viewport, whole, boxes, tab.complete, picture)

    def _screenshot(self, tab: Tab, whole: Rect) -> bytes:
        width = min(math.ceil(whole.width), WIDEST_SCREENSHOT * self.viewport.width)
        height = min(math.ceil(whole.height), TALLEST_SCREENSHOT)
        return tab.screenshot(width, height, until=self._read_until())

    def _photograph(self, shown: Resource, size: Viewport) -> bytes:
        with closing(Tab(self._chromium(), size)) as tab:
            tab.show(shown, MADE_UP, refuse, until=time.monotonic() + self.page_timeout)
            return tab.screenshot(size.width, size.height, until=self._read_until())

    def _read_until(self) -> float:
        return time.monotonic() + self.snapshot_timeout


def _check_fonts(running: Chromium) -> None:
    """Raise `BrowserMissing` if letters get no box: a browser without fonts does not complain."""
    with closing(Tab(running, Viewport())) as tab:
        tab.show(ONE_LETTER, MADE_UP, refuse, until=time.monotonic() + CHECK_TIMEOUT)
        captured = tab.capture((), until=time.monotonic() + CHECK_TIMEOUT)
    if len(captured["documents"][0]["textBoxes"]["layoutIndex"]) != 1:
        raise BrowserMissing(
            "the browser finds no fonts, so that texts have no boxes; run `webstencil browser "
            "install`, or install fonts such as the package fonts-liberation"
        )
