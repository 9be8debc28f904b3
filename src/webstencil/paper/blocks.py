"""Cut a page into blocks, and compare blocks.

Nguyen, Nguyen, Pham, Bui: "A Fast Template-based Approach to Automatically Identify Primary Text
Content of a Web Page", section II. A block is an element with a block tag. ContentExtractor cuts a
page into its atomic blocks, which contain no block, and every other block without its sub-blocks
(Figure 3); here a `ComparedBlock` is either. The scan of the paper lost two tags of its list; they
are those of Debnath et al., UL and SPAN. The block elements of later HTML are added, unless only
the published ones are asked for.

Of the features that a block "may include", scripts are left out: a parsed page has none. When the
pages with a block are counted, its position does not matter.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
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
ROOT_TAGS = frozenset({"html", "body"})
BLOCK_TAGS = PUBLISHED_TAGS | LATER_TAGS | ROOT_TAGS
ONLY_PUBLISHED = PUBLISHED_TAGS | ROOT_TAGS
LINE_TAGS = (BLOCK_TAGS | {"br", "tbody", "thead"}) - {"span"}  # these separate words
UNREAD_TAGS = frozenset({"head", "noscript", "iframe", "object", "svg"})  # without text of the page
UNREAD = -2  # the owner of their content
LINE_END = "\0"  # never in a parsed text

SIMILAR = 0.9  # cosine above which blocks are similar (section II)
DEEPEST = 200  # blocks in a path; a deeper page is broken, and its paths would fill the memory
KEY_BYTES = 8
IMAGE, LINK = "<img>", "<a>"  # features that are not terms

_WORD = re.compile(r"\w+")
_LINES = re.compile(r"[ \0]*\0[ \0]*")


@dataclass(frozen=True, slots=True)
class ComparedBlock:
    """A block's features, for comparison."""

    path: str  # the block tags from the root: "html.body.div.p"
    key: int  # a hash of its words, images and links
    counts: tuple[tuple[str, int], ...]  # of terms, images and links


@dataclass(frozen=True, slots=True)
class BlockText:
    """A block of a page without its sub-blocks, before its terms are counted."""

    path: str
    text: str
    images: int
    links: int

    @property
    def key(self) -> int:
        """Hash its content."""
        name = f"{self.images} {self.links} {self.text}".encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(name, digest_size=KEY_BYTES).digest())

    @property
    def empty(self) -> bool:
        """Return whether it has no features."""
        return not self.images and _WORD.search(self.text) is None


@dataclass(frozen=True, slots=True)
class CutPage:
    """A page in blocks; the first columns have an entry per block, in document order."""

    nodes: list[int]  # number of the element among elements and texts
    paths: list[str]
    parents: list[int]  # the parent block, NO_PARENT for the first
    images: list[int]  # in it, outside of its sub-blocks
    links: list[int]  # likewise
    owners: list[int]  # the block of each piece, in document order
    pieces: list[str]  # texts, and LINE_END

    def __len__(self) -> int:
        return len(self.paths)

    def part(self, number: int, pieces: Sequence[str]) -> BlockText:
        """Return a block with these pieces."""
        text = tidy("".join(pieces))
        return BlockText(self.paths[number], text, self.images[number], self.links[number])

    def parts(self) -> list[BlockText]:
        """Return all blocks, each without its sub-blocks."""
        return [self.part(number, pieces) for number, pieces in enumerate(self.pieces_of_each())]

    def pieces_of_each(self) -> list[list[str]]:
        """Return the pieces of each block."""
        said: list[list[str]] = [[] for _ in self.paths]
        last = NO_PARENT
        for owner, piece in zip(self.owners, self.pieces, strict=True):
            if owner != last:
                said[owner].append(" ")  # a sub-block may be missing here
                last = owner
            said[owner].append(piece)
        return said

    def text(self, taken: Sequence[bool]) -> str:
        """Return the text of the taken blocks, in document order."""
        said = [
            piece if taken[owner] or piece == LINE_END else " "
            for owner, piece in zip(self.owners, self.pieces, strict=True)
        ]
        return tidy("".join(said))


def tidy(text: str) -> str:
    """Collapse white space, and put line ends where LINE_END is."""
    return _LINES.sub("\n", " ".join(text.split())).strip()


def cut(
    page: Page, within: Container[str] | None = None, blocks: Container[str] = BLOCK_TAGS
) -> CutPage:
    """Cut a page into blocks, elements with these tags, or only into those with paths `within`."""
    tags, above, texts = page.markup.flow()
    found = CutPage([], [], [], [], [], [], [])
    owners: list[int] = []  # by node
    lines: list[int] = []  # open nodes that end a line
    pieces, owned = found.pieces, found.owners
    for node, (tag, parent) in enumerate(zip(tags, above, strict=True)):
        owner = owners[parent] if parent != NO_PARENT else NO_PARENT
        while lines and lines[-1] > parent:  # it is not an ancestor, so it has ended
            owned.append(owners[lines.pop()])
            pieces.append(LINE_END)
        if owner == UNREAD:
            pass
        elif tag == TEXT:
            owned.append(owner)
            pieces.append(texts[node])
        else:
            owner = _open(found, node, owner, tag, within, is_block=tag in blocks)
            if tag in LINE_TAGS and owner != UNREAD:
                owned.append(owner)
                pieces.append(LINE_END)
                lines.append(node)
        owners.append(owner)
    return found


