"""The facts about each area: what its markup says, its items, its ink, in one pass over the boxes.

An area includes the areas in it, so nested and flat areas are treated alike. Ink is what texts and
images cover.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from webstencil.geometry import Rect, bounding
from webstencil.model import (
    NO_PARENT,
    TEXT,
    Area,
    Box,
    BoxKind,
    NodeId,
    Page,
    Snapshot,
    Tree,
    innermost_areas,
    is_content,
)


class Mark(StrEnum):
    """What the markup says by landmarks, roles and telling names; it holds for all in a node."""

    ARTICLE = "article"
    ASIDE = "aside"
    BREADCRUMB = "breadcrumb"
    COMMENTS = "comments"
    FOOTER = "footer"
    FORM = "form"
    HEADER = "header"
    HEADING = "heading"
    LINK = "link"
    MAIN = "main"
    NAVIGATION = "navigation"
    NOTICE = "notice"
    PAGINATION = "pagination"
    PINNED = "pinned"  # by its style, it stays in the window when the page is scrolled
    TABLE = "table"  # of data; a table without headings may be layout


Marks: TypeAlias = frozenset[Mark]

TAG_MARKS = {
    "article": Mark.ARTICLE,
    "aside": Mark.ASIDE,
    "footer": Mark.FOOTER,
    "form": Mark.FORM,
    "header": Mark.HEADER,
    "main": Mark.MAIN,
    "nav": Mark.NAVIGATION,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), Mark.HEADING),
}
ROLE_MARKS = {
    **dict.fromkeys(("alertdialog", "dialog"), Mark.NOTICE),
    **dict.fromkeys(("form", "search"), Mark.FORM),
    **dict.fromkeys(("menu", "menubar", "navigation"), Mark.NAVIGATION),
    "article": Mark.ARTICLE,
    "banner": Mark.HEADER,
    "complementary": Mark.ASIDE,
    "contentinfo": Mark.FOOTER,
    "heading": Mark.HEADING,
    "main": Mark.MAIN,
}
# Unambiguous words in ids, classes and labels.
NAME_MARKS = {
    **dict.fromkeys(("breadcrumb", "breadcrumbs", "crumbs"), Mark.BREADCRUMB),
    **dict.fromkeys(("comment", "comments", "commentlist", "disqus"), Mark.COMMENTS),
    **dict.fromkeys(("colophon", "footer"), Mark.FOOTER),
    **dict.fromkeys(("consent", "cookie", "cookies", "gdpr"), Mark.NOTICE),
    **dict.fromkeys(("header", "masthead"), Mark.HEADER),
    **dict.fromkeys(("menu", "nav", "navbar", "navigation"), Mark.NAVIGATION),
    **dict.fromkeys(("pagenavi", "pager", "pagination"), Mark.PAGINATION),
    "sidebar": Mark.ASIDE,
}
NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")  # site-header, siteHeader, SITE_HEADER
# A header or footer in one of these is not the page's (HTML standard, header and footer elements).
SECTIONS = frozenset({Mark.ARTICLE, Mark.ASIDE, Mark.MAIN, Mark.NAVIGATION})
BAND_MARKS = frozenset({Mark.HEADER, Mark.FOOTER})
UNMARKED_ELEMENTS = frozenset({"html", "body"})  # their classes describe other parts of the page
NO_MARKS: Marks = frozenset()


@dataclass(frozen=True, slots=True)
class Said:
    """The attributes of an element that say what it is."""

    role: str
    label: str
    href: str | None


NO_ATTRIBUTES = Said("", "", None)


def node_marks(page: Page) -> list[Marks]:
    """Return the marks of each node."""
    tree, said, tables = page.tree, attributes(page), _data_tables(page.tree)
    found: list[Marks] = []
    for node, parent in enumerate(tree.parents):
        above = found[parent] if parent != NO_PARENT else NO_MARKS
        own = frozenset(own_marks(tree, node, said.get(node, NO_ATTRIBUTES)))
        if above & SECTIONS:
            own -= BAND_MARKS
        if node in tables:
            own |= {Mark.TABLE}
        found.append(above if own <= above else above | own)
    return found


def own_marks(tree: Tree, node: NodeId, said: Said) -> Iterator[Mark]:
    """Yield the marks of an element itself; its role outweighs its tag."""
    tag = tree.tags[node]
    landmark = ROLE_MARKS.get(said.role) if said.role else TAG_MARKS.get(tag)
    if landmark is not None:
        yield landmark
    if tag == "a" and said.href is not None:
        yield Mark.LINK
    if tag not in UNMARKED_ELEMENTS:
        names = NAME_WORD.findall(f"{tree.ids[node]} {tree.classes[node]} {said.label}")
        yield from (NAME_MARKS[word] for word in map(str.lower, names) if word in NAME_MARKS)


def attributes(page: Page) -> dict[NodeId, Said]:
    """Return the telling attributes of the elements that have any."""
    nodes = page.markup.nodes(range(len(page.tree)))
    numbers = dict(zip(nodes, range(len(nodes)), strict=True))
    return {
        numbers[element]: Said(
            (element.attr("role") or "").strip().lower(),
            element.attr("aria-label") or "",
            element.attr("href"),
        )
        for element in page.markup.root.select("[role], [aria-label], a[href]")
        if element in numbers
    }


def _data_tables(tree: Tree) -> frozenset[NodeId]:
    """Return the tables with headings or a caption and without a table in them."""
    inside: list[NodeId] = []  # the nearest table around or at each node
    headed: set[NodeId] = set()
    nested: set[NodeId] = set()
    for node, parent in enumerate(tree.parents):
        around = inside[parent] if parent != NO_PARENT else NO_PARENT
        if tree.tags[node] == "table":
            nested.add(around)
        elif tree.tags[node] in {"th", "caption"}:
            headed.add(around)
        inside.append(node if tree.tags[node] == "table" else around)
    return frozenset(headed - nested - {NO_PARENT})


def link_of(tree: Tree, marked: list[Marks]) -> list[NodeId]:
    """Return the link at or around each node, NO_PARENT if there is none."""
    links: list[NodeId] = []
    for node, parent in enumerate(tree.parents):
        around = links[parent] if parent != NO_PARENT else NO_PARENT
        starts = Mark.LINK in marked[node] and around == NO_PARENT
        links.append(node if starts else around)
    return links


# The items of areas are similar children of one element.

ITEM_TAGS = frozenset({"a", "article", "dd", "dt", "li", "tr"})  # items of any class and width
NO_ITEMS = frozenset(
    {TEXT, "b", "br", "em", "font", "i", "p", "span", "strong", "td", "th"}
    | {"h1", "h2", "h3", "h4", "h5", "h6"}
)
CLASS_DIGITS = re.compile(r"\d+")
INK_IN_ITEMS = 0.6  # share of the ink in items: a list also has a title and a "more" link
NO_AREA_YET = -2  # no area yet; NO_PARENT is outside of all areas


def _items_of(
    tree: Tree, boxes: Sequence[Box], owners: Sequence[int], areas: Sequence[Area]
) -> list[int]:
    """Return the number of items of each area, 0 if items are not most of it."""
    inks, holders = _spread(boxes, owners, areas)
    needed = [INK_IN_ITEMS * ink for ink in inks_of(boxes, owners, areas)]
    items = [0] * len(areas)
    for group in _alike(tree, boxes, inks):
        for area, members in _shares(group, holders, areas).items():
            if len(members) > 1 and sum(inks[box] for box in members) >= needed[area]:
                items[area] = max(items[area], len(members))
    return items


def _alike(tree: Tree, boxes: Sequence[Box], inks: Sequence[float]) -> list[list[int]]:
    """Return the groups of boxes with the same parent and the same form."""
    groups: dict[tuple[int, str], list[int]] = {}
    for index, box in enumerate(boxes):
        if inks[index] and box.parent != NO_PARENT and tree.tags[box.node] not in NO_ITEMS:
            groups.setdefault((box.parent, _form_of(tree, box)), []).append(index)
    return list(groups.values())


def _form_of(tree: Tree, box: Box) -> str:
    """Return the form of a box: tag, first class without digits, width."""
    tag = tree.tags[box.node]
    if tag in ITEM_TAGS:
        return tag
    name = CLASS_DIGITS.sub("", tree.classes[box.node].partition(" ")[0])
    return f"{tag}.{name} {box.rect.width:.0f}"


def _shares(
    group: Sequence[int], holders: Sequence[int], areas: Sequence[Area]
) -> dict[int, Sequence[int]]:
    """Return the boxes of a group by area: each in its own, and all in the one around all."""
    found: dict[int, list[int]] = {}
    around = NO_AREA_YET
    for box in group:
        found.setdefault(holders[box], []).append(box)
        around = _meet(areas, around, holders[box])
    return {area: members for area, members in {**found, around: group}.items() if area >= 0}


def _spread(
    boxes: Sequence[Box], owners: Sequence[int], areas: Sequence[Area]
) -> tuple[list[float], list[int]]:
    """Return the ink in each box, and the innermost area around all of it."""
    inks = [ink_of(box) if is_content(box) else 0.0 for box in boxes]
    holders = [
        owners[box.node] if ink else NO_AREA_YET for box, ink in zip(boxes, inks, strict=True)
    ]
    for index in range(len(boxes) - 1, -1, -1):
        parent = boxes[index].parent
        if parent != NO_PARENT:
            inks[parent] += inks[index]
            holders[parent] = _meet(areas, holders[parent], holders[index])
    return inks, holders


def inks_of(boxes: Sequence[Box], owners: Sequence[int], areas: Sequence[Area]) -> list[float]:
    """Return the ink in each area, its child areas included."""
    inks = [0.0] * (len(areas) + 1)  # the last one is that of the page
    for box in boxes:
        if is_content(box):
            inks[owners[box.node]] += ink_of(box)
    for index in range(len(areas) - 1, -1, -1):
        inks[areas[index].parent] += inks[index]
    return inks


def _meet(areas: Sequence[Area], one: int, other: int) -> int:
    """Return the innermost area around two areas; parents come before children."""
    if NO_AREA_YET in {one, other}:
        return max(one, other)
    while one != other:
        one, other = min(one, other), areas[max(one, other)].parent
    return one


def ink_of(box: Box) -> float:
    """Return the size that a text or an image covers, in px²."""
    if box.kind is BoxKind.TEXT:
        return min(box.clip.area, sum(line.area for line in box.lines))
    return box.clip.area


FIELD_TAGS = frozenset({"input", "select", "textarea"})
PINNED = frozenset({"fixed", "sticky"})
COPYRIGHT = re.compile(r"(?i)©|\bcopyright\b|\ball rights reserved\b|\(c\) ?(19|20)\d\d\b")

MARKED_INK = 0.95  # share of the ink: an icon beside a menu does not make it something else
RUNNING_PARAGRAPH = 80  # characters, about a line of an article; labels and most titles are shorter
SHORT_AREA = 300  # characters; longer areas are judged without their texts


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about an area, the areas in it included."""

    rect: Rect
    page: Rect  # around everything visible
    leaf: bool  # it has no child areas
    share: float  # 0..1, of the page's ink
    own: float  # 0..1, share of its ink outside of its child areas
    pictured: float  # 0..1, share of images in its ink
    characters: int
    linked: int  # characters in links
    running: int  # characters in paragraphs that are mostly not links
    links: int
    images: int
    fields: int  # of forms
    items: int  # similar children of one element that make up most of the area
    size: float  # mean font size divided by the page's; 0 without text
    largest: float  # largest font size divided by the page's mean; 0 without text
    bigger: float  # its rectangle's size divided by the mean of all leaf areas
    copyright: bool  # it has a copyright notice
    marks: Marks  # of nearly all of its ink
    texts: tuple[str, ...]  # if it is short

    @property
    def density(self) -> float:
        """Return the share of links in its characters; without text, 1 if all of it is links."""
        if self.characters:
            return self.linked / self.characters
        return 1.0 if Mark.LINK in self.marks else 0.0

    @property
    def label(self) -> float:
        """Return the mean number of characters of its links."""
        return self.linked / self.links if self.links else 0.0

    @property
    def prose(self) -> float:
        """Return the share of running text in its characters."""
        return self.running / self.characters if self.characters else 0.0

    @property
    def width(self) -> float:
        """Return its width as a share of the page's."""
        return self.rect.width / self.page.width if self.page.width else 0.0


