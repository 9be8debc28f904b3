"""The guard of a crawl's requests, as Scrapy takes it: a middleware and a resolver."""

import asyncio
from collections.abc import Sequence
from typing import Any, Self
from urllib.parse import urlsplit
from urllib.request import getproxies

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.resolver import CachingHostnameResolver
from twisted.internet.base import ReactorBase
from twisted.internet.interfaces import IAddress, IHostResolution, IResolutionReceiver
from zope.interface import implementer  # type: ignore[import-untyped]  # it has no types

from webstencil.network import SCHEMES, is_plainly_private, is_public, names_private_machine

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
        """Find the addresses of a host."""
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
