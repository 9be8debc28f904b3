"""A small network over the runs of a page, in page order.

Each run has a state, made from its features. In each layer a state is changed by what it sees of
the others: the two runs before and after it, and the means over the runs of its place, of its
section, of its containers and of the page.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import lru_cache

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
class Surroundings:
    """Whom each run of a page sees."""

    places: Array  # of the runs
    sections: Array  # of the runs
    starts: Array  # of CONTAINERS and of the page, of the runs: the first run in it
    ends: Array  # the same: the run after the last


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
            parts = np.split(layer.weights, len(SEEN))
            made = layer.bias + sum(map(np.matmul, views(state, around), parts))
            state = state + np.maximum(made, 0.0)
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
    inside = shape.containers[np.array(runs.blocks), :CONTAINERS].T
    page = np.full((1, len(runs)), -1)
    held = np.concatenate([inside, page])  # the last entries of both lists are those of the page
    return Surroundings(
        np.array(shape.places),
        np.array(shape.sections),
        np.array([*runs.starts, 0])[held],
        np.array([*runs.ends, len(runs)])[held],
    )


def seen(state: Array, around: Surroundings) -> Array:
    """Return the states that each run sees, side by side in the order of SEEN."""
    return np.concatenate(list(views(state, around)), axis=1)


def views(state: Array, around: Surroundings) -> Iterator[Array]:
    """Yield the states that each run sees, in the order of SEEN."""
    yield state
    yield from [shifted(state, shift) for shift in SHIFTS]
    yield mean_of_group(state, around.places)
    yield mean_of_group(state, around.sections)
    sums = np.concatenate([np.zeros((1, state.shape[1])), np.cumsum(state, 0, np.float64)])
    for starts, ends in zip(around.starts, around.ends, strict=True):
        means = (sums[ends] - sums[starts]) / (ends - starts)[:, None]
        yield means.astype(state.dtype)


def shifted(state: Array, shift: int) -> Array:
    """Return the state of the run so many places after each, 0 beyond the ends of the page."""
    found = np.zeros_like(state)
    if shift > 0:
        found[:-shift] = state[shift:]
    else:
        found[-shift:] = state[:shift]
    return found


def mean_of_group(state: Array, groups: Array) -> Array:
    """Return the mean state over the group of each run."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    firsts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    sizes = np.diff(np.append(firsts, len(groups)))
    means = np.add.reduceat(state[order], firsts) / sizes[:, None].astype(state.dtype)
    found = np.empty_like(state)
    found[order] = np.repeat(means, sizes, axis=0)
    return found


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
