"""The probability that a run is content: two passes of small models.

The first pass is a logistic regression over the features of the run, its block and its page, and
over tokens of names and texts. The second pass sees the first one's answers for the runs around it
and for those alike, and is a few dozen small trees. `webstencil evaluate train-content` fits both.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import accumulate
from math import exp, log
from operator import mul, sub

from webstencil.extract.content.feature_names import BLOCK_FEATURES, PAGE_FEATURES, RUN_FEATURES
from webstencil.extract.content.name_tokens import (
    Tokens,
    block_tokens,
    heading_tokens,
    run_tokens,
)
from webstencil.extract.content.page_numbers import ERA_FEATURES, era, page_numbers
from webstencil.extract.content.page_shape import LEVELS, PageShape
from webstencil.extract.content.page_types import TYPES, TypeWeights, fitted_types, page_tokens
from webstencil.extract.content.run_features import WINDOWS, Row, RunLooks, look
from webstencil.extract.content.text_runs import NO_BLOCK, TextRuns
from webstencil.model import Page

TOKEN_FEATURE = "tokens"
TYPE_FEATURES = tuple(f"type {one}" for one in TYPES)
WHOLE_PAGE = (*PAGE_FEATURES, *ERA_FEATURES, *TYPE_FEATURES)
FIRST_FEATURES = (*RUN_FEATURES, TOKEN_FEATURE, *BLOCK_FEATURES, *WHOLE_PAGE)
AGAIN_FEATURES = (
    "first",
    "mean alike",
    "mean number alike",
    "mean in section",
    "mean near",
    "mean around",
    "first before",
    "first after",
    "first 2 before",
    "first 2 after",
    "share before",
)
HELD_FEATURES = (
    *[f"mean in {level}" for level in range(1, LEVELS + 1)],
    *[f"share in {level}" for level in range(1, LEVELS + 1)],
)
WHOLE_FEATURES = ("mean of page",)
SECOND_FEATURES = (*FIRST_FEATURES, *AGAIN_FEATURES, *HELD_FEATURES, *WHOLE_FEATURES)
MOST_ODDS = 30.0  # log odds beyond which nothing changes
LEAST = 1e-4  # 0..1, probabilities of the first pass are kept so far from 0 and 1
HOPELESS = -7.0  # log odds of the first pass below which the second is not asked

Tree = float | Sequence["str | float | Tree"]  # a value, or feature, threshold, two trees
Second = Callable[[Row, Row, Row, Row, Row, float], float]


@dataclass(frozen=True, slots=True)
class ContentModel:
    """The fitted numbers of both passes."""

    bias: float
    runs: Row  # weights of RUN_FEATURES
    blocks: Row  # of BLOCK_FEATURES
    page: Row  # of WHOLE_PAGE
    of_tokens: float  # weight of the sum of token weights
    tokens: Mapping[str, float]
    second: Second
    types: TypeWeights


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


def view(page: Page, runs: TextRuns) -> PageFeatures:
    """Look at a page that has text."""
    looks = look(runs, page.markup.titles())
    looks = replace(looks, page=(*looks.page, *era(page, runs)))
    blocks, texts = block_tokens(runs), run_tokens(runs)
    return PageFeatures(
        runs,
        looks,
        blocks,
        texts,
        heading_tokens(runs, looks.shape.headings),
        page_tokens(page, runs, blocks, texts),
        page_numbers(page, runs),
    )


def token_sums(seen: PageFeatures, weights: Mapping[str, float]) -> list[float]:
    """Return the sum of the weights of each run's tokens: of its blocks, text and heading."""
    own = _weighed(seen.blocks, weights)
    sums: list[float] = []
    for parent, weight in zip(seen.runs.parents, own, strict=True):
        sums.append(sums[parent] + weight if parent >= 0 else weight)
    heads = dict(zip(seen.heads, _weighed(seen.heads.values(), weights), strict=True))
    heads[NO_BLOCK] = 0.0
    return [
        sums[block] + text + heads.get(head, 0.0)
        for block, text, head in zip(
            seen.runs.blocks, _weighed(seen.texts, weights), seen.looks.shape.headings, strict=True
        )
    ]


def _weighed(tokens: Iterable[Tokens], weights: Mapping[str, float]) -> list[float]:
    known = weights.get
    return [sum([known(token, 0.0) for token in some]) if some else 0.0 for some in tokens]


def first_pass(
    seen: PageFeatures, model: ContentModel, tokens: Sequence[float], page: Row
) -> list[float]:
    """Return the log odds of each run; `page` are the features of the page and its types."""
    whole = model.bias + sum(map(mul, page, model.page))
    blocks = {
        block: whole + sum(map(mul, row, model.blocks)) for block, row in seen.looks.blocks.items()
    }
    weights, weight = model.runs, model.of_tokens
    return [
        blocks[block] + sum(map(mul, row, weights)) + weight * token
        for block, row, token in zip(seen.runs.blocks, seen.looks.runs, tokens, strict=True)
    ]


def probability(odds: float) -> float:
    """Return the probability for these log odds."""
    return 1.0 / (1.0 + exp(-odds)) if odds > -MOST_ODDS else 0.0


