"""Numbers that tell what type a page is of: of its text, its elements and its repeated blocks.

Blocks of one place (`page_shape`) are repeated: posts have a date each, products of a collection a
price, entries of a listing a link. Of each such kind, the blocks that share most text are measured.
Lengths and counts are logarithms, the rest are shares or 0 and 1.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log1p

import numpy as np

from webstencil.extract.content.page_shape import CELLS, HEADINGS, LISTS, Array, block_places
from webstencil.extract.content.run_signs import GOOD_LENGTH, PageText, read_text, summed
from webstencil.extract.content.text_runs import TextRuns
from webstencil.model import Page

MOST_OF_KIND = 0.6  # of repeated blocks: so many have what makes them posts, or products
FEWEST_POSTS, FEWEST_CARDS = 2, 3  # blocks
RUNS_OF_BLOCK = 2  # on average; blocks with fewer are lines, not posts or cards
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

Row = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RepeatedBlocks:
    """The blocks of each place that comes more than once, added up: one number for each place."""

    blocks: Array
    runs: Array
    text: Array  # units
    links: Array  # units in links
    shared: Array  # units outside links of all blocks but the largest: a wrapper shares little
    priced: Array  # blocks with a price
    dated: Array
    linked: Array
    good: Array  # blocks with good text


@dataclass(frozen=True, slots=True)
class RunSums:
    """Sums over all runs before each, and over all."""

    text: Array
    links: Array
    good: Array  # runs of good text
    prices: Array
    dates: Array


def numbers_of(page: Page, runs: TextRuns) -> list[float]:
    """Return the values of NUMBERS for a page that has text."""
    return page_numbers(page, runs, era(page, runs), read_text(runs), block_places(runs))


def page_numbers(
    page: Page, runs: TextRuns, modern: Row, said: PageText, places: Sequence[int]
) -> list[float]:
    """Return the values of NUMBERS; `modern` is its era, `places` are of the blocks."""
    sums = _sums(runs, said)
    tags = Counter([element.tag for element in page.markup.root.iter_elements(COUNTED)])
    return [
        *_text_numbers(runs, sums, places),
        *modern,
        *[log1p(tags[tag]) for tag in COUNTED],
        *_kinds(_repeated(runs, sums, np.array(places)), int(sums.text[-1]) or 1),
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


def _sums(runs: TextRuns, said: PageText) -> RunSums:
    sizes, links = np.array(runs.lengths), np.array(runs.links)
    good = (sizes - links >= GOOD_LENGTH) & said.punctuated
    return RunSums(*map(summed, (sizes, links, good, said.priced, said.dated)))


def _text_numbers(runs: TextRuns, sums: RunSums, places: Sequence[int]) -> Row:
    """Return the values of TEXT_NUMBERS."""
    number, whole = len(runs), int(sums.text[-1]) or 1
    links, good, prices, dates = [
        int(one[-1]) for one in (sums.links, sums.good, sums.prices, sums.dates)
    ]
    tags = Counter([runs.tags[block] for block in runs.blocks])
    alike = np.bincount([places[block] for block in runs.blocks])
    return (
        log1p(number),
        log1p(whole),
        links / whole,
        good / number,
        tags["p"] / number,
        sum([tags[tag] for tag in LISTS]) / number,
        sum([tags[tag] for tag in CELLS]) / number,
        sum([tags[tag] for tag in HEADINGS]) / number,
        log1p(good),
        int(alike.max()) / number,
        log1p(prices),
        log1p(dates),
        prices / number,
        dates / number,
    )


def _repeated(runs: TextRuns, sums: RunSums, places: Array) -> RepeatedBlocks:
    """Add up the blocks of each place that comes more than once."""
    starts, ends = np.array(runs.starts), np.array(runs.ends)
    kept = (ends > starts) & (np.bincount(places)[places] >= FEWEST_POSTS)
    known = np.zeros(len(places), bool)
    known[places[kept]] = True
    number, place = np.count_nonzero(known), (np.cumsum(known) - 1)[places[kept]]
    start, end = starts[kept], ends[kept]
    text, links, good, prices, dates = [
        values[end] - values[start]
        for values in (sums.text, sums.links, sums.good, sums.prices, sums.dates)
    ]
    largest = np.zeros(number)
    np.maximum.at(largest, place, text - links)

    def summed(values: Array) -> Array:
        return np.bincount(place, values, number)

    return RepeatedBlocks(
        blocks=summed(np.ones(len(place))),
        runs=summed(end - start),
        text=summed(text),
        links=summed(links),
        shared=summed(text - links) - largest,
        priced=summed(prices > 0),
        dated=summed(dates > 0),
        linked=summed(links > 0),
        good=summed(good > 0),
    )


def _kinds(repeated: RepeatedBlocks, whole: int) -> Iterable[float]:
    """Yield the values of KIND_NUMBERS for each of KINDS."""
    wide = repeated.runs >= RUNS_OF_BLOCK * repeated.blocks
    several = repeated.blocks >= FEWEST_CARDS
    for chosen, has in (
        (wide, repeated.dated),
        (wide & several, repeated.priced),
        (wide & several, repeated.linked),
        (several, repeated.good),
    ):
        yield from _measured(repeated, chosen & (has >= MOST_OF_KIND * repeated.blocks), whole)


def _measured(repeated: RepeatedBlocks, chosen: Array, whole: int) -> Row:
    """Return the numbers of those of the chosen blocks that share most text."""
    shared = np.where(chosen, repeated.shared, 0)
    if not shared.any():
        return (0.0,) * len(KIND_NUMBERS)
    best = int(shared.argmax())
    blocks, text, links, dated, good = [
        float(values[best])
        for values in (
            repeated.blocks,
            repeated.text,
            repeated.links,
            repeated.dated,
            repeated.good,
        )
    ]
    return (
        log1p(blocks),
        text / whole,
        log1p(text / blocks),
        links / (text or 1),
        dated / blocks,
        good / blocks,
    )