@dataclass(slots=True)
class AreaSums:
    """The sums of an area."""

    ink: float = 0.0  # px²
    own: float = 0.0  # px² of ink outside of its child areas
    pictured: float = 0.0  # px² of images
    characters: int = 0
    linked: int = 0
    running: int = 0
    links: int = 0
    images: int = 0
    fields: int = 0
    sizes: float = 0.0  # px, sum of the font sizes of all characters
    largest: float = 0.0  # px
    copyright: bool = False
    marked: dict[Mark, float] = field(default_factory=dict)  # px² of ink
    texts: list[tuple[int, str]] = field(default_factory=list)  # with the number of their box

    def add(self, other: "AreaSums") -> None:
        """Add the sums of a child area."""
        self.ink += other.ink
        self.pictured += other.pictured
        self.characters += other.characters
        self.linked += other.linked
        self.running += other.running
        self.links += other.links
        self.images += other.images
        self.fields += other.fields
        self.sizes += other.sizes
        self.largest = max(self.largest, other.largest)
        self.copyright |= other.copyright
        for mark, ink in other.marked.items():
            self.mark(mark, ink)
        self.texts.extend(other.texts)
        self.forget()

    def mark(self, mark: Mark, ink: float) -> None:
        """Add ink that has a mark."""
        self.marked[mark] = self.marked.get(mark, 0.0) + ink

    def forget(self) -> None:
        """Drop the texts if there are too many."""
        if self.characters > SHORT_AREA:
            self.texts = []


