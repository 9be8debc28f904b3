"""Small decision trees over the features of runs, all asked at once.

A tree has at most LEAVES leaves, numbered from left to right. A condition that does not hold rules
out the leaves on its left; of those that no condition rules out, the first one is the answer. So
all conditions of all trees are tested for all runs together, which is faster than to walk down
each tree (Lucchese et al., QuickScorer, 2015).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from webstencil.extract.content.page_shape import Array

LEAVES = 16  # of a tree, at most
AT_ONCE = 2_048  # runs: a test of all conditions takes 13 MB
_GONE = np.arange(1 << LEAVES)  # leaves that are ruled out, one bit each; never all of them
_FIRST = np.log2(~_GONE & (_GONE + 1)).astype(np.uint8)  # the first leaf that is left

Tree = float | Sequence["str | float | Tree"]  # a value, or feature, threshold, two trees


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a tree: the feature is at most the threshold."""

    feature: int
    threshold: float
    gone: int  # leaves that are ruled out if it does not hold, one bit each


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees as columns; each has LEAVES - 1 conditions, of which some may always hold.

    Of conditions, the first ones of all trees come first.
    """

    start: float  # what all runs begin with
    features: Array  # of the conditions
    thresholds: Array  # of the conditions
    gone: Array  # of the conditions
    values: Array  # of the leaves, a row for each tree

    def odds(self, rows: Array) -> Array:
        """Return the log odds of each run."""
        if not len(self.values):
            return np.full(len(rows), self.start)
        parts = [rows[start : start + AT_ONCE] for start in range(0, len(rows), AT_ONCE)]
        return np.concatenate([self._odds(part) for part in parts])

    def _odds(self, rows: Array) -> Array:
        fails = np.ascontiguousarray(rows.T).take(self.features, 0) > self.thresholds[:, None]
        gone = fails * self.gone[:, None]  # faster than a choice between two values
        ruled_out = np.bitwise_or.reduce(gone.reshape(LEAVES - 1, -1, len(rows)), axis=0)
        firsts = np.arange(0, self.values.size, LEAVES)[:, None]
        return np.asarray(self.start + self.values.take(firsts + _FIRST.take(ruled_out)).sum(0))


def trees_of(written: Sequence[Tree], features: Sequence[str]) -> Trees:
    """Return trees as they were written; the first is the value to begin with."""
    places = {name: place for place, name in enumerate(features)}
    start, *trees = written
    if not isinstance(start, int | float):
        raise TypeError(f"trees must begin with a number, not {start!r}")
    conditions: list[list[Condition]] = []
    values = np.zeros((len(trees), LEAVES), np.float32)
    for row, tree in zip(values, trees, strict=True):
        leaves: list[float] = []
        own = list(_conditions(tree, places, leaves))
        conditions.append(own + [Condition(0, np.inf, 0)] * (LEAVES - 1 - len(own)))
        row[: len(leaves)] = leaves
    columns = [one for same in zip(*conditions, strict=True) for one in same]
    return Trees(
        float(start),
        np.array([one.feature for one in columns], np.intp),
        np.array([one.threshold for one in columns], np.float32),
        np.array([one.gone for one in columns], np.uint16),
        values,
    )


def _conditions(tree: Tree, places: Mapping[str, int], leaves: list[float]) -> Iterator[Condition]:
    """Yield the conditions of a tree, and add the values of its leaves from left to right.

    Trees are at most LEAVES deep.
    """
    if isinstance(tree, int | float):
        leaves.append(float(tree))
        return
    name, threshold, left, right = tree
    first = len(leaves)
    yield from _conditions(left, places, leaves)
    gone = (1 << len(leaves)) - (1 << first)
    yield Condition(places[str(name)], float(threshold), gone)  # type: ignore[arg-type]  # a number
    yield from _conditions(right, places, leaves)
