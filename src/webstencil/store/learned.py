"""What methods learned, stored as bytes under the name of a site or a stencil."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa

from webstencil.codec import decode_value, encode_value
from webstencil.model import Area, PageResult
from webstencil.site.areas import NO_AREAS, DrawnTemplate, SiteAreas
from webstencil.site.plan import Learned, PlanBase, RenderedWitness
from webstencil.site.templates import EMPTY_SITE, SiteTemplates, described_result
from webstencil.site.type_votes import UNKNOWN_PAGE, TypedPage
from webstencil.store import schema as t
from webstencil.store.database import OpenDatabase
from webstencil.store.outlines import OutlineTable
from webstencil.urls import sampling_key, site_of

_SAME_BLOB = (t.kept.c.made_by == sa.bindparam("maker")) & (t.kept.c.name == sa.bindparam("called"))
_BLOB = sa.select(t.kept.c.body).where(_SAME_BLOB)
_DROP_BLOB = sa.delete(t.kept).where(_SAME_BLOB)
_ADD_BLOB = sa.insert(t.kept)


class BlobTable:
    """Bytes that a method learned of a site or a stencil, kept without reading them."""

    def __init__(self, database: OpenDatabase) -> None:
        self._database = database

    def keep(self, learner: str, name: str, body: bytes) -> None:
        self.change(learner, name, lambda _: body)

    def kept(self, learner: str, name: str) -> bytes | None:
        with self._database.reading(f"read what was learned of {name}") as db:
            body: bytes | None = db.scalar(_BLOB, {"maker": learner, "called": name})
        return body

    def change(self, learner: str, name: str, update: Callable[[bytes | None], bytes]) -> bytes:
        same = {"maker": learner, "called": name}
        with self._database.writing(f"save what was learned of {name}") as db:
            body = update(db.scalar(_BLOB, same))
            db.execute(_DROP_BLOB, same)
            db.execute(_ADD_BLOB, {"made_by": learner, "name": name, "body": body})
        return body


# The templates of sites, and their names in results.


KEPT_AS = "templates of sites, 1"  # key of the decisions in the store


_DRAWN = (
    sa.select(*t.template.c["number", "typical", "version", "body"])
    .where(t.template.c.site == sa.bindparam("of"))
    .where(t.template.c.maker == t.MAKER.scalar_subquery())
    .order_by(t.template.c.number)
)


_DROP_DRAWN = sa.delete(t.template).where(
    t.template.c.site == sa.bindparam("of"), t.template.c.maker == sa.bindparam("by")
)


class TemplateTable:
    """The part of a store that keeps templates: what tells them apart, and how slots stand on them.

    The first is known of a surveyed site; the second belongs to a learner, one row for a template.
    """

    def __init__(self, database: OpenDatabase, blobs: BlobTable, outlines: OutlineTable) -> None:
        self._database = database
        self._blobs = blobs
        self._outlines = outlines

    def of(self, site: str) -> SiteTemplates:
        """Return the templates of a site, none if they were never decided."""
        body = self._blobs.kept(KEPT_AS, site)
        if body is None:
            return EMPTY_SITE
        what = f"the templates of {site}"
        return self._database.decoded(
            lambda blob: decode_value(blob, SiteTemplates, what), body, what
        )

    def save(self, site: str, templates: SiteTemplates) -> None:
        """Save the templates of a site."""
        self._blobs.keep(KEPT_AS, site, encode_value(templates, f"the templates of {site}"))

    def draw(self, learner: str, site: str, drawn: Iterable[DrawnTemplate]) -> None:
        """Save where slots stand on the templates of a site, in place of what was there."""
        same = {"maker": self._database.maker(learner), "site": site}
        rows = [
            same
            | {"number": one.number, "typical": one.typical, "version": one.version}
            | {"body": encode_value(one.areas, f"a template of {site}")}
            for one in drawn
        ]
        with self._database.writing(f"save the templates of {site}") as db:
            db.execute(_DROP_DRAWN, {"of": site, "by": same["maker"]})
            if rows:
                db.execute(sa.insert(t.template), rows)

    def drawn(self, learner: str, site: str) -> dict[int, DrawnTemplate]:
        """Return where slots stand on the templates of a site, by number."""
        with self._database.reading(f"read the templates of {site}") as db:
            rows = db.execute(_DRAWN, {"of": site, "made_by": learner}).all()
        return {row.number: self._drawn(row) for row in rows}

    def one_drawn(self, learner: str, site: str, number: int) -> DrawnTemplate | None:
        """Return where slots stand on a template, None if it has no row."""
        return self.drawn(learner, site).get(number)

    def _drawn(self, row: sa.Row[Any]) -> DrawnTemplate:
        what = f"template {row.number}"
        areas = self._database.decoded(
            lambda blob: decode_value(blob, tuple[Area, ...], what), row.body, what
        )
        return DrawnTemplate(row.number, row.typical, row.version, areas)

    def names(self, site: str) -> dict[str, str]:
        """Return the names of the templates of a site's pages, by URL."""
        names = {one.number: one.name for one in self.of(site).templates}
        if not names:
            return {}
        numbers = self._outlines.templates(site)
        return {url: names[number] for url, number in numbers.items() if number in names}

    def named(self, results: Iterable[PageResult]) -> Iterator[PageResult]:
        """Yield results with their templates and types as they are now."""
        sites: dict[str, tuple[SiteTemplates, dict[str, TypedPage]]] = {}
        for result in results:
            if result.site not in sites:
                sites[result.site] = self.of(result.site), self._outlines.typed(result.site)
            templates, pages = sites[result.site]
            yield described_result(result, templates, pages.get(result.url, UNKNOWN_PAGE))


