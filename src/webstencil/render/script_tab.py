"""A browser and its tab that run the scripts of one page, and still ask nobody but us."""

import time
from contextlib import suppress
from typing import Any

from webstencil.errors import PageTimeout
from webstencil.render.browser import Browser
from webstencil.render.chromium import Chromium, Json
from webstencil.render.tab import SANDBOX, Tab

NO_SCRIPTS = "--blink-settings=scriptEnabled=false"  # one of the flags of a renderer's browser
SMALL_HEAP = "--js-flags=--max-old-space-size=256"  # MB; a page that wants more crashes alone
WITH_SCRIPTS = f"{SANDBOX} allow-scripts"  # no dialogs, windows, forms, downloads
PAUSE = 0.25  # s between two looks at a page that may still be written
LOOKS = 4  # in a row that see the same page; then it stays so
SIZE = {  # two looks that give the same number saw the same page
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
        while time.monotonic() < until and (len(seen) < LOOKS or len(set(seen[-LOOKS:])) > 1):
            soon = time.monotonic() + PAUSE
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
        return self._call("Runtime.evaluate", **SIZE, until=until)["result"].get("value")

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
