"""The menus of a page, their nesting, and the menus of many pages merged.

A list in an item of another list is the submenu of that item, whether open, collapsed or hidden.
The entry above a submenu is the item's own link, else the text before the list, a link or just
words.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from webstencil import urls
from webstencil.markup import Node, attribute, children, descendants, text
from webstencil.model import NO_PARENT
from webstencil.navigation.features import element_around
from webstencil.navigation.links import Links

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webstencil.navigation.kinds import PageLinks

DEEPEST_LIST = 20  # levels; no menu is deeper
LONGEST_OPENER = 60  # characters; a longer text is no label


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """An entry of a menu."""

    label: str
    link: int | None  # of the block, from 0; None for a label without a link
    parent: int  # index into the same list, NO_PARENT at the top


def entries_of(links: Links, block: range) -> list[MenuEntry]:
    """Return the entries of a block in order, parents before children."""
    top = element_around(links.places[block.start], links.places[block.stop - 1], links.parents)
    entries: list[MenuEntry] = []
    openers: dict[int, int] = {}  # the entry that opens a list
    first_in: dict[int, int] = {}  # the first entry in an item
    around: dict[int, tuple[int, ...]] = {}  # the lists around an element
    for link, words in zip(block, links.texts(block), strict=True):
        lists = lists_around(links, link, top, around)
        parent = NO_PARENT
        for element in reversed(lists[:-1] if top in links.lists else lists):
            if element not in openers:
                openers[element] = _opener(links, element, parent, entries, first_in)
            parent = openers[element]
        label = words or _spoken(links.nodes[link])
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
            found = (element, *found)[:DEEPEST_LIST]
        known[element] = found
    return found


def item_of(links: Links, link: int, around: int) -> int:
    """Return the item of a list around a link."""
    element = links.places[link]
    while links.parents[element] != around:
        element = links.parents[element]
    return element


def _opener(
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
    return words if len(words) <= LONGEST_OPENER else ""


def _spoken(node: Node) -> str:
    """Return the ARIA label, the title or the picture's text of a link without text."""
    for name in ("aria-label", "title"):
        if attribute(node, name):
            return " ".join(attribute(node, name).split())
    return next((attribute(picture, "alt") for picture in descendants(node, "img[alt]")), "")


# The menus of one page are a small value, to be merged with those of the other pages. Entries are
# known by their targets, which have the same name on all pages of a site. The pages of a site share
# most of their menus, so equal entries and equal menus are kept once.


TOP_NAME = ""  # the name above an entry that no other one opens
WITHIN_PAGE = "#"  # names of links within the page begin so


class NamedEntry(NamedTuple):
    """An entry of a menu, by name: its target, or its label if it has none."""

    name: str
    label: str
    above: str  # name of the entry that opens it, TOP if none does
    href: str | None  # as written; None for a label without a link


MenuEntries: TypeAlias = tuple[NamedEntry, ...]  # in the order of the page


@dataclass(frozen=True, slots=True)
class PageMenus:
    """A page with its menus."""

    url: str
    base_url: str
    template: str
    menus: tuple[MenuEntries, ...]

    @property
    def section(self) -> str:
        """Return the first step of the path of its URL."""
        return section_of(self.url)


@dataclass(frozen=True, slots=True)
class MenuReader:
    """Reads the menus of pages; what equals something that was read before is the same object."""

    _entries: dict[NamedEntry, NamedEntry] = field(default_factory=dict)
    _menus: dict[MenuEntries, MenuEntries] = field(default_factory=dict)

    def read(self, known: "PageLinks", menus: "Sequence[range]", template: str) -> PageMenus:
        """Read the blocks of a page that are menus; links within the page are left out."""
        page = known.page
        found = [self._menu(known, block) for block in menus]
        return PageMenus(page.url, page.base_url, template, tuple(filter(None, found)))

    def _menu(self, known: "PageLinks", block: range) -> MenuEntries:
        entries = [one for one in _named(known, block) if not one.name.startswith(WITHIN_PAGE)]
        menu = tuple(map(self._entries.setdefault, entries, entries))
        return self._menus.setdefault(menu, menu)


def _named(known: "PageLinks", block: range) -> list[NamedEntry]:
    """Return the entries of a block by name."""
    entries = entries_of(known.links, block)
    targets = known.targets[block.start : block.stop]
    names = [_name_of(targets, entry) for entry in entries]
    hrefs = known.links.hrefs
    return [
        NamedEntry(
            name,
            entry.label,
            TOP_NAME if entry.parent == NO_PARENT else names[entry.parent],
            None if entry.link is None else hrefs[block.start + entry.link],
        )
        for name, entry in zip(names, entries, strict=True)
    ]


def _name_of(targets: "Sequence[str]", entry: MenuEntry) -> str:
    """Return the target of an entry, or its label if it has none."""
    return targets[entry.link] if entry.link is not None else f"label {entry.label}"


def section_of(url: str) -> str:
    """Return the first step of a URL's path."""
    steps = [step for step in urlsplit(url).path.split("/") if step]
    return f"/{steps[0]}/" if len(steps) > 1 else "/"


