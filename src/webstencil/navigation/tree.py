"""The navigation of a site: its menus merged over all pages, its sections and templates.

Menus of different pages are the same menu if they share most of their targets. An entry is where
most pages have it. Memory grows with the distinct entries, and is bounded.

Not all that is the same on all pages is navigation: feeds, share buttons, mail and scripts are set
aside, and so are blocks with few links into the site. A block that is on few pages of its
templates, or differs on each of them, is a list that some pages share by chance, and is left out.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import sub
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from webstencil import urls
from webstencil.model import NO_PARENT
from webstencil.navigation.asides import Aside, aside_of
from webstencil.navigation.nesting import MenuEntry, entries_of

if TYPE_CHECKING:
    from webstencil.navigation.kinds import PageLinks

SAME_MENU = 0.5  # share of the block's targets, or of the menu's on a page
FEW_PAGES = 0.25  # share of the pages of its templates; a block on fewer is no menu of the site
CONSTANT = 0.33  # share of a menu's entries on a page; with fewer on most pages it is a list
INWARD = 0.25  # share of links into the site; a menu with fewer is none of the site
MOST_MENUS = 200  # of a site
MOST_ENTRIES = 2000  # of a menu
MOST_NESTED = 1000  # blocks with cached nesting
FEWEST_PAGES = 2  # with an entry; one on a single page is no navigation of the site
RARE = 0.05  # share of a menu's pages; an entry on fewer is of some pages' own links
STEP_TARGETS = 3  # entries with one label: "next" has another target on each page
STEP_PAGES = 3  # blocks with each of them, on average: above and below a chapter, and one more
ASKED = 50  # pages that tell the URL of an entry
EXAMPLES = 3  # URLs shown of a section
DEEPEST = 20  # levels; no menu is deeper


@dataclass(slots=True)
class MenuLine:
    """An entry of a menu as counted so far."""

    labels: Counter[str] = field(default_factory=Counter)
    parents: Counter[str] = field(default_factory=Counter)  # names of entries, "" at the top
    urls: Counter[str] = field(default_factory=Counter)
    pages: int = 0
    places: int = 0  # sum of its positions among the entries of each page

    @property
    def url(self) -> str:
        """Return its URL on most pages."""
        return next((url for url, _ in self.urls.most_common(1)), "")

    @property
    def order(self) -> float:
        """Return its mean position among the others."""
        return self.places / max(1, self.pages)


@dataclass(slots=True)
class Menu:
    """A menu as counted so far; entries by name: target, or label if there is none."""

    lines: dict[str, MenuLine] = field(default_factory=dict)
    pages: int = 0
    entries: int = 0  # on all pages
    last: int = 0  # number of the last page with it
    templates: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """An entry of a site's menu."""

    label: str
    url: str | None
    pages: int
    children: tuple["TreeEntry", ...] = ()


@dataclass(frozen=True, slots=True)
class TreeMenu:
    """A menu of a site."""

    pages: int
    templates: int
    entries: tuple[TreeEntry, ...]


@dataclass(frozen=True, slots=True)
class Extra:
    """A link on many pages that is not navigation of the site."""

    label: str
    url: str
    pages: int
    why: Aside


@dataclass(frozen=True, slots=True)
class Section:
    """The pages whose URL paths have the same first step."""

    path: str
    pages: int
    templates: tuple[tuple[str, int], ...]  # key and pages, most pages first
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SiteMap:
    """The navigation tree, sections and templates of a site."""

    site: str
    pages: int
    menus: tuple[TreeMenu, ...]
    also: tuple[Extra, ...]  # most pages first
    sections: tuple[Section, ...]
    templates: tuple[tuple[str, int, str], ...]  # key, pages, URL of one of them


