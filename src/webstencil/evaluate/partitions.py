"""How well two partitions of the same things agree."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from math import exp, lgamma, log

SAME = 1e-12  # differences of information (nats) below this come from rounding


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
    return (mutual - expected) / (most - expected) if most - expected > SAME else 0.0


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
