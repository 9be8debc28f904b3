"""Path sets: the distinct ways from the root of a page to its leaves.

CPS paper, Definition 6 with the paper's two changes (section 6): elements only, and an element with
an id is named by both. A path is kept as a 64-bit hash.
"""

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

NO_PARENT = -1  # of the root
MASK = (1 << 64) - 1  # a path's hash has 64 bits
MULTIPLIER = 0x9E3779B97F4A7C15  # 2**64 / golden ratio, odd: spreads the bits (Knuth, TAOCP 6.4)


def path_set(labels: Iterable[str], parents: Iterable[int]) -> frozenset[int]:
    """Hash each distinct path from the root to an element without element children."""
    hashes: list[int] = []
    leaves = set()
    last, path = NO_PARENT, 0
    for label, parent in zip(map(label_hash, labels), parents, strict=True):
        if parent != last:  # in document order a first child follows its parent: `last` has none
            leaves.add(path)
            path = hashes[parent]
        path = (path ^ label) * MULTIPLIER & MASK
        hashes.append(path)
        last += 1
    leaves.add(path)
    return frozenset(leaves)


@lru_cache(maxsize=1 << 16)
def label_hash(label: str) -> int:
    """Hash the name of an element in a path."""
    return int.from_bytes(blake2b(label.encode("utf-8", "surrogatepass"), digest_size=8).digest())
