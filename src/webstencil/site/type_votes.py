"""Pages of one template vote on the type of each.

What a page says of its type are the probabilities of all types, as small numbers: -16 times their
logarithms, rounded. So sums of them are exact, whatever their order, and what the pages of a
template say together is a function of the set of its pages. The type of a page comes from what it
says itself, and from the mean over its template.
"""

from collections.abc import Iterable, Sequence
from math import exp, log
from typing import NamedTuple

STEPS = 16  # of a natural logarithm: probabilities are right within 3 %
MOST = 255  # a probability of 1e-7 is none
FORMAT = 1  # first of the bytes; those of another format count for nothing
# How much a page's own say counts beside that of its template, 0..1. Of 0, 0.1, 0.2, 0.3, 0.5, 0.7
# and 1, types on 15 sites that no model had seen were best with 0.2 and 0.3 (docs/content.md).
OWN = 0.3


class TypedPage(NamedTuple):
    """What is known of a page besides its outline."""

    template: int | None  # its number, None if it is not decided
    types: bytes  # what it says of its type


UNSEEN = TypedPage(None, b"")  # a page that nothing is known of


def packed(shares: Sequence[float]) -> bytes:
    """Write the probabilities of types.

    >>> list(packed([1.0, 0.5, 0.0]))
    [1, 0, 11, 255]
    """
    least = exp(-MOST / STEPS)
    return bytes([FORMAT, *[round(-STEPS * log(max(one, least))) for one in shares]])


def is_readable(says: bytes) -> bool:
    """Return whether something is known of a type."""
    return says[:1] == bytes((FORMAT,))


def is_flat(says: bytes) -> bool:
    """Return whether all types are as probable: the page is an error, a login, an empty shell."""
    return len(set(says[1:])) == 1


def mean_of(votes: Iterable[bytes]) -> bytes:
    """Return what some pages say together; nothing if none of them tells types apart."""
    readable = [one for one in votes if is_readable(one) and not is_flat(one)]
    if not readable:
        return b""
    count = len(readable)
    sums = [sum(column) for column in zip(*[one[1:] for one in readable], strict=True)]
    return bytes([FORMAT, *[(2 * one + count) // (2 * count) for one in sums]])


def agreed(own: bytes, template: bytes) -> tuple[float, ...]:
    """Return the probabilities of types by a page and its template; none if nothing is known.

    A page that tells no types apart has none, whatever its template: an error page among articles.
    """
    template = b"" if is_readable(own) and is_flat(own) else template
    known = [one[1:] for one in (own, template) if is_readable(one)]
    if not known:
        return ()
    mine, ours = known[0], known[-1]
    scores = [OWN * one + (1 - OWN) * two for one, two in zip(mine, ours, strict=True)]
    best = min(scores)
    raised = [exp((best - score) / STEPS) for score in scores]
    whole = sum(raised)
    return tuple([one / whole for one in raised])
