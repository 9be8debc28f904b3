"""Names for the targets of links that are equal on all pages of a site.

Pages of a mirror have different relative URLs for the same target, with or without `index.html`,
scheme and `www.`. Links of a page to itself are named by what follows its URL: "back to top" is the
same link everywhere.

Most links of a page are on most pages of its site, so names are cached: for all pages of a folder
and, if a relative link goes up to the top, for all pages of the same depth.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from webstencil import urls

INDEX_FILES = ("/index.html", "/index.htm", "/index.php", "/default.aspx")
PLAIN_STEP = r"[\w~%=&+,;@!$()*-][\w~%=&+,;@!$()*.{}-]*+"
PLAIN_STEPS = rf"{PLAIN_STEP.format(':')}(?:/{PLAIN_STEP.format(':')})*+/?"
# Relative paths that a browser takes as they are; after `../` there may be a colon anywhere.
PLAIN_PATH = re.compile(rf"/|/?{PLAIN_STEP.format('')}(?:/{PLAIN_STEP.format(':')})*+/?", re.ASCII)
PLAIN_REST = re.compile(rf"(?:{PLAIN_STEPS})?", re.ASCII)
PLAIN_QUERY = re.compile(r"[!$%&(-;=?-~]*+")  # the same for a query
FULL = ("http://", "https://")
WAYS_UP = "../"
STAY = "./"
CACHED_FOLDERS = 64  # folders, and depths below a host, with cached links
CACHED_URLS = 1 << 14  # cached URLs of each
HASHES_KEPT = 1 << 17  # cached
ANY_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def name_targets(url: str, base_url: str, hrefs: Sequence[str]) -> list[str]:
    """Name the targets of the links of a page, given as written."""
    return Targets(url, base_url).names(hrefs)


def hashes_of(names: Sequence[str]) -> list[int]:
    """Return the hashes of the names of targets that outlines have, of 32 bits."""
    return list(map(_hashes.__getitem__, names))


class _TargetHashes(dict[str, int]):
    """Cached hashes, by the name of the target."""

    def __missing__(self, name: str) -> int:
        if len(self) >= HASHES_KEPT:
            self.clear()
        found = self[name] = crc32(name.encode("utf-8", "surrogatepass"))
        return found


_hashes = _TargetHashes()


class TargetNames(dict[str, str]):
    """Cached names, by URL as written."""

    __slots__ = ("within",)

    def __init__(self) -> None:
        super().__init__()
        # Links with a query or fragment, by their page: on that page they have another name.
        self.within: dict[str, dict[str, str]] = {}


@lru_cache(maxsize=2 * CACHED_FOLDERS)
def _names_of(place: str, depth: int | None) -> TargetNames:
    """Return the cached names of a folder's pages; with a depth, of links to the top of a host."""
    del place, depth  # a key only
    return TargetNames()


class Targets:
    """Names the targets of the links of one page."""

    def __init__(self, url: str, base_url: str) -> None:
        self._base = base_url
        self._own = short(url.partition("#")[0].partition("?")[0])
        place = base_url.partition("#")[0].partition("?")[0].partition("://")[2]
        self._folder = (place.rpartition("/")[0] or place).removeprefix("www.")
        self._top = self._folder.count("/")  # steps up to the top
        self._host = self._folder.partition("/")[0]
        self._here = _names_of(self._folder, None)
        self._deep = _names_of(self._host, self._top)
        for known in (self._here, self._deep):
            if len(known) > CACHED_URLS:  # before a page, so that all its names are made in one way
                known.clear()
                known.within.clear()

    def names(self, hrefs: Sequence[str]) -> list[str]:
        """Name the targets of URLs as written in the page."""
        here, new = self._here.get, self._new
        deep = map(self._deep.get, hrefs)
        names = [name or here(href) or new(href) for name, href in zip(deep, hrefs, strict=True)]
        for known in (self._here, self._deep):
            if self._own in known.within:
                names = list(map(known.within[self._own].get, hrefs, names))
        return names

    def _new(self, href: str) -> str:
        """Name the target of a new URL, as on all pages but its own."""
        if not href or href[0] == "#":
            return f"#{href[1:]}"
        if "?" in href or "#" in href:
            return self._marked(href)
        known = self._deep  # most new ones are absolute or start at the top, and need no call
        if href.startswith(FULL):
            name = trimmed(href.partition("://")[2].removeprefix("www."))
        elif href[0] == "/" and PLAIN_PATH.fullmatch(href):
            name = self._host + trimmed(href)
        else:
            known, name = self._named(href)
        known[href] = name
        return name

    def _marked(self, href: str) -> str:
        """Name a URL with a query or a fragment."""
        address, _, mark = href.partition("#")
        path, sign, query = address.partition("?")
        if path[-1:] <= " ":  # a link within the page
            name, sign, query = self._resolved(href).partition("?")
            within = (query or mark) and name == self._own
            return f"#{mark}{sign}{query}" if within else name + sign + query
        if PLAIN_QUERY.fullmatch(query):
            known = self._deep if path in self._deep else self._here
            if path not in known:
                known, known[path] = self._named(path)
            name = known[path]
        else:
            known = self._deep if ANY_SCHEME.match(href) else self._here
            name, sign, query = self._resolved(href).partition("?")
        if query or mark:
            known.within.setdefault(name, {})[href] = f"#{mark}{sign}{query}"
        known[href] = name + sign + query
        return known[href]

    def _named(self, href: str) -> tuple[TargetNames, str]:
        """Name a URL without query and fragment; return also the cache for the name."""
        if href.startswith(FULL):
            return self._deep, short(href)
        if PLAIN_PATH.fullmatch(href):
            ups, path = 0, trimmed(href if href[0] == "/" else f"/{href}")
        else:
            ups = 0 if href.startswith(STAY) else href.count(WAYS_UP)
            way = WAYS_UP * ups or STAY
            if not (href.startswith(way) and PLAIN_REST.fullmatch(href, len(way))):
                return self._deep if ANY_SCHEME.match(href) else self._here, self._resolved(href)
            path = trimmed(href[len(way) - 1 :])
        if ups >= self._top or href[0] == "/":
            return self._deep, self._host + path
        return self._here, self._folder.rsplit("/", ups)[0] + path

    def _resolved(self, href: str) -> str:
        """Name a URL that a browser would change."""
        return short((urls.join_url(self._base, href) or href).partition("#")[0])


def short(url: str) -> str:
    """Remove from an absolute URL what does not distinguish targets."""
    place = url.partition("://")[2].removeprefix("www.") if "://" in url else url
    if "?" not in place:
        return trimmed(place)
    path, sign, query = place.partition("?")
    return trimmed(path) + sign + query


def trimmed(path: str) -> str:
    """Remove the name of a folder's own page from a path."""
    return path[: path.rindex("/")] if path.endswith(INDEX_FILES) else path.rstrip("/")
