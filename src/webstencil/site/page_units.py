"""A page as units: parts that stay whole, and where two of them meet.

The page is walked from its body, and only into containers that may have a border in them: what is
whole on all pages is one unit. Elements that begin a line are places of the site (`outline.py`);
inline elements are text. In a block with other blocks in it, text is a unit of its own.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from webstencil.markup import Element, Node, Text
from webstencil.markup.text_units import STRUCTURE
from webstencil.site.outline import NO_PLACE, TOP_PLACE, label_of
from webstencil.site.places import INLINE_TEXT, Places

Name: TypeAlias = tuple[str, str | None, str | None]  # tag, class and id of an element as written

UNSEEN_TAGS = frozenset(  # elements whose text no reader sees
    {"head", "noscript", "select", "datalist", "textarea", "svg", "iframe", "object"}
    | {"audio", "video", "canvas", "script", "style", "template"}
)
PICTURE_TAGS = frozenset({"img", "svg", "video", "canvas", "iframe", "object", "picture", "embed"})
_PICTURES = tuple(sorted(PICTURE_TAGS))
MOST_NAMES_AT_SPOT = 10_000  # names remembered below one spot; single posts have names of their own
DEEPEST_UNIT = 250  # containers around each other; what is deeper is not looked into


@dataclass(slots=True, eq=False)
class Spot:
    """Where the elements with one chain of labels stand; it remembers what was asked of it."""

    place: int  # of the site
    whole: bool  # it is not looked into
    depth: int
    key: int  # the place; of text, one for each container (`text_key`)
    names: dict[Name, "Spot"] = field(default_factory=dict)  # of children
    places: dict[int, "Spot"] = field(default_factory=dict)  # of children, by place
    meetings: dict[tuple["Spot", "Spot"], "UnitMeeting"] = field(default_factory=dict)
    inline: "Spot | None" = None  # of text in it


@dataclass(frozen=True, slots=True)
class UnitMeeting:
    """Where one child of a container ends and another begins."""

    container: int  # places
    ends: int
    begins: int
    border: bool = False
    sure: float = 1.0  # 0..1, chance that this is right


BEGINNING = UnitMeeting(-1, -1, -1, border=True)  # of a page


def text_key(container: int) -> int:
    """Return the key of text that stands in a container beside blocks.

    >>> text_key(0), container_of_text(text_key(7))
    (-3, 7)
    """
    return -3 - container


def container_of_text(key: int) -> int:
    """Return the container of text by its key."""
    return -3 - key


class Spots:
    """Where the elements of pages stand; a kind of spots says where it looks for borders."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.root = self.spot(TOP_PLACE, 0)

    def spot(self, place: int, depth: int) -> Spot:
        """Return a place of the site, NO_PLACE if it is unknown, at a depth."""
        raise NotImplementedError

    def meeting(self, around: Spot, ends: Spot, begins: Spot) -> UnitMeeting:
        """Return what is known of where two children meet."""
        raise NotImplementedError

    def child(self, around: Spot, name: Name) -> Spot:
        """Return where a child stands, by its tag, class and id."""
        label = self.places.vocabulary.label(label_of(*name))
        place = NO_PLACE if around.place == NO_PLACE else self.places.known(around.place, label)
        known = around.places.get(place)
        if known is None:
            known = around.places[place] = self.spot(place, around.depth + 1)
        if len(around.names) < MOST_NAMES_AT_SPOT:
            around.names[name] = known
        return known

    def text(self, around: Spot) -> Spot:
        """Return where text in a block stands."""
        around.inline = Spot(INLINE_TEXT, True, around.depth + 1, text_key(around.place))
        return around.inline


@dataclass(slots=True)  # not frozen: there are many
class Unit:
    """A part of a page that is not looked into."""

    nodes: list[Node]  # siblings
    spot: Spot
    before: UnitMeeting  # with the unit before it
    border: bool = False  # it does not belong to the unit before


