"""`RawPage` to `RawPage`: the page as it is when its scripts have run.

Each page is shown in a tab of a browser of its own kind, which runs scripts and has no network, as
a renderer's has none: scripts and data come from the page's source, and nothing is sent anywhere.
What the page has become is written out and goes the way of any other page, which is then rendered
without scripts, so that its boxes belong to the nodes that were parsed.
"""

import time
from dataclasses import dataclass
from typing import Self

from webstencil.errors import BrowserMissing, ParseError, RenderError
from webstencil.markup.parse import parse
from webstencil.model import RawPage, Resource, Viewport
from webstencil.protocols import Resources
from webstencil.render import browser
from webstencil.render.chromium import BrowserGone, confinements
from webstencil.render.script_tab import ScriptBrowser, ScriptTab
from webstencil.render.supply import Supply, shown_url

ASKED_BY_SCRIPTS = frozenset({"Script", "XHR", "Fetch"})  # kinds of request
PAINTED = "Image"  # a kind that a renderer asks for, whose answers have any type
MOST_CHARACTERS = 20_000_000  # of a page that scripts have written


@dataclass(frozen=True, slots=True)
class ScriptLimits:
    """What a page may take."""

    page_timeout: float = 20.0  # s to load; then it is taken as it is
    settle_timeout: float = 5.0  # s more, while it is still being written
    memory: int = 2 << 30  # bytes of each process of the browser
    body: int = 20_000_000  # bytes of each thing it asks for
    requests: int = 400


class ScriptRunner:
    """Runs the scripts of pages, one page at a time, in a browser that it starts with the first.

    Close it, or use `with`. A copy starts a browser of its own.
    """

    def __init__(
        self, limits: ScriptLimits | None = None, viewport: Viewport | None = None
    ) -> None:
        self._limits = limits or ScriptLimits()
        self._viewport = viewport or Viewport()
        self._browser: ScriptBrowser | None = None

    def __reduce__(self) -> tuple[type["ScriptRunner"], tuple[ScriptLimits, Viewport]]:
        return ScriptRunner, (self._limits, self._viewport)

    def __enter__(self) -> Self:
        browser.find()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser; the next page would start a new one."""
        running, self._browser = self._browser, None
        if running:
            running.close()

    def __call__(self, raw: RawPage, source: Resources) -> RawPage:
        """Return a page as its scripts leave it; raise a `RenderError` if they do not end.

        What is no page stays as it is.
        """
        try:
            encoding = parse(raw).encoding
        except ParseError:
            return raw
        try:
            html = self._run(raw, encoding, source)
        except BrowserMissing:
            raise
        except RenderError:  # the next page gets a browser that is not busy
            self.close()
            raise
        return RawPage(raw.url, html.encode("utf-8", "replace"), "utf-8", raw.origin)

    def _run(self, raw: RawPage, encoding: str, source: Resources) -> str:
        limits = self._limits
        until = time.monotonic() + limits.page_timeout
        supply = Supply(raw.url, source, limits.requests, limits.body, until)
        if self._browser is None:
            self._browser = start(limits.memory)
        tab = ScriptTab(self._browser, self._viewport)
        try:
            shown = Resource(raw.body, f"text/html; charset={encoding}")
            tab.show(shown, shown_url(raw.url), lambda *asked: answer(supply, *asked), until=until)
            tab.settle(within=limits.settle_timeout)
            html = tab.written(until=time.monotonic() + limits.settle_timeout)
        finally:
            tab.close()
        if len(html) > MOST_CHARACTERS:
            raise RenderError(f"{raw.url}: its scripts wrote {len(html):,} characters")
        return html


def answer(supply: Supply, url: str, kind: str) -> Resource | None:
    """Give scripts what they ask for, as a renderer is given pictures."""
    return supply(url, PAINTED if kind in ASKED_BY_SCRIPTS else kind)


def start(memory: int) -> ScriptBrowser:
    """Start a browser; strangers' scripts run only where it has its sandbox."""
    found, problems = browser.find(), []
    for confinement in confinements():
        if confinement.sandbox:
            try:
                return ScriptBrowser(found, confinement, memory_limit=memory)
            except BrowserGone as error:
                problems.append(str(error))
    raise BrowserMissing(
        f"{found.path} does not start with its sandbox, without which no scripts are run "
        f"({problems[0]}); allow user namespaces, or leave out --javascript"
    )
