"""Tokens of a page: words of class and id names, of short texts, of headings.

A small linear model has a weight for each token that many sites use (`content_model`).
"""

import re
from collections.abc import Sequence

from webstencil.extract.content.page_shape import HEADINGS
from webstencil.extract.content.text_runs import BlockNames, TextRuns

MOST_RUNS = 0.9  # of a page: the names of a block with more say nothing
LONGEST_NAMES = 400  # characters of an attribute that are read
SHORT_TEXT = 60  # units up to which the words of a run count
MOST_WORDS = 8  # of a run
PLAIN_TAGS = frozenset({"div", "html", "body", "span", "p", "tbody"})  # they say nothing

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAME_WORD = re.compile(r"[a-z]{2,}")
_WORD = re.compile(r"[^\W\d_]+")

Tokens = tuple[str, ...]


def block_tokens(runs: TextRuns) -> list[Tokens]:
    """Return the tokens of each block; none if it holds almost all of the page."""
    many = MOST_RUNS * len(runs)
    tokens = [_tokens_of(names) for names in runs.names]
    return [
        tokens[names] if end - start <= many else ()
        for names, start, end in zip(runs.named, runs.starts, runs.ends, strict=True)
    ]


def run_tokens(runs: TextRuns) -> list[Tokens]:
    """Return the tokens of each run: its own tag, and its words if it is short."""
    own = [f"o:{tag}" for tag in (*runs.tags, "")]  # the last is of NO_BLOCK
    return [
        (own[block], *[f"w:{word}" for word in short_words(text)])
        if length < SHORT_TEXT
        else (own[block],)
        for text, length, block in zip(runs.texts, runs.lengths, runs.blocks, strict=True)
    ]


def heading_tokens(runs: TextRuns, headings: Sequence[int]) -> dict[int, Tokens]:
    """Return the tokens that the runs below each heading have; `headings` are of the runs."""
    wanted = {head for head in headings if head >= 0}
    wanted = {head for head in wanted if runs.tags[runs.blocks[head]] in HEADINGS}
    return {head: tuple(f"h:{word}" for word in short_words(runs.texts[head])) for head in wanted}


def short_words(text: str) -> list[str]:
    """List the distinct words of a short text, few of a longer one."""
    return list(dict.fromkeys(_WORD.findall(text.lower())))[:MOST_WORDS]


def name_words(names: str) -> list[str]:
    """List the words in names: `post`, `body` of `postBody`."""
    lowered = names.lower()
    return _NAME_WORD.findall(lowered if lowered == names else _HUMP.sub(" ", names).lower())


def _tokens_of(names: BlockNames) -> Tokens:
    written = f"{names.classes[:LONGEST_NAMES]} {names.identifier[:LONGEST_NAMES]}"
    found = [f"n:{word}" for word in name_words(written)]
    if names.said:
        found += [f"x:{word}" for word in name_words(names.said)]
    if names.tag not in PLAIN_TAGS:
        found.append(f"t:{names.tag}")
    return tuple(dict.fromkeys(found))
