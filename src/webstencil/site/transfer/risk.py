"""What a cut is likely to lose: its expected distance from the page's own areas.

Places of one kind fail together, so each kind is flipped as a whole, and what that would change
(1 - B-cubed F over characters) counts as much as the kind is in doubt.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from operator import mul, sub
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webstencil.site.transfer.walk import PageUnits
    from webstencil.site.transfer.ways import Meeting

LEAST_DOUBT = 0.01  # places that are surer than this are not looked at
MOST_KINDS = 30  # the heaviest kinds are looked at
MOST_NEW = 0.55  # of a page's characters; a page with more where no learned page has any is new
CUT_LOSS = 1 / 3  # F that is lost on a unit that should have been cut in two halves


def risk_of(cut: "PageUnits") -> float:
    """Return the expected loss of a cut, 0..1."""
    total = sum(cut.characters)
    new = sum([size for way, size in zip(cut.ways, cut.characters, strict=True) if not way.known])
    if new >= MOST_NEW * total:
        return 1.0
    inside: float = sum(map(mul, cut.doubts, cut.characters)) * CUT_LOSS / total
    kinds = doubtful_kinds(cut.befores)
    if not kinds:
        return inside
    runs = UnitRuns([0, *accumulate(cut.characters)], cut.starts[1:])
    return inside + sum([doubt * flip_loss(runs, places) for doubt, places in kinds])


def doubtful_kinds(befores: Sequence["Meeting"]) -> list[tuple[float, list[int]]]:
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


class UnitRuns:
    """A partition of the units of a page into runs."""

    __slots__ = ("borders", "ends", "sums")

    def __init__(self, sums: Sequence[int], borders: Sequence[int]) -> None:
        """Split the units at `borders`; `sums` are the characters before each, and those of all."""
        self.sums = sums
        self.borders = borders
        self.ends = [0, *map(sums.__getitem__, borders), sums[-1]]  # `sums` at the borders


def flip_loss(runs: UnitRuns, places: Sequence[int]) -> float:
    """Return how far a partition is from itself with the borders at places flipped."""
    if len(places) == 1:  # as most kinds have on a page
        return 1.0 - agreement_but_at(runs, places[0])
    flipped = sorted(set(runs.borders) ^ set(places))
    return 1.0 - agreement(runs.sums, runs.borders, flipped)


def agreement_but_at(runs: UnitRuns, place: int) -> float:
    """Return `agreement` of a partition with the one that differs from it at one border.

    Only the run that one of them halves loses; all other runs are equal.
    """
    borders, ends = runs.borders, runs.ends
    index = bisect_left(borders, place)
    start, middle, total = ends[index], runs.sums[place], ends[-1]
    is_border = index < len(borders) and borders[index] == place
    after = ends[index + 2 :] if is_border else ends[index + 1 :]
    left, right = middle - start, after[0] - middle
    alike = float(start)
    if left + right:
        alike = start + left * left / (left + right) + right * right / (left + right)
    alike = sum(map(sub, after[1:], after), alike)
    return 2 * alike * total / ((alike + total) * total)


def agreement(sums: Sequence[int], one: Sequence[int], other: Sequence[int]) -> float:
    """Return the B-cubed F of two partitions into runs, given by their borders.

    Equal to `pipeline.audit.agreement`, in a fraction of its time (20 against 700 µs for 300
    units): a hit needs up to MOST_KINDS of these.
    """
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
