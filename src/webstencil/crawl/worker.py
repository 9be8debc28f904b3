"""The fetching process: Scrapy's event loop, the frontier, and a pipe to the pipeline's process.

The visit of a site fetches its pages, finds their links, and delivers the pages in the order of the
frontier, whichever answer came first. So the order depends on the site alone, and so do the
stencils that are learned on the way. Resources of pages are fetched once each, and kept. The
process ends with its parent: it stops when the pipe is closed.
"""

import asyncio
import logging
import os
import signal
import sqlite3
import sys
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from threading import Thread

from scrapy import Spider
from scrapy.crawler import AsyncCrawlerProcess

from webstencil import urls
from webstencil.crawl import addresses as links
from webstencil.crawl.addresses import cleaned, identity, same_but_for_form
from webstencil.crawl.fetching import Fetcher, scrapy_settings
from webstencil.crawl.frontier import (
    PAGE_LIMIT,
    UNCHANGED,
    VISIT_WHOLE,
    Frontier,
    FrontierEntry,
    Lists,
    begin_job,
    next_visit,
    queue_lost_results,
)
from webstencil.crawl.frontier_tables import ServerReply, trouble
from webstencil.crawl.messages import (
    PAGE,
    CrawlBroken,
    CrawlPlan,
    Fetched,
    Finished,
    Gone,
    ResourceReply,
    ResourceRequest,
    Said,
    Settled,
    Spared,
    Visited,
)
from webstencil.crawl.warc_writer import WarcWriter
from webstencil.errors import WebstencilError
from webstencil.model import Resource
from webstencil.processes import hear_signals
from webstencil.store import open_store
from webstencil.store.sql import database_of

log = logging.getLogger(__name__)

WINDOW = 128  # pages fetched and not settled: half of them may wait to be saved in one batch
MOST_BYTES_HELD = 64_000_000  # bytes of pages fetched and not settled
MOST_HOPS = 10  # redirects from one URL
FIRST_PAUSE = 1.0  # s before the second try; doubled for each later one
PULSE = 0.3  # s between two looks at the limit of time
SILENCE = 30  # pages in a row without any answer; then the server is down
VISIT_STOPPED = "stopped"
SERVER_SILENT = "no server answers"
TIME = "limit of time"
ROBOTS = "no robots.txt"
UNREADABLE = (
    "robots.txt of {host} cannot be read ({why}): "
    "run the same command again later, or add --no-robots"
)


@dataclass(frozen=True, slots=True)
class UnsettledPage:
    """A page that was delivered and is not settled yet."""

    entry: FrontierEntry
    etag: str
    modified: str
    size: int  # bytes


