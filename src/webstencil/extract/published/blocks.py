"""Cut a page into blocks, and compare blocks.

Nguyen, Nguyen, Pham, Bui: "A Fast Template-based Approach to Automatically Identify Primary Text
Content of a Web Page", section II. A block is an element with a block tag. ContentExtractor cuts a
page into its atomic blocks, which contain no block, and every other block with its sub-blocks taken
out (Figure 3); here a `Block` is either. The scan of the paper lost two tags of its list; they are
those of Debnath et al., UL and SPAN. The block elements that HTML got later are added.

Of the features that a block "may include", scripts are left out: a parsed page has none any more.
Features are compared only inside the same path: a menu and an article that are equal word by word
are not the same block.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import sqrt

from webstencil.model import NO_PARENT, TEXT, Page

PUBLISHED_TAGS = frozenset({"table", "tr", "hr", "ul", "p", "div", "span"})
LATER_TAGS = frozenset(
    {"section", "article", "main", "header", "footer", "nav", "aside", "li", "ol", "dl", "dt", "dd"}
    | {"td", "th", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "figure", "figcaption"}
    | {"details", "form"}
)
BLOCK_TAGS = PUBLISHED_TAGS | LATER_TAGS | {"html", "body"}
LINE_TAGS = (BLOCK_TAGS | {"br", "tbody", "thead"}) - {"span"}  # words around these are apart
UNREAD_TAGS = frozenset({"head", "noscript", "iframe", "object", "svg"})  # no text of the page
UNREAD = -2  # the owner of what is in these
LINE_END = "\0"  # no parsed text has it

SIMILAR = 0.9  # cosine above which blocks are similar (section II)
DEEPEST = 200  # blocks in a path: beyond that a page is broken, and its paths would fill the memory
KEY_BYTES = 8
IMAGE, LINK = "<img>", "<a>"  # features that are no terms

_WORD = re.compile(r"\w+")
_SPACES = re.compile(r"\s+")
_LINES = re.compile(r"[ \0]*\0[ \0]*")


@dataclass(frozen=True, slots=True)
class Block:
    """What a block is compared by."""

    path: str  # the block tags from the root: "html.body.div.p"
    key: int  # a hash of its words, images and links: equal where blocks are the same
    counts: tuple[tuple[str, int], ...]  # how often it has each term, images and links


@dataclass(frozen=True, slots=True)
class Cut:
    """A page in blocks; the first columns have an entry for each block, in document order."""

    paths: list[str]
    parents: list[int]  # the block around it, NO_PARENT for the first
    images: list[int]  # in it and in none of its sub-blocks
    links: list[int]  # likewise
    owners: list[int]  # for each piece, in document order: the block of which it is
    pieces: list[str]  # texts, and LINE_END

    def __len__(self) -> int:
        return len(self.paths)

    def parts(self, wanted: Sequence[bool]) -> list[str]:
        """Return the text of each wanted block without its sub-blocks."""
        parts: list[list[str]] = [[] for _ in self.paths]
        last = NO_PARENT
        for owner, piece in zip(self.owners, self.pieces, strict=True):
            if wanted[owner]:
                if owner != last:
                    parts[owner].append(" ")  # a sub-block may have been taken out here
                parts[owner].append(piece)
            last = owner
        return ["".join(part) for part in parts]

    def text(self, taken: Sequence[bool]) -> str:
        """Return what the taken blocks say, in document order."""
        pieces = zip(self.owners, self.pieces, strict=True)
        return tidy(
            "".join(
                [piece if taken[owner] or piece == LINE_END else " " for owner, piece in pieces]
            )
        )


def tidy(text: str) -> str:
    """Collapse white space, and end lines where they end."""
    return _LINES.sub("\n", _SPACES.sub(" ", text)).strip()


def cut(page: Page) -> Cut:
    """Cut a page into blocks."""
    tags, above, texts = page.markup.flow()
    found = Cut([], [], [], [], [], [])
    owners: list[int] = []  # by node
    lines: list[int] = []  # nodes that end a line where they end, and are not ended yet
    for node, (tag, parent) in enumerate(zip(tags, above, strict=True)):
        owner = owners[parent] if parent != NO_PARENT else NO_PARENT
        while lines and lines[-1] > parent:  # not around this node: it has ended
            _add_piece(found, owners[lines.pop()], LINE_END)
        if owner != UNREAD:
            if tag == TEXT:
                _add_piece(found, owner, texts[node])
            elif tag in UNREAD_TAGS:
                owner = UNREAD
            else:
                owner = _open(found, owner, tag)
                if tag in LINE_TAGS:
                    _add_piece(found, owner, LINE_END)
                    lines.append(node)
        owners.append(owner)
    return found


def _add_piece(found: Cut, owner: int, piece: str) -> None:
    found.owners.append(owner)
    found.pieces.append(piece)


def _open(found: Cut, owner: int, tag: str) -> int:
    """Open a block, or count an element in the block around it; return the block."""
    if tag in BLOCK_TAGS or owner == NO_PARENT:
        above = found.paths[owner] if owner != NO_PARENT else ""
        deep = above.count(".") >= DEEPEST
        found.paths.append(above if deep else f"{above}.{tag}" if above else tag)
        found.parents.append(owner)
        found.images.append(0)
        found.links.append(0)
        return len(found) - 1
    if tag == "a":
        found.links[owner] += 1
    elif tag == "img":
        found.images[owner] += 1
    return owner


def block_of(path: str, text: str, images: int, links: int) -> Block | None:
    """Count the features of a block; None if there is nothing in it."""
    words = _WORD.findall(text.lower())
    if not words and not images:
        return None
    counts = Counter(words)
    counts.update({IMAGE: images, LINK: links})
    name = f"{images} {links} {' '.join(words)}".encode("utf-8", "surrogatepass")
    key = int.from_bytes(blake2b(name, digest_size=KEY_BYTES).digest())
    return Block(path, key, tuple(sorted((+counts).items())))


def blocks_of(page: Cut, wanted: Sequence[bool] | None = None) -> list[Block | None]:
    """Return the wanted blocks of a page, None for the others and for empty ones."""
    asked = [True] * len(page) if wanted is None else wanted
    parts = page.parts(asked)
    return [
        block_of(path, part, images, links) if want else None
        for want, path, part, images, links in zip(
            asked, page.paths, parts, page.images, page.links, strict=True
        )
    ]


@dataclass(frozen=True, slots=True)
class Vector:
    """The features of a block, ready for many comparisons."""

    counts: dict[str, int]
    norm: float


def vector_of(block: Block) -> Vector:
    """Make the feature vector of a block."""
    counts = dict(block.counts)
    return Vector(counts, sqrt(sum(count * count for count in counts.values())))


def are_similar(one: Vector, other: Vector) -> bool:
    """Tell whether the cosine of two feature vectors is above 0.9."""
    needed = SIMILAR * one.norm * other.norm
    few, many = one.counts, other.counts
    if len(few) > len(many):
        few, many = many, few
    dot = 0
    for feature, count in few.items():
        dot += count * many.get(feature, 0)
    return dot > needed
