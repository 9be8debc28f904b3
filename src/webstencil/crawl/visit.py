"""The visit of one site: fetches its pages, finds their links, delivers the pages in order.

Pages are delivered in the order of the frontier, whichever answer came first. So the order depends
on the site alone, and so do the stencils that are learned on the way.
"""

import asyncio
import logging
import sqlite3
import time
from collections import Counter, deque
from collections.abc import Callable, Collection
from dataclasses import dataclass

from webstencil import urls
from webstencil.crawl import addresses as links
from webstencil.crawl.addresses import cleaned, identity, same_but_for_form
from webstencil.crawl.fetching import Fetcher
from webstencil.crawl.frontier import ALL_PAGES, PAGE, PAGE_LIMIT, Frontier, FrontierEntry
from webstencil.crawl.frontier_tables import UNCHANGED, ServerReply
from webstencil.crawl.messages import CrawlPlan, Fetched, Gone, Said, Settled, Spared, Visited
from webstencil.errors import WebstencilError

log = logging.getLogger(__name__)

WINDOW = 128  # pages fetched and not settled: half of them may wait to be saved in one batch
HELD = 64_000_000  # bytes of pages fetched and not settled
MOST_HOPS = 10  # redirects from one URL
FIRST_PAUSE = 1.0  # s before the second try; doubled for each later one
PULSE = 0.3  # s between two looks at the limit of time
SILENCE = 30  # pages in a row without any answer; then the server is down
STOPPED = "stopped"
SILENT = "no server answers"
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
    """Visits the pages of a frontier."""

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
            await self._wait()
        return self._visited()

    def settle(self, said: Settled) -> None:
        """Settle a page whose result is saved."""
        held = self._held.pop(said.number, None)
        if held is not None:
            self._frontier.add(said.links, held.entry)
            self._frontier.settle(held.entry, said.outcome, etag=held.etag, modified=held.modified)
            self._news.set()

    def stop(self, why: str = STOPPED) -> None:
        """Make no more requests."""
        if not self._stopped:
            self._stopped = why
            for _, task in self._order:
                task.cancel()
            self._order.clear()
            self._news.set()
        if why == STOPPED:  # nobody settles them any more; the next run delivers them again
            self._held.clear()

    async def _wait(self) -> None:
        try:
            await asyncio.wait_for(self._news.wait(), PULSE)
        except TimeoutError:
            return
        self._news.clear()

    def _fill(self) -> None:
        """Request as many pages as the window allows."""
        if self._stopped or sum(held.size for held in self._held.values()) > HELD:
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
        known = entry.url in self._kept
        reply = await self._fetcher.page(
            entry.url, entry.etag if known else "", entry.modified if known else ""
        )
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
            self.stop(SILENT)
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
        # Pages that are written by scripts are all alike before the scripts run.
        if page.echo and not self._plan.scripts and self._frontier.is_echo(entry, page.echo):
            self._frontier.settle(entry, "same as another page")
            return
        if not (page.nofollow and self._plan.manners.robots):
            self._frontier.add(page.links, entry)
        if self._is_copy(entry, page.canonical):
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

    def _visited(self) -> Visited:
        full = self._frontier.pages >= self._plan.limits.pages
        why = self._stopped or (PAGE_LIMIT if full else ROBOTS if self._closed else ALL_PAGES)
        complete = why in (PAGE_LIMIT, ALL_PAGES)
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