@dataclass(frozen=True, slots=True)
class FactColumns:
    """Facts about the nodes and boxes of a page."""

    tags: Sequence[str]  # by node
    marks: Sequence[Marks]  # by node
    links: Sequence[NodeId]  # by node: the link around it
    running: Sequence[bool]  # by box: it is text in a paragraph
    pinned: Sequence[bool]  # by box


def area_facts(page: Page, snapshot: Snapshot, areas: Sequence[Area]) -> tuple[Facts, ...]:
    """Return the facts of each area."""
    owners = innermost_areas(areas, range(len(page.tree)), page.tree.parents)
    tallies = _count(_columns(page, snapshot.boxes), snapshot.boxes, owners, len(areas))
    for index in range(len(areas) - 1, -1, -1):
        tallies[areas[index].parent].add(tallies[index])
    items = _items_of(page.tree, snapshot.boxes, owners, areas)
    return summed_up(snapshot, areas, tallies, items)


def summed_up(
    snapshot: Snapshot, areas: Sequence[Area], tallies: Sequence[AreaSums], items: Sequence[int]
) -> tuple[Facts, ...]:
    """Divide the sums of the areas by those of the page, which come last."""
    *own, whole = tallies
    visible = bounding(box.clip for box in snapshot.boxes if is_content(box))
    parents = {area.parent for area in areas}
    sizes = [area.rect.area for index, area in enumerate(areas) if index not in parents]
    mean_area = sum(sizes) / len(sizes) if sizes else 0.0
    mean_size = whole.sizes / whole.characters if whole.characters else 0.0
    return tuple(
        Facts(
            rect=area.rect,
            page=visible,
            leaf=index not in parents,
            share=tally.ink / whole.ink if whole.ink else 0.0,
            own=tally.own / tally.ink if tally.ink else 0.0,
            pictured=tally.pictured / tally.ink if tally.ink else 0.0,
            characters=tally.characters,
            linked=tally.linked,
            running=tally.running,
            links=tally.links,
            images=tally.images,
            fields=tally.fields,
            items=items[index],
            size=tally.sizes / tally.characters / mean_size if tally.sizes else 0.0,
            largest=tally.largest / mean_size if tally.largest else 0.0,
            bigger=area.rect.area / mean_area if mean_area else 0.0,
            copyright=tally.copyright,
            marks=frozenset(m for m, ink in tally.marked.items() if ink >= MARKED_INK * tally.ink),
            texts=tuple(text for _, text in sorted(tally.texts)),
        )
        for index, (area, tally) in enumerate(zip(areas, own, strict=True))
    )


