"""Sums over the blocks of a page."""

from collections.abc import Iterable, Sequence
from itertools import accumulate

from webstencil.extract.content.text_runs import NO_BLOCK, TextRuns
from webstencil.model import inherited

DATA_TABLE = frozenset({"th", "thead", "caption"})  # in tables of data, not layout

CELLS = 6  # a table of data has at least so many
SHORT_CELL = 60  # units, on average
FEW_LINKS = 0.3  # of the text of a table


def below(runs: TextRuns, values: Iterable[float]) -> list[float]:
    """Sum up a value of the runs over each block and its descendants."""
    sums = list(accumulate(values, initial=0))
    return [sums[end] - sums[start] for start, end in zip(runs.starts, runs.ends, strict=True)]


def deepest_best(sums: Sequence[float]) -> int:
    """Return the deepest of the blocks with the largest sum."""
    least = max(sums) - TIE
    return max([block for block, value in enumerate(sums) if value >= least])


def common_block(runs: TextRuns, chosen: Sequence[int]) -> int:
    """Return the deepest block around some runs, which are in document order."""
    first, last = chosen[0], chosen[-1]
    around = enumerate(zip(runs.starts, runs.ends, strict=True))
    return max(block for block, (start, end) in around if start <= first and last < end)


def data_tables(runs: TextRuns, *, short: bool = True) -> frozenset[int]:
    """Return the blocks in tables of data: with headings or, if `short`, with short cells."""
    if "table" not in runs.tags:
        return frozenset()
    tables = [block if tag == "table" else None for block, tag in enumerate(runs.tags)]
    owners = inherited(runs.parents, tables)  # the innermost table around each block
    data = {owner for owner, tag in zip(owners, runs.tags, strict=True) if tag in DATA_TABLE}
    if short:
        data |= {table for table in set(owners) if table >= 0 and _has_short_cells(runs, table)}
    data.discard(NO_BLOCK)
    return frozenset([block for block, owner in enumerate(owners) if owner in data])


def has_cells(runs: TextRuns, table: int) -> bool:
    """Return whether a table has many short texts, so that it is not the layout of an article."""
    lengths = runs.lengths[runs.starts[table] : runs.ends[table]]
    return len(lengths) >= CELLS and sum(lengths) < SHORT_CELL * len(lengths)


def _has_short_cells(runs: TextRuns, table: int) -> bool:
    held = slice(runs.starts[table], runs.ends[table])
    within = runs.tags[table + 1 : max(runs.blocks[held]) + 1]
    return (
        has_cells(runs, table)
        and sum(runs.links[held]) < FEW_LINKS * sum(runs.lengths[held])
        and "table" not in within
    )


TIE = 1e-6  # sums that differ by less are equal, but for the order of adding
