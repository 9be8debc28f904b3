"""What people look up in a store: pages by their address, the result of one, pages without areas.

Nothing is written here, and no statement needs more than the indexes that there are: an address
is searched for in one pass over one.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TypeVar

import sqlalchemy as sa

from webstencil.codec.values import decode_result, decode_stencil
from webstencil.model import PageResult, Stencil
from webstencil.store import tables as t

T = TypeVar("T")

PAGES_AT_ONCE = 50  # shown together


@dataclass(frozen=True, slots=True)
class PageRow:
    """What a store tells of a page without reading its result."""

    number: int  # until it is done again
    url: str
    status: str
    stencil: str | None
    maker: int


@dataclass(frozen=True, slots=True)
class PageFilter:
    """Which pages are looked for."""

    text: str = ""  # in the address, in whatever case
    status: str = ""  # empty for any
    stencil: str = ""  # key, empty for any
    skipped: int = 0  # pages before the first to be shown


_ROW = (t.page.c.id, t.page.c.url, t.page.c.status, t.page.c.stencil, t.page.c.maker)
_WITHOUT_AREAS = sa.select(*_ROW).where(t.page.c.stencil.is_(None)).order_by(t.page.c.id.desc())
_RESULT = (
    sa.select(t.result.c.body)
    .join(t.page, t.page.c.id == t.result.c.page)
    .where(t.page.c.url == sa.bindparam("url"))
    .where(t.page.c.maker == sa.bindparam("maker"))
)
_MAKERS_OF = (
    sa.select(t.page.c.maker)
    .where(t.page.c.maker.in_(sa.select(t.maker.c.id)))
    .where(t.page.c.url == sa.bindparam("url"))
    .order_by(t.page.c.id.desc())
)
_NUMBERED = (
    sa.select(t.page.c.url, t.result.c.body)
    .join(t.page, t.page.c.id == t.result.c.page)
    .where(t.page.c.id.in_(sa.bindparam("numbers", expanding=True)))
    .order_by(t.page.c.id.desc())
)


_USES_MARK = sa.select(
    sa.func.count(),
    *(sa.func.sum(t.use.c[name]) for name in ("hits", "learned", "known", "unchanged", "run")),
)
_RUNS_MARK = sa.select(sa.func.count(), sa.func.sum(t.run.c.whole)).select_from(t.run)


class LooksUp(ABC):
    """The part of a store that answers people."""

    def makers(self) -> dict[int, str]:
        """Return what made stencils and results, by its number."""
        with self._reading("list the segmenters") as db:
            return dict(db.execute(sa.select(t.maker.c.id, t.maker.c.made_by)).all())

    def uses_mark(self) -> tuple[int | None, ...]:
        """Return numbers that change whenever stencils did more: all of them only ever grow."""
        with self._reading("read what stencils did") as db:
            uses, runs = db.execute(_USES_MARK).one(), db.execute(_RUNS_MARK).one()
            return (*uses, *runs)

    def reasons(self) -> dict[str, str]:
        """Return why each stencil was learned, by its key."""
        with self._reading("list the stencils") as db:
            return dict(db.execute(sa.select(t.stencil.c.key, t.stencil.c.why)).all())

    def pages_without_areas(self) -> tuple[PageRow, ...]:
        """Return the pages that failed or were skipped, newest first."""
        with self._reading("list the pages without areas") as db:
            return tuple(PageRow(*row) for row in db.execute(_WITHOUT_AREAS))

    def find_pages(self, wanted: PageFilter) -> tuple[int, tuple[PageRow, ...]]:
        """Return how many pages are wanted, and the next of them.

        They come in the order of what made them and of their addresses, as an index has them.
        """
        found = sa.select(*_ROW).where(*conditions(wanted)).order_by(t.page.c.maker, t.page.c.url)
        count = sa.select(sa.func.count()).select_from(t.page).where(*conditions(wanted))
        with self._reading("search the pages") as db:
            rows = db.execute(found.limit(PAGES_AT_ONCE).offset(wanted.skipped)).all()
            return db.scalar(count) or 0, tuple(PageRow(*row) for row in rows)

    def stencils_keyed(self, keys: Sequence[str]) -> dict[str, Stencil]:
        """Return stencils by their keys, as far as they are there."""
        wanted = t.stencil.c.key.in_(keys)
        with self._reading("read stencils") as db:
            found = db.execute(sa.select(t.stencil.c.key, t.stencil.c.body).where(wanted)).all()
        return {key: self._decoded(decode_stencil, body, f"stencil {key}") for key, body in found}

    def makers_of(self, url: str) -> tuple[int, ...]:
        """Return the numbers of what made results of a page, the newest first."""
        with self._reading(f"look for {url}") as db:
            return tuple(db.scalars(_MAKERS_OF, {"url": url}))

    def result_of(self, url: str, maker: int) -> PageResult | None:
        """Return the result of a page, None if there is none."""
        with self._reading(f"read the result of {url}") as db:
            body = db.scalar(_RESULT, {"url": url, "maker": maker})
        return None if body is None else self._decoded(decode_result, body, url)

    def results_numbered(self, numbers: Sequence[int]) -> tuple[PageResult, ...]:
        """Return the results of pages by their numbers, newest first."""
        with self._reading("read the results") as db:
            found = db.execute(_NUMBERED, {"numbers": list(numbers)}).all()
        return tuple(self._decoded(decode_result, body, url) for url, body in found)

    @abstractmethod
    def _reading(self, what: str) -> AbstractContextManager[sa.Connection]: ...

    @abstractmethod
    def _decoded(self, decode: Callable[[bytes], T], body: bytes, what: str) -> T: ...


def conditions(wanted: PageFilter) -> list[sa.ColumnElement[bool]]:
    """Write what is wanted for the database."""
    found: list[sa.ColumnElement[bool]] = []
    if wanted.text:
        found.append(sa.cast(t.page.c.url, sa.Text).icontains(wanted.text, autoescape=True))
    if wanted.status:
        found.append(t.page.c.status == wanted.status)
    if wanted.stencil:
        found.append(t.page.c.stencil == wanted.stencil)
    return found
