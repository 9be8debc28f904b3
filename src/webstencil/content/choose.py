"""Which runs of a page are its content.

Each run has a score, the probability that it is content (`model`), unless many other pages
of the site have it. The runs with the largest expected F1 are the content; then lists, tables and
headings are completed, and what is there twice is dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import mul
from typing import TypeAlias

import numpy as np

from webstencil.content.model import ContentModel, PageFeatures, fitted, run_scores
from webstencil.content.page_features import PageShape
from webstencil.content.page_types import LIKELY, has_cards
from webstencil.content.run_features import Row, RunLooks, leads_title, likeness
from webstencil.content.runs import (
    APART,
    BODY_NAME,
    COMMENT_NAME,
    FEW_TABLE_LINKS,
    HIDDEN_NAME,
    LIST_BLOCKS,
    NAME_GROUPS,
    NO_BLOCK,
    TextRuns,
    data_table_blocks,
    sums_by_block,
)
from webstencil.site.type_votes import TYPES, PageType

# Complete the runs that score as content, and remove duplicates.
#
# Cells of tables and items of lists are not prose: they follow the content they are part of. An
# article that is on its page twice, for print or for sharing, is kept once.

Blocks: TypeAlias = frozenset[int]  # in tables of data
MOSTLY_CONTENT = 0.5  # share of a list's or table's text: if so much is content, all of it is
OF_TABLE = 0.3  # the same for a table of data
MAIN_HEADING = "h1"
CAPTION_TAG = "figcaption"
QUOTE = "blockquote"
LOWER_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
ANNOUNCING = LOWER_HEADINGS | {"p"}
COLONS = ":\N{FULLWIDTH COLON}"
LONG_REPEAT = 40  # units from which a repeated text is no coincidence
LONGEST_GAP = 40  # runs between two of the content that may belong to it
COPY = 0.4  # share of the content: if so much is repeated text, it is a copy


def with_lists(runs: TextRuns, kept: list[int], evidence: Sequence[int]) -> list[int]:
    """Add the rest of lists that are mostly content."""
    lists = [block for block, tag in enumerate(runs.tags) if tag in LIST_BLOCKS]
    return sorted({*kept, *_mostly_kept(runs, kept, lists).intersection(evidence)})


def with_quotes(runs: TextRuns, kept: list[int], *, inside: bool) -> list[int]:
    """Add the rest of quotes that are mostly content: who said it, whatever names it has.

    With `inside`, also quotes between two texts of the content, such as posts of other sites.
    """
    quotes = [block for block, tag in enumerate(runs.tags) if tag == QUOTE]
    found = {*kept, *_mostly_kept(runs, kept, quotes)}
    for block in quotes if inside else ():
        held = range(runs.starts[block], runs.ends[block])
        if {held.start - 1, held.stop} <= found and not _is_linked(runs, block, MOSTLY_CONTENT):
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
        if tag not in LIST_BLOCKS and (tag != "table" or block not in tables):
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
        if first > kept[0] and runs.tags[runs.blocks[first - 1]] != MAIN_HEADING:
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
        if links[after] - links[start] > MOSTLY_CONTENT * (sizes[after] - sizes[start]):
            continue
        block = runs.blocks[before]
        while runs.ends[block] <= after and runs.parents[block] >= 0:
            block = runs.parents[block]
        first, end = runs.starts[block], runs.ends[block]
        if found[end] - found[first] > MOSTLY_CONTENT * (sizes[end] - sizes[first]):
            inside.extend(range(start, after))
    return sorted({*kept, *inside})


def without_repeats(runs: TextRuns, kept: Sequence[int]) -> list[int]:
    """Drop texts of several words that were kept before, as in quotes of posts and double cards.

    A quote that is mostly such texts is dropped as a whole, not left with holes.
    """
    first: dict[str, int] = {}
    for run in kept:
        first.setdefault(runs.texts[run], run)
    again = [
        run for run in kept if first[runs.texts[run]] != run and runs.lengths[run] >= LONG_REPEAT
    ]
    quotes = [block for block, tag in enumerate(runs.tags) if tag == QUOTE]
    dropped = {*again, *_mostly_kept(runs, again, quotes)}
    return [run for run in kept if run not in dropped]


def _is_heading(runs: TextRuns, run: int, opposed: Sequence[bool]) -> bool:
    """Return whether a run is a heading that is not a link."""
    tag = runs.tags[runs.blocks[run]]
    return tag in LOWER_HEADINGS and _is_own(runs, range(run, run + 1), opposed)


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
        return sum([opposed[run] for run in held]) < MOSTLY_CONTENT * len(held)
    return _is_own(runs, held, opposed)


def _is_beside(runs: TextRuns, held: range, block: int) -> bool:
    """Return whether a heading or a paragraph stands right before a block, beside it."""
    before = runs.blocks[held.start - 1]
    return runs.tags[before] in ANNOUNCING and runs.parents[before] == runs.parents[block]


def _is_own(runs: TextRuns, held: range, opposed: Sequence[bool]) -> bool:
    """Return whether some runs are not a menu."""
    size = sum([runs.lengths[run] for run in held])
    against = sum([runs.lengths[run] if opposed[run] else runs.links[run] for run in held])
    return against < MOSTLY_CONTENT * size


def with_cells(runs: TextRuns, kept: list[int], tables: Blocks) -> list[int]:
    """Add repeated cells of tables of data that are mostly content, to keep the columns."""
    whole = [block for block in tables if runs.tags[block] == "table"]
    plain = [block for block in whole if not _is_linked(runs, block)]
    found = _mostly_kept(runs, kept, whole) | _mostly_kept(runs, kept, plain, OF_TABLE)
    return sorted({*kept, *found})


def _is_linked(runs: TextRuns, block: int, share: float = FEW_TABLE_LINKS) -> bool:
    """Return whether a block has many links."""
    held = slice(runs.starts[block], runs.ends[block])
    return sum(runs.links[held]) >= share * sum(runs.lengths[held])


def _mostly_kept(
    runs: TextRuns, kept: Sequence[int], blocks: Sequence[int], share: float = MOSTLY_CONTENT
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
    again = {run for run in kept if lengths[run] >= LONG_REPEAT and first[runs.texts[run]] != run}
    size = sum([lengths[run] for run in again])
    if size < COPY * sum([lengths[run] for run in kept]):
        again = {run for run in again if marks[run] & ~BODY_NAME}
    return _without_hidden_copies(runs, marks, [run for run in kept if run not in again])


def _without_hidden_copies(runs: TextRuns, marks: Sequence[int], kept: list[int]) -> list[int]:
    """Drop hidden runs that repeat several visible ones: a copy for machines."""
    hidden = [run for run in kept if marks[run] & HIDDEN_NAME]
    if not hidden or len(hidden) == len(kept):
        return kept
    shown = [
        run for run in kept if not marks[run] & HIDDEN_NAME and runs.lengths[run] >= LONG_REPEAT
    ]
    copies = {run for run in hidden if _held(runs, shown, run) > MOSTLY_CONTENT * runs.lengths[run]}
    return [run for run in kept if run not in copies]


def _held(runs: TextRuns, others: Sequence[int], run: int) -> int:
    """Return how much of a run's text is that of others."""
    return sum([runs.lengths[other] for other in others if runs.texts[other] in runs.texts[run]])


