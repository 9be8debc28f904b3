"""Results of pages.

A page's bookkeeping and its result are two tables, so that reading what is done takes a few
hundred bytes a page and not the results.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import sqlalchemy as sa

from webstencil.codec import decode_result, encode_result
from webstencil.model import Mode, PageResult, Status
from webstencil.protocols import Done
from webstencil.store import schema as t
from webstencil.store.database import OpenDatabase
from webstencil.store.outlines import drop_outline, drop_waiting

if TYPE_CHECKING:
    from webstencil.store.learned import TemplateTable

WITH_AREAS = (Status.HIT.value, Status.LEARNED.value)
# Pages that need not be read again: those that wait are kept, and redirects lead elsewhere.
DONE = (*WITH_AREAS, Status.WAITING.value, Status.REDIRECT.value)
TO_BE_REDONE = b""  # instead of the digest of a page
RESULTS_AT_ONCE = 100  # held in memory while results are read; about 1 MB

# Statements are built once: building one takes longer than running it.
_OF_MAKER = t.page.c.maker == t.MAKER.scalar_subquery()
_BODIES = (
    sa.select(t.page.c.url, t.result.c.body)
    .join(t.result, t.result.c.page == t.page.c.id)
    .where(_OF_MAKER)
)
_RESULTS = _BODIES.order_by(t.page.c.id).execution_options(yield_per=RESULTS_AT_ONCE)
_RESULTS_OF = _BODIES.where(t.page.c.url.in_(sa.bindparam("urls", expanding=True)))
_DONE = (
    sa.select(t.page.c.url, t.page.c.digest)
    .where(_OF_MAKER)
    .where(t.page.c.status.in_(DONE))
    .where(t.page.c.digest != TO_BE_REDONE)
    .order_by(t.page.c.id)
)
_COUNTS = sa.select(t.page.c.status, sa.func.count()).where(_OF_MAKER).group_by(t.page.c.status)
_PAGE = sa.select(t.page.c.id).where(
    t.page.c.maker == sa.bindparam("maker"), t.page.c.url == sa.bindparam("url")
)
_OLD = sa.select(t.page.c.id, t.page.c.url, t.page.c.status).where(
    t.page.c.maker == sa.bindparam("maker"), t.page.c.url.in_(sa.bindparam("urls", expanding=True))
)
_DROP_RESULT = sa.delete(t.result).where(t.result.c.page == sa.bindparam("number"))
_DROP_PAGE = sa.delete(t.page).where(t.page.c.id == sa.bindparam("number"))
_ADD_PAGE = sa.insert(t.page)
_ADD_RESULT = sa.insert(t.result).from_select(
    ["page", "body"], _PAGE.add_columns(sa.bindparam("body", type_=sa.LargeBinary))
)
_REVISE = (
    sa.update(t.result)
    .where(t.result.c.page == _PAGE.scalar_subquery())
    .values(body=sa.bindparam("new", type_=sa.LargeBinary))
)


class ResultTable:
    """The part of a store that keeps results; call it for those of a learner."""

    def __init__(self, database: OpenDatabase, templates: "TemplateTable") -> None:
        self._database = database
        self._templates = templates

    def __call__(self, learner: str) -> Iterator[PageResult]:
        """Yield the results of all pages, in the order in which they were processed.

        They are those of the moment when the first is read, whatever is saved meanwhile.
        """
        return self._templates.named(self._all(learner))

    def _all(self, learner: str) -> Iterator[PageResult]:
        with self._database.reading("read the results") as db:
            for url, body in db.execute(_RESULTS, {"made_by": learner}):
                yield self._database.decoded(stored_result, body, url)

    def of(self, learner: str, urls: Sequence[str]) -> dict[str, PageResult]:
        """Return the results of these pages by URL; pages without a result are left out."""
        with self._database.reading("read some results") as db:
            rows = db.execute(_RESULTS_OF, {"made_by": learner, "urls": urls}).all()
        results = [self._database.decoded(stored_result, body, url) for url, body in rows]
        return {result.url: result for result in self._templates.named(results)}

    def done(self, learner: str) -> dict[str, bytes]:
        """Return URL and digest of each page that has areas and need not be processed again."""
        with self._database.reading("read what is done") as db:
            return dict(db.execute(_DONE, {"made_by": learner}).all())

    def counts(self, learner: str) -> dict[Status, int]:
        """Return the number of pages of each status."""
        with self._database.reading("count the pages") as db:
            found: dict[str, int] = dict(db.execute(_COUNTS, {"made_by": learner}).all())
        return {status: found.get(status.value, 0) for status in Status}

    def redo(self, learner: str) -> int:
        """Mark all pages to be processed again; return how many. Their results stay until then."""
        maker = self._database.maker(learner)
        with self._database.writing("let pages be done again") as db:
            pages = sa.update(t.page).where(t.page.c.maker == maker)
            return db.execute(pages.values(digest=TO_BE_REDONE)).rowcount

    def remove(self, learner: str, url: str) -> None:
        """Remove the result of a page that no longer exists."""
        maker = self._database.maker(learner)
        with self._database.writing(f"remove the result of {url}") as db:
            drop_pages(db, maker, [url])
            drop_outline(db, url)
            drop_waiting(db, [url])

    def revise(self, learner: str, results: Sequence[PageResult]) -> None:
        """Replace results of pages that need not be processed again."""
        maker = self._database.maker(learner)
        rows = [{"maker": maker, "url": one.url, "new": encode_result(one)} for one in results]
        if rows:
            with self._database.writing("save results again") as db:
                db.execute(_REVISE, rows)


def stored_result(body: bytes) -> PageResult:
    """Decode a result.

    In the default mode, results of older versions name a stencil that stood for their template.
    """
    result = decode_result(body)
    return result if result.grain is None else replace(result, stencil=None)


def add_pages(
    db: sa.Connection, maker: int, pages: Sequence[Done], bodies: Sequence[bytes]
) -> frozenset[str]:
    """Add pages as those done last; return the URLs of those that had areas before."""
    known = drop_pages(db, maker, [page.result.url for page in pages])
    done = [
        {
            "maker": maker,
            "site": page.result.site,
            "url": page.result.url,
            "status": page.result.status.value,
            "stencil": page.result.stencil,
            "template": page.result.followed_template,
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


def forget_pages(db: sa.Connection, maker: int, site: str) -> int:
    """Delete the pages of a site that have areas; return how many."""
    same = (t.page.c.maker == maker) & (t.page.c.site == site) & t.page.c.status.in_(WITH_AREAS)
    pages = sa.select(t.page.c.id).where(same)
    db.execute(sa.delete(t.result).where(t.result.c.page.in_(pages)))
    return db.execute(sa.delete(t.page).where(same)).rowcount


def drop_pages(db: sa.Connection, maker: int, urls: Sequence[str]) -> frozenset[str]:
    """Delete pages, if they are there; return the URLs of those that had areas."""
    old = db.execute(_OLD, {"maker": maker, "urls": urls}).all()
    if old:
        pages = [{"number": row.id} for row in old]
        db.execute(_DROP_RESULT, pages)
        db.execute(_DROP_PAGE, pages)
    return frozenset([row.url for row in old if row.status in WITH_AREAS])


# What people look up in a store: pages by URL, the result of one, pages without areas.
#
# Nothing is written here, and no statement needs further indexes: a URL is searched for in one pass
# over an index.


PAGES_AT_ONCE = 50  # returned by one search


@dataclass(frozen=True, slots=True)
class PageRow:
    """A page without its result."""

    number: int  # changes when the page is done again
    site: str
    url: str
    status: str
    stencil: str | None  # that it follows in paper mode
    template: int | None  # that it follows in the default mode
    maker: int


@dataclass(frozen=True, slots=True)
class PageFilter:
    """Which pages are looked for."""

    text: str = ""  # in the URL, in upper or lower case
    status: str = ""  # empty for any
    stencil: str = ""  # key, empty for any
    skipped: int = 0  # pages before the first that is returned
    site: str = ""  # of the template
    template: int | None = None  # its number, None for any
    maker: int = 0  # of those that follow the template with these settings, 0 for all of its pages


_ROW = t.page.c["id", "site", "url", "status", "stencil", "template", "maker"]
_OF_SITE = (t.page.c.site == sa.bindparam("of")) & (t.page.c.maker == sa.bindparam("by"))
_WITHOUT_AREAS = (
    sa.select(t.page.c.id)
    .where(_OF_SITE, t.page.c.status.not_in(WITH_AREAS))
    .order_by(t.page.c.id.desc())
    .limit(sa.bindparam("most"))
)
_SITE_COUNTS = sa.select(*t.page.c["site", "maker", "status"], sa.func.count()).group_by(
    *t.page.c["site", "maker", "status"]
)
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
_OUTLINES = sa.select(t.outline.c.site, sa.func.count()).group_by(t.outline.c.site)
_TEMPLATES = (
    sa.select(t.outline.c.template, sa.func.count())
    .where(t.outline.c.site == sa.bindparam("of"))
    .group_by(t.outline.c.template)
)
_PROCESSED = (
    sa.select(t.page.c.url)
    .where(t.page.c.maker.in_(sa.select(t.maker.c.id)))
    .where(t.page.c.url.in_(sa.bindparam("urls", expanding=True)))
)
_FOLLOW = _OF_SITE & t.page.c.template.in_(sa.bindparam("numbers", expanding=True))
_FOLLOWING = sa.select(sa.func.count()).select_from(t.page).where(_FOLLOW)
_RESULTS_FOLLOWING = (
    sa.select(t.page.c.url, t.result.c.body)
    .join(t.result, t.result.c.page == t.page.c.id)
    .where(_FOLLOW)
    .order_by(t.page.c.url)
    .limit(sa.bindparam("most"))
    .offset(sa.bindparam("before"))
)
_SITE_VERSIONS = (
    sa.select(t.page.c.site, sa.func.max(t.page.c.version))
    .where(t.page.c.maker == t.MAKER.scalar_subquery())
    .group_by(t.page.c.site)
)
_RUNS_MARK = sa.select(sa.func.count(), sa.func.sum(t.run.c.whole)).select_from(t.run)


class PageLookups:
    """The part of a store that people look things up in."""

    def __init__(self, database: OpenDatabase) -> None:
        self._database = database

    def makers(self) -> dict[int, str]:
        """Return the settings that sites were learned with, by number."""
        with self._database.reading("list the settings") as db:
            return dict(db.execute(sa.select(t.maker.c.id, t.maker.c.made_by)).all())

    def modes(self) -> dict[str, Mode]:
        """Return the mode of each of these settings."""
        with self._database.reading("list the settings") as db:
            rows = db.execute(sa.select(t.maker.c.made_by, t.maker.c.mode)).all()
        return {made_by: Mode(mode) for made_by, mode in rows}

    def site_counts(self) -> Iterator[tuple[str, int, str, int]]:
        """Yield site, number of the settings, status, and how many pages have it."""
        with self._database.reading("count the pages") as db:
            yield from (tuple(row) for row in db.execute(_SITE_COUNTS))

    def uses_mark(self) -> tuple[int | None, ...]:
        """Return numbers that change whenever stencils are used: all of them only ever grow."""
        with self._database.reading("read the uses of stencils") as db:
            uses, runs = db.execute(_USES_MARK).one(), db.execute(_RUNS_MARK).one()
            return (*uses, *runs)

    def count_following(self, made_by: str, site: str, templates: Sequence[int]) -> int:
        """Return the number of pages that follow one of some templates."""
        wanted = self._following(made_by, site, templates)
        with self._database.reading("count pages") as db:
            return db.scalar(_FOLLOWING, wanted) or 0

    def results_following(
        self, made_by: str, site: str, templates: Sequence[int], skipped: int, most: int
    ) -> tuple[PageResult, ...]:
        """Return the results of a part of the pages that follow one of some templates, by URL."""
        wanted = self._following(made_by, site, templates) | {"before": skipped, "most": most}
        with self._database.reading("read results") as db:
            rows = db.execute(_RESULTS_FOLLOWING, wanted).all()
        return tuple(self._database.decoded(stored_result, body, url) for url, body in rows)

    def _following(self, made_by: str, site: str, templates: Sequence[int]) -> dict[str, object]:
        return {"of": site, "by": self.maker_of(made_by), "numbers": list(templates)}

    def maker_of(self, made_by: str) -> int:
        """Return the number of some settings, 0 if the store does not have them."""
        with self._database.reading("look for settings") as db:
            return db.scalar(t.MAKER, {"made_by": made_by}) or 0

    def site_versions(self, learner: str) -> dict[str, int]:
        """Return the newest version that results of each site were made with."""
        with self._database.reading("read the versions of sites") as db:
            return dict(db.execute(_SITE_VERSIONS, {"made_by": learner}).all())

    def pages_without_areas(self, maker: int, site: str, most: int) -> tuple[int, ...]:
        """Return the numbers of pages of a site that failed or were skipped, newest first."""
        wanted = {"of": site, "by": maker, "most": most}
        with self._database.reading("list the pages without areas") as db:
            return tuple(db.scalars(_WITHOUT_AREAS, wanted))

    def find_pages(self, wanted: PageFilter) -> tuple[int, tuple[PageRow, ...]]:
        """Return the number of pages found, and the next of them.

        They are sorted by maker and URL, as an index has them.
        """
        found = sa.select(*_ROW).where(*conditions(wanted)).order_by(t.page.c.maker, t.page.c.url)
        count = sa.select(sa.func.count()).select_from(t.page).where(*conditions(wanted))
        with self._database.reading("search the pages") as db:
            rows = db.execute(found.limit(PAGES_AT_ONCE).offset(wanted.skipped)).all()
            return db.scalar(count) or 0, tuple(PageRow(*row) for row in rows)

    def surveyed_sites(self) -> dict[str, int]:
        """Return the number of pages with an outline, by site."""
        with self._database.reading("list the surveyed sites") as db:
            return dict(db.execute(_OUTLINES).all())

    def template_counts(self, site: str) -> dict[int | None, int]:
        """Return the number of pages of each template of a site; None for undecided ones."""
        with self._database.reading(f"count the pages of {site}") as db:
            return dict(db.execute(_TEMPLATES, {"of": site}).all())

    def processed(self, urls: Iterable[str]) -> frozenset[str]:
        """Return those of some pages that have a result."""
        with self._database.reading("look for pages") as db:
            return frozenset(db.scalars(_PROCESSED, {"urls": sorted(set(urls))}))

    def makers_of(self, url: str) -> tuple[int, ...]:
        """Return the numbers of the settings that have a result of a page, the newest first."""
        with self._database.reading(f"look for {url}") as db:
            return tuple(db.scalars(_MAKERS_OF, {"url": url}))

    def result_of(self, url: str, maker: int) -> PageResult | None:
        """Return the result of a page, None if there is none."""
        with self._database.reading(f"read the result of {url}") as db:
            body = db.scalar(_RESULT, {"url": url, "maker": maker})
        return None if body is None else self._database.decoded(stored_result, body, url)

    def results_numbered(self, numbers: Sequence[int]) -> tuple[PageResult, ...]:
        """Return the results of pages by their numbers, newest first."""
        with self._database.reading("read the results") as db:
            found = db.execute(_NUMBERED, {"numbers": list(numbers)}).all()
        return tuple(self._database.decoded(stored_result, body, url) for url, body in found)


def conditions(wanted: PageFilter) -> list[sa.ColumnElement[bool]]:
    """Return the conditions of a search."""
    found: list[sa.ColumnElement[bool]] = []
    if wanted.text:
        found.append(sa.cast(t.page.c.url, sa.Text).icontains(wanted.text, autoescape=True))
    if wanted.status:
        found.append(t.page.c.status == wanted.status)
    if wanted.stencil:
        found.append(t.page.c.stencil == wanted.stencil)
    if wanted.template is not None and wanted.maker:
        found.append((t.page.c.site == wanted.site) & (t.page.c.template == wanted.template))
        found.append(t.page.c.maker == wanted.maker)
    elif wanted.template is not None:
        same = (t.outline.c.site == wanted.site) & (t.outline.c.template == wanted.template)
        found.append(t.page.c.url.in_(sa.select(t.outline.c.url).where(same)))
    return found
