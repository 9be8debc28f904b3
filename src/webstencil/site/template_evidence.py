"""What speaks for dividing pages by a token: all else that comes and goes with it.

Pages are bits of an int, tokens are such ints, and tokens that the same pages have are one column.
A test *explains* a column as far as they share information; over the bits of the test itself that
is a number of pieces of the page that come, or go, with the test.

Options of a template (comments, a notebook in a post) explain much, too. What they lack is a
witness: addresses and headings tell templates apart, options hardly ever.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from math import log2, sqrt
from urllib.parse import unquote

from webstencil.site.outline import HEAD_LABELS, NO_PLACE, Outline
from webstencil.urls import sampling_key

ABOVE_ROOT = 0  # the container of the root's path
PATH, SAID, HEADING, ADDRESS = range(4)  # kinds of tokens

SETTLED = 1.5  # bits of variety of a container's children up to which all of them count, ...
LOOSE = 3.0  # ... and from which on none does: it holds running text
FEWEST_IN_COLUMN = 2  # pages: a token that fewer have, or lack, is no column
SMALLEST_SIDE = 3  # pages on each side of a test
PARTLY = 0.2  # exponent of the explained share of a column: what is explained in part counts less
DOUBTED_PIECES = 0.3  # pieces added to both sides: what is only more can be a template, too
# Options only add something, templates have one thing instead of another: so the side of a test
# with less decides. Chosen over sites with the two below; notebook/sites.md has the table.
WEAKER = 0.65  # exponent of the side with less; the other has the rest
WITNESS = 0.5  # how much more a test scores if an address or a heading agrees with it entirely
LEAST_BITS = 1e-3  # bits a page: what shares less is taken to share nothing
COLUMNS_KEPT = 300  # of one node, those that tell most; bounds the pairs to compare


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of a page: tokens are ints that mean the same on all pages of a site."""

    paths: Mapping[int, int]  # path to that of its container, 0 for the root
    said: Mapping[int, int]  # what a meta element says, to its path
    headings: Mapping[int, int]  # the first word of a heading, to its path
    address: frozenset[int]
    key: int = 0  # hash of its URL: it puts the page into one or the other half of the site


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """A test and its outcome, on the way to a leaf."""

    token: int
    has: bool


@dataclass(frozen=True, slots=True)
class Token:
    """A token and the pages that have it."""

    token: int
    kind: int
    place: int  # its container
    pages: int  # as bits
    weight: float  # 0 in running text .. 1


@dataclass(frozen=True, slots=True)
class Column:
    """Tokens of one kind that the same pages of a node have."""

    token: int  # the smallest
    kind: int
    places: frozenset[int]  # of what is said
    pages: int  # as bits
    count: int  # of pages
    weight: float  # pieces


@dataclass(frozen=True, slots=True)
class ChosenTest:
    """The best test of a node."""

    token: int
    pages: int  # that have it, as bits
    score: float  # pieces that change with it, more of them by witnesses
    addressed: float  # how well the best fact of addresses agrees, 0..1


