"""Results as a folder tree of Markdown files, one per page, with front matter."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from webstencil.model import PageResult
from webstencil.output.files import (
    FileNames,
    Known,
    Output,
    claimed_folder,
    put_changed,
    writing_explained,
)

MARKDOWN_ENDING = ".md"
CONTENT_ITEM = "content"  # the kind of items with a page's main content
IN_WARC = re.compile(r"(?s)(?P<file>.+):(?P<offset>\d+)")
FRONT_MATTER_ITEMS = (  # kinds of items in the front matter
    *("title", "author", "date", "modified", "language", "site_name", "description", "image"),
    *("canonical", "licence"),
)


@dataclass(frozen=True, slots=True)
class PageMarkdown:
    """The main content of a page, as Markdown."""

    text: str
    made_from: str  # "items", "areas" if nothing was extracted, empty if there is none


def content_of(result: PageResult) -> PageMarkdown:
    """Return the extracted content of a page, else the texts of its areas."""
    items = [item.markdown or item.text for item in result.items if item.kind == CONTENT_ITEM]
    if any(items):
        return PageMarkdown("\n\n".join(filter(None, items)), "items")
    texts = [area.text for area in result.areas if area.text]
    return PageMarkdown("\n\n".join(texts), "areas" if texts else "")


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


def page_text(result: PageResult) -> str:
    """Return the Markdown of a page: front matter in YAML, then its main content."""
    content = content_of(result)
    first = {item.kind: item.text for item in reversed(result.items)}
    facts: dict[str, object] = {
        "url": result.url,
        **{kind: first[kind] for kind in FRONT_MATTER_ITEMS if kind in first},
        "type": result.type,
        "type_confidence": result.type_confidence,
        "site": result.site,
        "status": result.status.value,
        "reason": reason_of(result),
        "template": result.template,
        "stencil": result.stencil,
        "confidence": round(result.confidence, 4),
        "content_from": content.made_from,
        "origin": result.origin,
    }
    return f"{front_matter(facts)}\n{content.text}\n"


def front_matter(facts: Mapping[str, object]) -> str:
    """Return facts as YAML, with values as JSON, which is YAML and handles quotes."""
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items()]
    return "\n".join(("---", *lines, "---", ""))


class MarkdownFolder(Output):
    """A folder of Markdown files in step with a store; files are written atomically."""

    def __init__(self, path: str | Path, known: Known = tuple) -> None:
        """Write the results of `known` that are not there yet."""
        path = Path(path)
        self._folder = path
        self._names = FileNames(MARKDOWN_ENDING)
        with writing_explained(path):
            self._claim = claimed_folder(path, "Markdown")
            for result in known():
                self.write(result)

    def write(self, result: PageResult) -> None:
        put_changed(self._folder / self._names.name(result.url), page_text(result))

    def close(self) -> None:
        self._claim.release()