def _open(
    found: CutPage,
    node: int,
    owner: int,
    tag: str,
    within: Container[str] | None,
    *,
    is_block: bool,
) -> int:
    """Open a block, or count an element in the block around it; return the block."""
    if is_block or owner == NO_PARENT:
        above = found.paths[owner] if owner != NO_PARENT else ""
        path = f"{above}.{tag}" if above else tag
        if above.count(".") >= DEEPEST:
            path = above
        if within is not None and path not in within:
            return UNREAD
        found.nodes.append(node)
        found.paths.append(path)
        found.parents.append(owner)
        found.images.append(0)
        found.links.append(0)
        return len(found) - 1
    if tag in UNREAD_TAGS:
        return UNREAD
    if tag == "a":
        found.links[owner] += 1
    elif tag == "img":
        found.images[owner] += 1
    return owner


def block_of(part: BlockText) -> ComparedBlock:
    """Count the features of a block."""
    counts = Counter(_WORD.findall(part.text.lower()))
    counts.update({IMAGE: part.images, LINK: part.links})
    return ComparedBlock(part.path, part.key, tuple(sorted((+counts).items())))


def blocks_of(page: Page, tags: Container[str] = BLOCK_TAGS) -> list[ComparedBlock]:
    """Return the blocks of a page that are not empty."""
    return [block_of(part) for part in cut(page, blocks=tags).parts() if not part.empty]


def tags_of(*, published: bool) -> frozenset[str]:
    """Return the tags of blocks: those of the paper, or all."""
    return ONLY_PUBLISHED if published else BLOCK_TAGS


@dataclass(frozen=True, slots=True)
class Vector:
    """The features of a block, ready for many comparisons."""

    counts: dict[str, int]
    norm: float


def vector_of(block: ComparedBlock) -> Vector:
    """Make the feature vector of a block."""
    counts = dict(block.counts)
    return Vector(counts, sqrt(sum(count * count for count in counts.values())))


def are_similar(one: Vector, other: Vector) -> bool:
    """Return whether the cosine of two feature vectors is above 0.9."""
    needed = SIMILAR * one.norm * other.norm
    few, many = one.counts, other.counts
    if len(few) > len(many):
        few, many = many, few
    dot = 0
    for feature, count in few.items():
        dot += count * many.get(feature, 0)
    return dot > needed


# Count the pages with a block like this one, to find what repeats (section II).
#
# The paper compares every block with all blocks of all pages. Far fewer comparisons give the same
# result: equal blocks are compared once, and blocks whose rare features differ not at all. If a
# block's features without a subset have at most 0.9 of its norm, a block with none of the subset
# cannot reach a cosine above 0.9 with it.


@dataclass(frozen=True, slots=True)
class Sighting:
    """A block, and the pages with it or a similar one."""

    block: ComparedBlock
    pages: frozenset[int]


def sightings(pages: Sequence[Iterable[ComparedBlock]]) -> list[Sighting]:
    """Return each distinct block of some pages with the pages of similar ones."""
    same: dict[ComparedBlock, set[int]] = {}
    for number, blocks in enumerate(pages):
        for block in blocks:
            same.setdefault(block, set()).add(number)
    seen = {block: set(numbers) for block, numbers in same.items()}
    for one, other in similar_pairs(list(same)):
        seen[one] |= same[other]
        seen[other] |= same[one]
    return [Sighting(block, frozenset(numbers)) for block, numbers in seen.items()]


def similar_pairs(blocks: Sequence[ComparedBlock]) -> Iterator[tuple[ComparedBlock, ComparedBlock]]:
    """Yield the pairs of similar blocks."""
    if len(blocks) < 2:
        return
    vectors = [vector_of(block) for block in blocks]
    having: dict[str, list[int]] = defaultdict(list)  # by feature
    for place, vector in enumerate(vectors):
        for feature in vector.counts:
            having[feature].append(place)
    spread = Counter({feature: len(places) for feature, places in having.items()})
    for place, vector in enumerate(vectors):
        telling = telling_features(vector, spread)
        for other in sorted({other for feature in telling for other in having[feature]}):
            if other != place and are_similar(vector, vectors[other]):
                yield blocks[place], blocks[other]


def telling_features(vector: Vector, spread: Counter[str]) -> list[str]:
    """Return the rarest features, of which every similar vector must have one."""
    rest = vector.norm * vector.norm
    enough = SIMILAR * SIMILAR * rest
    telling = []
    for feature in sorted(vector.counts, key=lambda feature: (spread[feature], feature)):
        if rest <= enough:
            break
        telling.append(feature)
        rest -= vector.counts[feature] ** 2
    return telling


def is_repeated(sighting: Sighting, pages: int, share: float) -> bool:
    """Return whether more than a share of the other pages have a similar block."""
    others = len(sighting.pages) - 1
    return others > share * (pages - 1)
