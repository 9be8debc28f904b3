"""Training of the network over runs, by gradient descent.

The gradients are written out: the network is small, and a framework for them is larger than all
else that training needs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi
from typing import Any

import numpy as np

from webstencil.content.model import (
    SEEN_STATES,
    SHIFTS,
    Groups,
    Layer,
    Network,
    Surroundings,
    one_thread,
    probabilities,
    seen_states,
    shifted,
)
from webstencil.content.page_features import Array

# Chosen by cross-validation over domains; figures in notebook/content.md.
STATE, LAYERS = 64, 2  # numbers of a state, layers
LOST_INPUTS, LOST_STATES = 0.3, 0.5  # share that is set to 0 while training
EPOCHS, BATCH = 8, 8  # times that each page is seen, pages of a step
RATE, DECAY = 3e-3, 1e-2  # of a step, and of the weights in it
RISING = 0.15  # share of the steps in which the rate rises
MEMORY, LONG_MEMORY = 0.9, 0.999  # of a gradient and of its square in the next step (Adam)
STEEPEST = 1.0  # length of a gradient
AVERAGED = 0.4  # share of the steps, the last ones, whose weights are averaged
RUNS = 200  # runs of a usual page: the loss of a page is divided by it
SMALL = 1e-8


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page to learn from."""

    features: Array  # of the runs, scaled
    around: Surroundings
    content: Array  # of the runs: 0 or 1
    weights: Array  # of the runs


@dataclass(frozen=True, slots=True)
class LostNumbers:
    """Which inputs and states are set to 0 in a step; the others are larger."""

    inputs: Array
    states: list[Array]


def train(lessons: Sequence[Lesson], means: Array, deviations: Array, seed: int = 0) -> Network:
    """Fit a network to pages."""
    with one_thread():
        return _descend(lessons, means, deviations, seed)


