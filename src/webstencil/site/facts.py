"""What tells the pages of a site apart, as numbers for `divide.py`.

A path is the chain of labels from the root to a place: the tag and its first class that has no
number. Ids and further classes often come from the content. What a meta element says, and the first
word of the heading, are facts of their own, since on the pages of a template they are often the
same. So is what an address is made of: folders, the first word of the file name, the names in its
query, its depth.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import unquote

from webstencil.site.divide import PageFacts
from webstencil.site.outline import HEAD, NO_PLACE, Outline
from webstencil.site.site_model import key_of

NOWHERE = 0  # the container of the root's path
MASK = (1 << 64) - 1  # a path's hash has 64 bits
MULTIPLIER = 0x9E3779B97F4A7C15  # 2**64 / golden ratio, odd: spreads the bits (Knuth, TAOCP 6.4)
LISTS = frozenset({"ul", "ol", "dl"})  # without a class: nesting is content

_NUMBER = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")
_ENDING = re.compile(r"\.\w{1,5}$")


def facts_of(url: str, outline: Outline, words: dict[int, str] | None = None) -> PageFacts:
    """Return the facts of a page; `words` takes what each of them means."""
    names = [short_label(label) for label in outline.labels]
    chains: list[int] = []
    paths: dict[int, int] = {}
    for place, (name, around) in enumerate(zip(names, outline.containers, strict=True)):
        above = outline.containers[around] if around > NO_PLACE else NO_PLACE
        if name in LISTS and above > NO_PLACE and names[above] == name:
            chains.append(chains[above])
            continue
        container = chains[around] if around != NO_PLACE else NOWHERE
        path = (container ^ hashed(name)) * MULTIPLIER & MASK
        chains.append(path)
        paths[path] = container
        if words is not None:
            words.setdefault(path, outline.labels[place] if name.startswith(HEAD) else name)
    said: dict[int, int] = {}
    headings: dict[int, int] = {}
    for place, text in outline.heard:
        token = (chains[place] ^ hashed(f"says {text}")) * MULTIPLIER & MASK
        (said if names[place].startswith(HEAD) else headings)[token] = chains[place]
        if words is not None:
            words[token] = f"{names[place]} says “{text}”"
    address = {hashed(fact) for fact in address_facts(url)}
    return PageFacts(paths, said, headings, frozenset(address), key_of(url))


@lru_cache(maxsize=1 << 16)
def short_label(label: str) -> str:
    """Reduce a label to its tag and its first class without a number.

    >>> short_label("div.post-0.hentry#main")
    'div.hentry'
    """
    if label.startswith(HEAD):
        return label
    tag, *classes = label.partition("#")[0].split(".")
    first = next((name for name in classes if name and not any(map(str.isdigit, name))), None)
    return f"{tag}.{first}" if first else tag


@lru_cache(maxsize=1 << 16)
def hashed(text: str) -> int:
    """Hash a text to 64 bits."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def address_facts(url: str) -> Iterator[str]:
    """Yield what an address is made of."""
    path, _, query = unquote(url.partition("//")[2].partition("/")[2]).partition("?")
    *folders, file = path.split("/")
    yield f"depth {len(folders)}"
    for folder in folders:
        yield f"folder {_NUMBER.sub('0', folder)}"
    word = _LETTERS.match(file)
    yield f"file {word[0] if word else ''}"
    for pair in re.split("[&;]", _ENDING.sub("", query)) if query else ():
        name, sign, value = pair.partition("=")
        word = _LETTERS.match(name)
        shown = f"={value}" if sign and value.isalpha() else ""
        yield f"query {name if sign else word[0] if word else ''}{shown}"
