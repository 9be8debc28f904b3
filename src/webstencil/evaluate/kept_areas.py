"""A cache of areas on disk, so that a page is segmented once for many evaluations.

The file name is a hash of what areas depend on: the snapshot, the segmenter with its settings, and
the source code of the segmenter and of what all of them share.
"""

import logging
import os
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path

from webstencil.codec import decode_value, encode_value
from webstencil.errors import SourceError, StoreError
from webstencil.model import Area, Snapshot
from webstencil.protocols import Segmenter

log = logging.getLogger(__name__)

AREAS = "areas"  # folder in the user's cache
KEY_BYTES = 16


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
        depends_on = f"{self.segmenter!r} {source_digest(type(self.segmenter))}".encode()
        known = blake2b(depends_on, digest_size=KEY_BYTES)
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
def source_digest(segmenter: type[Segmenter]) -> str:
    """Hash the source code of a segmenter: its package, and what is beside the packages of all."""
    top = files("webstencil") / "segment"
    name = segmenter.__module__.removeprefix("webstencil.segment.").partition(".")[0]
    folders = [folder for folder in (top, top / name) if folder.is_dir()]
    modules = [file for folder in folders for file in folder.iterdir()]
    known = blake2b(digest_size=KEY_BYTES)
    for file in sorted(modules, key=str):
        if file.name.endswith(".py") and file.name != "__init__.py":
            known.update(file.read_bytes())
    return known.hexdigest()
