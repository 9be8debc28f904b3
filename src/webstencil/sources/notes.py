"""What a person should know of a source after it was read: damage, what was left out."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was met, how often, and where first."""

    kind: str
    count: int
    first: str


class Notes:
    """Counts what is met by kind."""

    def __init__(self) -> None:
        self._met: dict[str, Note] = {}

    def add(self, kind: str, where: str, count: int = 1) -> None:
        """Count something; the first place of each kind is remembered."""
        known = self._met.get(kind, Note(kind, 0, where))
        self._met[kind] = Note(kind, known.count + count, known.first)

    def clear(self) -> None:
        """Begin anew."""
        self._met.clear()

    def all(self) -> tuple[Note, ...]:
        """Return what was met, most often first."""
        return tuple(sorted(self._met.values(), key=lambda note: (-note.count, note.kind)))


@runtime_checkable
class Noting(Protocol):
    """A source that takes notes while it is read."""

    @property
    def notes(self) -> Notes:
        """Return what was met in the last reading."""
