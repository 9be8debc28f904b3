"""The features of the runs of a page, as one table.

Lengths and counts are logarithms, the rest are shares or 0 and 1. *Good text* reads like prose:
enough text outside links, with a punctuation mark. Columns are computed for all runs at once.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from webstencil.content.page_features import (
    CELL_TAGS,
    CONTAINER_LEVELS,
    GOOD_LENGTH,
    LIST_PART_TAGS,
    Array,
    PageShape,
    PageText,
    page_shape,
    read_text,
    running_sums,
    tag_shares,
)
from webstencil.content.runs import (
    APART,
    BODY_NAME,
    COMMENT_NAME,
    EVERY_NAME,
    HIDDEN_NAME,
    NAME_GROUPS,
    NAMES_AGAINST_CONTENT,
    NO_BLOCK,
    TITLE_NAME,
    TextRuns,
    name_marks,
)
from webstencil.markup.text_units import HEADING_LEVELS

# The names of the features of runs, blocks and pages, in their order.

SIZE_FEATURES = (
    "length", "length before", "length after", "length 2 before", "length 2 after", "links", "bold",
    "links near", "length near", "good near", "links around", "length around", "good around",
)  # fmt: skip
PLACE_FEATURES = (
    "good before", "none before", "none after", "share of good", "good", "far from good before",
    "far from good after", "place", "runs before", "runs after", "far from heading",
    "far from title",
)  # fmt: skip
WORD_FEATURES = (
    "sentence end", "punctuation", "repeated", "legal", "digits", "address", "markup", "title",
    "title words", "named title", "dated", "price", "words",
)  # fmt: skip
ALIKE_FEATURES = (
    "alike", "share alike", "text alike", "length alike", "links alike", "good alike",
)  # fmt: skip
RUN_FEATURES = SIZE_FEATURES + PLACE_FEATURES + WORD_FEATURES + ALIKE_FEATURES
BLOCK_FEATURES = (
    "heading",
    "h1",
    "p",
    "list",
    "cell",
    "set off",
    "div",
    *[f"named {group}" for group in NAME_GROUPS],
    "names against",
    "depth",
    "in heading",
    *[
        f"{name} {level}"
        for level in range(1, CONTAINER_LEVELS + 1)
        for name in ("good in", "links in", "runs in", "text in", "good runs in")
    ],
    "repeats",
    "repeats 1",
    "repeats 2",
)
PAGE_FEATURES = (
    "page runs", "page text", "page links", "page good", "page p", "page lists", "page cells",
    "page headings", "page prices", "page good runs", "page alike", "page dates", "page titled",
)  # fmt: skip


# How similar a run is to the title of its page, by common words.
#
# In scripts without spaces a whole headline would be one word, and never match a title with the
# site's name; there each pair of adjacent characters is a word.

LONGEST_TITLE_RUN = 200  # units up to which a run can be the page's title
TITLE_SHARE = 0.6  # of a run's words in the page's title
TITLE_COVER = 0.3  # of the title's words in the run

# Thai and Lao, Burmese, Khmer, kana, Han; Korean has spaces.
UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_SPACED_WORD = re.compile(r"[^\W_]+")
_UNSPACED_WORD = re.compile(rf"(?=([{UNSPACED}]{{2}}))[{UNSPACED}]|([^\W_{UNSPACED}]+)")


def words_of(text: str) -> list[str]:
    """List the words of a text, and pairs of characters in scripts without spaces."""
    if text.isascii():
        return _SPACED_WORD.findall(text)
    return [pair or word for pair, word in _UNSPACED_WORD.findall(text)]


def likeness(
    lines: Sequence[str], sizes: Sequence[int], title: str
) -> tuple[list[float], list[float]]:
    """Return the share of each run's words in the title, and of the title's words in the run.

    The first is 0 for runs that cannot be the title; `lines` are runs in lower case.
    """
    wanted = frozenset(words_of(title.lower()))
    shares, covers = [0.0] * len(sizes), [0.0] * len(sizes)
    for place, (line, size) in enumerate(zip(lines, sizes, strict=False)):
        words = words_of(line) if size < LONGEST_TITLE_RUN else ()
        if not wanted.isdisjoint(words):
            common = [word for word in words if word in wanted]
            share, cover = len(common) / len(words), len(set(common)) / len(wanted)
            covers[place] = cover
            if share > TITLE_SHARE and cover > TITLE_COVER:
                shares[place] = share
    return shares, covers


def leads_title(line: str, title: str) -> bool:
    """Return whether a title begins with a line, and a sign parts it from what follows."""
    return title.startswith(line) and not title[len(line) :].lstrip()[:1].isalnum()


WINDOWS = (2, 7)  # runs on either side that count
FARTHEST_RUN = 30  # runs beyond which distance does not matter
TITLE_FAR = 60  # the same for the distance to the title
NOT_BELOW = 5.0  # instead of the distance to a heading, before the first
MOST_RUNS_NAMED = 0.9  # of the runs: the names of a block with more mean nothing
HALF_OF_GOOD = 0.5  # of the good text: a block with more is not aside, whatever its name
LEAST_COVER = 0.3  # of the title's words: a run with fewer is not like it
SET_OFF = frozenset({"pre", "blockquote"})

Row = tuple[float, ...]
Columns = list[Array]


@dataclass(frozen=True, slots=True)
class Blocks:
    """The names of the blocks."""

    marks: list[int]  # groups of names of a block and its ancestors, with APART
    named: list[int]  # groups of the block itself, with TITLE
    against: list[int]  # number of blocks around, itself included, with names against it
    depth: list[int]


@dataclass(frozen=True, slots=True)
class Sums:
    """Values of the runs, and their sums over all runs before each, and over all."""

    outside: Array  # units outside links
    good: Array  # units of good text
    lengths: Array  # the sums of units, links, units outside links, good text, good runs
    links: Array
    texts: Array
    goods: Array
    good_runs: Array


@dataclass(frozen=True, slots=True)
class RunLooks:
    """The features of a page."""

    rows: Array  # of the runs: the values of RUN_FEATURES and BLOCK_FEATURES
    page: Row  # the values of PAGE_FEATURES
    marks: list[int]  # groups of names around each run of the page
    around: list[int]  # groups of names of each block and its ancestors
    shape: PageShape
    said: PageText
    good: Array  # of the runs: units of good text
    titled: int  # the run that is most like the title of the page, NO_BLOCK if none is


def look(runs: TextRuns, title: str) -> RunLooks:
    """Return the features of a page; `title` is that of its head."""
    said = read_text(runs)
    lengths, links = np.array(runs.lengths), np.array(runs.links)
    sums = _sums(lengths, links, said)
    known = page_shape(runs)
    blocks = describe_blocks(runs, sums.goods.tolist())
    titles = likeness(said.lines, runs.lengths, title)
    titled = _title_run(runs, titles)
    held = np.array(runs.blocks)
    columns = [
        *_sizes(sums, lengths, links, np.array(runs.bolds)),
        *_positions(sums, np.array(known.headings), titled),
        *said.signs,
        *map(np.array, titles),
        (lengths < LONGEST_TITLE_RUN) & (np.array(blocks.named)[held] & TITLE_NAME > 0),
        said.dated,
        said.priced,
        said.words,
        *_alike(sums, lengths, links, np.array(known.places)),
        *_block_columns(runs, blocks, sums, known),
    ]
    return RunLooks(
        rows=np.column_stack(columns).astype(np.float32),
        page=_page_row(runs, sums, known, said, titled >= 0),
        marks=[blocks.marks[block] for block in runs.blocks],
        around=blocks.marks,
        shape=known,
        said=said,
        good=sums.good,
        titled=titled,
    )


def _sums(lengths: Array, links: Array, said: PageText) -> Sums:
    outside = lengths - links
    good = np.where((outside >= GOOD_LENGTH) & said.punctuated, outside, 0)
    return Sums(
        outside,
        good,
        running_sums(lengths),
        running_sums(links),
        running_sums(outside),
        running_sums(good),
        running_sums(good > 0),
    )


def _title_run(runs: TextRuns, titles: tuple[list[float], list[float]]) -> int:
    """Return the run that is most like the page's title, NO_BLOCK if none is."""
    best, found = 0.0, NO_BLOCK
    for run, (share, cover, block) in enumerate(zip(*titles, runs.blocks, strict=True)):
        tag = runs.tags[block]
        if cover > LEAST_COVER or tag == "h1":
            like = cover + share + (1.0 if tag == "h1" else 0.5 if tag in HEADING_LEVELS else 0.0)
            if like > best:
                best, found = like, run
    return found


