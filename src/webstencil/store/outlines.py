"""Outlines of pages, from which the model of a site is read, and the templates of pages.

The outlines are the truth and the model is their sum (`site/site_model.py`): a page that is done
again replaces its own, one that is gone is deleted, and whoever asks for the model gets the sum of
what is there. Of large sites, the pages with the smallest keys are read.
"""

from bisect import insort
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import sqlalchemy as sa

from webstencil.codec import zstd
from webstencil.model import RawPage
from webstencil.site.outline import Excerpts, OutlinedPage
from webstencil.site.site_model import (
    MOST_PAGES,
    SiteModel,
    SurveyedPage,
    decode_excerpts,
    decode_outline,
    encode_excerpts,
    encode_outline,
)
from webstencil.site.type_votes import UNKNOWN_PAGE, TypedPage, has_vote, is_readable
from webstencil.store import schema as t
from webstencil.store.database import OpenDatabase
from webstencil.urls import sampling_key, site_of

STAMP = b"\x01"  # version of outlines, before the digest of the page
OUTLINES_AT_ONCE = 200  # held in memory while outlines are read
EXCERPTS_KEPT = 256  # pages of a site that show what their places say
STAMP_BYTES = 16
SITES_HELD = 10_000  # whose smallest keys are in memory

_OF_SITE = t.outline.c.site == sa.bindparam("of")
_COLUMNS = (t.outline.c.url, t.outline.c.digest, t.outline.c.body, t.outline.c.types)
_PAGES = sa.select(*_COLUMNS).where(_OF_SITE).order_by(t.outline.c.key)
_STREAM = _PAGES.execution_options(yield_per=OUTLINES_AT_ONCE)
_COUNT = sa.select(sa.func.count()).select_from(t.outline).where(_OF_SITE)
_SAME = _OF_SITE & (t.outline.c.key == sa.bindparam("number"))
_DROP = sa.delete(t.outline).where(_SAME)
_ADD = sa.insert(t.outline)
_KNOWN = sa.select(t.outline.c.key, t.outline.c.digest, t.outline.c.types).where(
    _OF_SITE, t.outline.c.key.in_(sa.bindparam("keys", expanding=True))
)
_ASSIGN = sa.update(t.outline).where(_SAME).values(template=sa.bindparam("chosen"))
_TEMPLATES = sa.select(t.outline.c.url, t.outline.c.template).where(
    _OF_SITE, t.outline.c.template.is_not(None)
)
_TYPED = sa.select(t.outline.c.url, t.outline.c.template, t.outline.c.types).where(_OF_SITE)
_STAMPS = (
    sa.select(t.outline.c.key, t.outline.c.digest, t.outline.c.template)
    .where(_OF_SITE)
    .order_by(t.outline.c.key)
    .execution_options(yield_per=OUTLINES_AT_ONCE)
)
_ONE = sa.select(t.outline.c.template, t.outline.c.types).where(_SAME)
_SITES = (
    sa.select(
        t.outline.c.site,
        sa.func.count(),
        sa.func.sum(sa.case((t.outline.c.template.is_(None), 1), else_=0)),
    )
    .group_by(t.outline.c.site)
    .order_by(t.outline.c.site)
)
_MEMBERS = (
    sa.select(t.outline.c.url)
    .where(_OF_SITE, t.outline.c.template == sa.bindparam("chosen"))
    .order_by(t.outline.c.key)
)
_WITH_EXCERPTS = _OF_SITE & t.outline.c.excerpts.is_not(None)
_EXCERPTS = (
    sa.select(*_COLUMNS, t.outline.c.excerpts, t.outline.c.template)
    .where(_WITH_EXCERPTS)
    .order_by(t.outline.c.key)
)
_SMALLEST = (
    sa.select(t.outline.c.key).where(_OF_SITE).order_by(t.outline.c.key).limit(EXCERPTS_KEPT)
)
_DROP_EXCERPTS = (
    sa.update(t.outline)
    .where(_WITH_EXCERPTS, t.outline.c.key > sa.bindparam("last"))
    .values(excerpts=None)
)


