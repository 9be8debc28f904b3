"""Cut a page where its site's learned pages are cut.

The page is walked from its root, and only into containers that some learned page has a border in:
what was always whole is one unit. An area is a run of units without a border between them.
"""

from dataclasses import dataclass

from webstencil import markup
from webstencil.markup import Node
from webstencil.model import TEXT
from webstencil.transfer.ways import Meeting, Way, Ways

LINES = frozenset(  # what is a part of a line, or a plain line or paragraph by itself
    {TEXT, "a", "abbr", "b", "bdi", "big", "br", "cite", "code", "del", "em", "font", "i", "img"}
    | {"ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup"}
    | {"time", "tt", "u", "var", "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "hr", "ul", "ol"}
    | {"li", "blockquote"}
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A part of a page without a border in it."""

    node: Node
    way: Way
    before: Meeting | None  # what parts it from the unit before it; None for the first
    texts: int
    characters: int
    strange: float  # 0..1, share of it in children that no learned page has there


@dataclass(frozen=True, slots=True)
class Container:
    """A node that was looked into, and the units in it."""

    node: Node
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Cut:
    """A page, cut."""

    units: tuple[Unit, ...]
    containers: tuple[Container, ...]  # outer before inner


@dataclass(slots=True)
class _Open:
    """A container whose units are being collected."""

    node: Node
    first: int


def walk(ways: Ways, root: Node) -> Cut:
    """Cut a page."""
    units: list[Unit] = []
    containers: list[Container] = []
    name = (markup.tag(root), markup.identifier(root), markup.attribute(root, "class"))
    stack: list[tuple[Node, Way, Meeting | None] | int] = [(root, ways.root(name), None)]
    while stack:
        task = stack.pop()
        if isinstance(task, int):  # all of a container's units are there
            opened = containers[task]
            containers[task] = Container(opened.node, opened.first, len(units) - 1)
            continue
        node, way, before = task
        if way.whole or way.spot.label.tag == TEXT:
            units.append(unit(ways, node, way, before))
            continue
        stack.append(len(containers))
        containers.append(Container(node, len(units), len(units) - 1))
        stack.extend(reversed(children(ways, node, way, before)))
    kept = tuple(container for container in containers if container.last >= container.first)
    return Cut(tuple(units), kept)


def unit(ways: Ways, node: Node, way: Way, before: Meeting | None) -> Unit:
    """Measure a unit."""
    texts = markup.strings(node)
    characters = sum(map(len, texts))
    new = strangers(ways, node, way) if way.spot.label.tag not in LINES else 0
    return Unit(node, way, before, len(texts), characters, new / characters if characters else 0.0)


def strangers(ways: Ways, node: Node, way: Way) -> int:
    """Count the characters in children that no learned page has there; lines of text aside."""
    known = way.names
    found = 0
    for child, name in markup.named_children(node):
        if name[0] not in LINES:
            next_way = known.get(name) or ways.child(way, name)
            if not next_way.known:
                found += sum(map(len, markup.strings(child)))
    return found


def children(
    ways: Ways, node: Node, way: Way, before: Meeting | None
) -> list[tuple[Node, Way, Meeting | None]]:
    """List the children of a container that have text, each with what parts it from the last."""
    found: list[tuple[Node, Way, Meeting | None]] = []
    last: Way | None = None
    known = way.names
    for child, name in markup.named_children(node):
        next_way = known.get(name) or ways.child(way, name)
        if next_way.unread or not markup.has_text(child):
            continue
        if last is not None:
            before = way.meetings.get((last, next_way)) or ways.meeting(way, last, next_way)
        found.append((child, next_way, before))
        last = next_way
    return found
