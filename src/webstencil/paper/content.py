"""What both methods share: a template is prepared on some pages and used on others."""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import compress
from math import sqrt
from typing import Protocol

from webstencil.codec import decode_value, encode_value
from webstencil.errors import SettingsError
from webstencil.model import NO_PARENT, TEXT, Page
from webstencil.protocols import Store

__all__ = [
    "METHODS",
    "BlockTemplate",
    "ContentExtractor",
    "FastContentExtractor",
    "Method",
    "detect",
    "keep_template",
    "kept_template",
]

# Cut a page into blocks, and compare blocks.
#
# Nguyen, Nguyen, Pham, Bui: "A Fast Template-based Approach to Automatically Identify Primary Text
# Content of a Web Page", section II. A block is an element with a block tag. ContentExtractor cuts
# a page into its atomic blocks, which contain no block, and every other block without its sub-
# blocks (Figure 3); here a `ComparedBlock` is either. The scan of the paper lost two tags of its
# list; they are those of Debnath et al., UL and SPAN. The block elements of later HTML are added,
# unless only the published ones are asked for.
#
# Of the features that a block "may include", scripts are left out: a parsed page has none. When the
# pages with a block are counted, its position does not matter.


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


# 0..1, the share of the other pages with a similar block from which a block is not content. The
# paper says "many times"; notebook/settings.md has other shares.
SHARE = 0.1
FEWEST = 2  # pages; on one alone nothing repeats


@dataclass(frozen=True, slots=True)
class BlockTemplate:
    """What was learned from some pages of a site or a stencil."""

    made_by: str  # the method with its settings
    pages: int  # prepared on
    paths: tuple[str, ...]  # of content blocks, sorted; empty if the method does not need them
    blocks: tuple[ComparedBlock, ...]  # that are not content


@dataclass(frozen=True, slots=True)
class Chosen:
    """The blocks of a page that a method takes."""

    page: CutPage
    taken: list[bool]  # by block
    made: int  # blocks that were compared: the paper's NumBlock

    @property
    def nodes(self) -> frozenset[int]:
        """Return the elements of the taken blocks, as in `CutPage.nodes`."""
        return frozenset(compress(self.page.nodes, self.taken))


@dataclass(frozen=True, slots=True)
class Sorted:
    """The distinct blocks of some pages."""

    pages: int
    content: tuple[ComparedBlock, ...]
    repeated: tuple[ComparedBlock, ...]


class Detector(Protocol):
    """A template, ready for use."""

    @property
    def tags(self) -> frozenset[str]:
        """Return the tags of blocks."""

    def choose(self, page: Page) -> Chosen:
        """Cut a page and compare its blocks: the paper's PerTime."""

    def text(self, chosen: Chosen) -> str:
        """Return the text of the taken blocks."""


def detect(detector: Detector, page: Page) -> str:
    """Return the content of a page."""
    return detector.text(detector.choose(page))


class Method(Protocol):
    """A published method. Its settings are its fields."""

    @property
    def share(self) -> float:
        """Return the share of the other pages above which a block is not content."""

    @property
    def published_tags(self) -> bool:
        """Return whether only elements with the tags of the paper are blocks."""

    def prepare(self, pages: Sequence[Page]) -> BlockTemplate:
        """Learn from pages of one site; the paper takes 20 to 30."""

    def learn(self, known: Sorted) -> BlockTemplate:
        """Learn from sorted blocks."""

    def ready(self, template: BlockTemplate) -> Detector:
        """Make a template ready for use."""


class RefusedBlocks:
    """Looks up blocks that are not content."""

    def __init__(self, blocks: Iterable[ComparedBlock]) -> None:
        known = tuple(blocks)
        self._keys = frozenset(block.key for block in known)
        self._vectors = [vector_of(block) for block in known]

    def __contains__(self, part: BlockText) -> bool:
        """Return whether a block is similar to one of these."""
        if part.key in self._keys:
            return True
        vector = vector_of(block_of(part))
        return any(are_similar(vector, known) for known in self._vectors)


def distinct(blocks: Iterable[ComparedBlock]) -> tuple[ComparedBlock, ...]:
    """Return the blocks with distinct features."""
    return tuple({block.counts: block for block in blocks}.values())