# Chosen on pages of all types, hand-made and selector-made gold together (notebook/content.md).
MOST_POWER = 1.3  # of the scores of a sure article: so less is taken
PROSE_PROBABILITY = 0.8  # 0..1, probability of an article from which the power grows
REPEATED_SHARE = 0.3  # share of the other pages: a text on more is not content
OFTEN_REPEATED = 0.5  # the same for a headline
# Units: a text in the page's title is its headline, which menus of siblings may have.
HEADLINE_LENGTH = 16
# Share of the other pages with a text: from here on, siblings know the site's frame.
SIBLINGS_KNOW = 0.7
LEAST_OF_OWN = 0.25  # share of the page's own text: if less is kept, take all of it
MOST_OF_OWN = 0.9  # share of the page's own text: a block with so much has all that matters
RARE_SHARE = 0.05  # share of the other pages: a text on fewer is the page's own
TINY = 60  # units: less is not the content of a page with much text
MUCH_TEXT = 1000  # units of text on a page

_AWAY = ("comment", "nav", "related", "share", "ad", "foot", "hidden")
ASIDE = sum(NAME_GROUPS[group] for group in _AWAY) | APART
NAMED_AGAINST = ASIDE | NAME_GROUPS["caption"]
FIRST = 3  # runs at the start of the content: if one says what the heading says, it is the heading
CLEARLY = 1.5  # times the words of the title that the `h1` has
HEADLINE_TAG = "h1"
HEADING_TAGS = frozenset({"h2", "h3"})  # of a page's heading, where `h1` is the name of the site
_DOCUMENTATION = TYPES.index(PageType.DOCUMENTATION)


