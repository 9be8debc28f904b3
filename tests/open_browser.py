"""A browser as a visitor has one: with scripts, and with a way to servers of this machine.

The browser that paints pages has neither; this one is the same program without these limits. It
tells what was asked for and what its console said.
"""

import base64
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from webstencil.errors import BrowserMissing
from webstencil.render import browser, chromium
from webstencil.render.browser import Browser
from webstencil.render.chromium import BrowserGone, Chromium, Confinement

LIMITS = ("--blink-settings=", "--host-resolver-rules=")
THIS_MACHINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
MEMORY = 2 << 30  # bytes
PATIENCE = 20.0  # s


class OpenBrowser(Chromium):
    """A browser with scripts."""

    def _command(self, browser: Browser) -> list[str]:
        kept = [part for part in super()._command(browser) if not part.startswith(LIMITS)]
        return [kept[0], THIS_MACHINE, *kept[1:]]


class Visit:
    """A tab in which a visitor goes from page to page."""

    def __init__(self, running: OpenBrowser, width: int, scheme: str) -> None:
        self.requests: list[str] = []  # addresses
        self.faults: list[str] = []  # what console and network complained of
        self._running = running
        self._came = self._loaded = False  # the page that is waited for
        target = running.call("Target.createTarget", url="about:blank", until=soon())["targetId"]
        attached = running.call(
            "Target.attachToTarget", targetId=target, flatten=True, until=soon()
        )
        self._session: str = attached["sessionId"]
        running.listeners[self._session] = self._listen
        for part in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{part}.enable")
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        wish = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=wish)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self._running.call(method, session=self._session, until=soon(), **params)

    def go(self, url: str) -> None:
        """Load a page."""
        self._came = False
        self.call("Page.navigate", url=url)
        self.wait_for_load()

    def wait_for_load(self) -> None:
        """Wait for the next page; one before it may still be loading."""
        self._running.wait(self._is_there, until=soon(), session=self._session)

    def _is_there(self) -> bool:
        return self._came and self._loaded

    def tell(self, script: str) -> Any:
        """Return what a script says."""
        answer = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def click(self, script: str) -> None:
        """Click what a script returns, and wait for the page that comes."""
        self._came = False
        self.tell(f"({script}).click()")
        self.wait_for_load()

    def screenshot(self) -> bytes:
        """Return a PNG of the whole page."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        taken = self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        return base64.b64decode(taken["data"])

    def _listen(self, event: str, params: dict[str, Any]) -> None:
        if event == "Page.frameNavigated":
            self._came, self._loaded = True, False
        elif event == "Page.loadEventFired":
            self._loaded = True
        elif event == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif event == "Runtime.exceptionThrown":
            self.faults.append(params["exceptionDetails"]["text"])
        elif event == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.faults.append(params["entry"]["text"])


def soon() -> float:
    return time.monotonic() + PATIENCE


@contextmanager
def visiting(width: int = 1280, scheme: str = "light") -> Iterator[Visit]:
    """Open a browser; its network is that of this machine."""
    running = started()
    try:
        yield Visit(running, width, scheme)
    finally:
        running.close()


def started() -> OpenBrowser:
    """Start the browser as confined as may be."""
    found = browser.find_browser()
    users = {known.user for known in chromium.confinements()}
    for sandbox in (True, False):
        for user in users:
            try:
                return OpenBrowser(found, Confinement(sandbox, False, user), memory_limit=MEMORY)
            except BrowserGone:
                continue
    raise BrowserMissing(f"{found.path} does not start")
