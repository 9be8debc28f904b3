"""The fetching process: Scrapy's event loop, the frontier, and a pipe to the pipeline's process.

It ends with its parent: it stops when the pipe is closed.
"""

import asyncio
import logging
import os
import signal
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread

from scrapy import Spider
from scrapy.crawler import AsyncCrawlerProcess

from webstencil.crawl.fetching import Fetcher, scrapy_settings
from webstencil.crawl.frontier import Frontier, Lists, begin_job, next_visit, queue_lost_results
from webstencil.crawl.frontier_tables import trouble
from webstencil.crawl.messages import (
    CrawlBroken,
    CrawlPlan,
    Finished,
    ResourceReply,
    ResourceRequest,
    Said,
    Settled,
)
from webstencil.crawl.visit import SiteVisit
from webstencil.crawl.warc_writer import WarcWriter
from webstencil.errors import WebstencilError
from webstencil.model import Resource
from webstencil.processes import hear_signals
from webstencil.store import open_store
from webstencil.store.location import database_of

# Style sheets, images and fonts: each fetched once by the polite fetcher, and kept.


class ResourceAnswers:
    """Fetches the resources of pages that are rendered."""

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
        for url in wanted.soon:
            self._had(url)
        self._had(wanted.url).add_done_callback(partial(self._pass_on, wanted.url))

    def _pass_on(self, url: str, done: asyncio.Task[Resource | None]) -> None:
        if not done.cancelled():
            self._say(ResourceReply(url, None if done.exception() else done.result()))

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


PARENT_GONE = 1  # exit code
# Scrapy logs a traceback if a robots.txt cannot be fetched; the user is told in the end.
QUIET = "scrapy.downloadermiddlewares.robotstxt"


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
        while True:
            try:
                said = self._pipe.recv()
            except (EOFError, OSError):
                loop.call_soon_threadsafe(self._leave)
                return
            if isinstance(said, Settled):
                loop.call_soon_threadsafe(self._settle, said)
            elif isinstance(said, ResourceRequest):
                loop.call_soon_threadsafe(resources.answer, said)
            else:
                loop.call_soon_threadsafe(self._stop)
                return

    def _settle(self, said: Settled) -> None:
        if self._visit is not None:
            with suppress(sqlite3.Error):  # the next commit reports it
                self._visit.settle(said)

    def _stop(self) -> None:
        if self._visit is not None:
            self._visit.stop()
        self._over.set()

    def _leave(self) -> None:
        """Commit what the parent has settled before it was killed, and end."""
        with suppress(sqlite3.Error):
            self._commit()
        os._exit(PARENT_GONE)

    def _say(self, said: Said) -> None:
        with suppress(OSError):  # the parent is gone; the listening thread ends the process
            self._pipe.send(said)

    def _commit(self) -> None:
        if self._visit is not None:
            self._frontier.flush()
        if self.archive is not None:
            keep_size(self._lists.db, self._plan.warc, self.archive.size)
        self._lists.commit()


def known_pages(plan: CrawlPlan) -> Collection[str]:
    """Return the URLs that have a result."""
    if plan.store is None or not database_of(plan.store).is_there():
        return frozenset()
    with open_store(plan.store) as store:
        return store.done(plan.learner).keys()


def open_archive(db: sqlite3.Connection, path: Path) -> WarcWriter:
    """Open the WARC file, without what a killed crawl left incomplete."""
    row = db.execute("SELECT bytes FROM archive WHERE path = ?", (str(path),)).fetchone()
    return WarcWriter(path, None if row is None else row[0])


def keep_size(db: sqlite3.Connection, path: Path | None, size: int) -> None:
    """Write down how many bytes of an archive are complete."""
    db.execute("INSERT OR REPLACE INTO archive VALUES (?, ?)", (str(path), size))


def work(pipe: Connection) -> None:
    """Receive a plan through the pipe and crawl."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent says when to stop
    hear_signals()
    plan: CrawlPlan = pipe.recv()
    logging.disable(logging.WARNING)  # the user sees errors; the rest is in the lists
    try:
        lists = Lists(plan.frontier)
        # Here, because Scrapy only logs what a spider raises when it is made.
        archive = open_archive(lists.db, plan.warc) if plan.warc else None
        process = AsyncCrawlerProcess(scrapy_settings(plan))
        logging.getLogger(QUIET).setLevel(logging.CRITICAL)
        process.crawl(CrawlSpider, plan=plan, pipe=pipe, lists=lists, archive=archive)
    except WebstencilError as error:
        pipe.send(CrawlBroken(str(error)))
        return
    process.start(install_signal_handlers=False)
    lists.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.ERROR, format="%(levelname)s %(name)s %(message)s")
    work(Connection(int(sys.argv[1])))