@dataclass(frozen=True, slots=True)
class ContentChoice:
    """The runs that are the content of a page."""

    runs: tuple[int, ...]  # in document order
    marks: tuple[int, ...]  # groups of names around each run of the page
    whole: bool  # a container was taken whole
    fallback: bool  # almost nothing was content: the best of the rest
    confidence: float  # 0..1, the expected word F1
    types: Row  # 0..1, the probability of each of TYPES
    shape: PageShape | None = None
    heading: int = NO_BLOCK  # the run that is the heading of the page, NO_BLOCK if there is none


@dataclass(frozen=True, slots=True)
class Judged:
    """A page whose runs have scores."""

    runs: TextRuns
    shares: Sequence[float]  # of the other pages with the text of each run
    seen: RunLooks
    scores: Sequence[float]  # of each run, 0..1
    types: Row  # 0..1, the probability of each of TYPES
    heading: int = NO_BLOCK  # the run that is the heading of the page, NO_BLOCK if there is none

    @property
    def marks(self) -> Sequence[int]:
        return self.seen.marks


def choose_content(
    seen: PageFeatures, title: str, shares: Sequence[float] = (), model: ContentModel | None = None
) -> ContentChoice:
    """Choose the content; `shares` are of the other pages with the text of each run."""
    page = judged_page(seen, title, shares or [0.0] * len(seen.runs), model or fitted())
    choice = decide_content(page)
    if not choice.runs and any(shares):
        return choose_content(seen, title, (), model)  # siblings have all of it: ignore them
    return choice


def judged_page(
    seen: PageFeatures, title: str, shares: Sequence[float], model: ContentModel
) -> Judged:
    """Score the runs that few other pages have, and that are not apart from the text."""
    runs = seen.runs
    wanted = [
        (
            share <= REPEATED_SHARE
            or (share <= OFTEN_REPEATED and size >= HEADLINE_LENGTH and text in title)
        )
        and not mark & APART
        for share, size, text, mark in zip(
            shares, runs.lengths, runs.texts, seen.looks.marks, strict=True
        )
    ]
    types = model.types.shares(seen.about, seen.numbers)
    scored = run_scores(seen, model, types, wanted)
    heading = page_heading(runs, seen.looks, title)
    return Judged(runs, shares, seen.looks, scored, types, heading)


def page_heading(runs: TextRuns, seen: RunLooks, title: str) -> int:
    """Return the run that is the heading of a page, NO_BLOCK if there is none.

    It is the `h1` that is most like the page's title, or a lower heading that says clearly more of
    it: then the `h1` is the name of the site. A lower heading that the title begins with counts,
    how much ever the title says of the site behind it.
    """
    run, tags = seen.titled, [runs.tags[block] for block in runs.blocks]
    headline = run if run >= 0 and tags[run] == HEADLINE_TAG else NO_BLOCK
    lower = [one for one, tag in enumerate(tags) if tag in HEADING_TAGS]
    lower = [one for one in lower if not seen.marks[one] & ASIDE]
    if not lower:
        return headline
    both = (headline, *lower)  # without a headline the first is any run, and not looked at
    lines = [runs.texts[one].lower() for one in both]
    shares, covers = likeness(lines, [runs.lengths[one] for one in both], title)
    begins = [leads_title(line, title.lower()) for line in lines]
    said = [
        cover if share > 0 or begin else 0.0
        for share, cover, begin in zip(shares, covers, begins, strict=True)
    ]
    least = CLEARLY * said[0] if headline >= 0 else 0.0
    best = max(said[1:])
    return lower[said.index(best, 1) - 1] if best > least else headline


