"""The features of each run of a page, for a linear score.

Lengths are logarithms, the rest are shares or 0 and 1. *Good text* reads like prose: enough text
outside links, with a punctuation mark. Features that all runs of a block share are computed once
for the block, the others column by column, for the wanted runs only.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate, compress, repeat
from math import log1p
from operator import eq, not_, sub, truediv

from webstencil.extract.content.element_names import (
    AGAINST,
    BITS,
    BODY,
    COMMENT,
    EVERY,
    HIDDEN,
    TITLE,
    marks_of,
)
from webstencil.extract.content.text_runs import TextRuns
from webstencil.extract.content.titles import SHORT, likeness

GOOD_LENGTH = 40  # units outside links from which a run with punctuation is good text
MENU_LINKS = 0.6  # share of links from which a run may be part of a menu
MENU_AROUND = 0.8  # and is one, if they are so much of its surroundings
WINDOW = 4  # runs on either side whose links count
FAR = 30  # runs beyond which distance does not matter
MOST = 0.9  # of the runs: the names of a block with more mean nothing
HALF = 0.5  # of the good text: a block with more is not aside, whatever its name
BYLINE = 80  # units up to which a run with a year or a time may be a byline
START = 60  # characters in which digits are counted
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
LISTS = frozenset({"li", "ul", "ol", "dd", "dt"})
CELLS = frozenset({"td", "th", "tr"})
SET_OFF = frozenset({"pre", "blockquote"})
LEGAL = ("©", "copyright", "all rights reserved", "(c)", "版权", "版權")
# U+FF01, U+FF0C, U+FF0E, U+FF1A, U+FF1B and U+FF1F are the full-width forms of ! , . : ; ?,
# U+06D4 is the full stop of Urdu.
ENDS = frozenset('.!?。\uff01\uff1f…"”»:\uff1a」』\uff0e｡।؟\u06d4')  # how a sentence ends

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

_PUNCTUATION = re.compile("[.!?;:,。\uff0c\uff01\uff1f\uff1b、…·\uff1a\uff0e।،؟\u06d4]")
# A year or a time; the common digit comes first, which is faster to search. A year may be between
# non-Latin letters: dates in Chinese and Japanese have no spaces.
_DATE = re.compile(
    r"\d(?:(?:(?<=(?<![\da-zA-Z])1)9|(?<=(?<![\da-zA-Z])2)0)\d\d(?![\da-zA-Z])|:\d\d)"
)
_DIGIT = re.compile(r"\d")
_LOGS = [log1p(number) for number in range(FAR + 1)]

Row = tuple[float, ...]
Columns = tuple[Iterable[float], ...]
Shares = dict[int, float]  # by block
Pick = Callable[[Iterable[float]], list[float]]  # takes the values of wanted runs


@dataclass(frozen=True, slots=True)
class Blocks:
    """What is known of the blocks around the wanted runs.

    For other blocks only the names around them are known; the rest is 0.
    """

    around: list[int]  # these blocks, parents before children
    marks: list[int]  # groups of names of a block and its ancestors
    named: list[int]  # groups of the block itself, with TITLE
    against: list[int]  # number of blocks around, itself included, with names against it
    depth: list[int]


@dataclass(frozen=True, slots=True)
class RunLooks:
    """The features of the wanted runs of a page."""

    runs: dict[int, Row]  # the values of RUN_FEATURES
    blocks: dict[int, Row]  # the values of BLOCK_FEATURES, for the blocks of these runs
    marks: list[int]  # groups of names around each wanted run of the page
    around: list[int]  # groups of names of each block and its ancestors

    def rows(self, runs: TextRuns) -> list[Row]:
        """List the values of PAGE_FEATURES."""
        return [row + self.blocks[runs.blocks[run]] for run, row in self.runs.items()]


def look(
    runs: TextRuns, title: str, wanted: Sequence[bool] = (), *, menus: bool = False
) -> RunLooks:
    """Return the features of the wanted runs of a page, or of all; `title` is that of its head.

    Without `menus`, runs that are part of a menu by their links are left out: they score almost 0.
    """
    wanted = wanted or [True] * len(runs)
    around = _links_around(runs)
    looked_at = wanted if menus else _without_menus(runs, around, wanted)
    pick = partial(_picked, looked_at)
    chosen = list(compress(range(len(runs)), looked_at))
    outside = list(map(sub, runs.lengths, runs.links))
    good = [
        size if size >= GOOD_LENGTH and _PUNCTUATION.search(text) else 0
        for size, text in zip(outside, runs.texts, strict=True)
    ]
    goods = _summed(good)
    blocks = describe_blocks(runs, goods, chosen)
    texts = [runs.texts[run] for run in chosen]
    lowered = "\n".join(texts).lower()
    rows = zip(
        *_sizes(runs, outside, around, pick),
        *_places(good, goods, pick),
        *_words(runs, chosen, texts, lowered),
        *likeness(lowered.split("\n"), [runs.lengths[run] for run in chosen], title),
        *_labels(runs, chosen, texts, blocks),
        strict=False,
    )
    return RunLooks(
        runs=dict(zip(chosen, rows, strict=True)),
        blocks=_block_rows(runs, blocks, goods, {runs.blocks[run] for run in chosen}),
        marks=_marks(runs, blocks, wanted),
        around=blocks.marks,
    )


def _marks(runs: TextRuns, blocks: Blocks, wanted: Iterable[bool]) -> list[int]:
    """Return the groups of names around each run; a described block has a depth."""
    return [
        blocks.marks[block] if asked or blocks.depth[block] else 0
        for block, asked in zip(runs.blocks, wanted, strict=True)
    ]


def _without_menus(runs: TextRuns, around: Sequence[float], wanted: Sequence[bool]) -> list[bool]:
    return [
        asked and (link <= MENU_LINKS * length or share <= MENU_AROUND)
        for asked, link, length, share in zip(wanted, runs.links, runs.lengths, around, strict=True)
    ]


def _links_around(runs: TextRuns) -> list[float]:
    """Return the share of links in the window around each run."""
    return list(map(truediv, _windows(runs.links), _windows(runs.lengths)))


def _windows(values: Sequence[int]) -> Iterable[int]:
    """Sum up the values in the window around each run."""
    sums = _summed(values)
    padded = [0] * WINDOW + sums + [sums[-1]] * WINDOW
    return map(sub, padded[2 * WINDOW + 1 :], padded)


def _picked(wanted: Sequence[bool], values: Iterable[float]) -> list[float]:
    return list(compress(values, wanted))


def describe_blocks(runs: TextRuns, goods: Sequence[int], chosen: Sequence[int]) -> Blocks:
    """Find the names around the chosen runs; `goods` are the sums of good text.

    Names are read only of blocks with a chosen run in them.
    """
    many, much = MOST * len(runs), HALF * goods[-1]
    number = len(runs.tags)
    named, found, against, depth = [0] * number, [0] * number, [0] * number, [0] * number
    around = _around(runs, chosen)
    known = frozenset(around)
    for block, parent in enumerate(runs.parents):
        # the parent of the first block is -1, the last entry, which is still empty
        found[block] = found[parent]
        if block not in known:
            continue
        depth[block] = depth[parent] + 1
        against[block] = against[parent]
        element = runs.elements[block]
        own = marks_of(element, runs.tags[block], seldom=element in runs.seldom)
        if own:
            named[block] = own
            start, end = runs.starts[block], runs.ends[block]
            if end - start > many:
                own &= BODY
            elif goods[end] - goods[start] > much:
                own &= BODY | COMMENT | HIDDEN
            found[block] |= own & EVERY
            against[block] += own & AGAINST > 0
    return Blocks(around, found, named, against, depth)


def _around(runs: TextRuns, chosen: Iterable[int]) -> list[int]:
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


def _block_rows(
    runs: TextRuns, blocks: Blocks, goods: Sequence[int], wanted: Iterable[int]
) -> dict[int, Row]:
    """Return the features that all runs of a block share."""
    tags, parents = runs.tags, runs.parents
    linked, held = _shares(runs, blocks.around, goods)
    rows = {}
    for block in wanted:
        parent = max(parents[block], 0)  # the first block stands for its own parent
        further = max(parents[parent], 0)
        rows[block] = (
            linked[block],
            linked[parent],
            linked[further],
            held[block],
            held[parent],
            held[further],
            *_tag_flags(tags[block]),
            *_name_flags(blocks.marks[block]),
            blocks.against[block],
            log1p(blocks.depth[block]),
            tags[parent] in HEADINGS,
        )
    return rows


def _shares(runs: TextRuns, around: Sequence[int], goods: Sequence[int]) -> tuple[Shares, Shares]:
    """Return the share of links in each block's text, and its share of the good text."""
    starts = [runs.starts[block] for block in around]
    ends = [runs.ends[block] for block in around]

    def held(sums: Sequence[int]) -> Iterable[int]:
        return map(sub, map(sums.__getitem__, ends), map(sums.__getitem__, starts))

    linked = map(truediv, held(_summed(runs.links)), held(_summed(runs.lengths)))
    good = map(truediv, held(goods), repeat(goods[-1] or 1))
    return dict(zip(around, linked, strict=True)), dict(zip(around, good, strict=True))


