"""What one page tells of each of its runs, as numbers for a linear score.

Lengths enter as logarithms, the rest as shares or as 0 and 1. *Good text* is what reads like prose:
enough text outside links, with a punctuation mark. What all runs of a block share is worked out
once for the block.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import accumulate, compress
from math import log1p
from operator import add

from webstencil.extract.content.names import (
    AGAINST,
    BITS,
    BODY,
    COMMENT,
    EVERY,
    HIDDEN,
    TITLE,
    marks,
    names_of,
)
from webstencil.extract.content.runs import Runs

GOOD_LENGTH = 40  # units outside links from which a run with punctuation is good text
SHORT = 200  # units up to which a run can be the page's title
WINDOW = 4  # runs on either side whose links count
FAR = 30  # runs beyond which distance does not matter
MOST = 0.9  # of the runs: the names of a block with more say nothing
HALF = 0.5  # of the good text: a block with more is not aside, whatever its name
BYLINE = 80  # units up to which a run with a year or a time in it may say when and who
START = 60  # characters in which digits are counted
TITLE_SHARE = 0.6  # of a run's words in the page's title
TITLE_COVER = 0.3  # of the title's words in the run
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
LISTS = frozenset({"li", "ul", "ol", "dd", "dt"})
CELLS = frozenset({"td", "th", "tr"})
SET_OFF = frozenset({"pre", "blockquote"})
# U+FF01, U+FF0C, U+FF1B and U+FF1F are the full-width forms of ! , ; ?
LEGAL = ("©", "copyright", "all rights reserved", "(c)", "版权", "版權")
ENDS = frozenset('.!?。\uff01\uff1f…"”»:')  # how a sentence ends

SIZES = (
    "length",
    "length before",
    "length after",
    "length 2 before",
    "length 2 after",
    "links",
    "links around",
    "bold",
)
PLACES = (
    "good before",
    "none before",
    "none after",
    "share of good",
    "good",
    "far from good before",
    "far from good after",
    "place",
)
WORDS = (
    "sentence end",
    "punctuation",
    "repeated",
    "legal",
    "digits",
    "address",
    "markup",
    "title",
    "title words",
    "named title",
    "dated",
)
RUN_FEATURES = SIZES + PLACES + WORDS
BLOCK_FEATURES = (
    "links in block",
    "links in parent",
    "links in grandparent",
    "good in block",
    "good in parent",
    "good in grandparent",
    "heading",
    "h1",
    "p",
    "list",
    "cell",
    "set off",
    *[f"named {group}" for group in BITS],
    "names against",
    "depth",
    "in heading",
)
PAGE_FEATURES = RUN_FEATURES + BLOCK_FEATURES

_PUNCTUATION = re.compile("[.!?;:,。\uff0c\uff01\uff1f\uff1b、…·]")
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\d:\d\d")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"\w+")

Row = tuple[float, ...]
Shares = tuple[float, float]  # of the text in links, of the page's good text


@dataclass(frozen=True, slots=True)
class Blocks:
    """What is known of the blocks of a page; their sums are over all that is below them."""

    lengths: list[int]  # sums up to each run of the page: units of text
    links: list[int]  # the same of text in links
    good: list[int]  # the same of good text
    marks: list[int]  # the groups of names of a block and all around it
    named: list[int]  # those of the block itself, and whether it is named a title
    against: list[int]  # how many blocks around, itself included, have names against it
    depth: list[int]


@dataclass(frozen=True, slots=True)
class Look:
    """What a page tells of those of its runs that were looked at."""

    runs: dict[int, Row]  # the values of RUN_FEATURES
    blocks: dict[int, Row]  # the values of BLOCK_FEATURES, for the block of each of these runs
    marks: list[int]  # the groups of names around each run of the page
    around: list[int]  # the groups of names of each block and all around it

    def rows(self, runs: Runs) -> list[Row]:
        """List the values of PAGE_FEATURES."""
        return [row + self.blocks[runs.blocks[run]] for run, row in self.runs.items()]


def look(runs: Runs, title: str, wanted: Sequence[bool] = ()) -> Look:
    """Look at some runs of a page, or at all; `title` is what its head gives as such."""
    outside = [length - link for length, link in zip(runs.lengths, runs.links, strict=True)]
    good = [
        size if size >= GOOD_LENGTH and _PUNCTUATION.search(text) else 0
        for size, text in zip(outside, runs.texts, strict=True)
    ]
    chosen = list(compress(range(len(runs)), wanted)) if wanted else list(range(len(runs)))
    blocks = describe_blocks(runs, good, chosen)
    rows = map(
        add,
        map(add, _sizes(runs, outside, chosen), _places(good, chosen)),
        map(add, _words(runs, chosen), _titles(runs, blocks, title, chosen)),
    )
    owners = sorted({runs.blocks[run] for run in chosen})
    share = cache(partial(_shares, runs, blocks))
    return Look(
        runs=dict(zip(chosen, rows, strict=True)),
        blocks={block: _of_block(runs, blocks, block, share) for block in owners},
        marks=[blocks.marks[block] for block in runs.blocks],
        around=blocks.marks,
    )


def describe_blocks(runs: Runs, good: Sequence[int], chosen: Sequence[int]) -> Blocks:
    """Sum up what the blocks hold, and what names there are around the chosen runs.

    What a block is called is asked only if there is a chosen run in it.
    """
    goods = _summed(good)
    many, much = MOST * len(runs), HALF * goods[-1]
    number = len(runs.tags)
    named, found, against, depth = [0] * number, [0] * number, [0] * number, [0] * number
    for block in _around(runs, chosen):
        parent = runs.parents[block]
        # the parent of the first block is -1: the last place, in which there is nothing yet
        depth[block] = depth[parent] + 1
        found[block] = found[parent]
        against[block] = against[parent]
        element = runs.elements[block]
        own = marks(runs.tags[block], names_of(element, seldom=element in runs.seldom))
        if own:
            named[block] = own
            start, end = runs.starts[block], runs.ends[block]
            if end - start > many:
                own &= BODY
            elif goods[end] - goods[start] > much:
                own &= BODY | COMMENT | HIDDEN
            found[block] |= own & EVERY
            against[block] += own & AGAINST > 0
    return Blocks(_summed(runs.lengths), _summed(runs.links), goods, found, named, against, depth)


def _around(runs: Runs, chosen: Iterable[int]) -> list[int]:
    """List the blocks around some runs, parents before children."""
    found: set[int] = set()
    for run in chosen:
        block = runs.blocks[run]
        while block >= 0 and block not in found:
            found.add(block)
            block = runs.parents[block]
    return sorted(found)


def _summed(values: Iterable[int]) -> list[int]:
    return list(accumulate(values, initial=0))


def _of_block(runs: Runs, blocks: Blocks, block: int, share: Callable[[int], Shares]) -> Row:
    """Return the features that all runs of a block share."""
    parent = _above(runs, block)
    grandparent = _above(runs, parent)
    own, above, further = share(block), share(parent), share(grandparent)
    tag = runs.tags[block]
    return (
        own[0],
        above[0],
        further[0],
        own[1],
        above[1],
        further[1],
        tag in HEADINGS,
        tag == "h1",
        tag == "p",
        tag in LISTS,
        tag in CELLS,
        tag in SET_OFF,
        *_flags(blocks.marks[block]),
        blocks.against[block],
        log1p(blocks.depth[block]),
        runs.tags[parent] in HEADINGS,
    )


def _shares(runs: Runs, blocks: Blocks, block: int) -> Shares:
    """Return the share of a block's text that is in links, and of the good text that is in it."""
    start, end = runs.starts[block], runs.ends[block]
    length = blocks.lengths[end] - blocks.lengths[start]
    linked = (blocks.links[end] - blocks.links[start]) / length
    return linked, (blocks.good[end] - blocks.good[start]) / (blocks.good[-1] or 1)


