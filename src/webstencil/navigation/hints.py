"""Words in classes, ids and labels that hint at the purpose of a part of a page.

A hint is one feature among others; models learn its weight.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from webstencil.markup import Node, called, tag

GROUPS = {
    "navigation": "nav navi navbar navigation mainnav topnav subnav menu dropdown",
    "header": "header head masthead top topbar banner logo brand",
    "footer": "footer foot bottom copyright colophon legal",
    "sidebar": "sidebar side aside rail widget",
    "content": "content entry post article main body story text page document section markdown",
    "comments": "comment comments reply respond",
    "sharing": "share sharing social follow",
    "details": "meta tag tags category categories cat cats author byline date",
    "teasers": "related recent latest popular archive archives teaser card item featured",
    "pages": "pagination pager paging pagenavi pagenav pagelinks pages numbers prev previous next "
    "older newer",
    "ways": "toc contents breadcrumb breadcrumbs crumbs skip anchor",
}
NAMES = tuple(GROUPS)
BITS = {word: 1 << number for number, words in enumerate(GROUPS.values()) for word in words.split()}
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")  # site-header, siteHeader, SITE_HEADER
WHOLE = frozenset({"html", "body"})  # their classes describe other parts of the page
REMEMBERED = 1 << 15  # names; a site uses the same ones on all its pages


@lru_cache(maxsize=REMEMBERED)
def read(names: str) -> int:
    """Return the hints in some names, one bit per group."""
    found = 0
    for word in WORD.findall(names):
        found |= BITS.get(word.lower(), 0)
    return found


def hints_of(node: Node) -> int:
    """Return the hints at an element, one bit per group."""
    names = called(node)
    return read(names) if names and tag(node) not in WHOLE else 0


def columns(hints: int) -> tuple[float, ...]:
    """Return 1 for each group with a hint, 0 for the others."""
    return tuple([float(hints >> number & 1) for number in range(len(NAMES))])


class HintReader:
    """Reads the hints at the elements of one page, each once."""

    def __init__(self, elements: Sequence[Node]) -> None:
        self._elements = elements
        self._known: dict[int, int] = {}

    def at(self, element: int) -> int:
        """Return the hints at an element."""
        known = self._known.get(element)
        if known is None:
            known = self._known[element] = hints_of(self._elements[element])
        return known

    def along(self, path: Sequence[int]) -> int:
        """Return the hints at any of these elements."""
        found = 0
        for element in path:
            found |= self.at(element)
        return found
