"""A parsed page. Columns of its tree are made on demand.

A hit needs little: the names of the elements, the children of a few nodes, the text of the areas.
So a page stays as the parser made it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import repeat
from operator import attrgetter

from turbohtml import Comment, Doctype, Document, Element, Node, SelectorSyntaxError, Text

from webstencil.errors import SettingsError
from webstencil.markup.nodes import above, text_leaves
from webstencil.markup.source import (
    PRUNED,
    UNRENDERED,
    parse_bytes,
    part_words,
    prune,
    put_formulas_aside,
)
from webstencil.model import NO_PARENT, TEXT, NodeId, Tree

# The distinct paths from the root of a page to its leaves: CPS paper, Definition 6 with the paper's
# two changes (section 6): elements only, and an element with an id is named by tag and id.
BITS_OF_PATH = (1 << 64) - 1  # a path's hash has 64 bits
MOST_PATHS_CACHED = 1 << 14  # cached, about 400 bytes each
# 2**64 / golden ratio, odd: spreads the bits (Knuth, TAOCP 6.4).
PATH_MULTIPLIER = 0x9E3779B97F4A7C15


def path_set(labels: Iterable[str], parents: Iterable[int]) -> frozenset[int]:
    """Hash each distinct path from the root to an element without element children.

    Elements are counted from 0 in document order.
    """
    path = first_path()
    paths = {NO_PARENT: path}  # of elements with children
    leaves = set()
    for number, (parent, label) in enumerate(zip(parents, labels, strict=True)):
        if parent == number - 1:  # in document order, a first child follows its parent
            paths[parent] = path
        else:  # no child follows, so there is none
            leaves.add(path.hash)
        path = paths[parent][label]
    leaves.add(path.hash)
    return frozenset(leaves)


class Path(dict[str, "Path"]):
    """A path with its continuations by label, cached: pages of a site repeat them."""

    __slots__ = ("hash", "room")

    def __init__(self, known: int, room: list[int]) -> None:
        """Start at a path's hash; `room` holds how many more may be cached."""
        super().__init__()
        self.hash = known
        self.room = room

    def __missing__(self, label: str) -> "Path":
        longer = Path((self.hash ^ label_hash(label)) * PATH_MULTIPLIER & BITS_OF_PATH, self.room)
        if self.room[0]:
            self.room[0] -= 1
            self[label] = longer
        return longer


def first_path() -> Path:
    """Return the path above a root; a full cache is cleared."""
    if not remembered().room[0]:
        remembered.cache_clear()
    return remembered()


@lru_cache(maxsize=1)
def remembered() -> Path:
    return Path(0, [MOST_PATHS_CACHED])


