"""Count the pages with a block like this one, to find what repeats (section II).

The paper compares every block with all blocks of all pages. Far fewer comparisons give the same
result: equal blocks are compared once, and blocks whose rare features differ not at all. If a
block's features without a subset have at most 0.9 of its norm, a block with none of the subset
cannot reach a cosine above 0.9 with it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from webstencil.extract.published.page_blocks import (
    SIMILAR,
    ComparedBlock,
    Vector,
    are_similar,
    vector_of,
)


@dataclass(frozen=True, slots=True)
class Sighting:
    """A block, and the pages with it or a similar one."""

    block: ComparedBlock
    pages: frozenset[int]


def sightings(pages: Sequence[Iterable[ComparedBlock]]) -> list[Sighting]:
    """Return each distinct block of some pages with the pages of similar ones."""
    same: dict[ComparedBlock, set[int]] = {}
    for number, blocks in enumerate(pages):
        for block in blocks:
            same.setdefault(block, set()).add(number)
    seen = {block: set(numbers) for block, numbers in same.items()}
    for one, other in similar_pairs(list(same)):
        seen[one] |= same[other]
        seen[other] |= same[one]
    return [Sighting(block, frozenset(numbers)) for block, numbers in seen.items()]


def similar_pairs(blocks: Sequence[ComparedBlock]) -> Iterator[tuple[ComparedBlock, ComparedBlock]]:
    """Yield the pairs of similar blocks."""
    if len(blocks) < 2:
        return
    vectors = [vector_of(block) for block in blocks]
    having: dict[str, list[int]] = defaultdict(list)  # by feature
    for place, vector in enumerate(vectors):
        for feature in vector.counts:
            having[feature].append(place)
    spread = Counter({feature: len(places) for feature, places in having.items()})
    for place, vector in enumerate(vectors):
        telling = telling_features(vector, spread)
        for other in sorted({other for feature in telling for other in having[feature]}):
            if other != place and are_similar(vector, vectors[other]):
                yield blocks[place], blocks[other]


def telling_features(vector: Vector, spread: Counter[str]) -> list[str]:
    """Return the rarest features, of which every similar vector must have one."""
    rest = vector.norm * vector.norm
    enough = SIMILAR * SIMILAR * rest
    telling = []
    for feature in sorted(vector.counts, key=lambda feature: (spread[feature], feature)):
        if rest <= enough:
            break
        telling.append(feature)
        rest -= vector.counts[feature] ** 2
    return telling


def is_repeated(sighting: Sighting, pages: int, share: float) -> bool:
    """Return whether more than a share of the other pages have a similar block."""
    others = len(sighting.pages) - 1
    return others > share * (pages - 1)
