"""A crawl's lists to show: extracted, visited and outgoing links."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from webstencil.errors import SourceError
from webstencil.store.sqlite import connect_to_read

LISTS = {
    "extracted": "SELECT name, url FROM page JOIN site ON site.id = page.site "
    "WHERE queued = 1 ORDER BY site.id, tries, depth, page.id",
    "visited": "SELECT outcome, url FROM page WHERE queued = 0 ORDER BY site, depth, id",
    "outgoing": "SELECT name, link FROM site WHERE visited = 0 ORDER BY id",
}


def listed(path: Path, which: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of a list: the outcome of a page, or its site, and its URL."""
    if not path.exists():
        raise SourceError(
            f"{path} does not exist; `webstencil crawl URL --store STORE` creates it, or name "
            "another file with --frontier"
        )
    try:
        with closing(connect_to_read(path)) as db:
            yield from db.execute(LISTS[which])
    except sqlite3.Error as error:
        raise SourceError(
            f"cannot read {path}: {error}; name the file of a crawl's lists with --frontier"
        ) from error
