"""How similar a run is to the title of its page, by common words.

In scripts without spaces a whole headline would be one word, and never match a title with the
site's name; there each pair of adjacent characters is a word.
"""

import re
from collections.abc import Sequence

SHORT = 200  # units up to which a run can be the page's title
TITLE_SHARE = 0.6  # of a run's words in the page's title
TITLE_COVER = 0.3  # of the title's words in the run

# Thai and Lao, Burmese, Khmer, kana, Han; Korean has spaces.
UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(r"[^\W_]+")
_UNSPACED_WORD = re.compile(rf"(?=([{UNSPACED}]{{2}}))[{UNSPACED}]|([^\W_{UNSPACED}]+)")


def words_of(text: str) -> list[str]:
    """List the words of a text, and pairs of characters in scripts without spaces."""
    if text.isascii():
        return _WORD.findall(text)
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
        words = words_of(line) if size < SHORT else ()
        if not wanted.isdisjoint(words):
            common = [word for word in words if word in wanted]
            share, cover = len(common) / len(words), len(set(common)) / len(wanted)
            covers[place] = cover
            if share > TITLE_SHARE and cover > TITLE_COVER:
                shares[place] = share
    return shares, covers


def leads(line: str, title: str) -> bool:
    """Return whether a title begins with a line, and a sign parts it from what follows."""
    return title.startswith(line) and not title[len(line) :].lstrip()[:1].isalnum()
