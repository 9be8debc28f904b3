"""The facts about each area, in one pass over the boxes.

An area includes the areas in it, so nested and flat areas are treated alike. Ink is what texts and
images cover.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from webstencil.geometry import Rect, bounding
from webstencil.kinds.items import ink_of, items_of
from webstencil.kinds.marks import Mark, Marks, link_of, marks_of
from webstencil.model import (
    NO_PARENT,
    Area,
    Box,
    BoxKind,
    NodeId,
    Page,
    Snapshot,
    innermost_areas,
    is_content,
)

CONTROLS = frozenset({"input", "select", "textarea"})
PINNED = frozenset({"fixed", "sticky"})
COPYRIGHT = re.compile(r"(?i)©|\bcopyright\b|\ball rights reserved\b|\(c\) ?(19|20)\d\d\b")

MARKED = 0.95  # share of the ink: an icon beside a menu does not make it something else
PARAGRAPH = 80  # characters, about a line of an article; labels and most titles are shorter
SHORT = 300  # characters; longer areas are judged without their texts


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
        if self.characters > SHORT:
            self.texts = []


@dataclass(frozen=True, slots=True)
class FactColumns:
    """Facts about the nodes and boxes of a page."""

    tags: Sequence[str]  # by node
    marks: Sequence[Marks]  # by node
    links: Sequence[NodeId]  # by node: the link around it
    running: Sequence[bool]  # by box: it is text in a paragraph
    pinned: Sequence[bool]  # by box


def facts_of(page: Page, snapshot: Snapshot, areas: Sequence[Area]) -> tuple[Facts, ...]:
    """Return the facts of each area."""
    owners = innermost_areas(areas, range(len(page.tree)), page.tree.parents)
    tallies = count(columns(page, snapshot.boxes), snapshot.boxes, owners, len(areas))
    for index in range(len(areas) - 1, -1, -1):
        tallies[areas[index].parent].add(tallies[index])
    items = items_of(page.tree, snapshot.boxes, owners, areas)
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
            marks=frozenset(m for m, ink in tally.marked.items() if ink >= MARKED * tally.ink),
            texts=tuple(text for _, text in sorted(tally.texts)),
        )
        for index, (area, tally) in enumerate(zip(areas, own, strict=True))
    )


def columns(page: Page, boxes: Sequence[Box]) -> FactColumns:
    """Compute the facts about nodes and boxes."""
    marked = marks_of(page)
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
    return [lengths[block] >= PARAGRAPH and linked[block] < lengths[block] / 2 for block in blocks]


def count(
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
        elif known.tags[box.node] in CONTROLS:
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
