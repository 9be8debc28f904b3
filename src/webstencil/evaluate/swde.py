"""Pages of one template with the values of their attributes: SWDE.

Its file has one page a line: site, vertical, html (bytes as Latin-1), and the texts of each
attribute. On every page such a text is a whole text leaf, so a leaf is what is picked.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webstencil import markup
from webstencil.evaluate.labelled_data import LeftOut, nobody, read_rows, readable, row_page
from webstencil.markup import Node
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage
from webstencil.picks import nodes_along


@dataclass(frozen=True, slots=True)
class AttributePage:
    """A page and the texts of its attributes."""

    raw: RawPage
    gold: dict[str, frozenset[str]]  # no texts: the page does not have the attribute


@dataclass(frozen=True, slots=True)
class AttributeSite:
    """The pages of one template, in the order of their file."""

    name: str
    vertical: str
    pages: tuple[AttributePage, ...]


@dataclass(frozen=True, slots=True)
class AttributePick:
    """The node that a user who knows the attribute would pick, and on which page."""

    attribute: str
    page: int
    leaf: int  # among the text leaves of the page


def read_sites(path: Path, left_out: LeftOut = nobody) -> tuple[AttributeSite, ...]:
    """Read all sites of a file."""
    sites: dict[tuple[str, str], list[AttributePage]] = {}
    for row in read_rows(path, ("site", "vertical", "id", "html", "gold")):
        raw = row_page(row)
        if readable(raw, left_out) is not None:
            gold = {name: frozenset(map(collapsed, row["gold"][name])) for name in row["gold"]}
            sites.setdefault((row["site"], row["vertical"]), []).append(AttributePage(raw, gold))
    return tuple(AttributeSite(*key, tuple(pages)) for key, pages in sites.items())


def collapsed(value: str) -> str:
    """Write a value as a leaf has it: entities decoded, white space collapsed."""
    return " ".join(html.unescape(value).split())


def choose(site: AttributeSite, *, first: bool = False) -> list[AttributePick]:
    """Choose the node of each attribute on the first page that has it.

    With `first` it is the first node of the page with the value, even in a menu.
    """
    pages = [parse(page.raw) for page in site.pages]
    choices = []
    for attribute in sorted({name for page in site.pages for name in page.gold}):
        values = [page.gold.get(attribute, frozenset()) for page in site.pages]
        start = next((number for number, texts in enumerate(values) if texts), None)
        if start is None:
            continue
        leaves = pages[start].markup.leaves()
        holding = [n for n, leaf in enumerate(leaves) if markup.leaf_text(leaf) in values[start]]
        others = [pair for pair in zip(pages, values, strict=True) if pair[0] is not pages[start]]
        if holding:
            merits = {n: (0,) if first else merit(leaves[n], others) for n in holding}
            choices.append(AttributePick(attribute, start, max(holding, key=merits.__getitem__)))
    return choices


def merit(node: Node, others: Sequence[tuple[Page, frozenset[str]]]) -> tuple[bool, int, int]:
    """Return how likely a leaf with a page's value is the field and not the same words elsewhere.

    A field changes its words on pages with other values, a menu does not; on other pages with the
    attribute, a leaf below the same tags holds it; and few leaves are below those tags.
    """
    text, tags = markup.leaf_text(node), tags_of(node)
    kept = changed = support = crowd = 0
    for page, values in others:
        if not values:
            continue
        texts = [markup.leaf_text(leaf) for leaf in nodes_along(tags, page.markup)]
        changed += text not in values
        kept += text not in values and text in texts
        support += not values.isdisjoint(texts)
        crowd += len(texts)
    return kept * 2 <= changed, support, -crowd


def tags_of(node: Node) -> tuple[str, ...]:
    """Return the tags from the root to a node."""
    tags = []
    above: Node | None = node
    while above is not None:
        tags.append(markup.tag(above))
        above = markup.parent(above)
    return tuple(reversed(tags))