@dataclass(frozen=True, slots=True)
class SiteCount:
    """How many pages of a site have outlines."""

    site: str
    pages: int
    undecided: int  # pages whose template is not decided yet


@dataclass(frozen=True, slots=True)
class ExcerptPage:
    """A page with what its places say."""

    page: OutlinedPage
    excerpts: Excerpts
    template: int | None


class OutlineTable:
    """The part of a store that keeps outlines."""

    def __init__(self, database: OpenDatabase) -> None:
        self._database = database
        self._smallest: dict[str, list[int]] = {}  # keys of pages with excerpts, sorted, by site

    def save(self, pages: Sequence[SurveyedPage]) -> None:
        """Save the outlines of pages, in place of older ones."""
        rows = outline_rows(pages)
        with self._database.writing("save outlines") as db:
            add_outlines(db, rows)

    def drop(self, urls: Sequence[str]) -> None:
        """Delete the outlines of pages that are gone."""
        if urls:
            with self._database.writing("delete outlines") as db:
                for url in urls:
                    drop_outline(db, url)

    def known(self, site: str, urls: Iterable[str], *, typed: bool = False) -> dict[str, bytes]:
        """Return the digests of those of some pages that have an outline, by URL.

        `typed` leaves out those that have a vote on types and were read before pages had one.
        """
        keys = {sampling_key(url): url for url in urls}
        with self._database.reading(f"look for outlines of {site}") as db:
            found = db.execute(_KNOWN, {"of": site, "keys": list(keys)}).all()
        return {
            keys[key]: stamp[1:]
            for key, stamp, types in found
            if stamp[:1] == STAMP
            and (not typed or is_readable(types or b"") or not has_vote(keys[key]))
        }

    def sites(self) -> tuple[SiteCount, ...]:
        """List the sites with outlines, sorted."""
        with self._database.reading("list the sites") as db:
            return tuple(SiteCount(*row) for row in db.execute(_SITES))

    def stamp(self, site: str) -> bytes:
        """Hash which pages a site has, what they are, and their templates."""
        hashed = blake2b(digest_size=STAMP_BYTES)
        with self._database.reading(f"read the outlines of {site}") as db:
            for row in db.execute(_STAMPS, {"of": site}):
                hashed.update(repr(tuple(row)).encode())
        return hashed.digest()

    def model(self, site: str, *, most: int = MOST_PAGES) -> SiteModel:
        """Return the model of a site."""
        with self._database.reading(f"read the outlines of {site}") as db:
            count: int = db.scalar(_COUNT, {"of": site}) or 0
            rows = db.execute(_PAGES.limit(most), {"of": site}).all()
        model = SiteModel(self._readable(rows), most=most)
        model.pages = count
        return model

    def pages(self, site: str) -> Iterator[OutlinedPage]:
        """Yield all pages of a site by their keys."""
        with self._database.reading(f"read the outlines of {site}") as db:
            yield from self._readable(db.execute(_STREAM, {"of": site}))

    def pages_beyond(self, model: SiteModel, site: str) -> Iterator[OutlinedPage]:
        """Yield the pages of a site that its model does not keep."""
        if model.pages > len(model):
            yield from (page for page in self.pages(site) if page.url not in model)

    def assign(self, site: str, templates: Mapping[str, int]) -> None:
        """Save the templates of pages, by URL."""
        rows = [
            {"of": site, "number": sampling_key(url), "chosen": number}
            for url, number in templates.items()
        ]
        if rows:
            with self._database.writing(f"save the templates of {site}") as db:
                db.execute(_ASSIGN, rows)

    def templates(self, site: str) -> dict[str, int]:
        """Return the number of each page's template, by URL, as far as it is decided."""
        with self._database.reading(f"read the templates of {site}") as db:
            return dict(db.execute(_TEMPLATES, {"of": site}).all())

    def typed(self, site: str) -> dict[str, TypedPage]:
        """Return the template of each page, and what it says of its type, by URL."""
        with self._database.reading(f"read the templates of {site}") as db:
            rows = db.execute(_TYPED, {"of": site}).all()
        return {url: TypedPage(template, types or b"") for url, template, types in rows}

    def template_of(self, url: str) -> int | None:
        """Return the number of a page's template, None if it is not decided."""
        return self.typed_page(url).template

    def typed_page(self, url: str) -> TypedPage:
        """Return the template of a page, and what it says of its type."""
        with self._database.reading(f"read the template of {url}") as db:
            row = db.execute(_ONE, _same_page(url)).first()
        return UNKNOWN_PAGE if row is None else TypedPage(row[0], row[1] or b"")

    def members(self, site: str, template: int, most: int) -> tuple[str, ...]:
        """Return URLs of pages of a template, those with the smallest keys."""
        with self._database.reading(f"list the pages of a template of {site}") as db:
            return tuple(db.scalars(_MEMBERS.limit(most), {"of": site, "chosen": template}))

    def shows(self, site: str, url: str) -> bool:
        """Return whether a page is to show what its places say, as far as is known by now."""
        key = sampling_key(url)
        known = self._smallest.get(site)
        if known is None:
            if len(self._smallest) >= SITES_HELD:
                self._smallest.clear()
            with self._database.reading(f"read the outlines of {site}") as db:
                known = self._smallest[site] = list(db.scalars(_SMALLEST, {"of": site}))
        if len(known) >= EXCERPTS_KEPT and key > known[-1]:
            return False
        if key not in known:
            insort(known, key)
            del known[EXCERPTS_KEPT:]
        return True

    def keep_few_excerpts(self, site: str) -> None:
        """Drop the excerpts of all but the pages with the smallest keys."""
        self._smallest.pop(site, None)
        with self._database.writing(f"drop excerpts of {site}") as db:
            smallest = list(db.scalars(_SMALLEST, {"of": site}))
            if len(smallest) >= EXCERPTS_KEPT:
                db.execute(_DROP_EXCERPTS, {"of": site, "last": smallest[-1]})

    def excerpts(self, site: str) -> Iterator[ExcerptPage]:
        """Yield the pages of a site that show what their places say."""
        with self._database.reading(f"read the excerpts of {site}") as db:
            rows = db.execute(_EXCERPTS, {"of": site}).all()
        for url, digest, body, types, excerpts, template in rows:
            if digest[:1] != STAMP:
                continue
            said = self._database.decoded(decode_excerpts, excerpts, f"excerpts of {url}")
            yield ExcerptPage(self._page(url, digest, body, types), said, template)

    def _readable(self, rows: Iterable[Any]) -> Iterator[OutlinedPage]:
        """Decode rows; outlines of another version are left out until their pages are read."""
        for url, stamp, body, types in rows:
            if stamp[:1] == STAMP:
                yield self._page(url, stamp, body, types)

    def _page(self, url: str, stamp: bytes, body: bytes, types: bytes | None) -> OutlinedPage:
        outline = self._database.decoded(decode_outline, body, f"the outline of {url}")
        return OutlinedPage(url, outline, stamp[1:], types or b"")