def describe_blocks(runs: TextRuns, goods: Sequence[int]) -> Blocks:
    """Find the names of the blocks; `goods` are the sums of good text."""
    many, much = MOST_RUNS_NAMED * len(runs), HALF_OF_GOOD * goods[-1]
    number = len(runs.tags)
    named, found, against, depth = [0] * number, [0] * number, [0] * number, [0] * number
    marks = [name_marks(names) for names in runs.names]
    for block, (parent, names) in enumerate(zip(runs.parents, runs.named, strict=True)):
        # the parent of the first block is -1, the last entry, which is still empty
        found[block] = found[parent]
        depth[block] = depth[parent] + 1
        against[block] = against[parent]
        own = marks[names]
        if own:
            named[block] = own
            start, end = runs.starts[block], runs.ends[block]
            if end - start > many:
                own &= BODY_NAME
            elif goods[end] - goods[start] > much:
                own &= BODY_NAME | COMMENT_NAME | HIDDEN_NAME
            found[block] |= own & (EVERY_NAME | APART)
            against[block] += own & NAMES_AGAINST_CONTENT > 0
    return Blocks(found, named, against, depth)


def _block_columns(runs: TextRuns, blocks: Blocks, sums: Sums, known: PageShape) -> Columns:
    """Return the features that all runs of a block share."""
    held = np.array(runs.blocks)
    flags = np.array([_tag_flags(names.tag) for names in runs.names])
    marks = np.array(blocks.marks)[held]
    heads = np.array([tag in HEADING_LEVELS for tag in runs.tags])
    return [
        flags[np.array(runs.named)[held]],
        marks[:, None] >> np.arange(len(NAME_GROUPS)) & 1,
        np.array(blocks.against)[held],
        np.log1p(np.array(blocks.depth)[held]),
        heads[np.array(runs.parents)[held]],
        _container_rows(runs, sums)[known.containers[held]].reshape(len(held), -1),
        np.log1p(known.repeats[held]),
    ]