def decide_content(page: Judged) -> ContentChoice:
    """Choose the content of a page by the scores of its runs."""
    runs = page.runs
    article = page.types[TYPES.index(PageType.ARTICLE)]
    sharp = 1.0 + (MOST_POWER - 1.0) * max(
        0.0, (article - PROSE_PROBABILITY) / (1.0 - PROSE_PROBABILITY)
    )
    kept = best_part(runs.lengths, [score**sharp for score in page.scores])
    opposed, tables = _opposed(page), data_table_blocks(runs)
    named = [mark & NAMED_AGAINST != 0 for mark in page.marks]
    unnamed = [run for run, against in enumerate(named) if not against]
    kept = with_lists(runs, kept, unnamed)
    kept = with_headings(runs, with_insets(runs, kept, opposed, tables), opposed, named)
    kept = with_cells(runs, kept, tables)
    inside = range(kept[0], kept[-1]) if kept else range(0)
    captions = [run for run in inside if runs.tags[runs.blocks[run]] == CAPTION_TAG]
    kept = sorted({*kept, *captions})
    if article < LIKELY or max(page.shares) > SIBLINGS_KNOW:
        kept = with_middle(runs, kept, opposed, page.heading)
    if page.types[_DOCUMENTATION] < LIKELY:  # manuals say the same of many things
        kept = without_duplicates(runs, page.marks, kept)
    kept = with_quotes(runs, kept, inside=article > LIKELY)
    if has_cards(page.types):
        kept = without_repeats(runs, kept)
    kept = _with_discussion(page, kept)
    own = _own(page, opposed)
    whole = _said(runs, kept) < LEAST_OF_OWN * _said(runs, own)
    if whole:  # all that only this page says, if almost nothing of it would be kept
        kept = own
    taken = sum([runs.lengths[run] for run in kept])
    # More than almost nothing of a page full of text can be right.
    fallback = taken < TINY and (taken == 0 or sum(runs.lengths) >= MUCH_TEXT)
    if fallback:  # mostly a list of headlines; if no run scores, the best container means nothing
        kept = [run for run, against in enumerate(opposed) if not against]
    return ContentChoice(
        runs=tuple(kept),
        marks=tuple(page.marks),
        whole=whole,
        fallback=fallback,
        confidence=expected_f1(runs, page.scores, kept),
        types=page.types,
        shape=page.seen.shape,
        heading=_heading_of(page, kept),
    )


def _heading_of(page: Judged, kept: Sequence[int]) -> int:
    """Return the heading of the page if it is content, or stands above content without one."""
    run, texts = page.heading, page.runs.texts
    if run in kept:
        return run
    if run < 0 or not kept or run > kept[-1]:
        return NO_BLOCK
    return NO_BLOCK if texts[run] in [texts[one] for one in kept[:FIRST]] else run


def _with_discussion(page: Judged, kept: list[int]) -> list[int]:
    """Add what readers wrote if nothing else on the page reads like prose: it is about that.

    So are threads on a link. Where there is any other prose, comments are what is said of it.
    """
    prose = np.flatnonzero(page.seen.good).tolist()
    if not prose or not all(page.marks[run] & COMMENT_NAME for run in prose):
        return kept
    return sorted({*kept, *[run for run in prose if not page.marks[run] & ASIDE & ~COMMENT_NAME]})


def best_part(lengths: Sequence[int], scores: Sequence[float]) -> list[int]:
    """Return the runs with the largest expected F1, if scores are probabilities.

    These are the runs with the best scores, up to some score.
    """
    order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)  # ties stay in order
    hoped, taken, best, end = 0.0, sum(map(mul, lengths, scores)), 0.0, 0
    for number, run in enumerate(order, start=1):
        hoped += lengths[run] * scores[run]
        taken += lengths[run]
        if hoped > best * taken:
            best, end = hoped / taken, number
    return sorted(order[:end])


def _opposed(page: Judged) -> list[bool]:
    """Return whether siblings or names speak against each run."""
    known = zip(page.shares, page.marks, strict=True)
    return [share > REPEATED_SHARE or mark & NAMED_AGAINST != 0 for share, mark in known]


def _own(page: Judged, opposed: Sequence[bool]) -> list[int]:
    """List the page's own runs in the deepest block with most of them; none if not known."""
    if max(page.shares) <= SIBLINGS_KNOW:
        return []
    runs = page.runs
    sizes = [
        0 if against or share > RARE_SHARE else length - links
        for against, share, length, links in zip(
            opposed, page.shares, runs.lengths, runs.links, strict=True
        )
    ]
    sums = sums_by_block(runs, sizes)
    block = max([block for block, size in enumerate(sums) if size >= MOST_OF_OWN * sum(sizes)])
    return [run for run in range(runs.starts[block], runs.ends[block]) if not opposed[run]]


def _said(runs: TextRuns, chosen: Sequence[int]) -> int:
    """Return the length of some runs outside of links."""
    return sum([runs.lengths[run] - runs.links[run] for run in chosen])


def expected_f1(runs: TextRuns, scores: Sequence[float], chosen: Sequence[int]) -> float:
    """Return the expected F1 of a choice if scores are probabilities."""
    hoped = sum([runs.lengths[run] * scores[run] for run in chosen])
    taken = sum([runs.lengths[run] for run in chosen])
    return 2 * hoped / (taken + sum(map(mul, runs.lengths, scores))) if taken else 0.0
