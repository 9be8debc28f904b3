"""Which site a crawl visits next: of a new job, or of one that was stopped early."""

import sqlite3
from collections.abc import Collection

from webstencil.crawl.addresses import cleaned, identity
from webstencil.crawl.crawl_messages import NEXT, CrawlPlan
from webstencil.crawl.frontier import FAILED, PAGE, PAGE_LIMIT, enter, known_site
from webstencil.errors import SourceError


def begin(db: sqlite3.Connection, plan: CrawlPlan) -> int:
    """Return the job to do: the last one if it is the same and not finished, else a new one."""
    row = db.execute("SELECT id, start, finished FROM job ORDER BY id DESC LIMIT 1").fetchone()
    if row is not None and row[1] == plan.start and (not row[2] or _wants_more(db, row[0], plan)):
        db.execute("UPDATE job SET finished = 0 WHERE id = ?", (row[0],))
        return int(row[0])
    return _insert(db, "INSERT INTO job (start) VALUES (?)", plan.start)


def next_visit(db: sqlite3.Connection, job: int, plan: CrawlPlan) -> int | None:
    """Return the visit to make: one that was stopped, else a new one; None if all are done."""
    row = db.execute("SELECT id FROM visit WHERE job = ? AND finished = ''", (job,)).fetchone()
    if row is not None:
        return int(row[0])
    made = db.execute("SELECT count(*) FROM visit WHERE job = ?", (job,)).fetchone()[0]
    link = plan.start if made == 0 else None
    link = link or _visited_last_time(db, job, made, plan.start) or first_outgoing(db)
    if made >= plan.sites or link is None:
        db.execute("UPDATE job SET finished = 1 WHERE id = ?", (job,))
        return None
    return _new_visit(db, job, link)


def first_outgoing(db: sqlite3.Connection) -> str | None:
    """Return the first link to a site that was not visited yet."""
    row = db.execute("SELECT link FROM site WHERE visited = 0 ORDER BY id LIMIT 1").fetchone()
    return None if row is None else str(row[0])


def _visited_last_time(db: sqlite3.Connection, job: int, index: int, start: str) -> str | None:
    """Return the site that the same job visited at this index the last time."""
    row = db.execute(
        "SELECT link FROM site JOIN visit ON visit.site = site.id WHERE visit.job = "
        "(SELECT max(id) FROM job WHERE start = ? AND start != ? AND id < ?) "
        "ORDER BY visit.id LIMIT 1 OFFSET ?",
        (start, NEXT, job, index),
    ).fetchone()
    return None if row is None else str(row[0])


def queue_lost_results(db: sqlite3.Connection, site: int, kept: Collection[str]) -> int:
    """Queue visited pages again whose results are not in the store; return how many.

    The user deleted them from the store, or changed the settings.
    """
    rows = db.execute(
        "SELECT id, url FROM page WHERE site = ? AND queued = 0 AND outcome = ?", (site, PAGE)
    ).fetchall()
    lost = [(number,) for number, url in rows if url not in kept]
    db.executemany("UPDATE page SET queued = 1, etag = '', modified = '' WHERE id = ?", lost)
    return len(lost)


def _wants_more(db: sqlite3.Connection, job: int, plan: CrawlPlan) -> bool:
    """Return whether a finished job ended at limits that are higher now; reopen its last visit."""
    row = db.execute(
        "SELECT visit.id, finished, count(page.id) FROM visit LEFT JOIN page "
        "ON page.visit = visit.id AND page.outcome IN (?, ?) "
        "WHERE job = ? GROUP BY visit.id ORDER BY visit.id DESC LIMIT 1",
        (PAGE, FAILED, job),
    ).fetchone()
    if row is not None and row[1] == PAGE_LIMIT and row[2] < plan.limits.pages:
        db.execute("UPDATE visit SET finished = '' WHERE id = ?", (row[0],))
        return True
    made = db.execute("SELECT count(*) FROM visit WHERE job = ?", (job,)).fetchone()[0]
    return 0 < made < plan.sites and first_outgoing(db) is not None


def _new_visit(db: sqlite3.Connection, job: int, link: str) -> int:
    url = cleaned(link)
    if url is None:
        raise SourceError(f"{link} is not a web URL; it must start with http:// or https://")
    site = known_site(db, url)
    visit = _insert(db, "INSERT INTO visit (job, site) VALUES (?, ?)", job, site)
    enter(db, visit, site)
    db.execute(
        "INSERT INTO page (site, identity, url, depth) VALUES (?, ?, ?, 0) "
        "ON CONFLICT DO UPDATE SET depth = 0, queued = 1",
        (site, identity(url), url),
    )
    return visit


def _insert(db: sqlite3.Connection, sql: str, *values: object) -> int:
    number = db.execute(sql, values).lastrowid
    assert number is not None  # an INSERT always has one
    return number
