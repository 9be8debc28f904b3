"""What a cut is likely to lose: its expected distance from the page's own areas.

Places of one kind fail together, so each kind is flipped as a whole, and what that would change
(1 - B-cubed F over characters) counts as much as the kind is in doubt.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from operator import mul, sub

from webstencil.transfer.walk import Cut
from webstencil.transfer.ways import Meeting

RISK = 0.08  # most that a hit may be expected to lose; docs/matching.md has the table
LEAST_DOUBT = 0.01  # places that are surer than this are not looked at
MOST_KINDS = 30  # the heaviest kinds are looked at
CUT_LOSS = 1 / 3  # F that is lost on a unit that should have been cut in two halves


def risk_of(cut: Cut) -> float:
    """Return the expected loss of a cut, 0..1."""
    sums = [0, *accumulate(cut.characters)]
    total = sums[-1]
    if not total:
        return 1.0
    inside: float = sum(map(mul, cut.doubts, cut.characters)) * CUT_LOSS / total
    borders, kinds = cut.starts[1:], doubtful_kinds(cut.befores)
    flips = [doubt * flip_loss(sums, borders, places) for doubt, places in kinds]
    return inside + sum(flips)


def doubtful_kinds(befores: Sequence[Meeting]) -> list[tuple[float, list[int]]]:
    """Return the kinds of places in doubt: mean doubt, and the units that they come before.

    `befores` has what comes before each unit.
    """
    kinds: dict[tuple[int, str, str], list[int]] = {}
    doubts: dict[tuple[int, str, str], float] = {}
    for number, meeting in enumerate(befores):
        if meeting.doubt > LEAST_DOUBT:
            kind = meeting.kind
            if kind in kinds:
                kinds[kind].append(number)
                doubts[kind] += meeting.doubt
            else:
                kinds[kind] = [number]
                doubts[kind] = meeting.doubt
    heaviest = sorted(kinds, key=lambda kind: (-doubts[kind], kind))[:MOST_KINDS]
    return [(doubts[kind] / len(kinds[kind]), kinds[kind]) for kind in heaviest]


def flip_loss(sums: Sequence[int], borders: Sequence[int], places: Sequence[int]) -> float:
    """Return how far a partition into runs is from itself with the borders at places flipped.

    `sums` are the weights of all units before each place; the last one is the weight of all.
    """
    if len(places) == 1:  # as most kinds have on a page
        return 1.0 - agreement_but_at(sums, borders, places[0])
    return 1.0 - agreement(sums, borders, sorted(set(borders) ^ set(places)))


def agreement_but_at(sums: Sequence[int], borders: Sequence[int], place: int) -> float:
    """Return `agreement` of a partition with the one that differs from it at one place.

    What is in two halves in one of them and whole in the other loses; all other runs are alike.
    """
    index = bisect_left(borders, place)
    start = sums[borders[index - 1]] if index else 0
    after = borders[index:] if place not in borders[index : index + 1] else borders[index + 1 :]
    ends = [*[sums[border] for border in after], sums[-1]]
    left, right = sums[place] - start, ends[0] - sums[place]
    alike = float(start)
    if left + right:
        alike = start + left * left / (left + right) + right * right / (left + right)
    alike = sum(map(sub, ends[1:], ends), alike)
    return 2 * alike * sums[-1] / ((alike + sums[-1]) * sums[-1])


def agreement(sums: Sequence[int], one: Sequence[int], other: Sequence[int]) -> float:
    """Return B-cubed F of two partitions into runs, given by the places of their borders."""
    end = len(sums) - 1
    ones, others = run_weights(sums, one), run_weights(sums, other)
    in_one, in_other = frozenset(one), frozenset(other)
    precision = recall = 0.0
    place = where = before = 0
    for stop in [*sorted(in_one | in_other), end]:
        weight = sums[stop] - before
        if weight:
            square = weight * weight
            precision += square / ones[place]
            recall += square / others[where]
            before = sums[stop]
        place += stop in in_one
        where += stop in in_other
    return 2 * precision * recall / ((precision + recall) * sums[end])


def run_weights(sums: Sequence[int], borders: Sequence[int]) -> list[int]:
    """Return the weight of each run."""
    ends = [sums[border] for border in borders]
    return list(map(sub, [*ends, sums[-1]], [0, *ends]))
