"""Words of texts, compared as bags."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class WordScore:
    """How well a text has the words of another."""

    precision: float  # 0..1
    recall: float  # 0..1
    f1: float  # 0..1


def words(text: str) -> list[str]:
    """List the words of a text in lower case; a word is letters and digits in a row."""
    return _WORD.findall(text.lower())


def compare(found: str, gold: str) -> WordScore:
    """Compare the words of a text with those of the gold."""
    have, want = Counter(words(found)), Counter(words(gold))
    if not have and not want:
        return WordScore(1.0, 1.0, 1.0)
    common = (have & want).total()
    precision = common / have.total() if have else 0.0
    recall = common / want.total() if want else 0.0
    return WordScore(precision, recall, 2 * common / (have.total() + want.total()))


def mean(scores: Iterable[WordScore]) -> WordScore:
    """Return the mean over pages."""
    known = list(scores)
    return WordScore(
        fmean([score.precision for score in known]),
        fmean([score.recall for score in known]),
        fmean([score.f1 for score in known]),
    )


def common_words(text: Sequence[str], gold: Sequence[str]) -> list[bool]:
    """Tell which words of a text are in its longest common subsequence with the gold.

    The rows of the table are kept as bits of whole numbers (Hyyrö, Bit-parallel LCS, 2004).
    """
    places: dict[str, int] = {}
    for place, word in enumerate(text):
        places[word] = places.get(word, 0) | 1 << place
    row = every = (1 << len(text)) - 1
    rows = [row]
    for word in gold:
        hits = row & places.get(word, 0)
        row = (row + hits | row - hits) & every
        rows.append(row)
    return _trace(rows, len(text))


def _trace(rows: Sequence[int], length: int) -> list[bool]:
    marked = [False] * length
    at, place = len(rows) - 1, length
    while at and place:
        bit = 1 << place - 1
        if rows[at] & bit:
            place -= 1
        elif not rows[at - 1] & bit:
            at -= 1
        else:
            at -= 1
            place -= 1
            marked[place] = True
    return marked
