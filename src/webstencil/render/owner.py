"""The owner of a browser: starts it with the first page, replaces it when it dies, ends it.

A browser shows one page at a time. Threads that share an owner wait for each other.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import RLock
from typing import Self, TypeVar

from webstencil.errors import PageCrashed, PageTimeout
from webstencil.render import browser
from webstencil.render.chromium import BrowserGone, Chromium
from webstencil.render.tab import Tab

log = logging.getLogger(__name__)

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
        browser.find()
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
