"""Menus of many pages merged: what is the same menu, and where its entries are.

Menus of different pages are the same menu if they share most of their targets. Pages are merged in
an order that depends on nothing but their URLs, and so does which of them are left out where a
bound is reached.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from webstencil import urls
from webstencil.navigation.page_menus import NamedEntry, PageMenus

SAME_MENU = 0.5  # share of the block's targets, or of the menu's on a page
CONSTANT = 0.33  # share of a menu's entries on a page; with fewer on most pages it is a list
MOST_MENUS = 200  # of a site
MOST_ENTRIES = 2000  # of a menu
STEP_TARGETS = 3  # entries with one label: "next" has another target on each page
STEP_PAGES = 3  # blocks with each of them, on average: above and below a chapter, and one more
ASKED = 50  # pages that tell the URL of an entry


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
        if entry.href is not None and line.pages <= ASKED:
            line.urls[urls.join(base_url, entry.href) or entry.href] += 1

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
