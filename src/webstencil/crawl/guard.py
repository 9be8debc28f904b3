"""The two doors to the network: only public machines are asked, unless a person allows others."""

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

from webstencil.network import is_public, literal


class Gate:
    """Refuses requests that name a private address by number; a resolver would not see them."""

    def __init__(self, crawler: Crawler) -> None:
        self._open = crawler.settings.getbool("ALLOW_PRIVATE")

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        address = literal(request.url)
        if address is not None and not self._open and not is_public(address):
            raise IgnoreRequest("private address")


class GuardedResolver(CachingHostnameResolver):
    """Resolves host names to public addresses only, unless a person allows others."""

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
    """Passes public addresses on, and no others."""

    def __init__(self, receiver: Any) -> None:
        self._receiver = receiver  # a zope interface, which mypy cannot read

    def resolutionBegan(self, resolutionInProgress: IHostResolution) -> None:  # noqa: N802, N803
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: IAddress) -> None:  # noqa: N802
        if is_public(getattr(address, "host", "")):
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        self._receiver.resolutionComplete()