def _descend(lessons: Sequence[Lesson], means: Array, deviations: Array, seed: int) -> Network:
    """Go down the slope of the loss in many small steps (Adam, with decay of the weights)."""
    chance = np.random.default_rng(seed)
    weights = starting_weights(lessons[0].features.shape[1], chance)
    memory = [np.zeros_like(one) for one in weights]
    squares = [np.zeros_like(one) for one in weights]
    average, taken = weights, 0
    steps = EPOCHS * -(-len(lessons) // BATCH)
    for step, batch in enumerate(_batches(lessons, chance)):
        slopes = _slopes(weights, batch, chance)
        rate = _rate(step / steps)
        memory = _blended(memory, slopes, MEMORY)
        squares = _blended(squares, [slope**2 for slope in slopes], LONG_MEMORY)
        late, long_late = 1 - MEMORY ** (step + 1), 1 - LONG_MEMORY ** (step + 1)
        weights = [
            own - rate * (mean / late / (np.sqrt(square / long_late) + SMALL) + DECAY * own)
            for own, mean, square in zip(weights, memory, squares, strict=True)
        ]
        if step >= (1 - AVERAGED) * steps:
            taken += 1
            average = _blended(average, weights, 1 - 1 / taken)
    return _network(average, means, deviations)


def starting_weights(inputs: int, chance: np.random.Generator) -> list[Array]:
    """Return weights to begin with: of the inputs, of each layer, of the last sum; and biases."""
    sizes = [(inputs, STATE), *[(len(SEEN_STATES) * STATE, STATE)] * LAYERS, (STATE, 1)]
    found = []
    for rows, columns in sizes:
        most = rows**-0.5
        found.append(chance.uniform(-most, most, (rows, columns)).astype(np.float32))
        found.append(np.zeros(columns, np.float32))
    return found


def _blended(before: Sequence[Array], now: Sequence[Array], share: float) -> list[Array]:
    """Return what is remembered: so much of it is as before."""
    return [share * old + (1 - share) * new for old, new in zip(before, now, strict=True)]


def _network(weights: Sequence[Array], means: Array, deviations: Array) -> Network:
    pairs = [Layer(*weights[place : place + 2]) for place in range(0, len(weights), 2)]
    first, *layers, last = pairs
    return Network(means, deviations, first, tuple(layers), last.weights[:, 0], float(last.bias[0]))


def _batches(lessons: Sequence[Lesson], chance: np.random.Generator) -> Iterator[list[Lesson]]:
    for _ in range(EPOCHS):
        order = chance.permutation(len(lessons))
        for start in range(0, len(order), BATCH):
            yield [lessons[place] for place in order[start : start + BATCH]]


def _rate(share: float) -> float:
    """Return the rate of a step after this share of them."""
    if share < RISING:
        return RATE * max(share / RISING, 1e-2)
    return RATE * (1 + cos(pi * (share - RISING) / (1 - RISING))) / 2


def _slopes(
    weights: Sequence[Array], batch: Sequence[Lesson], chance: np.random.Generator
) -> list[Array]:
    """Return the gradient of the mean loss of some pages, not longer than STEEPEST."""
    sums = [np.zeros_like(one) for one in weights]
    for lesson in batch:
        found = gradient(weights, lesson, lost_numbers(lesson, chance))
        sums = [whole + part for whole, part in zip(sums, found, strict=True)]
    sums = [whole / (RUNS * len(batch)) for whole in sums]
    length = float(np.sqrt(sum([float((one**2).sum()) for one in sums])))
    return [one * min(1.0, STEEPEST / (length + SMALL)) for one in sums]


def lost_numbers(lesson: Lesson, chance: np.random.Generator) -> LostNumbers:
    """Choose what is set to 0 while a page is learned from."""
    runs, inputs = lesson.features.shape
    states = [_mask(chance, (runs, len(SEEN_STATES) * STATE), LOST_STATES) for _ in range(LAYERS)]
    return LostNumbers(_mask(chance, (runs, inputs), LOST_INPUTS), states)


def _mask(chance: np.random.Generator, shape: tuple[int, int], share: float) -> Array:
    kept = chance.random(shape, np.float32) >= share
    return kept.astype(np.float32) / np.float32(1 - share)


def gradient(weights: Sequence[Array], lesson: Lesson, lost: LostNumbers) -> list[Array]:
    """Return the gradient of the loss of a page: the weighted cross entropy of its runs."""
    inputs = lesson.features * lost.inputs
    raised = inputs @ weights[0] + weights[1]
    state = np.maximum(raised, 0.0)
    met: list[tuple[Array, Array]] = []  # what each layer saw, and made of it
    for place, mask in enumerate(lost.states, start=1):
        views = seen_states(state, lesson.around) * mask
        made = views @ weights[2 * place] + weights[2 * place + 1]
        met.append((views, made))
        state = state + np.maximum(made, 0.0)
    odds = (state @ weights[-2])[:, 0] + weights[-1]
    error = ((probabilities(odds) - lesson.content) * lesson.weights).astype(np.float32)[:, None]
    slopes = [state.T @ error, error.sum(0)]
    back = error @ weights[-2].T
    for place in range(len(met), 0, -1):
        views, made = met[place - 1]
        own = back * (made > 0)
        slopes = [views.T @ own, own.sum(0), *slopes]
        sent = (own @ weights[2 * place].T) * lost.states[place - 1]
        back = back + seen_back(sent, lesson.around)
    own = back * (raised > 0)
    return [inputs.T @ own, own.sum(0), *slopes]


def seen_back(sent: Array, around: Surroundings) -> Array:
    """Return what reaches each state from those that saw it: the transpose of `seen`."""
    own, *parts = np.split(sent, len(SEEN_STATES), axis=1)
    found = own.astype(np.float64)
    for shift, part in zip(SHIFTS, parts, strict=False):
        found += shifted(part, -shift)
    placed, *others = parts[len(SHIFTS) :]
    found[around.order] += _means_back(placed, around.places)
    for part, groups in zip(others, around.others, strict=True):
        found += _means_back(part, groups)
    return found.astype(sent.dtype)


def _means_back(sent: Array, groups: Groups) -> Array:
    """Return what reaches each run, in the order of the groups, from those that saw its groups."""
    shares = np.zeros((len(groups.starts), sent.shape[1]))
    np.add.at(shares, groups.seen, sent)
    shares /= groups.sizes
    steps = np.zeros((len(sent) + 1, sent.shape[1]))
    np.add.at(steps, groups.starts, shares)
    np.subtract.at(steps, groups.ends, shares)
    return np.asarray(np.cumsum(steps, 0)[:-1])


def written(network: Network, features: Sequence[str]) -> dict[str, Any]:
    """Return a network as it is kept: the inputs by name, each with mean, deviation, weights."""
    rows = np.column_stack([network.means, network.deviations, network.first.weights])
    return {
        "inputs": {name: _short(row) for name, row in zip(features, rows, strict=True)},
        "first bias": _short(network.first.bias),
        "layers": [[_short(row) for row in layer.weights] for layer in network.layers],
        "biases": [_short(layer.bias) for layer in network.layers],
        "last": _short(network.last),
        "bias": _short([network.bias]),
    }


def _short(values: Any) -> list[float]:
    """Return numbers with three digits that count."""
    return [float(f"{float(value):.3g}") for value in values]