def _columns(page: Page, boxes: Sequence[Box]) -> FactColumns:
    """Compute the facts about nodes and boxes."""
    marked = node_marks(page)
    links = link_of(page.tree, marked)
    pinned: list[bool] = []
    for box in boxes:
        above = box.parent != NO_PARENT and pinned[box.parent]
        pinned.append(above or (box.style.position in PINNED and box.kind is not BoxKind.TEXT))
    return FactColumns(page.tree.tags, marked, links, running_texts(boxes, links), pinned)


def running_texts(boxes: Sequence[Box], links: Sequence[NodeId]) -> list[bool]:
    """Return whether each box is text in a paragraph that is mostly not links."""
    blocks: list[int] = []  # the block box around each inline box
    lengths: Counter[int] = Counter()
    linked: Counter[int] = Counter()
    for index, box in enumerate(boxes):
        inline = box.kind is BoxKind.TEXT or box.style.display == "inline"
        blocks.append(blocks[box.parent] if inline and box.parent != NO_PARENT else index)
        if box.visible and box.kind is BoxKind.TEXT:
            lengths[blocks[index]] += len(box.text)
            linked[blocks[index]] += len(box.text) if links[box.node] != NO_PARENT else 0
    return [
        lengths[block] >= RUNNING_PARAGRAPH and linked[block] < lengths[block] / 2
        for block in blocks
    ]


