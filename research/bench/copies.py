"""A large site made of a small one: its pages several times, at other URLs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from webstencil.model import RawPage, Resource
from webstencil.sources import Folder


@dataclass(frozen=True)
class Copies:
    """The first pages of a folder, several times; the files are read once."""

    folder: Path
    most: int  # pages of the folder
    times: int

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages."""
        for copy in range(self.times):
            for raw in read(self.folder, self.most):
                yield replace(raw, url=f"{raw.url}?copy={copy}")

    def count(self) -> int:
        """Return the number of pages."""
        return self.times * len(read(self.folder, self.most))

    def fetch(self, url: str) -> Resource | None:
        """Return a resource of the folder."""
        return Folder(self.folder).fetch(url)


@lru_cache
def read(folder: Path, most: int) -> tuple[RawPage, ...]:
    """Read the first pages of a folder."""
    return tuple(islice(Folder(folder).pages(), most))
