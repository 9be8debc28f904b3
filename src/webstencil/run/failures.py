"""What a person should know of pages that failed: why, how many, and which was the first."""

from collections.abc import Iterable, Iterator, Sequence

from webstencil.errors import SourceError, WebstencilError
from webstencil.model import PageResult, Status
from webstencil.report import Report
from webstencil.sources import Notes


def noting(results: Iterable[PageResult], failures: Notes) -> Iterator[PageResult]:
    """Pass results on, and note those that failed by the reason."""
    for result in results:
        if result.status is Status.FAILED:
            for problem in result.problems[:1]:  # others follow from the first
                failures.add(f"{problem.stage}: {problem.kind}", problem.message)
        yield result


def refuse_nothing(report: Report, names: Sequence[str]) -> None:
    """Raise if a job has found no page, or all of them failed: no result is an error."""
    if not report.pages + report.unchanged:
        raise SourceError(
            f"there is no page in {', '.join(names)}; a page is a file named .html, .htm, .xhtml "
            "or .shtml, one that begins like HTML, or such a record of a WARC file"
        )
    if report.failed == report.pages and not report.unchanged:
        raise WebstencilError(f"no page has a result: {report.failed} failed, see above")
