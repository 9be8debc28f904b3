"""Pages of one template with the values of their attributes: SWDE.

A file of it has a page a line: site, vertical, html (bytes as Latin-1), and for each attribute the
texts that hold it. On every page such a text is a whole text leaf, so that is what is picked.
"""

import html
import json
import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from webstencil import markup
from webstencil.errors import SourceError
from webstencil.markup import Node
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage
from webstencil.site.picks.sight import nodes_along


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
    """The node that a person who knows the attribute would pick, and on which page."""

    attribute: str
    page: int
    leaf: int  # among the text leaves of the page


def read_sites(path: Path) -> tuple[AttributeSite, ...]:
    """Read all sites of a file."""
    sites: dict[tuple[str, str], list[AttributePage]] = {}
    try:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                raw = RawPage(f"http://{row['site']}/{row['id']}", row["html"].encode("latin-1"))
                gold = {name: frozenset(map(collapsed, row["gold"][name])) for name in row["gold"]}
                key = (row["site"], row["vertical"])
                sites.setdefault(key, []).append(AttributePage(raw, gold))
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error
    except (lzma.LZMAError, EOFError, ValueError, KeyError) as error:
        raise SourceError(f"{path} does not hold a page with gold a line: {error!r}") from error
    return tuple(AttributeSite(*key, tuple(pages)) for key, pages in sites.items())


def collapsed(value: str) -> str:
    """Write a value as a leaf has it: entities resolved, white space collapsed."""
    return " ".join(html.unescape(value).split())


def choose(site: AttributeSite, *, first: bool = False) -> list[AttributePick]:
    """Choose the node of each attribute on the first page that has it.

    With `first` it is the first one with the value in the page, were it in a menu.
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
    """Tell how likely it is that a leaf with a page's value is the field, and not the same words.

    A field does not keep its words on pages with other values, as a menu does; on the other pages
    that have the attribute, a leaf below the same tags holds it; and few leaves stand below those.
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
