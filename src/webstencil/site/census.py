"""Count the pages of each template before anything is rendered.

A page counts for the nearest earlier page that matches (`paper/match.py`), else it starts a
template. That is enough to find templates with few pages; which stencil a page hits is decided when
it is processed.
"""

from collections.abc import Iterable

from webstencil.errors import ParseError
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage
from webstencil.site.paper.match import distance


class Census:
    """Has the path set of one page of each template, by site, and the number of pages like it."""

    def __init__(self, threshold: float) -> None:
        """Count for a matcher with that `threshold`, 0..1."""
        self._threshold = threshold
        self._firsts: dict[str, list[frozenset[int]]] = {}  # by site
        self._counts: dict[str, list[int]] = {}  # by site, in the order of `_firsts`

    def add(self, page: Page) -> None:
        """Count a page."""
        firsts = self._firsts.setdefault(page.site, [])
        counts = self._counts.setdefault(page.site, [])
        place = self._place(page)
        if place is None:
            firsts.append(page.paths)
            counts.append(1)
        else:
            counts[place] += 1

    def pages_like(self, page: Page) -> int:
        """Return the number of pages with the template of a page."""
        place = self._place(page)
        return 0 if place is None else self._counts[page.site][place]

    def _place(self, page: Page) -> int | None:
        """Return the index of the nearest template that matches, the first of equals."""
        near = (
            (distance(page.paths, paths), place)
            for place, paths in enumerate(self._firsts.get(page.site, ()))
        )
        least, place = min(near, default=(1.0, None))
        return place if least <= self._threshold else None


def take_census(pages: Iterable[RawPage], threshold: float) -> Census:
    """Count the pages that can be parsed."""
    census = Census(threshold)
    for raw in pages:
        try:
            page = parse(raw)
        except ParseError:
            continue  # the job reports it later
        census.add(page)
    return census
