"""What workers tell, put together: results for those who wait for them, and one report."""

from collections import Counter
from collections.abc import Iterable, Sequence

from webstencil.jobs.messages import Ended, LostPage, Met, WorkerProgress
from webstencil.model import PageResult, Problem, Status
from webstencil.pipeline.report import Report
from webstencil.protocols import Done, StencilStore
from webstencil.sources import Notes
from webstencil.sources.several import NO_STYLE, REPEATED
from webstencil.store import TO_BE_REDONE
from webstencil.urls import site_of, url_hash

AT_ONCE = 64  # results read from the store


class Gathering:
    """Follows the workers of a run.

    Results are read from the store, where they are when a worker tells of them; bare ones, without
    areas and items, are those that it tells. A worker that goes on where another one died meets its
    pages again: those that were told of are left out, and those that were saved and not told of are
    known by what the store had when the run began.
    """

    def __init__(self, store: StencilStore, made_by: str, *, bare: bool = False) -> None:
        self._store = store
        self._made_by = made_by
        self._bare = bare
        self._before = store.done(made_by)
        self._told: set[bytes] = set()  # hashes of addresses
        self._counts: Counter[Status] = Counter()
        self._problems: Counter[str] = Counter()
        self._reports: dict[int, Report] = {}  # the last one of each worker
        self._repeated: dict[int, int] = {}  # the same
        self._ended: list[Ended] = []
        self.met: set[str] = set()  # addresses of pages that are as they were

    def results(self, worker: int, told: WorkerProgress) -> Iterable[PageResult]:
        """Yield the results of the pages that a worker tells of."""
        self._reports[worker], self._repeated[worker] = told.report, told.repeated
        fresh = [page for page in told.pages if self._is_new(page)]
        for start in range(0, len(fresh), AT_ONCE):
            yield from self._read(fresh[start : start + AT_ONCE])

    def lost(self, page: LostPage, run: int) -> Iterable[PageResult]:
        """Keep a page that ended its workers as one that failed, and yield that."""
        failed = failure(page)
        self._store.save(self._made_by, [Done(failed, TO_BE_REDONE)], run)
        self._told.add(url_hash(page.url))
        yield from self._read([Met(page.url, TO_BE_REDONE, failed)])

    def end(self, ended: Ended) -> None:
        """Note what a worker has met besides pages."""
        self._ended.append(ended)

    @property
    def repeated(self) -> int:
        """Return how many pages were left out because they came before."""
        return sum(self._repeated.values())

    def notes(self) -> Notes:
        """Return what was met in the sources.

        All workers read all sources, so that each of them meets the damage in them; pages that
        came before are met by one.
        """
        notes = Notes()
        missing = frozenset[str]().union(*[ended.missing for ended in self._ended])
        found = [note for ended in self._ended for note in ended.notes]
        for kind in dict.fromkeys(note.kind for note in found):
            same = [note for note in found if note.kind == kind]
            counts = [note.count for note in same]
            count = sum(counts) if kind == REPEATED else max(counts)
            first = min(note.first for note in same)
            notes.add(kind, first, len(missing) if kind == NO_STYLE else count)
        return notes

    def report(self) -> Report:
        """Sum up what was done so far."""
        counts, reports = self._counts, self._reports.values()
        audited = sum(report.audited for report in reports)
        agreed = sum((report.agreement or 0.0) * report.audited for report in reports)
        return Report(
            pages=sum(counts.values()),
            hits=counts[Status.HIT],
            learned=counts[Status.LEARNED],
            failed=counts[Status.FAILED],
            skipped=counts[Status.SKIPPED],
            rendered=sum(report.rendered for report in reports),
            audited=audited,
            agreement=agreed / audited if audited else None,
            unchanged=len(self.met),
            problems=tuple(self._problems.most_common()),
            seconds=added(report.seconds for report in reports),
        )

    def _is_new(self, page: Met) -> bool:
        """Tell whether a page was done in this run and not told of yet."""
        hashed = url_hash(page.url)
        if page.url in self.met or hashed in self._told:
            return False
        if page.result is not None or self._before.get(page.url) != page.digest:
            self._told.add(hashed)
            return True
        self.met.add(page.url)
        return False

    def _read(self, pages: Sequence[Met]) -> list[PageResult]:
        found = {page.url: page.result for page in pages if self._bare and page.result}
        if unread := [page.url for page in pages if page.url not in found]:
            found |= self._store.results_of(self._made_by, unread)
        results = [found[page.url] for page in pages if page.url in found]
        for result in results:
            self._counts[result.status] += 1
            self._problems.update(f"{problem.stage}: {problem.kind}" for problem in result.problems)
        return results


def failure(page: LostPage) -> PageResult:
    """Return the result of a page that ended its workers."""
    message = (
        f"{page.url} ended the processes that worked on it ({page.why}); leave it out, or run "
        "`webstencil --debug segment` on it to see why"
    )
    return PageResult(
        url=page.url,
        site=site_of(page.url),
        status=Status.FAILED,
        stencil=None,
        confidence=0.0,
        problems=(Problem("work", "WorkerDied", message),),
        origin=page.origin,
    )


def added(parts: Iterable[Sequence[tuple[str, float]]]) -> tuple[tuple[str, float], ...]:
    """Add up numbers by their names."""
    sums: dict[str, float] = {}
    for part in parts:
        for name, number in part:
            sums[name] = sums.get(name, 0.0) + number
    return tuple(sums.items())
