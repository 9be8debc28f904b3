"""Readers of labelled data: packed files of pages, and `sites.json` with tables of labels.

A page that is empty or not HTML does not end an evaluation: it is left out, and its URL is passed
to a callback, so that the command can say how many there were.
"""

import csv
import json
import lzma
import shutil
import tarfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from webstencil.errors import ParseError, SourceError
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage

ROWS_ENDING = ".jsonl.xz"
SITES_NAME = "sites.json"
SITE_FACTS = ("article_labels", "content_selector")
REDIRECT = "redirect"  # label of pages that have no template

LeftOut: TypeAlias = Callable[[str], object]  # gets the URL of a page that is left out


def nobody(_url: str) -> None:
    """Ignore the pages that are left out."""


def read_rows(path: Path, keys: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the lines of a packed file of pages; raise `SourceError` if one lacks a key."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if missing := set(keys).difference(row):
                    raise ValueError(f"a line has no {min(missing)}")
                yield row
    except (OSError, EOFError, lzma.LZMAError, ValueError, TypeError) as error:
        raise SourceError(
            f"{path} cannot be read: {error}; it must hold a JSON object a line with "
            f"{', '.join(keys)}, compressed by xz"
        ) from error


def row_body(row: dict[str, Any]) -> bytes:
    """Return the bytes of a page, which files of rows have as Latin-1."""
    body: bytes = row["html"].encode("latin-1")
    return body


def row_page(row: dict[str, Any]) -> RawPage:
    """Return a page of a file of rows, with a made-up URL."""
    return RawPage(f"http://{row['site']}/{row['id']}", row_body(row))


@dataclass(frozen=True, slots=True)
class LabelledSite:
    """A whole site: its files, the types of its pages, and the content of its articles."""

    name: str
    folder: Path
    labels: tuple[tuple[str, str], ...]  # path and type of each page
    articles: frozenset[str]  # types
    content: str  # CSS selector
    host: str

    def paths(self, *, articles: bool) -> list[str]:
        """Return the paths of articles, or of all other pages."""
        return [path for path, label in self.labels if (label in self.articles) is articles]


def labelled_sites(path: Path, pages_root: Path | None = None) -> Iterator[LabelledSite]:
    """Yield the sites of a `sites.json`, whose labels are beside it."""
    for name, facts in _sites_file(path).items():
        yield _labelled_site(path, (pages_root or path.parent) / name, name, facts)


def labelled_site(folder: Path, sites: Path | None = None) -> LabelledSite:
    """Return the site in a folder; by default, its `sites.json` is beside it."""
    path, name = sites or folder.parent / SITES_NAME, folder.resolve().name
    known = _sites_file(path)
    if name not in known:
        raise SourceError(f"{path} has no site {name}; give another file by --selectors")
    return _labelled_site(path, folder, name, known[name])


def _labelled_site(path: Path, folder: Path, name: str, facts: dict[str, Any]) -> LabelledSite:
    return LabelledSite(
        name,
        folder,
        tuple(read_labels(path.parent / "labels" / f"{name}.csv")),
        frozenset(facts["article_labels"]),
        str(facts["content_selector"]),
        next(iter(facts.get("hosts", ())), name),
    )


def _sites_file(path: Path) -> dict[str, dict[str, Any]]:
    """Read the facts of each site from a `sites.json`."""
    try:
        sites: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8"))
        for name, facts in sites.items():
            if missing := set(SITE_FACTS).difference(facts):
                raise ValueError(f"{name} has no {min(missing)}")
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise SourceError(
            f"{path} cannot be read: {error}; it must hold {' and '.join(SITE_FACTS)} of each site"
        ) from error
    return sites


def read_labels(table: Path) -> list[tuple[str, str]]:
    """Read the path and label of each page from a CSV file."""
    try:
        with table.open(newline="", encoding="utf-8") as file:
            return [(row["path"], row["label"]) for row in csv.DictReader(file)]
    except OSError as error:
        raise SourceError(f"{table} cannot be read: {error.strerror}") from error
    except KeyError as error:
        raise SourceError(f"{table} has no column {error}; it needs path and label") from error


def existing_folder(folder: Path) -> Path:
    """Return the folder of a site, or raise `SourceError`."""
    if not folder.is_dir():
        raise SourceError(
            f"{folder} is not a folder; give the folder of {folder.name} by --pages-root"
        )
    return folder


def read_page(folder: Path, path: str) -> RawPage:
    """Read a page; one that cannot be read comes with its fault."""
    url, origin = f"http://{folder.name}/{path}", str(folder / path)
    try:
        return RawPage(url, (folder / path).read_bytes(), origin=origin)
    except OSError as error:
        return RawPage(url, b"", origin=origin, fault=error.strerror or str(error))


def readable_page(raw: RawPage, left_out: LeftOut = nobody) -> Page | None:
    """Parse a page, or leave it out and return None."""
    try:
        return parse(raw)
    except ParseError:
        left_out(raw.url)
        return None


def evenly_spread(pages: int, number: int) -> list[int]:
    """Choose so many of the pages, evenly spread; return their indexes."""
    chosen = min(number, pages)
    return [index * pages // chosen for index in range(chosen)]


# Data in tar archives.


ARCHIVE_KEY_BYTES = 8


def unpacked(path: Path, cache: Path) -> Path:
    """Return `path` if it is a folder; else unpack the tar archive into the cache once."""
    if path.is_dir():
        return path
    if not path.is_file() or not tarfile.is_tarfile(path):
        raise SourceError(f"{path} is neither a folder nor a tar archive of one")
    folder = cache / "unpacked" / f"{path.name.partition('.')[0]}-{archive_state(path)}"
    if not folder.is_dir():
        unpack_archive(path, folder)
    inside = sorted(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def archive_state(path: Path) -> str:
    """Hash path, size and time of a file, so that a changed one is unpacked again."""
    known = path.stat()
    words = f"{path.resolve()} {known.st_size} {known.st_mtime_ns}"
    return blake2b(
        words.encode("utf-8", "surrogateescape"), digest_size=ARCHIVE_KEY_BYTES
    ).hexdigest()


def unpack_archive(path: Path, folder: Path) -> None:
    """Unpack an archive; the folder appears when it is complete."""
    growing = folder.with_name(f"{folder.name}.part")
    try:
        shutil.rmtree(growing, ignore_errors=True)
        growing.mkdir(parents=True)
        with tarfile.open(path) as archive:
            archive.extractall(growing, filter="data")
        growing.rename(folder)
    except (OSError, tarfile.TarError) as error:
        raise SourceError(f"cannot unpack {path} into {folder}: {error}") from error
