"""The text of a page in runs, and the blocks around them.

A run is the inline text between two borders of blocks (or `br`), white space collapsed, in document
order: inline markup does not divide a phrase. Blocks are ContentExtractor's elements, without
`span` and with those of later HTML; only blocks with text are kept.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, groupby
from typing import NamedTuple

from webstencil.markup import Element, Markup, Node, Text
from webstencil.markup.text_units import BORDERS, INTO_PAGE, PERMALINKS, STRUCTURE, unread_elements
from webstencil.model import inherited

NO_BLOCK = -1
LIST_BLOCKS = frozenset({"ul", "ol", "dl"})


class BlockNames(NamedTuple):
    """The tag of a block, and the names that it has besides."""

    tag: str
    classes: str  # the class attribute, empty if there is none
    identifier: str  # the id attribute
    said: str = ""  # role and itemprop, as in ` @main @name`
    hidden: str = ""  # ` @hidden` if a reader does not see it


@dataclass(frozen=True, slots=True)
class TextRuns:
    """The runs of a page and the blocks around them, as columns."""

    texts: list[str]
    lengths: list[int]  # units: characters, up to 5/3 each in dense scripts
    links: list[int]  # units of a run inside links
    bolds: list[int]  # characters of a run that are bold
    pieces: list["Text"]  # of all runs
    firsts: list[int]  # of a run: index of its first piece
    blocks: list[int]  # the nearest block around a run
    elements: list["Element"]  # of the blocks; parents come before children
    tags: list[str]  # of the blocks
    parents: list[int]  # of the blocks: the parent block, NO_BLOCK at the top
    starts: list[int]  # of the blocks: the first run in them
    ends: list[int]  # of the blocks: the run after the last in them
    names: list[BlockNames]  # that blocks of the page have, each once: many are named alike
    named: list[int]  # of the blocks: which of these names they have

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def classes(self) -> list[str]:
        """List the class attributes of the blocks, each once."""
        return list(dict.fromkeys([one.classes for one in self.names]))

    def nodes(self, run: int) -> list["Text"]:
        """List the text nodes of a run, blank ones between them included."""
        first, *after = self.firsts[run : run + 2]
        return self.pieces[first : after[0] if after else None]


# What the names of elements say about the text in them.
#
# Class, id, role and itemprop say what an element is for. The words are those that many content
# systems share; none is of a single site. Tags with such a meaning count as names.

_BODY_NAMES = [
    *[
        f"{one}[-_]*{other}"
        for one in ("entry", "post", "article", "story")
        for other in ("content", "body", "text", "copy", "detail")
    ],
    *[
        f"{one}[-_]?{other}"
        for one in ("content", "text", "copy")
        for other in ("body", "main", "article")
    ],
]
GROUP_PATTERNS = {  # each `|` parts two patterns, one of which a name has
    "comment": r"comment|disqus|respond|reply|replies|discuss|talkback|feedback",
    "nav": r"\bnav|navi|menu|breadcrumb|crumb|skip|pager|pagination|topbar",
    "top": r"masthead|header|banner|logo|brand|tagline",
    "related": r"relat|recommend|popular|trending|teaser|promo|more[-_]|[-_]more|morestor|mostread|"
    r"most[-_]|latest|recent|also|outbrain|taboola|recirc|next|prev(?!iew)|archive|links",
    "share": r"share|sharing|social|tool|util|print|email|bookmark|facebook|twitter|follow|subscri|"
    r"newsletter|signup|sign-up|login|register|donat|rss|vote|rating|like",
    "ad": r"\bads?\b|\bad[-_]|[-_]ads?\b|advert|sponsor|adsense|doubleclick|widget|poll|promo|"
    r"\baside",
    "foot": r"foot|copyright|legal|disclaim|terms|cookie|privacy|notice",
    "side": r"sidebar|\bside[-_]|\bside\b|[-_]side\b|\brail|[-_]rail|right[-_]?col|col[-_]?right|"
    r"secondary|left[-_]?col|\bright",
    "meta": r"byline|author|dateline|\bdate|time|posted|meta|info|tag|categor|source|credit|kicker|"
    r"label|stamp",
    "caption": r"caption|photo|image|\bimg|pict|thumb|gallery|figure|slide|video|media",
    "body": "|".join(_BODY_NAMES) + r"|@main|articlebody|\bhentry|\bprose\b|markdown|bodycontent|"
    r"mw-content|field-name-body|\brst-content",
    "hidden": r"@hidden|\bhidden|screen-reader|sr-only|visually|print[-_]?only|display[-_]?none|"
    r"\bhide\b|accessib",
}
BY_TAG = {
    "nav": "nav",
    "header": "top",
    "footer": "foot",
    "aside": "side",
    "form": "share",
    "figcaption": "caption",
    "main": "body",
    "article": "body",
}
NAME_GROUPS = {group: 1 << place for place, group in enumerate(GROUP_PATTERNS)}
BODY_NAME = NAME_GROUPS["body"]
COMMENT_NAME = NAME_GROUPS["comment"]
HIDDEN_NAME = NAME_GROUPS["hidden"]
EVERY_NAME = sum(NAME_GROUPS.values())
NAMES_AGAINST_CONTENT = EVERY_NAME & ~(
    BODY_NAME | NAME_GROUPS["caption"]
)  # groups that say a text is not content
TITLE_NAME = 1 << len(
    NAME_GROUPS
)  # the bit of an element named a title; it does not hold for what is inside
APART = TITLE_NAME << 1  # the bit of what is no text of the page, by its role or tag
ROLES_APART = (
    *("@dialog", "@alertdialog", "@tooltip"),  # shown when they are asked for
    *("@alert", "@status"),  # shown when something happens
    *("@form", "@search", "@contentinfo"),
)
TAGS_APART = frozenset({"footer"})

# Characters of an attribute that are searched; 20 million took 18 s.
LONGEST_NAMES_SEARCHED = 10_000
SELDOM_NAMED = "[role], [itemprop], [style], [hidden], [aria-hidden]"  # few elements have one

_CONCEALED = re.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*hidden")
_NOT_NEEDED = re.compile(r"\[.*?\][?*]?|\(.*?\)|\\b|\$|.\?")  # what names that match may do without
_PATTERNS = [
    *[
        (NAME_GROUPS[group], one)
        for group, patterns in GROUP_PATTERNS.items()
        for one in patterns.split("|")
    ],
    *[(TITLE_NAME, one) for one in ("title", "headline", "heading", "titul")],
    *[(APART, f"{one}$") for one in ROLES_APART],
]


def _hint(pattern: str) -> str:
    """Return the longest word that all names have which match."""
    return max(_NOT_NEEDED.sub(" ", pattern).split(), key=len)


def _by_hint() -> dict[str, list[tuple[int, re.Pattern[str] | None]]]:
    """Return the groups of names with a hint, and what they match unless the hint says it all."""
    found: dict[str, dict[int, list[str]]] = {}
    for bit, pattern in _PATTERNS:
        found.setdefault(_hint(pattern), {}).setdefault(bit, []).append(pattern)
    return {
        hint: [
            (bit, None if hint in patterns else re.compile("|".join(patterns)))
            for bit, patterns in groups.items()
        ]
        for hint, groups in found.items()
    }


def _any_of(words: Iterable[str]) -> str:
    """Return a pattern of words, the longest first; those with a first letter are tried at once."""
    letters = groupby(sorted(words, key=lambda word: (word[0], -len(word))), lambda word: word[0])
    return "|".join([f"{one}(?:{'|'.join([word[1:] for word in same])})" for one, same in letters])


_BY_HINT = _by_hint()
_HINTS = re.compile(f"(?=({_any_of(_BY_HINT)}))")  # at each place of a name the longest
_BEGINNINGS = {
    hint: [one for start in _BY_HINT if hint.startswith(start) for one in _BY_HINT[start]]
    for hint in _BY_HINT
}


def name_marks(names: BlockNames) -> int:
    """Return the groups of a block by its tag and names, one bit each."""
    found = NAME_GROUPS[BY_TAG[names.tag]] if names.tag in BY_TAG else 0
    if names.tag in TAGS_APART:
        found |= APART
    classes, identifier = (
        names.classes[:LONGEST_NAMES_SEARCHED],
        names.identifier[:LONGEST_NAMES_SEARCHED],
    )
    for name in f"{classes} #{identifier}{names.said}{names.hidden}".lower().split():
        found |= _marks(name)
    return found


@lru_cache(maxsize=1 << 14)  # sites share single names more than whole attributes
def _marks(name: str) -> int:
    found = 0
    for hint in {*_HINTS.findall(name)}:  # once each, as a name may be very long
        for bit, pattern in _BEGINNINGS[hint]:
            if pattern is None or pattern.search(name):
                found |= bit
    return found


def seldom_names(element: "Element") -> tuple[str, str]:
    """Return the names of an element that few have: what it says it is, and that it is hidden."""
    values = [element.attr(name) for name in ("role", "itemprop")]
    said = "".join([f" @{value[:LONGEST_NAMES_SEARCHED]}" for value in values if value])
    hidden = element.attr("hidden") is not None or element.attr("aria-hidden") == "true"
    concealed = _CONCEALED.search(element.attr("style") or "")
    return said, " @hidden" if hidden or concealed else ""


# Split a page into runs of text, in one walk over the parsed page.

INLINE, LINKED, BOLD, BLOCK = 0, 1, 2, 4  # effect of an element on the text in it
SHIFT = 2  # bits of the flags of a spot: LINKED and BOLD
LINKED_OR_BOLD = LINKED | BOLD
OUTSIDE_BLOCKS = NO_BLOCK << SHIFT  # the spot of text in no block
UNREAD_SPOT = OUTSIDE_BLOCKS << 1  # the spot of text in an element that is not read
TEXT_EFFECTS = {"a": LINKED, "b": BOLD, "strong": BOLD, **dict.fromkeys(STRUCTURE, BLOCK)}


def flatten(markup: Markup) -> TextRuns:
    """Return the runs of a page."""
    around, found = _walk(markup.root)
    texts = [" ".join(text.split()) for text in found.texts]
    lengths = [len(text) if text.isascii() else units(text) for text in texts]
    names = _names(around, markup.select(SELDOM_NAMED))
    different = list(dict.fromkeys(names))
    numbers = dict(zip(different, range(len(different)), strict=True))
    return TextRuns(
        texts=texts,
        lengths=lengths,
        links=list(map(min, found.links, lengths)),
        bolds=found.bolds,
        pieces=found.pieces,
        firsts=found.firsts,
        blocks=found.blocks,
        elements=around.elements,
        tags=around.tags,
        parents=around.parents,
        starts=around.starts,
        ends=_ends(found.blocks, around.parents),
        names=[BlockNames(*one) for one in different],
        named=[numbers[one] for one in names],
    )


def units(text: str) -> int:
    """Measure a text across languages: three Chinese characters equal five letters."""
    if text.isascii():
        return len(text)
    return (len(text.encode("utf-8", "replace")) + 2 * len(text)) // 3


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks found so far (see `TextRuns`), and the spot of each element's content.

    A spot is the number of the nearest block, shifted, with the flags of the element; content of an
    element that is not read has UNREAD_SPOT.
    """

    kept: list[Element]  # all of the page, or the parser would make new objects at each visit
    spots: dict[Node | None, int]
    elements: list[Element] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def spot(self, node: Node | None, run: int) -> int:
        """Return the spot of a node's content; new blocks around it start with `run`."""
        spots, path = self.spots, []
        while (spot := spots.get(node)) is None:
            path.append(node)
            node = node.parent  # type: ignore[union-attr]  # the spot of None is known
        if spot == UNREAD_SPOT:
            spots.update(dict.fromkeys(path, spot))
            return spot
        for element in reversed(path):
            tag = element.tag  # type: ignore[union-attr]  # only elements are around a text
            kind = TEXT_EFFECTS.get(tag, INLINE)
            if kind == LINKED and element.attr("href") is None:  # type: ignore[union-attr]  # the same
                kind = INLINE  # an anchor; unclosed, it is around all that follows
            if kind == BLOCK or spot < 0:
                self.parents.append(spot >> SHIFT)
                self.starts.append(run)
                self.elements.append(element)  # type: ignore[arg-type]  # the same
                spot = len(self.tags) << SHIFT | spot & LINKED_OR_BOLD
                self.tags.append(tag)
            else:
                spot |= kind
            spots[element] = spot
        return spot


