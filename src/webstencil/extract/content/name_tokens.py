"""Tokens of a page: words of class and id names, of short texts, of headings.

A small linear model has a weight for each token that many sites use (`content_model`).
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from webstencil.extract.content.page_shape import HEADINGS
from webstencil.extract.content.text_runs import NO_BLOCK, TextRuns

if TYPE_CHECKING:
    from webstencil.markup import Element

MOST_RUNS = 0.9  # of a page: the names of a block with more say nothing
LONGEST_NAMES = 400  # characters of an attribute that are read
SHORT_TEXT = 60  # units up to which the words of a run count
MOST_WORDS = 8  # of a run
PLAIN_TAGS = frozenset({"div", "html", "body", "span", "p", "tbody"})  # they say nothing
SELDOM_NAMES = ("role", "itemprop")

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAME_WORD = re.compile(r"[a-z]{2,}")
_WORD = re.compile(r"[^\W\d_]+")

Tokens = tuple[str, ...]


def block_tokens(runs: TextRuns) -> list[Tokens]:
    """Return the tokens of each block; none if it holds almost all of the page."""
    many = MOST_RUNS * len(runs)
    found: list[Tokens] = []
    for block, element in enumerate(runs.elements):
        if runs.ends[block] - runs.starts[block] > many:
            found.append(())
            continue
        found.append(
            _tokens_of(
                runs.tags[block],
                runs.classes[block][:LONGEST_NAMES],
                runs.identifiers[block][:LONGEST_NAMES],
                _seldom(element) if element in runs.seldom else "",
            )
        )
    return found


def run_tokens(runs: TextRuns) -> list[Tokens]:
    """Return the tokens of each run: its own tag, and its words if it is short."""
    found = []
    for text, length, block in zip(runs.texts, runs.lengths, runs.blocks, strict=True):
        tag = runs.tags[block] if block != NO_BLOCK else ""
        words = short_words(text) if length < SHORT_TEXT else ()
        found.append((f"o:{tag}", *[f"w:{word}" for word in words]))
    return found


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
    return _NAME_WORD.findall(_HUMP.sub(" ", names).lower())


def _seldom(element: "Element") -> str:
    values: Iterable[str | None] = [element.attr(name) for name in SELDOM_NAMES]
    return " ".join([value[:LONGEST_NAMES] for value in values if value])


@lru_cache(maxsize=1 << 14)
def _tokens_of(tag: str, classes: str, identifier: str, seldom: str) -> Tokens:
    found = [f"n:{word}" for word in name_words(f"{classes} {identifier}")]
    found += [f"x:{word}" for word in name_words(seldom)]
    if tag not in PLAIN_TAGS:
        found.append(f"t:{tag}")
    return tuple(dict.fromkeys(found))
