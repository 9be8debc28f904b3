"""The rows of a list page: title, link, date and teaser of each thing it lists.

In a list, the links to the things are at the same position in each row, so they have the same names
on the path from the root. Links are grouped by that path; a row is everything around a link that
belongs to no other link of the group. The group whose rows have most text is the list, if it looks
like one: the rows follow each other, their titles differ, a title is at the top of its row, and the
rows make up a good part of the page. Menus, comments and other frames have no rows.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from webstencil import markup, urls
from webstencil.items.dates import find_date
from webstencil.markup import Node
from webstencil.markup.text_units import HEADING_LEVELS
from webstencil.model import NO_PARENT, Item, NodeId, Page, PageArea, Tree

# The fields of a row of a list: title, link, date, teaser.

DATE_LINE = 80  # characters of a line with a date; dates in longer ones are part of the text
TEASER = 300  # characters after which a teaser ends at the next line end
LONGEST_ROW_LABEL = 40  # characters of a line that is dropped if most rows have it: "Read more"


@dataclass(frozen=True, slots=True)
class RowNodes:
    """A row by its nodes."""

    link: NodeId  # the title
    nodes: tuple[NodeId, ...]


def _items_of(
    page: Page, rows: Sequence[RowNodes], confidence: float, area: int | None
) -> tuple[Item, ...]:
    """Return rows as items."""
    nodes = [page.markup.nodes(row.nodes) for row in rows]
    texts = [markup.text(members) for members in nodes]
    lines = [[line.strip() for line in text.splitlines()] for text in texts]
    labels = _common(lines)
    return tuple(
        Item(
            kind="row",
            text=text,
            selector=", ".join(dict.fromkeys(map(markup.selector, members))),
            xpath=" | ".join(map(markup.xpath, members)),
            confidence=confidence,
            how="repeated links",
            area=area,
            fields=fields(page, row, members, [line for line in own if line not in labels]),
        )
        for row, members, text, own in zip(rows, nodes, texts, lines, strict=True)
    )


def _common(rows: Sequence[Sequence[str]]) -> frozenset[str]:
    """Return the short lines that most rows have."""
    counts = Counter(line for lines in rows for line in set(lines))
    return frozenset(
        line
        for line, count in counts.items()
        if count > len(rows) / 2 and len(line) <= LONGEST_ROW_LABEL
    )


def fields(
    page: Page, row: RowNodes, nodes: Sequence[Node], lines: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """Return the fields of a row that it has."""
    (link,) = page.markup.nodes([row.link])
    title = _title_of(link)
    rest = [line for line in (_without(line, title) for line in lines) if line]
    named = (
        ("title", title),
        ("link", urls.written_link(page.base_url, markup.attribute(link, "href").strip()) or ""),
        ("date", date_of(nodes, rest)),
        ("teaser", teaser(rest)),
    )
    return tuple((name, value) for name, value in named if value)


def _title_of(link: Node) -> str:
    """Return the text of a link, or of the heading in it, without lines that are dates."""
    heading = link.select_one("h1, h2, h3, h4, h5, h6")
    said = [line.strip() for line in markup.text([heading or link]).splitlines()]
    kept = [line for line in said if not is_date(line)] or said
    return " ".join(" ".join(kept).split())


def is_date(line: str) -> bool:
    """Return whether a line is hardly more than a date."""
    found = find_date(line) if len(line) <= DATE_LINE else None
    return found is not None and len(found.written) >= len(line) / 2


def _without(line: str, title: str) -> str:
    """Return a line without the title."""
    rest = line.replace(title, " ", 1) if title else line
    return " ".join(rest.split()).strip(" :|-·")


def date_of(nodes: Sequence[Node], lines: Sequence[str]) -> str:
    """Return the date of a row: from the markup, else the first one in a short line."""
    told = [
        markup.attribute(time, "datetime")
        for node in nodes
        for time in node.select("time[datetime]")
    ]
    short = [line for line in lines if len(line) <= DATE_LINE]
    for text in (*told, *short):
        found = find_date(text)
        if found is not None:
            return found.iso or found.written
    return ""


def teaser(lines: Sequence[str]) -> str:
    """Return the first lines that are not dates or bylines; if all are, those."""
    dated = [len(line) <= DATE_LINE and find_date(line) is not None for line in lines]
    told = [line for line, is_dated in zip(lines, dated, strict=True) if not is_dated]
    taken: list[str] = []
    for line in told or [line for line in lines if not is_date(line)]:
        taken.append(line)
        if sum(map(len, taken)) > TEASER:
            break
    return " ".join(taken)


FEWEST_ROWS_LISTED = 3  # rows; two similar things may be chance,
FEWEST_ARTICLES = 2  # but not if they are articles with headlines
HIGHEST = 12  # elements between a link and its row
ALIKE_TAGS = frozenset({"html", "body", "article", "dd", "dt", "li", "td", "tr"})  # of any class
ROW_STATES = frozenset({"active", "even", "first", "last", "odd", "sticky"})  # classes of some rows
OPENERS = HEADING_LEVELS | {"dt"}  # what follows belongs to them
FRAME_TAGS = frozenset({"aside", "footer", "form", "nav"})
FRAME_NAMES = frozenset(
    {"aside", "breadcrumb", "breadcrumbs", "comment", "commentlist", "comments", "footer", "menu"}
    | {"nav", "navbar", "navigation", "pagination", "pager", "respond", "share", "sidebar"}
    | {"tagcloud", "toc", "toctree", "widget"}
)
FRAME_KINDS = frozenset(
    {"breadcrumb", "comments", "footer", "form", "header", "menu", "notice", "pagination"}
    | {"sidebar"}
)
LIST_KIND = "list"
NO_PAGE_LINKS = ("#", "javascript:", "mailto:", "tel:")  # starts of links that are not to pages

# Chosen on the list pages of ten sites; notebook/items.md has the results.
MOST_OF_PAGE = 0.9  # share of the page's text: an element with more is not a frame
MOST_ROW_TEXT = 400  # characters of a row that count: a full article is not a better row
SHORTEST_TITLES = 12  # mean characters of titles that are not headings: less is a menu
DISTINCT = 0.7  # share of distinct titles: "Read more" is none
AT_TOP = 0.7  # share of rows with the title at their top
MOST_BEFORE_TITLE = 60  # characters before a title at the top: a date, a topic, an author
TOGETHER = 0.5  # share of the elements between the first row and the last that are rows
LEAST_PART = 0.3  # share of the rows in the text outside of frames
HEADED = 2.0  # times: weight of a row with a heading
LISTED_WEIGHT = 2.0  # times: weight of rows in an area of kind list
SURE, UNSURE = 0.9, 0.7  # 0..1, confidence with and without an area of kind list around the rows

_DIGIT_RUN = re.compile(r"\d+")
_NAME_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


@dataclass(frozen=True, slots=True)
class RowColumns:
    """Facts about the nodes of a page."""

    tree: Tree
    ends: list[NodeId]
    said: list[int]  # characters of text before each node; one entry more than nodes
    framed: list[bool]  # it is in a menu, in comments, or the like

    def length(self, node: NodeId) -> int:
        """Return the number of characters in a node."""
        return self.said[self.ends[node]] - self.said[node]


@dataclass(frozen=True, slots=True)
class Listing:
    """Similar rows."""

    rows: tuple[RowNodes, ...]
    score: float  # characters that count
    confidence: float  # 0..1
    area: int | None  # of kind list, around the rows


def rows(page: Page, areas: Sequence[PageArea] = ()) -> tuple[Item, ...]:
    """Return the rows of a list page as items, in document order; none for other pages."""
    known = _columns(page)
    listings = [
        listing
        for group in groups(page, known)
        if (listing := listing_of(page, known, areas, group)) is not None
    ]
    if not listings:
        return ()
    best = max(listings, key=lambda listing: listing.score)
    return _items_of(page, best.rows, best.confidence, best.area)


def _columns(page: Page) -> RowColumns:
    """Compute the facts about the nodes."""
    tree = page.tree
    ends = tree.ends()
    said = [0, *accumulate(len(text.strip()) for text in page.texts)]
    framed: list[bool] = []
    for node, parent in enumerate(tree.parents):
        above = parent != NO_PARENT and framed[parent]
        most = said[ends[node]] - said[node] > MOST_OF_PAGE * said[-1]
        framed.append(above or (not most and is_frame(tree, node)))
    return RowColumns(tree, ends, said, framed)


def is_frame(tree: Tree, node: NodeId) -> bool:
    """Return whether an element says that it is not the content."""
    if tree.tags[node] in FRAME_TAGS:
        return True
    names = f"{tree.ids[node]} {tree.classes[node]}"
    return names != " " and any(word.lower() in FRAME_NAMES for word in _NAME_PART.findall(names))


def groups(page: Page, known: RowColumns) -> Iterator[list[NodeId]]:
    """Yield groups of links with the same names on the path from the root."""
    tree = known.tree
    ways: dict[tuple[int, str], int] = {}
    way_of: list[int] = []
    found: dict[int, list[NodeId]] = defaultdict(list)
    for node, parent in enumerate(tree.parents):
        above = way_of[parent] if parent != NO_PARENT else NO_PARENT
        way = ways.setdefault((above, form(tree, node)), len(ways))
        way_of.append(way)
        if tree.tags[node] == "a" and not known.framed[node] and known.length(node) > 1:
            found[way].append(node)
    for links in found.values():
        nodes = page.markup.nodes(links)
        hrefs = [markup.attribute(node, "href").strip() for node in nodes]
        kept = [
            link
            for link, href in zip(links, hrefs, strict=True)
            if href and not href.startswith(NO_PAGE_LINKS)
        ]
        if len(kept) >= FEWEST_ARTICLES:
            yield kept


def form(tree: Tree, node: NodeId) -> str:
    """Return the tag of an element and, if it says something, its first class."""
    tag = tree.tags[node]
    if tag in ALIKE_TAGS or not tree.classes[node]:
        return tag
    name = next((name for name in tree.classes[node].split() if name not in ROW_STATES), "")
    return f"{tag}.{_DIGIT_RUN.sub('', name)}"


def listing_of(
    page: Page, known: RowColumns, areas: Sequence[PageArea], links: Sequence[NodeId]
) -> Listing | None:
    """Make rows around links; None if they do not look like a list."""
    roots = roots_of(known, links)
    headed = is_headed(known, links[0], roots[0])
    articles = headed and all(known.tree.tags[root] == "article" for root in roots)
    if len(links) < FEWEST_ROWS_LISTED and not articles:
        return None
    if not looks_like_a_list(known, links, roots):
        return None
    found = rows_around(known, links, roots)
    said = [sum(map(known.length, row.nodes)) for row in found]
    outside = sum(
        known.length(node)
        for node, parent in enumerate(known.tree.parents)
        if known.framed[node] and not known.framed[parent]
    )
    if sum(said) < LEAST_PART * (known.said[-1] - outside):
        return None
    titles = page.markup.nodes(links)
    if len({markup.text([title]) for title in titles}) < DISTINCT * len(links):
        return None
    kind, area = area_around(page, areas, roots)
    if kind in FRAME_KINDS:
        return None
    score = sum(min(length, MOST_ROW_TEXT) for length in said)
    weight = (HEADED if headed else 1.0) * (LISTED_WEIGHT if kind == LIST_KIND else 1.0)
    return Listing(found, score * weight, SURE if kind == LIST_KIND else UNSURE, area)


def roots_of(known: RowColumns, links: Sequence[NodeId]) -> list[NodeId]:
    """Return the highest element around each link without another of the links.

    No row reaches higher than most: else the only one of its year would include the year.
    """
    climbs: list[list[NodeId]] = []
    for place, link in enumerate(links):
        before = links[place - 1] if place else NO_PARENT
        after = links[place + 1] if place + 1 < len(links) else len(known.ends)
        climb = [link]
        parent = known.tree.parents[link]
        while len(climb) <= HIGHEST and before < parent and known.ends[parent] <= after:
            climb.append(parent)
            parent = known.tree.parents[parent]
        climbs.append(climb)
    heights = Counter(len(climb) for climb in climbs)
    usual = max(heights, key=lambda height: (heights[height], -height))
    return [climb[min(len(climb), usual) - 1] for climb in climbs]


def looks_like_a_list(known: RowColumns, links: Sequence[NodeId], roots: Sequence[NodeId]) -> bool:
    """Return whether titles are long enough and at the top, and rows are together."""
    headed = is_headed(known, links[0], roots[0])
    if not headed and sum(map(known.length, links)) < SHORTEST_TITLES * len(links):
        return False
    tree = known.tree
    at_top = sum(
        known.said[link] - known.said[root] <= MOST_BEFORE_TITLE or is_headed(known, link, root)
        for link, root in zip(links, roots, strict=True)
    )
    if at_top < AT_TOP * len(links):
        return False
    if all(tree.tags[root] in OPENERS for root in roots):
        return True
    return len(roots) >= TOGETHER * sum(spans(known, roots))


def spans(known: RowColumns, roots: Sequence[NodeId]) -> Iterator[int]:
    """Yield, for each parent of rows, its children with text from the first to the last row."""
    below: dict[NodeId, list[NodeId]] = defaultdict(list)
    for root in roots:
        below[known.tree.parents[root]].append(root)
    for members in below.values():
        yield sum(1 for node in siblings(known, members[0], members[-1] + 1) if known.length(node))


def siblings(known: RowColumns, node: NodeId, end: NodeId) -> Iterator[NodeId]:
    """Yield a node and its following siblings, until `end`."""
    parent = known.tree.parents[node]
    stop = min(end, known.ends[parent] if parent != NO_PARENT else known.ends[node])
    while node < stop:
        yield node
        node = known.ends[node]


def is_headed(known: RowColumns, link: NodeId, root: NodeId) -> bool:
    """Return whether a link is in a heading of its row, or a heading in the link."""
    tags = known.tree.tags
    if not HEADING_LEVELS.isdisjoint(tags[link : known.ends[link]]):
        return True
    while link >= root:
        if tags[link] in HEADING_LEVELS:
            return True
        link = known.tree.parents[link]
    return False


def rows_around(
    known: RowColumns, links: Sequence[NodeId], roots: Sequence[NodeId]
) -> tuple[RowNodes, ...]:
    """Return the rows; a heading has what follows until the next one, `dd` has its `dt`.

    The other rows tell how much follows the last heading.
    """
    found: list[RowNodes] = []
    most, terms = 1, terms_of(known, roots)
    for place, (link, root) in enumerate(zip(links, roots, strict=True)):
        nodes = [terms[root], root] if root in terms else [root]
        if known.tree.tags[root] in OPENERS:
            last = place + 1 == len(roots)
            nodes = list(siblings(known, root, len(known.ends) if last else roots[place + 1]))
            nodes = nodes[:most] if last else nodes
            most = max(most, len(nodes))
        found.append(RowNodes(link, tuple(nodes)))
    return tuple(found)


def terms_of(known: RowColumns, roots: Sequence[NodeId]) -> dict[NodeId, NodeId]:
    """Return the `dt` just before each `dd`: archives have the date before the title."""
    tags, parents = known.tree.tags, known.tree.parents
    lists = dict.fromkeys(parents[root] for root in roots if tags[root] == "dd")
    return {
        node: before
        for parent in lists
        for before, node in pairwise(
            [
                child
                for child in siblings(known, parent + 1, known.ends[parent])
                if known.length(child)
            ]
        )
        if (tags[before], tags[node]) == ("dt", "dd")
    }


def area_around(
    page: Page, areas: Sequence[PageArea], roots: Sequence[NodeId]
) -> tuple[str | None, int | None]:
    """Return the kind and number of the smallest area with a kind around most rows."""
    if not areas:
        return None, None
    places = [markup.xpath(node) for node in page.markup.nodes(roots)]
    for area in reversed(areas):
        tops = [path.strip() for path in area.xpath.split("|")]
        inside = sum(any(is_below(place, top) for top in tops) for place in places)
        if area.kind is not None and inside > len(places) / 2:
            return area.kind, area.id
    return None, None


def is_below(place: str, top: str) -> bool:
    return bool(top) and (place == top or place.startswith(f"{top}/"))