@lru_cache(maxsize=1 << 8)  # more than HTML has
def _tag_flags(tag: str) -> Row:
    return (
        tag in HEADINGS,
        tag == "h1",
        tag == "p",
        tag in LISTS,
        tag in CELLS,
        tag in SET_OFF,
    )


@lru_cache(maxsize=1 << 12)  # combinations of groups
def _name_flags(found: int) -> Row:
    return tuple([1.0 if found & bit else 0.0 for bit in BITS.values()])


def _sizes(runs: TextRuns, outside: Sequence[int], around: Sequence[float], pick: Pick) -> Columns:
    """Return the lengths of each run and of those beside it, and its share of links."""
    logs = [0.0, 0.0, *map(log1p, outside), 0.0, 0.0]
    lengths, links = pick(runs.lengths), pick(runs.links)
    return (
        pick(logs[2:]),
        pick(logs[1:]),
        pick(logs[3:]),
        pick(logs),
        pick(logs[4:]),
        map(truediv, links, lengths),
        pick(around),
        map(min, map(truediv, pick(runs.bolds), lengths), repeat(1.0)),
    )


def _places(good: Sequence[int], goods: Sequence[int], pick: Pick) -> Columns:
    """Return the position of each run: good text before and in it, runs to the next good one."""
    number, whole = len(good), goods[-1] or 1
    first, end = -FAR, number + FAR  # positions that stand for missing good text
    last = accumulate([run if good[run] else first for run in range(number)], max, initial=first)
    backwards = [run if good[run] else end for run in range(number - 1, -1, -1)]
    following = list(accumulate(backwards, min, initial=end))[-2::-1]
    places, sizes, before = pick(range(number)), pick(good), pick(goods)
    return (
        map(truediv, before, repeat(whole)),
        map(not_, before),
        map(eq, before, repeat(whole)),
        map(truediv, sizes, repeat(whole)),
        map(bool, sizes),
        map(_LOGS.__getitem__, map(min, map(sub, places, pick(last)), repeat(FAR))),
        map(_LOGS.__getitem__, map(min, map(sub, pick(following), places), repeat(FAR))),
        map(truediv, places, repeat(number)),
    )


