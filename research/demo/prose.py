"""Sentences from small grammars: a text with slots, and rules that fill them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from random import Random
from typing import TypeAlias, TypeVar
from unicodedata import normalize

Rules: TypeAlias = Mapping[str, Sequence[str]]
T = TypeVar("T")

_SLOT = re.compile(r"\{(\w+)\}")
_ARTICLE = re.compile(r"\b([Aa]) (?=[aeio]|un[^i])")
_START = re.compile(r"(^|[.?!]”? )(“?)([a-z])")
_NOT_SLUG = re.compile(r"[^a-z0-9]+")


def read_words(name: str) -> dict[str, tuple[str, ...]]:
    """Read a file of word lists: a name in brackets, then one entry a line."""
    text = (files("research.demo") / "words" / f"{name}.txt").read_text("utf-8")
    lists: dict[str, tuple[str, ...]] = {}
    for part in text.split("\n\n"):
        head, *entries = part.strip().splitlines()
        lists[head.strip("[]")] = tuple(entries)
    return lists


def say(rng: Random, rules: Rules, text: str) -> str:
    """Fill the slots of `text`, and those of what fills them, until none is left."""
    while slot := _SLOT.search(text):
        text = text[: slot.start()] + rng.choice(rules[slot[1]]) + text[slot.end() :]
    return polish(text)


def polish(text: str) -> str:
    """Set "an" before a vowel, capitals where sentences start, and curly apostrophes."""
    text = _ARTICLE.sub(r"\1n ", text)
    text = _START.sub(lambda start: start[1] + start[2] + start[3].upper(), text)
    return text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")


def deal(rng: Random, cards: Sequence[T]) -> Iterator[T]:
    """Yield the cards in random order for ever, each once before any comes again."""
    while True:
        yield from rng.sample(cards, len(cards))


def slugify(text: str) -> str:
    """Return `text` as a slug: lower case, words joined by hyphens."""
    plain = normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    return _NOT_SLUG.sub("-", plain).strip("-")
