"""How the blocks of a page hold its runs: containers, places, repeated blocks, sections.

A container of a run is a block around it that holds more than the blocks in it do. The place of
a run is the chain of tags and classes from the root to its block: cards, posts and rows of one kind
have one place.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log1p
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from webstencil.content.runs import NO_BLOCK, BlockNames, TextRuns
from webstencil.markup.text_units import HEADING_LEVELS
from webstencil.model import Page

CONTAINER_LEVELS = 6  # containers of a run that are looked at, the nearest first
COUNTED_CONTAINERS = 2  # containers of a run whose repetitions are counted
LONGEST_COMPARED_CLASSES = 200  # characters of a class attribute that tell blocks apart
STATE_CLASSES = frozenset(  # classes that tell one of several equal blocks
    ["odd", "even", "first", "last", "active", "current", "open", "selected", "hover"]
)
LIST_PART_TAGS = frozenset({"li", "ul", "ol", "dd", "dt"})
CELL_TAGS = frozenset({"td", "th", "tr"})

Array: TypeAlias = NDArray[Any]

WHOLE_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class PageShape:
    """How the blocks of a page hold its runs."""

    containers: Array  # of the blocks: LEVELS of them, NO_BLOCK beyond the outermost
    repeats: Array  # of the blocks: times that the block and its nearest containers are repeated
    of_blocks: list[int]  # the places of the blocks
    places: list[int]  # of the runs
    sections: list[int]  # of the runs: the number of headings so far
    headings: list[int]  # of the runs: the last heading's run, NO_BLOCK before the first


def page_shape(runs: TextRuns) -> PageShape:
    """Return how the blocks of a page hold its runs."""
    of_blocks = block_places(runs)
    times = Counter(zip(runs.parents, of_blocks, strict=True))
    repeated = [times[key] for key in zip(runs.parents, of_blocks, strict=True)]
    wider, most = _wider(runs, repeated)
    containers = _containers(runs, np.array([*wider, NO_BLOCK]))
    often = np.array([*most, 1])  # the last is of NO_BLOCK
    repeats = np.column_stack([often[:-1], *often[containers[:, :COUNTED_CONTAINERS].T]])
    sections, headings = _sections(runs)
    places = [of_blocks[block] for block in runs.blocks]
    return PageShape(containers, repeats, of_blocks, places, sections, headings)


def _containers(runs: TextRuns, wider: Array) -> Array:
    """Return the containers of each block; a block with several runs is its own first."""
    many = np.array(runs.ends) - np.array(runs.starts) > 1
    around = np.where(many, np.arange(len(runs.tags)), wider[:-1])
    found = [around]
    while len(found) < CONTAINER_LEVELS:
        found.append(wider[found[-1]])
    return np.column_stack(found)


def block_places(runs: TextRuns) -> list[int]:
    """Number the places of the blocks."""
    kinds = [(one.tag, _classes_of(one.classes[:LONGEST_COMPARED_CLASSES])) for one in runs.names]
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
    own = [numbers[kind] for kind in kinds]
    known: dict[tuple[int, int], int] = {}
    placed: list[int] = []
    for parent, names in zip(runs.parents, runs.named, strict=True):
        key = (placed[parent] if parent >= 0 else NO_BLOCK, own[names])
        placed.append(known.setdefault(key, len(known)))
    return placed


def _classes_of(written: str) -> frozenset[str]:
    """Return the classes of an element without numbers and states."""
    return frozenset(WHOLE_NUMBER.sub("0", written.lower()).split()) - STATE_CLASSES


def _wider(runs: TextRuns, repeated: list[int]) -> tuple[list[int], list[int]]:
    """Return the next block around each that holds more runs, and how often what it holds comes.

    Blocks that hold the same runs count as one.
    """
    starts, ends = runs.starts, runs.ends
    wider: list[int] = []
    most = list(repeated)
    for block, parent in enumerate(runs.parents):
        same = parent >= 0 and starts[parent] == starts[block] and ends[parent] == ends[block]
        wider.append(wider[parent] if same else parent)
        if same and most[parent] > most[block]:
            most[block] = most[parent]
    return wider, most


def _sections(runs: TextRuns) -> tuple[list[int], list[int]]:
    """Return the section of each run, and its heading."""
    blocks = np.array(runs.blocks)
    heads = np.array([tag in HEADING_LEVELS for tag in (*runs.tags, "")])  # the last is of NO_BLOCK
    begins = heads[blocks] | heads[np.array(runs.parents)[blocks]]
    headings = np.maximum.accumulate(np.where(begins, np.arange(len(runs)), NO_BLOCK))
    return np.cumsum(begins).tolist(), headings.tolist()


# What the characters and words of the runs tell: ends of sentences, digits, prices, dates.
#
# The characters of all runs are looked up in one table, since a search of each run costs more.

GOOD_LENGTH = 40  # units outside links from which a run with punctuation reads like prose
LONGEST_BYLINE_RUN = 80  # units up to which a run with a year or a time may be a byline
LONGEST_PRICE_RUN = 100  # units up to which a run with an amount of money may be a price
LINE_START = 60  # characters in which digits are counted
MANY_WORDS = 50  # words from which more make no difference
LEGAL = ("©", "copyright", "all rights reserved", "(c)", "版权", "版權")
ADDRESS_SIGNS = ("://", "www.")
CODE_SIGNS = ('href="',)
# U+FF01, U+FF0C, U+FF0E, U+FF1A, U+FF1B and U+FF1F are the full-width forms of ! , . : ; ?,
# U+06D4 is the full stop of Urdu.
SENTENCE_ENDS = '.!?。\uff01\uff1f…"”»:\uff1a」』\uff0e｡।؟\u06d4'  # how a sentence ends
PUNCTUATION_MARKS = ".!?;:,。\uff0c\uff01\uff1f\uff1b、…·\uff1a\uff0e।،؟\u06d4"
CHARACTERS = 1 << 16  # characters that the table has; further ones are like the last of it
DIGIT, PUNCTUATED, END, SPACE = 1, 2, 4, 8  # kinds of characters

# A year or a time; the common digit comes first, which is faster to search. A year may be between
# non-Latin letters: dates in Chinese and Japanese have no spaces.
_DATE = re.compile(
    r"\d(?:(?:(?<=(?<![\da-zA-Z])1)9|(?<=(?<![\da-zA-Z])2)0)\d\d(?![\da-zA-Z])|:\d\d)"
)
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:€|zł|kr\b|USD\b|EUR\b)")


@dataclass(frozen=True, slots=True)
class PageText:
    """What the texts of the runs tell."""

    lines: list[str]  # the texts in lower case
    signs: list[Array]  # ends of sentences, punctuation, repeated, legal, digits, address, markup
    punctuated: Array
    dated: Array
    priced: Array
    words: Array  # number of spaces


def read_text(runs: TextRuns) -> PageText:
    """Look at the texts of the runs of a page."""
    texts = runs.texts
    sizes = np.array([len(text) for text in texts])
    ends = np.cumsum(sizes + 1) - 1
    starts = ends - sizes
    joined = "\n".join(texts)
    kinds = _kinds_of_characters(joined)
    present = np.bitwise_or.reduceat(kinds, starts)
    punctuated = present & PUNCTUATED > 0
    digits = running_sums(kinds & DIGIT)
    head = np.minimum(sizes, LINE_START)
    lowered = joined.lower()
    lines = lowered.split("\n")
    counts = Counter(texts)
    numbered = np.flatnonzero(present & DIGIT).tolist()
    return PageText(
        lines,
        [
            kinds[ends - 1] & END > 0,
            punctuated,
            np.array([counts[text] > 1 for text in texts]),
            _having(LEGAL, lowered, lines),
            (digits[starts + head] - digits[starts]) / head,
            _having(ADDRESS_SIGNS, lowered, lines),
            _having(CODE_SIGNS, lowered, lines) & _outside_code(runs, lowered),
        ],
        punctuated,
        _matching(_DATE, runs, numbered, LONGEST_BYLINE_RUN),
        _matching(_PRICE, runs, numbered, LONGEST_PRICE_RUN),
        np.minimum(np.add.reduceat(kinds & SPACE > 0, starts, dtype=int), MANY_WORDS),
    )


def running_sums(values: Array) -> Array:
    """Return the sums over all values before each, and over all."""
    sums = np.zeros(len(values) + 1, np.result_type(values, int))
    np.cumsum(values, out=sums[1:])
    return sums


@lru_cache(maxsize=1)
def _table() -> Array:
    """Return the kinds of characters."""
    table = np.zeros(CHARACTERS, np.uint8)
    for character in range(CHARACTERS):
        if chr(character).isdecimal():
            table[character] |= DIGIT
    table[[ord(character) for character in PUNCTUATION_MARKS]] |= PUNCTUATED
    table[[ord(character) for character in SENTENCE_ENDS]] |= END
    table[ord(" ")] |= SPACE
    return table


def _kinds_of_characters(text: str) -> Array:
    """Return the kind of each character."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return _table().take(codes, mode="clip")


