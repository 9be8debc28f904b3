"""Rendered pages of sites, and the areas that they decided on."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

import sqlalchemy as sa

from webstencil.codec import decode_value, encode_value
from webstencil.site.areas import NO_AREAS, SiteAreas
from webstencil.site.plan import Learned, PlanBase, RenderedWitness
from webstencil.store import schema as t
from webstencil.store.blobs import BlobTable
from webstencil.store.database import OpenDatabase
from webstencil.urls import sampling_key, site_of

T = TypeVar("T")

AREAS = "areas of sites, 1, "  # before the learner: key of the decisions in the store
LEARNED = "learning of sites, 1, "  # the same of what they were made from
PLANS = "plans of sites, 1, "  # and of what plans were made from

_OF_SITE = (t.witness.c.site == sa.bindparam("of")) & (t.witness.c.maker == sa.bindparam("by"))
_SAME = _OF_SITE & (t.witness.c.key == sa.bindparam("number"))
_DROP = sa.delete(t.witness).where(_SAME)
_ADD = sa.insert(t.witness)
_KNOWN = sa.select(t.witness.c.url, t.witness.c.digest).where(_OF_SITE).order_by(t.witness.c.key)
_BODY = sa.select(t.witness.c.body).where(_SAME)


class WitnessTable:
    """The part of a store that keeps rendered pages, and what they decide."""

    def __init__(self, database: OpenDatabase, blobs: BlobTable) -> None:
        self._database = database
        self._blobs = blobs

    def save(self, learner: str, witness: RenderedWitness) -> None:
        """Save a rendered page, in place of an older version."""
        same = self._same(learner, witness.url)
        row = {
            "site": same["of"],
            "maker": same["by"],
            "key": same["number"],
            "url": witness.url,
            "digest": witness.digest,
            "body": encode_value(witness, f"the rendered page {witness.url!a}"),
        }
        with self._database.writing(f"save the rendered page {witness.url}") as db:
            db.execute(_DROP, same)
            db.execute(_ADD, row)

    def drop(self, learner: str, urls: Sequence[str]) -> None:
        """Delete rendered pages that are gone, or have changed."""
        if urls:
            rows = [self._same(learner, url) for url in urls]
            with self._database.writing("delete rendered pages") as db:
                db.execute(_DROP, rows)

    def forget(self, learner: str, site: str) -> None:
        """Delete the rendered pages of a site, and what they decided."""
        of_site = {"of": site, "by": self._database.maker(learner)}
        with self._database.writing(f"forget the areas of {site}") as db:
            db.execute(sa.delete(t.witness).where(_OF_SITE), of_site)
        self._blobs.drop(AREAS + learner, site)
        self._blobs.drop(LEARNED + learner, site)

    def known(self, learner: str, site: str) -> dict[str, bytes]:
        """Return URL and digest of each rendered page of a site."""
        maker = self._database.maker(learner)
        with self._database.reading(f"list the rendered pages of {site}") as db:
            return dict(db.execute(_KNOWN, {"of": site, "by": maker}).all())

    def pages(self, learner: str, urls: Sequence[str]) -> Iterator[RenderedWitness]:
        """Yield some rendered pages, one at a time; those that are not there are left out."""
        for url in urls:
            with self._database.reading(f"read the rendered page {url}") as db:
                body: bytes | None = db.scalar(_BODY, self._same(learner, url))
            if body is not None:
                yield self._database.decoded(witness_of, body, f"the rendered page {url}")

    def areas(self, learner: str, site: str) -> SiteAreas:
        """Return what was decided of a site, nothing if it never was."""
        return self._kept(AREAS + learner, site, NO_AREAS)

    def save_areas(self, learner: str, site: str, areas: SiteAreas) -> None:
        """Save what is decided of a site."""
        self._keep(AREAS + learner, site, areas)

    def learned(self, learner: str, site: str) -> Learned:
        """Return what the areas of a site were made from."""
        return self._kept(LEARNED + learner, site, Learned())

    def save_learned(self, learner: str, site: str, learned: Learned) -> None:
        """Save what the areas of a site were made from."""
        self._keep(LEARNED + learner, site, learned)

    def plan_base(self, learner: str, site: str) -> PlanBase:
        """Return what the last plan of a site was made from."""
        return self._kept(PLANS + learner, site, PlanBase())

    def save_plan_base(self, learner: str, site: str, base: PlanBase) -> None:
        """Save what the plan of a site is made from."""
        self._keep(PLANS + learner, site, base)

    def _kept(self, key: str, site: str, nothing: T) -> T:
        """Return a value that is kept of a site, `nothing` if there is none."""
        body = self._blobs.kept(key, site)
        if body is None:
            return nothing
        what = f"what was learned of {site}"
        kind = type(nothing)
        return self._database.decoded(lambda blob: decode_value(blob, kind, what), body, what)

    def _keep(self, key: str, site: str, value: object) -> None:
        self._blobs.keep(key, site, encode_value(value, f"what was learned of {site}"))

    def _same(self, learner: str, url: str) -> dict[str, str | int]:
        return {
            "of": site_of(url),
            "by": self._database.maker(learner),
            "number": sampling_key(url),
        }


def witness_of(body: bytes) -> RenderedWitness:
    """Decode a rendered page."""
    return decode_value(body, RenderedWitness, "rendered page")
