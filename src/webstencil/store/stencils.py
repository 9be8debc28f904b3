"""Stencils: what they are without reading them, one of them, a new one."""

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from webstencil.codec import decode_stencil, encode_stencil
from webstencil.errors import StoreError
from webstencil.model import Status, Stencil
from webstencil.protocols import News
from webstencil.store import schema as t
from webstencil.store.database import OpenDatabase
from webstencil.store.usage import VERSION, StencilState

_FOLLOW = sa.select(sa.func.count()).where(t.page.c.stencil == t.stencil.c.key)
_SUMMARIES = (
    sa.select(*t.stencil.c["key", "site"], t.maker.c.made_by)
    .add_columns(*t.stencil.c["made_from", "areas", "nodes"])
    .add_columns(_FOLLOW.where(t.page.c.status == Status.HIT.value).scalar_subquery())
    .add_columns(_FOLLOW.scalar_subquery(), *t.stencil.c["state", "ended"])
    .join(t.maker, t.maker.c.id == t.stencil.c.maker)
    .order_by(t.stencil.c.id)
)


_TEACHING = (
    sa.select(t.stencil.c.body)
    .where(t.stencil.c.site == sa.bindparam("site"))
    .where(t.stencil.c.maker == t.MAKER.scalar_subquery())
    .where(t.stencil.c.state == StencilState.TEACHING.value)
    .order_by(t.stencil.c.id)
)


@dataclass(frozen=True, slots=True)
class StencilSummary:
    """A stencil without its areas and nodes."""

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


class StencilTable:
    """The part of a store that keeps the stencils of paper mode."""

    def __init__(self, database: OpenDatabase) -> None:
        self._database = database

    def __call__(self, site: str, learner: str) -> tuple[Stencil, ...]:
        """Return the teaching stencils of a site and these settings, oldest first."""
        return self.news(site, learner).stencils

    def news(self, site: str, learner: str) -> News:
        """Return what was learned of a site."""
        wanted = {"site": site, "made_by": learner}
        with self._database.reading(f"read the stencils of {site}") as db:
            bodies = db.scalars(_TEACHING, wanted).all()
            version: int = db.scalar(VERSION, wanted) or 0
        decoded = self._database.decoded
        stencils = tuple([decoded(decode_stencil, body, f"site {site}") for body in bodies])
        return News(stencils, version)

    def all(self) -> tuple[StencilSummary, ...]:
        """Return a summary of each stencil, oldest first."""
        with self._database.reading("list the stencils") as db:
            return tuple(StencilSummary(*row) for row in db.execute(_SUMMARIES))

    def keyed(self, key: str) -> Stencil:
        """Return the stencil with that key; raise a `StoreError` if there is none."""
        with self._database.reading(f"read the stencil {key}") as db:
            body = db.scalar(sa.select(t.stencil.c.body).where(t.stencil.c.key == key))
        if body is None:
            raise self._database.no_stencil(key)
        return self._database.decoded(decode_stencil, body, f"stencil {key}")

    def some(self, keys: Sequence[str]) -> dict[str, Stencil]:
        """Return the stencils with these keys; keys that no stencil has are left out."""
        wanted = sa.select(t.stencil.c.key, t.stencil.c.body).where(t.stencil.c.key.in_(keys))
        with self._database.reading("read stencils") as db:
            rows = db.execute(wanted).all()
        return {
            key: self._database.decoded(decode_stencil, body, f"stencil {key}")
            for key, body in rows
        }

    def reasons(self) -> dict[str, str]:
        """Return why each stencil was learned, by its key."""
        with self._database.reading("list the stencils") as db:
            return dict(db.execute(sa.select(t.stencil.c.key, t.stencil.c.why)).all())

    def forget(self, key: str) -> int:
        """Remove a stencil and the results made with it; return how many pages are to be redone."""
        with self._database.writing(f"forget the stencil {key}") as db:
            if not db.execute(sa.delete(t.stencil).where(t.stencil.c.key == key)).rowcount:
                raise self._database.no_stencil(key)
            pages = sa.select(t.page.c.id).where(t.page.c.stencil == key)
            db.execute(sa.delete(t.result).where(t.result.c.page.in_(pages)))
            return db.execute(sa.delete(t.page).where(t.page.c.stencil == key)).rowcount


def forget_stencils(db: sa.Connection, maker: int, site: str) -> None:
    """Remove the stencils of a site."""
    same = (t.stencil.c.maker == maker) & (t.stencil.c.site == site)
    db.execute(sa.delete(t.stencil).where(same))


def add_stencil(db: sa.Connection, maker: int, stencil: Stencil, why: str) -> None:
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
