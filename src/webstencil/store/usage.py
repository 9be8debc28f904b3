"""The runs of a store: the uses of templates and stencils, and which stencils no longer teach.

Uses are counted with the results of pages, in the same transaction: one row for each run and
template or stencil, one small update each time; unchanged pages are added at the end of a run.
Times are those at which runs began, by the caller's clock.
"""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from operator import add
from typing import Any

import sqlalchemy as sa

from webstencil.model import Mode, Status, Stencil
from webstencil.protocols import Done
from webstencil.store import schema as t
from webstencil.store.database import OpenDatabase


class StencilState(StrEnum):
    """Whether a stencil is still used, and if not, why."""

    TEACHING = "teaching"
    RETIRED = "retired"  # no page used it while many others were learned
    REPLACED = "replaced"  # the page it was learned from was learned again


@dataclass(frozen=True, slots=True)
class SiteRun:
    """The uses of a site's templates, or in paper mode stencils, in a run."""

    made_by: str
    mode: Mode
    site: str
    run: int
    began: str  # when the run began, ISO 8601
    whole: bool  # the run was completed
    hits: int  # pages that stencils were laid over
    learned: int  # pages that stencils were learned from
    known: int  # of all these, pages whose URL had areas before
    unchanged: int  # pages with areas, met again unchanged
    confidence: float  # sum over the hits

    @property
    def hit_ratio(self) -> float | None:
        """Return the share of hits in the pages done, None if none was done."""
        done = self.hits + self.learned
        return self.hits / done if done else None

    @property
    def mean_confidence(self) -> float | None:
        """Return the mean over the hits, None without any."""
        return self.confidence / self.hits if self.hits else None


@dataclass(frozen=True, slots=True)
class StencilLife:
    """The uses of a stencil or template in all runs, even if it was forgotten."""

    made_by: str
    site: str
    name: str  # the key of the stencil, or the number of the template
    first: int  # run that used it
    last: int  # run that used it
    hits: int  # as in `SiteRun`
    learned: int
    known: int


@dataclass(frozen=True, slots=True)
class Past:
    """The uses of templates and stencils at one moment."""

    runs: tuple[SiteRun, ...] = ()  # oldest first
    lives: tuple[StencilLife, ...] = ()  # by name


@dataclass(frozen=True, slots=True)
class StencilHistory:
    """When and why a stencil was learned, and how it was used."""

    state: StencilState
    why: str  # it was learned; empty if unknown
    learned: str  # when the run began that learned it, ISO 8601; empty if unknown
    used: str  # the same of the last run that used it
    hits: int  # in all runs
    confidence: float | None  # mean over the hits, None without any


_NEXT_RUN = sa.select(sa.func.coalesce(sa.func.max(t.run.c.id), 0) + 1)


def _sum(column: str) -> sa.ColumnElement[int]:
    """Sum whole numbers; PostgreSQL would return decimals."""
    return sa.cast(sa.func.sum(t.use.c[column]), sa.BigInteger).label(column)


