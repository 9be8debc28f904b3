"""What workers are told, and what they tell."""

from dataclasses import dataclass
from typing import TypeAlias

from webstencil.errors import WebstencilError
from webstencil.model import PageResult
from webstencil.pipeline.report import Report
from webstencil.protocols import Renderer, Source
from webstencil.settings import Settings
from webstencil.site.census import Census
from webstencil.sources import Note, SourcePart
from webstencil.store import StorePlace


@dataclass(frozen=True, slots=True)
class WorkerJob:
    """What all workers of a run are told; each opens the store and starts a browser itself."""

    store: StorePlace
    source: Source
    settings: Settings
    renderer: Renderer
    items: tuple[str, ...]  # names of extractors
    run: int  # its number in the store
    census: Census

    def owner(self, part: SourcePart) -> str:
        """Name who does a part: one who starts again has the turns of the one who died."""
        return f"run {self.run}, part {part.number} of {part.of}"


@dataclass(frozen=True, slots=True)
class Met:
    """A page that a worker has met."""

    url: str
    digest: bytes
    result: PageResult | None  # without areas and items; None: it was as it had been


@dataclass(frozen=True, slots=True)
class WorkerProgress:
    """What a worker did since it last told of it; all results are in the store."""

    pages: tuple[Met, ...]
    report: Report  # of all it did
    repeated: int  # pages it left out because they came before, of all it read


@dataclass(frozen=True, slots=True)
class Ended:
    """A worker has met all pages of its part."""

    notes: tuple[Note, ...]
    missing: frozenset[str]  # style sheets


@dataclass(frozen=True, slots=True)
class LostPage:
    """A page that has no result because it ends each process that works on it."""

    url: str
    origin: str
    why: str  # how they ended


@dataclass(frozen=True, slots=True)
class WorkersBroken:
    """No worker can go on."""

    error: WebstencilError


Said: TypeAlias = WorkerProgress | Ended | LostPage | WorkersBroken
STOP = "stop"  # what a worker is told to end early