def as_bits(numbers: Iterable[int], size: int) -> int:
    """Return an int with these bits set.

    >>> as_bits((0, 3), 4)
    9
    """
    packed = bytearray(size // 8 + 1)
    for number in numbers:
        packed[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(packed, "little")


def path_shares(outlines: Sequence[Mapping[int, int]]) -> dict[int, float]:
    """Return how much of each path is the template's: 0 in running text, 1 outside of it.

    A container of running text shows by its children: they come and go one by one, so that nearly
    each page has another set of them, while those of a template's container come and go together.
    """
    seen, sets = Counter[int](), dict[int, Counter[int]]()
    containers: dict[int, int] = {}
    for outline in outlines:
        containers.update(outline)
        seen.update(outline.keys())
        children: dict[int, int] = {}  # a hash of the set of them, of each container
        for path, container in outline.items():
            children[container] = children.get(container, 0) ^ path
        children.pop(ABOVE_ROOT, None)
        for place, together in children.items():
            sets.setdefault(place, Counter())[together] += 1
    settled = {
        place: max(0.0, min(1.0, (LOOSE - bits) / (LOOSE - SETTLED)))
        for place, bits in varieties(seen, sets, containers).items()
    }
    shares = {ABOVE_ROOT: 1.0}
    for path in containers:
        steps: list[int] = []  # up to the first container that is known
        step = path
        while step not in shares and step in containers:
            steps.append(step)
            step = containers[step]
        for step in reversed(steps):
            above = containers[step]
            shares[step] = shares.get(above, 1.0) * settled.get(above, 1.0)
    return shares


def varieties(
    seen: Mapping[int, int], sets: Mapping[int, Counter[int]], containers: Mapping[int, int]
) -> dict[int, float]:
    """Return the variety of the children of each container, in bits.

    It is the entropy of the sets of children, scaled by how freely single children come and go.
    """
    apart: dict[int, list[float]] = {}
    for path, container in containers.items():
        if container in sets and container in seen and 1 < seen[path] < seen[container]:
            chance = seen[path] / seen[container]
            apart.setdefault(container, []).append(entropy_of((chance, 1.0 - chance)))
    found: dict[int, float] = {}
    for container, parts in apart.items():
        pages = seen[container]
        counts = sorted(sets[container].values())
        counts.append(pages - sum(counts))  # pages where it has no children
        together = entropy_of(count / pages for count in counts)
        found[container] = together * sqrt(min(1.0, together / sum(sorted(parts))))
    return found


def entropy_of(shares: Iterable[float]) -> float:
    """Return the entropy of a distribution in bits."""
    return -sum(share * log2(share) for share in shares if share > 0.0)


def columns_of_tokens(tokens: Iterable[Token], node: int) -> list[Column]:
    """Merge the tokens that the same pages of a node have; leave out what tells nothing."""
    total = node.bit_count()
    groups: dict[tuple[int, int], list[Token]] = {}
    for token in tokens:
        pages = token.pages & node
        if FEWEST_IN_COLUMN <= pages.bit_count() <= total - FEWEST_IN_COLUMN:
            groups.setdefault((token.kind, pages), []).append(token)
    columns: list[tuple[float, Column]] = []
    for (kind, pages), group in groups.items():
        once = kind in (SAID, HEADING)
        if once:  # what is said is said once, in however many places
            weight = max(one.weight for one in group)
        elif kind == ADDRESS:  # facts of an address add up
            weight = sum(sorted(one.weight for one in group))
        else:
            weight = pieces_of_paths(group)
        count = pages.bit_count()
        first = min(one.token for one in group)
        places = frozenset(one.place for one in group if once)
        bits = entropy_of((count / total, 1.0 - count / total))
        columns.append((-weight * bits, Column(first, kind, places, pages, count, weight)))
    columns.sort(key=lambda one: (one[0], one[1].kind, one[1].token))
    return [column for _, column in columns[:COLUMNS_KEPT]]


def pieces_of_paths(paths: Sequence[Token]) -> float:
    """Return how many pieces of a page paths are that come and go together.

    A path and all that is in it is one piece: it was written in one go, however rich it is. It
    weighs the root of what it holds.
    """
    containers = {one.token: one.place for one in paths}
    sizes: dict[int, list[float]] = {}
    for one in paths:
        top = one.token
        while containers[top] in containers:
            top = containers[top]
        sizes.setdefault(top, []).append(one.weight)
    return sum(sorted(sqrt(sum(sorted(held))) for held in sizes.values()))


def best_test(columns: Sequence[Column], total: int, cost: float) -> ChosenTest | None:
    """Find the test that explains most; None if nothing can be tested.

    A good test has both: pieces that come with it, and others that go ("these instead of those").
    So its score is their mean, in which the side with less counts more, and more than that if an
    address or a heading bears witness.
    `cost` is the bits that it takes to name a token; a column must vary by more than that.
    """
    sums = tests_explained(columns, total, cost)
    best: tuple[float, int, int] | None = None
    for index, column in enumerate(columns):
        if column.kind != ADDRESS and SMALLEST_SIDE <= column.count <= total - SMALLEST_SIDE:
            key = (-round(sums[index].score(), 9), column.token, index)
            best = key if best is None else min(best, key)
    if best is None:
        return None
    score, token, index = best
    return ChosenTest(token, columns[index].pages, -score, sums[index].addressed)


@dataclass(slots=True)
class Support:
    """What a column explains as a test."""

    come: float  # pieces
    go: float = 0.0  # pieces
    titled: float = 0.0  # how well the best word of headings agrees, 0..1
    addressed: float = 0.0  # the same of addresses

    def add(self, column: Column, part: float, *, more: bool) -> None:
        """Add the part of it that agrees with a column, which comes with it or goes."""
        if more:
            self.come += column.weight * part
        else:
            self.go += column.weight * part
        if column.kind == HEADING:
            self.titled = max(self.titled, part)
        elif column.kind == ADDRESS:
            self.addressed = max(self.addressed, part)

    def score(self) -> float:
        """Return how many pieces change with the test; more of them if something bears witness."""
        witness = max(self.titled, self.addressed)
        less, more = sorted((self.come + DOUBTED_PIECES, self.go + DOUBTED_PIECES))
        return float(less**WEAKER * more ** (1.0 - WEAKER) * (1.0 + WITNESS * witness))


def tests_explained(columns: Sequence[Column], total: int, cost: float) -> list[Support]:
    """Return what each column explains as a test.

    Two values of one place say the same thing: they are no evidence against each other.
    """
    table = [0.0] + [number * log2(number) for number in range(1, total + 1)]
    bits = [table[total] - table[one.count] - table[total - one.count] for one in columns]
    sure = [max(0.0, 1.0 - cost / own) for own in bits]
    found = [Support(one.weight * part) for one, part in zip(columns, sure, strict=True)]
    for index, one in enumerate(columns):
        rest = total - one.count
        own = bits[index] - table[total]
        for other in range(index):
            seen = columns[other]
            both = (one.pages & seen.pages).bit_count()
            shared = own + bits[other] + table[both] + table[one.count - both]
            shared += table[seen.count - both] + table[rest - seen.count + both]
            if shared > LEAST_BITS * total:
                more = both * total > one.count * seen.count
                if more or one.places.isdisjoint(seen.places):
                    mine, its = shared / bits[index], shared / bits[other]
                    found[other].add(one, sure[index] * its * mine**PARTLY, more=more)
                    found[index].add(seen, sure[other] * mine * its**PARTLY, more=more)
    return found


# What tells the pages of a site apart, as numbers.
#
# A path is the chain of labels from the root to a place: the tag and its first class that has no
# number. Ids and further classes often come from the content. What a meta element says, and the
# first word of the heading, are facts of their own, since on the pages of a template they are often
# the same. So is what an address is made of: folders, the first word of the file name, the names in
# its query, its depth.

NOWHERE = 0  # the container of the root's path
PATH_MASK = (1 << 64) - 1  # a path's hash has 64 bits
# 2**64 / golden ratio, odd: spreads the bits (Knuth, TAOCP 6.4)
HASH_MULTIPLIER = 0x9E3779B97F4A7C15
LIST_TAGS = frozenset({"ul", "ol", "dl"})  # without a class: nesting is content

_NUMBER_IN_URL = re.compile(r"\d+")
_LETTERS_OF_URL = re.compile(r"[^\W\d_]+")
_ENDING = re.compile(r"\.\w{1,5}$")


def facts_of_outline(url: str, outline: Outline, words: dict[int, str] | None = None) -> PageFacts:
    """Return the facts of a page; `words` takes what each of them means."""
    names = [short_label(label) for label in outline.labels]
    chains: list[int] = []
    paths: dict[int, int] = {}
    for place, (name, around) in enumerate(zip(names, outline.containers, strict=True)):
        above = outline.containers[around] if around > NO_PLACE else NO_PLACE
        if name in LIST_TAGS and above > NO_PLACE and names[above] == name:
            chains.append(chains[above])
            continue
        container = chains[around] if around != NO_PLACE else NOWHERE
        path = (container ^ hash_64(name)) * HASH_MULTIPLIER & PATH_MASK
        chains.append(path)
        paths[path] = container
        if words is not None:
            words.setdefault(path, outline.labels[place] if name.startswith(HEAD_LABELS) else name)
    said: dict[int, int] = {}
    headings: dict[int, int] = {}
    for place, text in outline.heard:
        token = (chains[place] ^ hash_64(f"says {text}")) * HASH_MULTIPLIER & PATH_MASK
        (said if names[place].startswith(HEAD_LABELS) else headings)[token] = chains[place]
        if words is not None:
            words[token] = f"{names[place]} says “{text}”"
    address = {hash_64(fact) for fact in address_facts(url)}
    return PageFacts(paths, said, headings, frozenset(address), sampling_key(url))


@lru_cache(maxsize=1 << 16)
def short_label(label: str) -> str:
    """Reduce a label to its tag and its first class without a number.

    >>> short_label("div.post-0.hentry#main")
    'div.hentry'
    """
    if label.startswith(HEAD_LABELS):
        return label
    tag, *classes = label.partition("#")[0].split(".")
    first = next((name for name in classes if name and not any(map(str.isdigit, name))), None)
    return f"{tag}.{first}" if first else tag


@lru_cache(maxsize=1 << 16)
def hash_64(text: str) -> int:
    """Hash a text to 64 bits."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def address_facts(url: str) -> Iterator[str]:
    """Yield what an address is made of."""
    path, _, query = unquote(url.partition("//")[2].partition("/")[2]).partition("?")
    *folders, file = path.split("/")
    yield f"depth {len(folders)}"
    for folder in folders:
        yield f"folder {_NUMBER_IN_URL.sub('0', folder)}"
    word = _LETTERS_OF_URL.match(file)
    yield f"file {word[0] if word else ''}"
    for pair in re.split("[&;]", _ENDING.sub("", query)) if query else ():
        name, sign, value = pair.partition("=")
        word = _LETTERS_OF_URL.match(name)
        shown = f"={value}" if sign and value.isalpha() else ""
        yield f"query {name if sign else word[0] if word else ''}{shown}"
