"""The probability that a run is content, by two judges.

Both see the features of a run, of its block and of its page; one of the features is a sum over
tokens of names and texts, each with weights of its own. A small network also sees the runs around
it and those alike; small trees look at the run alone.
They err on different pages, so the mean of their log odds is better than each. `webstencil evaluate
train-content` fits both.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from math import isqrt

import numpy as np
from threadpoolctl import ThreadpoolController

from webstencil.content.page_features import (
    ERA_FEATURES,
    Array,
    KnownTokens,
    PageShape,
    Tokens,
    block_tokens,
    era,
    heading_tokens,
    known_tokens,
    page_numbers,
    run_tokens,
)
from webstencil.content.page_types import TypeWeights, fitted_types, has_cards, page_tokens
from webstencil.content.run_features import (
    BLOCK_FEATURES,
    PAGE_FEATURES,
    RUN_FEATURES,
    Row,
    RunLooks,
    look,
)
from webstencil.content.runs import NO_BLOCK, TextRuns
from webstencil.model import Page
from webstencil.site.type_votes import TYPES, PageType

# The weights of tokens, which depend on the type of the page.
#
# A price, a name or "Reviews" says one thing in an article and another in a shop. So a token has a
# weight for all pages, and one more for each of TYPE_GROUPS, which counts by the probability that
# the page is of such a type.


# Types whose content is made alike; smaller groups were no better (notebook/content.md).
TYPE_GROUPS = (
    (PageType.COLLECTION, PageType.LISTING),  # cards
    (PageType.FORUM,),  # posts
    (PageType.PRODUCT, PageType.SERVICE),  # offers
)
_IN_GROUP = np.array([[one in group for one in TYPES] for group in TYPE_GROUPS], float)


@dataclass(frozen=True, slots=True)
class TokenWeights:
    """The fitted weights: of each token a row, for all pages and for each of TYPE_GROUPS."""

    names: tuple[str, ...]
    weights: Array

    def on_page(self, types: Row) -> dict[str, float]:
        """Return the weights of the tokens on a page with these probabilities of TYPES."""
        found: list[float] = (self.weights @ group_shares(types)).tolist()
        return dict(zip(self.names, found, strict=True))


def group_shares(types: Sequence[float]) -> Array:
    """Return how much each column of the weights counts on a page."""
    return np.concatenate(([1.0], _IN_GROUP @ np.asarray(types)))


def token_weights_of(written: Mapping[str, Sequence[float]]) -> TokenWeights:
    """Return weights as they were written."""
    rows = np.array(list(written.values()), float).reshape(len(written), 1 + len(TYPE_GROUPS))
    return TokenWeights(tuple(written), rows)


# A small network over the runs of a page, in page order.
#
# Each run has a state, made from its features. In each layer a state is changed by what it sees of
# the others: the two runs before and after it, and the means over the runs of its place, of its
# section, of its containers and of the page.

SHIFTS = (-2, -1, 1, 2)  # runs beside each that it sees
SEEN_CONTAINERS = 4  # of a run, the nearest first, whose means it sees
SEEN_STATES = (
    *("own", *[f"run {shift:+}" for shift in SHIFTS], "place", "section"),
    *(*[f"container {level}" for level in range(1, SEEN_CONTAINERS + 1)], "page"),
)
FARTHEST_DEVIATION = 4.0  # standard deviations beyond which a feature makes no difference
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
    others: tuple[Groups, ...]  # of runs in page order: sections, SEEN_CONTAINERS, the page


@dataclass(frozen=True, slots=True)
class Layer:
    """The weights of a layer, and what it adds to each number of a state."""

    weights: Array  # a row for each number of the SEEN_STATES
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
        return np.clip(scaled, -FARTHEST_DEVIATION, FARTHEST_DEVIATION)


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


def run_surroundings(runs: TextRuns, shape: PageShape) -> Surroundings:
    """Return whom each run of a page sees."""
    places = np.array(shape.places)
    order = np.argsort(places, kind="stable")
    starts, ends = np.array([0, *runs.starts]), np.array([len(runs), *runs.ends])
    inside = shape.containers[np.array(runs.blocks), :SEEN_CONTAINERS].T + 1
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
    """Yield the mean states of all groups that runs see, in the order of SEEN_STATES."""
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


def seen_states(state: Array, around: Surroundings) -> Array:
    """Return the states that each run sees, side by side in the order of SEEN_STATES."""
    beside = [shifted(state, shift) for shift in SHIFTS]
    means = [means[groups.seen] for means, groups in group_means(state, around)]
    return np.concatenate([state, *beside, *means], axis=1)


def _made(state: Array, around: Surroundings, layer: Layer) -> Array:
    """Return `seen(state, around) @ layer.weights + layer.bias`: groups are few, so it is fast."""
    own, *parts = layer.weights.reshape(len(SEEN_STATES), *state.shape[1:], -1)
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


# Small decision trees over the features of runs, all asked at once.
#
# A tree has at most MOST_TREE_LEAVES leaves, numbered from left to right. A condition that does not
# hold rules out the leaves on its left; of those that no condition rules out, the first one is the
# answer. So all conditions of all trees are tested for all runs together, which is faster than to
# walk down each tree (Lucchese et al., QuickScorer, 2015).

MOST_TREE_LEAVES = 16  # of a tree, at most
RUNS_AT_ONCE = 2_048  # runs: a test of all conditions takes 13 MB
_GONE = np.arange(
    1 << MOST_TREE_LEAVES
)  # leaves that are ruled out, one bit each; never all of them
_FIRST_LEAF = np.log2(~_GONE & (_GONE + 1)).astype(np.uint8)  # the first leaf that is left

Tree = float | Sequence["str | float | Tree"]  # a value, or feature, threshold, two trees


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a tree: the feature is at most the threshold."""

    feature: int
    threshold: float
    gone: int  # leaves that are ruled out if it does not hold, one bit each


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees as columns; each has MOST_TREE_LEAVES - 1 conditions, of which some may always hold.

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
        parts = [rows[start : start + RUNS_AT_ONCE] for start in range(0, len(rows), RUNS_AT_ONCE)]
        return np.concatenate([self._odds(part) for part in parts])

    def _odds(self, rows: Array) -> Array:
        fails = np.ascontiguousarray(rows.T).take(self.features, 0) > self.thresholds[:, None]
        gone = fails * self.gone[:, None]  # faster than a choice between two values
        ruled_out = np.bitwise_or.reduce(gone.reshape(MOST_TREE_LEAVES - 1, -1, len(rows)), axis=0)
        firsts = np.arange(0, self.values.size, MOST_TREE_LEAVES)[:, None]
        return np.asarray(
            self.start + self.values.take(firsts + _FIRST_LEAF.take(ruled_out)).sum(0)
        )