class Merger:
    """Merges the menus of the pages of one site."""

    def __init__(self) -> None:
        self._menus: list[Menu] = []
        self._nested: dict[tuple[tuple[str | int, ...], ...], list[MenuEntry]] = {}
        self._homes: dict[str, set[int]] = {}  # the menus with an entry
        self._led: dict[str, Counter[str]] = {}  # by label: entries, and their number of blocks
        self._pages = 0
        self._sections: dict[str, Counter[str]] = {}
        self._examples: dict[str, list[str]] = {}
        self._templates: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def add(self, known: "PageLinks", menus: Sequence[range], template: str) -> None:
        """Add the menus of a page."""
        self._pages += 1
        url = known.page.url
        section = section_of(url)
        self._sections.setdefault(section, Counter())[template] += 1
        examples = self._examples.setdefault(section, [])
        if len(examples) < EXAMPLES:
            examples.append(url)
        self._templates[template] += 1
        self._first.setdefault(template, url)
        for block in menus:
            self._merge(known, block, template)

    def _entries(self, known: "PageLinks", block: range) -> list[MenuEntry]:
        """Return the entries of a block, cached: equal links at equal positions nest alike."""
        part = slice(block.start, block.stop)
        places = known.links.places[part]
        gaps = tuple(map(sub, places[1:], places))
        key = (tuple(known.targets[part]), tuple(known.links.texts(block)), gaps)
        found = self._nested.get(key)
        if found is None:
            if len(self._nested) >= MOST_NESTED:
                self._nested.clear()
            found = self._nested[key] = entries_of(known.links, block)
        return found

    def _merge(self, known: "PageLinks", block: range, template: str) -> None:
        entries = self._entries(known, block)
        targets = known.targets[block.start : block.stop]
        names = [name_of(targets, entry) for entry in entries]
        kept = [place for place, name in enumerate(names) if not name.startswith("#")]
        first = {names[place]: place for place in reversed(kept)}
        number = self._home([names[place] for place in kept])
        if number is None:
            return
        menu = self._menus[number]
        if menu.last != self._pages:  # a page may have a menu in two blocks
            menu.last = self._pages
            menu.pages += 1
            menu.templates[template] += 1
        for place in dict.fromkeys(kept):
            entry, name = entries[place], names[place]
            if name not in menu.lines and len(menu.lines) >= MOST_ENTRIES:
                continue
            if name not in menu.lines:
                menu.lines[name] = MenuLine()
            line = menu.lines[name]
            if entry.label:
                self._led.setdefault(entry.label, Counter())[name] += 1
            menu.entries += 1
            line.pages += 1
            line.places += first[name]
            line.labels[entry.label] += 1
            line.parents[names[entry.parent] if entry.parent != NO_PARENT else ""] += 1
            self._homes.setdefault(name, set()).add(number)
            if entry.link is not None and line.pages <= ASKED:
                href = known.links.hrefs[block.start + entry.link]
                line.urls[urls.join(known.page.base_url, href) or href] += 1

    def _is_step(self, line: MenuLine) -> bool:
        """Return whether an entry's label has another target on each page: next, back."""
        led = self._led.get(label_of(line), Counter())
        return len(led) >= STEP_TARGETS and led.total() <= STEP_PAGES * len(led)

    def _home(self, names: Sequence[str]) -> int | None:
        """Return the menu of these entries, a new one if needed; None without entries or room."""
        distinct = frozenset(names)
        if not distinct:
            return None
        homes = {number for name in distinct for number in self._homes.get(name, ())}
        best = max(
            sorted(homes), key=lambda number: shared(self._menus[number], distinct), default=None
        )
        if best is not None:
            menu = self._menus[best]
            if shared(menu, distinct) >= SAME_MENU * min(len(distinct), usual_size(menu)):
                return best
        if len(self._menus) >= MOST_MENUS:
            return None
        self._menus.append(Menu())
        return len(self._menus) - 1

    def site_map(self, site: str) -> SiteMap:
        """Return the site map."""
        menus: list[TreeMenu] = []
        also: list[Extra] = []
        told: set[str] = set()
        for menu in sorted(self._menus, key=lambda menu: -menu.pages):
            if menu.pages >= self._fewest(menu) and is_constant(menu):
                found = frequent(menu)
                constant = {name: found[name] for name in found if not self._is_step(found[name])}
                lines, extras = parted(constant, site)
                also += extras
                if not told.issuperset(lines):  # else it is part of a menu on more pages
                    told.update(lines)
                    menus.append(
                        TreeMenu(menu.pages, len(menu.templates), tree_of(lines, menu.pages))
                    )
        sections = [
            Section(path, found.total(), tuple(found.most_common()), tuple(self._examples[path]))
            for path, found in sorted(
                self._sections.items(), key=lambda known: (-known[1].total(), known[0])
            )
        ]
        return SiteMap(
            site=site,
            pages=self._pages,
            menus=tuple(menu for menu in menus if menu.entries),
            also=distinct_extras(also),
            sections=tuple(sections),
            templates=tuple(
                (key, pages, self._first[key]) for key, pages in self._templates.most_common()
            ),
        )

    def _fewest(self, menu: Menu) -> float:
        """Return how many pages a menu must be on.

        Templates of a single page count as one: each would have its menus on all pages.
        """
        counts = [self._templates[template] for template in menu.templates]
        lone = sum(pages == 1 for pages in self._templates.values()) if 1 in counts else 0
        of_templates = lone + sum(pages for pages in counts if pages > 1)
        return max(min(FEWEST_PAGES, self._pages), FEW_PAGES * of_templates)


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


