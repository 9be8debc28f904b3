"""The page score: a logistic regression over the features of runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from operator import mul

from webstencil.extract.content.fitted_weights import BIAS, WEIGHTS
from webstencil.extract.content.run_features import BLOCK_FEATURES, RUN_FEATURES, Row, RunLooks
from webstencil.extract.content.text_runs import TextRuns

UNSEEN = 0.02  # 0..1, score of a run that many other pages have
MOST_ODDS = 700.0  # log odds below minus this give 0


@dataclass(frozen=True, slots=True)
class ContentWeights:
    """The weight of each feature."""

    bias: float
    runs: Row  # of RUN_FEATURES
    blocks: Row  # of BLOCK_FEATURES


def weights_of(bias: float, named: Mapping[str, float]) -> ContentWeights:
    """Sort weights by feature; a feature that is not fitted has weight 0."""
    return ContentWeights(
        bias,
        tuple([named.get(feature, 0.0) for feature in RUN_FEATURES]),
        tuple([named.get(feature, 0.0) for feature in BLOCK_FEATURES]),
    )


FITTED = weights_of(BIAS, WEIGHTS)


def scores_of(runs: TextRuns, seen: RunLooks, weights: ContentWeights = FITTED) -> list[float]:
    """Return the score of each run, 0..1; UNSEEN if it has no features."""
    of_blocks = {
        block: weights.bias + sum(map(mul, row, weights.blocks))
        for block, row in seen.blocks.items()
    }
    scores = [UNSEEN] * len(runs)
    for run, row in seen.runs.items():
        scores[run] = probability(of_blocks[runs.blocks[run]] + sum(map(mul, row, weights.runs)))
    return scores


def probability(odds: float) -> float:
    """Return the probability for these log odds."""
    return 1.0 / (1.0 + exp(-odds)) if odds > -MOST_ODDS else 0.0
