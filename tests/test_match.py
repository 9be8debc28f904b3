"""Matching: the nearest stencil by common paths."""

from dataclasses import replace

from builders import page_of, stencil_of
from hypothesis import given
from hypothesis import strategies as st

from webstencil.paper.match import MOST_PATHS, Match, Matcher, distance, nearest

path_sets = st.frozensets(st.integers(0, 40))


def test_distance_is_one_minus_the_share_of_common_paths_in_the_larger_set() -> None:
    """Gottron's Common Paths Distance."""
    assert distance(frozenset({1, 2, 3}), frozenset({2, 3, 4, 5})) == 0.5


@given(path_sets, path_sets)
def test_distance_is_symmetric_and_between_0_and_1(
    one: frozenset[int], other: frozenset[int]
) -> None:
    """And 0 for equal sets only."""
    assert distance(one, other) == distance(other, one)
    assert 0.0 <= distance(one, other) <= 1.0
    assert (distance(one, other) == 0.0) == (one == other)


def test_nearest_stencil_is_taken_and_the_oldest_of_equals() -> None:
    """The order of the stencils decides only between equals."""
    page = page_of("<body><div><p>a</p></div>")
    far = stencil_of(page_of("<body><table><tr><td>a</table>"), key="far")
    near = stencil_of(page_of("<body><div><p>b</p></div>"), key="near")
    newer = stencil_of(page_of("<body><div><p>c</p></div>"), key="newer")

    assert nearest(page, [far, near, newer]) == Match(near, 0.0)
    assert nearest(page, []) is None


@given(st.lists(path_sets, max_size=6), path_sets)
def test_matcher_finds_what_looking_at_each_stencil_finds(
    known: list[frozenset[int]], paths: frozenset[int]
) -> None:
    """Sums of fields are only a quicker way to count; the oldest of equals is taken, too."""
    page = page_of("<p>a</p>")
    page.markup._paths = paths
    plain = stencil_of(page, key="")
    stencils = [replace(plain, key=str(n), paths=own) for n, own in enumerate(known)]
    matcher = Matcher()
    for stencil in (replace(plain, key="gone", paths=paths), *stencils):
        matcher.add(stencil)

    matcher.remove("gone")

    assert matcher.nearest(page) == nearest(page, stencils)


def test_matcher_knows_pages_with_more_paths_than_a_field_can_count() -> None:
    """They are compared one by one."""
    page = page_of("<p>a</p>")
    page.markup._paths = frozenset(range(MOST_PATHS))
    stencil = replace(stencil_of(page, key="a"), paths=frozenset(range(MOST_PATHS // 2)))
    matcher = Matcher()
    matcher.add(stencil)

    assert matcher.nearest(page) == Match(stencil, 0.5)
