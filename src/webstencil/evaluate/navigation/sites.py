"""Pages of whole sites with their page types: what siblings tell, and what it is checked against.

A folder has `sites.json`, `labels/X.csv` (path, page type) and the sites, packed as
`sites/X.tar.xz` or as folders X. The check is the markup: links in the part of an article page that
the site's selector calls its content are content; links in what is marked or named as header,
footer or navigation are menus, unless they are marked as pagination, breadcrumb, a table of
contents, or lead within the page.
"""

import csv
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from webstencil.errors import ParseError, SourceError
from webstencil.evaluate.archives import unpacked
from webstencil.kinds.marks import Mark, marks_of
from webstencil.markup import Node, attribute
from webstencil.markup.parse import parse
from webstencil.model import NO_PARENT, Page, RawPage
from webstencil.navigation.kinds import PageLinks, page_links

PAGES = 12  # of a page type at most, drawn by lot
FEWEST_PAGES = 6  # of a page type: one and five siblings
SIBLINGS = 5
SEED = 0
LEFT_OUT = ("redirect", "feed")  # page types that have no template
MENUS = frozenset({Mark.NAVIGATION, Mark.HEADER, Mark.FOOTER})
NO_MENUS = frozenset({Mark.PAGINATION, Mark.BREADCRUMB, Mark.COMMENTS})
OF_THE_PAGE = re.compile(r"(?i)prev|next|older|newer|pagin|pager|\btoc\b|crumb")
LEVELS = 4  # elements whose names may say that a link is of the page
MENU, CONTENT, NEITHER = "menu", "content", ""


@dataclass(frozen=True, slots=True)
class SiteBlock:
    """A block of links, with what its siblings and the markup say of it."""

    site: str
    page: str
    known: PageLinks
    block: range
    share: float  # 0..1: of the siblings that have its links
    zone: str  # MENU, CONTENT or NEITHER


@dataclass(frozen=True, slots=True)
class SiteFolder:
    """A site and where its files are."""

    name: str
    folder: Path
    labels: Path
    host: str
    articles: frozenset[str]  # page types
    content: str  # CSS selector


def sites_of(path: Path, cache: Path) -> Iterator[SiteFolder]:
    """Find the sites of a folder of data."""
    try:
        known = json.loads((path / "sites.json").read_text())
        for name, facts in sorted(known.items()):
            folder = path / name
            if not folder.is_dir():
                folder = unpacked(path / "sites" / f"{name}.tar.xz", cache)
            yield SiteFolder(
                name,
                folder,
                path / "labels" / f"{name}.csv",
                facts["hosts"][0],
                frozenset(facts["article_labels"]),
                facts["content_selector"],
            )
    except (OSError, ValueError, LookupError) as error:
        raise SourceError(f"{path}/sites.json does not tell of sites: {error!r}") from error


def blocks_of(site: SiteFolder) -> Iterator[SiteBlock]:
    """Yield the blocks of pages drawn by lot, each with what five siblings say of it."""
    lot = random.Random(SEED)
    for label, paths in sorted(paths_by_type(site).items()):
        if len(paths) < FEWEST_PAGES or label.startswith(LEFT_OUT):
            continue
        drawn = lot.sample(paths, min(PAGES, len(paths)))
        pages = [known for path in drawn if (known := read(site, path)) is not None]
        carried = [frozenset(known.targets) for known in pages]
        for number, known in enumerate(pages):
            others = [links for place, links in enumerate(carried) if place != number]
            lot.shuffle(others)
            zones = zones_of(known, site.content if label in site.articles else "")
            for block in known.blocks:
                zone = prevailing([zones[link] for link in block])
                share = shared(known.targets[block.start : block.stop], others[:SIBLINGS])
                yield SiteBlock(site.name, known.page.url, known, block, share, zone)


def paths_by_type(site: SiteFolder) -> dict[str, list[str]]:
    """Read the page types of a site."""
    found: dict[str, list[str]] = {}
    with site.labels.open(newline="") as table:
        for row in csv.DictReader(table):
            found.setdefault(row["label"], []).append(row["path"])
    return found


def read(site: SiteFolder, path: str) -> PageLinks | None:
    """Read a page; None if it is no HTML."""
    try:
        body = (site.folder / path).read_bytes()
        return page_links(parse(RawPage(f"http://{site.host}/{path}", body)))
    except (OSError, ParseError):
        return None


def shared(targets: Sequence[str], others: Sequence[frozenset[str]]) -> float:
    """Return the share of other pages that have some links."""
    found = sum(target in links for target in targets for links in others)
    return found / (len(targets) * len(others)) if targets and others else 0.0


def zones_of(known: PageLinks, content: str) -> list[str]:
    """Tell what the markup says of each link."""
    page, marks = known.page, marks_of(known.page)
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
    """Tell for each node whether it is in what a selector fits."""
    roots = frozenset(page.markup.select(content)) if content else frozenset()
    inside: list[bool] = []
    for node, parent in zip(
        page.markup.nodes(range(len(page.tree))), page.tree.parents, strict=True
    ):
        inside.append(node in roots or (parent != NO_PARENT and inside[parent]))
    return inside


def is_of_the_page(node: Node) -> bool:
    """Tell whether names call a link one of the page, not of the site."""
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
