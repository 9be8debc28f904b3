"""Blocks of links on pages of whole sites: what siblings repeat, and what the markup says.

A folder has `sites.json`, `labels/X.csv` (path, page type) and the sites, packed as
`sites/X.tar.xz` or as folders X. The gold is the markup: links in the content of an article page,
as the site's selector gives it, are content; links in what is marked or named as header, footer or
navigation are menus, unless they are marked as pagination, breadcrumb or table of contents, or stay
within the page.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from webstencil.area_kinds.facts import Mark, node_marks
from webstencil.evaluate.archives import unpacked
from webstencil.evaluate.labelled_data import (
    REDIRECT,
    SITES_NAME,
    LeftOut,
    nobody,
    read_page,
    read_sites_file,
    readable,
    site_labels,
)
from webstencil.markup import Node, attribute
from webstencil.model import NO_PARENT, Page
from webstencil.navigation import PageLinks, SiblingLinks, page_links
from webstencil.site.outline import outline
from webstencil.site.site_model import OutlinedPage, SiteModel

PAGES = 12  # of a page type at most, chosen at random
FEWEST_PAGES = 6  # of a page type: one and five siblings
SIBLINGS = 5
SEED = 0
NO_PAGES = (REDIRECT, "feed")  # page types that have no template
MENUS = frozenset({Mark.NAVIGATION, Mark.HEADER, Mark.FOOTER})
NO_MENUS = frozenset({Mark.PAGINATION, Mark.BREADCRUMB, Mark.COMMENTS})
OF_THE_PAGE = re.compile(r"(?i)prev|next|older|newer|pagin|pager|\btoc\b|crumb")
LEVELS = 4  # elements above a link whose names are looked at
MENU, CONTENT, NEITHER = "menu", "content", ""


@dataclass(frozen=True, slots=True)
class SiteBlock:
    """A block of links, with the evidence of siblings and markup."""

    site: str
    page: str
    known: PageLinks
    block: range
    share: float  # 0..1, of the siblings that have its links
    zone: str  # MENU, CONTENT or NEITHER


@dataclass(frozen=True, slots=True)
class SiteFolder:
    """A site and its files."""

    name: str
    folder: Path
    labels: tuple[tuple[str, str], ...]  # path and page type of each page
    host: str
    articles: frozenset[str]  # page types
    content: str  # CSS selector


def sites_of(path: Path, cache: Path) -> Iterator[SiteFolder]:
    """Find the sites of a folder of data."""
    for name, facts in sorted(read_sites_file(path / SITES_NAME).items()):
        folder = path / name
        if not folder.is_dir():
            folder = unpacked(path / "sites" / f"{name}.tar.xz", cache)
        yield SiteFolder(
            name,
            folder,
            tuple(site_labels(path / SITES_NAME, name)),
            next(iter(facts.get("hosts", ())), name),
            frozenset(facts["article_labels"]),
            facts["content_selector"],
        )


def blocks_of(site: SiteFolder, left_out: LeftOut = nobody) -> Iterator[SiteBlock]:
    """Yield the blocks of some pages, each with the share of five siblings that have its links."""
    rng = random.Random(SEED)
    for label, paths in sorted(paths_by_type(site).items()):
        if len(paths) < FEWEST_PAGES or label.startswith(NO_PAGES):
            continue
        drawn = rng.sample(paths, min(PAGES, len(paths)))
        pages = [known for path in drawn if (known := read(site, path, left_out)) is not None]
        outlined = [OutlinedPage(known.page.url, outline(known.page)) for known in pages]
        for number, known in enumerate(pages):
            others = [page for other, page in enumerate(outlined) if other != number]
            rng.shuffle(others)
            zones = zones_of(known, site.content if label in site.articles else "")
            shares = shares_of(known, others[:SIBLINGS])
            for block, share in zip(known.blocks, shares, strict=True):
                zone = prevailing([zones[link] for link in block])
                yield SiteBlock(site.name, known.page.url, known, block, share, zone)


def paths_by_type(site: SiteFolder) -> dict[str, list[str]]:
    """Group the pages of a site by page type."""
    found: dict[str, list[str]] = {}
    for path, label in site.labels:
        found.setdefault(label, []).append(path)
    return found


def read(site: SiteFolder, path: str, left_out: LeftOut = nobody) -> PageLinks | None:
    """Read a page, or leave it out and return None."""
    raw = replace(read_page(site.folder, path), url=f"http://{site.host}/{path}")
    page = readable(raw, left_out)
    return None if page is None else page_links(page)


def shares_of(known: PageLinks, siblings: Sequence[OutlinedPage]) -> list[float]:
    """Return the share of the siblings that have the links of each block, 0 without siblings."""
    links = SiblingLinks(SiteModel(siblings))
    shares = links.shares(known.page.url, known.targets, known.blocks)
    return [0.0] * len(known.blocks) if shares is None else shares


def zones_of(known: PageLinks, content: str) -> list[str]:
    """Return the zone of each link by the markup."""
    page, marks = known.page, node_marks(known.page)
    inside = below(page, content)
    nodes = page.markup.nodes(range(len(page.tree)))
    numbers = dict(zip(nodes, range(len(nodes)), strict=True))
    zones = []
    for node, target in zip(known.links.nodes, known.targets, strict=True):
        number = numbers[node]
        if inside[number]:
            zones.append(CONTENT)
        elif not marks[number] & MENUS or marks[number] & NO_MENUS:
            zones.append(NEITHER)
        else:
            own = target.startswith("#") or is_of_the_page(node)
            zones.append(NEITHER if own else MENU)
    return zones


def below(page: Page, content: str) -> list[bool]:
    """Return for each node whether it is in an element that a selector matches."""
    roots = frozenset(page.markup.select(content)) if content else frozenset()
    inside: list[bool] = []
    for node, parent in zip(
        page.markup.nodes(range(len(page.tree))), page.tree.parents, strict=True
    ):
        inside.append(node in roots or (parent != NO_PARENT and inside[parent]))
    return inside


def is_of_the_page(node: Node) -> bool:
    """Return whether class, id or rel mark a link as one of the page, not of the site."""
    above: Node | None = node
    for _ in range(LEVELS):
        if above is None:
            return False
        names = (attribute(above, name) for name in ("class", "id", "rel"))
        if OF_THE_PAGE.search(" ".join(names)):
            return True
        above = above.parent
    return False


def prevailing(zones: Sequence[str]) -> str:
    """Return the zone of most links, the first of equally frequent ones."""
    return max(zones, key=zones.count)
