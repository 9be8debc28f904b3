"""Which resources a page may ask for while it is rendered; only its own source answers."""

import logging
import re
import time
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from webstencil.errors import SourceError
from webstencil.model import Resource
from webstencil.protocols import Resources

log = logging.getLogger(__name__)

WANTED = {  # kinds of request that change how a page looks, and the type of an untyped answer
    "Stylesheet": "text/css",
    "Image": "",
    "Font": "",
}
MAX_REQUESTS = 400  # of a page
MAX_BODY = 20_000_000  # bytes of a resource
HEADER = re.compile(r"[\x20-\x7e]{1,200}")
MADE_UP = "http://page.invalid/"  # stands for pages without a URL of the web
OTHER_SCHEME = {"http": "https", "https": "http"}


def shown_url(url: str) -> str:
    """Return the URL under which the browser is shown a page."""
    parts = urlsplit(url)
    if parts.scheme in OTHER_SCHEME and parts.hostname:
        return url
    return MADE_UP + quote(parts.path.lstrip("/"), safe="/%")


def asked_url(shown: str, page_url: str) -> str:
    """Return the URL that a page means if it is shown under another URL than its own."""
    if not shown.startswith(MADE_UP) or shown_url(page_url) == page_url:
        return shown
    parts = urlsplit(page_url)
    root = f"{parts.scheme}://{parts.netloc}" if parts.scheme else ""
    slash = "/" if parts.path.startswith("/") else ""
    return root + slash + shown.removeprefix(MADE_UP)


@dataclass(slots=True)
class Supply:
    """Answers the requests of one page, and counts them: a page can ask without end."""

    page_url: str
    source: Resources
    max_requests: int
    max_body: int  # bytes
    until: float  # time of the monotonic clock
    asked: int = field(default=0, init=False)

    def __call__(self, url: str, kind: str) -> Resource | None:
        if kind not in WANTED or self.asked >= self.max_requests or time.monotonic() > self.until:
            return None
        self.asked += 1
        resource = self._fetch(asked_url(url, self.page_url))
        if resource is None or len(resource.body) > self.max_body:
            return None
        named = resource.content_type
        # The browser would refuse what cannot be a header's value, and the page would wait in vain.
        return Resource(resource.body, named if HEADER.fullmatch(named) else WANTED[kind])

    def _fetch(self, url: str) -> Resource | None:
        """Ask the source, also under the other scheme: browsers turn http into https."""
        scheme, colon, rest = url.partition(":")
        other = OTHER_SCHEME.get(scheme)
        try:
            resource = self.source.fetch(url)
            if resource is None and other is not None:
                resource = self.source.fetch(other + colon + rest)
        except SourceError as error:
            log.warning("no resource url=%s reason=%s", url, error)
            return None
        return resource
