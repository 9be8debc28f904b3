"""A small network over the runs of a page, in page order.

Each run has a state, made from its features. In each layer a state is changed by what it sees of
the others: the two runs before and after it, and the means over the runs of its place, of its
section, of its containers and of the page.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

import numpy as np
from threadpoolctl import ThreadpoolController

from webstencil.extract.content.page_shape import Array, PageShape
from webstencil.extract.content.text_runs import TextRuns

SHIFTS = (-2, -1, 1, 2)  # runs beside each that it sees
CONTAINERS = 4  # of a run, the nearest first, whose means it sees
SEEN = (
    *("own", *[f"run {shift:+}" for shift in SHIFTS], "place", "section"),
    *(*[f"container {level}" for level in range(1, CONTAINERS + 1)], "page"),
)
FARTHEST = 4.0  # standard deviations beyond which a feature makes no difference
MOST_ODDS = 30.0  # log odds beyond which nothing changes


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of runs that stand side by side; each run sees the mean of one of them."""

    starts: Array  # of the groups: the first run
    ends: Array  # of the groups: the run after the last
    seen: Array  # of the runs: the group that it sees

    @property
    def sizes(self) -> Array:
        return np.asarray((self.ends - self.starts)[:, None])


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Whom each run of a page sees."""

    order: Array  # the runs, those of one place side by side
    places: Groups  # of runs in that order
    others: tuple[Groups, ...]  # of runs in page order: sections, CONTAINERS, the page


@dataclass(frozen=True, slots=True)
class Layer:
    """The weights of a layer, and what it adds to each number of a state."""

    weights: Array  # a row for each number of the SEEN states
    bias: Array


@dataclass(frozen=True, slots=True)
class Network:
    """The weights of a network; features are brought to mean 0 and deviation 1."""

    means: Array
    deviations: Array
    first: Layer  # from features
    layers: tuple[Layer, ...]
    last: Array
    bias: float

    def odds(self, features: Array, around: Surroundings) -> Array:
        """Return the log odds of each run."""
        with one_thread():
            return self._odds(features, around)

    def _odds(self, features: Array, around: Surroundings) -> Array:
        state = np.maximum(self.scaled(features) @ self.first.weights + self.first.bias, 0.0)
        for layer in self.layers:
            state += np.maximum(_made(state, around, layer), 0.0)
        return np.asarray(state @ self.last + self.bias)

    def scaled(self, features: Array) -> Array:
        """Return features as the network takes them."""
        scaled = (features - self.means) / self.deviations
        return np.clip(scaled, -FARTHEST, FARTHEST)


def one_thread() -> AbstractContextManager[object]:
    """Multiply in one thread: pages are small, and several threads wait for each other."""
    limited: AbstractContextManager[object] = _threads().limit(limits=1)
    return limited


@lru_cache(maxsize=1)
def _threads() -> ThreadpoolController:
    """Find the libraries that multiply; it takes some milliseconds."""
    return ThreadpoolController()


def probabilities(odds: Array) -> Array:
    """Return the probabilities for log odds."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(odds, -MOST_ODDS, MOST_ODDS))))


def surroundings(runs: TextRuns, shape: PageShape) -> Surroundings:
    """Return whom each run of a page sees."""
    places = np.array(shape.places)
    order = np.argsort(places, kind="stable")
    starts, ends = np.array([0, *runs.starts]), np.array([len(runs), *runs.ends])
    inside = shape.containers[np.array(runs.blocks), :CONTAINERS].T + 1
    page = np.zeros(len(runs), int)  # the first entry of both lists
    return Surroundings(
        order,
        _side_by_side(places[order], order),
        (
            _side_by_side(np.array(shape.sections)),
            *[_held(blocks, starts, ends) for blocks in (*inside, page)],
        ),
    )


def _held(blocks: Array, starts: Array, ends: Array) -> Groups:
    """Return the groups of runs in the blocks that runs see, one block for each run."""
    known = np.zeros(len(starts), bool)
    known[blocks] = True
    numbers = np.cumsum(known) - 1
    return Groups(starts[known], ends[known], numbers[blocks])