def name_of(targets: Sequence[str], entry: MenuEntry) -> str:
    """Return the target of an entry, or its label if it has none."""
    return targets[entry.link] if entry.link is not None else f"label {entry.label}"


def section_of(url: str) -> str:
    """Return the first step of a URL's path."""
    steps = [step for step in urlsplit(url).path.split("/") if step]
    return f"/{steps[0]}/" if len(steps) > 1 else "/"


def frequent(menu: Menu) -> dict[str, MenuLine]:
    """Return the entries of a menu without those of some pages' own links."""
    fewest = max(min(FEWEST_PAGES, menu.pages), RARE * menu.pages)
    return {name: line for name, line in menu.lines.items() if line.pages >= fewest}


def parted(lines: dict[str, MenuLine], site: str) -> tuple[dict[str, MenuLine], list[Extra]]:
    """Split the entries of a menu into navigation and other links on all pages."""
    asides = {name: aside_of(line.url, site) for name, line in lines.items() if line.url}
    inward = sum(why is None for why in asides.values())
    outward = frozenset({None, Aside.ELSEWHERE}) if inward >= INWARD * len(asides) else {None}
    extras = [
        Extra(label_of(lines[name]), lines[name].url, lines[name].pages, why)
        for name, why in asides.items()
        if why is not None and why not in outward
    ]
    if not inward:
        return {}, extras
    kept = {name: line for name, line in lines.items() if asides.get(name) in outward}
    return kept, extras


def distinct_extras(extras: Iterable[Extra]) -> tuple[Extra, ...]:
    """Return each URL once, most pages first."""
    found: dict[str, Extra] = {}
    for extra in sorted(extras, key=lambda known: -known.pages):
        found.setdefault(extra.url, extra)
    return tuple(found.values())


def label_of(line: MenuLine) -> str:
    """Return the label of an entry on most pages."""
    return next((word for word, _ in line.labels.most_common() if word), "")


def tree_of(lines: dict[str, MenuLine], pages: int) -> tuple[TreeEntry, ...]:
    """Return the entries of a menu in the order and nesting of most pages.

    Entries on less than half of the pages come last: they may be of another menu.
    """
    below: dict[str, list[str]] = {}
    ordered = sorted(lines.items(), key=lambda known: (2 * known[1].pages < pages, known[1].order))
    for name, line in ordered:
        parent = line.parents.most_common(1)[0][0]
        below.setdefault(parent if parent in lines and parent != name else "", []).append(name)
    built: dict[str, TreeEntry] = {}
    for name in reversed(list(reachable(below))):
        line = lines[name]
        built[name] = TreeEntry(
            label_of(line),
            line.url or None,
            line.pages,
            tuple(built[child] for child in below.get(name, ()) if child in built),
        )
    return tuple(built[name] for name in below.get("", ()))


def reachable(below: dict[str, list[str]]) -> Iterator[str]:
    """Yield the names below the top, parents before children, without cycles."""
    waiting = [(name, 1) for name in reversed(below.get("", []))]
    while waiting:
        name, depth = waiting.pop()
        yield name
        if depth < DEEPEST:
            waiting.extend((child, depth + 1) for child in reversed(below.get(name, [])))
