"""The features of a page, of its blocks and of its runs.

Lengths and counts are logarithms, the rest are shares or 0 and 1. *Good text* reads like prose:
enough text outside links, with a punctuation mark. Features that all runs of a block share are
computed once for the block, the others column by column.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, repeat
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
    seldom_marks,
)
from webstencil.extract.content.page_shape import HEADINGS, PageShape, shape
from webstencil.extract.content.text_runs import NO_BLOCK, TextRuns
from webstencil.extract.content.titles import SHORT, likeness

GOOD_LENGTH = 40  # units outside links from which a run with punctuation is good text
WINDOWS = (2, 7)  # runs on either side that count
FAR = 30  # runs beyond which distance does not matter
TITLE_FAR = 60  # the same for the distance to the title
MOST = 0.9  # of the runs: the names of a block with more mean nothing
HALF = 0.5  # of the good text: a block with more is not aside, whatever its name
BYLINE = 80  # units up to which a run with a year or a time may be a byline
TAG = 100  # units up to which a run with an amount of money may be a price
START = 60  # characters in which digits are counted
LEAST_COVER = 0.3  # of the title's words: a run with fewer is not like it
MANY_WORDS = 50  # words from which more make no difference
LISTS = frozenset({"li", "ul", "ol", "dd", "dt"})
CELLS = frozenset({"td", "th", "tr"})
SET_OFF = frozenset({"pre", "blockquote"})
LEGAL = ("©", "copyright", "all rights reserved", "(c)", "版权", "版權")
# U+FF01, U+FF0C, U+FF0E, U+FF1A, U+FF1B and U+FF1F are the full-width forms of ! , . : ; ?,
# U+06D4 is the full stop of Urdu.
ENDS = frozenset('.!?。\uff01\uff1f…"”»:\uff1a」』\uff0e｡।؟\u06d4')  # how a sentence ends

_PUNCTUATION = re.compile("[.!?;:,。\uff0c\uff01\uff1f\uff1b、…·\uff1a\uff0e।،؟\u06d4]")
# A year or a time; the common digit comes first, which is faster to search. A year may be between
# non-Latin letters: dates in Chinese and Japanese have no spaces.
_DATE = re.compile(
    r"\d(?:(?:(?<=(?<![\da-zA-Z])1)9|(?<=(?<![\da-zA-Z])2)0)\d\d(?![\da-zA-Z])|:\d\d)"
)
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|zł|kr\b|USD\b|EUR\b)")
_DIGIT = re.compile(r"\d")
_LOGS = [log1p(number) for number in range(TITLE_FAR + 1)]

Row = tuple[float, ...]
Columns = tuple[Iterable[float], ...]


@dataclass(frozen=True, slots=True)
class Blocks:
    """The names of the blocks."""

    marks: list[int]  # groups of names of a block and its ancestors
    named: list[int]  # groups of the block itself, with TITLE
    against: list[int]  # number of blocks around, itself included, with names against it
    depth: list[int]


@dataclass(frozen=True, slots=True)
class Sums:
    """Values of the runs, and their sums over all runs before each, and over all."""

    outside: list[int]  # units outside links
    good: list[int]  # units of good text
    lengths: list[int]  # the sums of units, links, units outside links, good text, good runs
    links: list[int]
    texts: list[int]
    goods: list[int]
    good_runs: list[int]


@dataclass(frozen=True, slots=True)
class RunLooks:
    """The features of a page."""

    runs: list[Row]  # the values of RUN_FEATURES
    blocks: dict[int, Row]  # the values of BLOCK_FEATURES, for the blocks of these runs
    page: Row  # the values of PAGE_FEATURES
    marks: list[int]  # groups of names around each run of the page
    around: list[int]  # groups of names of each block and its ancestors
    shape: PageShape
    titled: int  # the run that is most like the title of the page, NO_BLOCK if none is


def look(runs: TextRuns, title: str) -> RunLooks:
    """Return the features of a page; `title` is that of its head."""
    sums = _sums(runs)
    known = shape(runs)
    blocks = describe_blocks(runs, sums.goods)
    lowered = "\n".join(runs.texts).lower()
    titles = likeness(lowered.split("\n"), runs.lengths, title)
    prices = [
        size < TAG and _PRICE.search(text) is not None
        for text, size in zip(runs.texts, runs.lengths, strict=True)
    ]
    dates = [
        size < BYLINE and _DATE.search(text) is not None
        for text, size in zip(runs.texts, runs.lengths, strict=True)
    ]
    titled = _title_run(runs, titles)
    rows = zip(
        *_sizes(runs, sums),
        *_places(sums, known.headings, titled),
        *_words(runs, lowered),
        *titles,
        _named_title(runs, blocks),
        dates,
        prices,
        [min(text.count(" "), MANY_WORDS) for text in runs.texts],
        *_alike(runs, sums, known.places),
        strict=False,
    )
    return RunLooks(
        runs=list(rows),
        blocks=_block_rows(runs, blocks, sums, known),
        page=_page_row(runs, sums, known, (sum(prices), sum(dates), titled >= 0)),
        marks=[blocks.marks[block] for block in runs.blocks],
        around=blocks.marks,
        shape=known,
        titled=titled,
    )


def _sums(runs: TextRuns) -> Sums:
    outside = list(map(sub, runs.lengths, runs.links))
    good = [
        size if size >= GOOD_LENGTH and _PUNCTUATION.search(text) else 0
        for size, text in zip(outside, runs.texts, strict=True)
    ]
    return Sums(
        outside,
        good,
        _summed(runs.lengths),
        _summed(runs.links),
        _summed(outside),
        _summed(good),
        _summed(map(bool, good)),
    )


def _title_run(runs: TextRuns, titles: tuple[list[float], list[float]]) -> int:
    """Return the run that is most like the page's title, NO_BLOCK if none is."""
    best, found = 0.0, NO_BLOCK
    for run, (share, cover) in enumerate(zip(*titles, strict=True)):
        tag = runs.tags[runs.blocks[run]]
        if cover > LEAST_COVER or tag == "h1":
            like = cover + share + (1.0 if tag == "h1" else 0.5 if tag in HEADINGS else 0.0)
            if like > best:
                best, found = like, run
    return found


