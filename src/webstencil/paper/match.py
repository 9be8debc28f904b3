"""Find the stencil of a page's template: the Common Paths Distance of Gottron (2008).

CPS paper, section 6, "Matching DOM tree to the cluster set". The paper takes the first stencil that
matches (Algorithm 1; `first`); here the nearest one is taken, which does not depend on the order
of the pages.
"""

from collections.abc import Iterable
from itertools import repeat
from operator import truediv
from struct import Struct
from typing import NamedTuple

from webstencil.model import Page, Stencil

FIELD = 16  # bits, "H" of `struct`
MOST_PATHS = 1 << FIELD  # of a page; more would not fit into a field
MOST_FOUND = 1 << 10  # distinct path sets with a cached nearest stencil


class Match(NamedTuple):
    """The nearest stencil of a page."""

    stencil: Stencil
    distance: float  # 0..1


def distance(one: frozenset[int], other: frozenset[int]) -> float:
    """Return 1 minus the share of common paths in the larger of two path sets."""
    larger = max(len(one), len(other))
    return 1.0 - len(one & other) / larger if larger else 0.0


def nearest(page: Page, stencils: Iterable[Stencil]) -> Match | None:
    """Return the nearest stencil, the oldest of equals; None if there is none."""
    best = None
    least = float("inf")
    size = len(page.paths)
    for stencil in stencils:
        other = len(stencil.paths)
        if 1.0 - min(size, other) / max(size, other, 1) >= least:
            continue  # even with all paths in common it would not be nearer
        found = distance(page.paths, stencil.paths)
        if found < least:
            best, least = stencil, found
    return Match(best, least) if best is not None else None


def first(page: Page, stencils: Iterable[Stencil], most: float) -> Match | None:
    """Return the first stencil that is not farther than `most` (Algorithm 1), else None."""
    for stencil in stencils:
        found = distance(page.paths, stencil.paths)
        if found <= most:
            return Match(stencil, found)
    return None


class Matcher:
    """The stencils of a site, prepared to find the nearest one.

    Each path has a number with a field for each stencil, 1 if the stencil has the path. The sum of
    these numbers over the paths of a page has the counts of common paths in its fields.
    """

    def __init__(self) -> None:
        self._fill(())

    def _fill(self, stencils: Iterable[Stencil]) -> None:
        self._known: dict[str, Stencil] = {}  # by key
        self._oldest: list[Stencil] = []  # of those with the same paths
        self._sizes: dict[frozenset[int], int] = {}  # their numbers of paths, in the same order
        self._found: dict[frozenset[int], Match] = {}  # by the paths of a page
        self._ones: dict[int, int] = {}  # by path
        self._counts = Struct("")  # of common paths, as long as `_oldest`
        for stencil in stencils:
            self.add(stencil)

    def add(self, stencil: Stencil) -> None:
        """Add a stencil."""
        self._known[stencil.key] = stencil
        self._found = {}
        if stencil.paths in self._sizes:
            return
        one = 1 << FIELD * len(self._oldest)
        for path in stencil.paths:
            self._ones[path] = self._ones.get(path, 0) + one
        self._oldest.append(stencil)
        self._sizes[stencil.paths] = len(stencil.paths)
        self._counts = Struct(f"<{len(self._oldest)}H")

    def remove(self, key: str) -> None:
        """Remove a stencil, if it is known."""
        if self._known.pop(key, None) is not None:
            self._fill(self._known.values())  # fields follow from the order of the stencils

    def nearest(self, page: Page) -> Match | None:
        """Return the same as `nearest`."""
        paths = page.paths
        known = self._found.get(paths)
        if known is not None:
            return known
        found = self._by_counts(paths) or nearest(page, self._known.values())
        if found is not None and len(self._found) < MOST_FOUND:
            self._found[paths] = found
        return found

    def _by_counts(self, paths: frozenset[int]) -> Match | None:
        """Find the nearest stencil; None if there is none, or a page has no paths or too many."""
        size = len(paths)
        if not self._known or not 0 < size < MOST_PATHS:
            return None
        common = sum(map(self._ones.get, paths, repeat(0)))
        counts = self._counts.unpack(common.to_bytes(self._counts.size, "little"))
        larger = [size if size > other else other for other in self._sizes.values()]
        shares = list(map(truediv, counts, larger))
        most = max(shares)
        return Match(self._oldest[shares.index(most)], 1.0 - most)
