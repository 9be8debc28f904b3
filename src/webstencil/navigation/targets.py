"""Where a link leads, written so that it is the same on all pages of a site.

Pages of a mirror name the same target by different relative addresses; `index.html`, the scheme
and `www.` come and go. Links of a page to itself are named by what follows its address: "back to
top" is the same link everywhere.
"""

import re
from functools import lru_cache

from webstencil import urls

INDEX = ("/index.html", "/index.htm", "/index.php", "/default.aspx")
SPECIAL = re.compile(r"[:#?\\\s<>\"{}|^`\[\]]|//|(?:^|/)\.")
WAYS_UP = "../"
FOLDERS = 64  # whose links are remembered
REMEMBERED = 1 << 16  # full addresses; the pages of a site share most of them


class Targets:
    """Names the targets of the links of one page."""

    def __init__(self, url: str, base_url: str) -> None:
        self._base = base_url
        self._known = names_in(base_url.rpartition("/")[0])
        self._own = short(url.partition("#")[0].partition("?")[0])
        place = base_url.partition("#")[0].partition("?")[0].partition("://")[2]
        host, *folders = place.removeprefix("www.").split("/")
        self._folders = [  # around the page, the innermost first
            "/".join([host, *folders[:depth], ""]) for depth in range(len(folders[:-1]), -1, -1)
        ]

    def name(self, href: str) -> str:
        """Name the target of an address as it is written in the page."""
        known = self._known.get(href)
        if known is not None:
            return known
        name = self._named(href)
        if "#" not in href and "?" not in href:  # else it depends on the page
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[href] = name
        return name

    def _named(self, href: str) -> str:
        if not href or href[0] == "#":
            return f"#{href[1:]}"
        if href.startswith(("http://", "https://")):
            return self._from_here(short(href))
        ups = href.count(WAYS_UP)
        plain = href[3 * ups :] if ups else href
        if not is_plain(plain) or (ups and not href.startswith(WAYS_UP * ups)):
            joined = urls.join(self._base, href)
            return self._from_here(short(joined)) if joined is not None else href
        if plain[:1] == "/":
            return trimmed(self._folders[-1] + plain[1:])
        return trimmed(self._folders[min(ups, len(self._folders) - 1)] + plain)

    def _from_here(self, target: str) -> str:
        if "#" not in target and "?" not in target:
            return target
        address, mark, rest = target.partition("#")
        path, query, words = address.partition("?")
        if path == self._own and (rest or words):
            return f"#{rest}{query}{words}"
        return address if mark else target


def is_plain(href: str) -> bool:
    """Tell whether a relative address has nothing in it to resolve, to escape or to take off."""
    return href.isascii() and not SPECIAL.search(href)


@lru_cache(maxsize=FOLDERS)
def names_in(folder: str) -> dict[str, str]:
    """Return the names that pages of a folder have found: most pages have the same links."""
    del folder  # a key only
    return {}


@lru_cache(maxsize=REMEMBERED)
def short(url: str) -> str:
    """Leave out of a full address what does not tell targets apart."""
    place = url.partition("://")[2].removeprefix("www.") if "://" in url else url
    address, mark, rest = place.partition("#")
    path, query, words = address.partition("?")
    return f"{trimmed(path)}{query}{words}{mark}{rest}"


def trimmed(path: str) -> str:
    """Leave the name of a folder's own page out of a path."""
    return path[: path.rindex("/")] if path.endswith(INDEX) else path.rstrip("/")
