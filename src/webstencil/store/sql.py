"""A store in an SQL database, which several processes may use at once.

It is one SQLite file, or for processes on several hosts a schema of a PostgreSQL database. What a
method has written is there when it returns, and survives the end of the process by any means. In a
file it survives a power failure up to the last checkpoint (SQLite's `synchronous=NORMAL`): what is
lost then is done again by the next run.

A page's bookkeeping and its result are two tables, so that telling what is done reads a few
hundred bytes a page and not the results. What knows one kind of database stands in `sqlite.py` and
`postgres.py`; the statements are the same for both, and transactions begin in `_reading` and
`_writing` only.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Self, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from webstencil.codec.values import decode_result, decode_stencil, encode_result, encode_stencil
from webstencil.errors import StoreError
from webstencil.model import PageResult, Status, Stencil
from webstencil.protocols import Done
from webstencil.store import tables as t
from webstencil.store.blobs import KeepsWhatWasLearned
from webstencil.store.claims import GivesTurns, learned_from, this_process
from webstencil.store.copy import CopiesRows
from webstencil.store.faults import Database, begun, explained
from webstencil.store.lookups import LooksUp
from webstencil.store.named import StorePlace, database_of
from webstencil.store.usage import CountsUses, StencilState, count_pages, end_older

LOCK_WAIT = 30.0  # s; SQLite's lock is not fair: with 8 writers the slowest waited 1.7 s
WITH_AREAS = (Status.HIT.value, Status.LEARNED.value)
TO_BE_REDONE = b""  # instead of the digest of a page
RESULTS_AT_ONCE = 100  # held in memory while results are read; about 1 MB

T = TypeVar("T")


# Statements are built once: building one takes longer than running it.
_RESULTS = (
    sa.select(t.page.c.url, t.result.c.body)
    .join(t.result, t.result.c.page == t.page.c.id)
    .where(t.page.c.maker == t.MAKER.scalar_subquery())
    .order_by(t.page.c.id)
    .execution_options(yield_per=RESULTS_AT_ONCE)
)
_RESULTS_OF = (
    sa.select(t.page.c.url, t.result.c.body)
    .join(t.result, t.result.c.page == t.page.c.id)
    .where(t.page.c.maker == t.MAKER.scalar_subquery())
    .where(t.page.c.url.in_(sa.bindparam("urls", expanding=True)))
)
_DONE = (
    sa.select(t.page.c.url, t.page.c.digest)
    .where(t.page.c.maker == t.MAKER.scalar_subquery())
    .where(t.page.c.status.in_(WITH_AREAS))
    .where(t.page.c.digest != TO_BE_REDONE)
    .order_by(t.page.c.id)
)
_COUNTS = (
    sa.select(t.page.c.status, sa.func.count())
    .where(t.page.c.maker == t.MAKER.scalar_subquery())
    .group_by(t.page.c.status)
)
_PAGE = sa.select(t.page.c.id).where(
    t.page.c.maker == sa.bindparam("maker"), t.page.c.url == sa.bindparam("url")
)
_OLD = sa.select(t.page.c.id, t.page.c.url, t.page.c.status).where(
    t.page.c.maker == sa.bindparam("maker"), t.page.c.url.in_(sa.bindparam("urls", expanding=True))
)
_DROP_RESULT = sa.delete(t.result).where(t.result.c.page == sa.bindparam("number"))
_DROP_PAGE = sa.delete(t.page).where(t.page.c.id == sa.bindparam("number"))
_FOLLOW = sa.select(sa.func.count()).where(t.page.c.stencil == t.stencil.c.key)
_SUMMARIES = (
    sa.select(*t.stencil.c["key", "site"], t.maker.c.made_by)
    .add_columns(*t.stencil.c["made_from", "areas", "nodes"])
    .add_columns(_FOLLOW.where(t.page.c.status == Status.HIT.value).scalar_subquery())
    .add_columns(_FOLLOW.scalar_subquery(), *t.stencil.c["state", "ended"])
    .join(t.maker, t.maker.c.id == t.stencil.c.maker)
    .order_by(t.stencil.c.id)
)
_ADD_PAGE = sa.insert(t.page)
_ADD_RESULT = sa.insert(t.result).from_select(
    ["page", "body"], _PAGE.add_columns(sa.bindparam("body", type_=sa.LargeBinary))
)


@dataclass(frozen=True, slots=True)
class StencilSummary:
    """What a store tells of a stencil without reading it."""

    key: str
    site: str
    made_by: str
    made_from: str
    areas: int  # number of areas
    nodes: int  # number of nodes of the learned page
    hits: int  # number of pages it was laid over
    pages: int  # number of pages that follow it, the learned one among them
    state: str = StencilState.TEACHING
    ended: int = 0  # run in which it was retired or replaced, 0 if it is teaching


class SqlStore(KeepsWhatWasLearned, CountsUses, GivesTurns, LooksUp, CopiesRows):
    """Keeps stencils and results in a database; see `seams.StencilStore`."""

    def __init__(self, engine: sa.Engine, place: Database, wait: float) -> None:
        """Use a database whose tables are there; `open_store` sees to that."""
        self._engine = engine
        self._place = place
        self._wait = wait
        # Kept open: taking a connection from the pool adds 0.1 ms to a save of 0.4 ms.
        self._writer = engine.connect().execution_options(write=True)
        self._one_writer = Lock()
        self._makers: dict[str, int] = {}
        self.owner = this_process()
        self._turns = {}

    def stencils(self, site: str, made_by: str) -> tuple[Stencil, ...]:
        """Return the stencils of a site that this segmenter made, oldest first."""
        return self.news(site, made_by).stencils

    def results(self, made_by: str) -> Iterator[PageResult]:
        """Yield the results of the pages done, in the order in which they were done.

        They are the ones the store has when the first is asked for, whatever is saved meanwhile.
        """
        with self._reading("read the results") as db:
            for url, body in db.execute(_RESULTS, {"made_by": made_by}):
                yield self._decoded(decode_result, body, url)

    def results_of(self, made_by: str, addresses: Sequence[str]) -> dict[str, PageResult]:
        """Return the results of these pages, by address, as far as there are any."""
        wanted = {"made_by": made_by, "urls": addresses}
        with self._reading("read some results") as db:
            found = db.execute(_RESULTS_OF, wanted).all()
        return {url: self._decoded(decode_result, body, url) for url, body in found}

    def done(self, made_by: str) -> dict[str, bytes]:
        """Return, for each page that has areas, its URL and the digest of its body.

        Pages that are to be done again are left out.
        """
        with self._reading("read what is done") as db:
            return dict(db.execute(_DONE, {"made_by": made_by}).all())

    def counts(self, made_by: str) -> dict[Status, int]:
        """Return, for each status, how many pages have it."""
        with self._reading("count the pages") as db:
            found: dict[str, int] = dict(db.execute(_COUNTS, {"made_by": made_by}).all())
        return {status: found.get(status.value, 0) for status in Status}

    def all_stencils(self) -> tuple[StencilSummary, ...]:
        """Return what there is to tell of each stencil, oldest first."""
        with self._reading("list the stencils") as db:
            return tuple(StencilSummary(*row) for row in db.execute(_SUMMARIES))

    def stencil(self, key: str) -> Stencil:
        """Return the stencil with that key."""
        with self._reading(f"read the stencil {key}") as db:
            body = db.scalar(sa.select(t.stencil.c.body).where(t.stencil.c.key == key))
        if body is None:
            raise self._missing(key)
        return self._decoded(decode_stencil, body, f"stencil {key}")

    def save(self, made_by: str, pages: Sequence[Done], run: int = 0) -> None:
        """Keep the results of pages, and the stencils learned from them, in one step.

        They take the place of what was kept for their URLs and `made_by`, and of stencils that had
        the same key, site and `made_by`; one that was learned from a URL before teaches no more.
        """
        maker = self._number_of(made_by)
        bodies = [encode_result(page.result) for page in pages]
        with self._writing(f"save the result of {pages[0].result.url}") as db:
            known = _add_pages(db, maker, pages, bodies)
            for page in pages:
                if page.learned is not None:
                    _add_stencil(db, maker, page.learned, page.why)
                    end_older(db, maker, page.learned, run)
                    learned_from(db, maker, page.learned, self.owner)
            if run:
                count_pages(db, run, pages, known)
        for page in pages:
            if page.learned is not None:
                self._rest(page.learned.site, maker)

    def forget(self, key: str) -> int:
        """Remove a stencil and the results made with it; return how many pages are to be redone."""
        with self._writing(f"forget the stencil {key}") as db:
            if not db.execute(sa.delete(t.stencil).where(t.stencil.c.key == key)).rowcount:
                raise self._missing(key)
            pages = sa.select(t.page.c.id).where(t.page.c.stencil == key)
            db.execute(sa.delete(t.result).where(t.result.c.page.in_(pages)))
            return db.execute(sa.delete(t.page).where(t.page.c.stencil == key)).rowcount

    def redo(self, made_by: str) -> int:
        """Let all pages be done again; return how many. Their results stay until then."""
        maker = self._number_of(made_by)
        with self._writing("let pages be done again") as db:
            pages = sa.update(t.page).where(t.page.c.maker == maker)
            return db.execute(pages.values(digest=TO_BE_REDONE)).rowcount

    def remove(self, made_by: str, url: str) -> None:
        """Remove the result of a page that is not there any more."""
        maker = self._number_of(made_by)
        with self._writing(f"remove the result of {url}") as db:
            _drop_pages(db, maker, [url])

    def close(self) -> None:
        """Give the database back."""
        self._rest_all()
        self._writer.close()
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _number_of(self, made_by: str) -> int:
        """Return the number under which the tables have `made_by`; give it one if it has none."""
        if made_by not in self._makers:
            with self._writing("save the segmenter's settings") as db:
                if db.scalar(t.MAKER, {"made_by": made_by}) is None:
                    db.execute(sa.insert(t.maker), {"made_by": made_by})
                number: int = db.scalars(t.MAKER, {"made_by": made_by}).one()
            self._makers[made_by] = number
        return self._makers[made_by]

    @contextmanager
    def _reading(self, what: str) -> Iterator[sa.Connection]:
        with explained(what, self._place), self._engine.connect() as db, begun(db, self._wait):
            yield db

    @contextmanager
    def _writing(self, what: str) -> Iterator[sa.Connection]:
        with explained(what, self._place), self._one_writer, begun(self._writer, self._wait):
            yield self._writer

    def _decoded(self, decode: Callable[[bytes], T], body: bytes, what: str) -> T:
        try:
            return decode(body)
        except StoreError as error:
            raise StoreError(f"cannot read {what} from {self._place}: {error}") from error

    def _missing(self, key: str) -> StoreError:
        return StoreError(
            f"there is no stencil {key!r} in {self._place}: list the stencils to see their keys"
        )


def open_store(
    path_or_url: StorePlace, *, wait: float = LOCK_WAIT, read_only: bool = False
) -> SqlStore:
    """Open the store in a file, or at `postgresql://user:password@host/database`.

    It is made if there is none, and its tables are brought up to date. `wait` says how many seconds
    to wait for another process that writes, or for a server that is being restarted. With
    `read_only`, a file may be one that cannot be written; what would have to be written fails.
    """
    place = database_of(path_or_url)
    if read_only:
        place = place.to_read()
    engine = place.engine(wait)
    try:
        with explained("open the store", place):
            place.prepare(engine, wait)
            return SqlStore(engine, place, wait)
    except StoreError:
        engine.dispose()
        raise


def _add_pages(
    db: sa.Connection, maker: int, pages: Sequence[Done], bodies: Sequence[bytes]
) -> frozenset[str]:
    """Add pages as those done last; return the addresses of those that had areas before."""
    known = _drop_pages(db, maker, [page.result.url for page in pages])
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


def _drop_pages(db: sa.Connection, maker: int, urls: Sequence[str]) -> frozenset[str]:
    """Take pages out that are there; return the addresses of those that had areas."""
    old = db.execute(_OLD, {"maker": maker, "urls": urls}).all()
    if old:
        pages = [{"number": row.id} for row in old]
        db.execute(_DROP_RESULT, pages)
        db.execute(_DROP_PAGE, pages)
    return frozenset([row.url for row in old if row.status in WITH_AREAS])


def _add_stencil(db: sa.Connection, maker: int, stencil: Stencil, why: str) -> None:
    """Add a stencil as the newest."""
    same = (t.stencil.c.key == stencil.key) & (t.stencil.c.site == stencil.site)
    db.execute(sa.delete(t.stencil).where(same, t.stencil.c.maker == maker))
    values = {
        "key": stencil.key,
        "site": stencil.site,
        "maker": maker,
        "made_from": stencil.made_from,
        "areas": len(stencil.areas),
        "nodes": len(stencil.tree),
        "body": encode_stencil(stencil),
        "why": why,
    }
    try:
        db.execute(sa.insert(t.stencil), values)
    except IntegrityError as error:
        raise StoreError(
            f"cannot save the stencil {stencil.key!r} of {stencil.site}: another site's or "
            "segmenter's stencil has that key; make keys from the site and the segmenter too"
        ) from error