# Rendered pages of sites, and the areas that they decided on.


T = TypeVar("T")

AREAS = "areas of sites, 1, "  # before the learner: key of the decisions in the store
LEARNED = "learning of sites, 1, "  # the same of what they were made from
PLANS = "plans of sites, 1, "  # and of what plans were made from

_OF_SITE = (t.witness.c.site == sa.bindparam("of")) & (t.witness.c.maker == sa.bindparam("by"))
_SAME_WITNESS = _OF_SITE & (t.witness.c.key == sa.bindparam("number"))
_DROP_WITNESS = sa.delete(t.witness).where(_SAME_WITNESS)
_ADD_WITNESS = sa.insert(t.witness)
_DIGESTS = sa.select(t.witness.c.url, t.witness.c.digest).where(_OF_SITE).order_by(t.witness.c.key)
_WITNESS = sa.select(t.witness.c.body).where(_SAME_WITNESS)


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
            db.execute(_DROP_WITNESS, same)
            db.execute(_ADD_WITNESS, row)

    def drop(self, learner: str, urls: Sequence[str]) -> None:
        """Delete rendered pages that are gone, or have changed."""
        if urls:
            rows = [self._same(learner, url) for url in urls]
            with self._database.writing("delete rendered pages") as db:
                db.execute(_DROP_WITNESS, rows)

    def known(self, learner: str, site: str) -> dict[str, bytes]:
        """Return URL and digest of each rendered page of a site."""
        maker = self._database.maker(learner)
        with self._database.reading(f"list the rendered pages of {site}") as db:
            return dict(db.execute(_DIGESTS, {"of": site, "by": maker}).all())

    def pages(self, learner: str, urls: Sequence[str]) -> Iterator[RenderedWitness]:
        """Yield some rendered pages, one at a time; those that are not there are left out."""
        for url in urls:
            with self._database.reading(f"read the rendered page {url}") as db:
                body: bytes | None = db.scalar(_WITNESS, self._same(learner, url))
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


def forget_learned(db: sa.Connection, maker: int, learner: str, site: str) -> None:
    """Delete the rendered pages of a site, what they decided, and where slots stand."""
    of_site = {"of": site, "by": maker}
    db.execute(sa.delete(t.witness).where(_OF_SITE), of_site)
    db.execute(_DROP_DRAWN, of_site)
    for key in (AREAS, LEARNED):
        db.execute(_DROP_BLOB, {"maker": key + learner, "called": site})
