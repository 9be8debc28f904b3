"""Results as JSON lines, one page a line; docs/output.md tells the fields."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
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
    """A file of results that follows a store.

    It starts with what the store knows and takes what comes. A page that is done again keeps its
    old line until the file is closed; then the file is made anew beside the old one and put in its
    place at once. So it never holds half a line or a page twice, whatever ends the run.
    """

    def __init__(self, path: Path, known: Callable[[], Iterable[PageResult]] = tuple) -> None:
        """Write the results that `known` gives; it is asked again if one of them changes."""
        self._path = path
        self._known = known
        self._pages: set[str] = set()
        self._outdated = False
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._renew()
            self._file: IO[bytes] = path.open("ab")

    def write(self, result: PageResult) -> None:
        """Add a result; that of a new page is in the file when this returns."""
        if result.url in self._pages:
            self._outdated = True
            return
        self._pages.add(result.url)
        with self._explained():
            self._file.write(json_line(result))
            self._file.flush()

    def close(self) -> None:
        """Finish the file."""
        with self._explained():
            self._file.close()
            if self._outdated:
                self._renew()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _renew(self) -> None:
        draft = self._path.with_name(self._path.name + ".part")
        with draft.open("wb") as file:
            for result in self._known():
                self._pages.add(result.url)
                file.write(json_line(result))
        draft.replace(self._path)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of the file system into ours."""
        try:
            yield
        except OSError as error:
            raise WebstencilError(
                f"cannot write {self._path}: {error.strerror}; make room or name another file, and "
                "run the same command again: nothing in the store is lost"
            ) from error
