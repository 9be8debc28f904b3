"""Sets of pages with the labels of their templates.

Labels come from a table, from a file of pages, or from the pages themselves: many programs write
the type of a page into the classes of its `body`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from webstencil import markup
from webstencil.errors import SourceError
from webstencil.evaluate.labelled_data import (
    REDIRECT,
    ROWS_ENDING,
    read_labels,
    read_page,
    read_rows,
    readable,
    row_page,
    site_folder,
)
from webstencil.model import RawPage
from webstencil.sources import Folder

LABELS_ENDING = ".csv"


class PageLabels(NamedTuple):
    """The labels of a page; empty if it has none: then it is clustered, and not scored."""

    type: str  # as the site has it
    layout: str  # types that a person would call one layout have the same


NO_LABELS = PageLabels("", "")


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Pages to cluster together, each with its labels."""

    name: str
    pages: Iterable[tuple[RawPage, PageLabels]]


def read_sets(path: Path, pages_root: Path | None = None) -> Iterator[LabelledSet]:
    """Read the sets of a file: one from a table of labels, one or more from a file of pages."""
    if path.is_dir():
        raise SourceError(
            f"{path} is a folder; give its table of labels, or read the labels from its pages by "
            "--label-body-class"
        )
    if not path.is_file():
        raise SourceError(f"{path} is not a file; give a table of labels or a file of pages")
    if path.name.endswith(LABELS_ENDING):
        folder = site_folder(pages_root or path.parent, path.stem)
        yield LabelledSet(path.stem, labelled_files(path, folder))
    elif path.name.endswith(ROWS_ENDING):
        yield from pooled(path)
    else:
        raise SourceError(f"{path} must end in {LABELS_ENDING} or {ROWS_ENDING}")


def labelled_files(labels: Path, folder: Path) -> Iterator[tuple[RawPage, PageLabels]]:
    """Yield the pages of a table of labels in its order."""
    for path, label in read_labels(labels):
        if label != REDIRECT:
            yield read_page(folder, path), PageLabels(label, label)


def pooled(path: Path) -> Iterator[LabelledSet]:
    """Read the sets of a file of pages: the pages of a vertical, or else of a set.

    A template belongs to one site; where a site has several, the row names it.
    """
    pools: dict[str, list[tuple[RawPage, PageLabels]]] = {}
    for row in read_rows(path, ("site", "id", "html")):
        kind = row.get("template")
        if kind != REDIRECT:
            names = (kind, row.get("merged") or kind)
            labels = PageLabels(*["/".join(filter(None, (row["site"], name))) for name in names])
            pool = row.get("vertical") or row.get("set") or ""
            pools.setdefault(pool, []).append((row_page(row), labels))
    for name, pages in pools.items():
        yield LabelledSet(f"{path.name.removesuffix(ROWS_ENDING)} {name}".strip(), pages)


def self_labelled(folder: Path) -> LabelledSet:
    """Read the pages of a folder, labelled by the classes of their bodies."""
    if not folder.is_dir():
        raise SourceError(f"{folder} is not a folder; --label-body-class needs folders of pages")
    return LabelledSet(folder.resolve().name, _self_labelled_files(folder))


def _self_labelled_files(folder: Path) -> Iterator[tuple[RawPage, PageLabels]]:
    for raw in Folder(folder).pages():
        page = readable(raw)
        body = page.markup.body if page is not None else None
        label = body_label(markup.attribute(body, "class")) if body is not None else ""
        yield raw, PageLabels(label, label)


def body_label(classes: str) -> str:
    """Return the label that the classes of a body make; those with a digit name single pages.

    >>> body_label("single-post postid-17 single")
    'single single-post'
    """
    kept = {name for name in classes.split() if not any(map(str.isdigit, name))}
    return " ".join(sorted(kept))