def _around(sums: Sequence[int], window: int) -> list[int]:
    """Return the sums over the window around each run."""
    padded = [0] * window + list(sums) + [sums[-1]] * window
    return list(map(sub, padded[2 * window + 1 :], padded))


def describe_blocks(runs: TextRuns, goods: Sequence[int]) -> Blocks:
    """Find the names of the blocks; `goods` are the sums of good text."""
    many, much = MOST * len(runs), HALF * goods[-1]
    number = len(runs.tags)
    named, found, against, depth = [0] * number, [0] * number, [0] * number, [0] * number
    seldom = runs.seldom
    names = map(marks_of, runs.tags, runs.classes, runs.identifiers)
    for block, (parent, common, element) in enumerate(
        zip(runs.parents, names, runs.elements, strict=True)
    ):
        # the parent of the first block is -1, the last entry, which is still empty
        found[block] = found[parent]
        depth[block] = depth[parent] + 1
        against[block] = against[parent]
        own = common | seldom_marks(element) if element in seldom else common
        if own:
            named[block] = own
            start, end = runs.starts[block], runs.ends[block]
            if end - start > many:
                own &= BODY
            elif goods[end] - goods[start] > much:
                own &= BODY | COMMENT | HIDDEN
            found[block] |= own & EVERY
            against[block] += own & AGAINST > 0
    return Blocks(found, named, against, depth)


def _summed(values: Iterable[int]) -> list[int]:
    return list(accumulate(values, initial=0))


def _block_rows(runs: TextRuns, blocks: Blocks, sums: Sums, known: PageShape) -> dict[int, Row]:
    """Return the features that all runs of a block share."""
    tags, parents = runs.tags, runs.parents
    wanted = {one for line in known.containers.values() for one in line}
    held = {block: _container_row(runs, sums, block) for block in wanted}
    rows = {}
    for block, line in known.containers.items():
        containers: list[float] = []
        for one in line:
            containers += held[one]
        rows[block] = (
            *_tag_flags(tags[block]),
            *_name_flags(blocks.marks[block]),
            blocks.against[block],
            log1p(blocks.depth[block]),
            tags[parents[block]] in HEADINGS,
            *containers,
            *map(log1p, known.repeats[block]),
        )
    return rows


def _container_row(runs: TextRuns, sums: Sums, block: int) -> Row:
    """Return good text, links and runs of a container, or of the page."""
    start, end = (0, len(runs)) if block == NO_BLOCK else (runs.starts[block], runs.ends[block])
    size = sums.lengths[end] - sums.lengths[start]
    return (
        (sums.goods[end] - sums.goods[start]) / (sums.goods[-1] or 1),
        (sums.links[end] - sums.links[start]) / (size or 1),
        log1p(end - start),
        log1p(size),
        (sums.good_runs[end] - sums.good_runs[start]) / ((end - start) or 1),
    )


@lru_cache(maxsize=1 << 8)  # more than HTML has
def _tag_flags(tag: str) -> Row:
    return (
        tag in HEADINGS,
        tag == "h1",
        tag == "p",
        tag in LISTS,
        tag in CELLS,
        tag in SET_OFF,
        tag == "div",
    )


