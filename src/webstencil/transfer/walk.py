"""Cut a page where its site's learned pages are cut.

The page is walked from its root, and only into containers that some learned page has a border in:
what was always whole is one unit. An area is a run of units without a border between them.
"""

from dataclasses import dataclass
from typing import NamedTuple

from webstencil import markup
from webstencil.markup import Node
from webstencil.model import TEXT
from webstencil.transfer.ways import MOST_DOUBT, Meeting, Way, Ways

LINES = frozenset(  # what is a part of a line, or a plain line or paragraph by itself
    {TEXT, "a", "abbr", "b", "bdi", "big", "br", "cite", "code", "del", "em", "font", "i", "img"}
    | {"ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup"}
    | {"time", "tt", "u", "var", "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "hr", "ul", "ol"}
    | {"li", "blockquote"}
)


NOVEL = 2.0  # times the texts of any learned page; the doubt grows with the texts beyond that
FAMILIAR = 0.5  # share of the doubt that remains of what has no more texts than learned pages have
LEAST_LOOKED_INTO = 200  # characters; what is new in a smaller unit cannot cost much


class Unit(NamedTuple):
    """A part of a page without a border in it."""

    node: Node
    way: Way
    before: Meeting | None  # what parts it from the unit before it; None for the first
    characters: int
    doubt: float  # 0..1, chance that there should be a border in it


class Container(NamedTuple):
    """A node that was looked into, and the units in it."""

    node: Node
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Cut:
    """A page, cut."""

    units: tuple[Unit, ...]
    containers: tuple[Container, ...]  # outer before inner


class _Step(NamedTuple):
    """A node to go to."""

    node: Node
    way: Way
    before: Meeting | None
    texts: list[str]  # in it, if it is a unit


def walk(ways: Ways, root: Node) -> Cut:
    """Cut a page."""
    units: list[Unit] = []
    containers: list[Container] = []
    name = (markup.tag(root), markup.identifier(root), markup.attribute(root, "class"))
    way = ways.root(name)
    texts = markup.strings(root) if way.whole else []
    stack: list[_Step | int] = [_Step(root, way, None, texts)]
    while stack:
        step = stack.pop()
        if isinstance(step, int):  # all of a container's units are there
            node, first, _ = containers[step]
            containers[step] = Container(node, first, len(units) - 1)
        elif step.texts:
            units.append(unit(ways, step))
        elif not step.way.whole:
            stack.append(len(containers))
            containers.append(Container(step.node, len(units), -1))
            stack.extend(reversed(steps(ways, step)))
    kept = tuple(container for container in containers if container.last >= container.first)
    return Cut(tuple(units), kept)


def steps(ways: Ways, step: _Step) -> list[_Step]:
    """List the children of a container that have text, each with what parts it from the last."""
    found: list[_Step] = []
    way, before = step.way, step.before
    last: Way | None = None
    known, meetings = way.names, way.meetings
    for child, name in markup.named_children(step.node):
        next_way = known.get(name) or ways.child(way, name)
        if next_way.unread:
            continue
        if next_way.whole:
            texts = markup.strings(child)
            if not texts:
                continue
        elif markup.has_text(child):
            texts = []
        else:
            continue
        if last is not None:
            before = meetings.get((last, next_way)) or ways.meeting(way, last, next_way)
        found.append(_Step(child, next_way, before, texts))
        last = next_way
    return found


def unit(ways: Ways, step: _Step) -> Unit:
    """Measure a unit."""
    characters = sum(map(len, step.texts))
    return Unit(step.node, step.way, step.before, characters, doubt_of(ways, step, characters))


def doubt_of(ways: Ways, step: _Step, characters: int) -> float:
    """Return the chance that there should be a border in a unit."""
    way, texts = step.way, len(step.texts)
    if way.spot.label.tag == TEXT or texts == way.texts == 1:
        return 0.0
    sure = way.doubt < MOST_DOUBT or texts == way.texts
    novelty = texts / (NOVEL * max(1, way.texts))
    doubt = min(MOST_DOUBT, way.doubt * max(FAMILIAR if sure else 1.0, novelty))
    if characters < LEAST_LOOKED_INTO or way.spot.label.tag in LINES:
        return doubt
    return doubt + (MOST_DOUBT - doubt) * strangers(ways, step) / characters


def strangers(ways: Ways, step: _Step) -> int:
    """Count the characters in children that no learned page has there; lines of text aside."""
    known = step.way.names
    found = 0
    for child, name in markup.named_children(step.node):
        if name[0] not in LINES:
            way = known.get(name) or ways.child(step.way, name)
            if not way.known:
                found += sum(map(len, markup.strings(child)))
    return found
