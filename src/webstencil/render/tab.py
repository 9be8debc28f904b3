"""A browser tab that shows one page, what it may ask for, and who owns the browser.

The tab asks nobody but us for the resources of its page.
"""

import base64
import json
import logging
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, Self, TypeAlias, TypeVar
from urllib.parse import quote, urlsplit

from webstencil.errors import PageCrashed, PageTimeout, RenderError, SourceError
from webstencil.model import Resource, Viewport
from webstencil.protocols import Resources
from webstencil.render import browser
from webstencil.render.chromium import BrowserGone, Chromium, Json

log = logging.getLogger(__name__)

WANTED = {  # kinds of request that change how a page looks, and the type of an untyped answer
    "Stylesheet": "text/css",
    "Image": "",
    "Font": "",
}
MAX_REQUESTS = 400  # of a page
MAX_BODY = 20_000_000  # bytes of a resource
HEADER = re.compile(r"[\x20-\x7e]{1,200}")
MADE_UP = "http://page.invalid/"  # stands for pages without a URL of the web
OTHER_SCHEME = {"http": "https", "https": "http"}


def shown_url(url: str) -> str:
    """Return the URL under which the browser is shown a page."""
    parts = urlsplit(url)
    if parts.scheme in OTHER_SCHEME and parts.hostname:
        return url
    return MADE_UP + quote(parts.path.lstrip("/"), safe="/%")


def asked_url(shown: str, page_url: str) -> str:
    """Return the URL that a page means if it is shown under another URL than its own."""
    if not shown.startswith(MADE_UP) or shown_url(page_url) == page_url:
        return shown
    parts = urlsplit(page_url)
    root = f"{parts.scheme}://{parts.netloc}" if parts.scheme else ""
    slash = "/" if parts.path.startswith("/") else ""
    return root + slash + shown.removeprefix(MADE_UP)


@dataclass(slots=True)
class Supply:
    """Answers the requests of one page, and counts them: a page can ask without end."""

    page_url: str
    source: Resources
    max_requests: int
    max_body: int  # bytes
    until: float  # time of the monotonic clock
    asked: int = field(default=0, init=False)

    def __call__(self, url: str, kind: str) -> Resource | None:
        if kind not in WANTED or self.asked >= self.max_requests or time.monotonic() > self.until:
            return None
        self.asked += 1
        resource = self._fetch(asked_url(url, self.page_url))
        if resource is None or len(resource.body) > self.max_body:
            return None
        named = resource.content_type
        # The browser would refuse what cannot be a header's value, and the page would wait in vain.
        return Resource(resource.body, named if HEADER.fullmatch(named) else WANTED[kind])

    def _fetch(self, url: str) -> Resource | None:
        """Ask the source, also under the other scheme: browsers turn http into https."""
        scheme, colon, rest = url.partition(":")
        other = OTHER_SCHEME.get(scheme)
        try:
            resource = self.source.fetch(url)
            if resource is None and other is not None:
                resource = self.source.fetch(other + colon + rest)
        except SourceError as error:
            log.warning("no resource url=%s reason=%s", url, error)
            return None
        return resource


Answer: TypeAlias = Callable[[str, str], Resource | None]  # from a URL and the kind of request

# No proxy listens there, so that what slips past `Fetch` ends there. Chromium would not use the
# proxy for URLs of this machine if it were not told to.
NO_PROXY = "http://127.0.0.1:9"
EVEN_FOR_THIS_MACHINE = "<-loopback>"

# Nothing of a page may run: the browser is started so, and each page says it again.
SANDBOX = "sandbox allow-same-origin"
LOAD_EVENT_PATIENCE = 0.5  # s
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
        soon = min(until, time.monotonic() + LOAD_EVENT_PATIENCE)
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


# The owner of a browser starts it with the first page, replaces it when it dies, and ends it. A
# browser shows one page at a time. Threads that share an owner wait for each other.


Result = TypeVar("Result")


class HeldBrowser:
    """The browser of an owner, if it runs; a copy has none."""

    def __init__(self) -> None:
        self.lock = RLock()  # not a plain lock: a page's source may itself use the owner
        self.chromium: Chromium | None = None
        self.spare: Tab | None = None  # made while the last page was read

    def __reduce__(self) -> tuple[type["HeldBrowser"], tuple[()]]:
        return HeldBrowser, ()

    def close(self) -> None:
        with self.lock:
            running, self.chromium, self.spare = self.chromium, None, None
            if running:
                running.close()


@dataclass(frozen=True, slots=True)
class BrowserOwner(ABC):
    """Its fields are its settings; a copy starts a browser of its own."""

    _held: HeldBrowser = field(default_factory=HeldBrowser, init=False, repr=False, compare=False)

    def __enter__(self) -> Self:
        browser.find_browser()
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser, after the page that another thread shows; the next page starts one."""
        self._held.close()

    @abstractmethod
    def _start(self) -> Chromium:
        """Start a browser."""

    def _chromium(self) -> Chromium:
        if self._held.chromium is None:
            self._held.chromium = self._start()
        return self._held.chromium

    def _persist(self, work: Callable[[], Result]) -> Result:
        """Do something with the browser, a second time if it or the page's process dies.

        A page that took too long leaves a busy browser behind, so the next page gets a new one.
        """
        with self._held.lock:
            try:
                try:
                    return work()
                except PageCrashed as error:  # perhaps the tab was dead before the page came
                    log.warning("page crashed, trying again reason=%s", error)
                except BrowserGone as error:
                    log.warning("browser is gone, starting a new one reason=%s", error)
                    self.close()
                return work()
            except PageTimeout:
                self.close()
                raise
            except BrowserGone as error:
                self.close()
                raise PageCrashed(f"the browser ended twice ({error})") from error
