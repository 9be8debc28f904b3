"""A page's outline: its distinct paths, each with the path of its container.

A path is the chain of names from the root to an element: the tag and its first class token that has
no digit. Ids, and all other tokens, often come from the content (`post-17`, `category-news`); they
made clusters worse when they were counted. Classes of html and body say what the page is about, so
they are left out.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TypeAlias

from webstencil.model import Page

Outline: TypeAlias = dict[int, int]  # path to the path of its container

NOWHERE = 0  # the container of the root's path
MASK = (1 << 64) - 1  # a path's hash has 64 bits
MULTIPLIER = 0x9E3779B97F4A7C15  # 2**64 / golden ratio, odd: spreads the bits (Knuth, TAOCP 6.4)
BARE = frozenset({"html", "body"})  # tags whose classes are ignored

_DIGIT = re.compile(r"\d")


def outline(page: Page) -> Outline:
    """Return the distinct paths of a page."""
    return outline_of(*page.markup.names())


def outline_of(names: Sequence[str], parents: Sequence[int]) -> Outline:
    """Hash each distinct path; `parents` are places in the same order, negative for the root.

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
    return found


@lru_cache(maxsize=1 << 16)
def name_hash(name: str) -> int:
    """Hash the name of an element as it counts in a path."""
    kept = short_name(name).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(kept, digest_size=8).digest())


def short_name(name: str) -> str:
    """Cut a tag with its class attribute down to what is the template's.

    >>> short_name("div.post-17 post category-news")
    'div.post'
    """
    tag, dot, classes = name.partition(".")
    if not dot or "@" in tag:
        return name
    tokens = () if tag in BARE else classes.split()
    return next((f"{tag}.{token}" for token in tokens if not _DIGIT.search(token)), tag)


LISTS = frozenset(map(name_hash, ("ul", "ol", "dl")))  # as they are without a class