def _above(runs: Runs, block: int) -> int:
    parent = runs.parents[block]
    return parent if parent >= 0 else block


@lru_cache(maxsize=1 << 12)  # as many as there are groups of names
def _flags(found: int) -> Row:
    return tuple([1.0 if found & bit else 0.0 for bit in BITS.values()])


def _sizes(runs: Runs, outside: Sequence[int], chosen: Sequence[int]) -> Iterator[Row]:
    """Yield how long each run and its neighbours are, and how much of it are links."""
    logs = [0.0, 0.0, *map(log1p, outside), 0.0, 0.0]
    lengths, links = _sums(runs.lengths), _sums(runs.links)
    for run in chosen:
        length, end = runs.lengths[run], run + 2 * WINDOW + 1
        yield (
            logs[run + 2],
            logs[run + 1],
            logs[run + 3],
            logs[run],
            logs[run + 4],
            runs.links[run] / length,
            (links[end] - links[run]) / (lengths[end] - lengths[run]),
            min(runs.bolds[run] / length, 1.0),
        )


def _sums(values: Sequence[int]) -> list[int]:
    """Sum up values so that the difference of two sums is that of a window around a run."""
    sums = _summed(values)
    return [0] * WINDOW + sums + [sums[-1]] * WINDOW


def _places(good: Sequence[int], chosen: Sequence[int]) -> Iterator[Row]:
    """Yield where each run is: the good text before it and in it, the runs to the next good one."""
    number, sums = len(good), _summed(good)
    whole = sums[-1] or 1
    places = [-FAR, *[run for run, size in enumerate(good) if size], number + FAR]
    for run in chosen:
        before, size = sums[run], good[run]
        at = bisect_left(places, run)  # the good run that is this one or comes next
        yield (
            before / whole,
            not before,
            before == whole and not size,
            size / whole,
            size > 0,
            _LOGS[min(run - places[at - 1], FAR)],
            _LOGS[min(places[at + 1 if size else at] - run, FAR)],
            run / number,
        )


