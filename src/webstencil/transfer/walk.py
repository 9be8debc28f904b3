"""Cut a page where its site's learned pages are cut.

The page is walked from its root, and only into containers that some learned page has a border in:
what was always whole is one unit. An area is a run of units without a border between them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from webstencil import markup
from webstencil.markup import Element, Node, Text
from webstencil.model import TEXT
from webstencil.transfer.ways import MOST_DOUBT, Meeting, Way, Ways, Written

LINES = frozenset(  # what is a part of a line, or a plain line or paragraph by itself
    {TEXT, "a", "abbr", "b", "bdi", "big", "br", "cite", "code", "del", "em", "font", "i", "img"}
    | {"ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup"}
    | {"time", "tt", "u", "var", "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "hr", "ul", "ol"}
    | {"li", "blockquote"}
)

A_TEXT: Written = (TEXT, None, None)
LEAST_LOOKED_INTO = 200  # characters; what is new in a smaller unit cannot cost much


@dataclass(slots=True)  # not frozen: that takes four times as long to make
class Container:
    """A node that was looked into, and the units in it."""

    node: Node
    first: int
    last: int


class Cut:
    """A page, cut; entry i of the columns belongs to unit i, a part without a border in it."""

    __slots__ = ("befores", "characters", "containers", "doubts", "nodes", "starts", "ways")

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.ways: list[Way] = []
        self.befores: list[Meeting | None] = []  # what parts it from the last; None for the first
        self.characters: list[int] = []
        self.doubts: list[float] = []  # 0..1, chance that there should be a border in it
        self.starts: list[int] = []  # the first unit, and those with a border before them
        self.containers: list[Container] = []  # outer before inner; some have no units

    def add(self, ways: Ways, step: "Step", texts: Sequence[str]) -> None:
        """Add a unit with some texts in it."""
        node, way, before, _ = step
        characters = len("".join(texts))
        doubt = way.doubts.get(len(texts))
        if doubt is None:
            doubt = ways.doubt(way, len(texts))
        if doubt and characters >= LEAST_LOOKED_INTO and way.spot.label.tag not in LINES:
            doubt += (MOST_DOUBT - doubt) * strangers(ways, node, way) / characters
        if before is None or before.border:
            self.starts.append(len(self.nodes))
        self.nodes.append(node)
        self.ways.append(way)
        self.befores.append(before)
        self.characters.append(characters)
        self.doubts.append(doubt)


# A node to go to, its way, what parts it from the text before it, and its texts if it is a unit.
Step: TypeAlias = tuple[Node, Way, Meeting | None, list[str] | None]


def walk(ways: Ways, root: Node) -> Cut:
    """Cut a page."""
    cut = Cut()
    add, nodes = cut.add, cut.nodes
    ahead = first_step(ways, root)
    around: list[tuple[Iterator[Step], Container]] = []  # the ways on from what was looked into
    while True:
        for step in ahead:
            node, way, before, texts = step
            if texts is not None:
                add(ways, step, texts)
                continue
            container = Container(node, len(nodes), -1)
            cut.containers.append(container)
            around.append((ahead, container))
            ahead = steps(ways, node, way, before)
            break
        else:
            if not around:
                return cut
            ahead, container = around.pop()
            container.last = len(nodes) - 1


def first_step(ways: Ways, root: Node) -> Iterator[Step]:
    """Yield the root, unless it is whole and has no text."""
    way = ways.root((markup.tag(root), markup.identifier(root), markup.attribute(root, "class")))
    texts = markup.strings(root) if way.whole else None
    if texts != []:
        yield root, way, None, texts


def steps(ways: Ways, node: Node, way: Way, before: Meeting | None) -> Iterator[Step]:
    """Yield the children of a container that have text, each with what parts it from the last."""
    last: Way | None = None
    known, meetings = way.names, way.meetings
    with_ids, with_classes = ways.with_ids, ways.with_classes
    for child in node.children:
        texts: list[str] | None = None
        if type(child) is Element:  # a final class; asking for it is cheaper than isinstance
            tag = child.tag
            identifier = child.attr("id") if tag in with_ids else None
            name = (tag, identifier, child.attr("class") if tag in with_classes else None)
            next_way = known.get(name) or ways.child(way, name)
            if next_way.whole:
                texts = list(child.stripped_strings)
                if not texts:
                    continue
            elif next_way.unread or next(child.stripped_strings, None) is None:
                continue
        elif type(child) is Text and not (text := child.data).isspace():
            next_way = known.get(A_TEXT) or ways.child(way, A_TEXT)
            texts = [text.strip()]
        else:
            continue
        if last is not None:
            before = meetings.get((last, next_way)) or ways.meeting(way, last, next_way)
        yield child, next_way, before, texts
        last = next_way


def strangers(ways: Ways, node: Node, way: Way) -> int:
    """Count the characters in children that no learned page has there; lines of text aside."""
    found = 0
    for child in node.children:
        if type(child) is Element and (tag := child.tag) not in LINES:
            identifier = child.attr("id") if tag in ways.with_ids else None
            name = (tag, identifier, child.attr("class") if tag in ways.with_classes else None)
            if not (way.names.get(name) or ways.child(way, name)).known:
                found += len("".join(child.stripped_strings))
    return found
