"""What the markup says about nodes: landmarks, roles and telling names.

A mark holds for a node and everything in it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from webstencil.model import NO_PARENT, NodeId, Page, Tree


class Mark(StrEnum):
    """What the markup says."""

    ARTICLE = "article"
    ASIDE = "aside"
    BREADCRUMB = "breadcrumb"
    COMMENTS = "comments"
    FOOTER = "footer"
    FORM = "form"
    HEADER = "header"
    HEADING = "heading"
    LINK = "link"
    MAIN = "main"
    NAVIGATION = "navigation"
    NOTICE = "notice"
    PAGINATION = "pagination"
    PINNED = "pinned"  # by its style, it stays in the window when the page is scrolled
    TABLE = "table"  # of data; a table without headings may be layout


Marks: TypeAlias = frozenset[Mark]

TAGS = {
    "article": Mark.ARTICLE,
    "aside": Mark.ASIDE,
    "footer": Mark.FOOTER,
    "form": Mark.FORM,
    "header": Mark.HEADER,
    "main": Mark.MAIN,
    "nav": Mark.NAVIGATION,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), Mark.HEADING),
}
ROLES = {
    **dict.fromkeys(("alertdialog", "dialog"), Mark.NOTICE),
    **dict.fromkeys(("form", "search"), Mark.FORM),
    **dict.fromkeys(("menu", "menubar", "navigation"), Mark.NAVIGATION),
    "article": Mark.ARTICLE,
    "banner": Mark.HEADER,
    "complementary": Mark.ASIDE,
    "contentinfo": Mark.FOOTER,
    "heading": Mark.HEADING,
    "main": Mark.MAIN,
}
# Unambiguous words in ids, classes and labels.
NAMES = {
    **dict.fromkeys(("breadcrumb", "breadcrumbs", "crumbs"), Mark.BREADCRUMB),
    **dict.fromkeys(("comment", "comments", "commentlist", "disqus"), Mark.COMMENTS),
    **dict.fromkeys(("colophon", "footer"), Mark.FOOTER),
    **dict.fromkeys(("consent", "cookie", "cookies", "gdpr"), Mark.NOTICE),
    **dict.fromkeys(("header", "masthead"), Mark.HEADER),
    **dict.fromkeys(("menu", "nav", "navbar", "navigation"), Mark.NAVIGATION),
    **dict.fromkeys(("pagenavi", "pager", "pagination"), Mark.PAGINATION),
    "sidebar": Mark.ASIDE,
}
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")  # site-header, siteHeader, SITE_HEADER
# A header or footer in one of these is not the page's (HTML standard, header and footer elements).
SECTIONS = frozenset({Mark.ARTICLE, Mark.ASIDE, Mark.MAIN, Mark.NAVIGATION})
BANDS = frozenset({Mark.HEADER, Mark.FOOTER})
WHOLE = frozenset({"html", "body"})  # their classes describe other parts of the page
NONE: Marks = frozenset()


@dataclass(frozen=True, slots=True)
class Said:
    """The attributes of an element that say what it is."""

    role: str
    label: str
    href: str | None


NOTHING = Said("", "", None)


def marks_of(page: Page) -> list[Marks]:
    """Return the marks of each node."""
    tree, said, tables = page.tree, attributes(page), data_tables(page.tree)
    found: list[Marks] = []
    for node, parent in enumerate(tree.parents):
        above = found[parent] if parent != NO_PARENT else NONE
        own = frozenset(own_marks(tree, node, said.get(node, NOTHING)))
        if above & SECTIONS:
            own -= BANDS
        if node in tables:
            own |= {Mark.TABLE}
        found.append(above if own <= above else above | own)
    return found


def own_marks(tree: Tree, node: NodeId, said: Said) -> Iterator[Mark]:
    """Yield the marks of an element itself; its role outweighs its tag."""
    tag = tree.tags[node]
    landmark = ROLES.get(said.role) if said.role else TAGS.get(tag)
    if landmark is not None:
        yield landmark
    if tag == "a" and said.href is not None:
        yield Mark.LINK
    if tag not in WHOLE:
        names = WORD.findall(f"{tree.ids[node]} {tree.classes[node]} {said.label}")
        yield from (NAMES[word] for word in map(str.lower, names) if word in NAMES)


def attributes(page: Page) -> dict[NodeId, Said]:
    """Return the telling attributes of the elements that have any."""
    nodes = page.markup.nodes(range(len(page.tree)))
    numbers = dict(zip(nodes, range(len(nodes)), strict=True))
    return {
        numbers[element]: Said(
            (element.attr("role") or "").strip().lower(),
            element.attr("aria-label") or "",
            element.attr("href"),
        )
        for element in page.markup.root.select("[role], [aria-label], a[href]")
        if element in numbers
    }


def data_tables(tree: Tree) -> frozenset[NodeId]:
    """Return the tables with headings or a caption and without a table in them."""
    inside: list[NodeId] = []  # the nearest table around or at each node
    headed: set[NodeId] = set()
    nested: set[NodeId] = set()
    for node, parent in enumerate(tree.parents):
        around = inside[parent] if parent != NO_PARENT else NO_PARENT
        if tree.tags[node] == "table":
            nested.add(around)
        elif tree.tags[node] in {"th", "caption"}:
            headed.add(around)
        inside.append(node if tree.tags[node] == "table" else around)
    return frozenset(headed - nested - {NO_PARENT})


def link_of(tree: Tree, marked: list[Marks]) -> list[NodeId]:
    """Return the link at or around each node, NO_PARENT if there is none."""
    links: list[NodeId] = []
    for node, parent in enumerate(tree.parents):
        around = links[parent] if parent != NO_PARENT else NO_PARENT
        starts = Mark.LINK in marked[node] and around == NO_PARENT
        links.append(node if starts else around)
    return links
