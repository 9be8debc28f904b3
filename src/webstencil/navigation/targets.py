"""Where a link leads, written so that it is the same on all pages of a site.

Pages of a mirror name the same target by different relative addresses; `index.html`, the scheme
and `www.` come and go. Links of a page to itself are named by what follows its address: "back to
top" is the same link everywhere.
"""

import re
from functools import lru_cache

from webstencil import urls

INDEX = ("/index.html", "/index.htm", "/index.php", "/default.aspx")
# Relative, with nothing in it to resolve but the ways up at its start.
PLAIN = re.compile(
    r"(?:\.\./)*[\w\-%~+,=@][\w\-%~+.,=@]*(?:/[\w\-%~+,=@][\w\-%~+.,=@]*)*/?", re.ASCII
)
WAYS_UP = "../"
REMEMBERED = 1 << 16  # full addresses; the pages of a site share most of them


class Targets:
    """Names the targets of the links of one page."""

    def __init__(self, url: str, base_url: str) -> None:
        self._base = base_url
        self._own = short(url.partition("#")[0].partition("?")[0])
        place = base_url.partition("#")[0].partition("?")[0].partition("://")[2]
        host, *folders = place.removeprefix("www.").split("/")
        self._folders = [  # around the page, the innermost first
            "/".join([host, *folders[:depth], ""]) for depth in range(len(folders[:-1]), -1, -1)
        ]

    def name(self, href: str) -> str:
        """Name the target of an address as it is written in the page."""
        if not href or href.startswith("#"):
            return f"#{href[1:]}"
        if href.startswith(("http://", "https://")):
            return self._from_here(short(href))
        if href[0] == "/" and PLAIN.fullmatch(href, 1):
            return self._from_here(trimmed(self._folders[-1] + href[1:]))
        if PLAIN.fullmatch(href):
            ups = href.count(WAYS_UP)
            folder = self._folders[min(ups, len(self._folders) - 1)]
            return self._from_here(trimmed(folder + href[3 * ups :]))
        joined = urls.join(self._base, href)
        return self._from_here(short(joined)) if joined is not None else href

    def _from_here(self, target: str) -> str:
        address, mark, rest = target.partition("#")
        path, query, words = address.partition("?")
        if path == self._own and (rest or words):
            return f"#{rest}{query}{words}"
        return address if mark else target


@lru_cache(maxsize=REMEMBERED)
def short(url: str) -> str:
    """Leave out of a full address what does not tell targets apart."""
    place = url.partition("://")[2].removeprefix("www.") if "://" in url else url
    address, mark, rest = place.partition("#")
    path, query, words = address.partition("?")
    return f"{trimmed(path)}{query}{words}{mark}{rest}"


def trimmed(path: str) -> str:
    """Leave the name of a folder's own page out of a path."""
    for name in INDEX:
        if path.endswith(name):
            return path.removesuffix(name)
    return path.rstrip("/")
