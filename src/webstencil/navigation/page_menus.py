"""The menus of one page as a small value, to be merged with those of the other pages.

Entries are known by their targets, which have the same name on all pages of a site. The pages of a
site share most of their menus, so equal entries and equal menus are kept once.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from webstencil.model import NO_PARENT
from webstencil.navigation.nesting import MenuEntry, entries_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webstencil.navigation.kinds import PageLinks

TOP = ""  # the name above an entry that no other one opens
WITHIN = "#"  # names of links within the page begin so


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
        entries = [one for one in named(known, block) if not one.name.startswith(WITHIN)]
        menu = tuple(map(self._entries.setdefault, entries, entries))
        return self._menus.setdefault(menu, menu)


def named(known: "PageLinks", block: range) -> list[NamedEntry]:
    """Return the entries of a block by name."""
    entries = entries_of(known.links, block)
    targets = known.targets[block.start : block.stop]
    names = [name_of(targets, entry) for entry in entries]
    hrefs = known.links.hrefs
    return [
        NamedEntry(
            name,
            entry.label,
            TOP if entry.parent == NO_PARENT else names[entry.parent],
            None if entry.link is None else hrefs[block.start + entry.link],
        )
        for name, entry in zip(names, entries, strict=True)
    ]


def name_of(targets: "Sequence[str]", entry: MenuEntry) -> str:
    """Return the target of an entry, or its label if it has none."""
    return targets[entry.link] if entry.link is not None else f"label {entry.label}"


def section_of(url: str) -> str:
    """Return the first step of a URL's path."""
    steps = [step for step in urlsplit(url).path.split("/") if step]
    return f"/{steps[0]}/" if len(steps) > 1 else "/"
