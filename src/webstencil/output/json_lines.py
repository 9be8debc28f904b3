"""Results as JSON lines, one per page; docs/output.md describes the fields."""

import gzip
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, cast

from webstencil.codec import beginning, indented, result_json, zstd
from webstencil.errors import WebstencilError
from webstencil.model import PageArea, PageResult
from webstencil.output.files import Claim, Known, Output, draft_file, writing_explained
from webstencil.segment.vips import AreaStructure

PACKED = {".gz": "gzip", ".zst": "zstd"}  # suffixes of compressed files
FIRST_BYTES = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}
LINE_BEGINS = b'{"url":'
BYTES_LOOKED_AT = 4096  # bytes of a file that show whether it holds results


def json_line(result: PageResult) -> bytes:
    """Return a result as a line of JSON."""
    return result_json(result) + b"\n"


def json_areas(areas: Sequence[PageArea], structures: Sequence[AreaStructure] = ()) -> bytes:
    """Return areas as indented JSON, with the fields they have in a result.

    If VIPS tells them, also the separators between the areas in an area, and which are adjacent.
    """
    if not structures:
        return indented(result_json(areas)) + b"\n"
    known = json.loads(result_json(areas))
    for area, structure in zip(known, structures, strict=True):
        area["separators"] = [asdict(separator) for separator in structure.separators]
        area["neighbours"] = structure.neighbours
    return json.dumps(known, indent=2, ensure_ascii=False).encode() + b"\n"


class JsonLines(Output):
    """A file of results in step with a store; compressed if its name ends in .gz or .zst.

    It starts with the results in the store and appends new ones. A page that is processed again
    keeps its old line until the file is closed; then a new file replaces the old one. So it never
    has a page twice, however the run ends, and the next run removes a last line that a crash cut
    off. A compressed file is replaced as a whole at the end.
    """

    def __init__(self, path: str | Path, known: Known = tuple) -> None:
        """Write the results of `known`; it is called again if one of them changes."""
        path = Path(path)
        self._path = path
        self._packed = path.suffix.lower() in PACKED
        self._known = known
        self._pages: set[str] = set()
        self._outdated = False
        with writing_explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            spare_others(path)
            for taken in filter(Path.is_file, (path, draft_file(path))):
                Claim(taken).release()
            self._file = self._draft()
            self._claim = Claim(draft_file(path))  # of the file, whatever its suffix
            if not self._packed:
                self._put()
                self._file = path.open("ab")

    def write(self, result: PageResult) -> None:
        """Add a result; in a plain file, that of a new page is there when this returns."""
        if result.url in self._pages:
            self._outdated = True
            return
        self._pages.add(result.url)
        with writing_explained(self._path):
            self._file.write(json_line(result))
            if not self._packed:
                self._file.flush()

    def close(self) -> None:
        """Finish the file."""
        with writing_explained(self._path):
            self._file.close()
            if self._outdated:
                self._file = self._draft()
            if self._outdated or self._packed:
                self._put()
        self._claim.release()

    def _draft(self) -> IO[bytes]:
        """Begin a draft of the file with the known results."""
        file = opened(draft_file(self._path), self._path.suffix.lower())
        for result in self._known():
            self._pages.add(result.url)
            file.write(json_line(result))
        return file

    def _put(self) -> None:
        """Replace the old file by the draft."""
        self._file.close()
        draft_file(self._path).replace(self._path)


def spare_others(path: Path) -> None:
    """Refuse to replace a file that does not hold results: a page, a store, a device."""
    if path.exists() and not path.is_file():
        raise WebstencilError(f"{path} is not a file; choose one, and read it when the job is done")
    if not path.exists():
        return
    with path.open("rb") as file:
        start = plain = file.read(BYTES_LOOKED_AT)
    ending = path.suffix.lower()
    if ending in PACKED:
        plain = beginning(start, PACKED[ending], BYTES_LOOKED_AT)
    as_named = not start or start.startswith(FIRST_BYTES.get(ending, b""))
    if not as_named or not LINE_BEGINS.startswith(plain[: len(LINE_BEGINS)]):
        raise WebstencilError(f"{path} is not a results file; delete it or choose another")


def opened(path: Path, ending: str) -> IO[bytes]:
    """Open a file for writing, compressed by its suffix."""
    if ending == ".gz":
        return cast("IO[bytes]", gzip.GzipFile(path, "wb", mtime=0))
    if ending == ".zst":
        return cast("IO[bytes]", zstd.ZstdFile(path, "wb"))
    return path.open("wb")