# Summed by the database: a year of daily runs has a row for each run and stencil, 190,000 rows.
_BY_RUN = (
    sa.select(
        *(t.use.c.site, t.use.c.run),
        *(_sum(column) for column in ("hits", "learned", "known", "unchanged")),
        sa.func.sum(t.use.c.confidence).label("confidence"),
    )
    .group_by(t.use.c.run, t.use.c.site)
    .subquery()
)
_RUNS = (
    sa.select(
        *(t.maker.c.made_by, t.maker.c.mode, _BY_RUN.c.site, _BY_RUN.c.run),
        *(t.run.c.began, t.run.c.whole == 1),
        *(_BY_RUN.c.hits, _BY_RUN.c.learned, _BY_RUN.c.known, _BY_RUN.c.unchanged),
        _BY_RUN.c.confidence,
    )
    .join(t.run, t.run.c.id == _BY_RUN.c.run)
    .join(t.maker, t.maker.c.id == t.run.c.maker)
    .order_by(_BY_RUN.c.run, _BY_RUN.c.site)
)
_BY_NAME = (
    sa.select(
        *(t.run.c.maker, t.use.c.site, t.use.c.name),
        *(sa.func.min(t.use.c.run).label("first"), sa.func.max(t.use.c.run).label("last")),
        *(_sum(column) for column in ("hits", "learned", "known")),
    )
    .join(t.run, t.run.c.id == t.use.c.run)
    .group_by(t.run.c.maker, t.use.c.site, t.use.c.name)
    .subquery()
)
_LIVES = (
    sa.select(t.maker.c.made_by, *_BY_NAME.c["site", "name", "first", "last"])
    .add_columns(*_BY_NAME.c["hits", "learned", "known"])
    .join(t.maker, t.maker.c.id == _BY_NAME.c.maker)
    .order_by(_BY_NAME.c.site, _BY_NAME.c.name)
)
_HISTORY = (
    sa.select(t.run.c.began, t.use.c.hits, t.use.c.learned, t.use.c.confidence)
    .join(t.run, t.run.c.id == t.use.c.run)
    .where(t.use.c.name == sa.bindparam("key"))
    .order_by(t.use.c.run)
)
_SAME = (
    (t.use.c.run == sa.bindparam("in_run"))
    & (t.use.c.site == sa.bindparam("of"))
    & (t.use.c.name == sa.bindparam("named"))
)
_COUNT = (
    sa.update(t.use)
    .where(_SAME)
    .values(
        hits=t.use.c.hits + sa.bindparam("hit"),
        learned=t.use.c.learned + sa.bindparam("new"),
        known=t.use.c.known + sa.bindparam("again"),
        confidence=t.use.c.confidence + sa.bindparam("sure"),
    )
)
COUNTED = ("hit", "new", "again", "sure")  # what is added up of pages
_UNCHANGED = sa.update(t.use).where(_SAME).values(unchanged=sa.bindparam("pages"))
_WHOLE = sa.update(t.run).where(t.run.c.id == sa.bindparam("in_run")).values(whole=1)
VERSION = (
    sa.select(sa.func.count())
    .select_from(t.stencil)
    .where(t.stencil.c.site == sa.bindparam("site"))
    .where(t.stencil.c.maker == t.MAKER.scalar_subquery())
)
_VERSIONS = (
    sa.select(t.page.c.url, t.page.c.version)
    .where(t.page.c.maker == t.MAKER.scalar_subquery())
    .where(t.page.c.status.in_(sa.bindparam("statuses", expanding=True)))
)
_SITES = sa.select(t.use.c.site).where(t.use.c.run == sa.bindparam("in_run"))
_FOLLOWED = (
    sa.select(t.page.c.url, t.page.c.site, t.FOLLOWED)
    .join(t.run, t.run.c.maker == t.page.c.maker)
    .where(t.run.c.id == sa.bindparam("in_run"), t.FOLLOWED.is_not(None))
)
_TEACHING = (
    sa.select(t.stencil.c.key, t.stencil.c.site)
    .join(t.run, t.run.c.maker == t.stencil.c.maker)
    .where(t.run.c.id == sa.bindparam("in_run"))
    .where(t.stencil.c.state == StencilState.TEACHING.value)
    .where(t.stencil.c.site.in_(_SITES))
    .order_by(t.stencil.c.id)
)
_ITS_MAKER = sa.select(t.run.c.maker).where(t.run.c.id == sa.bindparam("in_run")).scalar_subquery()
_SITES_PAST = (
    _RUNS.where(_BY_RUN.c.site.in_(_SITES), t.run.c.maker == _ITS_MAKER),
    _LIVES.where(_BY_NAME.c.site.in_(_SITES), _BY_NAME.c.maker == _ITS_MAKER),
)
_RETIRE = (
    sa.update(t.stencil)
    .where(t.stencil.c.key == sa.bindparam("of"))
    .values(state=StencilState.RETIRED.value, ended=sa.bindparam("in_run"))
)
_REPLACE = (
    sa.update(t.stencil)
    .where(t.stencil.c.maker == sa.bindparam("by"), t.stencil.c.site == sa.bindparam("of"))
    .where(t.stencil.c.made_from == sa.bindparam("at"), t.stencil.c.key != sa.bindparam("but"))
    .where(t.stencil.c.state == StencilState.TEACHING.value)
    .values(state=StencilState.REPLACED.value, ended=sa.bindparam("in_run"))
)


