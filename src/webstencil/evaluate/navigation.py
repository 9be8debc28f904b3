"""Navigation against marked blocks, repetition on siblings, and marked pagination links."""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from statistics import fmean
from typing import Any, TypeAlias

from webstencil.area_kinds.facts import Mark, node_marks
from webstencil.evaluate.floors import Measured, corpus_digest
from webstencil.evaluate.hand_marked import PLAIN_ENDING, LabelledPage, read_marked_pages
from webstencil.evaluate.labelled_data import (
    REDIRECT,
    ROWS_ENDING,
    SITES_NAME,
    LabelledSite,
    LeftOut,
    labelled_sites,
    nobody,
    read_page,
    read_rows,
    readable_page,
    row_body,
    unpacked,
)
from webstencil.evaluate.scores import adjusted_information
from webstencil.evaluate.tables import Evaluated, ScoreTable, figure, grouped, mean_row, means
from webstencil.markup import Node, attribute, descendants
from webstencil.model import NO_PARENT, Page, RawPage
from webstencil.navigation import PageLinks, SiblingLinks, page_links
from webstencil.navigation.classify import Row, read_model, read_weights, shipped_text
from webstencil.navigation.features import full_rows
from webstencil.navigation.kinds import GREY, REPEATED_ON_SIBLINGS
from webstencil.navigation.links import (
    HYPERLINKS,
    Links,
    PaperRule,
    Spread,
    gap_threshold,
    link_gaps,
    page_hyperlinks,
    paper_links,
)
from webstencil.navigation.pagination import Judge
from webstencil.output.plot import PlotLine, plot
from webstencil.site.outline import OutlinedPage, outline
from webstencil.site.site_model import SiteModel
from webstencil.site.templates import adjusted_rand

# Links of hand-marked pages with the smallest marked block around each.


NAVIGATION = frozenset({"Menu", "LinkList", "Menu Sidebar"})
# Blocks that may contain navigation without being it: their links are not judged.
UNCLEAR = frozenset({"Content", "Header", "Footer", "Sidebar"})


