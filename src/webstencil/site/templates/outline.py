"""A page's outline: its distinct paths, each with the path of its container.

A path is the chain of names from the root to an element: the tag and its first class token that has
no digit. Ids, and all other tokens, often come from the content (`post-17`, `category-news`); they
made clusters worse when they were counted. Classes of html and body say what the page is about, so
they are left out.

What a meta element says is below it as one more path, and so is the first word of a page's heading:
"Category", "Posted", "Talk". On the pages of a template such words are often the same.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TypeAlias
from zlib import crc32

from webstencil.model import Page

Outline: TypeAlias = dict[int, int]  # path to that of its container; words of headings are negative

NOWHERE = 0  # the container of the root's path
MASK = (1 << 64) - 1  # a path's hash has 64 bits
MULTIPLIER = 0x9E3779B97F4A7C15  # 2**64 / golden ratio, odd: spreads the bits (Knuth, TAOCP 6.4)
BARE = frozenset({"html", "body"})  # tags whose classes are ignored
ADDRESS = "//"  # in a URL, and URLs do not count
NOTHING_SAID: Mapping[int, str] = {}

_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]+")


def outline(page: Page) -> Outline:
    """Return the distinct paths of a page."""
    return outline_of(*page.markup.names(), *page.markup.sayings())


def outline_of(
    names: Sequence[str],
    parents: Sequence[int],
    metas: Mapping[int, str] = NOTHING_SAID,
    headings: Mapping[int, str] = NOTHING_SAID,
) -> Outline:
    """Hash each distinct path; `parents` are indexes in the same order, negative for the root.

    `metas` and `headings` are the texts of some elements, by index.
    """
    hashes, found = element_paths(names, parents)
    for place, words in metas.items():
        if ADDRESS not in words:
            found[below(hashes[place], words)] = hashes[place]
    often = Counter(hashes[place] for place in headings)
    for place, words in headings.items():
        path = hashes[place]
        if often[path] == 1:  # else it is the heading of one of several things
            found[-below(path, first_word(words))] = path
    return found


def element_paths(names: Sequence[str], parents: Sequence[int]) -> tuple[list[int], Outline]:
    """Return the path of each element, and the distinct ones with their containers.

    A list in an item of a list of the same name is the same list: how deep it nests is content.
    """
    found: Outline = {}
    hashes: list[int] = []
    short = list(map(name_hash, names))
    for name, parent in zip(short, parents, strict=True):
        if name in LISTS and parent > 0 and short[parents[parent]] == name:
            hashes.append(hashes[parents[parent]])
            continue
        container = hashes[parent] if parent >= 0 else NOWHERE
        path = (container ^ name) * MULTIPLIER & MASK
        hashes.append(path)
        found[path] = container
    return hashes, found


def below(path: int, words: str) -> int:
    """Return the path of what an element says; half the range, so that it can have a sign."""
    return ((path ^ crc32(words.encode("utf-8", "surrogatepass"))) * MULTIPLIER & MASK) >> 1


@lru_cache(maxsize=1 << 16)
def name_hash(name: str) -> int:
    """Hash the name of an element as it counts in a path."""
    kept = short_name(name).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(kept, digest_size=8).digest())


def short_name(name: str) -> str:
    """Reduce a tag with its class attribute to what is of the template.

    >>> short_name("div.post-17 post category-news")
    'div.post'
    """
    tag, dot, classes = name.partition(".")
    if not dot or "@" in tag:
        return name
    tokens = () if tag in BARE else classes.split()
    return next((f"{tag}.{token}" for token in tokens if not _DIGIT.search(token)), tag)


def first_word(text: str) -> str:
    """Return the first letters of a text up to anything else, empty if there are none.

    >>> first_word("  Category: News")
    'Category'
    """
    found = _LETTERS.search(text)
    return found[0] if found else ""


LISTS = frozenset(map(name_hash, ("ul", "ol", "dl")))  # as they are without a class
