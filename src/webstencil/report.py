"""What a job did, and how long each of its stages took."""

from dataclasses import dataclass
from time import perf_counter

from webstencil.model import PageResult


@dataclass(frozen=True, slots=True)
class Report:
    """What a job did (CPS paper, Table 1)."""

    pages: int = 0
    hits: int = 0
    learned: int = 0
    failed: int = 0
    skipped: int = 0  # of templates with too few pages
    redirects: int = 0  # pages that only lead to another one
    gone: int = 0  # pages that are not in the source any more
    rendered: int = 0  # pages, also those whose stencil could not be made, and audits
    audited: int = 0  # hits that were rendered to check them
    agreement: float | None = None  # 0..1, mean of the audits; None if there were none
    unchanged: int = 0  # done by an earlier run, not done again
    problems: tuple[tuple[str, int], ...] = ()  # "stage: kind" and how often, most often first
    seconds: tuple[tuple[str, float], ...] = ()  # by stage

    @property
    def hit_ratio(self) -> float:
        """Return the share of hits in the pages with areas."""
        return self.hits / (self.hits + self.learned) if self.hits else 0.0


class StageClock:
    """Adds up the time spent in each stage."""

    def __init__(self) -> None:
        self.stage = ""  # the one in work or the last one
        self.seconds: dict[str, float] = {}
        self._since = 0.0

    def begin(self, stage: str) -> None:
        """End the stage in work, if any, and begin another."""
        now = perf_counter()
        if self._since:
            self.seconds[self.stage] = self.seconds.get(self.stage, 0.0) + now - self._since
        self.stage, self._since = stage, now

    def end(self) -> None:
        """End the stage in work."""
        self.begin(self.stage)
        self._since = 0.0


def unwatched(_done: int, _of: int = 0) -> None:
    """Do nothing: nobody watches."""


def problem_kinds(result: PageResult) -> list[str]:
    """Name the problems of a page."""
    return [f"{problem.stage}: {problem.kind}" for problem in result.problems]