@lru_cache(maxsize=1 << 16)
def label_hash(label: str) -> int:
    """Hash the name of an element in a path."""
    return int.from_bytes(blake2b(label.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def tag(node: Node) -> str:
    return node.tag if isinstance(node, Element) else TEXT


@dataclass(frozen=True)  # without slots, for `cached_property`
class ElementTable:
    """The elements of a page, counted from 0 in document order."""

    elements: list[Node]  # by number
    numbers: dict[Node, int]  # in that order

    @cached_property
    def parents(self) -> list[int]:
        """Return the number of each element's parent, NO_PARENT for the root."""
        return list(map(self.numbers.get, map(above, self.elements), repeat(NO_PARENT)))


def _table_of(page: Document) -> ElementTable:
    elements: list[Node] = list(page.iter_elements())
    return ElementTable(elements, dict(zip(elements, range(len(elements)), strict=True)))


def whole_table(body: bytes, encoding: str) -> tuple[ElementTable, list[int]]:
    """Number all elements, also pruned ones, and list the numbers of the pruned ones."""
    page = parse_bytes(body, encoding)
    table = _table_of(page)
    gone = ", ".join(f"{name}, {name} *" for name in UNRENDERED)
    return table, [table.numbers[element] for element in page.select(gone)]


def paths_of(page: Document) -> frozenset[int]:
    """Hash each distinct path from the root to an element without element children.

    Equal to `path_set`, in a loop that releases each element at once: the parser makes an
    object for each, and saves a quarter of the time if it can reuse it for the next one.
    """
    path = around = first_path()  # of the previous element, and of its parent
    paths: dict[Node, Path] = {}  # of elements with children
    leaves: set[int] = set()
    last: Node = page
    parent: Node | None = None
    named = iter(page.select("[id]"))
    next_named = next(named, None)
    for element in page.iter_elements():
        upper = element.parent
        if upper is last:  # in document order, a first child follows its parent
            parent, around = last, path
            paths[last] = path
        else:  # no child follows, so there is none
            leaves.add(path.hash)
            if upper is not parent and upper is not None:
                parent, around = upper, paths[upper]
        if element is next_named:
            path = around[f"{element.tag}#{element.attr('id') or ''}"]
            next_named = next(named, None)
        else:
            path = around[element.tag]
        last = element
    leaves.add(path.hash)
    return frozenset(leaves)


@dataclass(frozen=True, slots=True)
class Numbered:
    nodes: tuple[Node, ...]
    tree: Tree
    texts: tuple[str, ...]


def _numbered(page: Document) -> Numbered:
    """Number the elements and non-blank texts, in document order."""
    nodes = [
        node
        for node in page.descendants
        if isinstance(node, Element) or (isinstance(node, Text) and not node.data.isspace())
    ]
    numbers: dict[Node | None, int] = dict(zip(nodes, range(len(nodes)), strict=True))
    tree = Tree(
        tags=tuple(map(tag, nodes)),
        parents=tuple(map(numbers.get, map(above, nodes), repeat(NO_PARENT))),
        ids=_attribute(page, "id", numbers),
        classes=_attribute(page, "class", numbers),
    )
    texts = tuple([node.data if isinstance(node, Text) else "" for node in nodes])
    return Numbered(tuple(nodes), tree, texts)


def _attribute(page: Document, name: str, numbers: dict[Node | None, int]) -> tuple[str, ...]:
    column = [""] * len(numbers)
    for element in page.select(f"[{name}]"):
        column[numbers[element]] = element.attr(name) or ""
    return tuple(column)


def stamp(body: bytes, encoding: str, *, attribute: str, head: str = "") -> str:
    """Return a page's HTML with each element's number in `attribute` and `head` in its head."""
    page = parse_bytes(body, encoding)
    aside: list[tuple[Element, Comment]] = []  # what has no number leaves the page for a while
    for node in page.select(PRUNED):
        placeholder = Comment("")
        node.replace_with(placeholder)
        aside.append((node, placeholder))
    for number, numbered in enumerate(_numbered(page).nodes):
        if isinstance(numbered, Element):
            numbered.attrs[attribute] = str(number)
    for element, placeholder in reversed(aside):
        placeholder.replace_with(element)
    opening = page.find("head")
    if head and opening is not None:
        opening.insert_adjacent_html("afterbegin", head)
    return _doctype(page) + "".join(
        part.serialize() for part in page.children if not isinstance(part, Doctype)
    )


def _doctype(page: Document) -> str:
    """Return the doctype as in the source: it decides on quirks mode, and so on the layout."""
    for child in page.children:
        if isinstance(child, Doctype):
            public = f' PUBLIC "{child.public_id}"' if child.public_id is not None else ""
            keyword = "" if public else " SYSTEM"
            system = f'{keyword} "{child.system_id}"' if child.system_id is not None else ""
            return f"<!DOCTYPE {child.name}{public}{system}>"
    return ""


_tag_of = attrgetter("tag")


class Markup:
    """A parsed and pruned page; columns are computed on first use."""

    __slots__ = (
        *("_bases", "_metas", "_numbered", "_page", "_paths", "_table"),
        *("encoding", "formula_scripts"),
    )

    def __init__(self, body: bytes, charset: str | None = None) -> None:
        """Parse `body`; `charset` is that of the HTTP header, which only a BOM overrides."""
        self._page = parse_bytes(body, charset)
        # Media type and TeX of scripts with formulas, by the comments that stand for them.
        self.formula_scripts = put_formulas_aside(self._page)
        self._bases = prune(self._page, "base")
        part_words(self._page)
        self._metas: list[tuple[str, str]] | None = None
        self._numbered: Numbered | None = None
        self._paths: frozenset[int] | None = None
        self._table: ElementTable | None = None
        self.encoding = self._page.encoding or "UTF-8"  # WHATWG name

    @property
    def root(self) -> Node:
        root = self._page.root
        return root if root is not None else self._page

    @property
    def body(self) -> Node:
        """Return the body, the root if there is none."""
        return next(self.root.iter_elements("body"), self.root)

    def title(self) -> str:
        """Return the text of the title element, white space collapsed."""
        title = self._page.select_one("title")
        return " ".join(title.text.split()) if title is not None else ""

    def metas(self) -> list[tuple[str, str]]:
        """List what meta and link elements are about and what they say."""
        if self._metas is None:
            known = self._page.iter_elements(("meta", "link"))
            self._metas = [(f"{one.tag}@{_told(one)}", one.attr("content") or "") for one in known]
        return self._metas

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
            self._table = _table_of(self._page)
        return self._table

    def select(self, selector: str) -> list[Node]:
        """List the elements that match a CSS selector, in document order."""
        try:
            return list(self._page.select(selector))
        except SelectorSyntaxError as error:
            raise SettingsError(f"{error}; write another selector") from error

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
        first = tags[0]
        for token in sorted(tokens):
            name, value = ("id=", token[1:]) if token.startswith("#") else ("class~=", token)
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            first += f'[{name}"{escaped}"]'
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
            self._numbered = _numbered(self._page)
        return self._numbered


def _told(element: Element) -> str:
    """Return the property, name or relation of a meta or link element."""
    for name in ("property", "name", "rel"):
        if told := element.attr(name):
            return told
    return ""


@lru_cache
def _nth_of_types(tags: tuple[str, ...], ordinals: tuple[int, ...]) -> str:
    pairs = zip(tags, ordinals, strict=True)
    return " > ".join(f"{name}:nth-of-type({number + 1})" for name, number in pairs)
