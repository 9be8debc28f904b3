"""The cost of hits, measured in jobs that have some stencils and get pages they have not seen.

Each page gets a bare parse right before the job gets it, so that both find the processor's caches
as a job leaves them. Several jobs are run; a page counts with its fastest parse and its fastest
hit, since slower ones measure other load on the machine.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from webstencil import markup
from webstencil.evaluate.snapshots import PreparedRenderer
from webstencil.jobs.job import Pipeline
from webstencil.model import PageResult, RawPage, Status, Stencil
from webstencil.protocols import Done, Store
from webstencil.report import Report
from webstencil.settings import Settings
from webstencil.store import open_store

STAGES = ("parse", "match", "locate", "describe")  # from bytes to areas with their texts
JOBS = 7


@dataclass(frozen=True, slots=True)
class HitCost:
    """The times of one hit."""

    bare: float  # s, a parse and nothing else
    stages: tuple[float, ...]  # s, in the order of `STAGES`

    @property
    def seconds(self) -> float:
        return sum(self.stages)

    @property
    def parses(self) -> float:
        return self.seconds / self.bare


@dataclass(frozen=True, slots=True)
class TimedSource:
    """A source that parses each page before it yields it, and times the job after that."""

    raws: Sequence[RawPage]
    report: Callable[[], Report]
    costs: dict[str, HitCost]  # of the hits so far, by URL

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages."""
        for raw in self.raws:
            bare = parse_seconds(raw.body)
            before = self.report()
            yield raw
            after = self.report()
            if after.hits > before.hits:
                spent = [dict(state.seconds) for state in (before, after)]
                stages = [spent[1].get(name, 0.0) - spent[0].get(name, 0.0) for name in STAGES]
                self.costs[raw.url] = HitCost(bare, tuple(stages))

    def count(self) -> int:
        """Return the number of pages."""
        return len(self.raws)

    def fetch(self, url: str) -> None:
        """Return nothing: hits need no resources."""
        del url


def hit_costs(
    stencils: Sequence[Stencil], raws: Sequence[RawPage], settings: Settings
) -> dict[str, HitCost]:
    """Return the cost of the pages that hit one of the stencils, by URL."""
    found: dict[str, HitCost] = {}
    for _ in range(JOBS):
        for url, cost in job(stencils, raws, settings).items():
            found[url] = fastest(found.get(url, cost), cost)
    return found


def job(
    stencils: Sequence[Stencil], raws: Sequence[RawPage], settings: Settings
) -> dict[str, HitCost]:
    """Run a job that has some stencils and cannot render; return the cost of its hits."""
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "hits.db")) as store:
        save_stencils(store, stencils, settings)
        pipeline = Pipeline(store, PreparedRenderer(None), settings)
        source = TimedSource(raws, pipeline.report, {})
        for _ in pipeline.run(source):
            pass
    return source.costs


def save_stencils(store: Store, stencils: Iterable[Stencil], settings: Settings) -> None:
    """Save stencils in a store as if they had been learned there."""
    for known in stencils:
        learned = PageResult(known.made_from, known.site, Status.LEARNED, known.key, 1.0)
        store.save(settings.learner, [Done(learned, b"", known)])


def fastest(one: HitCost, other: HitCost) -> HitCost:
    """Return the fastest bare parse and the fastest hit."""
    return HitCost(min(one.bare, other.bare), min(one.stages, other.stages, key=sum))


def parse_seconds(body: bytes) -> float:
    """Return the seconds of a bare parse."""
    began = perf_counter()
    markup.bare_parse(body)
    return perf_counter() - began
