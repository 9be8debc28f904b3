"""The weights of tokens, which depend on the type of the page.

A price, a name or "Reviews" says one thing in an article and another in a shop. So a token has a
weight for all pages, and one more for each of TYPE_GROUPS, which counts by the probability that the
page is of such a type.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from webstencil.extract.content.page_shape import Array
from webstencil.extract.content.page_types import TYPES, PageType
from webstencil.extract.content.run_features import Row

# Types whose content is made alike; smaller groups were no better (docs/content.md).
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