@dataclass(frozen=True, slots=True)
class MarkedBlock:
    """A block that people marked."""

    node: int  # of the page
    kind: str


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page with its links, and for each the smallest marked block around it."""

    name: str
    page: Page
    links: Links
    blocks: tuple[MarkedBlock | None, ...]

    @property
    def marked(self) -> list[int]:
        """Return the links that are in any block."""
        return [link for link, block in enumerate(self.blocks) if block is not None]


def marked_page(labelled: LabelledPage) -> MarkedPage:
    """Find the block of each link."""
    page, tree = labelled.page, labelled.page.tree
    kinds = {label.node: MarkedBlock(label.node, label.kind) for label in labelled.labels}
    around: list[MarkedBlock | None] = []
    for node, parent in enumerate(tree.parents):
        above = around[parent] if parent != NO_PARENT else None
        around.append(kinds.get(node, above))
    links = page_hyperlinks(page)
    numbers = dict(zip(page.markup.nodes(range(len(tree))), around, strict=True))
    return MarkedPage(labelled.name, page, links, tuple([numbers[node] for node in links.nodes]))


def is_navigation(block: MarkedBlock | None) -> bool:
    """Return whether people marked a link as navigation."""
    return block is not None and block.kind in NAVIGATION


def is_clear(block: MarkedBlock | None) -> bool:
    """Return whether the mark says that a link is navigation, or that it is not."""
    return block is not None and block.kind not in UNCLEAR


def majority(flags: Sequence[bool]) -> bool:
    """Return whether at least half are true."""
    return 2 * sum(flags) >= len(flags)


# Blocks of links on pages of whole sites: what siblings repeat, and what the markup says.
#
# A folder has `sites.json`, `labels/X.csv` (path, page type) and the sites, packed as
# `sites/X.tar.xz` or as folders X. The gold is the markup: links in the content of an article page,
# as the site's selector gives it, are content; links in what is marked or named as header, footer
# or navigation are menus, unless they are marked as pagination, breadcrumb or table of contents, or
# stay within the page.


PAGES_OF_TYPE = 12  # of a page type at most, chosen at random
FEWEST_OF_TYPE = 6  # of a page type: one and five siblings
SIBLINGS = 5
SITE_SEED = 0
NO_TEMPLATES = (REDIRECT, "feed")  # page types that have no template
MENUS = frozenset({Mark.NAVIGATION, Mark.HEADER, Mark.FOOTER})
NO_MENUS = frozenset({Mark.PAGINATION, Mark.BREADCRUMB, Mark.COMMENTS})
OF_THE_PAGE = re.compile(r"(?i)prev|next|older|newer|pagin|pager|\btoc\b|crumb")
NAMED_LEVELS = 4  # elements above a link whose names are looked at
MENU, CONTENT_ZONE, NEITHER = "menu", "content", ""


@dataclass(frozen=True, slots=True)
class SiteBlock:
    """A block of links, with the evidence of siblings and markup."""

    site: str
    page: str
    known: PageLinks
    block: range
    share: float  # 0..1, of the siblings that have its links
    zone: str  # MENU, CONTENT or NEITHER


def site_folders(path: Path, cache: Path) -> Iterator[LabelledSite]:
    """Find the sites of a folder of data, packed or not."""
    for site in sorted(labelled_sites(path / SITES_NAME), key=lambda one: one.name):
        packed = path / "sites" / f"{site.name}.tar.xz"
        yield site if site.folder.is_dir() else replace(site, folder=unpacked(packed, cache))


def site_blocks(site: LabelledSite, left_out: LeftOut = nobody) -> Iterator[SiteBlock]:
    """Yield the blocks of some pages, each with the share of five siblings that have its links."""
    rng = random.Random(SITE_SEED)
    paths_of: dict[str, list[str]] = {}
    for path, kind in site.labels:
        paths_of.setdefault(kind, []).append(path)
    for label, paths in sorted(paths_of.items()):
        if len(paths) < FEWEST_OF_TYPE or label.startswith(NO_TEMPLATES):
            continue
        drawn = rng.sample(paths, min(PAGES_OF_TYPE, len(paths)))
        pages = [
            known for path in drawn if (known := read_site_page(site, path, left_out)) is not None
        ]
        outlined = [OutlinedPage(known.page.url, outline(known.page)) for known in pages]
        for number, known in enumerate(pages):
            others = [page for other, page in enumerate(outlined) if other != number]
            rng.shuffle(others)
            zones = zones_of(known, site.content if label in site.articles else "")
            shares = shares_of(known, others[:SIBLINGS])
            for block, share in zip(known.blocks, shares, strict=True):
                zone = prevailing([zones[link] for link in block])
                yield SiteBlock(site.name, known.page.url, known, block, share, zone)


def read_site_page(site: LabelledSite, path: str, left_out: LeftOut = nobody) -> PageLinks | None:
    """Read a page, or leave it out and return None."""
    raw = replace(read_page(site.folder, path), url=f"http://{site.host}/{path}")
    page = readable_page(raw, left_out)
    return None if page is None else page_links(page)


def shares_of(known: PageLinks, siblings: Sequence[OutlinedPage]) -> list[float]:
    """Return the share of the siblings that have the links of each block, 0 without siblings."""
    links = SiblingLinks(SiteModel(siblings))
    shares = links.shares(known.page.url, known.targets, known.blocks)
    return [0.0] * len(known.blocks) if shares is None else shares


def zones_of(known: PageLinks, content: str) -> list[str]:
    """Return the zone of each link by the markup."""
    page, marks = known.page, node_marks(known.page)
    inside = inside_content(page, content)
    nodes = page.markup.nodes(range(len(page.tree)))
    numbers = dict(zip(nodes, range(len(nodes)), strict=True))
    zones = []
    for node, target in zip(known.links.nodes, known.targets, strict=True):
        number = numbers[node]
        if inside[number]:
            zones.append(CONTENT_ZONE)
        elif not marks[number] & MENUS or marks[number] & NO_MENUS:
            zones.append(NEITHER)
        else:
            own = target.startswith("#") or is_of_the_page(node)
            zones.append(NEITHER if own else MENU)
    return zones


def inside_content(page: Page, content: str) -> list[bool]:
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
    for _ in range(NAMED_LEVELS):
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


# Pagination links against those that people marked on pages of many sites.


@dataclass(frozen=True, slots=True)
class PagedPage:
    """A page with its links, and which of them lead to other pages of its sequence."""

    site: str
    page: Page
    links: Links
    gold: frozenset[int]


@dataclass(frozen=True, slots=True)
class SequenceScore:
    """The scores of pagination links."""

    method: str
    sites: int
    pages: int
    links: int  # in the gold
    precision: float
    recall: float
    f1: float


def read_paged_pages(file: Path, left_out: LeftOut = nobody) -> Iterator[PagedPage]:
    """Read marked pages."""
    for row in read_rows(file, ("site", "url", "html", "encoding", "selectors")):
        page = readable_page(RawPage(row["url"], row_body(row), charset=row["encoding"]), left_out)
        if page is not None:
            links = page_hyperlinks(page)
            yield PagedPage(row["site"], page, links, marked_links(page, links, row["selectors"]))


def marked_links(page: Page, links: Links, selectors: dict[str, str]) -> frozenset[int]:
    """Return the links that selectors match, or that are around or in what they match."""
    numbers: dict[Node, int] = dict(zip(links.nodes, range(len(links)), strict=True))
    found: set[int] = set()
    for selector in filter(None, selectors.values()):
        for node in page.markup.select(selector):
            above: Node | None = node
            while above is not None and above not in numbers:
                above = above.parent
            inside = descendants(node, HYPERLINKS) if above is None else [above]
            found.update(numbers[link] for link in inside)
    return frozenset(found)


def found_by(model: str, known: PagedPage) -> frozenset[int]:
    """Return the links that a model finds."""
    return Judge(read_weights(model)).found(known.page, known.links, range(len(known.links)))


def sequence_score(
    method: str, pages: Sequence[PagedPage], pairs: Sequence[tuple[bool, bool]]
) -> SequenceScore:
    """Make the score of answers."""
    precision, recall, f1 = precision_recall(pairs)
    return SequenceScore(
        method=method,
        sites=len({page.site for page in pages}),
        pages=len(pages),
        links=sum(len(page.gold) for page in pages),
        precision=precision,
        recall=recall,
        f1=f1,
    )


def with_shipped_pagination(pages: Sequence[PagedPage]) -> SequenceScore:
    """Score the shipped model, which may have been trained on these pages."""
    model = shipped_text("pagination")
    pairs = [pair for page in pages for pair in pairs_of(model, page)]
    return sequence_score("shipped model", pages, pairs)


def pairs_of(model: str, page: PagedPage) -> list[tuple[bool, bool]]:
    """Return for each link of a page whether a model finds it, and whether it should."""
    answers = found_by(model, page)
    return [(link in answers, link in page.gold) for link in range(len(page.links))]


def precision_recall(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of pairs of answer and gold."""
    both = sum(answer and gold for answer, gold in pairs)
    answers, golds = sum(answer for answer, _ in pairs), sum(gold for _, gold in pairs)
    precision, recall = both / answers if answers else 0.0, both / golds if golds else 0.0
    f1 = 2 * both / (answers + golds) if answers + golds else 0.0
    return precision, recall, f1


