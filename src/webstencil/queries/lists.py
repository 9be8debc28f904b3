"""Parts of long lists, and the error for what a store does not have."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from webstencil.errors import StoreError
from webstencil.store import PAGES_AT_ONCE

T = TypeVar("T")


class NotStored(StoreError):
    """The store does not have what was asked for; the message says what to do."""


@dataclass(frozen=True, slots=True)
class ListPart:
    """A part of a long list."""

    number: int  # from 1
    total: int  # things in the whole list
    size: int = PAGES_AT_ONCE

    @property
    def last(self) -> int:
        """Return the number of the last part."""
        return max(1, -(-self.total // self.size))

    @property
    def skipped(self) -> int:
        """Return how many things come before this part."""
        return (self.number - 1) * self.size

    def of(self, things: Sequence[T]) -> Sequence[T]:
        """Return the things of this part."""
        return things[self.skipped : self.skipped + self.size]
