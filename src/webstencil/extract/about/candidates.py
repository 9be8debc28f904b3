"""Candidates for a fact of a page, the signs that speak for and against each, and their ranking.

Every place of a page that may hold a fact adds a candidate; equal ones are one, with the signs of
all. The score of a candidate is the sum of the weights of its signs, and its confidence follows by
the softmax over all candidates and "none of them". So each answer can be explained by its signs.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import exp, inf

from webstencil.markup import Node

NONE = "none"  # the sign of "no candidate is right"


@dataclass(slots=True)
class FactCandidate:
    """A value that may be the fact."""

    text: str
    signs: set[str] = field(default_factory=set)
    hows: list[str] = field(default_factory=list)  # where it was found
    node: Node | None = None  # None if no element has it


class Candidates:
    """The candidates of a page by a key that equal values share."""

    def __init__(self) -> None:
        self.known: dict[str, FactCandidate] = {}

    def __iter__(self) -> Iterator[FactCandidate]:
        return iter(self.known.values())

    def add(
        self, key: str, text: str, how: str, signs: Iterable[str], node: Node | None = None
    ) -> FactCandidate:
        """Add a value, or more signs to the one that is known."""
        one = self.known.get(key)
        if one is None:
            one = self.known[key] = FactCandidate(text)
        one.signs.update(signs)
        if how not in one.hows:
            one.hows.append(how)
        if one.node is None:
            one.node = node
        return one


OF_ENTRY = "of an entry"  # the sign of what is about one of the entries of a list
OF_PAGE = "of the page"  # the sign of what stands between the main heading and any entry
TOLD = ("json", "meta", "url", OF_PAGE)  # beginnings of signs of what is about the whole page


def own(candidates: Candidates) -> Candidates:
    """Leave out what is about entries of a list, unless the page tells it of itself."""
    for key, one in list(candidates.known.items()):
        if OF_ENTRY in one.signs and not any(sign.startswith(TOLD) for sign in one.signs):
            del candidates.known[key]
    return candidates


@dataclass(frozen=True, slots=True)
class Ranked:
    """The best candidate, and how sure it is."""

    candidate: FactCandidate
    confidence: float  # 0..1


def score(signs: Iterable[str], weights: Mapping[str, float]) -> float:
    """Add up the weights of signs; unknown ones do not count."""
    return sum(weights.get(sign, 0.0) for sign in sorted(signs))


def best(
    candidates: Iterable[FactCandidate], weights: Mapping[str, float], against: Iterable[str]
) -> Ranked | None:
    """Return the best candidate; None if "none of them", with the signs `against`, is likelier."""
    scored = [(score(one.signs, weights), one) for one in candidates]
    if not scored:
        return None
    none = score((NONE, *against), weights) if NONE in weights else -inf
    top = max(value for value, _ in scored)
    if none > top:
        return None
    total = sum(exp(value - top) for value, _ in scored) + exp(none - top)
    chosen = next(one for value, one in scored if value == top)
    return Ranked(chosen, 1 / total)
