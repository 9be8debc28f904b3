"""What a site teaches about its paths: how well each tells templates apart.

A path on every page, or on hardly any, tells nothing: a path on the share p of the pages weighs
p (1 - p). Running text is no evidence either. A container of running text shows itself by the kinds
of children it has: they come and go one by one, so that nearly each page has another set of them,
while the children of a template's container come and go together. Paths below such a container
weigh little or nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log2, sqrt

from webstencil.templates.outline import NOWHERE, Outline

# Bits of variety of a container's children: below the first all of them count, above the second
# none. Chosen over sites; docs/templates.md has the table.
SETTLED = 1.5
LOOSE = 3.0
FOLLOWING = 0.3  # share of the weight of a path that is wherever its container is: nothing new
FEW_PAGES = 16  # up to this a path seen on one page counts, too: there is nothing else to go by
SETS_KEPT = 128  # different sets of children counted of one container: variety shows before that
PATHS_KEPT = 50_000  # of a site; beyond that, those seen on one page only are forgotten


@dataclass(frozen=True, slots=True)
class CountedPath:
    """What is known of a path."""

    path: int
    container: int
    pages: int
    sets: tuple[tuple[int, int], ...]  # hash of a set of children, and on how many pages


class PathCounts:
    """On how many pages each path was seen, and with which children."""

    def __init__(self, pages: int = 0, counted: Iterable[CountedPath] = ()) -> None:
        known = tuple(counted)
        self.pages = pages
        self._containers: Outline = {one.path: one.container for one in known}
        self._seen = {one.path: one.pages for one in known}
        self._sets = {one.path: dict(one.sets) for one in known}

    def counted(self) -> tuple[CountedPath, ...]:
        """List what is known, in the order in which paths came."""
        return tuple(
            CountedPath(path, container, self._seen[path], tuple(self._sets[path].items()))
            for path, container in self._containers.items()
        )

    def add(self, outline: Outline) -> None:
        """Count a page."""
        self.pages += 1
        self._containers |= outline
        children = dict.fromkeys(outline, 0)
        children[NOWHERE] = 0
        for path, container in outline.items():
            self._seen[path] = self._seen.get(path, 0) + 1
            children[container] ^= path
        del children[NOWHERE]
        for path, together in children.items():
            kept = self._sets.setdefault(path, {})
            if together in kept or len(kept) < SETS_KEPT:
                kept[together] = kept.get(together, 0) + 1
        if len(self._seen) > PATHS_KEPT:
            self._forget()

    def shares(self) -> dict[int, float]:
        """Return how much of each path is the template's: 0 for running text, 1 for none."""
        varieties = self._varieties()
        shares = {NOWHERE: 1.0}
        for path, container in self._containers.items():
            loose = (varieties.get(container, 0.0) - SETTLED) / (LOOSE - SETTLED)
            shares[path] = shares[container] * (1.0 - min(1.0, max(0.0, loose)))
        return shares

    def weights(self, shares: Mapping[int, float]) -> dict[int, float]:
        """Return the weight of each path that has one."""
        fewest = 1 if self.pages <= FEW_PAGES else 2
        return {
            path: pages * (self.pages - pages) / self.pages**2 * shares[path] * self._own(path)
            for path, pages in self._seen.items()
            if fewest <= pages < self.pages and shares[path] > 0.0
        }

    def _own(self, path: int) -> float:
        """Return how much a path tells that its container does not."""
        container = self._containers[path]
        always = self._seen[path] / self._seen[container] if container != NOWHERE else 0.0
        return 1.0 - (1.0 - FOLLOWING) * always

    def _varieties(self) -> dict[int, float]:
        """Return the variety of the children of each path, in bits."""
        apart = dict.fromkeys(self._seen, 0.0)
        for path, container in self._containers.items():
            if container != NOWHERE and self._seen[path] > 1:
                chance = self._seen[path] / self._seen[container]
                apart[container] += entropy((chance, 1.0 - chance))
        return {
            path: variety(self._sets[path].values(), pages, apart[path])
            for path, pages in self._seen.items()
            if apart[path] > 0.0
        }

    def _forget(self) -> None:
        """Forget paths seen once; what is below them was seen once, too."""
        for path in [path for path, pages in self._seen.items() if pages == 1]:
            del self._containers[path], self._seen[path], self._sets[path]


def variety(sets: Iterable[int], pages: int, apart: float) -> float:
    """Return the entropy of sets of children, scaled by how freely the children come and go.

    Children that come and go together have sets of far less entropy than the sum of their own,
    which is `apart`. Pages whose sets were not kept are taken to have one of their own each.
    """
    counts = list(sets)
    rest = pages - sum(counts)
    together = entropy(count / pages for count in counts) + rest / pages * log2(pages)
    return together * sqrt(min(1.0, together / apart))


def entropy(shares: Iterable[float]) -> float:
    """Return the entropy of a distribution in bits."""
    return -sum(share * log2(share) for share in shares if share > 0.0)


def distance(one: frozenset[int], other: frozenset[int], weights: Mapping[int, float]) -> float:
    """Return 1 minus the common share of the weight of two sets of paths that all have one."""
    if one == other:
        return 0.0
    common = sum(map(weights.__getitem__, one & other))
    apart = sum(map(weights.__getitem__, one ^ other))
    return apart / (common + apart)
