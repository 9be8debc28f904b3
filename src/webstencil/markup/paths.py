"""Path sets: the distinct paths from the root of a page to its leaves.

CPS paper, Definition 6 with the paper's two changes (section 6): elements only, and an element with
an id is named by tag and id. A path is kept as a 64-bit hash.
"""

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

NO_PARENT = -1  # of the root
MASK = (1 << 64) - 1  # a path's hash has 64 bits
MOST_PATHS = 1 << 14  # cached, about 400 bytes each
MULTIPLIER = 0x9E3779B97F4A7C15  # 2**64 / golden ratio, odd: spreads the bits (Knuth, TAOCP 6.4)


def path_set(labels: Iterable[str], parents: Iterable[int]) -> frozenset[int]:
    """Hash each distinct path from the root to an element without element children.

    Elements are counted from 0 in document order.
    """
    path = first_path()
    paths = {NO_PARENT: path}  # of elements with children
    leaves = set()
    for number, (parent, label) in enumerate(zip(parents, labels, strict=True)):
        if parent == number - 1:  # in document order, a first child follows its parent
            paths[parent] = path
        else:  # no child follows, so there is none
            leaves.add(path.hash)
        path = paths[parent][label]
    leaves.add(path.hash)
    return frozenset(leaves)


class Path(dict[str, "Path"]):
    """A path with its continuations by label, cached: pages of a site repeat them."""

    __slots__ = ("hash", "room")

    def __init__(self, known: int, room: list[int]) -> None:
        """Start at a path's hash; `room` holds how many more may be cached."""
        super().__init__()
        self.hash = known
        self.room = room

    def __missing__(self, label: str) -> "Path":
        longer = Path((self.hash ^ label_hash(label)) * MULTIPLIER & MASK, self.room)
        if self.room[0]:
            self.room[0] -= 1
            self[label] = longer
        return longer


def first_path() -> Path:
    """Return the path above a root; a full cache is cleared."""
    if not remembered().room[0]:
        remembered.cache_clear()
    return remembered()


@lru_cache(maxsize=1)
def remembered() -> Path:
    return Path(0, [MOST_PATHS])


@lru_cache(maxsize=1 << 16)
def label_hash(label: str) -> int:
    """Hash the name of an element in a path."""
    return int.from_bytes(blake2b(label.encode("utf-8", "surrogatepass"), digest_size=8).digest())
