"""robots.txt as RFC 9309 has it: while a server cannot give one, its pages have to wait."""

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import CannotResolveHostError, IgnoreRequest
from scrapy.http import Response
from scrapy.robotstxt import RobotParser
from scrapy.utils.httpobj import urlparse_cached

from webstencil.crawl.download_errors import MAY_PASS, reason


class RobotsUnreadable(IgnoreRequest):
    """A server fails to give its robots.txt; it may not be crawled now (section 2.3.1.4)."""

    def __init__(self, host: str, why: str) -> None:
        super().__init__(why)
        self.host = host
        self.why = why


class PatientRobots(RobotsTxtMiddleware):
    """Scrapy's middleware, which takes every failure for a robots.txt that allows everything."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._unreadable: dict[str, Exception] = {}  # by host

    def process_request_2(self, rp: RobotParser | None, request: Request) -> None:
        """Refuse a request if its host forbids it, or fails to say."""
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
            self._unreadable[netloc] = RobotsUnreadable(netloc, reason(exc))
        super()._robots_error(exc, netloc)
