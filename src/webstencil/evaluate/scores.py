"""How well what was found agrees with the gold: words of texts, partitions, areas and blocks.

There are two ways to split a text. They differ only in Chinese and Japanese, which have no spaces
between words. The figures of main content and its weights were made with `words_in`, those of the
published extractors with `words_and_signs`, so both stay.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, lgamma, log
from typing import TypeAlias

from webstencil.geometry import Rect
from webstencil.model import NO_PARENT, NodeId, Page, inherited
from webstencil.site.lay import SiteSpots, lay

_WORD_RUN = re.compile(r"\w+")
_SIGNS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # Chinese and Japanese characters
_WORD_OR_SIGN = re.compile(rf"[{_SIGNS}]|[^\W{_SIGNS}]+")


@dataclass(frozen=True, slots=True)
class WordScore:
    """How well what was found agrees with the gold."""

    precision: float  # 0..1
    recall: float  # 0..1
    f1: float  # 0..1


def words_in(text: str) -> list[str]:
    """Split a text into runs of letters and digits, in lower case."""
    return _WORD_RUN.findall(text.lower())


def words_and_signs(text: str) -> list[str]:
    """Split a text into words as `words_in` does, but each Chinese or Japanese character alone."""
    return _WORD_OR_SIGN.findall(text.lower())


def score_counts(found: int, wanted: int, common: int) -> WordScore:
    """Score by counts; to find nothing where nothing is wanted is right."""
    if not found and not wanted:
        return WordScore(1.0, 1.0, 1.0)
    precision = common / found if found else 0.0
    recall = common / wanted if wanted else 0.0
    return WordScore(precision, recall, 2 * common / (found + wanted))


def compare_words(found: Sequence[str], gold: Sequence[str]) -> WordScore:
    """Compare two texts as bags of words."""
    have, want = Counter(found), Counter(gold)
    return score_counts(len(found), len(gold), (have & want).total())


# How well two partitions of the same things agree.


SAME_INFORMATION = 1e-12  # differences of information (nats) below this come from rounding


def adjusted_information(ones: Sequence[Hashable], others: Sequence[Hashable]) -> float:
    """Return the adjusted mutual information (Vinh et al. 2010), by the mean of the entropies."""
    left, right = Counter(ones), Counter(others)
    shared = Counter(zip(ones, others, strict=True))
    if len(shared) == len(left) == len(right):
        return 1.0  # the same partition; where nothing can vary the formula is 0 / 0
    total = len(ones)
    entropies = [entropy(sizes, total) for sizes in (left.values(), right.values())]
    mutual = sum(entropies) - entropy(shared.values(), total)
    expected = expected_information(left.values(), right.values(), total)
    most = sum(entropies) / 2
    return (mutual - expected) / (most - expected) if most - expected > SAME_INFORMATION else 0.0


def entropy(sizes: Iterable[int], total: int) -> float:
    """Return the entropy of a partition in nats."""
    return -sum(size / total * log(size / total) for size in sizes)


def expected_information(left: Iterable[int], right: Iterable[int], total: int) -> float:
    """Return the mean mutual information of all partitions with parts of these sizes (nats)."""
    others = Counter(right)
    return sum(
        many * more * expected_part(one, other, total)
        for one, many in Counter(left).items()
        for other, more in others.items()
    )


def expected_part(one: int, other: int, total: int) -> float:
    """Return what two parts of these sizes add to the expected mutual information.

    What they share by chance is hypergeometric; factorials need logarithms.
    """
    fixed = sum(map(log_factorial, (one, other, total - one, total - other)))
    found = 0.0
    for both in range(max(1, one + other - total), min(one, other) + 1):
        rest = (both, one - both, other - both, total - one - other + both)
        chance = exp(fixed - log_factorial(total) - sum(map(log_factorial, rest)))
        found += chance * both / total * log(total * both / (one * other))
    return found


def log_factorial(number: int) -> float:
    """Return the natural logarithm of a factorial."""
    return lgamma(number + 1)


def purity(clusters: Sequence[Hashable], labels: Sequence[Hashable]) -> float:
    """Return the share of the pages that have the most frequent label of their cluster."""
    most: dict[Hashable, int] = {}
    for (cluster, _), size in Counter(zip(clusters, labels, strict=True)).items():
        most[cluster] = max(size, most.get(cluster, 0))
    return sum(most.values()) / len(clusters) if clusters else 1.0


# Extended B-cubed: how well areas agree with blocks that people marked.
#
# Kiesel et al., "Web Page Segmentation Revisited" (CIKM 2020), after Amigó et al. (2009). A page is
# made of atoms (nodes, characters or pixels); areas and blocks are sets of atoms that may overlap,
# nest, and leave atoms out. For a pair of atoms that share areas, precision asks how many of the
# shared areas are matched by shared blocks:
#
#     P = mean over atoms a in any area, of the mean over atoms b that share an area with a,
#         of min(shared areas, shared blocks) / shared areas
#
# a itself is one of the b. Recall is the same with areas and blocks swapped. Areas that are too
# small do not lower precision, areas that are too large do not lower recall.
#
# Atoms of the same areas and blocks form a group; everything is computed over groups and weights.


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
    return AgreementScore(bcubed_precision(weights), bcubed_precision(swapped))


def bcubed_precision(weights: Weights) -> float:
    """Compute the formula above over atoms that are in an area; 0 if there are none."""
    by_area = groups_by_area(weights, 0)
    by_block = groups_by_area(weights, 1)
    peers = {
        areas: sum(weights[group] for group in united(candidates(by_area, areas)))
        for areas in {areas for areas, _ in weights}
    }
    agreed = total = 0.0
    for (areas, blocks), weight in weights.items():
        if areas:
            near = shorter(candidates(by_area, areas), candidates(by_block, blocks))
            shared = sum(
                weights[other] * shared_agreement(areas & other[0], blocks & other[1])
                for other in united(near)
            )
            agreed += weight * shared / peers[areas]
            total += weight
    return agreed / total if total else 0.0


def shared_agreement(areas: int, blocks: int) -> float:
    """Return the share of shared areas that shared blocks can match."""
    return min(areas.bit_count(), blocks.bit_count()) / areas.bit_count() if areas else 0.0


def groups_by_area(weights: Weights, side: int) -> dict[int, list[Masks]]:
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
    rects = [rounded_rect(rect) for rect in (*areas, *blocks)]
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


def rounded_rect(rect: Rect) -> tuple[int, int, int, int]:
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


# How areas divide the visible texts of a page, and how well two such divisions agree.


def told_apart(texts: Iterable[NodeId], homes: Sequence[int]) -> list[int]:
    """Return the area of each text; a text in none is one of its own."""
    return [homes[text] if homes[text] != NO_PARENT else -2 - text for text in texts]


def laid_homes(page: Page, spots: SiteSpots) -> list[int]:
    """Return the area of the site around each node of a page."""
    tree = page.tree
    by_node = {node: n for n, node in enumerate(page.markup.nodes(range(len(tree))))}
    roots = {
        by_node[node]: number
        for number, area in enumerate(lay(spots, page.markup.body))
        if area.leaf
        for node in area.nodes
    }
    return inherited(tree.parents, map(roots.get, range(len(tree))))


def partition_score(
    sizes: Mapping[NodeId, int], areas: Sequence[int], blocks: Sequence[int]
) -> AgreementScore:
    """Return the B-cubed precision and recall of a partition of texts, over characters."""
    both: dict[tuple[int, int], int] = {}
    for pair, size in zip(zip(areas, blocks, strict=True), sizes.values(), strict=True):
        both[pair] = both.get(pair, 0) + size
    in_areas: dict[int, int] = {}
    in_blocks: dict[int, int] = {}
    for (area, block), size in both.items():
        in_areas[area] = in_areas.get(area, 0) + size
        in_blocks[block] = in_blocks.get(block, 0) + size
    total = sum(both.values())
    precision = sum(size**2 / in_areas[area] for (area, _), size in both.items()) / total
    recall = sum(size**2 / in_blocks[block] for (_, block), size in both.items()) / total
    return AgreementScore(precision, recall)