def trees_of(written: Sequence[Tree], features: Sequence[str]) -> Trees:
    """Return trees as they were written; the first is the value to begin with."""
    places = {name: place for place, name in enumerate(features)}
    start, *trees = written
    if not isinstance(start, int | float):
        raise TypeError(f"trees must begin with a number, not {start!r}")
    conditions: list[list[Condition]] = []
    values = np.zeros((len(trees), MOST_TREE_LEAVES), np.float32)
    for row, tree in zip(values, trees, strict=True):
        leaves: list[float] = []
        own = list(_conditions(tree, places, leaves))
        conditions.append(own + [Condition(0, np.inf, 0)] * (MOST_TREE_LEAVES - 1 - len(own)))
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

    Trees are at most MOST_TREE_LEAVES deep.
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


TOKEN_FEATURE = "tokens"
TYPE_FEATURES = tuple(f"type {one}" for one in TYPES)
WHOLE_PAGE_FEATURES = (*PAGE_FEATURES, *ERA_FEATURES, *TYPE_FEATURES)
ALL_RUN_FEATURES = (*RUN_FEATURES, *BLOCK_FEATURES, TOKEN_FEATURE, *WHOLE_PAGE_FEATURES)
EVENED = 0.8  # 0..1: so far the odds of cards and posts come to those of their kind
CLEAR_ODDS = 9.0  # log odds beyond which one run says no more of the others
PROBABILITY_DIGITS = 4  # of a probability: the last ones of a number differ between processors


@dataclass(frozen=True, slots=True)
class ContentModel:
    """The fitted numbers."""

    network: Network
    trees: Trees
    tokens: TokenWeights
    types: TypeWeights
    known: KnownTokens  # of both


@dataclass(frozen=True, slots=True)
class PageFeatures:
    """A page with its features and tokens, before any model has seen it."""

    runs: TextRuns
    looks: RunLooks
    blocks: list[Tokens]
    texts: list[Tokens]
    heads: dict[int, Tokens]
    about: set[str]  # tokens of the page
    numbers: list[float]  # of the page, for its type