def _having(words: Iterable[str], lowered: str, lines: Sequence[str]) -> Array:
    """Return which lines of a text have one of some words; few have any."""
    found = np.zeros(len(lines), bool)
    places = [place for word in words for place in _occurrences(word, lowered)]
    if places:
        ends = np.cumsum([len(line) + 1 for line in lines])
        found[np.searchsorted(ends, places, side="right")] = True
    return found


def _occurrences(word: str, text: str) -> Iterator[int]:
    """Yield where a word begins in a text."""
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


def _outside_code(runs: TextRuns, lowered: str) -> Array:
    """Return which runs are not code, if it matters."""
    if CODE_SIGNS[0] not in lowered:
        return np.ones(len(runs), bool)
    return np.array([runs.tags[block] != "pre" for block in runs.blocks])


def _matching(
    pattern: re.Pattern[str], runs: TextRuns, candidates: Iterable[int], most: int
) -> Array:
    """Return which short runs match; only those with a digit can."""
    found = np.zeros(len(runs), bool)
    texts, lengths = runs.texts, runs.lengths
    found[[run for run in candidates if lengths[run] < most and pattern.search(texts[run])]] = True
    return found


# Numbers that tell what type a page is of: of its text, its elements and its repeated blocks.
#
# Blocks of one place are repeated: posts have a date each, products of a collection
# a price, entries of a listing a link. Of each such kind, the blocks that share most text are
# measured. Lengths and counts are logarithms, the rest are shares or 0 and 1.