class SiteVisit:
    """The visit of one site: the pages of its frontier."""

    def __init__(
        self,
        frontier: Frontier,
        fetcher: Fetcher,
        plan: CrawlPlan,
        say: Callable[[Said], None],
        kept: Collection[str],
    ) -> None:
        self._frontier = frontier
        self._fetcher = fetcher
        self._plan = plan
        self._say = say
        self._kept = kept  # URLs with a result of an earlier run
        self._order: deque[tuple[FrontierEntry, asyncio.Task[ServerReply]]] = deque()
        self._held: dict[int, UnsettledPage] = {}
        self._stopped = ""
        self._closed: Counter[str] = Counter()  # pages that wait for a robots.txt, by sentence
        self._silent = 0  # pages in a row for which no server answered
        self._news = asyncio.Event()

    async def run(self, commit: Callable[[], None], deadline: float) -> Visited:
        """Visit all pages within the limits; `commit` ends a transaction of the frontier."""
        while True:
            if time.monotonic() > deadline:
                self.stop(TIME)
            self._fill()
            self._deliver()
            if not self._order and not self._held and (self._stopped or not self._next(1)):
                break
            commit()  # before the next requests
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), PULSE)
                self._news.clear()
        full = self._frontier.pages >= self._plan.limits.pages
        why = self._stopped or (PAGE_LIMIT if full else ROBOTS if self._closed else VISIT_WHOLE)
        complete = why in (PAGE_LIMIT, VISIT_WHOLE)
        if complete:
            self._frontier.finish(why)
        self._frontier.flush()
        return Visited(
            site=self._frontier.site,
            why=why,
            complete=complete,
            left=self._frontier.queued,
            tally=(*self._frontier.tally(), *self._closed.items()),
            noticed=tuple(self._frontier.noticed()),
        )

    def settle(self, said: Settled) -> None:
        """Settle a page whose result is saved."""
        if (held := self._held.pop(said.number, None)) is not None:
            self._frontier.add(said.links, held.entry)
            self._frontier.settle(held.entry, said.outcome, etag=held.etag, modified=held.modified)
            self._news.set()

    def stop(self, why: str = VISIT_STOPPED) -> None:
        """Make no more requests."""
        if not self._stopped:
            self._stopped = why
            for _, task in self._order:
                task.cancel()
            self._order.clear()
            self._news.set()
        if why == VISIT_STOPPED:  # nobody settles them any more; the next run delivers them again
            self._held.clear()

    def _fill(self) -> None:
        """Request as many pages as the window allows."""
        if self._stopped or sum(held.size for held in self._held.values()) > MOST_BYTES_HELD:
            return
        under_way = sum(not task.done() for _, task in self._order)
        room = min(
            2 * self._plan.manners.connections - under_way,
            WINDOW - len(self._order) - len(self._held),
        )
        for entry in self._next(room):
            task = asyncio.ensure_future(self._fetch(entry))
            task.add_done_callback(lambda _: self._news.set())
            self._order.append((entry, task))

    def _next(self, room: int) -> list[FrontierEntry]:
        """Return the next pages; those that failed come when all others are done."""
        under_way = len(self._order) + len(self._held)
        room = min(room, self._plan.limits.pages - self._frontier.pages - under_way)
        if room <= 0:
            return []
        taken = {entry.number for entry, _ in self._order} | set(self._held)
        found = self._frontier.take(room, taken)
        fresh = [entry for entry in found if not entry.tries]
        return fresh or ([] if under_way else found)

    async def _fetch(self, entry: FrontierEntry) -> ServerReply:
        if (kept := self._frontier.kept(entry)) is not None:
            return kept
        if entry.tries:
            await asyncio.sleep(FIRST_PAUSE * 2 ** (entry.tries - 1))
        validators = (entry.etag, entry.modified) if entry.url in self._kept else ("", "")
        reply = await self._fetcher.page(entry.url, *validators)
        self._frontier.keep(entry, reply)
        return reply

    def _deliver(self) -> None:
        while self._order and self._order[0][1].done():
            entry, task = self._order.popleft()
            error = task.exception()
            if isinstance(error, WebstencilError | sqlite3.Error):  # not the fault of the answer
                raise error
            if error is not None:  # Scrapy cannot read the answer
                log.warning("no page url=%s reason=%r", entry.url, error)
            self._handle(entry, ServerReply("damaged answer") if error else task.result())

    def _handle(self, entry: FrontierEntry, reply: ServerReply) -> None:
        if reply.closed:
            self._frontier.leave(entry)
            self._closed[UNREADABLE.format(host=reply.closed, why=reply.outcome)] += 1
            return
        self._silent = self._silent + (not entry.tries) if reply.again and not reply.status else 0
        if self._silent > SILENCE:
            self.stop(SERVER_SILENT)
        if reply.again and entry.tries < self._plan.manners.retries:
            self._frontier.put_off(entry)
        elif reply.status == UNCHANGED:
            self._frontier.settle(entry, PAGE, etag=entry.etag, modified=entry.modified)
            self._say(Spared(entry.url, self._frontier.queued))
        elif reply.outcome == "redirect":
            self._frontier.settle(entry, self._follow(entry, reply.location))
        elif reply.status in {404, 410} and entry.url in self._kept:
            self._hold(entry, reply)
            self._say(Gone(entry.number, entry.url))
        elif reply.outcome:
            self._frontier.settle(entry, reply.outcome)
        else:
            self._read(entry, reply)

    def _follow(self, entry: FrontierEntry, location: str) -> str:
        """Queue the target of a redirect; return the outcome of the URL that redirects."""
        target = cleaned(urls.join_url(entry.url, location) or "")
        if target is None:
            return "redirect to no web URL"
        if identity(target) == identity(entry.url):
            return "redirect to itself"
        if entry.hops >= MOST_HOPS:
            return "too many redirects"
        elsewhere = urls.site_of(target) != self._frontier.site
        if elsewhere and entry.depth == entry.hops:  # the start page, maybe some steps on
            self._frontier.depart(target)
        self._frontier.add([target], entry, hop=True)
        return "redirect to another site" if elsewhere else "redirect"

    def _read(self, entry: FrontierEntry, reply: ServerReply) -> None:
        page = links.read_links(reply.body, reply.charset, entry.url)
        if page.moved and identity(cleaned(page.moved) or entry.url) != identity(entry.url):
            self._frontier.settle(entry, self._follow(entry, page.moved))
            return
        is_copy = self._is_copy(entry, page.canonical)
        # Pages that are written by scripts are all alike before the scripts run. A folder's page
        # that leaves its place to `/index.html` must not be what that one is taken for.
        told_by_echo = page.echo and not self._plan.scripts and ("?" in entry.url or not is_copy)
        if told_by_echo and self._frontier.is_echo(entry, page.echo):
            self._frontier.settle(entry, "same as another page")
            return
        if not (page.nofollow and self._plan.manners.robots):
            self._frontier.add(page.links, entry)
        if is_copy:
            self._frontier.add([page.canonical], entry, hop=True)
            self._frontier.settle(entry, "copy of its canonical page")
            return
        self._hold(entry, reply)
        self._say(
            Fetched(entry.number, entry.url, reply.body, reply.charset, self._frontier.queued)
        )

    def _is_copy(self, entry: FrontierEntry, canonical: str) -> bool:
        """Return whether a page has another canonical URL, and that is likely to be right.

        On some sites all pages name the home page, or another host, as canonical.
        """
        target = cleaned(canonical) if canonical else None
        if target is None or entry.hops:
            return False
        other = identity(target, self._frontier.noise) != identity(entry.url, self._frontier.noise)
        return other and same_but_for_form(target, entry.url)

    def _hold(self, entry: FrontierEntry, reply: ServerReply) -> None:
        self._held[entry.number] = UnsettledPage(entry, reply.etag, reply.modified, len(reply.body))


