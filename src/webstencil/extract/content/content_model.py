"""The probability that a run is content, by two judges.

Both see the features of a run, of its block and of its page; one of the features is a sum over
tokens of names and texts, each with weights of its own (`token_weights`). A small network also sees
the runs around it and those alike (`run_network`); small trees look at the run alone (`run_trees`).
They err on different pages, so the mean of their log odds is better than each. `webstencil evaluate
train-content` fits both.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

import numpy as np

from webstencil.extract.content.feature_names import BLOCK_FEATURES, PAGE_FEATURES, RUN_FEATURES
from webstencil.extract.content.name_tokens import (
    KnownTokens,
    Tokens,
    block_tokens,
    heading_tokens,
    known_tokens,
    run_tokens,
)
from webstencil.extract.content.page_numbers import ERA_FEATURES, era, page_numbers
from webstencil.extract.content.page_shape import Array
from webstencil.extract.content.page_types import (
    TYPES,
    TypeWeights,
    fitted_types,
    has_cards,
    page_tokens,
)
from webstencil.extract.content.run_features import Row, RunLooks, look
from webstencil.extract.content.run_network import (
    Network,
    network_of,
    probabilities,
    surroundings,
)
from webstencil.extract.content.run_trees import Tree, Trees, trees_of
from webstencil.extract.content.text_runs import NO_BLOCK, TextRuns
from webstencil.extract.content.token_weights import TokenWeights, token_weights_of
from webstencil.model import Page

TOKEN_FEATURE = "tokens"
TYPE_FEATURES = tuple(f"type {one}" for one in TYPES)
WHOLE_PAGE = (*PAGE_FEATURES, *ERA_FEATURES, *TYPE_FEATURES)
FEATURES = (*RUN_FEATURES, *BLOCK_FEATURES, TOKEN_FEATURE, *WHOLE_PAGE)
EVENED = 0.8  # 0..1: so far the odds of cards and posts come to those of their kind
CLEAR_ODDS = 9.0  # log odds beyond which one run says no more of the others
DIGITS = 4  # of a probability: the last ones of a number differ between processors


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


def features(seen: PageFeatures, tokens: Sequence[float], types: Row) -> Array:
    """Return the values of FEATURES for each run."""
    page = np.array((*seen.looks.page, *types), np.float32)
    whole = np.broadcast_to(page, (len(tokens), len(page)))
    sums = np.array(tokens, np.float32)[:, None]
    return np.concatenate([seen.looks.rows, sums, whole], axis=1)


def scores(
    seen: PageFeatures, model: ContentModel, types: Row, wanted: Sequence[bool]
) -> list[float]:
    """Return the probability of each run; 0 for those that are not wanted."""
    rows = features(seen, token_sums(seen, model.tokens.on_page(types)), types)
    around = surroundings(seen.runs, seen.looks.shape)
    odds = (model.network.odds(rows, around) + model.trees.odds(rows)) / 2
    if has_cards(types):
        odds = evened(odds, np.array(seen.looks.shape.places), np.array(wanted))
    found: list[float] = np.where(wanted, probabilities(odds), 0.0).round(DIGITS).tolist()
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
    file = files("webstencil.extract.content").joinpath("models", "content.json")
    return model_of(json.loads(file.read_text()), fitted_types())


def model_of(known: Mapping[str, object], types: TypeWeights) -> ContentModel:
    """Return a model as it was written."""
    network: Mapping[str, Sequence[object]] = known["network"]  # type: ignore[assignment]  # as written
    tokens: Mapping[str, Sequence[float]] = known["tokens"]  # type: ignore[assignment]  # the same
    trees: Sequence[Tree] = known["trees"]  # type: ignore[assignment]  # the same
    return ContentModel(
        network_of(network, FEATURES),
        trees_of(trees, FEATURES),
        token_weights_of(tokens),
        types,
        known_tokens([*tokens, *types.tokens]),
    )
