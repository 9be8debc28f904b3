"""Words in common: how much of a text was found, and how much else."""

import re
from collections import Counter
from dataclasses import dataclass

# A Chinese or Japanese character counts as a word: there are no spaces between words.
_SINGLE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_SINGLE}]|[^\W{_SINGLE}]+")


@dataclass(frozen=True, slots=True)
class Overlap:
    """Precision and recall."""

    precision: float  # 0..1
    recall: float  # 0..1

    @property
    def f(self) -> float:
        """Return the harmonic mean."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def words_of(text: str) -> list[str]:
    """List the words of a text, small letters."""
    return _WORD.findall(text.lower())


def overlap(found: int, wanted: int, common: int) -> Overlap:
    """Compare numbers; nothing found where nothing was wanted is right."""
    if not found and not wanted:
        return Overlap(1.0, 1.0)
    return Overlap(common / found if found else 0.0, common / wanted if wanted else 0.0)


def word_overlap(found: str, gold: str) -> Overlap:
    """Compare two texts as bags of words."""
    one, other = Counter(words_of(found)), Counter(words_of(gold))
    return overlap(one.total(), other.total(), (one & other).total())
