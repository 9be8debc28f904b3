"""Pages of one template vote on their type.

What a page says of its type are the probabilities of all types, as small numbers: -16 times their
logarithms, rounded. So sums of them are exact, whatever their order, and what the pages of a
template say together is a function of the set of its pages. One page in EACH has a vote, by the
hash of its URL, since to ask a page costs more than its outline. The pages of a template with
enough votes have the type of these; others have their own.
"""

from collections.abc import Iterable, Sequence
from math import exp, log
from typing import NamedTuple

from webstencil.site.site_model import key_of

STEPS = 16  # of a natural logarithm: probabilities are right within 3 %
MOST = 255  # a probability of 1e-7 is none
FORMAT = 1  # first of the bytes; those of another format count for nothing
EACH = 4  # pages, of which one has a vote
FEWEST = 2  # votes of a template that decide


class TypedPage(NamedTuple):
    """What is known of a page besides its outline."""

    template: int | None  # its number, None if it is not decided
    types: bytes  # what it says of its type


UNSEEN = TypedPage(None, b"")  # a page that nothing is known of


def has_vote(url: str) -> bool:
    """Return whether a page votes on the type of its template."""
    return key_of(url) % EACH == 0


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
    """Return what some pages say together; nothing if too few of them tell types apart."""
    readable = [one for one in votes if is_readable(one) and not is_flat(one)]
    if len(readable) < FEWEST:
        return b""
    count = len(readable)
    sums = [sum(column) for column in zip(*[one[1:] for one in readable], strict=True)]
    return bytes([FORMAT, *[(2 * one + count) // (2 * count) for one in sums]])


def agreed(own: bytes, template: bytes) -> tuple[float, ...]:
    """Return the probabilities of types by a template, or else by the page; none if not known."""
    says = template if is_readable(template) else own
    if not is_readable(says):
        return ()
    raised = [exp((min(says[1:]) - one) / STEPS) for one in says[1:]]
    whole = sum(raised)
    return tuple([one / whole for one in raised])
