"""The navigation of a site: its menus merged over its pages, its sections and templates.

An entry is where most pages have it. The tree is a function of the set of pages: their menus are
collected first, of very many pages those with the smallest keys, and merged by these keys.

Not all that is the same on all pages is navigation: feeds, share buttons, mail and scripts are set
aside, and so are blocks with few links into the site. A block that is on few pages of its
templates, or differs on each of them, is a list that some pages share by chance, and is left out.
"""

import json
from bisect import insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from webstencil import urls
from webstencil.errors import SettingsError
from webstencil.navigation.merge import (
    Menu,
    MenuLine,
    MenuReader,
    MergedMenus,
    PageMenus,
    is_constant,
    ranked,
)
from webstencil.site.site_model import MOST_PAGES
from webstencil.urls import sampling_key

if TYPE_CHECKING:
    from webstencil.navigation.kinds import PageLinks

# Links on every page that are not navigation (feeds, sharing, contact). They are recognised by
# their URLs: a feed has its name or its type at the end, a share button links to another site with
# a URL in its query, or has a path with such a name.


FEEDS = frozenset({"feed", "feeds", "rss", "rss2", "atom", "rdf"})
FEED_TYPES = (".rss", ".atom", ".rdf", ".xml", "/feed", "/rss")
SHARING = frozenset({"share", "sharer", "sharer.php", "sharing", "share-offsite", "intent"})
CARRIED = ("http://", "https://", "http%3a", "https%3a")  # a URL in a query, lower case


class Aside(StrEnum):
    """Why a link is not navigation of its site."""

    FEED = "feed"
    SHARE = "share"
    CONTACT = "contact"  # mail, telephone
    ACTION = "action"  # runs a script
    ELSEWHERE = "elsewhere"  # links to another site


