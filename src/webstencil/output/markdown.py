"""Results as a folder tree of Markdown files, one per page, with front matter."""

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Self

from webstencil.model import PageResult
from webstencil.output.content import content_of, reason_of
from webstencil.output.file_names import FileNames
from webstencil.output.files import claimed_folder, explained, put_changed

ENDING = ".md"
METADATA = (  # kinds of items in the front matter
    "title",
    "author",
    "date",
    "modified",
    "language",
    "site_name",
    "description",
    "image",
    "canonical",
    "licence",
)


def page_text(result: PageResult) -> str:
    """Return the Markdown of a page: front matter in YAML, then its main content."""
    content = content_of(result)
    told = {item.kind: item.text for item in reversed(result.items)}
    facts: dict[str, object] = {
        "url": result.url,
        **{kind: told[kind] for kind in METADATA if kind in told},
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


class MarkdownFolder:
    """A folder of Markdown files in step with a store; files are written atomically."""

    def __init__(self, path: str | Path, known: Callable[[], Iterable[PageResult]] = tuple) -> None:
        """Write the results of `known` that are not there yet."""
        path = Path(path)
        self._folder = path
        self._names = FileNames(ENDING)
        with explained(path):
            self._claim = claimed_folder(path, "Markdown")
            for result in known():
                self.write(result)

    def write(self, result: PageResult) -> None:
        """Write the file of a page."""
        put_changed(self._folder / self._names.name(result.url), page_text(result))

    def close(self) -> None:
        """Release the folder; all files are finished."""
        self._claim.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
