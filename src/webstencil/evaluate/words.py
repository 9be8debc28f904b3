"""Words that two texts share: precision, recall and F1 of what was found.

There are two ways to split a text. They differ only in Chinese and Japanese, which have no spaces
between words. The figures of main content and its weights were made with `words`, those of the
published extractors with `words_and_signs`, so both stay.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

NOWHERE = -1  # instead of the place of a word that the gold does not have

_WORD = re.compile(r"\w+")
_SIGN = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # Chinese and Japanese characters
_WORD_OR_SIGN = re.compile(rf"[{_SIGN}]|[^\W{_SIGN}]+")


@dataclass(frozen=True, slots=True)
class WordScore:
    """How well what was found agrees with the gold."""

    precision: float  # 0..1
    recall: float  # 0..1
    f1: float  # 0..1


def words(text: str) -> list[str]:
    """Split a text into runs of letters and digits, in lower case."""
    return _WORD.findall(text.lower())


def words_and_signs(text: str) -> list[str]:
    """Split a text into words as `words` does, but each Chinese or Japanese character alone."""
    return _WORD_OR_SIGN.findall(text.lower())


def score_counts(found: int, wanted: int, common: int) -> WordScore:
    """Score by counts; to find nothing where nothing is wanted is right."""
    if not found and not wanted:
        return WordScore(1.0, 1.0, 1.0)
    precision = common / found if found else 0.0
    recall = common / wanted if wanted else 0.0
    return WordScore(precision, recall, 2 * common / (found + wanted))


def compare(found: Sequence[str], gold: Sequence[str]) -> WordScore:
    """Compare two texts as bags of words."""
    have, want = Counter(found), Counter(gold)
    return score_counts(len(found), len(gold), (have & want).total())


def mean(scores: Iterable[WordScore]) -> WordScore:
    """Return the mean over pages."""
    known = list(scores)
    return WordScore(
        fmean([score.precision for score in known]),
        fmean([score.recall for score in known]),
        fmean([score.f1 for score in known]),
    )


def common_words(text: Sequence[str], gold: Sequence[str]) -> list[bool]:
    """Return which words of a text are in its longest common subsequence with the gold."""
    return [place != NOWHERE for place in aligned(text, gold)]


def aligned(text: Sequence[str], gold: Sequence[str]) -> list[int]:
    """Return the place in the gold of each word in the longest common subsequence, else NOWHERE.

    Rows of the table are kept as bits of integers (Hyyrö, Bit-parallel LCS, 2004).
    """
    positions: dict[str, int] = {}
    for position, word in enumerate(text):
        positions[word] = positions.get(word, 0) | 1 << position
    row = every = (1 << len(text)) - 1
    rows = [row]
    for word in gold:
        hits = row & positions.get(word, 0)
        row = (row + hits | row - hits) & every
        rows.append(row)
    places = [NOWHERE] * len(text)
    at, position = len(rows) - 1, len(text)
    while at and position:
        bit = 1 << position - 1
        if rows[at] & bit:
            position -= 1
        elif not rows[at - 1] & bit:
            at -= 1
        else:
            at -= 1
            position -= 1
            places[position] = at
    return places
