"""Warnings of a source: damage, and what was left out."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Note:
    """A kind of warning: how often it came, and where first."""

    kind: str
    count: int
    first: str


class Notes:
    """Warnings, counted by kind."""

    def __init__(self) -> None:
        self._met: dict[str, Note] = {}

    def add(self, kind: str, where: str, count: int = 1) -> None:
        """Add a warning; the first location of each kind is kept."""
        known = self._met.get(kind, Note(kind, 0, where))
        self._met[kind] = Note(kind, known.count + count, known.first)

    def clear(self) -> None:
        """Remove all warnings."""
        self._met.clear()

    def all(self) -> tuple[Note, ...]:
        """Return the warnings, the most frequent first."""
        return tuple(sorted(self._met.values(), key=lambda note: (-note.count, note.kind)))


@runtime_checkable
class Noting(Protocol):
    """A source that collects warnings while it is read."""

    @property
    def notes(self) -> Notes:
        """Return the warnings of the last reading."""
