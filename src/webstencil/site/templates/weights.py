"""What a site teaches about its paths: how well each tells templates apart.

A path on every page, or on hardly any, tells nothing: a path on the share p of the pages weighs
p (1 - p). Running text is no evidence either. A container of running text shows itself by the kinds
of children it has: they come and go one by one, so that nearly each page has another set of them,
while the children of a template's container come and go together. Paths below such a container
weigh little or nothing.

Words of headings are kept apart from this: rare ones weigh next to nothing by themselves, and what
other pages have in the same heading takes nothing from a word that many share.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import log2, sqrt

from webstencil.site.templates.outline import NOWHERE, Outline

# Bits of variety of a container's children: below the first all of them count, above the second
# none. Chosen over sites; docs/templates.md has the table.
SETTLED = 1.5
LOOSE = 3.0
FOLLOWING = 0.3  # share of the weight of a path that is wherever its container is: nothing new
HEADING = 10.0  # how many paths the word of a heading weighs as much as, ...
LOUDEST = 0.5  # ... but all words of two pages weigh at most this share of all else that they have
OPTIONAL = 0.5  # share of what only one of two pages has that counts, if the other has nothing else
LEAST = 0.005  # weights below this, as of a path on one page in 200, tell nothing worth its cost
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
        self._sets = {one.path: dict(one.sets) for one in known if one.sets}

    def counted(self) -> tuple[CountedPath, ...]:
        """List what is known, in the order in which paths came."""
        return tuple(
            CountedPath(path, container, self._seen[path], tuple(self._sets.get(path, {}).items()))
            for path, container in self._containers.items()
        )

    def add(self, outline: Outline) -> None:
        """Count a page."""
        self.pages += 1
        self._containers |= outline
        children: dict[int, int] = {}
        for path, container in outline.items():
            self._seen[path] = self._seen.get(path, 0) + 1
            if path > 0:
                children[container] = children.get(container, 0) ^ path
        children.pop(NOWHERE, None)
        for path, together in children.items():
            kept = self._sets.setdefault(path, {})
            if together in kept or len(kept) < SETS_KEPT:
                kept[together] = kept.get(together, 0) + 1
        if len(self._seen) > PATHS_KEPT:
            self._forget()

    def shares(self) -> dict[int, float]:
        """Return how much of each path is the template's: 0 for running text, 1 for none."""
        settled = {
            path: max(0.0, (LOOSE - bits) / (LOOSE - SETTLED))
            for path, bits in self._varieties().items()
            if bits > SETTLED
        }
        shares = {NOWHERE: 1.0}
        for path, container in self._containers.items():
            share = shares[container]
            shares[path] = share * settled.get(container, 1.0) if path > 0 else share
        return shares

    def weights(self, shares: Mapping[int, float]) -> dict[int, float]:
        """Return the weight of each path that has one."""
        fewest = 1 if self.pages <= FEW_PAGES else 2
        weights = {
            path: pages * (self.pages - pages) / self.pages**2 * shares[path] * self._own(path)
            for path, pages in self._seen.items()
            if fewest <= pages < self.pages and shares[path] > 0.0
        }
        return {path: weight for path, weight in weights.items() if weight >= LEAST}

    def _own(self, path: int) -> float:
        """Return how much a path tells that its container does not."""
        container = self._containers[path]
        always = self._seen[path] / self._seen[container] if container != NOWHERE else 0.0
        return (1.0 - (1.0 - FOLLOWING) * always) * (HEADING if path < 0 else 1.0)

    def _varieties(self) -> dict[int, float]:
        """Return the variety of the children of each path, in bits."""
        apart = dict.fromkeys(self._sets, 0.0)
        for path, container in self._containers.items():
            if container != NOWHERE and path > 0 and self._seen[path] > 1:
                chance = self._seen[path] / self._seen[container]
                apart[container] += entropy((chance, 1.0 - chance))
        return {
            path: variety(self._sets[path].values(), self._seen[path], bits)
            for path, bits in apart.items()
            if bits > 0.0
        }

    def _forget(self) -> None:
        """Forget paths seen once; what is below them was seen once, too."""
        for path in [path for path, pages in self._seen.items() if pages == 1]:
            del self._containers[path], self._seen[path]
            self._sets.pop(path, None)


def variety(sets: Iterable[int], pages: int, apart: float) -> float:
    """Return the entropy of sets of children, scaled by how freely the children come and go.

    Children that come and go together have sets of far less entropy than the sum of their own,
    which is `apart`. Pages without a set have no children; where sets were too many to be kept,
    they are taken to have one of their own each.
    """
    counts = list(sets)
    rest = pages - sum(counts)
    alike = rest if len(counts) < SETS_KEPT else 1
    together = entropy(count / pages for count in counts)
    together += rest / pages * log2(pages / alike) if rest else 0.0
    return together * sqrt(min(1.0, together / apart))


def entropy(shares: Iterable[float]) -> float:
    """Return the entropy of a distribution in bits."""
    return -sum(share * log2(share) for share in shares if share > 0.0)


@dataclass(frozen=True, slots=True)
class View:
    """What of a page has a weight."""

    paths: frozenset[int]
    words: frozenset[int]  # those of the paths that are words of headings
    weight: float  # of all others
    said: float  # weight of the words


def view_of(paths: Iterable[int], weights: Mapping[int, float]) -> View:
    """Look at a page by what has a weight."""
    kept = frozenset(weights.keys() & paths)
    words = frozenset(filter((0).__gt__, kept))
    said = sum(map(weights.__getitem__, words))
    return View(kept, words, sum(map(weights.__getitem__, kept)) - said, said)


def distance(one: View, other: View, weights: Mapping[int, float]) -> float:
    """Return 1 minus the common share of the weight of two pages.

    What each has in place of what the other has counts in full. What one has and the other has
    nothing instead of may be an option of a template (comments, a picture): a part of it counts.
    Words of headings alone do not separate two pages: they weigh at most a part of the rest.
    """
    if one.paths == other.paths:
        return 0.0
    words = sum(map(weights.__getitem__, one.words & other.words))
    common = sum(map(weights.__getitem__, one.paths & other.paths)) - words
    said = one.said + other.said - words
    part = min(1.0, LOUDEST * (one.weight + other.weight - common) / said) if said > 0.0 else 0.0
    return gap(
        common + part * words,
        one.weight - common + part * (one.said - words),
        other.weight - common + part * (other.said - words),
    )


def least_distance(one: View, other: View) -> float:
    """Return what the distance is at least, whatever two pages have in common."""
    less, more = sorted((one.weight, other.weight))
    return gap(less + LOUDEST * more, 0.0, more - less)


def gap(common: float, mine: float, yours: float) -> float:
    """Return the distance of two pages by the weights of what both have, and each of them alone."""
    less, more = (mine, yours) if mine < yours else (yours, mine)
    apart = 2.0 * less + OPTIONAL * (more - less)
    return apart / (common + apart) if apart > 0.0 else 0.0
