"""Results as JSON lines, one page a line; docs/output.md tells the fields."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Self

from webstencil.codec import indented, to_json
from webstencil.errors import WebstencilError
from webstencil.model import PageArea, PageResult


def json_line(result: PageResult) -> bytes:
    """Write a result as one line of JSON."""
    return to_json(result) + b"\n"


def json_areas(areas: Sequence[PageArea]) -> bytes:
    """Write areas as JSON for people, in the form they have in a result."""
    return indented(to_json(areas)) + b"\n"


class JsonLines:
    """A file of results: starts with what is already known, takes what comes.

    The file is made anew beside the old one and put in its place at once, so that it never holds
    half a line or a page twice, whatever ended the run before.
    """

    def __init__(self, path: Path, known: Iterable[PageResult] = ()) -> None:
        self._path = path
        draft = path.with_name(path.name + ".part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("wb") as file:
                file.writelines(map(json_line, known))
            draft.replace(path)
            self._file: IO[bytes] = path.open("ab")
        except OSError as error:
            raise WebstencilError(f"cannot write {path}: {error.strerror}") from error

    def write(self, result: PageResult) -> None:
        """Add a result; it is in the file when this returns."""
        try:
            self._file.write(json_line(result))
            self._file.flush()
        except OSError as error:
            raise WebstencilError(
                f"cannot write {self._path}: {error.strerror}; "
                "make room and run the same command again: nothing in the store is lost"
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()
