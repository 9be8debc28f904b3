"""What hits cost, measured in jobs that know some stencils and meet pages that they do not know.

Each page is parsed bare right before the job gets it, so that both find the processor's caches as a
job leaves them. Several jobs are run; a page counts with its fastest parse and its fastest hit: the
others measure what else the machine does.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from webstencil import markup
from webstencil.evaluate.snapshots import PreparedRenderer
from webstencil.model import PageResult, RawPage, Status, Stencil
from webstencil.pipeline.job import Pipeline
from webstencil.pipeline.report import Report
from webstencil.protocols import Done, StencilStore
from webstencil.settings import Settings
from webstencil.store import open_store

STAGES = ("parse", "match", "locate", "describe")  # from bytes to areas with their texts
JOBS = 7


@dataclass(frozen=True, slots=True)
class HitCost:
    """What one hit took."""

    bare: float  # s, a parse and nothing else
    stages: tuple[float, ...]  # s, in the order of `STAGES`

    @property
    def seconds(self) -> float:
        return sum(self.stages)

    @property
    def parses(self) -> float:
        return self.seconds / self.bare


@dataclass(frozen=True, slots=True)
class Timed:
    """A source that parses each page before it gives it, and looks at the clock after that."""

    raws: Sequence[RawPage]
    told: Callable[[], Report]
    costs: dict[str, HitCost]  # of the hits so far, by address

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages."""
        for raw in self.raws:
            bare = parse_seconds(raw.body)
            before = self.told()
            yield raw
            after = self.told()
            if after.hits > before.hits:
                spent = [dict(report.seconds) for report in (before, after)]
                stages = [spent[1].get(name, 0.0) - spent[0].get(name, 0.0) for name in STAGES]
                self.costs[raw.url] = HitCost(bare, tuple(stages))

    def count(self) -> int:
        """Return the number of pages."""
        return len(self.raws)

    def fetch(self, url: str) -> None:
        """Have nothing to fetch: only hits are of interest."""
        del url


def hit_costs(
    stencils: Sequence[Stencil], raws: Sequence[RawPage], settings: Settings
) -> dict[str, HitCost]:
    """Time the pages that hit one of the stencils; return what they cost, by address."""
    found: dict[str, HitCost] = {}
    for _ in range(JOBS):
        for url, cost in job(stencils, raws, settings).items():
            found[url] = fastest(found.get(url, cost), cost)
    return found


def job(
    stencils: Sequence[Stencil], raws: Sequence[RawPage], settings: Settings
) -> dict[str, HitCost]:
    """Run a job that knows some stencils and can render nothing; return what its hits cost."""
    with TemporaryDirectory() as scratch, open_store(Path(scratch, "hits.db")) as store:
        teach(store, stencils, settings)
        pipeline = Pipeline(store, PreparedRenderer(None), settings)
        source = Timed(raws, pipeline.report, {})
        for _ in pipeline.run(source):
            pass
    return source.costs


def teach(store: StencilStore, stencils: Iterable[Stencil], settings: Settings) -> None:
    """Put stencils into a store as if they were learned there, from pages that were others then."""
    for known in stencils:
        learned = PageResult(known.made_from, known.site, Status.LEARNED, known.key, 1.0)
        store.save(settings.learner, [Done(learned, b"", known)])


def fastest(one: HitCost, other: HitCost) -> HitCost:
    """Return the fastest bare parse and the fastest hit."""
    return HitCost(min(one.bare, other.bare), min(one.stages, other.stages, key=sum))


def parse_seconds(body: bytes) -> float:
    """Return how long a bare parse takes."""
    began = perf_counter()
    markup.bare_parse(body)
    return perf_counter() - began
