"""`Page` to `Snapshot`: a page painted by Chromium, with scripts off and without a network.

The page is written again with its nodes' numbers (`markup.stamp`), shown in a fresh tab, and read
back in one piece with its computed styles. All it asks for comes from its source.
"""

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self, TypeVar

from webstencil import markup
from webstencil.errors import BrowserMissing, PageCrashed, PageTimeout, RenderError
from webstencil.model import TEXT, Page, Resource, Snapshot, Viewport
from webstencil.protocols import Resources
from webstencil.render import browser, chromium
from webstencil.render.boxes import make_boxes, whole_page
from webstencil.render.chromium import BrowserGone, Chromium
from webstencil.render.identity import ATTRIBUTE
from webstencil.render.looks import PROPERTIES
from webstencil.render.supply import MADE_UP, Supply, shown_url
from webstencil.render.tab import Tab

log = logging.getLogger(__name__)

HTML = "text/html; charset=utf-8"
SVG = "image/svg+xml"
TALLEST = 16_384  # px of a screenshot; Chromium cannot paint higher ones in one piece
WIDEST = 2  # windows of a screenshot; boxes far off to the right are hidden ones as a rule
CHECK_TIMEOUT = 20.0  # s
ONE_LETTER = Resource(b"<!DOCTYPE html><p>x", HTML)

# What is painted later, or moves, is shown at once in its final state.
FINAL_STATE = (
    "<style>*,::before,::after{content-visibility:visible!important;animation-delay:-1ms!important;"
    "animation-duration:1ms!important;animation-iteration-count:1!important;"
    "animation-fill-mode:both!important;transition:none!important}</style>"
)

Result = TypeVar("Result")


class _Running:
    """The browser that a renderer holds, if any; a copy of the renderer starts its own."""

    def __init__(self) -> None:
        self.chromium: Chromium | None = None
        self.spare: Tab | None = None  # made while the last page was read

    def __reduce__(self) -> tuple[type["_Running"], tuple[()]]:
        return _Running, ()

    def close(self) -> None:
        running, self.chromium, self.spare = self.chromium, None, None
        if running:
            running.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChromiumRenderer:
    """Renders pages, one at a time, in a browser that it starts with the first one.

    Close it, or use `with`.
    """

    viewport: Viewport = Viewport()
    page_timeout: float = 20.0  # s to load a page; then it is taken as it is
    snapshot_timeout: float = 15.0  # s to read it, and as many for a screenshot
    memory_limit: int = 2 << 30  # bytes of each process of the browser
    max_elements: int = 60_000
    max_body: int = 20_000_000  # bytes of the page, and of each thing it asks for
    max_requests: int = 400
    _running: _Running = field(default_factory=_Running, init=False, repr=False, compare=False)

    def __enter__(self) -> Self:
        browser.find()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser; the next page would start a new one."""
        self._running.close()

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Render `page` with what `resources` has; raise a `RenderError` if that fails."""
        self._refuse_giants(page)
        html = markup.stamp(page.body, page.encoding, attribute=ATTRIBUTE, head=FINAL_STATE)
        shown = Resource(html.encode("utf-8", "replace"), HTML)
        try:
            return self._persist(lambda: self._paint(page, shown, resources, screenshot))
        except BrowserMissing:
            raise
        except RenderError as error:
            raise type(error)(f"{page.url}: {error}") from error

    def picture(self, content: str, width: int, height: int) -> bytes:
        """Return a PNG of an SVG picture or HTML page of our own, at most `TALLEST` px a side."""
        size = Viewport(min(max(width, 1), TALLEST), min(max(height, 1), TALLEST))
        kind = SVG if content.lstrip().startswith(("<svg", "<?xml")) else HTML
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

    def _persist(self, work: Callable[[], Result]) -> Result:
        """Do something with the browser; should that or the page's process end, once more.

        A page that took too long leaves a busy browser behind, so the next page gets a new one.
        """
        try:
            return work()
        except PageTimeout:
            self.close()
            raise
        except PageCrashed as error:  # perhaps the tab was dead before the page came
            log.warning("page crashed, trying again reason=%s", error)
        except BrowserGone as error:
            log.warning("browser is gone, starting a new one reason=%s", error)
            self.close()
        try:
            return work()
        except PageTimeout:
            self.close()
            raise
        except BrowserGone as error:
            self.close()
            raise PageCrashed(f"the browser ended twice ({error})") from error

    def _chromium(self) -> Chromium:
        running = self._running
        if running.chromium is None:
            running.chromium = _start_checked(self.memory_limit)
        return running.chromium

    def _tab(self) -> Tab:
        """Take the spare tab, or make one."""
        running = self._chromium()
        spare, self._running.spare = self._running.spare, None
        if spare and not spare.usable():
            spare.close()
            spare = None
        return spare or Tab(running, self.viewport)

    def _paint(
        self, page: Page, shown: Resource, resources: Resources, screenshot: bool
    ) -> Snapshot:
        tab = self._tab()
        until = time.monotonic() + self.page_timeout
        supply = Supply(page.url, resources, self.max_requests, self.max_body, until)
        try:
            tab.show(shown, shown_url(page.url), supply, until=until)
            self._running.spare = Tab(self._chromium(), self.viewport)
            captured = tab.capture(PROPERTIES, until=self._read_until())
            whole = whole_page(captured)
            width = min(math.ceil(whole.width), WIDEST * self.viewport.width)
            height = min(math.ceil(whole.height), TALLEST)
            picture = (
                tab.screenshot(width, height, until=self._read_until()) if screenshot else None
            )
        finally:
            tab.close()
        boxes = make_boxes(page, captured, self.viewport)
        return Snapshot(page.url, self.viewport, whole, boxes, tab.complete, picture)

    def _photograph(self, shown: Resource, size: Viewport) -> bytes:
        tab = Tab(self._chromium(), size)
        try:
            tab.show(shown, MADE_UP, _refuse, until=time.monotonic() + self.page_timeout)
            return tab.screenshot(size.width, size.height, until=self._read_until())
        finally:
            tab.close()

    def _read_until(self) -> float:
        return time.monotonic() + self.snapshot_timeout


def _refuse(_url: str, _kind: str) -> None:
    """Answer no request."""


def _start_checked(memory_limit: int) -> Chromium:
    running = chromium.start(browser.find(), memory_limit=memory_limit)
    try:
        _check_fonts(running)
    except RenderError:
        running.close()
        raise
    return running


def _check_fonts(running: Chromium) -> None:
    """Raise `BrowserMissing` if letters get no box: a browser without fonts does not complain."""
    tab = Tab(running, Viewport())
    try:
        tab.show(ONE_LETTER, MADE_UP, _refuse, until=time.monotonic() + CHECK_TIMEOUT)
        captured = tab.capture((), until=time.monotonic() + CHECK_TIMEOUT)
    finally:
        tab.close()
    if len(captured["documents"][0]["textBoxes"]["layoutIndex"]) != 1:
        raise BrowserMissing(
            "the browser finds no fonts, so that texts have no place; run `webstencil browser "
            "install`, or install fonts such as the package fonts-liberation"
        )
