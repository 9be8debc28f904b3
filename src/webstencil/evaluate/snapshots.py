"""A cache of snapshots on disk, so that a page is rendered once for many evaluations.

The file name is a hash of what a snapshot depends on: the page as the browser gets it, the window,
the browser with its fonts, and the source code that reads the browser's answer. Style sheets and
images are not hashed: they are assumed not to change.
"""

import logging
import os
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Self

from webstencil import markup
from webstencil.codec import decode_snapshot, decode_value, encode_snapshot, encode_value
from webstencil.errors import SourceError, StoreError
from webstencil.model import Area, Page, Snapshot
from webstencil.protocols import Resources, Segmenter
from webstencil.render import ChromiumRenderer, browser, chromium

log = logging.getLogger(__name__)

NODE_ATTRIBUTE = "data-node"  # holds a node's number in the page as it is hashed
SNAPSHOT_KEY_BYTES = 16
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
        return f"{version} {found.fonts} {render_digest()}"

    def _key(self, page: Page, screenshot: bool) -> str:
        shown = markup.stamp(page.body, page.encoding, attribute=NODE_ATTRIBUTE)
        depends_on = (page.url, shown, self.renderer.viewport, screenshot, self._browser)
        known = blake2b(
            repr(depends_on).encode("utf-8", "surrogatepass"), digest_size=SNAPSHOT_KEY_BYTES
        )
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


def render_digest() -> str:
    """Hash the source code that makes a snapshot of a page."""
    render = files("webstencil") / "render"
    names = sorted(entry.name for entry in render.iterdir() if entry.name.endswith(".py"))
    known = blake2b(digest_size=SNAPSHOT_KEY_BYTES)
    for name in names:
        if name not in BEFORE_RENDERING:
            known.update((render / name).read_bytes())
    return known.hexdigest()


# A cache of areas on disk, so that a page is segmented once for many evaluations.
#
# The file name is a hash of what areas depend on: the snapshot, the segmenter with its settings,
# and the source code of the segmenter and of what all of them share.


AREAS_FOLDER = "areas"  # folder in the user's cache


@dataclass(frozen=True, slots=True)
class KeepingSegmenter:
    """Segments what is not in the cache, and keeps the areas."""

    segmenter: Segmenter
    folder: Path

    def segment(self, snapshot: Snapshot) -> tuple[Area, ...]:
        """Return the cached areas of a snapshot, or find them."""
        file = self.folder / self.file_name(snapshot)
        kept = read_areas(file)
        if kept is None:
            kept = self.segmenter.segment(snapshot)
            keep_areas(file, kept)
        return kept

    def file_name(self, snapshot: Snapshot) -> str:
        """Return where the areas of a snapshot are kept."""
        depends_on = f"{self.segmenter!r} {segmenter_digest(type(self.segmenter))}".encode()
        known = blake2b(depends_on, digest_size=SNAPSHOT_KEY_BYTES)
        known.update(encode_value(snapshot, "a snapshot"))
        return f"{known.hexdigest()}.areas"

    def __repr__(self) -> str:
        return repr(self.segmenter)  # the same learner with and without a cache


def read_areas(file: Path) -> tuple[Area, ...] | None:
    """Return the areas in a file; None if there are none."""
    try:
        return decode_value(file.read_bytes(), tuple[Area, ...], "areas")
    except FileNotFoundError:
        return None
    except StoreError as error:
        log.warning("segmenting again file=%s reason=%s", file, error)
        return None


def keep_areas(file: Path, areas: tuple[Area, ...]) -> None:
    """Write areas into a file."""
    growing = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        growing.write_bytes(encode_value(areas, "areas"))
        growing.replace(file)
    except OSError as error:
        raise SourceError(f"cannot keep areas in {file.parent}: {error}") from error


@cache
def segmenter_digest(segmenter: type[Segmenter]) -> str:
    """Hash the source code of a segmenter: its package, and what is beside the packages of all."""
    top = files("webstencil") / "segment"
    name = segmenter.__module__.removeprefix("webstencil.segment.").partition(".")[0]
    folders = [folder for folder in (top, top / name) if folder.is_dir()]
    modules = [file for folder in folders for file in folder.iterdir()]
    known = blake2b(digest_size=SNAPSHOT_KEY_BYTES)
    for file in sorted(modules, key=str):
        if file.name.endswith(".py") and file.name != "__init__.py":
            known.update(file.read_bytes())
    return known.hexdigest()