# Menus by repetition on siblings, and by a model that was trained on repetition.
#
# Repetition needs no labels: a block with most of its links on most siblings is a menu, one with
# hardly any is not. A model is trained on that on all sites but one, and tested there, against the
# siblings of that site and against its markup.


MEAN_OF_SITES = "mean of sites"


@dataclass(frozen=True, slots=True)
class MenuScore:
    """The scores of menus on a site."""

    site: str
    blocks: float
    menus: float
    found: float  # share of the menus that are called menus
    contents: float
    called: float  # share of the content blocks that are called menus
    grey: float  # share of all blocks that are neither repeated nor unique


@dataclass(frozen=True, slots=True)
class TrainingBlock:
    """A block with its features."""

    site: str
    row: Row
    share: float
    zone: str


def menus_by_repetition(blocks: Sequence[SiteBlock]) -> list[MenuScore]:
    """Score repetition, site by site."""
    return with_mean_menus(
        [
            menu_score(site, [(b.share, b.zone, b.share >= REPEATED_ON_SIBLINGS) for b in own])
            for site, own in sorted(grouped(blocks, "site").items())
        ]
    )


def menus_by_shipped(blocks: Sequence[TrainingBlock]) -> list[MenuScore]:
    """Score the shipped model, site by site, against the markup."""
    model = read_model(shipped_text("menu"))
    return with_mean_menus(
        [
            menu_score(site, [(b.share, b.zone, model.score(b.row) > 0) for b in own])
            for site, own in sorted(grouped(blocks, "site").items())
        ]
    )