class RunTable:
    """The part of a store that counts the uses of templates and stencils, run by run."""

    def __init__(self, database: OpenDatabase) -> None:
        self._database = database

    def begin(self, learner: str, when: datetime) -> int:
        """Record that a run begins; return its number."""
        maker = self._database.maker(learner)
        with self._database.writing("begin a run") as db:
            number: int = db.scalars(_NEXT_RUN).one()
            began = when.astimezone(UTC).isoformat(timespec="seconds")
            values = {"id": number, "maker": maker, "began": began, "whole": 0}
            db.execute(sa.insert(t.run), values)
        return number

    def versions(self, learner: str, *statuses: Status) -> dict[str, int]:
        """Return the version that each page with one of these statuses was made with."""
        named = {"made_by": learner, "statuses": [status.value for status in statuses]}
        with self._database.reading("read the pages' versions") as db:
            return dict(db.execute(_VERSIONS, named).all())

    def past(self) -> Past:
        """Return the uses of all stencils in all runs."""
        with self._database.reading("read the uses of stencils") as db:
            return _past_of(db.execute(_RUNS), db.execute(_LIVES))

    def end(self, run: int, met: Container[str], after: int) -> tuple[str, ...]:
        """Record that a run is complete; return the stencils that it retired.

        `met` are the URLs of unchanged pages; `idle_stencils` explains `after`.
        """
        here = {"in_run": run}
        # Read before writing: no other process waits while all pages are looked at.
        with self._database.reading("read what pages follow") as db:
            unchanged = Counter(
                (site, name) for url, site, name in db.execute(_FOLLOWED, here) if url in met
            )
        with self._database.writing("end a run") as db:
            for (site, name), pages in sorted(unchanged.items()):
                count_use(db, run, site, name)
                same = {"in_run": run, "of": site, "named": name}
                db.execute(_UNCHANGED, same | {"pages": pages})
            teaching = [(key, site) for key, site in db.execute(_TEACHING, here)]
            past = _past_of(*(db.execute(statement, here) for statement in _SITES_PAST))
            idle = idle_stencils(teaching, past, run, after)
            for key in idle:
                db.execute(_RETIRE, {"of": key, "in_run": run})
            db.execute(_WHOLE, here)
        return idle

    def history(self, key: str) -> StencilHistory:
        """Return the history of a stencil."""
        with self._database.reading(f"read the history of {key}") as db:
            row = db.execute(
                sa.select(t.stencil.c.state, t.stencil.c.why).where(t.stencil.c.key == key)
            ).first()
            found = db.execute(_HISTORY, {"key": key}).all()
        if row is None:
            raise self._database.no_stencil(key)
        hits = sum(use.hits for use in found)
        return StencilHistory(
            state=StencilState(row.state),
            why=row.why,
            learned=next((use.began for use in found if use.learned), ""),
            used=found[-1].began if found else "",
            hits=hits,
            confidence=sum(use.confidence for use in found) / hits if hits else None,
        )


def _past_of(runs: Iterable[Sequence[Any]], lives: Iterable[Sequence[Any]]) -> Past:
    """Make values of the sums."""
    return Past(
        tuple(SiteRun(made_by, Mode(mode), *rest) for made_by, mode, *rest in runs),
        tuple(StencilLife(*row) for row in lives),
    )


def idle_stencils(
    teaching: Iterable[tuple[str, str]], past: Past, run: int, after: int
) -> tuple[str, ...]:
    """Return the stencils that are no longer needed; `teaching` are keys and sites.

    One is idle if the runs since it was last used did `after` pages of its site or more, and
    learned others instead. Only whole runs count: in one pass over a site a rare template comes
    back after hundreds of pages.
    """
    last = {life.name: life.last for life in past.lives}
    done: dict[str, list[SiteRun]] = {}
    for one in past.runs:
        done.setdefault(one.site, []).append(one)
    idle = []
    for key, site in teaching:
        since = [one for one in done.get(site, ()) if last.get(key, 0) < one.run <= run]
        pages = sum(one.hits + one.learned for one in since)
        if pages >= after and any(one.learned for one in since):
            idle.append(key)
    return tuple(idle)


def count_pages(db: sa.Connection, run: int, pages: Iterable[Done], known: Container[str]) -> None:
    """Count the uses of templates and stencils; `known` are the URLs that had areas before."""
    sums: dict[tuple[str, str], list[float]] = {}
    for result in [page.result for page in pages]:
        name = result.stencil or result.followed_template
        if name is not None:
            use = result.site, str(name)
            hit = result.status is Status.HIT
            counts = hit, not hit, result.url in known, result.confidence if hit else 0.0
            sums[use] = list(map(add, sums.get(use, [0] * len(COUNTED)), counts))
    for (site, name), counted in sums.items():
        same = {"in_run": run, "of": site, "named": name}
        values = {**same, **dict(zip(COUNTED, counted, strict=True))}
        if not db.execute(_COUNT, values).rowcount:
            count_use(db, run, site, name)
            db.execute(_COUNT, values)


def count_use(db: sa.Connection, run: int, site: str, name: str) -> None:
    """Add a row for a template or stencil in a run, if there is none."""
    same = {"in_run": run, "of": site, "named": name}
    if db.scalar(sa.select(t.use.c.run).where(_SAME), same) is None:
        nothing = {"hits": 0, "learned": 0, "known": 0, "unchanged": 0, "confidence": 0.0}
        db.execute(sa.insert(t.use), {"run": run, "site": site, "name": name} | nothing)


def end_older(db: sa.Connection, maker: int, learned: Stencil, run: int) -> None:
    """Replace stencils that were learned from the same page before."""
    at = {"by": maker, "of": learned.site, "at": learned.made_from}
    db.execute(_REPLACE, at | {"but": learned.key, "in_run": run})
