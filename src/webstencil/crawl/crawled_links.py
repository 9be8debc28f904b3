"""What a crawl reads in a page: its links, canonical URL, redirects and robots elements."""

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import urlsplit

from webstencil import urls
from webstencil.crawl.addresses import cleaned
from webstencil.markup import Markup

ECHO_BYTES = 16
REMEMBERED = 1 << 15  # links; a menu is the same on all pages
AT_ONCE = 1.0  # s; a page that refreshes sooner is only a redirect
REFRESH = re.compile(r"(?i)\s*([\d.]+)\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)")
NO_FOLLOW = re.compile(r"(?i)\b(?:nofollow|none)\b")
SOON = 200  # resources of a page that are fetched before the renderer needs them


@dataclass(frozen=True, slots=True)
class Reading:
    """What a crawl needs to know of a page."""

    links: tuple[str, ...]  # absolute, each once
    canonical: str  # URL, "" if there is none
    moved: str  # URL that it redirects to at once, "" if it does not
    nofollow: bool
    echo: bytes  # equal for pages that differ only in the parameters of their links


def read(body: bytes, charset: str | None, url: str) -> Reading:
    """Read a page."""
    page = Markup(body, charset)
    base = urls.join(url, page.base_href()) or url
    links = absolute(base, page.hrefs() + page.frames())
    canonical = page.canonical()
    return Reading(
        links=links,
        canonical=(urls.join(base, canonical) or "") if canonical else "",
        moved=moved_to(page.meta("refresh"), base),
        nofollow=bool(NO_FOLLOW.search(page.meta("robots"))),
        echo=echo_of(page, links) if "?" in url else b"",
    )


def absolute(base: str, hrefs: list[str]) -> tuple[str, ...]:
    """Resolve links; leave out those that are no URLs."""
    origin = "/".join(base.split("/", 3)[:3]) + "/"
    folder = base.partition("?")[0].rpartition("/")[0] + "/"
    found = dict.fromkeys(_joined(_anchor(href, base, origin, folder), href) for href in hrefs)
    return tuple(link for link in found if link)


def _anchor(href: str, base: str, origin: str, folder: str) -> str:
    """Return as little of the base as the link depends on: fewer different pairs to resolve."""
    if href.startswith(("http:", "https:", "/")):
        return origin
    return base if href.startswith(("?", "#")) or not href else folder


@lru_cache(maxsize=REMEMBERED)
def _joined(base: str, href: str) -> str:
    return cleaned(urls.join(base, href.strip()) or "") or ""


def moved_to(refresh: str, base: str) -> str:
    """Return the URL that a refresh element redirects to at once; empty if it does not."""
    found = REFRESH.match(refresh)
    if not found or float(found[1].rstrip(".") or 0) > AT_ONCE:
        return ""
    return urls.join(base, found[2].strip()) or ""


def echo_of(page: Markup, links: tuple[str, ...]) -> bytes:
    """Hash the text, images and links of a page, without parameters."""
    known = blake2b(page.text().encode("utf-8", "replace"), digest_size=ECHO_BYTES)
    for url in (*page.pictures(), *links):
        known.update(urlsplit(url).path.encode("utf-8", "replace") + b"\n")
    return known.digest()


def resources(body: bytes, charset: str | None, url: str) -> tuple[str, ...]:
    """List the resources that a page needs to be rendered."""
    page = Markup(body, charset)
    base = urls.join(url, page.base_href()) or url
    found = [urls.join(base, href.strip()) for href in page.sheets() + page.pictures()]
    return tuple(dict.fromkeys(link for link in found if link and link.startswith("http")))[:SOON]
