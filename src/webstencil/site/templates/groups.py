"""Average-linkage clustering of a few weighted points."""

from collections.abc import Sequence
from dataclasses import dataclass

FARTHEST = 2.0  # more than any distance


@dataclass(frozen=True, slots=True)
class Join:
    """Two groups that become one; each is named by the index of its first point."""

    kept: int
    gone: int
    distance: float  # mean over the pages of the two


def joins(distances: Sequence[Sequence[float]], sizes: Sequence[int]) -> list[Join]:
    """Join the two nearest groups until one is left, nearest first.

    `distances` is a full matrix; `sizes` are the pages that points stand for. Ties go to the
    oldest. Distances of joins never fall, as means of what was farther.
    """
    rows = [list(row) for row in distances]
    weights = list(sizes)
    live = list(range(len(weights)))
    nearest = {point: _nearest(rows[point], point, live) for point in live}
    done: list[Join] = []
    while len(live) > 1:
        kept = min(live, key=lambda point: nearest[point][0])
        gap, gone = nearest[kept]
        done.append(Join(kept, gone, gap))
        live.remove(gone)
        _unite(rows, weights, live, (kept, gone))
        for point in live:
            if point == kept or nearest[point][1] in (kept, gone):
                nearest[point] = _nearest(rows[point], point, live)
            elif point < kept:
                nearest[point] = min(nearest[point], (rows[point][kept], kept))
    return done


def heads(names: Sequence[int], done: Sequence[Join], cut: float) -> dict[int, int]:
    """Return, for each name, the first name of its group when joins up to `cut` are made."""
    places = list(range(len(names)))
    for join in done:
        if join.distance <= cut:
            places[join.gone] = join.kept
    for place, head in enumerate(places):
        places[place] = places[head]  # a group's name is its first, so heads are settled before
    return {name: names[place] for name, place in zip(names, places, strict=True)}


def _nearest(row: Sequence[float], point: int, live: Sequence[int]) -> tuple[float, int]:
    """Return the nearest of the younger groups."""
    return min(((row[other], other) for other in live if other > point), default=(FARTHEST, point))


def _unite(
    rows: list[list[float]], weights: list[int], live: Sequence[int], pair: tuple[int, int]
) -> None:
    """Give the first of a pair the mean distances of both, by their pages."""
    kept, gone = pair
    both = weights[kept] + weights[gone]
    for other in live:
        mean = (rows[kept][other] * weights[kept] + rows[gone][other] * weights[gone]) / both
        rows[kept][other] = rows[other][kept] = mean
    weights[kept] = both
