"""What a cut is likely to lose: its expected distance from the page's own areas.

Places of one kind fail together, so each kind is flipped as a whole, and what that would change
(1 - B-cubed F over characters) counts as much as the kind is in doubt.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise

from webstencil.transfer.walk import Cut, Unit

RISK = 0.08  # most that a hit may be expected to lose; docs/matching.md has the table
LEAST_DOUBT = 0.01  # places that are surer than this are not looked at
MOST_KINDS = 30  # the heaviest kinds are looked at
CUT_LOSS = 1 / 3  # F that is lost on a unit that should have been cut in two halves


def risk_of(cut: Cut) -> float:
    """Return the expected loss of a cut, 0..1."""
    units = cut.units
    total = sum(unit.characters for unit in units)
    if not total:
        return 1.0
    inside = sum(unit.doubt * unit.characters for unit in units) * CUT_LOSS / total
    kinds = doubtful_kinds(units)
    if not kinds:
        return inside
    borders = [bool(unit.before and unit.before.border) for unit in units]
    weights = [unit.characters for unit in units]
    return inside + sum(doubt * flip_loss(weights, borders, places) for doubt, places in kinds)


def doubtful_kinds(units: Sequence[Unit]) -> list[tuple[float, list[int]]]:
    """Return the kinds of places in doubt: mean doubt, and the units that they come before."""
    kinds: dict[tuple[int, str, str], list[int]] = {}
    doubts: dict[tuple[int, str, str], float] = {}
    for number, unit in enumerate(units):
        meeting = unit.before
        if meeting is not None and meeting.doubt > LEAST_DOUBT:
            kinds.setdefault(meeting.kind, []).append(number)
            doubts[meeting.kind] = doubts.get(meeting.kind, 0.0) + meeting.doubt
    heaviest = sorted(kinds, key=lambda kind: (-doubts[kind], kind))[:MOST_KINDS]
    return [(doubts[kind] / len(kinds[kind]), kinds[kind]) for kind in heaviest]


def flip_loss(weights: Sequence[int], borders: Sequence[bool], places: Sequence[int]) -> float:
    """Return how far a partition is from itself with the borders at some places flipped."""
    flipped = list(borders)
    for place in places:
        flipped[place] = not flipped[place]
    return 1.0 - agreement(weights, borders, flipped)


def agreement(weights: Sequence[int], one: Sequence[bool], other: Sequence[bool]) -> float:
    """Return B-cubed F of two partitions into runs; an entry tells whether a run begins there."""
    ones, others = run_weights(weights, one), run_weights(weights, other)
    precision = recall = total = 0.0
    common = 0
    last = len(weights) - 1
    place = where = 0
    for number, weight in enumerate(weights):
        common += weight
        ends_one = number == last or one[number + 1]
        ends_other = number == last or other[number + 1]
        if ends_one or ends_other:
            square = float(common) * common
            precision += square / ones[place] if square else 0.0
            recall += square / others[where] if square else 0.0
            common = 0
        place += ends_one
        where += ends_other
        total += weight
    return 2 * precision * recall / ((precision + recall) * total)


def run_weights(weights: Sequence[int], begins: Sequence[bool]) -> list[int]:
    """Sum up the weights of each run."""
    sums = [0, *accumulate(weights)]
    starts = [0, *(number for number in range(1, len(weights)) if begins[number]), len(weights)]
    return [sums[end] - sums[start] for start, end in pairwise(starts)]