def sort_out(pages: Sequence[Page], share: float, tags: Container[str] = BLOCK_TAGS) -> Sorted:
    """Split the blocks of some pages into content and repeated ones."""
    if len(pages) < FEWEST:
        raise SettingsError(f"a template needs {FEWEST} pages or more, not {len(pages)}")
    content: list[ComparedBlock] = []
    repeated: list[ComparedBlock] = []
    for known in sightings([blocks_of(page, tags) for page in pages]):
        (repeated if is_repeated(known, len(pages), share) else content).append(known.block)
    return Sorted(len(pages), tuple(content), tuple(repeated))


def check_share(share: float) -> None:
    """Refuse an invalid share."""
    if not 0.0 <= share < 1.0:
        raise SettingsError(f"share must be 0..1 and less than 1, not {share}")


# ContentExtractor (Debnath et al. 2005), as Nguyen et al. describe it in section II.
#
# A page is cut into all its blocks; those similar to a block seen on many pages are dropped. The
# rest comes in the order of cutting: sub-blocks, then the block around them (Figure 3). So a phrase
# that spans a sub-block is not in the text.
#
# The blocks "that are used to compare" are few in the paper's Table II, so they cannot be all
# blocks of all pages: here they are the distinct ones seen on many pages.


@dataclass(frozen=True, slots=True)
class ContentExtractor:
    """Drops repeated blocks."""

    share: float = SHARE  # 0..1, of the other pages; a block on more is not content
    published_tags: bool = False  # only the block tags of the paper, none of later HTML

    def __post_init__(self) -> None:
        check_share(self.share)

    def prepare(self, pages: Sequence[Page]) -> BlockTemplate:
        """Learn which blocks are on many of the pages."""
        tags = tags_of(published=self.published_tags)
        return self.learn(sort_out(pages, self.share, tags))

    def learn(self, known: Sorted) -> BlockTemplate:
        """Learn from sorted blocks."""
        return BlockTemplate(repr(self), known.pages, (), distinct(known.repeated))

    def ready(self, template: BlockTemplate) -> "CeDetector":
        """Make a template ready for use."""
        tags = tags_of(published=self.published_tags)
        return CeDetector(RefusedBlocks(template.blocks), tags)


@dataclass(frozen=True, slots=True)
class CeDetector:
    """Looks up every block of a page."""

    refused: RefusedBlocks
    tags: frozenset[str]  # of blocks

    def choose(self, page: Page) -> Chosen:
        """Take the blocks that were not seen on many pages."""
        found = cut(page, blocks=self.tags)
        parts = found.parts()
        filled = [not part.empty for part in parts]
        taken = [
            is_filled and part not in self.refused
            for is_filled, part in zip(filled, parts, strict=True)
        ]
        return Chosen(found, taken, sum(filled))

    def text(self, chosen: Chosen) -> str:
        """Return the text of the taken blocks, sub-blocks first."""
        parts = chosen.page.parts()
        order = closing_order(chosen.page)
        said = [parts[number].text for number in order if chosen.taken[number]]
        return "\n".join(filter(None, said))


def closing_order(page: CutPage) -> list[int]:
    """Sort blocks by their ends: sub-blocks before the block around them."""
    ends = list(range(1, len(page) + 1))
    for number in range(len(page) - 1, 0, -1):
        parent = page.parents[number]
        if parent != NO_PARENT:
            ends[parent] = max(ends[parent], ends[number])
    return sorted(range(len(page)), key=lambda number: (ends[number], -number))


# FastContentExtractor (Nguyen et al., section III).
#
# Preparation finds content blocks as ContentExtractor does and keeps their paths, P, with the
# blocks on these paths that are not content. Detection looks only at blocks whose path is in P:
#
# - a sub-block is left out if neither its path nor that of any of its sub-blocks is in P;
# - all other sub-blocks are extracted with the block around them;
# - an extracted block that is similar to a stored one on its path is dropped, with the sub-blocks
#   that were extracted only because of it: blocks are stored to distinguish those on one path.
#
# The text is in document order. "Each extracted block is compared" is read as: each block with a
# path in P, without its sub-blocks, because the stored ones are such. Comparing only the outermost
# ones, with their sub-blocks, would drop almost nothing.


