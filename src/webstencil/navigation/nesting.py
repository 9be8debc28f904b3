"""The nesting of a menu's links: which entry opens which.

A list in an item of another list is the submenu of that item, whether open, collapsed or hidden.
The entry above a submenu is the item's own link, else the text before the list, a link or just
words.
"""

from dataclasses import dataclass

from webstencil.markup import Node, attribute, children, descendants, text
from webstencil.model import NO_PARENT
from webstencil.navigation.features import common
from webstencil.navigation.links import Links

DEEPEST = 20  # levels; no menu is deeper
LONGEST_LABEL = 60  # characters; a longer text is no label


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of a menu."""

    label: str
    link: int | None  # of the block, from 0; None for a label without a link
    parent: int  # index into the same list, NO_PARENT at the top


def entries_of(links: Links, block: range) -> list[MenuEntry]:
    """Return the entries of a block in order, parents before children."""
    top = common(links.places[block.start], links.places[block.stop - 1], links.parents)
    entries: list[MenuEntry] = []
    openers: dict[int, int] = {}  # the entry that opens a list
    first_in: dict[int, int] = {}  # the first entry in an item
    around: dict[int, tuple[int, ...]] = {}  # the lists around an element
    for link, words in zip(block, links.texts(block), strict=True):
        lists = lists_around(links, link, top, around)
        parent = NO_PARENT
        for element in reversed(lists[:-1] if top in links.lists else lists):
            if element not in openers:
                openers[element] = opener(links, element, parent, entries, first_in)
            parent = openers[element]
        label = words or spoken(links.nodes[link])
        entries.append(MenuEntry(label, link - block.start, parent))
        if lists:
            item = item_of(links, link, lists[0])
            first_in.setdefault(item, len(entries) - 1)
    return entries


def lists_around(
    links: Links, link: int, top: int, known: dict[int, tuple[int, ...]]
) -> tuple[int, ...]:
    """Return the lists around a link up to `top`, innermost first, at most DEEPEST.

    Those around the elements on the way are put into `known`.
    """
    way: list[int] = []
    element = links.parents[links.places[link]]
    while element >= top and element != NO_PARENT and element not in known:
        way.append(element)
        element = links.parents[element]
    found = known.get(element, ())
    for element in reversed(way):
        if element in links.lists:
            found = (element, *found)[:DEEPEST]
        known[element] = found
    return found


def item_of(links: Links, link: int, around: int) -> int:
    """Return the item of a list around a link."""
    element = links.places[link]
    while links.parents[element] != around:
        element = links.parents[element]
    return element


def opener(
    links: Links,
    element: int,
    above: int,
    entries: list[MenuEntry],
    first_in: dict[int, int],
) -> int:
    """Return the entry that opens a list: the link before it, or a new label."""
    item = links.parents[element]
    while item != NO_PARENT and item not in first_in and item not in links.lists:
        item = links.parents[item]
    if item in first_in:
        return first_in[item]
    label = words_before(links.elements[element])
    if not label:
        return above
    if entries and entries[-1].label == label:  # a link, often the site's name
        return len(entries) - 1
    entries.append(MenuEntry(label, None, above))
    return len(entries) - 1


def words_before(node: Node) -> str:
    """Return the text before a list in its own item, empty if it is no label."""
    parent = node.parent
    if parent is None:
        return ""
    before: list[Node] = []
    for child in children(parent):
        if child == node:
            break
        before.append(child)
    words = " ".join(text(before).split())
    return words if len(words) <= LONGEST_LABEL else ""


def spoken(node: Node) -> str:
    """Return the ARIA label, the title or the picture's text of a link without text."""
    for name in ("aria-label", "title"):
        if attribute(node, name):
            return " ".join(attribute(node, name).split())
    return next((attribute(picture, "alt") for picture in descendants(node, "img[alt]")), "")
