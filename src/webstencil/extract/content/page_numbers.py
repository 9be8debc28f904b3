"""Numbers that tell what type a page is of: of its text, its elements and its repeated blocks.

Blocks of one place (`page_shape`) are repeated: posts have a date each, products of a collection a
price, entries of a listing a link. Of each such kind, the blocks that share most text are measured.
Lengths and counts are logarithms, the rest are shares or 0 and 1.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import log1p
from operator import sub

from webstencil.extract.content.page_shape import HEADINGS, block_places
from webstencil.extract.content.text_runs import TextRuns
from webstencil.model import Page

GOOD_LENGTH = 40  # units outside links from which a run with punctuation reads like prose
BYLINE = 80  # units up to which a run with a year or a time may be a byline
TAG = 100  # units up to which a run with an amount of money may be a price
MOST_OF_KIND = 0.6  # of repeated blocks: so many have what makes them posts, or products
FEWEST_POSTS, FEWEST_CARDS = 2, 3  # blocks
RUNS_OF_BLOCK = 2  # on average; blocks with fewer are lines, not posts or cards
LISTS = frozenset({"li", "ul", "ol", "dd", "dt"})
CELLS = frozenset({"td", "th", "tr"})
COUNTED = (
    *("img", "form", "input", "button", "table", "pre", "code", "article"),
    *("time", "li", "p", "h2", "h3", "dl", "iframe", "select"),
)
TEXT_NUMBERS = (
    *("runs", "text", "links", "good", "p", "lists", "cells", "headings"),
    *("good runs", "alike", "prices", "dates", "price share", "date share"),
)
ERA_FEATURES = ("viewport", "open graph", "linked data", "not ascii")  # how modern a page is
KIND_NUMBERS = ("number", "share", "length", "links", "dated", "good")
KINDS = ("posts", "products", "entries", "sections")  # of repeated blocks
NUMBERS = (
    *TEXT_NUMBERS,
    *ERA_FEATURES,
    *[f"count {tag}" for tag in COUNTED],
    *[f"{kind} {name}" for kind in KINDS for name in KIND_NUMBERS],
)

_PUNCTUATION = re.compile("[.!?;:,。\uff0c\uff01\uff1f\uff1b、…·\uff1a\uff0e।،؟\u06d4]")
_DATE = re.compile(
    r"\d(?:(?:(?<=(?<![\da-zA-Z])1)9|(?<=(?<![\da-zA-Z])2)0)\d\d(?![\da-zA-Z])|:\d\d)"
)
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|zł|kr\b|USD\b|EUR\b)")

Row = tuple[float, ...]


@dataclass(slots=True)
class RepeatedBlocks:
    """The blocks of one place, added up."""

    blocks: int = 0
    runs: int = 0
    text: int = 0  # units
    links: int = 0  # units in links
    largest: int = 0  # units outside links of the largest block
    priced: int = 0  # blocks with a price
    dated: int = 0
    linked: int = 0
    good: int = 0  # blocks with good text

    @property
    def shared(self) -> int:
        """Return the text outside links of all blocks but the largest: a wrapper shares little."""
        return self.text - self.links - self.largest


@dataclass(frozen=True, slots=True)
class RunSums:
    """Sums over all runs before each, and over all."""

    text: list[int]
    links: list[int]
    good: list[int]  # runs of good text
    prices: list[int]
    dates: list[int]


def page_numbers(page: Page, runs: TextRuns) -> list[float]:
    """Return the values of NUMBERS for a page that has text."""
    sums = _sums(runs)
    places = block_places(runs)
    repeated = _repeated(runs, sums, places)
    tags = Counter([element.tag for element in page.markup.root.iter_elements(COUNTED)])
    return [
        *_text_numbers(runs, sums, places),
        *era(page, runs),
        *[log1p(tags[tag]) for tag in COUNTED],
        *_kinds(repeated, sums.text[-1] or 1),
    ]


def era(page: Page, runs: TextRuns) -> Row:
    """Return the values of ERA_FEATURES."""
    told = {about for about, _ in page.markup.metas()}
    strange = sum(
        [
            length
            for text, length in zip(runs.texts, runs.lengths, strict=True)
            if not text.isascii()
        ]
    )
    return (
        "meta@viewport" in told,
        "meta@og:title" in told,
        b"schema.org" in page.body,
        strange / sum(runs.lengths),
    )


def _sums(runs: TextRuns) -> RunSums:
    texts, sizes = runs.texts, runs.lengths
    outside = map(sub, sizes, runs.links)
    return RunSums(
        _summed(sizes),
        _summed(runs.links),
        _summed(
            [
                size >= GOOD_LENGTH and _PUNCTUATION.search(text) is not None
                for text, size in zip(texts, outside, strict=True)
            ]
        ),
        _summed(
            [
                size < TAG and _PRICE.search(text) is not None
                for text, size in zip(texts, sizes, strict=True)
            ]
        ),
        _summed(
            [
                size < BYLINE and _DATE.search(text) is not None
                for text, size in zip(texts, sizes, strict=True)
            ]
        ),
    )


def _summed(values: Iterable[int]) -> list[int]:
    return list(accumulate(values, initial=0))


def _text_numbers(runs: TextRuns, sums: RunSums, places: Sequence[int]) -> Row:
    """Return the values of TEXT_NUMBERS."""
    number, whole = len(runs), sums.text[-1] or 1
    tags = Counter([runs.tags[block] for block in runs.blocks])
    alike = Counter([places[block] for block in runs.blocks])
    return (
        log1p(number),
        log1p(whole),
        sums.links[-1] / whole,
        sums.good[-1] / number,
        tags["p"] / number,
        sum([tags[tag] for tag in LISTS]) / number,
        sum([tags[tag] for tag in CELLS]) / number,
        sum([tags[tag] for tag in HEADINGS]) / number,
        log1p(sums.good[-1]),
        max(alike.values()) / number,
        log1p(sums.prices[-1]),
        log1p(sums.dates[-1]),
        sums.prices[-1] / number,
        sums.dates[-1] / number,
    )


def _repeated(runs: TextRuns, sums: RunSums, places: Sequence[int]) -> list[RepeatedBlocks]:
    """Add up the blocks of each place that comes more than once."""
    often = Counter(places)
    found: dict[int, RepeatedBlocks] = {}
    text, links = sums.text, sums.links
    for place, start, end in zip(places, runs.starts, runs.ends, strict=True):
        if end <= start or often[place] < FEWEST_POSTS:
            continue
        one = found.get(place)
        if one is None:
            one = found[place] = RepeatedBlocks()
        size, linked = text[end] - text[start], links[end] - links[start]
        one.blocks += 1
        one.runs += end - start
        one.text += size
        one.links += linked
        one.largest = max(one.largest, size - linked)
        one.priced += sums.prices[end] > sums.prices[start]
        one.dated += sums.dates[end] > sums.dates[start]
        one.linked += linked > 0
        one.good += sums.good[end] > sums.good[start]
    return list(found.values())


def _kinds(repeated: Sequence[RepeatedBlocks], whole: int) -> Iterable[float]:
    """Yield the values of KIND_NUMBERS for each of KINDS."""
    wide = [one for one in repeated if one.runs >= RUNS_OF_BLOCK * one.blocks]
    cards = [one for one in wide if one.blocks >= FEWEST_CARDS]
    several = [one for one in repeated if one.blocks >= FEWEST_CARDS]
    for blocks, has in (
        (wide, lambda one: one.dated),
        (cards, lambda one: one.priced),
        (cards, lambda one: one.linked),
        (several, lambda one: one.good),
    ):
        yield from _measured(blocks, has, whole)


def _measured(
    repeated: Iterable[RepeatedBlocks], has: Callable[[RepeatedBlocks], int], whole: int
) -> Row:
    """Return the numbers of those blocks, of which most have something, that share most text."""
    best, most = None, 0
    for one in repeated:
        if has(one) >= MOST_OF_KIND * one.blocks and one.shared > most:
            best, most = one, one.shared
    if best is None:
        return (0.0,) * len(KIND_NUMBERS)
    return (
        log1p(best.blocks),
        best.text / whole,
        log1p(best.text / best.blocks),
        best.links / (best.text or 1),
        best.dated / best.blocks,
        best.good / best.blocks,
    )
