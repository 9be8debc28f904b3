"""Pages that wait until their whole site is known: a crawl cannot read them a second time."""

from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from webstencil.codec import zstd
from webstencil.model import RawPage
from webstencil.store import schema as t
from webstencil.store.database import OpenDatabase
from webstencil.urls import sampling_key, site_of

LEVEL = 3  # of zstd: pages are read once more, at the end
AT_ONCE = 64  # pages in memory

_SAME = (t.spool.c.site == sa.bindparam("of")) & (t.spool.c.key == sa.bindparam("number"))
_DROP = sa.delete(t.spool).where(_SAME)
_ADD = sa.insert(t.spool)
_ONE = sa.select(t.spool).where(_SAME)
_COUNT = sa.select(sa.func.count()).where(t.spool.c.site == sa.bindparam("of"))
_SITES = sa.select(t.spool.c.site).distinct().order_by(t.spool.c.site)
_NEXT = (
    sa.select(t.spool)
    .where(
        sa.tuple_(t.spool.c.site, t.spool.c.key)
        > sa.tuple_(sa.bindparam("of", type_=sa.Text), sa.bindparam("number", type_=sa.BigInteger))
    )
    .order_by(t.spool.c.site, t.spool.c.key)
    .limit(AT_ONCE)
)


class SpoolTable:
    """The part of a store that keeps pages for a while."""

    def __init__(self, database: OpenDatabase) -> None:
        self._database = database

    def pages(self) -> Iterator[list[RawPage]]:
        """Yield all pages that wait, by site, some at a time; they may be dropped meanwhile."""
        site, key = "", -1
        while True:
            with self._database.reading("read pages that wait") as db:
                rows = db.execute(_NEXT, {"of": site, "number": key}).all()
            if not rows:
                return
            site, key = rows[-1].site, rows[-1].key
            yield list(map(_page, rows))

    def sites(self) -> tuple[str, ...]:
        """List the sites with pages that wait."""
        with self._database.reading("list the sites of pages that wait") as db:
            return tuple(db.scalars(_SITES))

    def count(self, site: str) -> int:
        """Return how many pages of a site wait."""
        with self._database.reading(f"count the pages of {site} that wait") as db:
            return db.scalar(_COUNT, {"of": site}) or 0

    def page(self, url: str) -> RawPage | None:
        """Return a page that waits, None if it does not."""
        with self._database.reading(f"read {url}") as db:
            row = db.execute(_ONE, {"of": site_of(url), "number": sampling_key(url)}).first()
        return None if row is None else _page(row)

    def drop(self, urls: Sequence[str]) -> None:
        """Let pages wait no longer."""
        with self._database.writing("drop pages that waited") as db:
            drop_waiting(db, urls)


def _page(row: sa.Row[Any]) -> RawPage:
    return RawPage(row.url, zstd.decompress(row.body), row.charset, row.origin)


def add_waiting(db: sa.Connection, pages: Sequence[RawPage]) -> None:
    """Keep pages, in place of older ones with the same URLs."""
    if pages:
        drop_waiting(db, [page.url for page in pages])
        db.execute(
            _ADD,
            [
                {
                    "site": site_of(page.url),
                    "key": sampling_key(page.url),
                    "url": page.url,
                    "charset": page.charset,
                    "origin": page.origin,
                    "body": zstd.compress(page.body, LEVEL),
                }
                for page in pages
            ],
        )


def drop_waiting(db: sa.Connection, urls: Sequence[str]) -> None:
    """Let pages wait no longer."""
    if urls:
        db.execute(_DROP, [{"of": site_of(url), "number": sampling_key(url)} for url in urls])
