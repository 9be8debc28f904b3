"""A browser tab that shows one page and asks nobody but us for its resources."""

import base64
import json
import time
from collections.abc import Callable
from typing import Any, TypeAlias

from webstencil.errors import PageTimeout, RenderError
from webstencil.model import Resource, Viewport
from webstencil.render.chromium import Chromium, Json

Answer: TypeAlias = Callable[[str, str], Resource | None]  # from a URL and the kind of request

# No proxy listens there, so that what slips past `Fetch` ends there. Chromium would not use the
# proxy for URLs of this machine if it were not told to.
NO_PROXY = "http://127.0.0.1:9"
EVEN_FOR_THIS_MACHINE = "<-loopback>"

# Nothing of a page may run: the browser is started so, and each page says it again.
SANDBOX = "sandbox allow-same-origin"
PATIENCE = 0.5  # s
LOAD_STATE = {
    "expression": "document.readyState === 'complete' && location.protocol !== 'about:'",
    "returnByValue": True,
}
ADOPT = (
    "{const sheet = new CSSStyleSheet(); sheet.replaceSync(%s); "
    "document.adoptedStyleSheets = [sheet]}"
)
FONTS_READY = {"expression": "document.fonts.ready", "awaitPromise": True}


class Tab:
    """A tab in a browser context of its own, so that no page leaves anything for the next.

    It opens in the background: the browser can make one while another is busy.
    """

    def __init__(self, chromium: Chromium, viewport: Viewport) -> None:
        self.complete = False  # all resources of the page have arrived
        self._chromium = chromium
        self._viewport = viewport
        self._context = self._frame = self._session = ""
        self._ready = False
        self._loaded = False
        self._has_fonts = False
        self._page: Resource | None = None
        self._answer: Answer = refuse
        chromium.post(
            "Target.createBrowserContext",
            then=self._open_target,
            disposeOnDetach=True,
            proxyServer=NO_PROXY,
            proxyBypassList=EVEN_FOR_THIS_MACHINE,
        )

    def _open_target(self, result: Json) -> None:
        self._context = result["browserContextId"]
        self._chromium.post(
            "Browser.setDownloadBehavior", behavior="deny", browserContextId=self._context
        )
        self._chromium.post(
            "Target.createTarget",
            then=self._attach,
            url="about:blank",
            browserContextId=self._context,
        )

    def _attach(self, result: Json) -> None:
        self._frame = result["targetId"]
        self._chromium.post(
            "Target.attachToTarget", then=self._set_up, targetId=self._frame, flatten=True
        )

    def _set_up(self, result: Json) -> None:
        self._session = result["sessionId"]
        self._chromium.listeners[self._session] = self._listen
        self._post("Page.enable")
        metrics = self._metrics(self._viewport.height)
        self._post("Emulation.setDeviceMetricsOverride", **metrics)
        self._post("Fetch.enable", patterns=[{"urlPattern": "*"}])
        self._post("Inspector.enable", then=self._set_ready)  # the last to be done

    def _metrics(self, height: int) -> Json:
        return {
            "width": self._viewport.width,
            "height": height,
            "deviceScaleFactor": 1,
            "mobile": False,
            # The picture of Java's `String` lacked most texts when all of its window was visible.
            "dontSetVisibleSize": height > self._viewport.height,
        }

    def _set_ready(self, _result: Json) -> None:
        self._ready = True

    def usable(self) -> bool:
        """Return whether a page can be shown: the tab may have crashed while it waited."""
        return not (self._session and self._chromium.crashed(self._session))

    def show(self, page: Resource, url: str, answer: Answer, *, until: float) -> None:
        """Load `page` as if it came from `url`; what has not arrived at `until` is left out."""
        self._page, self._answer = page, answer
        self._chromium.wait(lambda: self._ready, until=until)
        failure = self._call("Page.navigate", url=url, until=until).get("errorText")
        if failure:
            raise RenderError(f"the browser refuses the page ({failure})")
        try:
            while not self._loaded:
                self._wait_for_load(until)
            if self._has_fonts:  # they may be used a little later than the page says it is loaded
                self._call("Runtime.evaluate", **FONTS_READY, until=until)
            self.complete = True
        except PageTimeout:
            self._post("Page.stopLoading")

    def _wait_for_load(self, until: float) -> None:
        """Wait a while for the event; then ask, since a browser may fail to send it."""
        soon = min(until, time.monotonic() + PATIENCE)
        try:
            self._chromium.wait(lambda: self._loaded, until=soon, session=self._session)
        except PageTimeout:
            answer = self._call("Runtime.evaluate", **LOAD_STATE, until=until)
            self._loaded = answer["result"].get("value") is True

    def capture(self, styles: tuple[str, ...], *, until: float) -> Json:
        """Return the tab's DOMSnapshot with these computed styles, and what scrolls how far."""
        return self._call(
            "DOMSnapshot.captureSnapshot", computedStyles=styles, includeDOMRects=True, until=until
        )

    def lay_out(self, height: int, css: str, *, until: float) -> None:
        """Lay the page out in a window of this height, with these rules in addition to its own."""
        self._post("Runtime.evaluate", expression=ADOPT % json.dumps(css))
        metrics = self._metrics(height)
        self._call("Emulation.setDeviceMetricsOverride", **metrics, until=until)

    def screenshot(self, width: int, height: int, *, until: float) -> bytes:
        """Return a PNG of the upper left part of the page, what lies below the window included."""
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        picture = self._call(
            "Page.captureScreenshot",
            clip=clip,
            captureBeyondViewport=True,
            optimizeForSpeed=True,  # half the time for a fifth more bytes
            until=until,
        )
        return base64.b64decode(picture["data"])

    def close(self) -> None:
        """Close the tab, also if its page hangs."""
        self._chromium.forget(self._session)
        self._chromium.post("Target.disposeBrowserContext", browserContextId=self._context)

    def _call(self, method: str, *, until: float, **params: Any) -> Json:
        return self._chromium.call(method, session=self._session, until=until, **params)

    def _post(self, method: str, **params: Any) -> None:
        self._chromium.post(method, session=self._session, **params)

    def _listen(self, event: str, params: Json) -> None:
        if event == "Fetch.requestPaused":
            self._answer_request(params)
        elif event == "Page.loadEventFired":
            self._loaded = True

    def _answer_request(self, request: Json) -> None:
        number, kind, url = request["requestId"], request["resourceType"], request["request"]["url"]
        if kind == "Document" and request["frameId"] == self._frame:
            # Later ones would lead away from the page. "Aborted" leaves it as it is, other reasons
            # show an error instead.
            page, self._page = self._page, None
            self._reply(number, page, refusal="Aborted")
            return
        resource = self._answer(url, kind)
        self._has_fonts |= resource is not None and kind == "Font"
        self._reply(number, resource, refusal="BlockedByClient")

    def _reply(self, number: str, resource: Resource | None, *, refusal: str) -> None:
        if resource is None:
            self._post("Fetch.failRequest", requestId=number, errorReason=refusal)
            return
        headers = {
            "Access-Control-Allow-Origin": "*",
            "Content-Security-Policy": SANDBOX,
            "Content-Type": resource.content_type,
        }
        self._post(
            "Fetch.fulfillRequest",
            requestId=number,
            responseCode=200,
            responseHeaders=[{"name": n, "value": value} for n, value in headers.items() if value],
            body=base64.b64encode(resource.body).decode("ascii"),
        )


def refuse(_url: str, _kind: str) -> None:
    """Answer no request."""