def menu_score(site: str, answers: Sequence[tuple[float, str, bool]]) -> MenuScore:
    """Score answers, each with the share of siblings and the zone of its block."""
    menus = [called for _, zone, called in answers if zone == MENU]
    contents = [called for _, zone, called in answers if zone == CONTENT_ZONE]
    grey = [GREY[0] < share < GREY[1] for share, _, _ in answers]
    return MenuScore(
        site=site,
        blocks=len(answers),
        menus=len(menus),
        found=fmean(menus) if menus else 1.0,
        contents=len(contents),
        called=fmean(contents) if contents else 0.0,
        grey=fmean(grey) if grey else 0.0,
    )


def with_mean_menus(rows: Sequence[MenuScore]) -> list[MenuScore]:
    """Add the mean of the sites, and the sum over all blocks."""
    if not rows:
        return []
    menus, contents = sum(row.menus for row in rows), sum(row.contents for row in rows)
    blocks = sum(row.blocks for row in rows)
    pooled = MenuScore(
        "all blocks",
        blocks,
        menus,
        sum(row.found * row.menus for row in rows) / max(1, menus),
        contents,
        sum(row.called * row.contents for row in rows) / max(1, contents),
        sum(row.grey * row.blocks for row in rows) / max(1, blocks),
    )
    return [*rows, mean_row(rows, MEAN_OF_SITES), pooled]


def training_blocks(blocks: Sequence[SiteBlock]) -> list[TrainingBlock]:
    """Return blocks with their features."""
    found = []
    for group in grouped(blocks, "site", "page").values():
        known = group[0].known
        rows = full_rows(known.page, known.links, [block.block for block in group])
        found += [
            TrainingBlock(block.site, row, block.share, block.zone)
            for block, row in zip(group, rows, strict=True)
        ]
    return found


# Blocks of links against hand-marked ones: Tables 1 and 2, Figures 5 and 6 of the paper.
#
# Links outside of marked blocks are clustered with the others but not judged.


BlockNumbers: TypeAlias = Sequence[int]  # the block of each link
ClusteringMethod: TypeAlias = Callable[[MarkedPage], BlockNumbers]

CURVE_STEPS = 50  # points of a cumulative curve


@dataclass(frozen=True, slots=True)
class BlockScore:
    """The agreement of the blocks of a page with the marked ones."""

    method: str
    page: str
    ari: float
    ami: float
    blocks: int


@dataclass(frozen=True, slots=True)
class ClusterScore:
    """The mean score of a method on all pages."""

    method: str
    pages: int
    ari: float
    ami: float
    blocks: float  # per page


def clustering_methods() -> dict[str, ClusteringMethod]:
    """Return the methods to compare that learn nothing, by name."""
    rules = {
        "CHD": PaperRule(),
        "CHD-HD": PaperRule(gamma=1.0),
        "CHD, set of distances": PaperRule(distinct=True),
        "CHD-HD, set of distances": PaperRule(gamma=1.0, distinct=True),
    }
    return {
        **{name: partial(_blocks_by, rule) for name, rule in rules.items()},
        "single linkage": single_linkage,
        OUR_METHOD: partial(_blocks_by, Spread()),
    }


def _blocks_by(rule: PaperRule | Spread, page: MarkedPage) -> BlockNumbers:
    return block_numbers_of(rule.blocks(page.page))


def block_numbers_of(blocks: Sequence[range]) -> list[int]:
    """Return the number of each link's block."""
    return [number for number, block in enumerate(blocks) for _ in block]


def single_linkage(page: MarkedPage) -> BlockNumbers:
    """Cluster at the paper's threshold: on a line, that is a cut at each larger gap."""
    distances = link_gaps(paper_links(page.page).places)
    threshold = gap_threshold(distances)
    return list(accumulate((int(gap > threshold) for gap in distances), initial=0))