def aside_of(url: str, site: str) -> Aside | None:
    """Return why the absolute URL of a link is not navigation of a site, None if it is."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return Aside.ELSEWHERE
    if parts.scheme not in {"http", "https"}:
        return Aside.ACTION if parts.scheme in {"javascript", ""} else Aside.CONTACT
    if is_feed(parts):
        return Aside.FEED
    if urls.site_of(url) == site:
        return None
    return Aside.SHARE if is_sharing(parts) else Aside.ELSEWHERE


def is_feed(parts: SplitResult) -> bool:
    """Return whether a URL is that of a feed."""
    path = parts.path.lower().rstrip("/")
    names = parts.query.lower().replace("=", "&").split("&")
    return (
        path.endswith(FEED_TYPES)
        or not FEEDS.isdisjoint(path.split("/"))
        or not FEEDS.isdisjoint(names)
        or parts.netloc.lower().split(".")[0] in FEEDS
    )


def is_sharing(parts: SplitResult) -> bool:
    """Return whether a URL of another site shares a page."""
    query = parts.query.lower()
    carries = any(start in query for start in CARRIED)
    return carries or not SHARING.isdisjoint(parts.path.lower().split("/"))


FEW_PAGES = 0.25  # share of the pages of its templates; a block on fewer is no menu of the site
INWARD = 0.25  # share of links into the site; a menu with fewer is none of the site
FEWEST_ENTRY_PAGES = 2  # with an entry; one on a single page is no navigation of the site
RARE_ENTRY = 0.05  # share of a menu's pages; an entry on fewer is of some pages' own links
SECTION_EXAMPLES = 3  # URLs shown of a section
DEEPEST_ENTRY = 20  # levels; no menu is deeper


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
    templates: tuple[tuple[str, int], ...]  # name and pages, most pages first
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SiteMap:
    """The navigation tree, sections and templates of a site."""

    site: str
    pages: int
    counted: int  # pages that all the rest is read off: all of them, or a sample
    menus: tuple[TreeMenu, ...]
    also: tuple[Extra, ...]  # most pages first
    sections: tuple[Section, ...]
    templates: tuple[tuple[str, int, str], ...]  # name, pages, URL of one of them


class Merger:
    """Merges the menus of the pages of one site; of very many, those with the smallest keys."""

    def __init__(self, *, most: int = MOST_PAGES) -> None:
        """Start without pages; at most `most` are kept."""
        if most < 1:
            raise SettingsError(f"a tree must be made from 1 or more pages, not {most}")
        self._most = most
        self._added = 0
        self._keys: list[tuple[int, str]] = []  # of the kept pages, sorted
        self._kept: dict[str, PageMenus] = {}  # by URL
        self._reader = MenuReader()

    def takes(self, url: str) -> bool:
        """Return whether the menus of a page would be kept."""
        return len(self._keys) < self._most or (sampling_key(url), url) < self._keys[-1]

    def add(self, known: "PageLinks", menus: Sequence[range], template: str = "") -> None:
        """Add the menus of a page that was not added before."""
        url = known.page.url
        if url in self._kept:
            raise ValueError(f"{url} was added before")
        self._added += 1
        if self.takes(url):
            insort(self._keys, (sampling_key(url), url))
            self._kept[url] = self._reader.read(known, menus, template)
            if len(self._keys) > self._most:
                del self._kept[self._keys.pop()[1]]

    def site_map(self, site: str, *, pages: int | None = None) -> SiteMap:
        """Return the site map; `pages` is the number of all pages if not all were added."""
        kept = [self._kept[url] for _, url in self._keys]
        templates = Counter(page.template for page in kept)
        menus, also = menus_of(kept, templates, site)
        first = {page.template: page.url for page in reversed(kept)}
        return SiteMap(
            site=site,
            pages=self._added if pages is None else pages,
            counted=len(kept),
            menus=menus,
            also=also,
            sections=sections_of(kept),
            templates=tuple((name, count, first[name]) for name, count in ranked(templates)),
        )


def menus_of(
    pages: Sequence[PageMenus], templates: Counter[str], site: str
) -> tuple[tuple[TreeMenu, ...], tuple[Extra, ...]]:
    """Return the menus of a site, those on most pages first, and what is beside them."""
    merged = MergedMenus(pages)
    menus: list[TreeMenu] = []
    also: list[Extra] = []
    told: set[str] = set()
    for menu in sorted(merged.menus, key=lambda menu: -menu.pages):
        if menu.pages >= fewest_pages(menu, templates) and is_constant(menu):
            found = frequent(menu)
            constant = {name: line for name, line in found.items() if not merged.is_step(line)}
            lines, extras = _parted(in_order(constant, menu.pages), site)
            also += extras
            if not told.issuperset(lines):  # else it is part of a menu on more pages
                told.update(lines)
                menus.append(TreeMenu(menu.pages, len(menu.templates), tree_of(lines)))
    return tuple(menu for menu in menus if menu.entries), distinct_extras(also)


def sections_of(pages: Sequence[PageMenus]) -> tuple[Section, ...]:
    """Return the sections of a site, those with most pages first."""
    found: dict[str, list[PageMenus]] = {}
    for page in pages:
        found.setdefault(page.section, []).append(page)
    return tuple(
        Section(
            path=path,
            pages=len(inside),
            templates=tuple(ranked(Counter(page.template for page in inside))),
            examples=tuple(page.url for page in inside[:SECTION_EXAMPLES]),
        )
        for path, inside in sorted(found.items(), key=lambda known: (-len(known[1]), known[0]))
    )


def fewest_pages(menu: Menu, templates: Counter[str]) -> float:
    """Return how many pages a menu must be on, given the pages of each template.

    Templates of a single page count as one: each would have its menus on all pages.
    """
    counts = [templates[template] for template in menu.templates]
    lone = sum(pages == 1 for pages in templates.values()) if 1 in counts else 0
    of_templates = lone + sum(pages for pages in counts if pages > 1)
    return max(min(FEWEST_ENTRY_PAGES, templates.total()), FEW_PAGES * of_templates)


def frequent(menu: Menu) -> dict[str, MenuLine]:
    """Return the entries of a menu without those of some pages' own links."""
    fewest = max(min(FEWEST_ENTRY_PAGES, menu.pages), RARE_ENTRY * menu.pages)
    return {name: line for name, line in menu.lines.items() if line.pages >= fewest}


