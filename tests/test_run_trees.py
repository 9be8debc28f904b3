"""Trees over the features of runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstencil.content.model import MOST_TREE_LEAVES, Tree, trees_of

NAMES = ("a", "b", "c")


def walked(tree: Tree, row: list[float]) -> float:
    """Answer by walking down a tree."""
    while not isinstance(tree, int | float):
        name, threshold, left, right = tree
        value = row[NAMES.index(str(name))]
        tree = left if value <= float(threshold) else right  # type: ignore[arg-type,assignment]  # as written
    return float(tree)


def grown(depth: int) -> st.SearchStrategy[Tree]:
    """Return trees of at most 2 ** depth leaves."""
    values = st.integers(-8, 8).map(float)
    if not depth:
        return values
    below = grown(depth - 1)
    return values | st.tuples(st.sampled_from(NAMES), values, below, below).map(list)


@given(
    st.lists(grown(4), max_size=5),
    st.lists(st.lists(st.integers(-9, 9).map(float), min_size=3, max_size=3), min_size=1),
)
def test_all_at_once_is_the_same_as_one_by_one(trees: list[Tree], rows: list[list[float]]) -> None:
    """The sum over trees is that of walks down each of them."""
    found = trees_of([0.5, *trees], NAMES).odds(np.array(rows, np.float32))

    assert found.tolist() == [0.5 + sum(walked(tree, row) for tree in trees) for row in rows]


def test_a_value_at_the_threshold_goes_left() -> None:
    """A tree has a feature, a threshold, what is said up to it and above it."""
    trees = trees_of([0.0, ["b", 2.0, -1.0, ["a", 1.0, 3.0, 4.0]]], NAMES)

    found = trees.odds(np.array([[0, 2, 0], [1, 2.5, 0], [1.5, 2.5, 0]], np.float32))

    assert found.tolist() == [-1.0, 3.0, 4.0]


def test_a_chain_may_be_as_deep_as_it_has_leaves() -> None:
    """Trees that grow on one side only are no exception."""
    tree: Tree = 0.0
    for number in range(1, MOST_TREE_LEAVES):
        tree = ["a", float(-number), float(number), tree]

    found = trees_of([0.0, tree], NAMES).odds(np.array([[-99, 0, 0], [0, 0, 0]], np.float32))

    assert found.tolist() == [MOST_TREE_LEAVES - 1, 0.0]


def test_trees_begin_with_a_number() -> None:
    """What all runs begin with comes first."""
    with pytest.raises(TypeError, match="must begin with a number"):
        trees_of([["a", 0.0, 1.0, 2.0]], NAMES)
