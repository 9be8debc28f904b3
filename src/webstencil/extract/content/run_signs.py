"""What the characters and words of the runs tell: ends of sentences, digits, prices, dates.

The characters of all runs are looked up in one table, since a search of each run costs more.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from webstencil.extract.content.page_shape import Array
from webstencil.extract.content.text_runs import TextRuns

GOOD_LENGTH = 40  # units outside links from which a run with punctuation reads like prose
BYLINE = 80  # units up to which a run with a year or a time may be a byline
TAG = 100  # units up to which a run with an amount of money may be a price
START = 60  # characters in which digits are counted
MANY_WORDS = 50  # words from which more make no difference
LEGAL = ("©", "copyright", "all rights reserved", "(c)", "版权", "版權")
ADDRESS = ("://", "www.")
MARKUP = ('href="',)
# U+FF01, U+FF0C, U+FF0E, U+FF1A, U+FF1B and U+FF1F are the full-width forms of ! , . : ; ?,
# U+06D4 is the full stop of Urdu.
ENDS = '.!?。\uff01\uff1f…"”»:\uff1a」』\uff0e｡।؟\u06d4'  # how a sentence ends
PUNCTUATION = ".!?;:,。\uff0c\uff01\uff1f\uff1b、…·\uff1a\uff0e।،؟\u06d4"
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
    kinds = _kinds(joined)
    present = np.bitwise_or.reduceat(kinds, starts)
    punctuated = present & PUNCTUATED > 0
    digits = summed(kinds & DIGIT)
    head = np.minimum(sizes, START)
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
            _having(ADDRESS, lowered, lines),
            _having(MARKUP, lowered, lines) & _outside_code(runs, lowered),
        ],
        punctuated,
        _matching(_DATE, runs, numbered, BYLINE),
        _matching(_PRICE, runs, numbered, TAG),
        np.minimum(np.add.reduceat(kinds & SPACE > 0, starts, dtype=int), MANY_WORDS),
    )


def summed(values: Array) -> Array:
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
    table[[ord(character) for character in PUNCTUATION]] |= PUNCTUATED
    table[[ord(character) for character in ENDS]] |= END
    table[ord(" ")] |= SPACE
    return table


def _kinds(text: str) -> Array:
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
    if MARKUP[0] not in lowered:
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
