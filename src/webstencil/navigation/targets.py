"""Where a link leads, written so that it is the same on all pages of a site.

Pages of a mirror name the same target by different relative addresses; `index.html`, the scheme
and `www.` come and go. Links of a page to itself are named by what follows its address: "back to
top" is the same link everywhere.

Most links of a page are on most pages of its site, so names are remembered: for all pages that are
as deep below the top, if a link leads to the top first, and by what follows the way up for all.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from webstencil import urls

INDEX = ("/index.html", "/index.htm", "/index.php", "/default.aspx")
UNWRITTEN = re.compile(r"[\s\"'<>]")  # what a browser would write otherwise in a query
SPECIAL = re.compile(r"[:#?\\\s<>\"{}|^`\[\]]|//|(?:^|/)\.")
WAYS_UP = "../"
HOSTS = 64  # and depths of their pages, whose links are remembered
KEPT = 1 << 14  # addresses remembered of each
REMEMBERED = 1 << 16  # addresses remembered of all


def names_of(url: str, base_url: str, hrefs: Sequence[str]) -> list[str]:
    """Name the targets of the links of a page, given as they are written there."""
    return Targets(url, base_url).names(hrefs)


class Targets:
    """Names the targets of the links of one page."""

    def __init__(self, url: str, base_url: str) -> None:
        self._base = base_url
        self._own = short_parts(parts_of(url)[0])[0]
        place = parts_of(base_url)[0].partition("://")[2].removeprefix("www.")
        self._top, *self._steps = place.split("/")[:-1] or [place]
        self._known = names_at(self._top, len(self._steps))

    def names(self, hrefs: Sequence[str]) -> list[str]:
        """Name the targets of addresses as they are written in the page."""
        found = list(map(self._known.get, hrefs))
        return [
            name if name is not None else self.name(href)
            for name, href in zip(found, hrefs, strict=True)
        ]

    def name(self, href: str) -> str:
        """Name the target of an address as it is written in the page."""
        if not href or href[0] == "#":
            return f"#{href[1:]}"
        if href.startswith(("http://", "https://")):
            return self._from_here(href, *short_parts(href))
        ups = href.count(WAYS_UP)
        tail = tail_of(href[3 * ups :])
        if tail is None or (ups and not href.startswith(WAYS_UP * ups)):
            joined = urls.join(self._base, href)
            return self._from_here("", *short_parts(joined)) if joined is not None else href
        if href[0] == "/" or ups >= len(self._steps):
            return self._from_here(href, self._top + tail[0], *tail[1:])
        folder = "/".join([self._top, *self._steps[: len(self._steps) - ups]])
        return self._from_here("", folder + tail[0], *tail[1:])

    def _from_here(self, href: str, path: str, query: str, mark: str) -> str:
        """Name an address; what does not depend on the page is remembered for `href`, if any."""
        if query or mark:
            if path == self._own and (len(query) > 1 or len(mark) > 1):
                return f"#{mark[1:]}{query}"
            return path + query
        if href:
            if len(self._known) >= KEPT:
                self._known.clear()
            self._known[href] = path
        return path


@lru_cache(maxsize=HOSTS)
def names_at(host: str, depth: int) -> dict[str, str]:
    """Return the names that pages so deep below the top have found: most have the same links."""
    del host, depth  # a key only
    return {}


@lru_cache(maxsize=REMEMBERED)
def tail_of(href: str) -> tuple[str, str, str] | None:
    """Return what a relative address adds to its folder, parted; None if it must be resolved."""
    path, query, mark = parts_of(href)
    if not href:
        return "", "", ""
    if not path or not href.isascii() or SPECIAL.search(path) or UNWRITTEN.search(query):
        return None
    return trimmed(path if path[0] == "/" else f"/{path}"), query, mark


@lru_cache(maxsize=REMEMBERED)
def short_parts(url: str) -> tuple[str, str, str]:
    """Leave out of a full address what does not tell targets apart, and part it."""
    place = url.partition("://")[2].removeprefix("www.") if "://" in url else url
    path, query, mark = parts_of(place)
    return trimmed(path), query, mark


def parts_of(address: str) -> tuple[str, str, str]:
    """Part an address into path, query and fragment, the latter two with their signs."""
    address, hash_sign, mark = address.partition("#")
    path, question_mark, query = address.partition("?")
    return path, question_mark + query, hash_sign + mark


def trimmed(path: str) -> str:
    """Leave the name of a folder's own page out of a path."""
    return path[: path.rindex("/")] if path.endswith(INDEX) else path.rstrip("/")
