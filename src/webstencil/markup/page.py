"""A parsed page. Columns of its tree are made on demand.

A hit needs little: the names of the elements, the children of a few nodes, the text of the areas.
So a page stays as the parser made it.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import repeat
from operator import attrgetter

from turbohtml import Element, Node, Text

from webstencil.markup.nodes import above, text_leaves
from webstencil.markup.numbering import (
    ElementTable,
    Numbered,
    numbered,
    paths_of,
    table_of,
    tag,
)
from webstencil.markup.source import LINK_AFTER_LINK, PRUNED, parse_bytes, part_links, prune
from webstencil.model import NO_PARENT, NodeId, Tree

_tag_of = attrgetter("tag")


class Markup:
    """A parsed and pruned page; columns are computed on first use."""

    __slots__ = ("_bases", "_numbered", "_page", "_paths", "_table", "encoding")

    def __init__(self, body: bytes, charset: str | None = None) -> None:
        """Parse `body`; `charset` is that of the HTTP header, which only a BOM overrides."""
        self._page = parse_bytes(body, charset)
        self._bases = prune(self._page, "base")
        if LINK_AFTER_LINK in body:
            part_links(self._page)
        self._numbered: Numbered | None = None
        self._paths: frozenset[int] | None = None
        self._table: ElementTable | None = None
        self.encoding = self._page.encoding or "UTF-8"  # WHATWG name

    @property
    def root(self) -> Node:
        root = self._page.root
        return root if root is not None else self._page

    def base_href(self) -> str:
        """Return the URL in the base element, empty if there is none."""
        for base in self._bases:
            href = base.attr("href")
            if href is not None and base.closest(PRUNED) is None:
                return href.strip()
        return ""

    def labels(self) -> tuple[list[str], list[int]]:
        """List the tag, with the id if there is one, of each element, and the parent of each."""
        table = self.table()
        labels = list(map(_tag_of, table.numbers))
        for element in self._page.select("[id]"):
            labels[table.numbers[element]] += f"#{element.attr('id') or ''}"
        return labels, table.parents

    def table(self) -> ElementTable:
        """Return the elements, numbered from 0 without the texts."""
        if self._table is None:
            self._table = table_of(self._page)
        return self._table

    def select(self, selector: str) -> list[Node]:
        """List the elements that match a CSS selector, in document order."""
        return list(self._page.select(selector))

    def names(self) -> tuple[list[str], list[int]]:
        """List the tag and class attribute of each element, and the parent of each.

        Meta and link elements have their property, name or relation instead of classes.
        """
        table = self.table()
        names = list(map(_tag_of, table.numbers))
        for element in self._page.select("[class]"):
            names[table.numbers[element]] += f".{element.attr('class') or ''}"
        for element in self._page.select("meta, link"):
            names[table.numbers[element]] = f"{element.tag}@{_told(element)}"
        return names, table.parents

    def sayings(self) -> tuple[dict[int, str], dict[int, str]]:
        """Return the contents of meta elements and the texts of h1 elements, by element number."""
        places = self.table().numbers
        metas = {places[one]: one.attr("content") or "" for one in self._page.find_all("meta")}
        return metas, {places[one]: one.text for one in self._page.find_all("h1")}

    @property
    def paths(self) -> frozenset[int]:
        """Return a hash of each distinct path from the root to a leaf."""
        if self._paths is None:
            self._paths = paths_of(self._page)
        return self._paths

    def titles(self) -> str:
        """Return all titles in the head of the page: title element, Open Graph, Twitter."""
        title = self._page.select_one("title")
        metas = self._page.select("meta[property='og:title'], meta[name='twitter:title']")
        written = [title.text] if title is not None else []
        written += [meta.attr("content") or "" for meta in metas]
        return " ".join(" ".join(written).split())

    def hrefs(self) -> list[str]:
        """List the URLs of the hyperlinks, as written."""
        return [link.attr("href") or "" for link in self._page.select("a[href], area[href]")]

    def hyperlinks(self) -> tuple[list[Node], list[str]]:
        """List the hyperlinks that are `a` elements, and their URLs as written."""
        links = self._page.find_all("a", href=True)
        return list(links), [(link.attr("href") or "").strip() for link in links]

    def elements(self) -> list[Node]:
        """List the elements in document order."""
        return list(self._page.select("*"))

    def named(self, *names: str) -> list[Node]:
        """List the elements with these tags, tag by tag."""
        return [node for name in names for node in self._page.find_all(name)]

    def frames(self) -> list[str]:
        """List the URLs of the pages in a frameset, as written."""
        return [frame.attr("src") or "" for frame in self._page.select("frame[src]")]

    def canonical(self) -> str:
        """Return the canonical URL that the page declares, empty if none."""
        link = self._page.select_one('link[rel~="canonical" i][href]')
        return (link.attr("href") or "").strip() if link is not None else ""

    def meta(self, name: str) -> str:
        """Return the content of the meta element with this name or HTTP header, empty if none."""
        wanted = f'meta[name="{name}" i], meta[http-equiv="{name}" i]'
        found = self._page.select_one(wanted)
        return (found.attr("content") or "").strip() if found is not None else ""

    def pictures(self) -> list[str]:
        """List the URLs of the images, as written."""
        return [image.attr("src") or "" for image in self._page.select("img[src]")]

    def sheets(self) -> list[str]:
        """List the URLs of the style sheets, as written."""
        found = self._page.select('link[rel~="stylesheet" i][href]')
        return [sheet.attr("href") or "" for sheet in found]

    def text(self) -> str:
        """Return all visible text."""
        return self._page.to_text()

    @property
    def tree(self) -> Tree:
        return self._columns().tree

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the text of each node, empty for elements."""
        return self._columns().texts

    def leaves(self) -> list[Node]:
        """List the non-blank texts, in document order."""
        return text_leaves(self._page)

    def along(self, tags: Sequence[str], tokens: Iterable[str] = ()) -> list[Node]:
        """List the elements at a path of tags from the root, in document order.

        With `tokens` (classes and #ids), the path starts at any element that has them all.
        """
        first = tags[0] + "".join(map(_has_token, sorted(tokens)))
        try:
            return list(self._page.select(" > ".join((first, *tags[1:]))))
        except ValueError:  # no selector can name this tag of broken HTML
            return []

    def at(self, tags: tuple[str, ...], ordinals: tuple[int, ...]) -> Node | None:
        """Return the element at a path of tags, each with its ordinal among siblings of its tag."""
        try:
            return self._page.select_one(_nth_of_types(tags, ordinals))
        except ValueError:  # as above
            return None

    def flow(self) -> tuple[list[str], list[int], list[str]]:
        """List the tag, the parent and the text of all elements and texts, also of blank ones.

        Blank texts have no number, but they separate the words of two elements.
        """
        nodes = [node for node in self._page.descendants if isinstance(node, (Element, Text))]
        places: dict[Node, int] = dict(zip(nodes, range(len(nodes)), strict=True))
        parents = list(map(places.get, map(above, nodes), repeat(NO_PARENT)))
        texts = [node.data if isinstance(node, Text) else "" for node in nodes]
        return list(map(tag, nodes)), parents, texts

    def nodes(self, numbers: Iterable[NodeId]) -> tuple[Node, ...]:
        """Return the nodes with these numbers."""
        known = self._columns().nodes
        return tuple([known[number] for number in numbers])

    def _columns(self) -> Numbered:
        if self._numbered is None:
            self._numbered = numbered(self._page)
        return self._numbered


def _told(element: Element) -> str:
    """Return the property, name or relation of a meta or link element."""
    for name in ("property", "name", "rel"):
        if told := element.attr(name):
            return told
    return ""


def _has_token(token: str) -> str:
    name, value = ("id=", token[1:]) if token.startswith("#") else ("class~=", token)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name}"{escaped}"]'


@lru_cache
def _nth_of_types(tags: tuple[str, ...], ordinals: tuple[int, ...]) -> str:
    pairs = zip(tags, ordinals, strict=True)
    return " > ".join(f"{name}:nth-of-type({number + 1})" for name, number in pairs)