@dataclass(frozen=True, slots=True)
class _Found:
    """The runs found so far (see `TextRuns`), before white space is collapsed."""

    texts: list[str]
    links: list[int]
    bolds: list[int]
    pieces: list[Text]
    firsts: list[int]
    blocks: list[int]

    def start(self, text: str, block: int) -> None:
        """Begin a run."""
        self.texts.append(text)
        self.links.append(0)
        self.bolds.append(0)
        self.firsts.append(len(self.pieces))
        self.blocks.append(block)


def _known_spots(root: Node, body: Node) -> dict[Node | None, int]:
    """Return the spots known from the start: of what is not read, and of the root."""
    unread: dict[Node | None, int] = dict.fromkeys(unread_elements(body), UNREAD_SPOT)
    marks = [link for link in body.select(INTO_PAGE) if link.text.strip() in PERMALINKS]
    unread.update(dict.fromkeys(marks, UNREAD_SPOT))
    return {**unread, None: OUTSIDE_BLOCKS, root.parent: OUTSIDE_BLOCKS}


def _walk(root: Node) -> tuple[_Blocks, _Found]:
    """Find the runs and the blocks around them, in one loop, because it is the slowest."""
    body = next(root.iter_elements("body"), root)  # nothing is read before it
    around = _Blocks(list(body.iter_elements()), _known_spots(root, body))
    found = _Found([], [], [], [], [], [])
    known, texts, pieces = around.spots.get, found.texts, found.pieces
    links, bolds = found.links, found.bolds
    owner, bordered = NO_BLOCK, True
    blank: Text | None = None
    for node in body.descendants:
        if type(node) is Text:
            data = node.data
            if data.isspace():
                blank = node
                continue
            spot = known(node.parent)
            if spot is None:
                spot = around.spot(node.parent, len(texts))
            if spot == UNREAD_SPOT:
                continue
            if bordered or spot >> SHIFT != owner:
                owner, bordered = spot >> SHIFT, False
                found.start(data, owner)
            elif blank is None:
                texts[-1] += data
            else:
                texts[-1] += " " + data
                pieces.append(blank)
            pieces.append(node)
            blank = None
            if spot & LINKED:
                links[-1] += units(data.strip())
            if spot & BOLD:
                bolds[-1] += units(data.strip())
        elif type(node) is Element and node.tag in BORDERS:
            bordered = True
    return around, found


