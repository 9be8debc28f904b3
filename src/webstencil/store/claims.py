"""Whose turn it is to learn: of each site one page at a time, however many processes work on it.

Two pages of a template are nearly equal and not quite, so no key can tell that another process is
just learning the same. Hence who has to learn a page asks first, under the store's write lock. It
is told what others have learned meanwhile, or that another one is learning, or it gets the claim.
Saving the stencil gives the claim back in the same step. The claim of a process that ended without
a word is taken over: at once on the same machine, by others when its lease is over, which one who
lives renews in time.
"""

import os
import socket
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Container
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import TypeVar
from uuid import uuid4

import sqlalchemy as sa

from webstencil.codec.values import decode_stencil
from webstencil.errors import StoreError
from webstencil.model import Stencil
from webstencil.protocols import ClaimReply, News
from webstencil.store import tables as t
from webstencil.store.usage import VERSION, StencilState

LEASE = 10.0  # s that others wait for one who died; the clocks of hosts must agree to less
BEAT = 2.0  # s between two renewals

T = TypeVar("T")

_NEWER = (
    sa.select(t.stencil.c.id, t.stencil.c.key, t.stencil.c.body)
    .where(t.stencil.c.site == sa.bindparam("site"))
    .where(t.stencil.c.maker == t.MAKER.scalar_subquery())
    .where(t.stencil.c.state == StencilState.TEACHING.value)
    .where(t.stencil.c.id > sa.bindparam("after"))
    .order_by(t.stencil.c.id)
)
_OF_SITE = (t.claim.c.site == sa.bindparam("of")) & (t.claim.c.maker == sa.bindparam("by"))
_MINE = t.claim.c.owner == sa.bindparam("me")
_HOLDER = sa.select(t.claim.c.owner).where(_OF_SITE, t.claim.c.until > sa.bindparam("now"))
_RENEW = sa.update(t.claim).where(_OF_SITE, _MINE).values(until=sa.bindparam("new"))
_DROP = sa.delete(t.claim).where(_OF_SITE)
_GIVE_BACK = sa.delete(t.claim).where(_OF_SITE, _MINE)
_GIVE_ALL_BACK = sa.delete(t.claim).where(_MINE)
_TAKE = sa.insert(t.claim)


class GivesTurns(ABC):
    """The part of a store that lets one process at a time learn from a site.

    Who asks is the opened store itself: `owner` is its name among all that have it open.
    """

    owner: str
    _turns: dict[tuple[str, int], Event]  # what ends the renewing, by site and number of the maker

    def news(self, site: str, made_by: str, after: int = 0, known: Container[str] = ()) -> News:
        """Return what was learned of a site after the stencil with that number.

        Stencils whose keys are `known` are left out.
        """
        with self._reading(f"read the stencils of {site}") as db:
            return self._newer(db, {"site": site, "made_by": made_by, "after": after}, known)

    def claim(
        self, site: str, made_by: str, after: int = 0, known: Container[str] = ()
    ) -> ClaimReply:
        """Ask to be the one who learns from a site; first comes what others have learned."""
        maker = self._number_of(made_by)
        now = time.time()
        place = {"of": site, "by": maker}
        with self._writing(f"claim {site}") as db:
            news = self._newer(db, {"site": site, "made_by": made_by, "after": after}, known)
            if news.stencils:
                return ClaimReply(False, news)
            holder: str | None = db.scalar(_HOLDER, {**place, "now": now})
            if holder not in (None, self.owner) and not has_ended(holder):
                return ClaimReply(False, news)
            db.execute(_DROP, place)
            until = now + LEASE
            db.execute(_TAKE, {"site": site, "maker": maker, "owner": self.owner, "until": until})
        self._renew(site, maker)
        return ClaimReply(True, news)

    def give_back(self, site: str, made_by: str) -> None:
        """Let others learn from a site of which nothing was learned."""
        maker = self._number_of(made_by)
        with self._writing(f"give {site} back") as db:
            db.execute(_GIVE_BACK, {"of": site, "by": maker, "me": self.owner})
        self._rest(site, maker)

    def end_claims(self, owner: str) -> None:
        """Give back what one has claimed who is known to have ended."""
        with self._writing("end claims") as db:
            db.execute(_GIVE_ALL_BACK, {"me": owner})

    def _renew(self, site: str, maker: int) -> None:
        """Keep a turn from a thread: who has it may be busy with a rendering for long."""
        if (site, maker) not in self._turns:
            over = self._turns[site, maker] = Event()
            Thread(target=self._beat, args=(site, maker, over), daemon=True).start()

    def _beat(self, site: str, maker: int, over: Event) -> None:
        place = {"of": site, "by": maker, "me": self.owner}
        while not over.wait(BEAT):
            with suppress(StoreError), self._writing(f"keep {site} claimed") as db:
                db.execute(_RENEW, {**place, "new": time.time() + LEASE})

    def _rest(self, site: str, maker: int) -> None:
        """Renew a turn no more."""
        over = self._turns.pop((site, maker), None)
        if over is not None:
            over.set()

    def _rest_all(self) -> None:
        for site, maker in list(self._turns):
            self._rest(site, maker)

    def _newer(
        self, db: sa.Connection, wanted: dict[str, str | int], known: Container[str]
    ) -> News:
        rows = db.execute(_NEWER, wanted).all()
        site = wanted["site"]
        stencils = [
            self._decoded(decode_stencil, row.body, f"site {site}")
            for row in rows
            if row.key not in known
        ]
        newest = max([row.id for row in rows], default=int(wanted["after"]))
        version = db.scalar(VERSION, {"site": site, "made_by": wanted["made_by"]}) or 0
        return News(tuple(stencils), version, newest)

    @abstractmethod
    def _number_of(self, made_by: str) -> int: ...

    @abstractmethod
    def _decoded(self, decode: Callable[[bytes], T], body: bytes, what: str) -> T: ...

    @abstractmethod
    def _reading(self, what: str) -> AbstractContextManager[sa.Connection]: ...

    @abstractmethod
    def _writing(self, what: str) -> AbstractContextManager[sa.Connection]: ...


def this_process() -> str:
    """Name this process so that others of its machine can tell whether it has ended."""
    return f"{this_machine()} {os.getpid()} {uuid4().hex}"


def has_ended(owner: str) -> bool:
    """Tell whether an owner was a process of this machine; False if that cannot be known."""
    machine, _, rest = owner.partition(" ")
    number = rest.partition(" ")[0]
    if machine != this_machine() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)  # sends nothing
    except ProcessLookupError:
        return True
    except OSError:  # it is another user's
        return False
    return False


def this_machine() -> str:
    """Name what numbers processes: a machine, or a container on it."""
    with suppress(OSError):
        return f"{socket.gethostname()}/{Path('/proc/self/ns/pid').readlink()}"
    return socket.gethostname()


def learned_from(db: sa.Connection, maker: int, stencil: Stencil, owner: str) -> None:
    """Give the site of a stencil that is just being saved back."""
    db.execute(_GIVE_BACK, {"of": stencil.site, "by": maker, "me": owner})