def score_clusterings(
    pages: Sequence[MarkedPage], wanted: dict[str, ClusteringMethod]
) -> list[BlockScore]:
    """Score all methods on all pages with at least two judged links."""
    return [
        clustering_score(name, page, method(page))
        for name, method in wanted.items()
        for page in pages
        if len(page.marked) > 1
    ]


def clustering_score(name: str, page: MarkedPage, labels: BlockNumbers) -> BlockScore:
    """Compare blocks with the marked ones, over the links that are in any of these."""
    judged = page.marked
    ours, theirs = [labels[link] for link in judged], [page.blocks[link] for link in judged]
    return BlockScore(
        method=name,
        page=page.name,
        ari=adjusted_rand(ours, theirs),
        ami=adjusted_information(ours, theirs),
        blocks=len(set(labels)),
    )


def mean_clusterings(scores: Sequence[BlockScore]) -> list[ClusterScore]:
    """Average over pages, method by method."""
    return [
        ClusterScore(method, len(own), **means(own, "ari", "ami", "blocks"))
        for method, own in grouped(scores, "method").items()
    ]


def cumulative(scores: Sequence[BlockScore], measure: str) -> list[PlotLine]:
    """Return the share of pages below each score, method by method (Figures 5 and 6)."""
    levels = [step / CURVE_STEPS for step in range(CURVE_STEPS + 1)]
    lines = []
    for name, group in grouped(scores, "method").items():
        values = [getattr(known, measure) for known in group]
        below = [(level, sum(value < level for value in values) / len(values)) for level in levels]
        lines.append(PlotLine(name, tuple(below)))
    return lines


# Tables, by part. Research adds what has to be trained: other methods, and models of other pages.


OUR_METHOD = "ours"
CLUSTERS = "blocks of links against marked ones"
CLASSES = "navigation or not, cross-validated by site"
REPETITION = "menus by repetition on siblings"
BY_MARKUP = "menus by one page, other sites teach, against the markup"
BY_SIBLINGS = "menus by one page, other sites teach, against siblings"
MARKED_FILES, PAGED_FILES = "kreuzer-*.tar.xz", "autopager*.jsonl.xz"
BY_SHIPPED = "menus by one page, shipped model, against the markup"
PAGINATION = "pagination links"
EACH_PAGE, CURVE = "each page", "learning curve"  # long tables, for JSON and plots only
NAVIGATION_PARTS = ("clusters", "classes", "menus", "pagination")
NAVIGATION_STEPS = 100  # a floor is rounded to 1/100: training libraries differ a little
HELD_ROWS = {  # by table: the rows with floors, by their first figure, and which figures
    CLUSTERS: (("CHD", OUR_METHOD), ("ari", "ami")),
    CLASSES: ((OUR_METHOD,), ("f1", "auc", "auc_blocks")),
    **dict.fromkeys((REPETITION, BY_MARKUP, BY_SIBLINGS), ((MEAN_OF_SITES,), ("found", "called"))),
    PAGINATION: (("cross-validated by site",), ("f1",)),
}

Tables: TypeAlias = dict[str, list[Any]]  # rows by title
MakeTables: TypeAlias = Callable[
    [Any, Path | None], Tables
]  # of a part; its plots go into a folder


def cluster_tables(pages: Sequence[MarkedPage], plots: Path | None) -> Tables:
    """Score the methods to cluster links that learn nothing."""
    scores = score_clusterings(pages, clustering_methods())
    if plots is not None:
        plot_clusterings(scores, plots)
    return {CLUSTERS: mean_clusterings(scores), EACH_PAGE: scores}


def plot_clusterings(scores: Sequence[BlockScore], plots: Path) -> None:
    """Draw Figures 5 and 6."""
    for measure, number in (("ari", 5), ("ami", 6)):
        plot(
            plots / f"figure-{number}-{measure}.svg",
            cumulative(scores, measure),
            title=f"Share of pages below {measure.upper()}",
            x=measure.upper(),
            y="share of pages",
        )


def menu_tables(blocks: Sequence[SiteBlock], _plots: Path | None = None) -> Tables:
    """Score menus by repetition, and by the shipped model."""
    shipped = menus_by_shipped(training_blocks(blocks))
    return {REPETITION: menus_by_repetition(blocks), BY_SHIPPED: shipped}


