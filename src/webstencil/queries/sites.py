"""What a store tells of its sites: how many pages, how many of them hit, what changed lately."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from threading import Lock

from webstencil import urls
from webstencil.model import PageResult, Problem, Status
from webstencil.queries.drift import SiteDrift, compare
from webstencil.store import PageRow, Past, SiteRun, SqlStore, StencilState, StencilSummary

READ = 1000  # results without areas that are read to count their problems; 0.1 s


@dataclass(frozen=True, slots=True)
class SiteKey:
    """A site as one segmenter with its settings sees it."""

    site: str
    maker: int


@dataclass(frozen=True, slots=True)
class SiteSummary:
    """What there is to tell of a site."""

    key: SiteKey
    made_by: str
    hits: int
    learned: int
    failed: int
    skipped: int
    teaching: int  # stencils
    ended: int  # stencils that were retired or replaced
    last_run: str  # when it began, ISO 8601; empty if that was not noted
    unfinished: bool  # the last run goes on, or was stopped
    drift: SiteDrift | None  # None: no run was noted

    @property
    def pages(self) -> int:
        """Return the number of pages, those without areas included."""
        return self.hits + self.learned + self.failed + self.skipped

    @property
    def hit_ratio(self) -> float | None:
        """Return the share of hits in the pages with areas, None if there are none."""
        done = self.hits + self.learned
        return self.hits / done if done else None


@dataclass(slots=True)
class Count:
    """The counts of a site so far."""

    statuses: Counter[str] = field(default_factory=Counter)
    states: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Overview:
    """What is read of a store to tell of its sites, each once."""

    makers: dict[int, str]
    stencils: tuple[StencilSummary, ...]
    runs: tuple[SiteRun, ...]
    without: tuple[PageRow, ...]  # areas, newest first
    rows: tuple[SiteSummary, ...] = ()  # sorted by site


class SiteReader:
    """Reads what is told of the sites of a store.

    What stencils did takes half a second to read after a year of daily runs. So it is kept until
    they did more.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: object = None  # what the past and the drifts were read of
        self._past = Past()
        self._drifts: dict[tuple[str, str], SiteDrift] = {}  # by site and what made its stencils

    def overview(self, store: SqlStore) -> Overview:
        """Tell of all sites of a store."""
        stencils = store.all_stencils()
        past, drifts = self._read(store, stencils)
        read = Overview(
            makers=store.makers(),
            stencils=stencils,
            runs=past.runs,
            without=store.pages_without_areas(),
        )
        return replace(read, rows=site_rows(read, drifts))

    def _read(
        self, store: SqlStore, stencils: tuple[StencilSummary, ...]
    ) -> tuple[Past, dict[tuple[str, str], SiteDrift]]:
        with self._lock:
            known = store, store.uses_mark(), stencils
            if self._known != known:
                self._past = store.past()
                found = compare(self._past, stencils)
                self._drifts = {(one.site, one.made_by): one for one in found}
                self._known = known
            return self._past, self._drifts


def site_rows(read: Overview, drifts: dict[tuple[str, str], SiteDrift]) -> tuple[SiteSummary, ...]:
    """Make a row of each site, sorted by its name."""
    numbers = {made_by: number for number, made_by in read.makers.items()}
    last = {(one.site, one.made_by): one for one in read.runs}  # they are in order: the newest
    counts = count_pages(read.stencils, numbers)
    for page in read.without:
        key = SiteKey(urls.site_of(page.url), page.maker)
        counts.setdefault(key, Count()).statuses[page.status] += 1
    rows = []
    for key in sorted(counts, key=lambda key: (key.site, key.maker)):
        made_by = read.makers[key.maker]
        named = key.site, made_by
        rows.append(row_of(key, made_by, counts[key], drifts.get(named), last.get(named)))
    return tuple(rows)


def count_pages(
    stencils: Iterable[StencilSummary], numbers: dict[str, int]
) -> dict[SiteKey, Count]:
    """Count the stencils of each site, and the pages that follow them."""
    counts: dict[SiteKey, Count] = {}
    for stencil in stencils:
        key = SiteKey(stencil.site, numbers[stencil.made_by])
        count = counts.setdefault(key, Count())
        count.states[stencil.state] += 1
        count.statuses[Status.HIT] += stencil.hits
        count.statuses[Status.LEARNED] += stencil.pages - stencil.hits
    return counts


def row_of(
    key: SiteKey, made_by: str, count: Count, drift: SiteDrift | None, last: SiteRun | None
) -> SiteSummary:
    """Put together what is told of a site."""
    teaching = count.states[StencilState.TEACHING]
    return SiteSummary(
        key=key,
        made_by=made_by,
        hits=count.statuses[Status.HIT],
        learned=count.statuses[Status.LEARNED],
        failed=count.statuses[Status.FAILED],
        skipped=count.statuses[Status.SKIPPED],
        teaching=teaching,
        ended=count.states.total() - teaching,
        last_run=last.began if last else "",
        unfinished=last is not None and not last.whole,
        drift=drift,
    )


def troubled(pages: Iterable[PageRow], key: SiteKey) -> tuple[int, ...]:
    """Return the numbers of a site's pages without areas, as far as they are read."""
    return tuple(
        page.number
        for page in pages
        if page.maker == key.maker and urls.site_of(page.url) == key.site
    )[:READ]


def problem_kinds(results: Iterable[PageResult]) -> tuple[tuple[str, int], ...]:
    """Count pages by stage and kind of their problems, the most frequent first."""
    counts = Counter(kind for result in results for kind in {*map(kind_words, result.problems)})
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def kind_words(problem: Problem) -> str:
    """Name a problem as the summary of a run does."""
    return f"{problem.stage}: {problem.kind}"
