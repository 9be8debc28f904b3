"""Sums over the blocks of a page."""

from collections.abc import Iterable, Sequence

from webstencil.extract.content.runs import Runs

DATA_TABLE = frozenset({"th", "thead", "caption"})  # what a table has that holds data, not layout


def below(runs: Runs, values: Iterable[float]) -> list[float]:
    """Add up a value of the runs over each block and all below it."""
    sums = [0.0] * len(runs.tags)
    for block, value in zip(runs.blocks, values, strict=True):
        sums[block] += value
    parents = runs.parents
    for block in range(len(sums) - 1, 0, -1):  # children come after their parents
        parent = parents[block]
        if parent >= 0:
            sums[parent] += sums[block]
    return sums


def deepest_best(sums: Sequence[float]) -> int:
    """Return the deepest of the blocks with the largest sum."""
    best, most = 0, float("-inf")
    for block, value in enumerate(sums):
        if value >= most - TIE:
            best, most = block, value
    return best


def inside(runs: Runs, container: int) -> list[bool]:
    """Tell of each run whether it is inside a block."""
    within = [False] * len(runs.tags)
    for block, parent in enumerate(runs.parents):
        within[block] = block == container or (parent >= 0 and within[parent])
    return [within[block] for block in runs.blocks]


def common_block(runs: Runs, chosen: Sequence[int]) -> int:
    """Return the deepest block around all of some runs."""
    last = len(chosen) - TIE
    counts = below(runs, map(float, map(frozenset(chosen).__contains__, range(len(runs)))))
    return max(block for block, count in enumerate(counts) if count >= last)


def data_tables(runs: Runs) -> list[bool]:
    """Tell of each block whether it is inside a table of data."""
    owners: list[int] = []  # the innermost table around each block
    for block, parent in enumerate(runs.parents):
        around = owners[parent] if parent >= 0 else -1
        owners.append(block if runs.tags[block] == "table" else around)
    data = {owner for owner, tag in zip(owners, runs.tags, strict=True) if tag in DATA_TABLE}
    return [owner >= 0 and owner in data for owner in owners]


TIE = 1e-6  # sums that differ by less are equal: they were added up in different orders
