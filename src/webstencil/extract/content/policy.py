"""Which parts of a page's content the user wants."""

from collections.abc import Sequence
from dataclasses import dataclass

from webstencil.extract.content.block_sums import data_tables
from webstencil.extract.content.choose import ASIDE, ContentChoice
from webstencil.extract.content.element_names import BITS, COMMENT
from webstencil.extract.content.text_runs import TextRuns

LEAST_COMMENT = 20  # units outside links; less is a button or a name


@dataclass(frozen=True, slots=True)
class Policy:
    """What belongs to the content besides the text itself."""

    comments: bool = False  # what readers wrote below it
    tables: bool = True  # tables of data
    captions: bool = True  # texts of images


def apply(policy: Policy, runs: TextRuns, choice: ContentChoice) -> tuple[int, ...]:
    """Return the runs of a choice that a policy allows, in document order."""
    marks = choice.marks
    kept = set(choice.runs)
    if policy.comments:
        kept |= _comments(runs, marks)
    if not policy.captions:
        kept -= {run for run in kept if marks[run] & BITS["caption"]}
    if not policy.tables:
        tables = data_tables(runs)
        kept -= {run for run in kept if runs.blocks[run] in tables}
    return tuple(sorted(kept))


def _comments(runs: TextRuns, marks: Sequence[int]) -> set[int]:
    """Find comments: text named a comment that no other name speaks against."""
    others = ASIDE & ~COMMENT
    return {
        run
        for run, mark in enumerate(marks)
        if mark & COMMENT
        and not mark & others
        and runs.lengths[run] - runs.links[run] >= LEAST_COMMENT
    }
