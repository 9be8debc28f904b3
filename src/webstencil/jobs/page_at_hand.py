"""The page that a worker is processing, kept where its parent can read it after a crash."""

import os
import pickle
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from webstencil.model import RawPage

LARGEST = 1 << 20  # bytes written; no URL is that long


@dataclass(frozen=True, slots=True)
class Hand:
    """An unnamed file that worker and parent have open; costs a few microseconds per page."""

    descriptor: int

    @classmethod
    def new(cls) -> Self:
        """Create the file; the caller closes it."""
        with tempfile.TemporaryFile() as file:
            return cls(os.dup(file.fileno()))

    def take(self, page: RawPage | None) -> None:
        """Write down the page that is begun, None when it is done."""
        note = None if page is None else (page.url, page.origin)
        with suppress(OSError):  # a full disk must not end the job
            os.pwrite(self.descriptor, pickle.dumps(note), 0)

    def page(self) -> tuple[str, str] | None:
        """Return URL and origin of the page in work, None if there is none."""
        try:
            note: tuple[str, str] | None = pickle.loads(os.pread(self.descriptor, LARGEST, 0))
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return note

    def close(self) -> None:
        """Close the file."""
        os.close(self.descriptor)