def _parted(lines: Mapping[str, MenuLine], site: str) -> tuple[dict[str, MenuLine], list[Extra]]:
    """Split the entries of a menu into navigation and other links on all pages."""
    asides = {name: aside_of(line.url, site) for name, line in lines.items() if line.url}
    inward = sum(why is None for why in asides.values())
    outward = frozenset({None, Aside.ELSEWHERE}) if inward >= INWARD * len(asides) else {None}
    extras = [
        Extra(lines[name].label, lines[name].url, lines[name].pages, why)
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


def in_order(lines: Mapping[str, MenuLine], pages: int) -> dict[str, MenuLine]:
    """Return the entries of a menu in the order of most of its pages.

    Entries on less than half of the pages come last: they may be of another menu.
    """
    return dict(
        sorted(
            lines.items(), key=lambda known: (2 * known[1].pages < pages, known[1].order, known[0])
        )
    )


def tree_of(lines: Mapping[str, MenuLine]) -> tuple[TreeEntry, ...]:
    """Return the entries of a menu, nested as on most pages."""
    below: dict[str, list[str]] = {}
    for name, line in lines.items():
        parent = line.parent
        below.setdefault(parent if parent in lines and parent != name else "", []).append(name)
    built: dict[str, TreeEntry] = {}
    for name in reversed(list(reachable(below))):
        line = lines[name]
        built[name] = TreeEntry(
            line.label,
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
        if depth < DEEPEST_ENTRY:
            waiting.extend((child, depth + 1) for child in reversed(below.get(name, [])))


# A site's navigation as indented text or as JSON.


LISTED_ROWS = 20  # sections and templates shown; JSON has all
LISTED_TEMPLATES = 4  # templates of a section
WITHOUT_TEMPLATE = "no template"
NO_TEXT = "(no text)"


def site_map_lines(known: SiteMap) -> Iterator[str]:
    """Yield a site map as lines of indented text."""
    named = [name for name, _, _ in known.templates if name]
    sample = f" ({known.counted} counted)" if known.counted < known.pages else ""
    yield f"{known.site}: pages {known.pages}{sample}, templates {len(named)}"
    for number, menu in enumerate(known.menus, start=1):
        yield ""
        yield f"menu {number}: pages {menu.pages}, templates {menu.templates}"
        waiting = [(entry, 1) for entry in reversed(menu.entries)]
        while waiting:
            entry, depth = waiting.pop()
            target = f"  {entry.url}" if entry.url else ""
            yield f"{'  ' * depth}{entry.label or NO_TEXT}{target}"
            waiting.extend((child, depth + 1) for child in reversed(entry.children))
    if known.also:
        yield ""
        yield "also on many pages"
        rows = [f"{one.label or NO_TEXT}  {one.url}  ({one.why})" for one in known.also]
        yield from _listed(rows)
    yield ""
    yield "sections"
    yield from _listed([_section_line(section) for section in known.sections])
    yield ""
    yield "templates"
    rows = [
        f"{key or WITHOUT_TEMPLATE}  pages {pages}, e.g. {url}"
        for key, pages, url in known.templates
    ]
    yield from _listed(rows)


def _section_line(section: Section) -> str:
    """Return a section with the templates of most of its pages."""
    shown = [
        f"{key or WITHOUT_TEMPLATE} ({pages})"
        for key, pages in section.templates[:LISTED_TEMPLATES]
    ]
    more = len(section.templates) - len(shown)
    used = ", ".join([*shown, f"{more} more"] if more else shown)
    return f"{section.path}  pages {section.pages}: {used}"


def _listed(rows: Sequence[str]) -> Iterator[str]:
    """Yield rows, indented, and the number of those not shown."""
    yield from (f"  {row}" for row in rows[:LISTED_ROWS])
    if len(rows) > LISTED_ROWS:
        yield f"  and {len(rows) - LISTED_ROWS} more"


def site_map_json(known: SiteMap) -> str:
    """Return a site map as JSON."""
    written = asdict(known)
    for section in written["sections"]:
        section["templates"] = dict(section["templates"])
    written["templates"] = [
        {"key": key, "pages": pages, "example": url} for key, pages, url in known.templates
    ]
    return json.dumps(written, indent=1, ensure_ascii=False)
