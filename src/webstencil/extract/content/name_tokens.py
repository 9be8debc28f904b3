"""Tokens of a page: words of class and id names, of short texts, of headings.

A small linear model has a weight for each token that many sites use (`content_model`).
"""

import re
from collections.abc import Iterable, Mapping, Sequence

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
    many = MOST_RUNS * len(runs)
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
    wanted = {head for head in wanted if runs.tags[runs.blocks[head]] in HEADINGS}
    return {head: tuple(_tokens("h", short_words(runs.texts[head]), known)) for head in wanted}


def _tokens(kind: str, words: Iterable[str], known: KnownTokens | None) -> list[str]:
    """Return the tokens of some words, of those that are known if not of all."""
    if known is None:
        return [f"{kind}:{word}" for word in words]
    own = known[kind]
    return [own[word] for word in words if word in own]


def short_words(text: str) -> list[str]:
    """List the distinct words of a short text, few of a longer one."""
    words: list[str] = _WORD.findall(text.lower())
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