def again(
    runs: TextRuns, shape: PageShape, first: Sequence[float]
) -> tuple[list[Row], dict[int, Row], Row]:
    """Return the features of the second pass: of runs, of blocks, of the page.

    `first` are the probabilities of the first pass. Means are weighted by length.
    """
    lengths = runs.lengths
    mass = list(map(mul, lengths, first))
    sizes = list(accumulate(lengths, initial=0))
    masses = list(accumulate(mass, initial=0.0))
    alike = _means(shape.places, mass, lengths)
    number = _means(shape.places, first, [1] * len(first))
    section = _means(shape.sections, mass, lengths)
    near, around = [
        [
            part / size
            for part, size in zip(_window(masses, window), _window(sizes, window), strict=True)
        ]
        for window in WINDOWS
    ]
    padded = [0.0, 0.0, *first, 0.0, 0.0]
    whole = masses[-1] or 1.0
    rows = zip(
        [_log_odds(one) for one in first],
        alike,
        number,
        section,
        near,
        around,
        padded[1:],
        padded[3:],
        padded,
        padded[4:],
        [one / whole for one in masses],
        strict=False,
    )
    held = {block: _held(runs, line, masses, sizes) for block, line in shape.containers.items()}
    return list(rows), held, (masses[-1] / sizes[-1],)


def _held(
    runs: TextRuns, line: Sequence[int], masses: Sequence[float], sizes: Sequence[int]
) -> Row:
    """Return the mean of each container in a line, and its share of the page."""
    whole = masses[-1] or 1.0
    spans = [
        (runs.starts[block], runs.ends[block]) if block >= 0 else (0, len(runs)) for block in line
    ]
    parts = [masses[end] - masses[start] for start, end in spans]
    return (
        *[
            part / (sizes[end] - sizes[start])
            for part, (start, end) in zip(parts, spans, strict=True)
        ],
        *[part / whole for part in parts],
    )


def _means(groups: Sequence[int], values: Sequence[float], weights: Sequence[int]) -> list[float]:
    """Return the mean over the group of each run."""
    number = max(groups) + 1
    sums, sizes = [0.0] * number, [0] * number
    for group, value, weight in zip(groups, values, weights, strict=True):
        sums[group] += value
        sizes[group] += weight
    return [sums[group] / sizes[group] for group in groups]


def _window(sums: Sequence[float], window: int) -> list[float]:
    padded = [0] * window + list(sums) + [sums[-1]] * window
    return list(map(sub, padded[2 * window + 1 :], padded))


def _log_odds(share: float) -> float:
    share = min(max(share, LEAST), 1.0 - LEAST)
    return log(share / (1.0 - share))


def scores(
    seen: PageFeatures, model: ContentModel, types: Row, wanted: Sequence[bool]
) -> list[float]:
    """Return the probability of each run; 0 for those that are not wanted."""
    page = (*seen.looks.page, *types)
    tokens = token_sums(seen, model.tokens)
    odds = first_pass(seen, model, tokens, page)
    first = [probability(one) if asked else 0.0 for one, asked in zip(odds, wanted, strict=True)]
    rows, held, whole = again(seen.runs, seen.looks.shape, first)
    page, second, blocks = (*page, *whole), model.second, seen.looks.blocks
    found = []
    for run, (block, asked) in enumerate(zip(seen.runs.blocks, wanted, strict=True)):
        if not asked or odds[run] < HOPELESS:
            found.append(first[run])
        else:
            raised = second(
                seen.looks.runs[run], blocks[block], page, rows[run], held[block], tokens[run]
            )
            found.append(probability(raised))
    return found


def compiled(trees: Sequence[Tree]) -> Second:
    """Return the sum of trees as a function; conditions are far faster than a loop."""
    where = {TOKEN_FEATURE: "t"}
    for letter, names in (
        ("r", RUN_FEATURES),
        ("b", BLOCK_FEATURES),
        ("p", (*WHOLE_PAGE, *WHOLE_FEATURES)),
        ("a", AGAIN_FEATURES),
        ("h", HELD_FEATURES),
    ):
        where |= {name: f"{letter}[{place}]" for place, name in enumerate(names)}
    written = "+".join([_written(tree, where) for tree in trees]) or "0.0"
    function: Second = eval(f"lambda r, b, p, a, h, t: {written}")  # of numbers and known names
    return function


def _written(tree: Tree, where: Mapping[str, str]) -> str:
    """Write a tree as an expression; trees are at most a few levels deep."""
    if isinstance(tree, int | float):
        return f"({float(tree)!r})"
    name, threshold, left, right = tree
    value = f"{where[str(name)]}<={float(threshold)!r}"  # type: ignore[arg-type]  # a number here
    return f"({_written(left, where)} if {value} else {_written(right, where)})"


@lru_cache(maxsize=1)
def fitted() -> ContentModel:
    """Read the model that comes with the package."""
    file = files("webstencil.extract.content").joinpath("models", "content.json")
    return model_of(json.loads(file.read_text()), fitted_types())


def model_of(known: Mapping[str, object], types: TypeWeights) -> ContentModel:
    """Return a model as it was written."""
    weights: Mapping[str, float] = known["weights"]  # type: ignore[assignment]  # as written
    trees: Sequence[Tree] = known["trees"]  # type: ignore[assignment]  # the same
    return ContentModel(
        float(known["bias"]),  # type: ignore[arg-type]  # the same
        tuple([weights.get(name, 0.0) for name in RUN_FEATURES]),
        tuple([weights.get(name, 0.0) for name in BLOCK_FEATURES]),
        tuple([weights.get(name, 0.0) for name in WHOLE_PAGE]),
        weights.get(TOKEN_FEATURE, 0.0),
        known["tokens"],  # type: ignore[arg-type]  # the same
        compiled(trees),
        types,
    )
