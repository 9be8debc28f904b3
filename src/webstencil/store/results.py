"""Results of pages.

A page's bookkeeping and its result are two tables, so that reading what is done takes a few
hundred bytes a page and not the results.
"""

from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from webstencil.codec import decode_result, encode_result
from webstencil.model import PageResult, Status
from webstencil.protocols import Done
from webstencil.store import schema as t
from webstencil.store.database import OpenDatabase
from webstencil.store.outlines import drop_outline
from webstencil.store.spool import drop_waiting

WITH_AREAS = (Status.HIT.value, Status.LEARNED.value)
# Pages that need not be read again: those that wait are kept, and redirects lead elsewhere.
DONE = (*WITH_AREAS, Status.WAITING.value, Status.REDIRECT.value)
TO_BE_REDONE = b""  # instead of the digest of a page
RESULTS_AT_ONCE = 100  # held in memory while results are read; about 1 MB

# Statements are built once: building one takes longer than running it.
_OF_MAKER = t.page.c.maker == t.MAKER.scalar_subquery()
_BODIES = (
    sa.select(t.page.c.url, t.result.c.body)
    .join(t.result, t.result.c.page == t.page.c.id)
    .where(_OF_MAKER)
)
_RESULTS = _BODIES.order_by(t.page.c.id).execution_options(yield_per=RESULTS_AT_ONCE)
_RESULTS_OF = _BODIES.where(t.page.c.url.in_(sa.bindparam("urls", expanding=True)))
_DONE = (
    sa.select(t.page.c.url, t.page.c.digest)
    .where(_OF_MAKER)
    .where(t.page.c.status.in_(DONE))
    .where(t.page.c.digest != TO_BE_REDONE)
    .order_by(t.page.c.id)
)
_COUNTS = sa.select(t.page.c.status, sa.func.count()).where(_OF_MAKER).group_by(t.page.c.status)
_PAGE = sa.select(t.page.c.id).where(
    t.page.c.maker == sa.bindparam("maker"), t.page.c.url == sa.bindparam("url")
)
_OLD = sa.select(t.page.c.id, t.page.c.url, t.page.c.status).where(
    t.page.c.maker == sa.bindparam("maker"), t.page.c.url.in_(sa.bindparam("urls", expanding=True))
)
_DROP_RESULT = sa.delete(t.result).where(t.result.c.page == sa.bindparam("number"))
_DROP_PAGE = sa.delete(t.page).where(t.page.c.id == sa.bindparam("number"))
_ADD_PAGE = sa.insert(t.page)
_ADD_RESULT = sa.insert(t.result).from_select(
    ["page", "body"], _PAGE.add_columns(sa.bindparam("body", type_=sa.LargeBinary))
)
_REVISE = (
    sa.update(t.result)
    .where(t.result.c.page == _PAGE.scalar_subquery())
    .values(body=sa.bindparam("new", type_=sa.LargeBinary))
)


class ResultTable:
    """The part of a store that keeps results; see `protocols.StencilStore`."""

    def __init__(self, database: OpenDatabase) -> None:
        self._database = database

    def results(self, learner: str) -> Iterator[PageResult]:
        with self._database.reading("read the results") as db:
            for url, body in db.execute(_RESULTS, {"made_by": learner}):
                yield self._database.decoded(decode_result, body, url)

    def results_of(self, learner: str, urls: Sequence[str]) -> dict[str, PageResult]:
        with self._database.reading("read some results") as db:
            found = db.execute(_RESULTS_OF, {"made_by": learner, "urls": urls}).all()
        return {url: self._database.decoded(decode_result, body, url) for url, body in found}

    def done(self, learner: str) -> dict[str, bytes]:
        with self._database.reading("read what is done") as db:
            return dict(db.execute(_DONE, {"made_by": learner}).all())

    def counts(self, learner: str) -> dict[Status, int]:
        with self._database.reading("count the pages") as db:
            found: dict[str, int] = dict(db.execute(_COUNTS, {"made_by": learner}).all())
        return {status: found.get(status.value, 0) for status in Status}

    def redo(self, learner: str) -> int:
        maker = self._database.maker(learner)
        with self._database.writing("let pages be done again") as db:
            pages = sa.update(t.page).where(t.page.c.maker == maker)
            return db.execute(pages.values(digest=TO_BE_REDONE)).rowcount

    def remove(self, learner: str, url: str) -> None:
        maker = self._database.maker(learner)
        with self._database.writing(f"remove the result of {url}") as db:
            drop_pages(db, maker, [url])
            drop_outline(db, url)
            drop_waiting(db, [url])

    def revise(self, learner: str, results: Sequence[PageResult]) -> None:
        maker = self._database.maker(learner)
        rows = [{"maker": maker, "url": one.url, "new": encode_result(one)} for one in results]
        if rows:
            with self._database.writing("save results again") as db:
                db.execute(_REVISE, rows)


def add_pages(
    db: sa.Connection, maker: int, pages: Sequence[Done], bodies: Sequence[bytes]
) -> frozenset[str]:
    """Add pages as those done last; return the URLs of those that had areas before."""
    known = drop_pages(db, maker, [page.result.url for page in pages])
    done = [
        {
            "maker": maker,
            "url": page.result.url,
            "status": page.result.status.value,
            "stencil": page.result.stencil,
            "digest": page.digest,
            "version": page.result.version,
        }
        for page in pages
    ]
    results = [
        {"maker": maker, "url": page.result.url, "body": body}
        for page, body in zip(pages, bodies, strict=True)
    ]
    db.execute(_ADD_PAGE, done)
    db.execute(_ADD_RESULT, results)
    return known


def drop_pages(db: sa.Connection, maker: int, urls: Sequence[str]) -> frozenset[str]:
    """Delete pages, if they are there; return the URLs of those that had areas."""
    old = db.execute(_OLD, {"maker": maker, "urls": urls}).all()
    if old:
        pages = [{"number": row.id} for row in old]
        db.execute(_DROP_RESULT, pages)
        db.execute(_DROP_PAGE, pages)
    return frozenset([row.url for row in old if row.status in WITH_AREAS])