@lru_cache(maxsize=1 << 12)  # combinations of groups
def _name_flags(found: int) -> Row:
    return tuple([1.0 if found & bit else 0.0 for bit in BITS.values()])


def _sizes(runs: TextRuns, sums: Sums) -> Columns:
    """Return the lengths of each run and of those beside and around it, and the shares of links."""
    logs = [0.0, 0.0, *map(log1p, sums.outside), 0.0, 0.0]
    ones = list(range(len(runs) + 1))
    columns: list[Iterable[float]] = []
    for window in WINDOWS:
        number = _around(ones, window)
        columns += [
            map(truediv, _around(sums.links, window), _around(sums.lengths, window)),
            map(log1p, map(truediv, _around(sums.texts, window), number)),
            map(truediv, _around(sums.good_runs, window), number),
        ]
    return (
        logs[2:],
        logs[1:],
        logs[3:],
        logs,
        logs[4:],
        map(truediv, runs.links, runs.lengths),
        map(min, map(truediv, runs.bolds, runs.lengths), repeat(1.0)),
        *columns,
    )


def _places(sums: Sums, headings: Sequence[int], titled: int) -> Columns:
    """Return the position of each run: good text before and in it, runs to others."""
    good, goods = sums.good, sums.goods
    number, whole = len(good), goods[-1] or 1
    first, end = -FAR, number + FAR  # positions that stand for missing good text
    last = accumulate([run if good[run] else first for run in range(number)], max, initial=first)
    backwards = [run if good[run] else end for run in range(number - 1, -1, -1)]
    following = list(accumulate(backwards, min, initial=end))[-2::-1]
    places = range(number)
    logs = [log1p(place) for place in range(number + 1)]
    return (
        map(truediv, goods, repeat(whole)),
        map(not_, goods),
        map(eq, goods, repeat(whole)),
        map(truediv, good, repeat(whole)),
        map(bool, good),
        map(_LOGS.__getitem__, map(min, map(sub, places, last), repeat(FAR))),
        map(_LOGS.__getitem__, map(min, map(sub, following, places), repeat(FAR))),
        map(truediv, places, repeat(number)),
        logs,
        logs[:0:-1],
        [_LOGS[min(run - head, FAR)] if head >= 0 else 5.0 for run, head in enumerate(headings)],
        [_signed_log(run - titled) if titled >= 0 else 0.0 for run in places],
    )


def _signed_log(distance: int) -> float:
    far = min(abs(distance), TITLE_FAR)
    return _LOGS[far] if distance >= 0 else -_LOGS[far]


def _words(runs: TextRuns, lowered: str) -> Columns:
    """Return features of the words of the runs."""
    texts = runs.texts
    counts = Counter(texts)
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
            for run, line in enumerate(lines)
        ]
        if 'href="' in lowered
        else repeat(False),
    )


def _named_title(runs: TextRuns, blocks: Blocks) -> list[bool]:
    """Return whether runs are named a title."""
    return [
        size < SHORT and blocks.named[block] & TITLE > 0
        for block, size in zip(runs.blocks, runs.lengths, strict=True)
    ]


def _alike(runs: TextRuns, sums: Sums, places: Sequence[int]) -> Columns:
    """Return the number and text of the runs with the place of each run."""
    number = max(places) + 1
    counts, lengths, links, goods = [0] * number, [0] * number, [0] * number, [0] * number
    for one, length, link, good in zip(places, runs.lengths, runs.links, sums.good, strict=True):
        counts[one] += 1
        lengths[one] += length
        links[one] += link
        goods[one] += good
    whole, of_page, much = len(runs), sums.lengths[-1], sums.goods[-1] or 1
    rows = [
        (
            log1p(count),
            count / whole,
            length / of_page,
            log1p(length / count),
            link / length,
            good / much,
        )
        if count
        else ()
        for count, length, link, good in zip(counts, lengths, links, goods, strict=True)
    ]
    return tuple(zip(*[rows[one] for one in places], strict=True))


def _page_row(runs: TextRuns, sums: Sums, known: PageShape, found: tuple[int, int, bool]) -> Row:
    """Return the features of the page; `found` are its prices, its dates and its title."""
    number, whole = len(runs), sums.lengths[-1] or 1
    tags = Counter([runs.tags[block] for block in runs.blocks])
    prices, dates, titled = found
    return (
        log1p(number),
        log1p(whole),
        sums.links[-1] / whole,
        sums.goods[-1] / whole,
        tags["p"] / number,
        sum([tags[tag] for tag in LISTS]) / number,
        sum([tags[tag] for tag in CELLS]) / number,
        sum([tags[tag] for tag in HEADINGS]) / number,
        prices / number,
        log1p(sums.good_runs[-1]),
        max(Counter(known.places).values()) / number,
        dates / number,
        titled,
    )
