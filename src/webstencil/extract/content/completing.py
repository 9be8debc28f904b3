"""What is added to the runs that score as content, and what is taken out again.

Cells of tables and items of lists are no prose: they come with the content that they are part of. A
page that has its article twice, for print or for sharing, gives it once.
"""

from collections.abc import Sequence
from itertools import accumulate

from webstencil.extract.content.blocks import data_tables
from webstencil.extract.content.names import BODY, HIDDEN
from webstencil.extract.content.runs import Runs

LISTS = frozenset({"ul", "ol", "dl"})
MOSTLY = 0.5  # of a list's text: if so much of it is content, all of it is
LONG = 40  # units from which a text that stands on a page twice is no coincidence
COPY = 0.4  # of the content: if so much of it are texts that came before, it is a copy


def with_tables(runs: Runs, kept: list[int], evidence: Sequence[int], *, body: bool) -> list[int]:
    """Add the tables of data that nothing speaks against, whose cells are no prose.

    Outside of what is named as the body, they must say that they hold data, and stand in its midst.
    """
    tables = data_tables(runs, short=body) if kept else ()
    if not tables:
        return kept
    held = range(len(runs)) if body else range(kept[0], kept[-1])
    cells = [run for run in evidence if runs.blocks[run] in tables and run in held]
    return sorted({*kept, *cells})


def with_lists(runs: Runs, kept: list[int], evidence: Sequence[int]) -> list[int]:
    """Add the rest of lists that are mostly content."""
    lists = [block for block, tag in enumerate(runs.tags) if tag in LISTS]
    if not lists or not kept:
        return kept
    chosen = frozenset(kept)
    whole = list(accumulate(runs.lengths, initial=0))
    parts = [length if run in chosen else 0 for run, length in enumerate(runs.lengths)]
    found = list(accumulate(parts, initial=0))
    inside: set[int] = set()
    for block in lists:
        start, end = runs.starts[block], runs.ends[block]
        if found[end] - found[start] >= MOSTLY * (whole[end] - whole[start]):
            inside.update(range(start, end))
    return sorted({*kept, *inside.intersection(evidence)})


def without_duplicates(runs: Runs, marks: Sequence[int], kept: Sequence[int]) -> list[int]:
    """Leave out long texts that stood on the page before, kept or not.

    A few that stood before in the content itself are its own: a refrain, a line of each recipe.
    """
    first: dict[str, int] = {}
    for run, text in enumerate(runs.texts):
        first.setdefault(text, run)
    lengths, before = runs.lengths, {run: first[runs.texts[run]] for run in kept}
    again = {run for run in kept if lengths[run] >= LONG and before[run] != run}
    size = sum([lengths[run] for run in again])
    if size < COPY * sum([lengths[run] for run in kept]):
        again = {run for run in again if marks[run] & ~BODY or before[run] not in before}
    return _without_hidden_copies(runs, marks, [run for run in kept if run not in again])


def _without_hidden_copies(runs: Runs, marks: Sequence[int], kept: list[int]) -> list[int]:
    """Leave out hidden runs that hold the text of several shown ones: a copy for machines."""
    hidden = [run for run in kept if marks[run] & HIDDEN]
    if not hidden or len(hidden) == len(kept):
        return kept
    shown = [run for run in kept if not marks[run] & HIDDEN and runs.lengths[run] >= LONG]
    copies = {run for run in hidden if _held(runs, shown, run) > MOSTLY * runs.lengths[run]}
    return [run for run in kept if run not in copies]


def _held(runs: Runs, others: Sequence[int], run: int) -> int:
    """Return how much of a run is the text of others."""
    return sum([runs.lengths[other] for other in others if runs.texts[other] in runs.texts[run]])