def view(page: Page, runs: TextRuns, known: KnownTokens | None = None) -> PageFeatures:
    """Look at a page that has text, for a model that knows some tokens, or for all models."""
    looks = look(runs, page.markup.titles())
    modern = era(page, runs)
    looks = replace(looks, page=(*looks.page, *modern))
    blocks, texts = block_tokens(runs, known), run_tokens(runs, known)
    return PageFeatures(
        runs,
        looks,
        blocks,
        texts,
        heading_tokens(runs, looks.shape.headings, known),
        page_tokens(page, runs, blocks, texts),
        page_numbers(page, runs, modern, looks.said, looks.shape.of_blocks),
    )


def token_sums(seen: PageFeatures, weights: Mapping[str, float]) -> list[float]:
    """Return the sum of the weights of each run's tokens: of its blocks, text and heading."""
    own = _weighed(seen.blocks, weights)
    sums: list[float] = []
    for parent, weight in zip(seen.runs.parents, own, strict=True):
        sums.append(sums[parent] + weight if parent >= 0 else weight)
    heads = dict(zip(seen.heads, _weighed(list(seen.heads.values()), weights), strict=True))
    heads[NO_BLOCK] = 0.0
    return [
        sums[block] + text + heads.get(head, 0.0)
        for block, text, head in zip(
            seen.runs.blocks, _weighed(seen.texts, weights), seen.looks.shape.headings, strict=True
        )
    ]


def _weighed(tokens: Sequence[Tokens], weights: Mapping[str, float]) -> list[float]:
    known = weights.get
    sums = {some: sum([known(token, 0.0) for token in some]) for some in set(tokens)}
    return [sums[some] for some in tokens]


def run_feature_rows(seen: PageFeatures, tokens: Sequence[float], types: Row) -> Array:
    """Return the values of ALL_RUN_FEATURES for each run."""
    page = np.array((*seen.looks.page, *types), np.float32)
    whole = np.broadcast_to(page, (len(tokens), len(page)))
    sums = np.array(tokens, np.float32)[:, None]
    return np.concatenate([seen.looks.rows, sums, whole], axis=1)


def run_scores(
    seen: PageFeatures, model: ContentModel, types: Row, wanted: Sequence[bool]
) -> list[float]:
    """Return the probability of each run; 0 for those that are not wanted."""
    rows = run_feature_rows(seen, token_sums(seen, model.tokens.on_page(types)), types)
    around = run_surroundings(seen.runs, seen.looks.shape)
    odds = (model.network.odds(rows, around) + model.trees.odds(rows)) / 2
    if has_cards(types):
        odds = evened(odds, np.array(seen.looks.shape.places), np.array(wanted))
    found: list[float] = (
        np.where(wanted, probabilities(odds), 0.0).round(PROBABILITY_DIGITS).tolist()
    )
    return found


def evened(odds: Array, places: Array, wanted: Array) -> Array:
    """Bring the odds of runs closer to the mean at their place: what is alike is taken alike.

    Else a price or a "Read more" would be content in one card, and not in the next.
    """
    told = np.clip(odds, -CLEAR_ODDS, CLEAR_ODDS)
    means = np.bincount(places, told * wanted) / np.maximum(np.bincount(places, wanted), 1)
    return np.asarray(told + EVENED * (means[places] - told))


@lru_cache(maxsize=1)
def fitted() -> ContentModel:
    """Read the model that comes with the package."""
    file = files("webstencil.content").joinpath("models", "content.json")
    return content_model_of(json.loads(file.read_text()), fitted_types())


def content_model_of(known: Mapping[str, object], types: TypeWeights) -> ContentModel:
    """Return a model as it was written."""
    network: Mapping[str, Sequence[object]] = known["network"]  # type: ignore[assignment]  # as written
    tokens: Mapping[str, Sequence[float]] = known["tokens"]  # type: ignore[assignment]  # the same
    trees: Sequence[Tree] = known["trees"]  # type: ignore[assignment]  # the same
    return ContentModel(
        network_of(network, ALL_RUN_FEATURES),
        trees_of(trees, ALL_RUN_FEATURES),
        token_weights_of(tokens),
        types,
        known_tokens([*tokens, *types.tokens]),
    )