def _words(runs: TextRuns, chosen: Sequence[int], texts: Sequence[str], lowered: str) -> Columns:
    """Return features of the words of chosen runs."""
    counts = Counter(runs.texts)
    lines = lowered.split("\n")
    legal = [word for word in LEGAL if word in lowered]
    return (
        [text[-1] in ENDS for text in texts],
        [_PUNCTUATION.search(text) is not None for text in texts],
        [counts[text] > 1 for text in texts],
        [any(word in line for word in legal) for line in lines] if legal else repeat(False),
        [len(_DIGIT.findall(text, 0, START)) / min(len(text), START) for text in texts],
        ["://" in line or "www." in line for line in lines],
        [
            'href="' in line and runs.tags[runs.blocks[run]] != "pre"
            for run, line in zip(chosen, lines, strict=False)
        ],
    )


def _labels(runs: TextRuns, chosen: Sequence[int], texts: Sequence[str], blocks: Blocks) -> Columns:
    """Return whether chosen runs are named a title, and whether they are dated."""
    sizes = [runs.lengths[run] for run in chosen]
    return (
        [
            size < SHORT and blocks.named[runs.blocks[run]] & TITLE > 0
            for run, size in zip(chosen, sizes, strict=True)
        ],
        [
            size < BYLINE and _DATE.search(text) is not None
            for text, size in zip(texts, sizes, strict=True)
        ],
    )
