"""Collect what workers report: results, in one stream, and one report."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from webstencil.jobs.worker_messages import Ended, LostPage, Met, WorkerProgress
from webstencil.model import PageResult, Problem, Status
from webstencil.pipeline.page import WAITS, result_without_areas
from webstencil.pipeline.report import Report, problem_kinds
from webstencil.protocols import Done, PageEvent, Store, Unchanged
from webstencil.sources import Notes
from webstencil.sources.several import NO_STYLE, REPEATED
from webstencil.store import TO_BE_REDONE
from webstencil.urls import site_of, url_hash

if TYPE_CHECKING:
    from webstencil.pipeline.stored_run import StoredRun

WAITED = result_without_areas("", Status.WAITING, WAITS)  # stands for a page that waits
RESULTS_READ = 64  # from the store at once


class Gathering:
    """Collects the messages of the workers of a run.

    When a worker reports a page, its result is in the store and is read from there; a bare result,
    without areas and items, is in the message. A worker that takes over for a dead one comes to the
    same pages again: those already reported are left out, and those that were saved but not
    reported are recognised by what the store had when the run began.
    """

    def __init__(self, store: Store, learner: str, *, bare: bool = False) -> None:
        self._store = store
        self._learner = learner
        self._bare = bare
        self._before = store.results.done(learner)
        self._told: set[bytes] = set()  # hashes of the URLs that were reported
        self._counts: Counter[Status] = Counter()
        self._problems: Counter[str] = Counter()
        self._reports: dict[int, Report] = {}  # the latest of each worker
        self._repeated: dict[int, int] = {}  # by worker
        self._ended: list[Ended] = []
        self.met: set[str] = set()  # URLs of unchanged pages
        self.rendered = 0  # pages, to learn their sites

    def events(self, worker: int, told: WorkerProgress) -> Iterator[PageEvent]:
        """Yield the results of the pages that a worker reports."""
        self._reports[worker], self._repeated[worker] = told.report, told.repeated
        fresh = []
        for page in told.pages:
            if self._is_new(page):
                fresh.append(page)
            elif page.result is None:
                yield Unchanged(page.url, page.digest)
        for start in range(0, len(fresh), RESULTS_READ):
            yield from self._read(fresh[start : start + RESULTS_READ])

    def lost(self, page: LostPage, run: "StoredRun") -> Iterator[PageEvent]:
        """Save a page that crashed its workers as failed, and yield its result."""
        failed = failure(page)
        run.save([Done(failed, TO_BE_REDONE)])
        self._told.add(url_hash(page.url))
        yield from self._read([Met(page.url, TO_BE_REDONE, failed)])

    def settled(self, done: Done) -> None:
        """Count a page that waited and has a new result."""
        self._counts[Status.WAITING] -= 1
        self._problems.subtract(problem_kinds(WAITED))
        self._count(done.result)

    def _count(self, result: PageResult) -> None:
        self._counts[result.status] += 1
        self._problems.update(problem_kinds(result))

    def end(self, ended: Ended) -> None:
        """Keep the last message of a worker."""
        self._ended.append(ended)

    @property
    def repeated(self) -> int:
        """Return how many pages were left out because their URL came before."""
        return sum(self._repeated.values())

    def notes(self) -> Notes:
        """Return the warnings of the sources.

        All workers read all sources, so each of them reports the same damage; repeated pages are
        reported by one worker each.
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
        """Return the counts and times so far."""
        counts, reports = self._counts, self._reports.values()
        audited = sum(report.audited for report in reports)
        agreed = sum((report.agreement or 0.0) * report.audited for report in reports)
        return Report(
            pages=sum(counts.values()),
            hits=counts[Status.HIT],
            learned=counts[Status.LEARNED],
            failed=counts[Status.FAILED],
            skipped=counts[Status.SKIPPED],
            rendered=self.rendered + sum(report.rendered for report in reports),
            audited=audited,
            agreement=agreed / audited if audited else None,
            unchanged=len(self.met),
            problems=tuple((+self._problems).most_common()),
            seconds=added(report.seconds for report in reports),
        )

    def _is_new(self, page: Met) -> bool:
        """Return whether a page was done in this run and is reported for the first time."""
        hashed = url_hash(page.url)
        if page.url in self.met or hashed in self._told:
            return False
        if page.result is not None or self._before.get(page.url) != page.digest:
            self._told.add(hashed)
            return True
        self.met.add(page.url)
        return False

    def _read(self, pages: Sequence[Met]) -> list[Done]:
        found = {page.url: page.result for page in pages if self._bare and page.result}
        if unread := [page.url for page in pages if page.url not in found]:
            found |= self._store.results.of(self._learner, unread)
        done = [Done(found[page.url], page.digest) for page in pages if page.url in found]
        for one in done:
            self._count(one.result)
        return done


def failure(page: LostPage) -> PageResult:
    """Return the result of a page that crashed its workers."""
    message = (
        f"{page.url} crashed its worker processes ({page.why}); leave it out, or run "
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
    """Add up numbers by name."""
    sums: dict[str, float] = {}
    for part in parts:
        for name, number in part:
            sums[name] = sums.get(name, 0.0) + number
    return tuple(sums.items())
