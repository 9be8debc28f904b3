"""A job as a command runs it: in this process, or shared among workers."""

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
        """Process what is new or changed; each result is in the store when it comes."""

    def report(self) -> Report:
        """Sum up what was done so far."""

    @property
    def repeated(self) -> int:
        """Return how many pages were left out so far because they came before."""

    @property
    def notes(self) -> Notes:
        """Return what was met in the sources."""


class Alone:
    """A job in this process."""

    def __init__(self, pipeline: Pipeline, source: Several) -> None:
        self._source = source
        self.run: Callable[[Source], Iterator[PageResult]] = pipeline.run
        self.report: Callable[[], Report] = pipeline.report

    @property
    def repeated(self) -> int:
        """Return how many pages were left out so far because they came before."""
        return self._source.repeated

    @property
    def notes(self) -> Notes:
        """Return what was met in the sources."""
        return self._source.notes