@dataclass(frozen=True, slots=True)
class UnitContainer:
    """A container that was looked into."""

    node: Node
    spot: Spot
    first: int  # of the units in it
    last: int
    cut: bool  # there is a border in it


@dataclass(slots=True)
class WalkedPage:
    """The units of a page in document order, and what is around them, inner before outer."""

    units: list[Unit] = field(default_factory=list)
    containers: list[UnitContainer] = field(default_factory=list)
    parted: bool = False  # the next unit begins something new
    last: int = 0  # the last unit with a border before it

    def add(self, node: Node, spot: Spot, before: UnitMeeting) -> None:
        """Add a unit."""
        border = before.border or self.parted
        if border:
            self.last = len(self.units)
        self.units.append(Unit([node], spot, before, border))
        self.parted = False

    def close(self, node: Node, spot: Spot, first: int) -> None:
        """Add a container after what is in it."""
        last = len(self.units) - 1
        if last < first:
            return
        cut = self.last > first
        if cut:
            self.units[first].border = self.parted = True
        self.containers.append(UnitContainer(node, spot, first, last, cut))


@dataclass(slots=True)
class _Frame:
    """An element whose children are walked."""

    children: Iterator[Node]
    node: Node
    spot: Spot  # of the block: an inline element around blocks has that of its own container
    last: Spot | None  # the child before
    first: int  # number of the first unit in it
    inline: bool = False  # it is no block


def walk_units(spots: Spots, body: Node) -> WalkedPage:  # noqa: C901, PLR0912 - see below
    """Find the units of a page; a container with a border in it is parted from its siblings.

    It is one loop, since a call for each node would take a fifth longer.
    """
    found = WalkedPage()
    if spots.root.whole:
        if has_content(body):
            found.add(body, spots.root, BEGINNING)
        return found
    frames = [_Frame(iter(list(body)), body, spots.root, None, 0)]
    before = BEGINNING
    while frames:
        frame = frames[-1]
        opened: _Frame | None = None
        for child in frame.children:
            kind = type(child)
            if kind is Element:
                tag = child.tag  # type: ignore[attr-defined]  # it is an element
                if tag in STRUCTURE:
                    name = (tag, child.attr("class"), child.attr("id"))  # type: ignore[attr-defined]
                    spot = frame.spot.names.get(name) or spots.child(frame.spot, name)
                    if not has_content(child):
                        continue
                elif tag in UNSEEN_TAGS and tag not in PICTURE_TAGS:
                    continue
                elif next(child.iter_elements(STRUCTURE), None) is not None:
                    opened = _Frame(iter(list(child)), child, frame.spot, frame.last, 0, True)
                    break
                elif has_content(child):
                    spot = frame.spot.inline or spots.text(frame.spot)
                else:
                    continue
            elif kind is Text and not child.data.isspace():  # type: ignore[attr-defined]
                spot = frame.spot.inline or spots.text(frame.spot)
            else:
                continue
            if frame.last is not None:
                if spot is frame.last and spot.place == INLINE_TEXT:
                    found.units[-1].nodes.append(child)
                    continue
                before = frame.spot.meetings.get((frame.last, spot)) or spots.meeting(
                    frame.spot, frame.last, spot
                )
            frame.last = spot
            if spot.whole:
                found.add(child, spot, before)
                continue
            opened = _Frame(iter(list(child)), child, spot, None, len(found.units))
            break
        if opened is not None:
            frames.append(opened)
            continue
        frames.pop()
        if frame.inline:
            frames[-1].last = frame.last
        else:
            found.close(frame.node, frame.spot, frame.first)
    return found


def has_content(node: Node) -> bool:
    """Return whether there is anything to read or to look at in an element."""
    if next(node.stripped_strings, None) is not None:
        return True
    if isinstance(node, Element) and node.tag in PICTURE_TAGS:
        return True
    return next(node.iter_elements(_PICTURES), None) is not None
