"""Which page a worker has at hand, written where its parent finds it when the worker is dead."""

import os
import pickle
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from webstencil.model import RawPage

LARGEST = 1 << 20  # bytes of a note; an address of that length is no address


@dataclass(frozen=True, slots=True)
class Hand:
    """A file without a name that both have open; it costs a few microseconds a page."""

    descriptor: int

    @classmethod
    def new(cls) -> Self:
        """Make one, which is to be closed."""
        with tempfile.TemporaryFile() as file:
            return cls(os.dup(file.fileno()))

    def take(self, page: RawPage | None) -> None:
        """Note the page that is begun, None if one is done."""
        note = None if page is None else (page.url, page.origin)
        with suppress(OSError):  # with a full disk no page is known; that must not end the job
            os.pwrite(self.descriptor, pickle.dumps(note), 0)

    def page(self) -> tuple[str, str] | None:
        """Return address and origin of the page that is at hand, None if there is none."""
        try:
            note: tuple[str, str] | None = pickle.loads(os.pread(self.descriptor, LARGEST, 0))
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return note

    def close(self) -> None:
        """Give the file back."""
        os.close(self.descriptor)
