"""How jobs end: Ctrl-C that is not lost, and pages that failed, counted by reason.

Python drops an exception that is raised in a destructor or in a callback of a library; the job
would go on to its end. So the signal is also remembered.
"""

import re
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from webstencil.errors import SourceError, WebstencilError
from webstencil.model import PageResult, Problem, Status
from webstencil.report import Report
from webstencil.sources import Notes


@contextmanager
def interrupts(*numbers: signal.Signals) -> Iterator[Callable[[], None]]:
    """Yield a function that raises `KeyboardInterrupt` if one was dropped; call it regularly.

    For the main thread only. Signals in `numbers` count as Ctrl-C.
    """
    came = False

    def note(_number: int, _frame: FrameType | None) -> None:
        nonlocal came
        came = True
        raise KeyboardInterrupt

    def check() -> None:
        if came:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, *numbers)}
    try:
        yield check
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# Pages that failed, counted by reason.


NUMBER_IN_REASON = re.compile(r"\d[\d,.]*\d|\d")


def noting(results: Iterable[PageResult], failures: Notes) -> Iterator[PageResult]:
    """Yield results, and count those that failed by reason."""
    for result in results:
        note_failure(result, failures)
        yield result


def note_failure(result: PageResult, failures: Notes) -> None:
    """Count a page if it failed."""
    if result.status is Status.FAILED:
        for problem in result.problems[:1]:  # others are its consequences
            failures.add(reason(problem, result.url), problem.message)


def reason(problem: Problem, url: str) -> str:
    """Write why a page failed, in the same words for all such pages.

    URL, numbers and advice are left out; the message of the first page has them.
    """
    words = problem.message.replace(url, "").split(";")[0].strip(" :")
    return f"{problem.stage}: {NUMBER_IN_REASON.sub('N', words)}"


def refuse_nothing(report: Report, names: Sequence[str]) -> None:
    """Raise if a job found no page, or if all pages failed."""
    if not report.pages + report.unchanged:
        raise SourceError(
            f"there is no page in {', '.join(names)}; pages are files named .html, .htm, .xhtml or "
            ".shtml, other files that begin like HTML, and HTML records of WARC files"
        )
    if report.failed == report.pages and not report.unchanged:
        raise WebstencilError(f"no page has a result: {report.failed} failed, see above")