# Menus of different pages are the same menu if they share most of their targets. Pages are merged
# in an order that depends on nothing but their URLs, and so does which of them are left out where a
# bound is reached.


SAME_MENU = 0.5  # share of the block's targets, or of the menu's on a page
CONSTANT = 0.33  # share of a menu's entries on a page; with fewer on most pages it is a list
MOST_MENUS = 200  # of a site
MOST_ENTRIES = 2000  # of a menu
STEP_TARGETS = 3  # entries with one label: "next" has another target on each page
STEP_PAGES = 3  # blocks with each of them, on average: above and below a chapter, and one more
PAGES_FOR_URL = 50  # pages that tell the URL of an entry


@dataclass(slots=True)
class MenuLine:
    """An entry of a menu as counted so far."""

    labels: Counter[str] = field(default_factory=Counter)
    parents: Counter[str] = field(default_factory=Counter)  # names of entries, "" at the top
    urls: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    places: int = 0  # sum of its positions among the entries of each page

    @property
    def label(self) -> str:
        """Return its label on most pages, empty if it has none."""
        return most_common(Counter({label: pages for label, pages in self.labels.items() if label}))

    @property
    def parent(self) -> str:
        """Return the name of the entry above it on most pages."""
        return most_common(self.parents)

    @property
    def url(self) -> str:
        """Return its URL on most pages."""
        return most_common(self.urls)

    @property
    def order(self) -> float:
        """Return its mean position among the others."""
        return self.places / max(1, self.pages)


@dataclass(slots=True)
class Menu:
    """A menu as counted so far; entries by name."""

    lines: dict[str, MenuLine] = field(default_factory=dict)
    pages: int = 0
    entries: int = 0  # on all pages
    templates: Counter[str] = field(default_factory=Counter)


class MergedMenus:
    """The menus of pages, merged in the order in which they are given."""

    def __init__(self, pages: Iterable[PageMenus]) -> None:
        self.menus: list[Menu] = []
        self._homes: dict[str, set[int]] = {}  # the menus with an entry
        # By label: entries, and their number of blocks.
        self._led: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for page in pages:
            self._add(page)

    def is_step(self, line: MenuLine) -> bool:
        """Return whether an entry's label has another target on each page: next, back."""
        led = self._led.get(line.label, Counter())
        return len(led) >= STEP_TARGETS and led.total() <= STEP_PAGES * len(led)

    def _add(self, page: PageMenus) -> None:
        seen: dict[int, set[str]] = {}  # names of the page's entries, by menu
        for entries in page.menus:
            number = self._home(frozenset([entry.name for entry in entries]))
            if number is None:
                continue
            menu = self.menus[number]
            if number not in seen:  # a page may have a menu in two blocks
                seen[number] = set()
                menu.pages += 1
                menu.templates[page.template] += 1
            for entry in entries:
                if entry.label:
                    self._led[entry.label][entry.name] += 1
                if entry.name not in seen[number]:
                    self._count(number, entry, page.base_url, len(seen[number]))
                    seen[number].add(entry.name)

    def _count(self, number: int, entry: NamedEntry, base_url: str, place: int) -> None:
        """Count an entry of a page in its menu, and how many others come before it there."""
        menu = self.menus[number]
        line = menu.lines.get(entry.name)
        if line is None:
            if len(menu.lines) >= MOST_ENTRIES:
                return
            line = menu.lines[entry.name] = MenuLine()
            self._homes.setdefault(entry.name, set()).add(number)
        menu.entries += 1
        line.pages += 1
        line.places += place
        line.labels[entry.label] += 1
        line.parents[entry.above] += 1
        if entry.href is not None and line.pages <= PAGES_FOR_URL:
            line.urls[urls.join_url(base_url, entry.href) or entry.href] += 1

    def _home(self, names: frozenset[str]) -> int | None:
        """Return the menu of these entries, a new one if needed; None without room."""
        homes = {number for name in names for number in self._homes.get(name, ())}
        if homes:
            best = max(sorted(homes), key=lambda number: shared(self.menus[number], names))
            menu = self.menus[best]
            if shared(menu, names) >= SAME_MENU * min(len(names), usual_size(menu)):
                return best
        if len(self.menus) >= MOST_MENUS:
            return None
        self.menus.append(Menu())
        return len(self.menus) - 1


def shared(menu: Menu, names: frozenset[str]) -> int:
    """Count the entries on most pages of a menu that are among some names."""
    lines = menu.lines
    return sum(name in lines and 2 * lines[name].pages >= menu.pages for name in names)


def is_constant(menu: Menu) -> bool:
    """Return whether a menu is similar on all its pages."""
    return shared(menu, frozenset(menu.lines)) >= CONSTANT * usual_size(menu)


def usual_size(menu: Menu) -> float:
    """Return the mean number of entries of a menu on a page."""
    return menu.entries / max(1, menu.pages)


def ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    """Return what was counted, the most frequent first, equally frequent ones sorted."""
    return sorted(counts.items(), key=lambda known: (-known[1], known[0]))


def most_common(counts: Counter[str]) -> str:
    """Return what was counted most often, the first of equals if sorted; empty if nothing was."""
    return min(counts.items(), key=lambda known: (-known[1], known[0]), default=("", 0))[0]