def _side_by_side(numbers: Array, order: Array | None = None) -> Groups:
    """Return the groups of runs with equal numbers, given in this order, or in page order."""
    changes = numbers[1:] != numbers[:-1]
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
    own = np.concatenate(([0], np.cumsum(changes)))
    if order is not None:
        ordered, own = own, np.empty_like(own)
        own[order] = ordered
    return Groups(starts, np.append(starts[1:], len(numbers)), own)


def group_means(state: Array, around: Surroundings) -> Iterator[tuple[Array, Groups]]:
    """Yield the mean states of all groups that runs see, in the order of SEEN."""
    by_place = np.add.reduceat(state.take(around.order, 0), around.places.starts, 0, np.float64)
    yield (by_place / around.places.sizes).astype(state.dtype), around.places
    sums = _sums(state)
    for groups in around.others:
        inside = sums.take(groups.ends, 0) - sums.take(groups.starts, 0)
        yield (inside / groups.sizes).astype(state.dtype), groups


def _sums(state: Array) -> Array:
    """Return the sums over all runs before each, and over all.

    Parts of the page are summed side by side, then one after the other: `cumsum` adds the numbers
    of a column one by one, and takes five times as long.
    """
    number, size = state.shape
    length = isqrt(number) + 1  # of a part: as many as there are parts
    sums = np.zeros((length, length, size))
    whole = sums.reshape(-1, size)[: number + 1]
    whole[1:] = state
    for place in range(1, length):
        sums[:, place] += sums[:, place - 1]
    for part in range(1, length):
        sums[part] += sums[part - 1, -1]
    return whole


def seen(state: Array, around: Surroundings) -> Array:
    """Return the states that each run sees, side by side in the order of SEEN."""
    beside = [shifted(state, shift) for shift in SHIFTS]
    means = [means[groups.seen] for means, groups in group_means(state, around)]
    return np.concatenate([state, *beside, *means], axis=1)


def _made(state: Array, around: Surroundings, layer: Layer) -> Array:
    """Return `seen(state, around) @ layer.weights + layer.bias`: groups are few, so it is fast."""
    own, *parts = layer.weights.reshape(len(SEEN), *state.shape[1:], -1)
    made = state @ own + layer.bias
    for shift, part in zip(SHIFTS, parts, strict=False):
        _add_shifted(made, state @ part, shift)
    for part, (means, groups) in zip(parts[len(SHIFTS) :], group_means(state, around), strict=True):
        made += (means @ part).take(groups.seen, 0)
    return np.asarray(made)


def shifted(state: Array, shift: int) -> Array:
    """Return the state of the run so many places after each, 0 beyond the ends of the page."""
    found = np.zeros_like(state)
    _add_shifted(found, state, shift)
    return found


def _add_shifted(found: Array, state: Array, shift: int) -> None:
    """Add to each run the state of the one so many places after it."""
    if shift > 0:
        found[:-shift] += state[shift:]
    else:
        found[-shift:] += state[:shift]


def network_of(written: Mapping[str, Sequence[object]], features: Sequence[str]) -> Network:
    """Return a network as it was written; features that it does not know make no difference."""
    known: Mapping[str, Sequence[float]] = written["inputs"]  # type: ignore[assignment]  # as written
    size = len(written["last"])
    none = (0.0, 1.0, *[0.0] * size)
    rows = np.array([known.get(name, none) for name in features], np.float32)
    return Network(
        rows[:, 0],
        rows[:, 1],
        Layer(rows[:, 2:], _numbers(written["first bias"])),
        tuple(
            Layer(_numbers(weights), _numbers(bias))
            for weights, bias in zip(written["layers"], written["biases"], strict=True)
        ),
        _numbers(written["last"]),
        float(written["bias"][0]),  # type: ignore[arg-type]  # the same
    )


def _numbers(written: object) -> Array:
    return np.array(written, np.float32)
