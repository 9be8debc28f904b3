"""A job as a command runs it: in this process or in workers."""

from collections.abc import Callable, Iterator
from typing import Protocol

from webstencil.model import PageResult
from webstencil.pipeline.job import Pipeline
from webstencil.pipeline.report import Report
from webstencil.protocols import Source
from webstencil.sources import Notes, Several


class RunningJob(Protocol):
    """Processes the pages of a source."""

    def run(self, source: Source) -> Iterator[PageResult]:
        """Process new and changed pages; a result is in the store before it is yielded."""

    def report(self) -> Report:
        """Return the counts and times so far."""

    @property
    def repeated(self) -> int:
        """Return how many pages were left out so far because their URL came before."""

    @property
    def notes(self) -> Notes:
        """Return the warnings of the sources."""


class Alone:
    """A job in this process."""

    def __init__(self, pipeline: Pipeline, source: Several) -> None:
        self._source = source
        self.run: Callable[[Source], Iterator[PageResult]] = pipeline.run
        self.report: Callable[[], Report] = pipeline.report

    @property
    def repeated(self) -> int:
        """Return how many pages were left out so far because their URL came before."""
        return self._source.repeated

    @property
    def notes(self) -> Notes:
        """Return the warnings of the sources."""
        return self._source.notes