class ResourceAnswers:
    """Fetches style sheets, images and fonts of pages that are rendered, each once."""

    def __init__(
        self,
        db: sqlite3.Connection,
        fetcher: Fetcher,
        say: Callable[[Said], None],
        commit: Callable[[], None],
    ) -> None:
        self._db = db
        self._commit = commit
        self._fetcher = fetcher
        self._say = say
        self._under_way: dict[str, asyncio.Task[Resource | None]] = {}
        self._failed: set[str] = set()  # the next crawl tries them again

    def answer(self, wanted: ResourceRequest) -> None:
        """Reply when the resource is there; fetch those that will be needed soon."""

        def reply(done: asyncio.Task[Resource | None]) -> None:
            if not done.cancelled():
                self._say(ResourceReply(wanted.url, None if done.exception() else done.result()))

        for url in wanted.soon:
            self._had(url)
        self._had(wanted.url).add_done_callback(reply)

    def _had(self, url: str) -> asyncio.Task[Resource | None]:
        if url not in self._under_way:
            task = asyncio.ensure_future(self._get(url))
            self._under_way[url] = task
            task.add_done_callback(lambda _: self._under_way.pop(url, None))
        return self._under_way[url]

    async def _get(self, url: str) -> Resource | None:
        row = self._db.execute(
            "SELECT body, content_type FROM resource WHERE url = ?", (url,)
        ).fetchone()
        if row is not None:
            return None if row[0] is None else Resource(row[0], row[1])
        if url in self._failed:
            return None
        reply = await self._fetcher.resource(url)
        found = None if reply.outcome else Resource(reply.body, reply.content_type)
        if reply.again:
            self._failed.add(url)
        else:
            row = url, found and found.body, found.content_type if found else ""
            with suppress(sqlite3.Error):  # what cannot be kept is fetched again
                self._db.execute("INSERT OR REPLACE INTO resource VALUES (?, ?, ?)", row)
                self._commit()
        return found


ENDED_WITH_PARENT = 1  # exit code
# Scrapy logs a traceback if a robots.txt cannot be fetched; the user is told in the end.
ROBOTS_LOG = "scrapy.downloadermiddlewares.robotstxt"


