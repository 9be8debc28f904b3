"""A crawl as a source of pages: a separate process fetches them and sends them through a pipe."""

import logging
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from socket import socketpair
from threading import Condition, Thread
from typing import Self

from webstencil.crawl import addresses as links
from webstencil.crawl.messages import (
    FAILED,
    GONE,
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
from webstencil.errors import BrowserMissing, RenderError, SourceError
from webstencil.model import RawPage, Resource, Status
from webstencil.network import warn_of_proxies
from webstencil.processes import start_child
from webstencil.protocols import Arrival, Done, PageEvent, Removed, Resources, Unchanged

log = logging.getLogger(__name__)

NAMED_CHANGES = 20  # URLs named in a summary
IDLE = 0.1  # s without news, after which results are saved that wait for others
ANSWER_WAIT = 15.0  # s for a style sheet or an image; a rendering has to end
FETCHER_END_WAIT = 10.0  # s for the fetching process to end


class CrawlSource:
    """The pages of a site as a crawl finds them; `with` starts and ends it."""

    def __init__(
        self, plan: CrawlPlan, through: Callable[[RawPage, Resources], RawPage] | None = None
    ) -> None:
        """Crawl as planned; `through` changes pages first, such as a `ScriptRunner`."""
        if find_spec("scrapy") is None:
            raise SourceError(
                "crawling needs Scrapy; install it with `pip install webstencil[crawl]`"
            )
        self._plan = plan
        self._through = through
        self.queued = 0  # pages known and not visited yet
        self.visits: list[Visited] = []  # of sites, as they end
        self._numbers: dict[str, list[int]] = {}  # of pages that are not settled, by URL
        self._links: dict[int, tuple[str, ...]] = {}  # that scripts have written, by page
        self._said: SimpleQueue[Said] = SimpleQueue()
        self._answers: dict[str, Resource | None] = {}
        self._asked: set[str] = set()  # resources that a renderer waits for
        self._answered = Condition()
        self._alive = True

    def __enter__(self) -> Self:
        if not self._plan.manners.allow_private:
            warn_of_proxies()
        ours, theirs = socketpair()
        self._pipe = Connection(ours.detach())
        self._process = start_child("webstencil.crawl.worker", [theirs.fileno()])
        theirs.close()
        self._pipe.send(self._plan)
        Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._tell(Finished())
        try:
            self._process.wait(FETCHER_END_WAIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._pipe.close()

    def arrivals(self) -> Iterator[Arrival]:
        """Yield events until the crawl is over; a page must be settled to count as done."""
        while True:
            try:
                said = self._said.get(timeout=IDLE)
            except Empty:
                yield None
                continue
            if isinstance(said, Finished):
                return
            if isinstance(said, CrawlBroken):
                raise SourceError(said.why)
            if isinstance(said, Visited):
                self.visits.append(said)
            elif isinstance(said, Gone):
                self._numbers.setdefault(said.url, []).append(said.number)
                yield Removed(said.url)
            elif not isinstance(said, ResourceReply):
                self.queued = said.queued
                yield Unchanged(said.url) if isinstance(said, Spared) else self._page(said)

    def settle(self, event: PageEvent) -> None:
        """Tell the fetching process that the store has what became of a page."""
        outcome = GONE if isinstance(event, Removed) else PAGE
        if isinstance(event, Done) and event.result.status is Status.FAILED:
            outcome = FAILED
        for number in self._numbers.pop(event.url, ()):
            self._tell(Settled(number, outcome, self._links.pop(number, ())))

    def pages(self) -> Iterator[RawPage]:
        """Yield the pages; each is settled when the next one is taken."""
        for page in self.arrivals():
            if isinstance(page, RawPage):
                yield page
                self.settle(Unchanged(page.url))

    def count(self) -> None:
        """Return None: the number is unknown."""

    def _page(self, fetched: Fetched) -> RawPage:
        """Return a page for the pipeline; resources are fetched for this page from now on."""
        self._numbers.setdefault(fetched.url, []).append(fetched.number)
        page = RawPage(fetched.url, fetched.body, fetched.charset)
        if self._through is not None:
            try:
                page = self._through(page, CrawledResources(self, page))
            except BrowserMissing:
                raise
            except RenderError as error:  # it stays as it came
                log.warning("scripts do not end url=%s reason=%s", page.url, error)
            read = links.read_links(page.body, page.charset, page.url)
            if not (read.nofollow and self._plan.manners.robots):
                self._links[fetched.number] = read.links
        return replace(page, resources=CrawledResources(self, page))

    def fetch(self, url: str, soon: tuple[str, ...] = ()) -> Resource | None:
        """Return a resource, None if it cannot be had; others will be asked for `soon`."""
        self._asked.add(url)
        self._tell(ResourceRequest(url, soon))
        with self._answered:
            self._answered.wait_for(lambda: url in self._answers or not self._alive, ANSWER_WAIT)
            self._asked.discard(url)
            return self._answers.pop(url, None)

    def _tell(self, said: Settled | ResourceRequest | Finished) -> None:
        try:
            self._pipe.send(said)
        except OSError:  # the process has ended; the listening thread says so
            self._alive = False

    def _listen(self) -> None:
        """Receive messages in a separate thread, so that the pipe is never full."""
        while True:
            try:
                said = self._pipe.recv()
            except (EOFError, OSError):
                break
            if not isinstance(said, ResourceReply):
                self._said.put(said)
                continue
            with self._answered:
                if said.url in self._asked:
                    self._answers[said.url] = said.resource
                    self._answered.notify_all()
        with self._answered:
            self._alive = False
            self._answered.notify_all()
        self._said.put(
            CrawlBroken("the fetching process ended; run the same command again to resume")
        )


@dataclass(slots=True)
class CrawledResources:
    """Answers for one page of a crawl; its first request says what else the page will need."""

    source: CrawlSource
    page: RawPage | None  # None: its requests are known

    def fetch(self, url: str) -> Resource | None:
        """Return a resource, None if it cannot be had."""
        page, self.page = self.page, None
        soon = links.resources_needed(page.body, page.charset, page.url) if page is not None else ()
        return self.source.fetch(url, soon)


@dataclass(slots=True)
class CrawlOutcome:
    """What became of the pages of a crawl so far."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0  # fetched, or said by the server to be as before
    gone: int = 0
    visits: list[Visited] = field(default_factory=list)  # of sites, as they end
    examples: list[tuple[str, str]] = field(default_factory=list)  # "changed" or "gone", URL

    def add(self, event: PageEvent) -> None:
        """Count what became of a page; remember the first that changed."""
        if isinstance(event, Unchanged):
            self.unchanged += 1
        elif isinstance(event, Removed):
            self.gone += 1
            self._remember("gone", event.url)
        elif event.changed:
            self.changed += 1
            self._remember("changed", event.url)
        elif not event.settled:
            self.new += 1

    def _remember(self, what: str, url: str) -> None:
        if len(self.examples) < NAMED_CHANGES:
            self.examples.append((what, url))
