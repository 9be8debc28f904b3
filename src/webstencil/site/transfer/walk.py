"""Cut a page where its site's learned pages are cut.

The page is walked from its root, and only into containers that some learned page has a border in:
what was always whole is one unit. An area is a run of units without a border between them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import attrgetter, getitem
from typing import TypeAlias

from webstencil import markup
from webstencil.markup import Element, Node, Text
from webstencil.model import TEXT
from webstencil.site.transfer.ways import FIRST, MOST_DOUBT, Meeting, Way, Ways, Written

LINES = frozenset(  # parts of lines, and plain lines or paragraphs
    {TEXT, "a", "abbr", "b", "bdi", "big", "br", "cite", "code", "del", "em", "font", "i", "img"}
    | {"ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup"}
    | {"time", "tt", "u", "var", "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "hr", "ul", "ol"}
    | {"li", "blockquote"}
)

A_TEXT: Written = (TEXT, None, None)
LEAST_LOOKED_INTO = 200  # characters; what is new in a smaller unit cannot cost much

doubts_along = attrgetter("doubts")
has_border = attrgetter("border")

# A part of a page without a border in it: a node, its way, what separates it from the text before
# it, and its texts.
Unit: TypeAlias = tuple[Node, Way, Meeting, Sequence[str]]
# A node that was looked into, and the first and last of the units in it.
Container: TypeAlias = tuple[Node, int, int]


@dataclass(slots=True)  # not frozen: that takes four times as long to make
class PageUnits:
    """A page, cut; entry i of the first columns belongs to unit i."""

    nodes: tuple[Node, ...]
    ways: tuple[Way, ...]
    befores: tuple[Meeting, ...]  # what separates it from the unit before
    characters: tuple[int, ...]
    doubts: list[float]  # 0..1, chance that there should be a border in it
    starts: list[int]  # the first unit, and those with a border before them
    containers: list[Container]  # inner before outer


def walk(ways: Ways, root: Node) -> PageUnits | None:
    """Cut a page; None if there is nothing to cut."""
    way = ways.root((markup.tag(root), markup.identifier(root), markup.attribute(root, "class")))
    if not way.whole:
        return look_into(ways, root, way)
    texts = markup.strings(root)
    return measured(ways, [(root, way, FIRST, texts)], []) if texts else None


def look_into(ways: Ways, node: Node, way: Way) -> PageUnits | None:  # noqa: PLR0912 - see below
    """Find the units in the root and in the containers in it that are not whole.

    It is one loop, since a call for each node or container would take a fifth longer.
    """
    units: list[Unit] = []
    containers: list[Container] = []
    with_ids, with_classes = ways.with_ids, ways.with_classes
    around: list[tuple[Node, Way, Way, int, Iterator[Node]]] = []  # where to go on
    last: Way | None = None  # the child before
    before, first, children = FIRST, 0, iter(node)
    while True:
        for child in children:
            if type(child) is Element:  # a final class; isinstance would cost more
                tag = child.tag
                identifier = child.attr("id") if tag in with_ids else None
                name = (tag, identifier, child.attr("class") if tag in with_classes else None)
                found = way.names.get(name) or ways.child(way, name)
                if found.whole:
                    texts = [*child.stripped_strings]
                    if not texts:
                        continue
                elif found.unread or next(child.stripped_strings, None) is None:
                    continue
            elif type(child) is Text and not (text := child.data).isspace():
                found = way.names.get(A_TEXT) or ways.child(way, A_TEXT)
                texts = [text.strip()]
            else:
                continue
            if last is not None:
                before = way.meetings.get((last, found)) or ways.meeting(way, last, found)
            last = found
            if found.whole:
                units.append((child, found, before, texts))
                continue
            around.append((node, way, found, first, children))
            node, way, last, first, children = child, found, None, len(units), iter(child)
            break
        else:
            if len(units) > first:
                containers.append((node, first, len(units) - 1))
            if not around:
                return measured(ways, units, containers) if units else None
            node, way, last, first, children = around.pop()


def measured(ways: Ways, units: Sequence[Unit], containers: list[Container]) -> PageUnits:
    """Measure the units; what has a C loop behind it is used, since small pages have many."""
    nodes, along, befores, texts = zip(*units, strict=True)
    characters = tuple(map(len, map("".join, texts)))
    doubts = list(map(getitem, map(doubts_along, along), map(len, texts)))
    for number, size in enumerate(characters):
        if size >= LEAST_LOOKED_INTO and (doubt := doubts[number]):
            new = strangers(ways, nodes[number], along[number])
            doubts[number] = doubt + (MOST_DOUBT - doubt) * new / size
    starts = [0, *compress(range(1, len(nodes)), map(has_border, befores[1:]))]
    return PageUnits(nodes, along, befores, characters, doubts, starts, containers)


def strangers(ways: Ways, node: Node, way: Way) -> int:
    """Count the characters in children that no learned page has there; lines of text aside."""
    if way.spot.label.tag in LINES:
        return 0
    found = 0
    for child in markup.element_children(node):
        if (tag := child.tag) not in LINES:
            identifier = child.attr("id") if tag in ways.with_ids else None
            name = (tag, identifier, child.attr("class") if tag in ways.with_classes else None)
            if not (way.names.get(name) or ways.child(way, name)).known:
                found += len("".join(child.stripped_strings))
    return found
