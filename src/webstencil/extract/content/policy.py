"""Which parts of a page's content the user wants."""

from collections.abc import Sequence
from dataclasses import dataclass

from webstencil.extract.content.block_sums import data_tables
from webstencil.extract.content.choose import ASIDE, ContentChoice
from webstencil.extract.content.element_names import BITS, COMMENT
from webstencil.extract.content.page_types import PageType, named
from webstencil.extract.content.text_runs import TextRuns

LEAST_COMMENT = 20  # units outside links; less is a button or a name
CARDS = 4  # equal blocks from which they are cards
CARD_RUNS = 12  # runs up to which a repeated block is a card
RELATED = BITS["related"]
DEFINITIONS = frozenset({"dl", "dt", "dd"})


@dataclass(frozen=True, slots=True)
class Policy:
    """What belongs to the content besides the text itself."""

    comments: bool = False  # what readers wrote below it
    tables: bool = True  # tables of data
    captions: bool = True  # texts of images
    cards: bool = True  # repeated blocks with links: products, teasers
    related: bool = False  # links to other pages that are named as such
    specifications: bool = True  # tables and definitions of a product


def apply(policy: Policy, runs: TextRuns, choice: ContentChoice) -> tuple[int, ...]:
    """Return the runs of a choice that a policy allows, in document order."""
    marks = choice.marks
    kept = set(choice.runs)
    if policy.comments:
        kept |= _added(runs, marks, COMMENT)
    if policy.related:
        kept |= _added(runs, marks, RELATED)
    if not policy.captions:
        kept -= {run for run in kept if marks[run] & BITS["caption"]}
    if not policy.tables or not policy.specifications:
        kept -= _tables(policy, runs, choice)
    if not policy.cards:
        kept -= _cards(runs, choice)
    return tuple(sorted(kept))


def _added(runs: TextRuns, marks: Sequence[int], group: int) -> set[int]:
    """Find text with a name that no other name speaks against, such as comments."""
    others = ASIDE & ~group
    return {
        run
        for run, mark in enumerate(marks)
        if mark & group
        and not mark & others
        and runs.lengths[run] - (runs.links[run] if group == COMMENT else 0) >= LEAST_COMMENT
    }


def _tables(policy: Policy, runs: TextRuns, choice: ContentChoice) -> set[int]:
    """Find the tables that are not wanted, and the definitions of a product."""
    product = named(choice.types)[0] is PageType.PRODUCT
    if policy.tables and not product:
        return set()
    tables = data_tables(runs)
    found = {run for run in choice.runs if runs.blocks[run] in tables}
    if product and not policy.specifications:
        found |= {run for run in choice.runs if runs.tags[runs.blocks[run]] in DEFINITIONS}
    return found


def _cards(runs: TextRuns, choice: ContentChoice) -> set[int]:
    """Find the runs in cards: small blocks with a link that are repeated, except for posts."""
    if choice.shape is None or named(choice.types)[0] is PageType.FORUM:
        return set()
    found = set()
    for run in choice.runs:
        block = runs.blocks[run]
        for times, card in zip(
            choice.shape.repeats[block], (block, *choice.shape.containers[block]), strict=False
        ):
            start, end = runs.starts[card], runs.ends[card]
            if times >= CARDS and 1 < end - start <= CARD_RUNS and any(runs.links[start:end]):
                found.add(run)
    return found
