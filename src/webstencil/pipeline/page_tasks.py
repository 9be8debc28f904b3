"""What is to be done with the pages of a source."""

from collections.abc import Iterator
from dataclasses import dataclass

from webstencil.model import RawPage
from webstencil.pipeline.survey import digest, with_storable_names
from webstencil.protocols import Arrival, LiveSource, Removed, Resources, Source, Unchanged
from webstencil.settings import Settings


class _NoResources:
    """Answers for a page that brings nothing along."""

    def fetch(self, url: str) -> None:
        """Return None."""


NO_RESOURCES = _NoResources()


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page to be done."""

    raw: RawPage
    digest: bytes
    resources: Resources


def reads_twice(source: Source, settings: Settings) -> bool:
    """Return whether a source is surveyed first: it costs little, or templates must be counted."""
    if isinstance(source, LiveSource):
        return False
    return settings.min_pages_per_template > 1 or not getattr(source, "read_once", False)


def tasks(
    arrivals: Iterator[Arrival], source: Source
) -> Iterator[PageTask | Unchanged | Removed | None]:
    """Turn the pages of a source into tasks; the source answers for pages that name nobody."""
    return (task_of(one, source) if isinstance(one, RawPage) else one for one in arrivals)


def task_of(raw: RawPage, source: Resources) -> PageTask:
    """Return what is to be done with a page; its names become text that can be stored."""
    raw = with_storable_names(raw)
    return PageTask(raw, digest(raw), raw.resources or source)
