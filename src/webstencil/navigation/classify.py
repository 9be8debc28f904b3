"""What a block of links is, told from its page alone, by models that are plain numbers.

A model is a JSON file: the scaling of the features, and the vectors of a support vector machine
with an RBF kernel (section 4.2 of the paper), the trees of a forest, or the weights of a logistic
regression. It is read in milliseconds, people can read it too, and it needs no library.
`webstencil evaluate train-navigation` makes it.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp
from operator import mul
from typing import Protocol, TypeAlias

from webstencil.errors import SettingsError

Row: TypeAlias = tuple[float, ...]  # the features of one block or link, in numbers

FOLDER = "models"
LEAF = -1  # stands for the feature of a node that has an answer instead of a question
EVEN = 0.5  # share of the trees


class Model(Protocol):
    """Tells how sure it is that something belongs to a class: above 0 it does."""

    def score(self, row: Row) -> float:
        """Return how sure it is."""


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
        """Return the distance from the border, on the side of the class."""
        scaled = scale(row, self.mean, self.scale)
        length, gamma = sum(map(mul, scaled, scaled)), self.gamma
        return self.bias + sum(
            weight * exp(-gamma * (length + own - 2.0 * sum(map(mul, scaled, vector))))
            for vector, own, weight in zip(self.vectors, self.lengths, self.weights, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Decisions:
    """A decision tree as columns; node 0 is asked first."""

    features: tuple[int, ...]  # LEAF: the value is the answer
    values: Row  # to compare the feature with
    lows: tuple[int, ...]  # where to go with at most that
    highs: tuple[int, ...]  # where to go with more

    def answer(self, row: Row) -> float:
        """Return the share of the class where the questions lead."""
        node = 0
        while self.features[node] != LEAF:
            low = row[self.features[node]] <= self.values[node]
            node = self.lows[node] if low else self.highs[node]
        return self.values[node]


@dataclass(frozen=True, slots=True)
class Forest:
    """Decision trees, over features as they are."""

    trees: tuple[Decisions, ...]

    def score(self, row: Row) -> float:
        """Return the mean of the answers, less one half."""
        return sum(tree.answer(row) for tree in self.trees) / len(self.trees) - EVEN


@dataclass(frozen=True, slots=True)
class LinkWeights:
    """A logistic regression, over features as they are: their scaling is in the weights."""

    bias: float
    weights: Row

    def score(self, row: Row) -> float:
        """Return the logarithm of the odds."""
        odds: float = sum(map(mul, row, self.weights))
        return self.bias + odds


def scale(row: Row, mean: Row, deviation: Row) -> list[float]:
    """Give all features the same weight: mean 0, deviation 1."""
    return [(x - m) / d for x, m, d in zip(row, mean, deviation, strict=True)]


def read_model(written: str) -> Model:
    """Read a model; raise `SettingsError` if it is none."""
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
        raise SettingsError(f"this is no model of navigation: {error!r}; train it anew") from error


def read_weights(written: str) -> LinkWeights:
    """Read a logistic regression; raise `SettingsError` if it is none."""
    model = read_model(written)
    if not isinstance(model, LinkWeights):
        raise SettingsError(f"this model is {type(model).__name__}, not logistic; train it anew")
    return model


@lru_cache(maxsize=8)
def shipped(name: str) -> Model:
    """Return a model that comes with the package: navigation, menu, pagination or paper."""
    return read_model(shipped_text(name))


def shipped_text(name: str) -> str:
    """Read the text of a model that comes with the package."""
    file = files("webstencil.navigation").joinpath(FOLDER, f"{name}.json")
    return file.read_text(encoding="utf-8")


def chance(score: float) -> float:
    """Turn a score into a number between 0 and 1 that grows with it."""
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, score))))