def _count(
    known: FactColumns, boxes: Sequence[Box], owners: Sequence[int], areas: int
) -> list[AreaSums]:
    """Sum up each area without its child areas; the last sums are of what is in no area."""
    tallies = [AreaSums() for _ in range(areas + 1)]
    seen: set[tuple[int, NodeId]] = set()
    for index, box in enumerate(boxes):
        if not is_content(box):
            continue
        owner, link = owners[box.node], known.links[box.node]
        tally, ink = tallies[owner], ink_of(box)
        tally.ink += ink
        tally.own += ink
        for mark in known.marks[box.node]:
            tally.mark(mark, ink)
        if known.pinned[index]:
            tally.mark(Mark.PINNED, ink)
        if link != NO_PARENT and (owner, link) not in seen:
            seen.add((owner, link))
            tally.links += 1
        if box.kind is BoxKind.TEXT:
            count_text(tally, box, link != NO_PARENT, known.running[index])
            tally.texts.append((index, box.text))
            tally.forget()
        elif known.tags[box.node] in FIELD_TAGS:
            tally.fields += 1
        else:
            tally.images += 1
            tally.pictured += ink
    return tallies


def count_text(tally: AreaSums, box: Box, linked: bool, running: bool) -> None:
    """Count a text."""
    length = len(box.text)
    tally.characters += length
    tally.linked += length if linked else 0
    tally.running += length if running else 0
    tally.sizes += length * box.style.font_size
    tally.largest = max(tally.largest, box.style.font_size)
    tally.copyright |= COPYRIGHT.search(box.text) is not None