MOST_OF_KIND = 0.6  # of repeated blocks: so many have what makes them posts, or products
FEWEST_POSTS, FEWEST_CARDS = 2, 3  # blocks
RUNS_OF_BLOCK = 2  # on average; blocks with fewer are lines, not posts or cards
COUNTED_TAGS = (
    *("img", "form", "input", "button", "table", "pre", "code", "article"),
    *("time", "li", "p", "h2", "h3", "dl", "iframe", "select"),
)
TEXT_NUMBERS = (
    *("runs", "text", "links", "good", "p", "lists", "cells", "headings"),
    *("good runs", "alike", "prices", "dates", "price share", "date share"),
)
ERA_FEATURES = ("viewport", "open graph", "linked data", "not ascii")  # how modern a page is
KIND_NUMBERS = ("number", "share", "length", "links", "dated", "good")
REPEATED_KINDS = ("posts", "products", "entries", "sections")  # of repeated blocks
PAGE_NUMBERS = (
    *TEXT_NUMBERS,
    *ERA_FEATURES,
    *[f"count {tag}" for tag in COUNTED_TAGS],
    *[f"{kind} {name}" for kind in REPEATED_KINDS for name in KIND_NUMBERS],
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


def numbers_of_page(page: Page, runs: TextRuns) -> list[float]:
    """Return the values of PAGE_NUMBERS for a page that has text."""
    return page_numbers(page, runs, era(page, runs), read_text(runs), block_places(runs))


def page_numbers(
    page: Page, runs: TextRuns, modern: Row, said: PageText, places: Sequence[int]
) -> list[float]:
    """Return the values of PAGE_NUMBERS; `modern` is its era, `places` are of the blocks."""
    sums = _sums(runs, said)
    tags = Counter([element.tag for element in page.markup.root.iter_elements(COUNTED_TAGS)])
    return [
        *_text_numbers(runs, sums, places),
        *modern,
        *[log1p(tags[tag]) for tag in COUNTED_TAGS],
        *_kinds_of_blocks(_repeated(runs, sums, np.array(places)), int(sums.text[-1]) or 1),
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
    return RunSums(*map(running_sums, (sizes, links, good, said.priced, said.dated)))


def tag_shares(runs: TextRuns) -> Row:
    """Return the shares of the runs in paragraphs, lists, cells and headings."""
    tags = Counter([runs.tags[block] for block in runs.blocks])
    kinds = (("p",), LIST_PART_TAGS, CELL_TAGS, HEADING_LEVELS)
    return tuple([sum([tags[tag] for tag in kind]) / len(runs) for kind in kinds])


def _text_numbers(runs: TextRuns, sums: RunSums, places: Sequence[int]) -> Row:
    """Return the values of TEXT_NUMBERS."""
    number, whole = len(runs), int(sums.text[-1]) or 1
    links, good, prices, dates = [
        int(one[-1]) for one in (sums.links, sums.good, sums.prices, sums.dates)
    ]
    alike = np.bincount([places[block] for block in runs.blocks])
    return (
        log1p(number),
        log1p(whole),
        links / whole,
        good / number,
        *tag_shares(runs),
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


def _kinds_of_blocks(repeated: RepeatedBlocks, whole: int) -> Iterable[float]:
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


# Tokens of a page: words of class and id names, of short texts, of headings.
#
# A small linear model has a weight for each token that many sites use (`model`).

MOST_RUNS_OF_NAME = 0.9  # of a page: the names of a block with more say nothing
LONGEST_NAMES = 400  # characters of an attribute that are read
SHORT_TEXT = 60  # units up to which the words of a run count
MOST_WORDS = 8  # of a run
PLAIN_TAGS = frozenset({"div", "html", "body", "span", "p", "tbody"})  # they say nothing

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAME_WORD = re.compile(r"[a-z]{2,}")
WORD_OF_LETTERS = re.compile(r"[^\W\d_]+")

Tokens = tuple[str, ...]
KnownTokens = Mapping[str, Mapping[str, str]]  # tokens by their kind, as `n`, and their word


def known_tokens(tokens: Iterable[str]) -> KnownTokens:
    """Return the tokens that a model has weights for; no other makes a difference to it."""
    found: dict[str, dict[str, str]] = {kind: {} for kind in "nxwh"}
    for written in tokens:
        token = written.lstrip("+*")
        kind, _, word = token.partition(":")
        found.setdefault(kind, {})[word] = token
    return found


def block_tokens(runs: TextRuns, known: KnownTokens | None = None) -> list[Tokens]:
    """Return the tokens of each block; none if it holds almost all of the page."""
    many = MOST_RUNS_OF_NAME * len(runs)
    tokens = [_tokens_of(names, known) for names in runs.names]
    return [
        tokens[names] if end - start <= many else ()
        for names, start, end in zip(runs.named, runs.starts, runs.ends, strict=True)
    ]


def run_tokens(runs: TextRuns, known: KnownTokens | None = None) -> list[Tokens]:
    """Return the tokens of each run: its own tag, and its words if it is short."""
    own = [f"o:{tag}" for tag in (*runs.tags, "")]  # the last is of NO_BLOCK
    return [
        (own[block], *_tokens("w", short_words(text), known))
        if length < SHORT_TEXT
        else (own[block],)
        for text, length, block in zip(runs.texts, runs.lengths, runs.blocks, strict=True)
    ]


def heading_tokens(
    runs: TextRuns, headings: Sequence[int], known: KnownTokens | None = None
) -> dict[int, Tokens]:
    """Return the tokens that the runs below each heading have; `headings` are of the runs."""
    wanted = {head for head in headings if head >= 0}
    wanted = {head for head in wanted if runs.tags[runs.blocks[head]] in HEADING_LEVELS}
    return {head: tuple(_tokens("h", short_words(runs.texts[head]), known)) for head in wanted}


def _tokens(kind: str, words: Iterable[str], known: KnownTokens | None) -> list[str]:
    """Return the tokens of some words, of those that are known if not of all."""
    if known is None:
        return [f"{kind}:{word}" for word in words]
    own = known[kind]
    return [own[word] for word in words if word in own]


def short_words(text: str) -> list[str]:
    """List the distinct words of a short text, few of a longer one."""
    words: list[str] = WORD_OF_LETTERS.findall(text.lower())
    return list(dict.fromkeys(words))[:MOST_WORDS] if len(words) > 1 else words


def name_words(names: str) -> list[str]:
    """List the words in names: `post`, `body` of `postBody`."""
    lowered = names.lower()
    return _NAME_WORD.findall(lowered if lowered == names else _HUMP.sub(" ", names).lower())


def _tokens_of(names: BlockNames, known: KnownTokens | None) -> Tokens:
    written = f"{names.classes[:LONGEST_NAMES]} {names.identifier[:LONGEST_NAMES]}"
    found = _tokens("n", name_words(written), known)
    if names.said:
        found += _tokens("x", name_words(names.said), known)
    if names.tag not in PLAIN_TAGS:
        found.append(f"t:{names.tag}")
    return tuple(dict.fromkeys(found))
