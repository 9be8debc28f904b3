"""What Markdown and Parquet have of a page besides its fields."""

import re
from dataclasses import dataclass

from webstencil.model import PageResult

CONTENT = "content"  # the kind of items with a page's main content
PARAGRAPH = "\n\n"
IN_WARC = re.compile(r"(?s)(?P<file>.+):(?P<offset>\d+)")


@dataclass(frozen=True, slots=True)
class PageMarkdown:
    """The main content of a page, as Markdown."""

    text: str
    made_from: str  # "items", "areas" if nothing was extracted, empty if there is none


def content_of(result: PageResult) -> PageMarkdown:
    """Return the extracted content of a page, else the texts of its areas."""
    items = [item.markdown or item.text for item in result.items if item.kind == CONTENT]
    if any(items):
        return PageMarkdown(PARAGRAPH.join(filter(None, items)), "items")
    texts = [area.text for area in result.areas if area.text]
    return PageMarkdown(PARAGRAPH.join(texts), "areas" if texts else "")


def reason_of(result: PageResult) -> str | None:
    """Return why a page has no areas, None if it has some."""
    if result.has_areas or not result.problems:
        return None
    problem = result.problems[0]
    return f"{problem.stage}: {problem.kind}: {problem.message}"


def place_in_warc(result: PageResult) -> tuple[str | None, int | None]:
    """Return the WARC file and offset of a page, if it came from one."""
    found = IN_WARC.fullmatch(result.origin)
    return (found["file"], int(found["offset"])) if found else (None, None)
