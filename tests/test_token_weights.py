"""Weights of tokens that depend on the type of the page."""

import pytest

from webstencil.content.model import TYPE_GROUPS, fitted, token_weights_of
from webstencil.site.type_votes import TYPES, PageType

WEIGHTS = token_weights_of({"w:reviews": [-1.0, 0.5, 0.25, 2.0], "n:post": [1.0, 0.0, 3.0, 0.0]})


def shares(**known: float) -> tuple[float, ...]:
    """Return probabilities of TYPES, by name."""
    return tuple(known.get(one.value, 0.0) for one in TYPES)


@pytest.mark.parametrize(
    ("types", "reviews", "post"),
    [
        (shares(article=1.0), -1.0, 1.0),
        (shares(product=1.0), 1.0, 1.0),
        (shares(product=0.5, service=0.5), 1.0, 1.0),
        (shares(forum=0.5, article=0.5), -0.875, 2.5),
        (shares(listing=1.0), -0.5, 1.0),
    ],
)
def test_a_token_weighs_what_it_means_on_such_a_page(
    types: tuple[float, ...], reviews: float, post: float
) -> None:
    """The weight for all pages counts always, the others by the probability of their types."""
    assert WEIGHTS.on_page(types) == {"w:reviews": reviews, "n:post": post}


def test_a_type_is_in_one_group_at_most() -> None:
    """Articles and documentation are in none: the weight for all pages is theirs."""
    grouped = [one for group in TYPE_GROUPS for one in group]

    assert len(grouped) == len(set(grouped))
    assert set(TYPES) - set(grouped) == {PageType.ARTICLE, PageType.DOCUMENTATION}


def test_weights_without_tokens_are_none() -> None:
    """A model that was fitted to few pages may know no token."""
    assert token_weights_of({}).on_page(shares(article=1.0)) == {}


def test_the_model_has_weights_for_all_groups() -> None:
    """Those that come with the package have a number for all pages, and for each group."""
    tokens = fitted().tokens

    assert tokens.weights.shape == (len(tokens.names), 1 + len(TYPE_GROUPS))
