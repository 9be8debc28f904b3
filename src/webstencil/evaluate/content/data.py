"""Pages with their main content: made by hand in one file, by a selector in folders of sites."""

import csv
import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from webstencil.errors import SourceError
from webstencil.evaluate.content.words import words
from webstencil.evaluate.floors import digest
from webstencil.markup import Markup, text

T = TypeVar("T")

ROWS_ENDING = ".jsonl.xz"
SELECTED = "selected"  # the set of pages whose gold a selector gives
ARTICLES = 30  # pages taken of each site
OTHERS = 30  # pages of other kinds that a site's pages come with
LEAST_WORDS = 30  # a page with less selected text has no content to be found
LEFT_OUT = ("redirect", "feed")  # labels of what is no page


@dataclass(frozen=True, slots=True)
class ContentGold:
    """A page and its main content; a sibling that is not scored has none."""

    set: str
    site: str  # names of sites are different in different sets
    name: str
    body: bytes
    gold: str | None


def read_gold(path: Path, selectors: Path | None = None) -> list[ContentGold]:
    """Read labelled pages from a file of rows, or from the folder of a site."""
    if path.is_dir():
        return list(_selected(path, selectors or path.parent / "sites.json"))
    if not path.is_file() or not path.name.endswith(ROWS_ENDING):
        raise SourceError(f"{path} is neither the folder of a site nor a {ROWS_ENDING} file")
    return list(_by_hand(path))


def _by_hand(path: Path) -> Iterator[ContentGold]:
    try:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                body = row["html"].encode("latin-1")
                site = f"{row['set']}/{row['site']}"
                yield ContentGold(row["set"], site, str(row["id"]), body, row["gold"])
    except (lzma.LZMAError, EOFError, ValueError, KeyError) as error:
        raise SourceError(
            f"{path} has no rows with set, site, id, html and gold: {error}"
        ) from error


def _selected(folder: Path, selectors: Path) -> Iterator[ContentGold]:
    """Read pages of a site: those with content, spread evenly, and others as their siblings."""
    site = _site(folder, selectors)
    labels = _labels(selectors.parent / "labels" / f"{folder.name}.csv")
    wanted = frozenset(site["article_labels"])
    articles = [path for path, label in labels if label in wanted]
    others = [
        path
        for path, label in labels
        if label not in wanted and not any(word in label for word in LEFT_OUT)
    ]
    found = _with_gold(folder, articles, str(site["content_selector"]))
    yield from spread(found, ARTICLES)
    for path in spread(others, OTHERS):
        body = (folder / path).read_bytes()
        yield ContentGold(SELECTED, folder.name, path, body, None)


def _site(folder: Path, selectors: Path) -> Mapping[str, Sequence[str]]:
    try:
        known = json.loads(selectors.read_text())
        site: Mapping[str, Sequence[str]] = known[folder.name]
    except (OSError, ValueError) as error:
        raise SourceError(f"{selectors} cannot be read: {error}; name it by --selectors") from error
    except KeyError as error:
        raise SourceError(f"{selectors} has no site {folder.name}") from error
    return site


def _labels(path: Path) -> list[tuple[str, str]]:
    try:
        with path.open(newline="", encoding="utf-8") as table:
            return [(row["path"], row["label"]) for row in csv.DictReader(table)]
    except (OSError, KeyError) as error:
        raise SourceError(f"{path} has no columns path and label: {error}") from error


def _with_gold(folder: Path, paths: Sequence[str], selector: str) -> list[ContentGold]:
    found = []
    for path in spread(paths, 3 * ARTICLES):  # more than are taken: some have no content
        body = (folder / path).read_bytes()
        chosen = Markup(body).select(selector)
        gold = text(chosen[:1])
        if len(words(gold)) >= LEAST_WORDS:
            found.append(ContentGold(SELECTED, folder.name, path, body, gold))
    return found


def spread(things: Sequence[T], number: int) -> list[T]:
    """Take so many of the things, evenly spread."""
    if len(things) <= number:
        return list(things)
    return [things[place * len(things) // number] for place in range(number)]


def corpus(pages: Sequence[ContentGold]) -> str:
    """Return a digest of pages and gold, so that a change of them is noticed."""
    return digest(
        piece
        for page in pages
        for piece in (page.body, (page.gold or "").encode("utf-8", "surrogatepass"))
    )
