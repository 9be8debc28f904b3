"""Complete the runs that score as content, and remove duplicates.

Cells of tables and items of lists are not prose: they follow the content they are part of. An
article that is on its page twice, for print or for sharing, is kept once.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TypeAlias

from webstencil.extract.content.block_sums import FEW_LINKS
from webstencil.extract.content.element_names import BODY, HIDDEN
from webstencil.extract.content.text_runs import TextRuns

Blocks: TypeAlias = frozenset[int]  # in tables of data
LISTS = frozenset({"ul", "ol", "dl"})
MOSTLY = 0.5  # share of a list's or table's text: if so much is content, all of it is
OF_TABLE = 0.3  # the same for a table of data
HEADLINE = "h1"
CAPTION = "figcaption"
QUOTE = "blockquote"
HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
ANNOUNCING = HEADINGS | {"p"}
COLONS = ":\N{FULLWIDTH COLON}"
LONG = 40  # units from which a repeated text is no coincidence
LONGEST_GAP = 40  # runs between two of the content that may belong to it
COPY = 0.4  # share of the content: if so much is repeated text, it is a copy


def with_lists(runs: TextRuns, kept: list[int], evidence: Sequence[int]) -> list[int]:
    """Add the rest of lists that are mostly content."""
    lists = [block for block, tag in enumerate(runs.tags) if tag in LISTS]
    return sorted({*kept, *_mostly_kept(runs, kept, lists).intersection(evidence)})


def with_quotes(runs: TextRuns, kept: list[int], *, inside: bool) -> list[int]:
    """Add the rest of quotes that are mostly content: who said it, whatever names it has.

    With `inside`, also quotes between two texts of the content, such as posts of other sites.
    """
    quotes = [block for block, tag in enumerate(runs.tags) if tag == QUOTE]
    found = {*kept, *_mostly_kept(runs, kept, quotes)}
    for block in quotes if inside else ():
        held = range(runs.starts[block], runs.ends[block])
        if {held.start - 1, held.stop} <= found and not _is_linked(runs, block, MOSTLY):
            found.update(held)
    return sorted(found)


def with_insets(
    runs: TextRuns, kept: list[int], opposed: Sequence[bool], tables: Blocks
) -> list[int]:
    """Add lists and tables that a text of the content announces, or that are inside of it.

    They must be neither layout nor menus: what is `opposed`, or mostly links, is left out. A
    heading or a paragraph right before one announces it, too; one of links if content follows.
    """
    chosen = frozenset(kept)
    inside: set[int] = set()
    for block, tag in enumerate(runs.tags):
        if tag not in LISTS and (tag != "table" or block not in tables):
            continue
        held = range(runs.starts[block], runs.ends[block])
        if (
            held.start - 1 in chosen
            and (
                not chosen.isdisjoint((held.start, held.stop))
                or runs.texts[held.start - 1][-1] in COLONS
                or (_is_beside(runs, held, block) and _is_own(runs, held, opposed))
            )
            and _follows(runs, held, block)
            and _belongs(runs, held, block, opposed)
        ):
            inside.update([run for run in held if not opposed[run]])
    return sorted({*kept, *inside})


def with_headings(
    runs: TextRuns, kept: list[int], opposed: Sequence[bool], named: Sequence[bool]
) -> list[int]:
    """Add the headings inside of the content, except for the lines below its headline.

    Siblings may have a heading if its section is content: "Parameters" in a reference is nothing
    without the parameters, and they are damaged without it. What only its own names speak against
    (`named`), or is a link, stays out.
    """
    chosen = set(kept)
    for run in kept[1:]:
        first = run
        while _is_heading(runs, first - 1, opposed) or (
            not opposed[run]
            and _is_heading(runs, first - 1, named)
            and _heads(runs, first - 1, run)
        ):
            first -= 1
        if first > kept[0] and runs.tags[runs.blocks[first - 1]] != HEADLINE:
            chosen.update(range(first, run))
    return sorted(chosen)


def _heads(runs: TextRuns, heading: int, run: int) -> bool:
    """Return whether a run is in the section of a heading: the block around it, no matter how deep.

    Blocks that hold nothing but the heading are part of it.
    """
    block = runs.blocks[heading]
    while runs.parents[block] >= 0 and runs.ends[block] - runs.starts[block] == 1:
        block = runs.parents[block]
    return runs.starts[block] <= run < runs.ends[block]


def with_middle(
    runs: TextRuns, kept: list[int], opposed: Sequence[bool], heading: int
) -> list[int]:
    """Add what stands between two runs of the content in a block that is mostly content.

    A gap with more than a few runs, with names against it or with many links stays out; so does
    one right below the heading of the page, which is the place of its byline.
    """
    sizes = list(accumulate(runs.lengths, initial=0))
    links = list(accumulate(runs.links, initial=0))
    against = list(accumulate(opposed, initial=0))
    chosen = frozenset(kept)
    parts = [length if run in chosen else 0 for run, length in enumerate(runs.lengths)]
    found = list(accumulate(parts, initial=0))
    inside: list[int] = []
    for before, after in pairwise(kept):
        start = before + 1
        if before == heading:
            continue
        if not 1 < after - before <= LONGEST_GAP or against[after] > against[start]:
            continue
        if links[after] - links[start] > MOSTLY * (sizes[after] - sizes[start]):
            continue
        block = runs.blocks[before]
        while runs.ends[block] <= after and runs.parents[block] >= 0:
            block = runs.parents[block]
        first, end = runs.starts[block], runs.ends[block]
        if found[end] - found[first] > MOSTLY * (sizes[end] - sizes[first]):
            inside.extend(range(start, after))
    return sorted({*kept, *inside})


def without_repeats(runs: TextRuns, kept: Sequence[int]) -> list[int]:
    """Drop texts of several words that were kept before, as in quotes of posts and double cards.

    A quote that is mostly such texts is dropped as a whole, not left with holes.
    """
    first: dict[str, int] = {}
    for run in kept:
        first.setdefault(runs.texts[run], run)
    again = [run for run in kept if first[runs.texts[run]] != run and runs.lengths[run] >= LONG]
    quotes = [block for block, tag in enumerate(runs.tags) if tag == QUOTE]
    dropped = {*again, *_mostly_kept(runs, again, quotes)}
    return [run for run in kept if run not in dropped]


def _is_heading(runs: TextRuns, run: int, opposed: Sequence[bool]) -> bool:
    """Return whether a run is a heading that is not a link."""
    tag = runs.tags[runs.blocks[run]]
    return tag in HEADINGS and _is_own(runs, range(run, run + 1), opposed)


def _follows(runs: TextRuns, held: range, block: int) -> bool:
    """Return whether the run before a block is in an ancestor of the block."""
    around = runs.parents[block]
    while around > 0 and runs.starts[around] == held.start and runs.ends[around] == held.stop:
        around = runs.parents[around]
    return around >= 0 and runs.starts[around] < held.start


def _belongs(runs: TextRuns, held: range, block: int, opposed: Sequence[bool]) -> bool:
    """Return whether a list is no menu, or is announced and not opposed.

    A colon announces it, and so does the paragraph beside it if the content goes on below.
    """
    if _is_beside(runs, held, block) or runs.texts[held.start - 1][-1] in COLONS:
        return sum([opposed[run] for run in held]) < MOSTLY * len(held)
    return _is_own(runs, held, opposed)


def _is_beside(runs: TextRuns, held: range, block: int) -> bool:
    """Return whether a heading or a paragraph stands right before a block, beside it."""
    before = runs.blocks[held.start - 1]
    return runs.tags[before] in ANNOUNCING and runs.parents[before] == runs.parents[block]


def _is_own(runs: TextRuns, held: range, opposed: Sequence[bool]) -> bool:
    """Return whether some runs are not a menu."""
    size = sum([runs.lengths[run] for run in held])
    against = sum([runs.lengths[run] if opposed[run] else runs.links[run] for run in held])
    return against < MOSTLY * size


def with_cells(runs: TextRuns, kept: list[int], tables: Blocks) -> list[int]:
    """Add repeated cells of tables of data that are mostly content, to keep the columns."""
    whole = [block for block in tables if runs.tags[block] == "table"]
    plain = [block for block in whole if not _is_linked(runs, block)]
    found = _mostly_kept(runs, kept, whole) | _mostly_kept(runs, kept, plain, OF_TABLE)
    return sorted({*kept, *found})


def _is_linked(runs: TextRuns, block: int, share: float = FEW_LINKS) -> bool:
    """Return whether a block has many links."""
    held = slice(runs.starts[block], runs.ends[block])
    return sum(runs.links[held]) >= share * sum(runs.lengths[held])


def with_captions(runs: TextRuns, kept: list[int]) -> list[int]:
    """Add the captions of figures inside of the content."""
    inside = range(kept[0], kept[-1]) if kept else range(0)
    found = [run for run in inside if runs.tags[runs.blocks[run]] == CAPTION]
    return sorted({*kept, *found})


def _mostly_kept(
    runs: TextRuns, kept: Sequence[int], blocks: Sequence[int], share: float = MOSTLY
) -> set[int]:
    """Return the runs in those blocks that are content to more than a share."""
    if not blocks or not kept:
        return set()
    chosen = frozenset(kept)
    whole = list(accumulate(runs.lengths, initial=0))
    parts = [length if run in chosen else 0 for run, length in enumerate(runs.lengths)]
    found = list(accumulate(parts, initial=0))
    inside: set[int] = set()
    for block in blocks:
        start, end = runs.starts[block], runs.ends[block]
        if found[end] - found[start] >= share * (whole[end] - whole[start]):
            inside.update(range(start, end))
    return inside


def without_duplicates(runs: TextRuns, marks: Sequence[int], kept: Sequence[int]) -> list[int]:
    """Drop long texts of the content that it has before, so that no text is lost.

    A few in the body of the page stay: a refrain, a line of each recipe.
    """
    first: dict[str, int] = {}
    for run in kept:
        first.setdefault(runs.texts[run], run)
    lengths = runs.lengths
    again = {run for run in kept if lengths[run] >= LONG and first[runs.texts[run]] != run}
    size = sum([lengths[run] for run in again])
    if size < COPY * sum([lengths[run] for run in kept]):
        again = {run for run in again if marks[run] & ~BODY}
    return _without_hidden_copies(runs, marks, [run for run in kept if run not in again])


def _without_hidden_copies(runs: TextRuns, marks: Sequence[int], kept: list[int]) -> list[int]:
    """Drop hidden runs that repeat several visible ones: a copy for machines."""
    hidden = [run for run in kept if marks[run] & HIDDEN]
    if not hidden or len(hidden) == len(kept):
        return kept
    shown = [run for run in kept if not marks[run] & HIDDEN and runs.lengths[run] >= LONG]
    copies = {run for run in hidden if _held(runs, shown, run) > MOSTLY * runs.lengths[run]}
    return [run for run in kept if run not in copies]


def _held(runs: TextRuns, others: Sequence[int], run: int) -> int:
    """Return how much of a run's text is that of others."""
    return sum([runs.lengths[other] for other in others if runs.texts[other] in runs.texts[run]])
