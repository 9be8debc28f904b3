"""Renderers and a job for tests in which several processes work on the same site.

python shared_work.py STORE FOLDER FIRST LAST
"""

import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from webstencil.errors import BrowserMissing, PageCrashed
from webstencil.jobs.job import Pipeline
from webstencil.model import Mode, Page, RawPage, Snapshot
from webstencil.protocols import Resources
from webstencil.settings import Settings
from webstencil.sources import SourcePart
from webstencil.store import open_store
from webstencil.testing import MemorySource, StackRenderer


@dataclass(frozen=True)
class SlowRenderer:
    """Takes its time, and notes in a folder what it rendered, across all processes."""

    folder: Path
    seconds: float = 0.0

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        (self.folder / f"{time.time_ns()}-{os.getpid()}").write_text(page.url)
        time.sleep(self.seconds)
        return StackRenderer().render(page, resources, screenshot=screenshot)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing."""


@dataclass(frozen=True)
class DeadlyRenderer(SlowRenderer):
    """Kills its process on pages of one site."""

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        if "deadly" in page.url:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().render(page, resources, screenshot=screenshot)


class DeadlySource(MemorySource):
    """Kills the worker that comes to a page of one site, before it has the page."""

    def pages_of(self, part: SourcePart) -> Iterator[RawPage]:
        for page in self.pages():
            if not part.has(page.url):
                continue
            if "deadly" in page.url:
                os.kill(os.getpid(), signal.SIGKILL)
            yield page


@dataclass(frozen=True)
class MissingRenderer(SlowRenderer):
    """Has no browser."""

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        del page, resources, screenshot
        raise BrowserMissing("there is none")


@dataclass(frozen=True)
class CrashingRenderer(SlowRenderer):
    """Cannot render the pages whose addresses are even."""

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        snapshot = super().render(page, resources, screenshot=screenshot)
        if page.url[-1] in "02468":
            raise PageCrashed("it crashed")
        return snapshot


def rendered(folder: Path) -> list[str]:
    """Return the addresses of what was rendered, in the order of time."""
    return [file.read_text() for file in sorted(folder.iterdir())]


def article(number: int) -> bytes:
    text = f"<h1>Story {number}</h1><div><p>Text {number}</p></div><footer>Fine print</footer>"
    return f"<body>{text}".encode()


def listing(number: int) -> bytes:
    rows = "".join(f"<tr><td>Row {row} of {number}</td></tr>" for row in range(3))
    return f"<body><table>{rows}</table><form><input></form>".encode()


def articles(first: int, last: int, site: str = "site.example") -> dict[str, bytes]:
    """Return pages of one template."""
    return {f"http://{site}/{number}": article(number) for number in range(first, last)}


def main(store: str, folder: str, first: str, last: str) -> None:
    source = MemorySource(articles(int(first), int(last)))
    with open_store(store) as opened:
        for _ in Pipeline(opened, SlowRenderer(Path(folder), 0.5), Settings(mode=Mode.PAPER)).run(
            source
        ):
            continue


if __name__ == "__main__":
    main(*sys.argv[1:])
