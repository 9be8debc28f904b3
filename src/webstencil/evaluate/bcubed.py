"""Extended B-cubed: how well areas agree with blocks that people marked.

Kiesel et al., "Web Page Segmentation Revisited" (CIKM 2020), after Amigó et al. (2009). A page is
made of atoms (nodes, characters or pixels); areas and blocks are sets of atoms that may overlap,
nest, and leave atoms out. For a pair of atoms that share areas, precision asks how many of the
shared areas are matched by shared blocks:

    P = mean over atoms a in any area, of the mean over atoms b that share an area with a,
        of min(shared areas, shared blocks) / shared areas

a itself is one of the b. Recall is the same with areas and blocks swapped. Areas that are too small
do not lower precision, areas that are too large do not lower recall.

Atoms of the same areas and blocks form a group; everything is computed over groups and weights.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from webstencil.geometry import Rect

# Bit i of the first number is set if the atoms are in area i, bit i of the second if in block i.
Masks: TypeAlias = tuple[int, int]
Weights: TypeAlias = Mapping[Masks, float]


@dataclass(frozen=True, slots=True)
class AgreementScore:
    """The agreement of areas and blocks."""

    precision: float  # 0..1
    recall: float  # 0..1

    @property
    def f(self) -> float:
        return harmonic_mean(self.precision, self.recall)


def harmonic_mean(one: float, other: float) -> float:
    """Return the F of a precision and a recall, 0 if both are 0."""
    return 2 * one * other / (one + other) if one + other else 0.0


def extended_bcubed(weights: Weights) -> AgreementScore:
    """Score areas against blocks, by the weight of the atoms in each combination of them."""
    swapped = {(blocks, areas): weight for (areas, blocks), weight in weights.items()}
    return AgreementScore(precision(weights), precision(swapped))


def precision(weights: Weights) -> float:
    """Compute the formula above over atoms that are in an area; 0 if there are none."""
    by_area = index(weights, 0)
    by_block = index(weights, 1)
    peers = {
        areas: sum(weights[group] for group in united(candidates(by_area, areas)))
        for areas in {areas for areas, _ in weights}
    }
    agreed = total = 0.0
    for (areas, blocks), weight in weights.items():
        if areas:
            near = shorter(candidates(by_area, areas), candidates(by_block, blocks))
            shared = sum(
                weights[other] * agreement(areas & other[0], blocks & other[1])
                for other in united(near)
            )
            agreed += weight * shared / peers[areas]
            total += weight
    return agreed / total if total else 0.0


def agreement(areas: int, blocks: int) -> float:
    """Return the share of shared areas that shared blocks can match."""
    return min(areas.bit_count(), blocks.bit_count()) / areas.bit_count() if areas else 0.0


def index(weights: Weights, side: int) -> dict[int, list[Masks]]:
    """List the groups in each area (side 0) or block (side 1)."""
    found = defaultdict(list)
    for group in weights:
        for bit in bits(group[side]):
            found[bit].append(group)
    return found


def bits(mask: int) -> Iterator[int]:
    """Yield the indexes of the bits that are set."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def candidates(found: Mapping[int, list[Masks]], mask: int) -> list[list[Masks]]:
    """Return the groups in each of the areas or blocks of a mask."""
    return [found[bit] for bit in bits(mask)]


def shorter(some: list[list[Masks]], others: list[list[Masks]]) -> list[list[Masks]]:
    """Return the lists with fewer groups; a pair that shares areas and blocks is in both."""
    return min(some, others, key=lambda lists: sum(map(len, lists)))


def united(lists: list[list[Masks]]) -> Iterable[Masks]:
    """Return the groups of all lists, each once."""
    return lists[0] if len(lists) == 1 else dict.fromkeys(group for each in lists for group in each)


def patches(areas: Sequence[Rect], blocks: Sequence[Rect]) -> dict[Masks, float]:
    """Cut a page where a rectangle has an edge, and sum up the pixels (px²) of equal patches.

    Edges are rounded to whole pixels first.
    """
    marks = [(1 << number, 0) for number in range(len(areas))]
    marks += [(0, 1 << number) for number in range(len(blocks))]
    rects = [rounded(rect) for rect in (*areas, *blocks)]
    starting, ending = defaultdict(list), defaultdict(list)
    for number, (_, top, _, bottom) in enumerate(rects):
        starting[top].append(number)
        ending[bottom].append(number)
    found: dict[Masks, float] = defaultdict(float)
    present: set[int] = set()
    edges = sorted({*starting, *ending})
    for top, bottom in pairwise(edges):
        present.difference_update(ending[top])
        present.update(number for number in starting[top] if rects[number][3] > top)
        for width, group in strip([(rects[number], marks[number]) for number in present]):
            found[group] += width * (bottom - top)
    return found


def rounded(rect: Rect) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom in whole pixels; right and bottom are never smaller."""
    left, top = round(rect.left), round(rect.top)
    return left, top, max(left, round(rect.right)), max(top, round(rect.bottom))


def strip(
    present: Iterable[tuple[tuple[int, int, int, int], Masks]],
) -> Iterator[tuple[int, Masks]]:
    """Cut a horizontal strip of a page at the left and right edges of what is present in it."""
    changes = sorted(
        (edge, mark) for (left, _, right, _), mark in present for edge in (left, right)
    )
    areas = blocks = before = 0
    for edge, (area, block) in changes:
        if edge > before and (areas or blocks):
            yield edge - before, (areas, blocks)
        areas ^= area
        blocks ^= block
        before = edge
