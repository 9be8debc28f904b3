"""A Scrapy add-on for your own spiders: it adds the areas of their page to items.

    ADDONS = {"webstencil.crawl.addon.WebstencilAddon": 500}
    WEBSTENCIL_STORE = "site.db"      # stencils and results are stored here
    WEBSTENCIL_SEGMENTER = "vips"     # optional

Every item that a callback yields gets two more fields: `webstencil`, the page's result as
docs/output.md describes it, and `content`, its main text. An item class of your own needs fields
of these names; a class with only one of them gets that one.

A site is learned from its first pages, whose items wait for that; they come when the spider has
nothing left to do. Then each site is learned as a whole, and the store has all results.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from typing import Any, Self

from itemadapter import ItemAdapter, is_item
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares import robotstxt
from scrapy.exceptions import DontCloseSpider, NotConfigured
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK
from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from webstencil.codec import result_json
from webstencil.crawl.fetching import NO_ANSWER, charset_of, header, media_type, why_no_answer
from webstencil.errors import SourceError
from webstencil.jobs.job import Pipeline
from webstencil.model import PageResult, RawPage, Resource, Status
from webstencil.protocols import Renderer, Store
from webstencil.segment import make_segmenter
from webstencil.settings import Settings
from webstencil.store import open_store

log = logging.getLogger(__name__)

RENDERER = "webstencil.render.ChromiumRenderer"
SPIDER_WAIT = 10.0  # s; rendering waits for a style sheet or an image
BODY_KINDS = ("content", "body")  # of items and areas, in order of preference
RELEASE = "data:,webstencil"  # URL of no page, whose callback yields the items that waited
OUR_REQUEST = "webstencil"  # in the meta of requests for resources
ORDER = 50  # among the spider middlewares: after those that change items


class WebstencilAddon:
    """Enables the middleware."""

    def update_settings(self, settings: BaseSettings) -> None:
        settings.setdefault_in_component_priority_dict(
            "SPIDER_MIDDLEWARES", WebstencilMiddleware, ORDER
        )


class WebstencilMiddleware:
    """Processes each page that gave an item, in a separate thread."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.get("WEBSTENCIL_STORE"):
            raise NotConfigured("WEBSTENCIL_STORE is not set; name a file for the stencils")
        robotstxt.logger.addFilter(is_of_the_spider)
        self._crawler = crawler
        self._thread = ThreadPoolExecutor(1, "webstencil")
        self._store: Store = open_store(settings["WEBSTENCIL_STORE"])
        make_renderer = load_object(settings.get("WEBSTENCIL_RENDERER", RENDERER))
        self._renderer: Renderer = make_renderer()
        segmenter = make_segmenter(settings.get("WEBSTENCIL_SEGMENTER", "vips"), ())
        self._pipeline = Pipeline(
            self._store, self._renderer, Settings(segmenter), items=BODY_KINDS[:1]
        )
        self._resources: SpiderResources | None = None  # once there is a page
        self._settling: Future[None] | None = None  # once the spider is idle
        self._waiting: list[tuple[Any, str]] = []  # items, and the URLs of their pages
        self._ready: list[Any] = []  # items that have waited

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        made = cls(crawler)
        crawler.signals.connect(made.idle, signals.spider_idle)
        crawler.signals.connect(made.close, signals.spider_closed)
        return made

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Add the result of a page to its items."""
        page: PageResult | None = None
        async for item in result:
            if not is_item(item) or response.url == RELEASE:
                yield item
                continue
            page = page or await self._process(response)
            if page.status is Status.WAITING:
                self._waiting.append((item, page.url))
                continue
            add_fields(item, page)
            yield item

    def idle(self) -> None:
        """Learn whole sites before the spider is closed, while style sheets can be fetched."""
        if self._resources is None:
            return
        if self._settling is None:
            self._settling = self._thread.submit(self._settle, self._resources)
        if not self._settling.done():
            raise DontCloseSpider
        self._settling.result()
        engine = self._crawler.engine
        if self._ready and engine is not None:
            meta = {OUR_REQUEST: True, "allow_offsite": True}
            engine.crawl(Request(RELEASE, self._release, meta=meta, dont_filter=True))
            raise DontCloseSpider

    def _settle(self, resources: "SpiderResources") -> None:
        """Learn all sites; items that waited are ready then."""
        for _ in self._pipeline.settle(resources):
            continue
        waited, self._waiting = self._waiting, []
        results = self._store.results.of(
            self._pipeline.settings.learner, [url for _, url in waited]
        )
        for item, url in waited:
            if url in results:
                add_fields(item, results[url])
            self._ready.append(item)

    def _release(self, response: Response) -> Iterator[Any]:
        """Yield the items that waited, as if they came from a page."""
        del response
        ready, self._ready = self._ready, []
        yield from ready

    def close(self) -> None:
        self._thread.shutdown()
        self._pipeline.end()
        self._renderer.__exit__(None, None, None)
        self._store.close()

    async def _process(self, response: Response) -> PageResult:
        loop = asyncio.get_running_loop()
        charset = charset_of(header(response.headers, "Content-Type"))
        self._resources = self._resources or SpiderResources(self._crawler, loop)
        self._settling = None  # there is more to settle
        raw = RawPage(response.url, response.body, charset, resources=self._resources)
        return await loop.run_in_executor(self._thread, self._pipeline.process, raw)


class SpiderResources:
    """Fetches resources by the spider's downloader, for another thread."""

    def __init__(self, crawler: Crawler, loop: asyncio.AbstractEventLoop) -> None:
        self._crawler = crawler
        self._loop = loop

    def fetch(self, url: str) -> Resource | None:
        """Return a resource; None if it cannot be fetched."""
        future = asyncio.run_coroutine_threadsafe(self._ask(url), self._loop)
        try:
            return future.result(SPIDER_WAIT)
        except TooLate as error:
            future.cancel()
            raise SourceError(f"{url} did not come within {SPIDER_WAIT:.0f} s") from error

    async def _ask(self, url: str) -> Resource | None:
        engine = self._crawler.engine
        if engine is None:
            return None
        meta = {"handle_httpstatus_list": [404, 410], "dont_retry": True, OUR_REQUEST: True}
        try:
            response = await engine.download_async(Request(url, meta=meta, callback=NO_CALLBACK))
        except NO_ANSWER as error:
            log.warning("no resource url=%s reason=%s", url, why_no_answer(error))
            return None
        if response.status != 200:
            return None
        return Resource(response.body, media_type(header(response.headers, "Content-Type")))


def is_of_the_spider(record: logging.LogRecord) -> bool:
    """Return whether Scrapy logs a request of the spider; ours log their failures themselves.

    Scrapy adds a traceback of 60 lines if the robots.txt of a resource's host cannot be fetched.
    """
    request = record.args.get("request") if isinstance(record.args, dict) else None
    return not (isinstance(request, Request) and request.meta.get(OUR_REQUEST))


def add_fields(item: Any, page: PageResult) -> None:
    """Write a page's result into an item, as far as the item has fields for it."""
    adapter = ItemAdapter(item)
    known = adapter.field_names() if not isinstance(item, dict) else ("webstencil", "content")
    for name, value in (("webstencil", json.loads(result_json(page))), ("content", content(page))):
        if name in known:
            adapter[name] = value


def content(page: PageResult) -> str:
    """Return the main text of a page: an item of that kind, else the areas of the body."""
    for kind in BODY_KINDS:
        pieces = [item.text for item in page.items if item.kind == kind]
        pieces = pieces or [area.text for area in page.areas if area.kind == kind and area.text]
        if pieces:
            return "\n\n".join(pieces)
    return ""