def _names(around: _Blocks, seldom: Iterable[Node]) -> list[tuple[str, ...]]:
    """Return the names of each block; `seldom` are elements with names that few have."""
    elements = around.elements
    classes = [element.attr("class") or "" for element in elements]
    identifiers = [element.attr("id") or "" for element in elements]
    names: list[tuple[str, ...]] = list(zip(around.tags, classes, identifiers, strict=True))
    for element in seldom:
        block = around.spots.get(element, OUTSIDE_BLOCKS) >> SHIFT
        if block >= 0 and elements[block] == element:
            names[block] += seldom_names(elements[block])
    return names


def _ends(blocks: Sequence[int], parents: Sequence[int]) -> list[int]:
    """Return the end of each block; its runs are consecutive."""
    ends = [0] * len(parents)
    for run in range(len(blocks), 0, -1):
        block = blocks[run - 1]
        while block >= 0 and not ends[block]:
            ends[block] = run
            block = parents[block]
    return ends


# Sums over the blocks of a page.

DATA_TABLE = frozenset({"th", "thead", "caption"})  # in tables of data, not layout

FEWEST_SHORT_CELLS = 6  # a table of data has at least so many
SHORT_CELL = 60  # units, on average
FEW_TABLE_LINKS = 0.3  # of the text of a table