def pagination_tables(pages: Sequence[PagedPage], _plots: Path | None = None) -> Tables:
    """Score pagination links."""
    return {PAGINATION: [with_shipped_pagination(pages)]}


PART_TABLES: dict[str, MakeTables] = {
    "clusters": cluster_tables,
    "menus": menu_tables,
    "pagination": pagination_tables,
}


@dataclass(frozen=True, slots=True)
class NavigationData:
    """A folder or file of labelled data."""

    path: Path
    cache: Path  # folder for unpacked pages
    left_out: list[str] = field(default_factory=list)  # pages that are empty or not HTML

    def marked_pages(self) -> list[MarkedPage]:
        """Read the hand-marked pages, packed or not."""
        path = self.path
        archives = sorted(path.glob(MARKED_FILES)) if path.is_dir() else []
        if path.is_file() and path.name.endswith(".tar.xz"):
            archives = [path]
        folders = [unpacked(archive, self.cache) for archive in archives]
        if not folders and path.is_dir() and next(path.rglob(f"*{PLAIN_ENDING}"), None) is not None:
            folders = [path]
        read = [read_marked_pages(folder, self.left_out.append) for folder in folders]
        return [marked_page(page) for pages in read for page in pages]

    def site_blocks(self) -> list[SiteBlock]:
        """Read the blocks of links of whole sites."""
        if not (self.path / SITES_NAME).is_file():
            return []
        sites = site_folders(self.path, self.cache)
        return [block for site in sites for block in site_blocks(site, self.left_out.append)]

    def paged_pages(self) -> list[PagedPage]:
        """Read the pages with marked pagination links."""
        is_file = self.path.is_file() and self.path.name.endswith(ROWS_ENDING)
        files = [self.path] if is_file else sorted(self.path.glob(PAGED_FILES))
        left_out = self.left_out.append
        return [page for file in files for page in read_paged_pages(file, left_out)]


def evaluate_navigation(
    data: NavigationData,
    parts: Sequence[str],
    plots: Path | None = None,
    make: Mapping[str, MakeTables] = PART_TABLES,
) -> Evaluated:
    """Score parts for which there is data, by the tables that there are of them."""
    parts = [part for part in NAVIGATION_PARTS if part in parts and part in make]
    marked = data.marked_pages() if {"clusters", "classes"} & set(parts) else []
    blocks = data.site_blocks() if "menus" in parts else []
    paged = data.paged_pages() if "pagination" in parts else []
    known: dict[str, tuple[Sequence[Any], Iterable[bytes]]] = {
        **dict.fromkeys(("clusters", "classes"), (marked, [one.page.body for one in marked])),
        "menus": (blocks, {block.page: block.known.page.body for block in blocks}.values()),
        "pagination": (paged, [one.page.body for one in paged]),
    }
    found: Tables = {}
    measured = []
    for part in parts:
        pages, bodies = known[part]
        if pages:
            tables = make[part](pages, plots)
            measured.append(Measured(corpus_digest(bodies), held_navigation(tables), part))
            found |= tables
    shown = [all_figures(title, rows) for title, rows in found.items() if rows]
    values = {title: [asdict(row) for row in rows] for title, rows in found.items()}
    parts_shown = [one for one in shown if one.title not in {EACH_PAGE, CURVE}]
    return Evaluated(parts_shown, values, measured=measured, left_out=data.left_out)


def all_figures(title: str, rows: Sequence[Any]) -> ScoreTable:
    """Show all figures of rows."""
    names = tuple(one.name.replace("_", " ") for one in fields(rows[0]))
    cells = [
        [figure(value, ".3f" if isinstance(value, float) else "") for value in asdict(row).values()]
        for row in rows
    ]
    return ScoreTable(title, names, tuple(cells))


def held_navigation(tables: Tables) -> dict[tuple[str, ...], float]:
    """Return the scores that have floors, by table and row, and measure."""
    found: dict[tuple[str, ...], float] = {}
    for title, (names, measures) in HELD_ROWS.items():
        for values in map(asdict, tables.get(title, ())):
            name = next(iter(values.values()))
            if name in names:
                found |= {(f"{title}: {name}", measure): values[measure] for measure in measures}
    return found
