"""What one page tells of each of its runs, as numbers for a linear score.

Lengths enter as logarithms, the rest as shares or as 0 and 1. *Good text* is what reads like prose:
enough text outside links, with a punctuation mark.
"""

import re
from dataclasses import dataclass
from math import log1p

from webstencil.extract.content.blocks import below
from webstencil.extract.content.names import (
    AGAINST,
    BITS,
    BODY,
    COMMENT,
    HIDDEN,
    TITLE,
    marks,
)
from webstencil.extract.content.runs import Runs

GOOD_LENGTH = 40  # units outside links from which a run with punctuation is good text
SHORT = 200  # units up to which a run can be the page's title
WINDOW = 4  # runs on either side whose links count
FAR = 30  # runs beyond which distance does not matter
MOST = 0.9  # of the runs: the names of a block with more say nothing
HALF = 0.5  # of the good text: a block with more is not aside, whatever its name
START = 60  # characters in which digits are counted
TITLE_SHARE = 0.6  # of a run's words in the page's title
TITLE_COVER = 0.3  # of the title's words in the run
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
LISTS = frozenset({"li", "ul", "ol", "dd", "dt"})
CELLS = frozenset({"td", "th", "tr"})
SET_OFF = frozenset({"pre", "blockquote"})
# U+FF01, U+FF0C, U+FF1B and U+FF1F are the full-width forms of ! , ; ?
ENDS = tuple('.!?。\uff01\uff1f…"”»:')  # how a sentence ends

MARKS = tuple(BITS)
PAGE_FEATURES = (
    [
        "length",
        "length before",
        "length after",
        "length 2 before",
        "length 2 after",
        "links",
        "links around",
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
        "good before",
        "none before",
        "none after",
    ]
    + [f"named {group}" for group in MARKS]
    + [
        "names against",
        "sentence end",
        "punctuation",
        "title",
        "title words",
        "bold",
        "place",
        "repeated",
        "legal",
        "far from good before",
        "far from good after",
        "depth",
        "share of good",
        "good",
        "digits",
        "named title",
        "address",
        "in heading",
    ]
)

_PUNCTUATION = re.compile("[.!?;:,。\uff0c\uff01\uff1f\uff1b、…·]")
_LEGAL = re.compile(r"(?i)©|\(c\)|copyright|all rights reserved|版权|版權")
_ADDRESS = re.compile(r"://|\bwww\.")
_WORDS = re.compile(r"\w+")

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Blocks:
    """What the blocks of a page hold, subtrees included."""

    linked: list[float]  # 0..1, share of the text in links
    good: list[float]  # 0..1, share of the page's good text
    marks: list[int]  # the groups of names of a block and all around it
    against: list[int]  # how many blocks around, itself included, have names against it
    depth: list[int]


@dataclass(frozen=True, slots=True)
class Look:
    """What a page tells of each of its runs."""

    rows: list[Row]  # the values of PAGE_FEATURES
    marks: list[int]  # the groups of names around the run


def look(runs: Runs, title: str) -> Look:
    """Look at the runs of a page; `title` is what its head gives as such."""
    outside = [length - link for length, link in zip(runs.lengths, runs.links, strict=True)]
    dotted = [1.0 if _PUNCTUATION.search(text) else 0.0 for text in runs.texts]
    good = [
        size if size >= GOOD_LENGTH and dot else 0
        for size, dot in zip(outside, dotted, strict=True)
    ]
    blocks = describe_blocks(runs, good)
    logs = [0.0, 0.0, *map(log1p, outside), 0.0, 0.0]
    places = zip(
        _places(good), windows(runs), _titles(runs, title), _repeated(runs.texts), strict=True
    )
    flags = {block: _of_block(runs, blocks, block) for block in set(runs.blocks)}
    rows: list[Row] = []
    for run, (place, window, like_title, repeated) in enumerate(places):
        text, length = runs.texts[run], runs.lengths[run]
        before, share, behind, ahead = place
        block_links, block_tags, block_marks, block_last, named_title, in_heading = flags[
            runs.blocks[run]
        ]
        rows.append(
            (
                logs[run + 2], logs[run + 1], logs[run + 3], logs[run], logs[run + 4],
                runs.links[run] / length, window,
                *block_links, *block_tags,
                before, before == 0.0, before >= NEARLY_ALL and not share,
                *block_marks,
                text.endswith(ENDS), dotted[run], *like_title,
                min(runs.bolds[run], length) / length, run / len(runs),
                repeated, 1.0 if _LEGAL.search(text) else 0.0,
                log1p(behind), log1p(ahead), block_last, share, share > 0.0,
                _digits(text),
                named_title if length < SHORT else 0.0,
                1.0 if _ADDRESS.search(text) else 0.0,
                in_heading,
            )
        )  # fmt: skip
    return Look(rows, [blocks.marks[block] for block in runs.blocks])


