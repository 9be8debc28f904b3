"""Parts of long lists, and the error for what a store does not have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TypeAlias, TypeVar

from webstencil.errors import SourceError, StoreError
from webstencil.model import Mode
from webstencil.protocols import Segmenter
from webstencil.segment import PUBLISHED, SEGMENTERS
from webstencil.store import PAGES_AT_ONCE, SqlStore, existing_store
from webstencil.store.postgres import PostgresDatabase

NO_NAME = "no template"  # name of the pages that fit none

AREAS_SHOWN = 500  # of a page or a stencil

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


# The store that is shown: opened once, and again if another file has replaced it.


Place: TypeAlias = Path | PostgresDatabase  # of a store


class ShownStore:
    """Holds an open store; nothing is written to it."""

    def __init__(self, location: Place) -> None:
        self.location = location
        self.name = str(location)  # without a password
        self._lock = Lock()
        self._mark = mark_of(location)
        self._store: SqlStore | None = existing_store(location)

    def store(self) -> SqlStore:
        """Return the store; raise a `StoreError` if it no longer exists."""
        mark = mark_of(self.location)
        with self._lock:
            if self._store is not None and mark == self._mark:
                return self._store
            self.close()
            try:
                self._store = existing_store(self.location)
            except SourceError as error:
                raise StoreError(f"the store is gone: {error}, or put it back") from error
            self._mark = mark_of(self.location)
            return self._store

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()
            self._store = None


def mark_of(location: Place) -> tuple[int, int] | None:
    """Return what tells a file from another one of the same name, None if it is no file."""
    if not isinstance(location, Path):
        return None
    try:
        found = location.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


# Learners in words.


DEFAULT, PAPER = "default", "paper"  # presets


def learner_words(learner: str) -> str:
    """Write a learner, or a segmenter, by what differs from the nearest preset.

    The preset is named if it is not the usual one of the mode.
    """
    head, _, settings = learner.removesuffix(")").partition("(")
    name = head.rpartition(" ")[2]
    presets = {DEFAULT: {key: made() for key, made in SEGMENTERS.items()}, PAPER: PUBLISHED}
    usual = PAPER if head.partition(" ")[0] == Mode.PAPER else DEFAULT
    others = {preset: unlike(settings, name, known) for preset, known in presets.items()}
    near = min(others, key=lambda preset: (len(others[preset]), preset != usual))
    told = [*([] if near == usual else [f"preset {near}"]), *others[near]]
    return f"{head}({', '.join(told)})" if told else head


def unlike(settings: str, name: str, presets: Mapping[str, Segmenter]) -> list[str]:
    """Return the settings that differ from those of a segmenter among some."""
    usual = {type(preset).__name__: repr(preset) for preset in presets.values()}
    known = usual.get(name, "").removesuffix(")").partition("(")[2].split(", ")
    return [pair for pair in settings.split(", ") if pair not in known]
