"""A cache of snapshots on disk, so that a page is rendered once for many evaluations.

The file name is a hash of what a snapshot depends on: the page as the browser gets it, the window,
the browser with its fonts, and the source code that reads the browser's answer. Style sheets and
images are not hashed: they are assumed not to change.
"""

import logging
import os
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Self

from webstencil import markup
from webstencil.codec import decode_snapshot, encode_snapshot
from webstencil.errors import RenderError, SourceError, StoreError
from webstencil.model import Page, Snapshot
from webstencil.protocols import Resources
from webstencil.render import ChromiumRenderer, browser, chromium

log = logging.getLogger(__name__)

ATTRIBUTE = "data-node"  # holds a node's number in the page as it is hashed
KEY_BYTES = 16
BEFORE_RENDERING = frozenset({"browser.py", "doctor.py", "packages.py"})  # these find a browser


def cache_folder() -> Path:
    """Return the user's cache folder."""
    named = os.environ.get("XDG_CACHE_HOME")
    return (Path(named) if named else Path.home() / ".cache") / "webstencil"


@dataclass(frozen=True)
class KeepingRenderer:
    """Renders pages that are not in the cache, and keeps complete snapshots."""

    folder: Path
    renderer: ChromiumRenderer = field(default_factory=ChromiumRenderer)

    def __enter__(self) -> Self:
        self.renderer.__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self.renderer.close()

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Return the cached snapshot of a page, or render it; raise `RenderError` if that fails."""
        file = self.folder / self._key(page, screenshot)
        kept = self._read(file)
        if kept is not None:
            return kept
        snapshot = self.renderer.render(page, resources, screenshot=screenshot)
        if snapshot.complete:
            self._write(file, snapshot)
        return snapshot

    @cached_property
    def _browser(self) -> str:
        """Return version, fonts and code of the browser."""
        found = browser.find_browser()
        running = chromium.start(found, memory_limit=self.renderer.memory_limit)
        version = running.version
        running.close()
        return f"{version} {found.fonts} {source_digest()}"

    def _key(self, page: Page, screenshot: bool) -> str:
        shown = markup.stamp(page.body, page.encoding, attribute=ATTRIBUTE)
        depends_on = (page.url, shown, self.renderer.viewport, screenshot, self._browser)
        known = blake2b(repr(depends_on).encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES)
        return known.hexdigest() + ".snapshot"

    def _read(self, file: Path) -> Snapshot | None:
        try:
            return decode_snapshot(file.read_bytes())
        except FileNotFoundError:
            return None
        except StoreError as error:
            log.warning("rendering again file=%s reason=%s", file, error)
            return None

    def _write(self, file: Path, snapshot: Snapshot) -> None:
        growing = file.with_name(f"{file.name}.{os.getpid()}")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            growing.write_bytes(encode_snapshot(snapshot))
            growing.replace(file)
        except OSError as error:
            raise SourceError(f"cannot keep a snapshot in {self.folder}: {error}") from error


def source_digest() -> str:
    """Hash the source code that makes a snapshot of a page."""
    render = files("webstencil") / "render"
    names = sorted(entry.name for entry in render.iterdir() if entry.name.endswith(".py"))
    known = blake2b(digest_size=KEY_BYTES)
    for name in names:
        if name not in BEFORE_RENDERING:
            known.update((render / name).read_bytes())
    return known.hexdigest()


@dataclass(frozen=True, slots=True)
class PreparedRenderer:
    """A renderer with the snapshot of its one page, or with none."""

    snapshot: Snapshot | None

    def render(self, page: Page, resources: Resources, *, screenshot: bool = False) -> Snapshot:
        """Return the snapshot of the page."""
        del resources, screenshot
        if self.snapshot is None:
            raise RenderError(f"{page.url} hits no stencil and must not be rendered")
        return self.snapshot

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        """Do nothing."""