def sums_by_block(runs: TextRuns, values: Iterable[float]) -> list[float]:
    """Sum up a value of the runs over each block and its descendants."""
    sums = list(accumulate(values, initial=0))
    return [sums[end] - sums[start] for start, end in zip(runs.starts, runs.ends, strict=True)]


def common_block(runs: TextRuns, chosen: Sequence[int]) -> int:
    """Return the deepest block around some runs, which are in document order."""
    first, last = chosen[0], chosen[-1]
    around = enumerate(zip(runs.starts, runs.ends, strict=True))
    return max(block for block, (start, end) in around if start <= first and last < end)


def data_table_blocks(runs: TextRuns, *, short: bool = True) -> frozenset[int]:
    """Return the blocks in tables of data: with headings or, if `short`, with short cells."""
    if "table" not in runs.tags:
        return frozenset()
    tables = [block if tag == "table" else None for block, tag in enumerate(runs.tags)]
    owners = inherited(runs.parents, tables)  # the innermost table around each block
    data = {owner for owner, tag in zip(owners, runs.tags, strict=True) if tag in DATA_TABLE}
    if short:
        data |= {table for table in set(owners) if table >= 0 and _has_short_cells(runs, table)}
    data.discard(NO_BLOCK)
    return frozenset([block for block, owner in enumerate(owners) if owner in data])


def has_cells(runs: TextRuns, table: int) -> bool:
    """Return whether a table has many short texts, so that it is not the layout of an article."""
    lengths = runs.lengths[runs.starts[table] : runs.ends[table]]
    return len(lengths) >= FEWEST_SHORT_CELLS and sum(lengths) < SHORT_CELL * len(lengths)


def _has_short_cells(runs: TextRuns, table: int) -> bool:
    held = slice(runs.starts[table], runs.ends[table])
    within = runs.tags[table + 1 : max(runs.blocks[held]) + 1]
    return (
        has_cells(runs, table)
        and sum(runs.links[held]) < FEW_TABLE_LINKS * sum(runs.lengths[held])
        and "table" not in within
    )
