"""Extended B-cubed against its definition, its identities and counting by hand."""

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webstencil.evaluate.scores import (
    AgreementScore,
    Masks,
    extended_bcubed,
    harmonic_mean,
    patches,
)
from webstencil.geometry import Rect

PAGE = Rect(0.0, 0.0, 120.0, 100.0)

few_bits = st.integers(0, 15)
groups = st.dictionaries(st.tuples(few_bits, few_bits), st.integers(1, 9), max_size=12)
corners = st.tuples(*[st.integers(0, 12)] * 4)


def alone(number: int) -> list[int]:
    """Put each of so many atoms into a set of its own."""
    return [1 << atom for atom in range(number)]


def count(areas: list[int], blocks: list[int]) -> Counter[Masks]:
    """Count atoms by their areas and blocks."""
    return Counter(zip(areas, blocks, strict=True))


def defined_precision(weights: Mapping[Masks, int]) -> float:
    """Compute precision as the definition has it, atom by atom."""
    atoms = [masks for masks, weight in weights.items() for _ in range(weight)]
    shares = []
    for areas, blocks in atoms:
        pairs = [((areas & a).bit_count(), (blocks & b).bit_count()) for a, b in atoms if areas & a]
        if pairs:
            shares.append(sum(min(pair) / pair[0] for pair in pairs) / len(pairs))
    return sum(shares) / len(shares) if shares else 0.0


def test_equal_areas_and_blocks_score_one() -> None:
    """S = S* gives precision, recall and F 1 (E1 of the known answers)."""
    sets = [1, 1, 2, 2, 2, 4]

    score = extended_bcubed(count(sets, sets))

    assert (score.precision, score.recall, score.f) == pytest.approx((1, 1, 1))


@pytest.mark.parametrize("k", [1, 2, 5, 10])
def test_a_whole_page_against_k_equal_blocks_has_precision_one_kth(k: int) -> None:
    """Under-segmentation costs precision only (E1)."""
    score = extended_bcubed(count([1] * 20, [1 << atom % k for atom in range(20)]))

    assert (score.precision, score.recall) == pytest.approx((1 / k, 1))


@pytest.mark.parametrize("k", [1, 2, 5, 10])
def test_atoms_each_alone_have_precision_one_and_little_recall(k: int) -> None:
    """Over-segmentation costs recall only: each atom finds itself among 20/k (E1)."""
    score = extended_bcubed(count(alone(20), [1 << atom % k for atom in range(20)]))

    assert (score.precision, score.recall) == pytest.approx((1, k / 20))


def test_a_whole_page_of_pixels_against_bands() -> None:
    """The identities hold for rectangles: the page against four bands of equal size."""
    bands = [Rect(0.0, 25.0 * i, 120.0, 25.0 * (i + 1)) for i in range(4)]

    score = extended_bcubed(patches([PAGE], bands))

    assert (score.precision, score.recall) == pytest.approx((0.25, 1))


def test_nested_blocks_want_nested_areas() -> None:
    """A flat area that equals the inner one of two nested blocks has half of what they share.

    Two atoms lie in both blocks, two in the outer one only. An inner atom shares two blocks and one
    area with each inner one, a block and no area with each outer one: (1/2 + 1/2 + 0 + 0) / 4. An
    outer atom shares no area with any. The mean of 1/4, 1/4, 0 and 0 is 1/8.
    """
    score = extended_bcubed({(1, 0b11): 2, (0, 0b01): 2})

    assert (score.precision, score.recall) == pytest.approx((1, 1 / 8))


def test_atoms_outside_of_all_blocks_cost_precision() -> None:
    """What is in an area but in no block agrees with nothing, not even with itself."""
    score = extended_bcubed(count([1, 1, 2], [1, 1, 0]))

    assert (score.precision, score.recall) == pytest.approx((2 / 3, 1))


def test_atoms_outside_of_all_areas_cost_recall() -> None:
    """Precision is over the atoms in areas, recall over those in blocks."""
    score = extended_bcubed(count([1, 1, 0], [1, 1, 2]))

    assert (score.precision, score.recall) == pytest.approx((1, 2 / 3))


def test_nothing_scores_nothing() -> None:
    """Without any atom the score is 0, not an error."""
    assert extended_bcubed({}) == AgreementScore(0.0, 0.0)
    assert AgreementScore(0.0, 0.0).f == 0.0


def test_f_is_the_harmonic_mean() -> None:
    """F of 1/4 and 1 is 0.4."""
    assert harmonic_mean(0.25, 1.0) == pytest.approx(0.4)


@given(groups)
def test_groups_score_as_their_atoms_do(weights: dict[Masks, int]) -> None:
    """Counting groups of like atoms gives what the definition gives atom by atom."""
    swapped = {(blocks, areas): weight for (areas, blocks), weight in weights.items()}

    score = extended_bcubed(weights)

    expected = (defined_precision(weights), defined_precision(swapped))
    assert (score.precision, score.recall) == pytest.approx(expected)


def rect_of(numbers: tuple[int, int, int, int]) -> Rect:
    """Make a rectangle of any two points."""
    one, two, three, four = map(float, numbers)
    return Rect(min(one, two), min(three, four), max(one, two), max(three, four))


def covered(rects: list[Rect], x: int, y: int) -> int:
    """Return the mask of the rectangles around the pixel at x, y."""
    pixel = Rect(x, y, x + 1, y + 1)
    return sum(1 << number for number, rect in enumerate(rects) if rect.contains(pixel))


@given(st.lists(corners, max_size=4), st.lists(corners, max_size=4))
def test_patches_are_the_pixels_counted(
    some: list[tuple[int, int, int, int]], others: list[tuple[int, int, int, int]]
) -> None:
    """Cutting at edges gives, for each combination of rectangles, its number of pixels."""
    areas, blocks = [rect_of(c) for c in some], [rect_of(c) for c in others]

    found = patches(areas, blocks)

    pixels = [(covered(areas, x, y), covered(blocks, x, y)) for x in range(12) for y in range(12)]
    assert found == Counter(masks for masks in pixels if any(masks))


def test_edges_are_moved_to_whole_pixels() -> None:
    """An area and a block that differ by fractions of a pixel are the same."""
    found = patches([Rect(0.2, 0.0, 10.4, 9.6)], [Rect(0.0, 0.3, 10.0, 10.2)])

    assert found == {(1, 1): 100}
