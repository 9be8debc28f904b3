"""What methods learned, stored as bytes under the name of a site or a stencil."""

from collections.abc import Callable

import sqlalchemy as sa

from webstencil.store import schema as t
from webstencil.store.database import OpenDatabase

_SAME = (t.kept.c.made_by == sa.bindparam("maker")) & (t.kept.c.name == sa.bindparam("called"))
_BODY = sa.select(t.kept.c.body).where(_SAME)
_DROP = sa.delete(t.kept).where(_SAME)
_ADD = sa.insert(t.kept)


class BlobTable:
    """The part of a store that keeps bytes without reading them; see `protocols.BlobStore`."""

    def __init__(self, database: OpenDatabase) -> None:
        self._database = database

    def keep(self, learner: str, name: str, body: bytes) -> None:
        self.change(learner, name, lambda _: body)

    def kept(self, learner: str, name: str) -> bytes | None:
        with self._database.reading(f"read what was learned of {name}") as db:
            body: bytes | None = db.scalar(_BODY, {"maker": learner, "called": name})
        return body

    def drop(self, learner: str, name: str) -> None:
        """Delete what is kept under a name."""
        with self._database.writing(f"forget what was learned of {name}") as db:
            db.execute(_DROP, {"maker": learner, "called": name})

    def change(self, learner: str, name: str, update: Callable[[bytes | None], bytes]) -> bytes:
        same = {"maker": learner, "called": name}
        with self._database.writing(f"save what was learned of {name}") as db:
            body = update(db.scalar(_BODY, same))
            db.execute(_DROP, same)
            db.execute(_ADD, {"made_by": learner, "name": name, "body": body})
        return body
