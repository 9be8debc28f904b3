"""The polite fetcher: Scrapy's downloader with robots.txt, delays, limits and a guarded resolver.

All requests of a crawl go through it: pages, robots.txt, style sheets, images, fonts. In order:
what Scrapy's errors mean, robots.txt, the guard of requests, Scrapy's settings, the fetcher, and
what an answer means.
"""

import asyncio
import re
from collections.abc import Sequence
from typing import Any, Self
from urllib.parse import urlsplit
from urllib.request import getproxies

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
    NotSupported,
    ResponseDataLossError,
    StopDownload,
    UnsupportedURLSchemeError,
)
from scrapy.http import Headers, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.resolver import CachingHostnameResolver
from scrapy.robotstxt import RobotParser
from scrapy.utils.httpobj import urlparse_cached
from twisted.internet.base import ReactorBase
from twisted.internet.error import ConnectError, ConnectionClosed
from twisted.internet.interfaces import IAddress, IHostResolution, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]  # it has no types

from webstencil.crawl.frontier_tables import ServerReply
from webstencil.crawl.messages import CrawlPlan
from webstencil.crawl.warc_writer import WarcWriter
from webstencil.network import SCHEMES, is_plainly_private, is_public, names_private_machine

MAY_PASS: dict[type[Exception], str] = {  # a later try can succeed
    DownloadTimeoutError: "timeout",
    DownloadConnectionRefusedError: "connection refused",
    DownloadFailedError: "connection lost",
    ResponseDataLossError: "connection lost",
    ConnectError: "no connection",
    ConnectionClosed: "connection lost",
    CannotResolveHostError: "unknown host",
}
FINAL: dict[type[Exception], str] = {
    DownloadCancelledError: "too large",
    UnsupportedURLSchemeError: "not a web URL",
    NotSupported: "not a web URL",
}
NO_ANSWER: tuple[type[Exception], ...] = (IgnoreRequest, *FINAL, *MAY_PASS)


def why_no_answer(error: Exception) -> str:
    """Say why there is no answer."""
    for kind, words in (FINAL | MAY_PASS).items():
        if isinstance(error, kind):
            return words
    if "robots.txt" in str(error):
        return "forbidden by robots.txt"
    return "too large" if "MAXSIZE" in str(error) else str(error) or "refused"


class RobotsUnreadable(IgnoreRequest):
    """A server fails to give its robots.txt; it may not be crawled now (section 2.3.1.4)."""

    def __init__(self, host: str, why: str) -> None:
        super().__init__(why)
        self.host = host
        self.why = why


class PatientRobots(RobotsTxtMiddleware):
    """robots.txt as RFC 9309 has it: while a server cannot give one, its pages have to wait.

    Scrapy's middleware takes every failure for a robots.txt that allows everything.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._unreadable: dict[str, Exception] = {}  # by host

    def process_request_2(self, rp: RobotParser | None, request: Request) -> None:
        error = self._unreadable.get(urlparse_cached(request).netloc)
        if error is not None:
            raise error.with_traceback(None)
        super().process_request_2(rp, request)

    async def _parse_robots(self, response: Response, netloc: str, request: Request) -> None:
        if response.status >= 500:
            raise RobotsUnreadable(netloc, f"HTTP {response.status}")
        if response.status >= 400:  # there is none, so that all is allowed (section 2.3.1.3)
            response = response.replace(body=b"")
        await super()._parse_robots(response, netloc, request)

    def _robots_error(self, exc: Exception, netloc: str) -> None:
        if isinstance(exc, RobotsUnreadable | CannotResolveHostError):
            self._unreadable[netloc] = exc
        elif isinstance(exc, tuple(MAY_PASS)):
            self._unreadable[netloc] = RobotsUnreadable(netloc, why_no_answer(exc))
        super()._robots_error(exc, netloc)


NOT_WEB = "not a web URL"  # why a request is refused
PRIVATE = "private address"


class Gate:
    """Refuses requests for what is not the web, or names a private machine.

    A resolver hears neither of IP addresses nor, with a proxy, of the hosts that are asked for.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._open = crawler.settings.getbool("ALLOW_PRIVATE")
        self._proxied = bool(getproxies())
        self._private: dict[str, bool] = {}  # by host, with a proxy; a look-up may take seconds

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        if urlsplit(request.url).scheme not in SCHEMES:
            raise IgnoreRequest(NOT_WEB)
        if not self._open and (
            is_plainly_private(request.url) or await self._is_private_here(request.url)
        ):
            raise IgnoreRequest(PRIVATE)

    async def _is_private_here(self, url: str) -> bool:
        """Return whether a proxy would be asked for a host that is private as seen from here."""
        host = urlsplit(url).netloc
        if self._proxied and host not in self._private:
            self._private[host] = await asyncio.to_thread(names_private_machine, url)
        return self._private.get(host, False)


