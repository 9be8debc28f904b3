"""Models that classify a block of links from its page alone.

A model is a JSON file: the scaling of the features, and the vectors of a support vector machine
with an RBF kernel (section 4.2 of the paper), the trees of a forest, or the weights of a logistic
regression. It loads in milliseconds, is readable, and needs no library. `webstencil evaluate
train-navigation` makes it.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp
from operator import mul
from typing import Protocol, TypeAlias

from webstencil.errors import SettingsError

Row: TypeAlias = tuple[float, ...]  # the features of a block or link

MODELS_FOLDER = "models"
LEAF = -1  # the feature of a node with an answer
HALF_OF_TREES = 0.5  # share of the trees


class Model(Protocol):
    """Scores whether something belongs to a class: above 0 it does."""

    def score(self, row: Row) -> float:
        """Return the score."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """A support vector machine with an RBF kernel, over scaled features."""

    mean: Row
    scale: Row
    gamma: float
    bias: float
    vectors: tuple[Row, ...]
    lengths: Row  # of each vector, squared
    weights: Row

    def score(self, row: Row) -> float:
        """Return the distance from the border, positive on the side of the class."""
        scaled = scale(row, self.mean, self.scale)
        length, gamma = sum(map(mul, scaled, scaled)), self.gamma
        return self.bias + sum(
            weight * exp(-gamma * (length + own - 2.0 * sum(map(mul, scaled, vector))))
            for vector, own, weight in zip(self.vectors, self.lengths, self.weights, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Decisions:
    """A decision tree as columns; node 0 is the root."""

    features: tuple[int, ...]  # LEAF: the value is the answer
    values: Row  # to compare the feature with
    lows: tuple[int, ...]  # next node for at most this value
    highs: tuple[int, ...]  # next node for more

    def answer(self, row: Row) -> float:
        """Return the share of the class at the leaf."""
        node = 0
        while self.features[node] != LEAF:
            low = row[self.features[node]] <= self.values[node]
            node = self.lows[node] if low else self.highs[node]
        return self.values[node]


@dataclass(frozen=True, slots=True)
class Forest:
    """Decision trees, over unscaled features."""

    trees: tuple[Decisions, ...]

    def score(self, row: Row) -> float:
        """Return the mean answer minus one half."""
        return sum(tree.answer(row) for tree in self.trees) / len(self.trees) - HALF_OF_TREES


@dataclass(frozen=True, slots=True)
class LinkWeights:
    """A logistic regression over unscaled features; the scaling is in the weights."""

    bias: float
    weights: Row

    def score(self, row: Row) -> float:
        """Return the log odds."""
        odds: float = sum(map(mul, row, self.weights))
        return self.bias + odds


def scale(row: Row, mean: Row, deviation: Row) -> list[float]:
    """Scale features to mean 0 and deviation 1."""
    return [(x - m) / d for x, m, d in zip(row, mean, deviation, strict=True)]


def read_model(written: str) -> Model:
    """Parse a model; raise `SettingsError` if it is none."""
    try:
        known = json.loads(written)
        if known["model"] == "forest":
            return Forest(tuple(Decisions(*map(tuple, tree)) for tree in known["trees"]))
        mean, deviation = tuple(known["mean"]), tuple(known["scale"])
        weights = tuple(known["weights"])
        if known["model"] == "logistic":
            unscaled = tuple([weight / d for weight, d in zip(weights, deviation, strict=True)])
            return LinkWeights(known["bias"] - sum(map(mul, unscaled, mean)), unscaled)
        vectors = tuple(map(tuple, known["vectors"]))
        lengths = tuple(sum(map(mul, vector, vector)) for vector in vectors)
        return Vectors(mean, deviation, known["gamma"], known["bias"], vectors, lengths, weights)
    except (ValueError, LookupError, TypeError) as error:
        raise SettingsError(f"not a model of navigation: {error!r}; train it again") from error


def read_weights(written: str) -> LinkWeights:
    """Parse a logistic regression; raise `SettingsError` if it is none."""
    model = read_model(written)
    if not isinstance(model, LinkWeights):
        raise SettingsError(f"this model is {type(model).__name__}, not logistic; train it again")
    return model


@lru_cache(maxsize=8)
def shipped(name: str) -> Model:
    """Return a model of the package: navigation, menu, pagination or paper."""
    return read_model(shipped_text(name))


def shipped_text(name: str) -> str:
    """Return the JSON of a model of the package."""
    file = files("webstencil.navigation").joinpath(MODELS_FOLDER, f"{name}.json")
    return file.read_text(encoding="utf-8")


def chance(score: float) -> float:
    """Map a score to 0..1, monotonically."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, score))))
