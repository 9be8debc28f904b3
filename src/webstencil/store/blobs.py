"""What methods learned, kept as bytes: each by the name of what it was learned from."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager

import sqlalchemy as sa

from webstencil.store import tables as t

_SAME = (t.kept.c.made_by == sa.bindparam("maker")) & (t.kept.c.name == sa.bindparam("called"))
_BODY = sa.select(t.kept.c.body).where(_SAME)
_DROP = sa.delete(t.kept).where(_SAME)
_ADD = sa.insert(t.kept)


class KeepsWhatWasLearned(ABC):
    """The part of a store that keeps bytes it does not look into."""

    def keep(self, made_by: str, name: str, body: bytes) -> None:
        """Keep what a method learned of a site or a stencil, in place of what it learned before."""
        with self._writing(f"keep what was learned of {name}") as db:
            db.execute(_DROP, {"maker": made_by, "called": name})
            db.execute(_ADD, {"made_by": made_by, "name": name, "body": body})

    def kept(self, made_by: str, name: str) -> bytes | None:
        """Return what a method learned of a site or a stencil, None if it has learned nothing."""
        with self._reading(f"read what was learned of {name}") as db:
            body: bytes | None = db.scalar(_BODY, {"maker": made_by, "called": name})
        return body

    def change(self, made_by: str, name: str, update: Callable[[bytes | None], bytes]) -> bytes:
        """Keep what `update` makes of what is kept, and return it; nobody changes it meanwhile."""
        same = {"maker": made_by, "called": name}
        with self._writing(f"change what was learned of {name}") as db:
            body = update(db.scalar(_BODY, same))
            db.execute(_DROP, same)
            db.execute(_ADD, {"made_by": made_by, "name": name, "body": body})
        return body

    @abstractmethod
    def _reading(self, what: str) -> AbstractContextManager[sa.Connection]: ...

    @abstractmethod
    def _writing(self, what: str) -> AbstractContextManager[sa.Connection]: ...