class CrawlSpider(Spider):
    """Gives the crawl Scrapy's engine; it has no requests and no callbacks of its own."""

    name = "webstencil"

    def __init__(
        self, plan: CrawlPlan, pipe: Connection, lists: Lists, archive: WarcWriter | None
    ) -> None:
        super().__init__()
        self._plan = plan
        self._pipe = pipe
        self._lists = lists
        self._visit: SiteVisit | None = None
        self._over = asyncio.Event()
        self.archive = archive  # `Recorder` writes to it

    async def start(self) -> AsyncIterator[None]:
        """Crawl, then fetch resources until the parent says that it is done."""
        fetcher = Fetcher(self.crawler, self._plan)
        resources = ResourceAnswers(self._lists.db, fetcher, self._say, self._commit)
        loop = asyncio.get_running_loop()
        Thread(target=self._listen, args=(loop, resources), daemon=True).start()
        try:
            await self._visit_sites(fetcher)
            self._say(Finished())
        except WebstencilError as error:
            self._say(CrawlBroken(str(error)))
        except sqlite3.Error as error:
            self._say(CrawlBroken(trouble(self._plan.frontier, error)))
        await self._over.wait()  # the last pages are being rendered
        return
        yield  # Scrapy wants a generator

    async def _visit_sites(self, fetcher: Fetcher) -> None:
        db, plan = self._lists.db, self._plan
        seconds = plan.limits.seconds
        deadline = time.monotonic() + seconds if seconds is not None else float("inf")
        kept = known_pages(plan)
        job = begin_job(db, plan)
        while (number := next_visit(db, job, plan)) is not None:
            frontier = Frontier(db, number, plan.limits)
            if plan.store is not None:
                frontier.queued += queue_lost_results(db, frontier.number, kept)
            self._visit = SiteVisit(frontier, fetcher, plan, self._say, kept)
            self._frontier = frontier
            visited = await self._visit.run(self._commit, deadline)
            self._commit()
            self._say(visited)
            if not visited.complete:
                return

    def _listen(self, loop: asyncio.AbstractEventLoop, resources: ResourceAnswers) -> None:
        """Receive messages of the parent in a separate thread."""
        said = None
        while not isinstance(said, Finished):
            try:
                said = self._pipe.recv()
            except (EOFError, OSError):
                loop.call_soon_threadsafe(self._leave)
                return
            loop.call_soon_threadsafe(self._hear, said, resources)

    def _hear(self, said: Settled | ResourceRequest | Finished, resources: ResourceAnswers) -> None:
        if isinstance(said, ResourceRequest):
            resources.answer(said)
        elif isinstance(said, Settled):
            if self._visit is not None:
                with suppress(sqlite3.Error):  # the next commit reports it
                    self._visit.settle(said)
        else:
            if self._visit is not None:
                self._visit.stop()
            self._over.set()

    def _leave(self) -> None:
        """Commit what the parent has settled before it was killed, and end."""
        with suppress(sqlite3.Error):
            self._commit()
        os._exit(ENDED_WITH_PARENT)

    def _say(self, said: Said) -> None:
        with suppress(OSError):  # the parent is gone; the listening thread ends the process
            self._pipe.send(said)

    def _commit(self) -> None:
        if self._visit is not None:
            self._frontier.flush()
        if self.archive is not None:  # so many bytes of it are complete
            row = str(self._plan.warc), self.archive.size
            self._lists.db.execute("INSERT OR REPLACE INTO archive VALUES (?, ?)", row)
        self._lists.commit()


def known_pages(plan: CrawlPlan) -> Collection[str]:
    """Return the URLs that have a result."""
    if plan.store is None or not database_of(plan.store).is_there():
        return frozenset()
    with open_store(plan.store) as store:
        return store.results.done(plan.learner).keys()


def fetch_for_parent(pipe: Connection) -> None:
    """Receive a plan through the pipe and crawl."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when to stop
    hear_signals()
    plan: CrawlPlan = pipe.recv()
    logging.disable(logging.WARNING)  # the user sees errors; the rest is in the lists
    try:
        lists = Lists(plan.frontier)
        # Here, because Scrapy only logs what a spider raises when it is made.
        archive = None
        if plan.warc is not None:  # without what a killed crawl left incomplete
            query = "SELECT bytes FROM archive WHERE path = ?"
            row = lists.db.execute(query, (str(plan.warc),)).fetchone()
            archive = WarcWriter(plan.warc, None if row is None else row[0])
        process = AsyncCrawlerProcess(scrapy_settings(plan))
        logging.getLogger(ROBOTS_LOG).setLevel(logging.CRITICAL)
        process.crawl(CrawlSpider, plan=plan, pipe=pipe, lists=lists, archive=archive)
    except WebstencilError as error:
        pipe.send(CrawlBroken(str(error)))
        return
    process.start(install_signal_handlers=False)
    lists.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR, format="%(levelname)s %(name)s %(message)s")
    fetch_for_parent(Connection(int(sys.argv[1])))