_LOGS = [log1p(number) for number in range(FAR + 1)]


def _words(runs: Runs, chosen: Sequence[int]) -> Iterator[Row]:
    """Yield what each run is like to read."""
    counts = Counter(runs.texts)
    lowered = "\n".join([runs.texts[run] for run in chosen]).lower()
    legal = [word for word in LEGAL if word in lowered]
    for run, line in zip(chosen, lowered.split("\n"), strict=False):
        text = runs.texts[run]
        start = text[:START]
        yield (
            text[-1] in ENDS,
            _PUNCTUATION.search(text) is not None,
            counts[text] > 1,
            any(word in line for word in legal),
            len(_DIGIT.findall(start)) / len(start),
            "://" in line or "www." in line,
            'href="' in line and runs.tags[runs.blocks[run]] != "pre",
        )


def _titles(runs: Runs, blocks: Blocks, title: str, chosen: Sequence[int]) -> Iterator[Row]:
    """Yield how far each run is the title of the page or says when it was written."""
    wanted = frozenset(_WORD.findall(title.lower()))
    for run in chosen:
        if runs.lengths[run] >= SHORT:
            yield NO_TITLE
            continue
        text = runs.texts[run]
        words = _WORD.findall(text.lower())
        common = [word for word in words if word in wanted]
        share = len(common) / (len(words) or 1)
        cover = len(set(common)) / (len(wanted) or 1)
        is_title = share > TITLE_SHARE and cover > TITLE_COVER
        named = blocks.named[runs.blocks[run]] & TITLE > 0
        dated = runs.lengths[run] < BYLINE and _DATE.search(text) is not None
        yield (share if is_title else 0.0, cover, named, dated)


NO_TITLE = (0.0, 0.0, False, False)
