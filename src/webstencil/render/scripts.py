"""`RawPage` to `RawPage`: the page as it is when its scripts have run.

Each page is shown in a browser that runs scripts and, like a renderer's, has no network: scripts
and data come from the page's source, and nothing is sent anywhere. What the page has become is
written out and processed as any other page. It is rendered without scripts, so that its boxes
belong to the nodes that were parsed.
"""

import time
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any

from webstencil.errors import BrowserMissing, PageTimeout, ParseError, RenderError
from webstencil.markup.parse import parse
from webstencil.model import RawPage, Resource, Viewport
from webstencil.protocols import Resources
from webstencil.render import browser
from webstencil.render.browser import Browser
from webstencil.render.chromium import MEMORY_LIMIT, Chromium, Json, confinements, try_start
from webstencil.render.tab import (
    MAX_BODY,
    MAX_REQUESTS,
    SANDBOX,
    BrowserOwner,
    Supply,
    Tab,
    shown_url,
)

NO_SCRIPTS = "--blink-settings=scriptEnabled=false"  # one of the flags of a renderer's browser
SMALL_HEAP = "--js-flags=--max-old-space-size=256"  # MB; a page that wants more crashes alone
WITH_SCRIPTS = f"{SANDBOX} allow-scripts"  # no dialogs, windows, forms, downloads
PAUSE_BETWEEN_LOOKS = 0.25  # s between two looks at a page that may still be written
EQUAL_LOOKS = 4  # in a row that see the same page; then it stays so
PAGE_SIZE = {  # two looks that give the same number saw the same page
    "expression": "document.getElementsByTagName('*').length * 1e9"
    " + document.documentElement.textContent.length",
    "returnByValue": True,
}
# A renderer, which runs no scripts, would show what is in them.
DROP_SUBSTITUTES = {
    "expression": "for (const one of document.querySelectorAll('noscript')) one.remove()"
}


class ScriptBrowser(Chromium):
    """A browser that runs scripts."""

    def _command(self, browser: Browser) -> list[str]:
        command = super()._command(browser)
        return [SMALL_HEAP if word == NO_SCRIPTS else word for word in command]


class ScriptTab(Tab):
    """A tab in which a page's scripts may change the page."""

    def settle(self, *, within: float) -> None:
        """Wait until the page stays as it is, but not longer than `within` seconds.

        Raise `PageTimeout` if the page does not answer for as long.
        """
        until = time.monotonic() + within
        seen = [self._size(within)]
        while time.monotonic() < until and (
            len(seen) < EQUAL_LOOKS or len(set(seen[-EQUAL_LOOKS:])) > 1
        ):
            soon = time.monotonic() + PAUSE_BETWEEN_LOOKS
            with suppress(PageTimeout):  # meanwhile the page's requests are answered
                self._chromium.wait(lambda: False, until=soon, session=self._session)
            seen.append(self._size(within))

    def written(self, *, until: float) -> str:
        """Return the page as it is now, as HTML."""
        self._call("Runtime.evaluate", **DROP_SUBSTITUTES, until=until)
        root = self._call("DOM.getDocument", depth=0, until=until)["root"]["nodeId"]
        html: str = self._call("DOM.getOuterHTML", nodeId=root, until=until)["outerHTML"]
        return html

    def _size(self, within: float) -> object:
        until = time.monotonic() + within
        return self._call("Runtime.evaluate", **PAGE_SIZE, until=until)["result"].get("value")

    def _answer_request(self, request: Json) -> None:
        if request["request"]["method"] != "GET":  # nothing is sent to anybody
            self._reply(request["requestId"], None, refusal="BlockedByClient")
        else:
            super()._answer_request(request)

    def _post(self, method: str, **params: Any) -> None:
        for header in params.get("responseHeaders", ()):
            if header["value"] == SANDBOX:
                header["value"] = WITH_SCRIPTS
        super()._post(method, **params)


ASKED_BY_SCRIPTS = frozenset({"Script", "XHR", "Fetch"})  # kinds of request
ANY_TYPE = "Image"  # a kind of request whose answers may have any type
MOST_CHARACTERS = 20_000_000  # of a page that scripts have written


@dataclass(frozen=True, slots=True)
class ScriptLimits:
    """The time, memory and resources that a page may take."""

    page_timeout: float = 20.0  # s to load; then it is taken as it is
    settle_timeout: float = 5.0  # s more, while it is still being written
    memory: int = MEMORY_LIMIT  # bytes of each process of the browser
    body: int = MAX_BODY  # bytes of each resource
    requests: int = MAX_REQUESTS


@dataclass(frozen=True, slots=True)
class ScriptRunner(BrowserOwner):
    """Runs the scripts of pages in a browser that it starts with the first one.

    Close it, or use `with`. Threads may share it: it shows one page after the other.
    """

    limits: ScriptLimits = ScriptLimits()
    viewport: Viewport = Viewport()

    def __call__(self, raw: RawPage, source: Resources) -> RawPage:
        """Return a page as its scripts leave it; raise a `RenderError` if they do not end.

        What is no page stays as it is.
        """
        try:
            encoding = parse(raw).encoding
        except ParseError:
            return raw
        shown = Resource(raw.body, f"text/html; charset={encoding}")
        html = self._persist(lambda: self._run(raw.url, shown, source))
        if len(html) > MOST_CHARACTERS:
            raise RenderError(f"{raw.url}: its scripts wrote {len(html):,} characters")
        return RawPage(raw.url, html.encode("utf-8", "replace"), "utf-8", raw.origin)

    def _run(self, url: str, shown: Resource, source: Resources) -> str:
        limits = self.limits
        with closing(ScriptTab(self._chromium(), self.viewport)) as tab:
            until = time.monotonic() + limits.page_timeout
            supply = Supply(url, source, limits.requests, limits.body, until)
            tab.show(shown, shown_url(url), lambda *asked: answer(supply, *asked), until=until)
            tab.settle(within=limits.settle_timeout)
            return tab.written(until=time.monotonic() + limits.settle_timeout)

    def _start(self) -> ScriptBrowser:
        """Start a browser; strangers' scripts run only where it has its sandbox."""
        found = browser.find_browser()
        ways = [confinement for confinement in confinements() if confinement.sandbox]
        running, problems = try_start(ScriptBrowser, found, ways, self.limits.memory)
        if running is None:
            raise BrowserMissing(
                f"{found.path} does not start with its sandbox, without which no scripts are run "
                f"({problems[0]}); allow user namespaces, or leave out --javascript"
            )
        return running


def answer(supply: Supply, url: str, kind: str) -> Resource | None:
    """Give scripts what they ask for, as a renderer is given images."""
    return supply(url, ANY_TYPE if kind in ASKED_BY_SCRIPTS else kind)