def _container_rows(runs: TextRuns, sums: Sums) -> Array:
    """Return good text, links and runs of each block, and of the page as the last row."""
    starts, ends = np.array([*runs.starts, 0]), np.array([*runs.ends, len(runs)])
    number = np.maximum(ends - starts, 1)
    size = sums.lengths[ends] - sums.lengths[starts]
    return np.column_stack(
        [
            (sums.goods[ends] - sums.goods[starts]) / (sums.goods[-1] or 1),
            (sums.links[ends] - sums.links[starts]) / np.maximum(size, 1),
            np.log1p(ends - starts),
            np.log1p(size),
            (sums.good_runs[ends] - sums.good_runs[starts]) / number,
        ]
    )


@lru_cache(maxsize=1 << 8)  # more than HTML has
def _tag_flags(tag: str) -> Row:
    return (
        tag in HEADING_LEVELS,
        tag == "h1",
        tag == "p",
        tag in LIST_PART_TAGS,
        tag in CELL_TAGS,
        tag in SET_OFF,
        tag == "div",
    )


def _sizes(sums: Sums, lengths: Array, links: Array, bolds: Array) -> Columns:
    """Return the lengths of each run and of those beside and around it, and the shares of links."""
    number = len(lengths)
    logs = np.concatenate(([0.0, 0.0], np.log1p(sums.outside), [0.0, 0.0]))
    columns: Columns = []
    for window in WINDOWS:
        start, end = _window(number, window)
        columns += [
            (sums.links[end] - sums.links[start]) / (sums.lengths[end] - sums.lengths[start]),
            np.log1p((sums.texts[end] - sums.texts[start]) / (end - start)),
            (sums.good_runs[end] - sums.good_runs[start]) / (end - start),
        ]
    return [
        *[logs[shift : shift + number] for shift in (2, 1, 3, 0, 4)],
        links / lengths,
        np.minimum(bolds / lengths, 1.0),
        *columns,
    ]


def _window(number: int, window: int) -> tuple[Array, Array]:
    """Return the first run in the window around each run, and the run after the last."""
    places = np.arange(number)
    return np.maximum(places - window, 0), np.minimum(places + window + 1, number)


def _positions(sums: Sums, headings: Array, titled: int) -> Columns:
    """Return the position of each run: good text before and in it, runs to others."""
    number, whole = len(sums.good), sums.goods[-1] or 1
    places, goods = np.arange(number), sums.goods[:-1]
    is_good = sums.good > 0
    last = np.maximum.accumulate(np.where(is_good, places, -FARTHEST_RUN))
    following = np.minimum.accumulate(np.where(is_good, places, number + FARTHEST_RUN)[::-1])[::-1]
    before = np.concatenate(([-FARTHEST_RUN], last[:-1]))
    after = np.concatenate((following[1:], [number + FARTHEST_RUN]))
    below = np.log1p(np.minimum(places - headings, FARTHEST_RUN))
    far = np.clip(places - titled, -TITLE_FAR, TITLE_FAR)
    return [
        goods / whole,
        goods == 0,
        goods == whole,
        sums.good / whole,
        is_good,
        np.log1p(np.minimum(places - before, FARTHEST_RUN)),
        np.log1p(np.minimum(after - places, FARTHEST_RUN)),
        places / number,
        np.log1p(places),
        np.log1p(number - places),
        np.where(headings >= 0, below, NOT_BELOW),
        np.sign(far) * np.log1p(np.abs(far)) if titled >= 0 else np.zeros(number),
    ]


def _alike(sums: Sums, lengths: Array, links: Array, places: Array) -> Columns:
    """Return the number and text of the runs with the place of each run."""
    count = np.bincount(places)
    length = np.bincount(places, lengths)
    size, each = np.maximum(length, 1), np.maximum(count, 1)
    columns = [
        np.log1p(count),
        count / len(places),
        length / sums.lengths[-1],
        np.log1p(length / each),
        np.bincount(places, links) / size,
        np.bincount(places, sums.good) / (sums.goods[-1] or 1),
    ]
    return [column[places] for column in columns]


def _page_row(runs: TextRuns, sums: Sums, known: PageShape, said: PageText, titled: bool) -> Row:
    """Return the features of the page."""
    number, whole = len(runs), int(sums.lengths[-1]) or 1
    row = (
        np.log1p(number),
        np.log1p(whole),
        sums.links[-1] / whole,
        sums.goods[-1] / whole,
        *tag_shares(runs),
        np.count_nonzero(said.priced) / number,
        np.log1p(sums.good_runs[-1]),
        max(np.bincount(known.places)) / number,
        np.count_nonzero(said.dated) / number,
        titled,
    )
    return tuple(map(float, row))
