"""A crawl's lists (CPS paper, section 7): extracted, visited and outgoing links, in a file.

A page stays in the extracted list until its result is stored, even if the process is killed.
The links of a page are added before it is settled, in the same or an earlier transaction; so a kill
cannot settle a page and lose its links. Pages come breadth first, in the order in which they were
found; that order depends on the site alone.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Self

from webstencil.crawl.addresses import cleaned, identity, refusal, shape, without
from webstencil.crawl.frontier_tables import ServerReply, locked, open_lists
from webstencil.crawl.messages import FAILED, NEXT_SITE, PAGE, CrawlLimits, CrawlPlan
from webstencil.errors import SourceError
from webstencil.urls import site_of

UNCHANGED = 304  # HTTP status; it says nothing without the result that it is about
ECHOES = 3  # pages that a parameter must have left unchanged before it counts as noise
MOST_SEEN = 1 << 16  # URLs remembered, so that most links need no query
VISIT_WHOLE = "all pages"  # why a visit ended: nothing is left
PAGE_LIMIT = "limit of pages"
LATER = 1_000  # tries of a page that is left to the next crawl
KEPT_FIELDS = 8  # of a reply, the first ones


@dataclass(frozen=True, slots=True)
class FrontierEntry:
    """A page of the extracted list."""

    number: int
    url: str
    depth: int
    chain: int
    hops: int
    tries: int
    etag: str
    modified: str
    outcome: str  # of the last visit


class Frontier:
    """The lists of one site's visit."""

    def __init__(self, db: sqlite3.Connection, visit: int, limits: CrawlLimits) -> None:
        self._db = db
        self._limits = limits
        self._seen: set[str] = set()
        self._noticed: Counter[str] = Counter()
        self._outgoing: dict[str, str] = {}  # site and first link, not written yet
        self.visit = visit
        self.number, self.site = db.execute(
            "SELECT site.id, name FROM site JOIN visit ON visit.site = site.id WHERE visit.id = ?",
            (visit,),
        ).fetchone()
        db.execute("UPDATE page SET tries = 0 WHERE site = ? AND tries = ?", (self.number, LATER))
        self.queued: int = self._count("queued = 1")
        self.pages: int = self._count(f"visit = {visit} AND outcome IN ('{PAGE}', '{FAILED}')")
        self.noise = self._read_noise()

    def add(
        self, links: Iterable[str], parent: FrontierEntry | None = None, *, hop: bool = False
    ) -> None:
        """Add the links of a page; `hop` if the page only redirects to them."""
        for link in links:
            url = self._wanted(link)
            if url is not None:
                self._insert(url, parent, hop)
        if len(self._seen) > MOST_SEEN:
            self._seen.clear()

    def take(self, number: int, taken: Collection[int]) -> list[FrontierEntry]:
        """Return the next pages to fetch, except those already taken."""
        rows = self._db.execute(
            "SELECT id, url, depth, chain, hops, tries, etag, modified, outcome "
            "FROM page WHERE queued = 1 AND site = ? AND tries < ? "
            "AND depth <= ? AND id NOT IN (SELECT value FROM json_each(?)) "
            "ORDER BY tries, depth, id LIMIT ?",
            (self.number, LATER, self._limits.depth, json.dumps(list(taken)), number),
        )
        return [FrontierEntry(*row) for row in rows]

    def settle(
        self, entry: FrontierEntry, outcome: str, *, etag: str = "", modified: str = ""
    ) -> None:
        """Move a page to the visited list."""
        if outcome in (PAGE, FAILED):
            self.pages += 1
        self.queued -= 1
        self._db.execute(
            "UPDATE page SET queued = 0, tries = 0, visit = ?, outcome = ?, etag = ?, modified = ? "
            "WHERE id = ?",
            (self.visit, outcome, etag, modified, entry.number),
        )
        self._db.execute("DELETE FROM reply WHERE page = ?", (entry.number,))

    def keep(self, entry: FrontierEntry, reply: ServerReply) -> None:
        """Keep the reply to the request for a page until it is settled, if it is final."""
        if reply.status and reply.status != UNCHANGED and not reply.again:
            row = (entry.number, *astuple(reply)[:KEPT_FIELDS])
            self._db.execute("INSERT OR REPLACE INTO reply VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)

    def kept(self, entry: FrontierEntry) -> ServerReply | None:
        """Return the reply that a crawl kept that was ended before the page was settled."""
        row = self._db.execute("SELECT * FROM reply WHERE page = ?", (entry.number,)).fetchone()
        return None if row is None else ServerReply(*row[1:])

    def put_off(self, entry: FrontierEntry) -> None:
        """Put a page behind all others that were not tried more often."""
        self._db.execute("UPDATE page SET tries = tries + 1 WHERE id = ?", (entry.number,))

    def leave(self, entry: FrontierEntry) -> None:
        """Leave a page to the next crawl."""
        self._db.execute("UPDATE page SET tries = ? WHERE id = ?", (LATER, entry.number))

    def is_echo(self, entry: FrontierEntry, echo: bytes) -> bool:
        """Return whether another URL of the same page had this content; remember it.

        A parameter that changed nothing several times is left out from then on.
        """
        rows = self._db.execute(
            "SELECT url FROM page WHERE echo = ? AND site = ? AND id != ?",
            (echo, self.number, entry.number),
        ).fetchall()
        if not rows:
            self._db.execute("UPDATE page SET echo = ? WHERE id = ?", (echo, entry.number))
            return False
        pairs = set(entry.url.partition("?")[2].split("&"))
        pairs ^= set(rows[0][0].partition("?")[2].split("&"))
        different = {pair.partition("=")[0] for pair in pairs if pair}
        if len(different) == 1:  # else it could be any of them that made no difference
            self._db.execute(
                "INSERT INTO noise VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET echoes = echoes + 1",
                (self.number, *different),
            )
            self.noise = self._read_noise()
        return True

    def depart(self, link: str) -> None:
        """Continue the visit at another site: the start page has moved there."""
        number = known_site(self._db, link)
        self._db.execute("UPDATE visit SET site = ? WHERE id = ?", (number, self.visit))
        begin_again(self._db, self.visit, number)
        self.number, self.site = number, site_of(link)
        self._seen.clear()
        self.queued, self.noise = self._count("queued = 1"), self._read_noise()

    def finish(self, why: str) -> None:
        """Mark the visit as complete."""
        self._db.execute("UPDATE visit SET finished = ? WHERE id = ?", (why, self.visit))

    def notice(self, reason: str) -> None:
        """Count a link that is not followed."""
        self._noticed[reason] += 1

    def flush(self) -> None:
        """Write counts and outgoing links, as a part of the transaction."""
        self._db.executemany(
            "INSERT INTO notice VALUES (?, ?, ?) "
            "ON CONFLICT DO UPDATE SET links = links + excluded.links",
            [(self.visit, reason, links) for reason, links in self._noticed.items()],
        )
        self._db.executemany(
            "INSERT OR IGNORE INTO site (name, link) VALUES (?, ?)",
            list(self._outgoing.items()),
        )
        self._noticed.clear()
        self._outgoing.clear()

    def tally(self) -> Iterator[tuple[str, int]]:
        """Yield the outcomes of this visit's pages with their counts, most frequent first."""
        yield from self._db.execute(
            "SELECT outcome, count(*) FROM page WHERE visit = ? AND queued = 0 AND site = ? "
            "GROUP BY 1 ORDER BY 2 DESC, 1",
            (self.visit, self.number),
        )

    def noticed(self) -> Iterator[tuple[str, int]]:
        """Yield why links were not followed, with counts, most frequent first."""
        yield from self._db.execute(
            "SELECT reason, links FROM notice WHERE visit = ? ORDER BY 2 DESC, 1", (self.visit,)
        )

    def _wanted(self, link: str) -> str | None:
        """Return the URL to fetch; None if it is known, of another site, or not worth it."""
        url = cleaned(link)
        if url is None or url in self._seen:
            return None
        self._seen.add(url)
        site = site_of(url)
        if site != self.site:
            self._outgoing.setdefault(site, url)
            return None
        reason = refusal(url)
        if reason:
            self.notice(reason)
            return None
        names = {pair.partition("=")[0] for pair in url.partition("?")[2].split("&")}
        return url if self.noise.isdisjoint(names) else without(url, self.noise)

    def _insert(self, url: str, parent: FrontierEntry | None, hop: bool) -> None:
        chain = parent.chain + 1 if parent and shape(parent.url) == shape(url) else 0
        if chain > self._limits.chain:
            self.notice("endless chain of similar URLs")
            return
        depth = parent.depth + 1 if parent else 0
        hops = parent.hops + 1 if parent and hop else 0
        self.queued += self._db.execute(
            "INSERT OR IGNORE INTO page (site, identity, url, depth, chain, hops) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (self.number, identity(url, self.noise), url, depth, chain, hops),
        ).rowcount

    def _read_noise(self) -> frozenset[str]:
        rows = self._db.execute(
            "SELECT name FROM noise WHERE site = ? AND echoes >= ?", (self.number, ECHOES)
        )
        return frozenset(name for (name,) in rows)

    def _count(self, condition: str) -> int:
        sql = f"SELECT count(*) FROM page WHERE site = ? AND {condition}"
        count: int = self._db.execute(sql, (self.number,)).fetchone()[0]
        return count


def known_site(db: sqlite3.Connection, link: str) -> int:
    """Return the number of the site that a URL belongs to; add the site if it is new."""
    name = site_of(link)
    db.execute("INSERT OR IGNORE INTO site (name, link) VALUES (?, ?)", (name, link))
    number: int = db.execute("SELECT id FROM site WHERE name = ?", (name,)).fetchone()[0]
    return number


def begin_again(db: sqlite3.Connection, visit: int, site: int) -> None:
    """Begin to visit a site: all its known pages are visited again."""
    db.execute("UPDATE site SET visited = ? WHERE id = ?", (visit, site))
    db.execute("UPDATE page SET queued = 1, tries = 0 WHERE site = ?", (site,))
    db.execute("DELETE FROM reply WHERE page IN (SELECT id FROM page WHERE site = ?)", (site,))


class Lists:
    """The open file of a crawl's lists; a transaction is always open."""

    def __init__(self, path: Path) -> None:
        self._lock = locked(path)
        self._lock.__enter__()
        self.db = open_lists(path)
        self.db.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        self.db.execute("COMMIT")
        self.db.execute("BEGIN IMMEDIATE")

    def close(self) -> None:
        with suppress(sqlite3.Error):  # what cannot be written is done again
            self.db.execute("COMMIT")
        self.db.close()
        self._lock.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def begin_job(db: sqlite3.Connection, plan: CrawlPlan) -> int:
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
    url = cleaned(link)
    if url is None:
        raise SourceError(f"{link} is not a web URL; it must start with http:// or https://")
    site = known_site(db, url)
    visit = _insert(db, "INSERT INTO visit (job, site) VALUES (?, ?)", job, site)
    begin_again(db, visit, site)
    db.execute(
        "INSERT INTO page (site, identity, url, depth) VALUES (?, ?, ?, 0) "
        "ON CONFLICT DO UPDATE SET depth = 0, queued = 1",
        (site, identity(url), url),
    )
    return visit


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
        (start, NEXT_SITE, job, index),
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


def _insert(db: sqlite3.Connection, sql: str, *values: object) -> int:
    number = db.execute(sql, values).lastrowid
    assert number is not None  # an INSERT always has one
    return number
