"""Pages of one template vote on their type.

What a page says of its type are the probabilities of all types, as small numbers: -16 times their
logarithms, rounded. So sums of them are exact, whatever their order, and what the pages of a
template say together is a function of the set of its pages. One page in EACH has a vote, by the
hash of its URL, since to ask a page costs more than its outline. The pages of a template whose
votes are sure have the type of these; if they are not, as where two kinds of pages have one
template, each page is asked, too.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from math import exp, log
from typing import NamedTuple

from webstencil.urls import sampling_key

STEPS_OF_LOG = 16  # of a natural logarithm: probabilities are right within 3 %
LEAST_PROBABLE = 255  # a probability of 1e-7 is none
TYPES_FORMAT = 1  # first of the bytes; those of another format count for nothing
EACH = 4  # pages, of which one has a vote
FEWEST_VOTES = 2  # votes of a template that count
SURE_TEMPLATE = 0.9  # 0..1, probability of a type from which the votes of a template decide alone
# How much a page's own say counts beside that of its template, 0..1. Of 0, 0.1, 0.2, 0.3, 0.5, 0.7
# and 1, types on 15 sites that no model had seen were best with 0.2 and 0.3 (notebook/content.md).
OWN_SAY = 0.3


LEAST_TYPE_PROBABILITY = 0.25  # 0..1, probability from which a page has a type


class PageType(StrEnum):
    """What a page is to its reader."""

    ARTICLE = "article"
    COLLECTION = "collection"
    DOCUMENTATION = "documentation"
    FORUM = "forum"
    LISTING = "listing"
    PRODUCT = "product"
    SERVICE = "service"
    OTHER = "other"


TYPES = tuple(one for one in PageType if one is not PageType.OTHER)


class TypedPage(NamedTuple):
    """What is known of a page besides its outline."""

    template: int | None  # its number, None if it is not decided
    types: bytes  # what it says of its type


UNKNOWN_PAGE = TypedPage(None, b"")  # a page that nothing is known of


def has_vote(url: str) -> bool:
    """Return whether a page votes on the type of its template."""
    return sampling_key(url) % EACH == 0


def packed_types(shares: Sequence[float]) -> bytes:
    """Write the probabilities of types.

    >>> list(packed([1.0, 0.5, 0.0]))
    [1, 0, 11, 255]
    """
    least = exp(-LEAST_PROBABLE / STEPS_OF_LOG)
    return bytes([TYPES_FORMAT, *[round(-STEPS_OF_LOG * log(max(one, least))) for one in shares]])


def is_readable(says: bytes) -> bool:
    """Return whether something is known of a type."""
    return says[:1] == bytes((TYPES_FORMAT,))


def is_flat(says: bytes) -> bool:
    """Return whether all types are as probable: the page is an error, a login, an empty shell."""
    return len(set(says[1:])) == 1


def mean_of_votes(votes: Iterable[bytes]) -> bytes:
    """Return what some pages say together; nothing if too few of them tell types apart."""
    readable = [one for one in votes if is_readable(one) and not is_flat(one)]
    if len(readable) < FEWEST_VOTES:
        return b""
    count = len(readable)
    sums = [sum(column) for column in zip(*[one[1:] for one in readable], strict=True)]
    return bytes([TYPES_FORMAT, *[(2 * one + count) // (2 * count) for one in sums]])


def decides(template: bytes) -> bool:
    """Return whether a template has the votes to decide alone."""
    return is_readable(template) and max(_shares(template[1:])) >= SURE_TEMPLATE


def agreed(own: bytes, template: bytes) -> tuple[float, ...]:
    """Return the probabilities of types by a template and, if it is not sure, by the page.

    Those that are not known do not count; none if neither is.
    """
    if decides(template) or not is_readable(own):
        return _shares(template[1:]) if is_readable(template) else ()
    if is_flat(own) or not is_readable(template):
        return _shares(own[1:])
    pairs = zip(own[1:], template[1:], strict=True)
    return _shares([OWN_SAY * one + (1 - OWN_SAY) * two for one, two in pairs])


def _shares(says: Sequence[float]) -> tuple[float, ...]:
    raised = [exp((min(says) - one) / STEPS_OF_LOG) for one in says]
    whole = sum(raised)
    return tuple([one / whole for one in raised])


def named_type(shares: Sequence[float]) -> tuple[PageType, float]:
    """Return the most probable type, and its probability; `other` if none is sure."""
    best = max(range(len(TYPES)), key=lambda place: shares[place])
    return (TYPES[best] if shares[best] >= LEAST_TYPE_PROBABILITY else PageType.OTHER), shares[best]


def voted_type(own: bytes, template: bytes) -> tuple[str | None, float | None]:
    """Return the type of a page and its probability by what it and its template say.

    None if neither says anything.
    """
    shares = agreed(own, template)
    if not shares:
        return None, None
    kind, sure = named_type(shares)
    return kind.value, round(sure, 3)
