"""Where a link leads, written so that it is the same on all pages of a site.

Pages of a mirror name the same target by different relative addresses; `index.html`, the scheme
and `www.` come and go. Links of a page to itself are named by what follows its address: "back to
top" is the same link everywhere.

Most links of a page are on most pages of its site, so what was found is remembered: for all pages
of a folder and, if a link leads to the top first, for all pages that are as deep below the top.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from webstencil import urls

INDEX = ("/index.html", "/index.htm", "/index.php", "/default.aspx")
STEP = r"[\w~%=&+,;@!$()*-][\w~%=&+,;@!$()*.{}-]*+"
PLAIN = re.compile(  # a relative path that a browser takes as it is
    rf"/?(?:{STEP.format('')}(?:/{STEP.format(':')})*+/?)?", re.ASCII
)
PLAIN_QUERY = re.compile(r"[!$%&(-;=?-~]*+")  # the same of a query
FULL = ("http://", "https://")
WAYS_UP = "../"
PLACES = 64  # folders, and depths below a host, whose links are remembered
KEPT = 1 << 14  # addresses remembered of each
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def names_of(url: str, base_url: str, hrefs: Sequence[str]) -> list[str]:
    """Name the targets of the links of a page, given as they are written there."""
    return Targets(url, base_url).names(hrefs)


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
        here, deep, name = self._here, self._deep, self.name
        return [here.get(href) or deep.get(href) or name(href) for href in hrefs]

    def name(self, href: str) -> str:
        """Name the target of an address as it is written in the page."""
        if not href or href[0] == "#":
            return f"#{href[1:]}"
        if "?" not in href and "#" not in href:
            return self._here.get(href) or self._deep.get(href) or self._named(href)
        address, _, mark = href.partition("#")
        path, sign, query = address.partition("?")
        if path[-1:] > " " and PLAIN_QUERY.fullmatch(query):
            name = self.name(path)
        else:
            name, sign, query = self._resolved(href).partition("?")
        if (query or mark) and name == own_path(self._url):
            return f"#{mark}{sign}{query}"
        return name + sign + query

    def _named(self, href: str) -> str:
        """Name an address without query and fragment, and remember the name."""
        if href.startswith(FULL):
            return keep(self._deep, href, short(href))
        plain = plain_path(href)
        if plain is None:
            known = self._deep if SCHEME.match(href) else self._here
            return keep(known, href, self._resolved(href))
        ups, path = plain
        top = len(self._folders) - 1
        up = top if href[0] == "/" else min(ups, top)
        return keep(self._deep if up == top else self._here, href, self._folders[up] + path)

    def _resolved(self, href: str) -> str:
        """Name an address that a browser would not take as it is."""
        return short((urls.join(self._base, href) or href).partition("#")[0])


def keep(names: dict[str, str], href: str, name: str) -> str:
    """Remember a name."""
    if len(names) >= KEPT:
        names.clear()
    names[href] = name
    return name


@lru_cache(maxsize=PLACES)
def known_in(folder: str) -> dict[str, str]:
    """Return the names that pages of a folder have found, by what is written."""
    del folder  # a key only
    return {}


@lru_cache(maxsize=PLACES)
def known_at(host: str, depth: int) -> dict[str, str]:
    """Return the names that pages so deep below the top have found of links that lead there."""
    del host, depth  # a key only
    return {}


@lru_cache(maxsize=PLACES)
def folders_of(folder: str) -> list[str]:
    """Return a folder and those around it, the innermost first, the host last."""
    host, *steps = folder.removeprefix("www.").split("/")
    return ["/".join([host, *steps[:depth]]) for depth in range(len(steps), -1, -1)]


@lru_cache(maxsize=PLACES)
def own_path(url: str) -> str:
    """Return the path of a page as its links name it."""
    return short(url.partition("#")[0]).partition("?")[0]


def plain_path(href: str) -> tuple[int, str] | None:
    """Return the ways up of a relative path and what follows them; None if it must be resolved."""
    ups = href.count(WAYS_UP)
    if not PLAIN.fullmatch(href, 3 * ups) or (ups and not href.startswith(WAYS_UP * ups)):
        return None
    path = href[3 * ups :]
    if path[:1] != "/":
        return ups, trimmed(f"/{path}")
    return None if ups else (ups, trimmed(path))


def short(url: str) -> str:
    """Leave out of a full address, without fragment, what does not tell targets apart."""
    place = url.partition("://")[2].removeprefix("www.") if "://" in url else url
    if "?" not in place:
        return trimmed(place)
    path, sign, query = place.partition("?")
    return trimmed(path) + sign + query


def trimmed(path: str) -> str:
    """Leave the name of a folder's own page out of a path."""
    return path[: path.rindex("/")] if path.endswith(INDEX) else path.rstrip("/")
