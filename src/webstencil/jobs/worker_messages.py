"""Messages to workers and from workers."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from webstencil.errors import WebstencilError
from webstencil.model import PageResult
from webstencil.pipeline.learning import Rendered
from webstencil.pipeline.report import Report
from webstencil.protocols import Renderer, Source
from webstencil.settings import Settings
from webstencil.sources import Note, SourcePart
from webstencil.store import StorePlace


class Phase(Enum):
    """What workers do with the pages of a source."""

    SURVEY = auto()  # save their outlines
    LEARN = auto()  # render those that are wanted
    PROCESS = auto()  # find their areas


@dataclass(frozen=True, slots=True)
class WorkerJob:
    """A job as workers get it; each opens the store and starts a browser itself."""

    store: StorePlace
    source: Source
    settings: Settings
    renderer: Renderer
    items: tuple[str, ...]  # names of extractors
    run: int  # number of the run in the store
    phase: Phase = Phase.PROCESS
    surveyed: bool = False  # the source was surveyed before its pages are processed
    wanted: frozenset[str] = frozenset()  # URLs of pages to render

    def owner(self, part: SourcePart) -> str:
        """Return who holds the claims of a part: a new worker takes over those of a dead one."""
        return f"run {self.run}, part {part.number} of {part.of}"


@dataclass(frozen=True, slots=True)
class Met:
    """A page that a worker came to."""

    url: str
    digest: bytes
    result: PageResult | None  # without areas and items; None if the page is unchanged


@dataclass(frozen=True, slots=True)
class WorkerProgress:
    """What a worker did since its last message; all results are in the store."""

    pages: tuple[Met, ...]
    report: Report  # on all its pages so far
    repeated: int  # pages left out so far because their URL came before


@dataclass(frozen=True, slots=True)
class SurveyProgress:
    """How many pages a worker has surveyed so far, and of which sites."""

    pages: int
    sites: frozenset[str] = frozenset()  # in its last message


@dataclass(frozen=True, slots=True)
class RenderProgress:
    """What came of the pages that a worker rendered so far."""

    told: Rendered


@dataclass(frozen=True, slots=True)
class Ended:
    """A worker has finished its part."""

    notes: tuple[Note, ...]
    missing: frozenset[str]  # URLs of style sheets


@dataclass(frozen=True, slots=True)
class LostPage:
    """A page without a result, because it crashes its worker processes."""

    url: str
    origin: str
    why: str  # exit code or signal of the last one


@dataclass(frozen=True, slots=True)
class WorkersBroken:
    """The job cannot go on."""

    error: WebstencilError


Said: TypeAlias = (
    WorkerProgress | SurveyProgress | RenderProgress | Ended | LostPage | WorkersBroken
)
STOP = "stop"  # tells a worker to end early
