"""Tasks for the workplace of the web pages that pages would not do as reliably."""

import os
import time
from dataclasses import dataclass

from webstencil.errors import ParseError
from webstencil.render import ChromiumRenderer
from webstencil.web.work import Tried


@dataclass(frozen=True)
class Sleep:
    """Take long."""

    seconds: float

    def run(self, renderer: ChromiumRenderer) -> Tried:
        del renderer
        time.sleep(self.seconds)
        return Tried("http://page.invalid/", f"slept {self.seconds:g} s", ())


@dataclass(frozen=True)
class Die:
    """End the process."""

    def run(self, renderer: ChromiumRenderer) -> Tried:
        del renderer
        os._exit(1)


@dataclass(frozen=True)
class Refuse:
    """Fail as a page does."""

    def run(self, renderer: ChromiumRenderer) -> Tried:
        del renderer
        raise ParseError("no HTML")
