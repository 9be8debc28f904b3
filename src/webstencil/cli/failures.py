"""Pages that failed, counted by reason."""

import re
from collections.abc import Iterable, Iterator, Sequence

from webstencil.errors import SourceError, WebstencilError
from webstencil.model import PageResult, Problem, Status
from webstencil.pipeline.report import Report
from webstencil.sources import Notes

NUMBER = re.compile(r"\d[\d,.]*\d|\d")


def noting(results: Iterable[PageResult], failures: Notes) -> Iterator[PageResult]:
    """Pass results on, and note those that failed by the reason."""
    for result in results:
        note_failure(result, failures)
        yield result


def note_failure(result: PageResult, failures: Notes) -> None:
    """Note a page that failed by the reason."""
    if result.status is Status.FAILED:
        for problem in result.problems[:1]:  # others follow from the first
            failures.add(reason(problem, result.url), problem.message)


def reason(problem: Problem, url: str) -> str:
    """Say in few words what went wrong, the same for all pages that failed alike.

    The address, the numbers and the advice are left out; the first page's message has them.
    """
    words = problem.message.replace(url, "").split(";")[0].strip(" :")
    return f"{problem.stage}: {NUMBER.sub('N', words)}"


def refuse_nothing(report: Report, names: Sequence[str]) -> None:
    """Raise if a job has found no page, or all of them failed: no result is an error."""
    if not report.pages + report.unchanged:
        raise SourceError(
            f"there is no page in {', '.join(names)}; a page is a file named .html, .htm, .xhtml "
            "or .shtml, one that begins like HTML, or such a record of a WARC file"
        )
    if report.failed == report.pages and not report.unchanged:
        raise WebstencilError(f"no page has a result: {report.failed} failed, see above")