NEARLY_ALL = 1.0 - 1e-9


def describe_blocks(runs: Runs, good: list[int]) -> Blocks:
    """Sum up what the blocks hold, and what names there are around them."""
    lengths = below(runs, runs.lengths)
    linked = below(runs, runs.links)
    goods = below(runs, good)
    counts = below(runs, [1] * len(runs))
    all_good = sum(good) or 1
    found: list[int] = []
    against: list[int] = []
    depth: list[int] = []
    for block, parent in enumerate(runs.parents):
        own = marks(runs.tags[block], runs.names[block])
        if counts[block] > MOST * len(runs):
            own &= BODY
        elif goods[block] > HALF * all_good:
            own &= BODY | COMMENT | HIDDEN
        above = parent >= 0
        found.append(own | found[parent] if above else own)
        against.append((against[parent] if above else 0) + (1 if own & AGAINST else 0))
        depth.append((depth[parent] if above else 0) + 1)
    shares = [part / (whole or 1) for part, whole in zip(linked, lengths, strict=True)]
    return Blocks(shares, [part / all_good for part in goods], found, against, depth)


def _of_block(runs: Runs, blocks: Blocks, block: int) -> tuple[Row, Row, Row, float, float, float]:
    """Return the features that all runs of a block share."""
    parent = _above(runs, block)
    grandparent = _above(runs, parent)
    line = (block, parent, grandparent)
    tag = runs.tags[block]
    found = blocks.marks[block]
    return (
        (*[blocks.linked[at] for at in line], *[blocks.good[at] for at in line]),
        (tag in HEADINGS, tag == "h1", tag == "p", tag in LISTS, tag in CELLS, tag in SET_OFF),
        (*[1.0 if found & bit else 0.0 for bit in BITS.values()], blocks.against[block]),
        log1p(blocks.depth[block]),
        1.0 if TITLE.search(runs.names[block]) else 0.0,
        1.0 if runs.tags[parent] in HEADINGS else 0.0,
    )


def _above(runs: Runs, block: int) -> int:
    parent = runs.parents[block]
    return parent if parent >= 0 else block


def _places(good: list[int]) -> list[tuple[float, float, int, int]]:
    """Return the share of good text before a run and in it, and the runs to the next good ones."""
    whole = sum(good) or 1
    before, behind = 0, FAR
    firsts = []
    for size in good:
        firsts.append((before / whole, size / whole, min(behind, FAR)))
        before += size
        behind = 1 if size else behind + 1
    aheads = []
    ahead = FAR
    for size in reversed(good):
        aheads.append(min(ahead, FAR))
        ahead = 1 if size else ahead + 1
    return [(*first, last) for first, last in zip(firsts, reversed(aheads), strict=True)]


def windows(runs: Runs) -> list[float]:
    """Return the share of links in the text around each run."""
    lengths, links = [0], [0]
    for length, link in zip(runs.lengths, runs.links, strict=True):
        lengths.append(lengths[-1] + length)
        links.append(links[-1] + link)
    shares = []
    for run in range(len(runs)):
        start, end = max(0, run - WINDOW), min(len(runs), run + WINDOW + 1)
        shares.append((links[end] - links[start]) / ((lengths[end] - lengths[start]) or 1))
    return shares


def _titles(runs: Runs, title: str) -> list[tuple[float, float]]:
    """Tell how far each run is the title of the page, and how many of its words it has."""
    wanted = frozenset(_WORDS.findall(title.lower()))
    found = []
    for text, length in zip(runs.texts, runs.lengths, strict=True):
        share = cover = 0.0
        if wanted and length < SHORT:
            words = _WORDS.findall(text.lower())
            share = sum([word in wanted for word in words]) / (len(words) or 1)
            cover = len(wanted.intersection(words)) / len(wanted)
        is_title = share > TITLE_SHARE and cover > TITLE_COVER
        found.append((share if is_title else 0.0, cover))
    return found


def _repeated(texts: list[str]) -> list[float]:
    """Tell which texts are on the page more than once."""
    counts: dict[str, int] = {}
    for text in texts:
        counts[text] = counts.get(text, 0) + 1
    return [1.0 if counts[text] > 1 else 0.0 for text in texts]


def _digits(text: str) -> float:
    start = text[:START]
    return sum(map(str.isdigit, start)) / (len(start) or 1)