def outline_rows(pages: Sequence[SurveyedPage]) -> list[dict[str, object]]:
    """Return the rows of pages."""
    return [
        {
            "site": site_of(one.page.url),
            "key": one.page.key,
            "url": one.page.url,
            "digest": STAMP + one.page.digest,
            "oddity": one.page.outline.oddity.value,
            "template": None,
            "body": encode_outline(one.page.outline),
            "excerpts": None if one.excerpts is None else encode_excerpts(one.excerpts),
            "types": one.page.types or None,
        }
        for one in pages
    ]


def add_outlines(db: sa.Connection, rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows of outlines in place of older ones."""
    if rows:
        db.execute(_DROP, [{"of": row["site"], "number": row["key"]} for row in rows])
        db.execute(_ADD, rows)


def drop_outline(db: sa.Connection, url: str) -> None:
    """Delete the outline of a page that is gone."""
    db.execute(_DROP, _same_page(url))


# Pages that wait until their whole site is known: a crawl cannot read them a second time.


_SPOOL_LEVEL = 3  # of zstd: pages are read once more, at the end
_WAITING_AT_ONCE = 64  # pages in memory

_SAME_WAITING = (t.spool.c.site == sa.bindparam("of")) & (t.spool.c.key == sa.bindparam("number"))
_DROP_WAITING = sa.delete(t.spool).where(_SAME_WAITING)
_ADD_WAITING = sa.insert(t.spool)
_ONE_WAITING = sa.select(t.spool).where(_SAME_WAITING)
_COUNT_WAITING = sa.select(sa.func.count()).where(t.spool.c.site == sa.bindparam("of"))
_SITES_WAITING = sa.select(t.spool.c.site).distinct().order_by(t.spool.c.site)
_NEXT_WAITING = (
    sa.select(t.spool)
    .where(
        sa.tuple_(t.spool.c.site, t.spool.c.key)
        > sa.tuple_(sa.bindparam("of", type_=sa.Text), sa.bindparam("number", type_=sa.BigInteger))
    )
    .order_by(t.spool.c.site, t.spool.c.key)
    .limit(_WAITING_AT_ONCE)
)


class SpoolTable:
    """The part of a store that keeps pages for a while."""

    def __init__(self, database: OpenDatabase) -> None:
        self._database = database

    def pages(self) -> Iterator[list[RawPage]]:
        """Yield all pages that wait, by site, some at a time; they may be dropped meanwhile."""
        site, key = "", -1
        while True:
            with self._database.reading("read pages that wait") as db:
                rows = db.execute(_NEXT_WAITING, {"of": site, "number": key}).all()
            if not rows:
                return
            site, key = rows[-1].site, rows[-1].key
            yield list(map(_raw_page, rows))

    def sites(self) -> tuple[str, ...]:
        """List the sites with pages that wait."""
        with self._database.reading("list the sites of pages that wait") as db:
            return tuple(db.scalars(_SITES_WAITING))

    def count(self, site: str) -> int:
        """Return how many pages of a site wait."""
        with self._database.reading(f"count the pages of {site} that wait") as db:
            return db.scalar(_COUNT_WAITING, {"of": site}) or 0

    def page(self, url: str) -> RawPage | None:
        """Return a page that waits, None if it does not."""
        with self._database.reading(f"read {url}") as db:
            row = db.execute(_ONE_WAITING, _same_page(url)).first()
        return None if row is None else _raw_page(row)

    def drop(self, urls: Sequence[str]) -> None:
        """Let pages wait no longer."""
        with self._database.writing("drop pages that waited") as db:
            drop_waiting(db, urls)


def _same_page(url: str) -> dict[str, str | int]:
    """Name a page in statements."""
    return {"of": site_of(url), "number": sampling_key(url)}


def _raw_page(row: sa.Row[Any]) -> RawPage:
    return RawPage(row.url, zstd.decompress(row.body), row.charset, row.origin)


def add_waiting(db: sa.Connection, pages: Sequence[RawPage]) -> None:
    """Keep pages, in place of older ones with the same URLs."""
    if pages:
        drop_waiting(db, [page.url for page in pages])
        db.execute(
            _ADD_WAITING,
            [
                {
                    "site": site_of(page.url),
                    "key": sampling_key(page.url),
                    "url": page.url,
                    "charset": page.charset,
                    "origin": page.origin,
                    "body": zstd.compress(page.body, _SPOOL_LEVEL),
                }
                for page in pages
            ],
        )


def drop_waiting(db: sa.Connection, urls: Sequence[str]) -> None:
    """Let pages wait no longer."""
    if urls:
        db.execute(_DROP_WAITING, list(map(_same_page, urls)))
