"""Claims: one process at a time learns from a site, however many work on it.

Two pages of a template are nearly equal and not quite, so no key shows that another process is
learning the same template. Hence a process that has to learn a page asks first, under the store's
write lock. It gets what others have learned meanwhile, or is told to wait, or gets the claim.
Saving the stencil releases the claim in the same transaction. The claim of a dead process is taken
over: at once on the same machine, elsewhere when its lease runs out, which a living one renews.
"""

import os
import socket
import time
from collections.abc import Container
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from uuid import uuid4

import sqlalchemy as sa

from webstencil.codec import decode_stencil
from webstencil.errors import StoreError
from webstencil.model import Stencil
from webstencil.protocols import ClaimReply, News
from webstencil.store import schema as t
from webstencil.store.database import OpenDatabase
from webstencil.store.usage import VERSION, StencilState

LEASE = 10.0  # s that other hosts wait for a dead process; their clocks must agree to less
BEAT = 2.0  # s between two renewals

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


class ClaimTable:
    """The part of a store that lets one process at a time learn from a site.

    `owner` names this store among all processes that have it open.
    """

    def __init__(self, database: OpenDatabase) -> None:
        self.owner = this_process()
        self._database = database
        self._renewals: dict[tuple[str, int], Event] = {}  # ended by the event; by site and maker

    def news(self, site: str, learner: str, after: int, known: Container[str]) -> News:
        with self._database.reading(f"read the stencils of {site}") as db:
            return self._newer(db, {"site": site, "made_by": learner, "after": after}, known)

    def claim(self, site: str, learner: str, after: int, known: Container[str]) -> ClaimReply:
        maker = self._database.maker(learner)
        now = time.time()
        claim = {"of": site, "by": maker}
        with self._database.writing(f"claim {site}") as db:
            news = self._newer(db, {"site": site, "made_by": learner, "after": after}, known)
            if news.stencils:
                return ClaimReply(False, news)
            holder: str | None = db.scalar(_HOLDER, {**claim, "now": now})
            if holder not in (None, self.owner) and not has_ended(holder):
                return ClaimReply(False, news)
            db.execute(_DROP, claim)
            until = now + LEASE
            db.execute(_TAKE, {"site": site, "maker": maker, "owner": self.owner, "until": until})
        self._renew(site, maker)
        return ClaimReply(True, news)

    def give_back(self, site: str, learner: str) -> None:
        maker = self._database.maker(learner)
        with self._database.writing(f"release {site}") as db:
            db.execute(_GIVE_BACK, {"of": site, "by": maker, "me": self.owner})
        self.stop_renewing(site, maker)

    def end_claims(self, owner: str) -> None:
        with self._database.writing("release claims") as db:
            db.execute(_GIVE_ALL_BACK, {"me": owner})

    def stop_renewing(self, site: str, maker: int) -> None:
        """Renew a claim no more."""
        over = self._renewals.pop((site, maker), None)
        if over is not None:
            over.set()

    def close(self) -> None:
        """Renew no claim any more."""
        for site, maker in list(self._renewals):
            self.stop_renewing(site, maker)

    def _renew(self, site: str, maker: int) -> None:
        """Renew a claim from a thread: its owner may be busy with a rendering for long."""
        if (site, maker) not in self._renewals:
            over = self._renewals[site, maker] = Event()
            Thread(target=self._beat, args=(site, maker, over), daemon=True).start()

    def _beat(self, site: str, maker: int, over: Event) -> None:
        claim = {"of": site, "by": maker, "me": self.owner}
        while not over.wait(BEAT):
            with suppress(StoreError), self._database.writing(f"keep {site} claimed") as db:
                db.execute(_RENEW, {**claim, "new": time.time() + LEASE})

    def _newer(
        self, db: sa.Connection, wanted: dict[str, str | int], known: Container[str]
    ) -> News:
        rows = db.execute(_NEWER, wanted).all()
        site = wanted["site"]
        stencils = [
            self._database.decoded(decode_stencil, row.body, f"site {site}")
            for row in rows
            if row.key not in known
        ]
        newest = max([row.id for row in rows], default=int(wanted["after"]))
        version = db.scalar(VERSION, {"site": site, "made_by": wanted["made_by"]}) or 0
        return News(tuple(stencils), version, newest)


def this_process() -> str:
    """Name this process so that others on its machine can see whether it has ended."""
    return f"{this_machine()} {os.getpid()} {uuid4().hex}"


def has_ended(owner: str) -> bool:
    """Return whether an owner is a dead process of this machine; False if that is unknown."""
    machine, _, rest = owner.partition(" ")
    number = rest.partition(" ")[0]
    if machine != this_machine() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)  # sends nothing
    except ProcessLookupError:
        return True
    except OSError:  # another user's process
        return False
    return False


def this_machine() -> str:
    """Name the machine, or the container on it: what numbers processes."""
    with suppress(OSError):
        return f"{socket.gethostname()}/{Path('/proc/self/ns/pid').readlink()}"
    return socket.gethostname()


def learned_from(db: sa.Connection, maker: int, stencil: Stencil, owner: str) -> None:
    """Release the site of a stencil that is being saved."""
    db.execute(_GIVE_BACK, {"of": stencil.site, "by": maker, "me": owner})