@dataclass(frozen=True, slots=True)
class FastContentExtractor:
    """Takes the blocks on the paths of content."""

    share: float = SHARE  # 0..1, of the other pages; a block on more is not content
    published_tags: bool = False  # only the block tags of the paper, none of later HTML

    def __post_init__(self) -> None:
        check_share(self.share)

    def prepare(self, pages: Sequence[Page]) -> BlockTemplate:
        """Learn the paths of content, and the other blocks on them."""
        tags = tags_of(published=self.published_tags)
        return self.learn(sort_out(pages, self.share, tags))

    def learn(self, known: Sorted) -> BlockTemplate:
        """Learn from sorted blocks."""
        paths = {block.path for block in known.content}
        blocks = tuple(block for block in known.repeated if block.path in paths)
        return BlockTemplate(repr(self), known.pages, tuple(sorted(paths)), blocks)

    def ready(self, template: BlockTemplate) -> "FastCeDetector":
        """Make a template ready for use."""
        paths = frozenset(template.paths)
        on_path: dict[str, list[ComparedBlock]] = defaultdict(list)
        for block in template.blocks:
            on_path[block.path].append(block)
        refused = {path: RefusedBlocks(blocks) for path, blocks in on_path.items()}
        tags = tags_of(published=self.published_tags)
        return FastCeDetector(paths, beginnings(paths), refused, tags)


@dataclass(frozen=True, slots=True)
class FastCeDetector:
    """Looks up the blocks on the paths of content."""

    paths: frozenset[str]
    beginnings: frozenset[str]
    refused: Mapping[str, RefusedBlocks]  # by path
    tags: frozenset[str]  # of blocks

    def choose(self, page: Page) -> Chosen:
        """Take the blocks on paths of content that are not stored as something else."""
        found = cut(page, self.beginnings, self.tags)
        on_path = [path in self.paths for path in found.paths]
        taken = extracted(found, on_path)
        made = 0
        for number, pieces in enumerate(found.pieces_of_each()):
            if on_path[number]:
                part = found.part(number, pieces)
                if not part.empty:
                    made += 1
                    taken[number] = part not in self.refused.get(part.path, ())
            elif taken[number]:  # it came with the block around it, and goes with it
                taken[number] = taken[found.parents[number]]
        return Chosen(found, taken, made)

    def text(self, chosen: Chosen) -> str:
        """Return the text of the taken blocks, in document order."""
        return chosen.page.text(chosen.taken)


def beginnings(paths: Iterable[str]) -> frozenset[str]:
    """Return these paths and all their beginnings.

    The extraction rules leave out all other blocks, so they need not be cut.
    """
    tags = (path.split(".") for path in paths)
    return frozenset(".".join(steps[: end + 1]) for steps in tags for end in range(len(steps)))


def extracted(page: CutPage, on_path: Sequence[bool]) -> list[bool]:
    """Return whether the extraction rules take each block."""
    around = list(on_path)  # it or a sub-block is on a path
    for number in range(len(page) - 1, 0, -1):
        if around[number] and page.parents[number] != NO_PARENT:
            around[page.parents[number]] = True
    inside: list[bool] = []  # it or an ancestor is on a path
    for number, parent in enumerate(page.parents):
        inside.append(on_path[number] or (parent != NO_PARENT and inside[parent]))
    return [is_around and is_inside for is_around, is_inside in zip(around, inside, strict=True)]


# Store templates, which are prepared once and used on later pages.


def keep_template(store: Store, name: str, template: BlockTemplate) -> None:
    """Store the template of a site or a stencil."""
    store.blobs.keep(template.made_by, name, encode_value(template, f"the template of {name!a}"))


def kept_template(store: Store, name: str, method: Method) -> BlockTemplate | None:
    """Return a method's stored template of a site or a stencil, None if there is none."""
    body = store.blobs.kept(repr(method), name)
    return None if body is None else decode_value(body, BlockTemplate, f"template of {name!a}")


# ContentExtractor and FastContentExtractor, as published.


METHODS: dict[str, Method] = {"ce": ContentExtractor(), "fastce": FastContentExtractor()}