class GuardedResolver(CachingHostnameResolver):
    """Finds the addresses of public hosts only, unless the user allows others."""

    allow_private = False

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> Self:
        made = super().from_crawler(crawler, reactor)
        made.allow_private = crawler.settings.getbool("ALLOW_PRIVATE")
        return made

    def resolveHostName(  # noqa: N802 - Twisted's interface
        self,
        resolutionReceiver: IResolutionReceiver,  # noqa: N803
        hostName: str,  # noqa: N803
        portNumber: int = 0,  # noqa: N803
        addressTypes: Sequence[type[IAddress]] | None = None,  # noqa: N803
        transportSemantics: str = "TCP",  # noqa: N803
    ) -> IHostResolution:
        proxies = {urlsplit(proxy).hostname for proxy in getproxies().values()}
        receiver = resolutionReceiver
        if not self.allow_private and hostName not in proxies:
            receiver = _PublicOnly(receiver)  # type: ignore[assignment]  # zope
        return super().resolveHostName(
            receiver, hostName, portNumber, addressTypes, transportSemantics
        )


@implementer(IResolutionReceiver)
class _PublicOnly:
    """Passes the addresses of a host on if all of them are public, else none."""

    def __init__(self, receiver: Any) -> None:
        self._receiver = receiver  # a zope interface, which mypy cannot read
        self._found: list[IAddress] = []

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: IAddress) -> None:  # noqa: N802
        self._found.append(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        if all(is_public(getattr(address, "host", "")) for address in self._found):
            for address in self._found:
                self._receiver.addressResolved(address)
        self._receiver.resolutionComplete()


RESOURCE_SLOT = "resources of "  # pages of a host do not delay its resources
RESOURCE_DELAYS = 10  # resources that may be requested between two pages
RESOURCE_TIME = 8.0  # s; rendering waits for it
SLOWEST = 60.0  # s between two requests, whatever robots.txt or an overloaded server demands
BACK_OFF = 2.0  # factor of the delay after "too many requests"
SHORTEST_BACK_OFF = 1.0  # s
OVERLOADED = frozenset({429, 503})
PAGE_TYPES = frozenset({"", "text/html", "application/xhtml+xml"})
VAGUE_TYPES = frozenset({"text/plain", "application/octet-stream", "application/xml", "text/xml"})
PAGE_START = re.compile(rb"(?i)<!doctype html|<html|<head|<body")
SNIFFED = 1024  # bytes of an answer with a vague type
SWITCHED_OFF: dict[str, object] = {
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,  # the frontier keeps the pages to retry
    "METAREFRESH_ENABLED": False,  # the visit reads pages
    "REFERER_ENABLED": False,
    "DOWNLOAD_WARNSIZE": 0,
    "DOWNLOAD_FAIL_ON_DATALOSS": False,  # browsers show incomplete pages, too
    "LOG_ENABLED": False,
    "LOG_INSTALL_ROOT_HANDLER": False,
    "STATS_DUMP": False,
    "EXTENSIONS": {
        "scrapy.extensions.corestats.CoreStats": None,
        "scrapy.extensions.logcount.LogCount": None,
        "scrapy.extensions.logstats.LogStats": None,
        "scrapy.extensions.memusage.MemoryUsage": None,
    },
}


def scrapy_settings(plan: CrawlPlan) -> dict[str, object]:
    """Return the settings of Scrapy for a plan."""
    manners = plan.manners
    return {
        **SWITCHED_OFF,
        "USER_AGENT": manners.user_agent,
        "ROBOTSTXT_OBEY": manners.robots,
        "DOWNLOAD_DELAY": manners.delay,
        "DOWNLOAD_DELAY_JITTER": 0.0,  # a delay is exact
        "AUTOTHROTTLE_ENABLED": manners.delay > 0,
        "AUTOTHROTTLE_START_DELAY": manners.delay,
        "AUTOTHROTTLE_MAX_DELAY": SLOWEST,
        "AUTOTHROTTLE_TARGET_CONCURRENCY": 2.0,
        "CONCURRENT_REQUESTS": 0,  # the visit limits them
        "CONCURRENT_REQUESTS_PER_DOMAIN": manners.connections,
        "DOWNLOAD_TIMEOUT": manners.timeout,
        "DOWNLOAD_MAXSIZE": plan.limits.page_bytes,
        "HTTPAUTH_USER": plan.login[0],
        "HTTPAUTH_PASS": plan.login[1],
        "HTTPAUTH_DOMAIN": urlsplit(plan.start).netloc,
        "TWISTED_DNS_RESOLVER": GuardedResolver,
        "ALLOW_PRIVATE": manners.allow_private,
        "DOWNLOADER_MIDDLEWARES": {
            Gate: 50,
            RobotsTxtMiddleware: None,
            PatientRobots: 100,
            Recorder: 1000,
        },
    }


class Recorder:
    """Archives all answers as they came, if the user wants it."""

    def __init__(self, crawler: Crawler) -> None:
        self._archive: WarcWriter | None = getattr(crawler.spider, "archive", None)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> "Recorder":
        return cls(crawler)

    def process_response(self, request: Request, response: Response) -> Response:
        stopped = "download_stopped" in response.flags
        if self._archive is not None and response.status != 304 and not stopped:
            headers: Headers = response.headers
            pairs = [(name, value) for name in headers for value in headers.getlist(name)]
            self._archive.write(request.url, response.status, pairs, response.body)
        return response


class Fetcher:
    """Requests pages and resources, from each host at the pace it can bear."""

    def __init__(self, crawler: Crawler, plan: CrawlPlan) -> None:
        self._crawler = crawler
        self._plan = plan
        self._paced: set[str] = set()  # hosts whose robots.txt demands a delay
        crawler.signals.connect(self._stop_what_is_no_page, signals.headers_received)
        crawler.signals.connect(self._obey_crawl_delay, signals.robots_parsed)

    async def page(self, url: str, etag: str = "", modified: str = "") -> ServerReply:
        """Request a page, unless it still has this ETag or modification date."""
        meta = {
            "dont_redirect": True,
            "handle_httpstatus_all": True,
            "wants": "page",
            "autothrottle_dont_adjust_delay": urlsplit(url).hostname in self._paced,
        }
        headers = {}
        if etag:
            headers["If-None-Match"] = etag
        if modified:
            headers["If-Modified-Since"] = modified
        reply = await self._ask(Request(url, headers=headers, meta=meta, callback=NO_CALLBACK))
        host = urlsplit(url).hostname or ""
        slot = self._crawler.engine.downloader.slots.get(host)
        if reply.status in OVERLOADED and slot is not None:
            self._pace(host, min(max(slot.delay * BACK_OFF, SHORTEST_BACK_OFF), SLOWEST))
        return reply

    async def resource(self, url: str) -> ServerReply:
        """Request a style sheet, image or font."""
        slot = RESOURCE_SLOT + (urlsplit(url).hostname or "")
        self._crawler.engine.downloader.per_slot_settings.setdefault(
            slot, {"delay": self._plan.manners.delay / RESOURCE_DELAYS}
        )
        meta = {
            "download_slot": slot,
            "download_timeout": min(RESOURCE_TIME, self._plan.manners.timeout),
            "download_maxsize": self._plan.limits.resource_bytes,
            "autothrottle_dont_adjust_delay": True,
            "handle_httpstatus_list": [404, 410],
        }
        return await self._ask(Request(url, meta=meta, callback=NO_CALLBACK))

    async def _ask(self, request: Request) -> ServerReply:
        try:
            response = await self._crawler.engine.download_async(request)
        except RobotsUnreadable as error:
            return ServerReply(error.why, again=True, closed=error.host)
        except CannotResolveHostError as error:  # maybe because it is private
            guarded = not self._plan.manners.allow_private
            private = guarded and await asyncio.to_thread(names_private_machine, request.url)
            return ServerReply(PRIVATE if private else why_no_answer(error), again=not private)
        except NO_ANSWER as error:
            return ServerReply(why_no_answer(error), again=isinstance(error, tuple(MAY_PASS)))
        except ValueError:  # Twisted does not take it for a URL
            return ServerReply(NOT_WEB)
        return read_reply(response)

    def _stop_what_is_no_page(self, headers: Headers, request: Request) -> None:
        """Stop an answer that is no page before its body is read."""
        kind = media_type(header(headers, "Content-Type"))
        if request.meta.get("wants") == "page" and kind not in PAGE_TYPES | VAGUE_TYPES:
            raise StopDownload(fail=False)

    def _obey_crawl_delay(self, robotparser: RobotParser, request: Request) -> None:
        known = getattr(robotparser, "rp", None)
        asked = known.crawl_delay(self._plan.manners.user_agent) if known is not None else None
        host = urlsplit(request.url).hostname or ""
        if asked and asked > self._plan.manners.delay:
            self._paced.add(host)
            self._pace(host, min(float(asked), SLOWEST))

    def _pace(self, host: str, delay: float) -> None:
        downloader = self._crawler.engine.downloader
        downloader.per_slot_settings.setdefault(host, {})["delay"] = delay
        if host in downloader.slots:
            downloader.slots[host].delay = delay


def read_reply(response: Response) -> ServerReply:
    """Return what a server's answer means for the crawl."""
    headers = response.headers
    kind = media_type(header(headers, "Content-Type"))
    location = header(headers, "Location")
    wants_page = response.request is not None and "wants" in response.request.meta
    vague = kind in VAGUE_TYPES and PAGE_START.search(response.body[:SNIFFED])
    outcome = ""
    if 300 <= response.status < 400 and location:
        outcome = "redirect"
    elif not 200 <= response.status < 300:
        outcome = f"HTTP {response.status}"
    elif wants_page and kind not in PAGE_TYPES and not vague:
        outcome = f"not a page: {kind}"
    return ServerReply(
        outcome=outcome,
        again=response.status in {408, 429} or response.status >= 500,
        status=response.status,
        body=response.body,
        content_type=kind,
        charset=charset_of(header(headers, "Content-Type")),
        location=location,
        etag=header(headers, "ETag"),
        modified=header(headers, "Last-Modified"),
    )


def header(headers: Headers, name: str) -> str:
    """Return a header of an answer; empty if it has none."""
    value = headers.get(name) or b""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def media_type(words: str) -> str:
    """Return the media type that a header names."""
    return words.partition(";")[0].strip().lower()


def charset_of(words: str) -> str | None:
    """Return the charset that a header names."""
    found = re.search(r"(?i)charset\s*=\s*[\"']?([\w.:-]+)", words)
    return found[1] if found else None
