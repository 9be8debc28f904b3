"""Where a link leads, written so that it is the same on all pages of a site.

Pages of a mirror name the same target by different relative addresses; `index.html`, the scheme
and `www.` come and go. Links of a page to itself are named by what follows its address: "back to
top" is the same link everywhere.

Most links of a page are on most pages of its site, so what was found is remembered: for all pages
of a folder and, if a link leads to the top first, for all pages that are as deep below the top.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from webstencil import urls

INDEX = ("/index.html", "/index.htm", "/index.php", "/default.aspx")
PLAIN = re.compile(  # a relative address that a browser takes as it is: path, query, fragment
    r"(/?(?:[\w~%=&+,;@!$()*-][\w~%=&+,;@!$()*.-]*+(?:/[\w~%=&+,;@!$()*-][\w~%=&+,;@!$()*.:-]*+)*+/?)?)"
    r"(\?[!$%&(-;=?-~]*+)?(#.*+)?",
    re.ASCII,
)
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
FULL = ("http://", "https://")
WAYS_UP = "../"
PLACES = 64  # folders, and depths below a host, whose links are remembered
KEPT = 1 << 14  # addresses remembered of each
Parts: TypeAlias = tuple[str, str, str]  # path, query and fragment, the latter with their signs


def names_of(url: str, base_url: str, hrefs: Sequence[str]) -> list[str]:
    """Name the targets of the links of a page, given as they are written there."""
    return Targets(url, base_url).names(hrefs)


@dataclass(frozen=True, slots=True)
class Known:
    """What was found of addresses as they are written in some pages."""

    names: dict[str, str] = field(default_factory=dict)  # of those without query and fragment
    parts: dict[str, Parts] = field(default_factory=dict)  # of the others, of which some lead here

    def keep(self, href: str, parts: Parts) -> None:
        """Remember an address."""
        if len(self.names) + len(self.parts) >= KEPT:
            self.names.clear()
            self.parts.clear()
        if parts[1] or parts[2]:
            self.parts[href] = parts
        else:
            self.names[href] = parts[0]


class Targets:
    """Names the targets of the links of one page."""

    def __init__(self, url: str, base_url: str) -> None:
        self._base = base_url
        self._url = url
        place = base_url.partition("#")[0].partition("?")[0].partition("://")[2]
        folder = place.rpartition("/")[0] or place
        self._folders = folders_of(folder)
        self._here = known_in(folder)
        self._deep = known_at(self._folders[-1], len(self._folders))

    def names(self, hrefs: Sequence[str]) -> list[str]:
        """Name the targets of addresses as they are written in the page."""
        here, deep, name = self._here.names, self._deep.names, self.name
        return [here.get(href) or deep.get(href) or name(href) for href in hrefs]

    def name(self, href: str) -> str:
        """Name the target of an address as it is written in the page."""
        if not href or href[0] == "#":
            return f"#{href[1:]}"
        known = self._here.parts.get(href) or self._deep.parts.get(href)
        path, query, mark = known or self._parts(href)
        if not query and not mark:
            return path
        if (len(query) > 1 or len(mark) > 1) and path == own_path(self._url):
            return f"#{mark[1:]}{query}"
        return path + query

    def _parts(self, href: str) -> Parts:
        """Part the full address of a link, and remember it."""
        if href.startswith(FULL):
            parts = short_parts(href)
            self._deep.keep(href, parts)
            return parts
        plain = plain_parts(href)
        if plain is None:
            return self._resolved(href)
        ups, tail, query, mark = plain
        top = len(self._folders) - 1
        up = top if href[0] == "/" else min(ups, top)
        parts = (self._folders[up] + tail, query, mark)
        (self._deep if up == top else self._here).keep(href, parts)
        return parts

    def _resolved(self, href: str) -> Parts:
        """Part an address that a browser would not take as it is."""
        parts = short_parts(urls.join(self._base, href) or href)
        if href[0] != "?":  # else it depends on the page
            (self._deep if SCHEME.match(href) else self._here).keep(href, parts)
        return parts


@lru_cache(maxsize=PLACES)
def known_in(folder: str) -> Known:
    """Return what pages of a folder have found."""
    del folder  # a key only
    return Known()


@lru_cache(maxsize=PLACES)
def known_at(host: str, depth: int) -> Known:
    """Return what pages so deep below the top have found of links that lead to the top first."""
    del host, depth  # a key only
    return Known()


@lru_cache(maxsize=PLACES)
def folders_of(folder: str) -> list[str]:
    """Return a folder and those around it, the innermost first, the host last."""
    host, *steps = folder.removeprefix("www.").split("/")
    return ["/".join([host, *steps[:depth]]) for depth in range(len(steps), -1, -1)]


def plain_parts(href: str) -> tuple[int, str, str, str] | None:
    """Part a relative address: ways up, path, query, fragment; None if it must be resolved."""
    ups = href.count(WAYS_UP)
    plain = PLAIN.fullmatch(href, 3 * ups)
    if plain is None or href[0] == "?" or (ups and not href.startswith(WAYS_UP * ups)):
        return None
    path, query, mark = plain.groups("")
    if path[:1] != "/":
        return ups, trimmed(f"/{path}"), query, mark
    return None if ups else (ups, trimmed(path), query, mark)


def short_parts(url: str) -> Parts:
    """Leave out of a full address what does not tell targets apart, and part it."""
    place = url.partition("://")[2].removeprefix("www.") if "://" in url else url
    query = mark = ""
    if "#" in place:
        place, sign, mark = place.partition("#")
        mark = sign + mark
    if "?" in place:
        place, sign, query = place.partition("?")
        query = sign + query
    return trimmed(place), query, mark


@lru_cache(maxsize=PLACES)
def own_path(url: str) -> str:
    """Return the path of a page as its links name it."""
    return short_parts(url)[0]


def trimmed(path: str) -> str:
    """Leave the name of a folder's own page out of a path."""
    return path[: path.rindex("/")] if path.endswith(INDEX) else path.rstrip("/")
