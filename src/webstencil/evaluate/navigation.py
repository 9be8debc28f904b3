"""Navigation against marked blocks, repetition on siblings, and marked pagination links."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from statistics import fmean
from typing import TypeAlias

from research.training.navigation import precision_recall
from webstencil.evaluate.hand_marked import LabelledPage
from webstencil.evaluate.labelled_data import (
    REDIRECT,
    SITES_NAME,
    LeftOut,
    nobody,
    read_page,
    read_rows,
    read_sites_file,
    readable,
    row_body,
    site_labels,
    unpacked,
)
from webstencil.evaluate.scores import adjusted_information
from webstencil.kinds.marks import Mark, marks_of
from webstencil.markup import Node, attribute, descendants
from webstencil.model import NO_PARENT, Page, RawPage
from webstencil.navigation import PageLinks, SiblingLinks, page_links
from webstencil.navigation.chd import PaperRule, gap_threshold, gaps
from webstencil.navigation.classify import Row, read_model, read_weights
from webstencil.navigation.features import full_rows
from webstencil.navigation.links import HYPERLINKS, Links, links_of, paper_links
from webstencil.navigation.pagination import link_rows
from webstencil.navigation.repetition import GREY, REPEATED
from webstencil.navigation.sequences import Judge
from webstencil.navigation.spread import TIMES, Spread
from webstencil.output.plot import PlotLine
from webstencil.site.outline import outline
from webstencil.site.site_model import OutlinedPage, SiteModel
from webstencil.site.stability import adjusted_rand

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
    links = links_of(page)
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


def site_folders(path: Path, cache: Path) -> Iterator[SiteFolder]:
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


def site_blocks(site: SiteFolder, left_out: LeftOut = nobody) -> Iterator[SiteBlock]:
    """Yield the blocks of some pages, each with the share of five siblings that have its links."""
    rng = random.Random(SITE_SEED)
    for label, paths in sorted(paths_by_type(site).items()):
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


def paths_by_type(site: SiteFolder) -> dict[str, list[str]]:
    """Group the pages of a site by page type."""
    found: dict[str, list[str]] = {}
    for path, label in site.labels:
        found.setdefault(label, []).append(path)
    return found


def read_site_page(site: SiteFolder, path: str, left_out: LeftOut = nobody) -> PageLinks | None:
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
    page, marks = known.page, marks_of(known.page)
    inside = inside_content(page, content)
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


SITE_FOLDS = 5  # a site is in one of them


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
        page = readable(RawPage(row["url"], row_body(row), charset=row["encoding"]), left_out)
        if page is not None:
            links = links_of(page)
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


def train_pagination(pages: Sequence[PagedPage]) -> str:
    """Fit a model to all links of some pages."""
    rows: list[Row] = []
    labels: list[bool] = []
    for known in pages:
        for link, row in link_rows(known.page, known.links, range(len(known.links))).items():
            rows.append(row)
            labels.append(link in known.gold)
    return learning.fit_logistic(rows, labels, [1.0] * len(rows))


def found_by(model: str, known: PagedPage) -> frozenset[int]:
    """Return the links that a model finds."""
    return Judge(read_weights(model)).found(known.page, known.links, range(len(known.links)))


def cross_validate_pagination(pages: Sequence[PagedPage]) -> SequenceScore:
    """Score models that have seen no page of the fold's sites."""
    names = sorted({page.site for page in pages})
    fold = {name: number % SITE_FOLDS for number, name in enumerate(names)}
    pairs: list[tuple[bool, bool]] = []
    for number in range(SITE_FOLDS):
        model = train_pagination([page for page in pages if fold[page.site] != number])
        for page in pages:
            if fold[page.site] == number:
                answers = found_by(model, page)
                pairs += [(link in answers, link in page.gold) for link in range(len(page.links))]
    return sequence_score("cross-validated by site", pages, pairs)


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


def with_shipped_pagination(pages: Sequence[PagedPage], model: str) -> SequenceScore:
    """Score the shipped model, which may have been trained on these pages."""
    pairs = []
    for page in pages:
        answers = found_by(model, page)
        pairs += [(link in answers, link in page.gold) for link in range(len(page.links))]
    return sequence_score("shipped model", pages, pairs)


# Menus by repetition on siblings, and by a model that was trained on repetition.
#
# Repetition needs no labels: a block with most of its links on most siblings is a menu, one with
# hardly any is not. A model is trained on that on all sites but one, and tested there, against the
# siblings of that site and against its markup (`site_blocks`).


MENU_COST = (
    0.01  # of a mistake, for standardised features: few sites train it; 0.003 to 0.1 are as good
)
MOST_OF_SITE = 300  # training blocks of a site
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
            menu_score(
                site, [(b.share, b.zone, b.share >= REPEATED) for b in blocks if b.site == site]
            )
            for site in sorted({block.site for block in blocks})
        ]
    )


def menu_score(site: str, answers: Sequence[tuple[float, str, bool]]) -> MenuScore:
    """Score answers, each with the share of siblings and the zone of its block."""
    menus = [called for _, zone, called in answers if zone == MENU]
    contents = [called for _, zone, called in answers if zone == CONTENT]
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
    mean = MenuScore(
        MEAN_OF_SITES,
        fmean(row.blocks for row in rows),
        fmean(row.menus for row in rows),
        fmean(row.found for row in rows),
        fmean(row.contents for row in rows),
        fmean(row.called for row in rows),
        fmean(row.grey for row in rows),
    )
    pooled = MenuScore(
        "all blocks",
        blocks,
        menus,
        sum(row.found * row.menus for row in rows) / max(1, menus),
        contents,
        sum(row.called * row.contents for row in rows) / max(1, contents),
        sum(row.grey * row.blocks for row in rows) / max(1, blocks),
    )
    return [*rows, mean, pooled]


def training_blocks(blocks: Sequence[SiteBlock]) -> list[TrainingBlock]:
    """Return blocks with their features."""
    pages: dict[tuple[str, str], list[SiteBlock]] = {}
    for block in blocks:
        pages.setdefault((block.site, block.page), []).append(block)
    found = []
    for group in pages.values():
        known = group[0].known
        rows = full_rows(known.page, known.links, [block.block for block in group])
        found += [
            TrainingBlock(block.site, row, block.share, block.zone)
            for block, row in zip(group, rows, strict=True)
        ]
    return found


def train_menus(blocks: Sequence[TrainingBlock]) -> str:
    """Fit a model to repetition; sites and classes have the same weight."""
    kept = [
        block for site in sorted({b.site for b in blocks}) for block in clear_blocks(blocks, site)
    ]
    sizes: dict[tuple[str, bool], int] = {}
    for block in kept:
        group = (block.site, block.share >= REPEATED)
        sizes[group] = sizes.get(group, 0) + 1
    labels = [block.share >= REPEATED for block in kept]
    weights = [
        len(kept) / len(sizes) / sizes[block.site, label]
        for block, label in zip(kept, labels, strict=True)
    ]
    return learning.fit_logistic([block.row for block in kept], labels, weights, cost=MENU_COST)


def clear_blocks(blocks: Sequence[TrainingBlock], site: str) -> list[TrainingBlock]:
    """Take clear blocks of a site, evenly over its pages."""
    sure = [b for b in blocks if b.site == site and not GREY[0] < b.share < GREY[1]]
    step = max(1, -(-len(sure) // MOST_OF_SITE))
    return sure[::step]


def leave_one_out(blocks: Sequence[TrainingBlock]) -> tuple[list[MenuScore], list[MenuScore]]:
    """Train on all sites but one and test there, against the markup and against siblings."""
    by_markup, by_siblings = [], []
    for site in sorted({block.site for block in blocks}):
        model = read_model(train_menus([block for block in blocks if block.site != site]))
        tested = [block for block in blocks if block.site == site]
        called = [model.score(block.row) > 0 for block in tested]
        pairs = list(zip(tested, called, strict=True))
        by_markup.append(menu_score(site, [(b.share, b.zone, answer) for b, answer in pairs]))
        by_siblings.append(
            menu_score(site, [(b.share, zone_by_repetition(b), answer) for b, answer in pairs])
        )
    return with_mean_menus(by_markup), with_mean_menus(by_siblings)


def zone_by_repetition(block: TrainingBlock) -> str:
    """Return the zone of a block by repetition; nothing where that is unclear."""
    if block.share >= GREY[1]:
        return MENU
    return CONTENT if block.share <= GREY[0] else ""


# Blocks of links against hand-marked ones: Tables 1 and 2, Figures 5 and 6 of the paper.
#
# Links outside of marked blocks are clustered with the others but not judged.


BlockNumbers: TypeAlias = Sequence[int]  # the block of each link
ClusteringMethod: TypeAlias = Callable[[MarkedPage], BlockNumbers]

BLOCK_FOLDS = 10  # a site is in one of them
FACTORS = (1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 4.0)  # tried for the threshold
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
    """Return the methods to compare, by name."""
    return {
        "CHD": lambda page: numbered(PaperRule().blocks(page.page)),
        "CHD-HD": lambda page: numbered(PaperRule(gamma=1.0).blocks(page.page)),
        "CHD, set of distances": lambda page: numbered(PaperRule(distinct=True).blocks(page.page)),
        "CHD-HD, set of distances": lambda page: numbered(
            PaperRule(gamma=1.0, distinct=True).blocks(page.page)
        ),
        "single linkage": single_linkage,
        "DBSCAN": by_density,
        "K-Means, true K": lambda page: with_true_k(page, learning.k_means),
        "spectral, true K": lambda page: with_true_k(page, learning.spectral),
        "ours": lambda page: numbered(Spread().blocks(page.page)),
    }


def numbered(blocks: Sequence[range]) -> list[int]:
    """Return the number of each link's block."""
    return [number for number, block in enumerate(blocks) for _ in block]


def single_linkage(page: MarkedPage) -> BlockNumbers:
    """Cluster at the paper's threshold: on a line, that is a cut at each larger gap."""
    distances = gaps(paper_links(page.page).places)
    threshold = gap_threshold(distances)
    return list(accumulate((int(gap > threshold) for gap in distances), initial=0))


def by_density(page: MarkedPage) -> BlockNumbers:
    """Run DBSCAN at the paper's threshold."""
    positions = paper_links(page.page).places
    return learning.dbscan(positions, gap_threshold(gaps(positions)))


def with_true_k(
    page: MarkedPage, method: Callable[[Sequence[int], int], list[int]]
) -> BlockNumbers:
    """Run a method that is given the number of blocks and the judged links only."""
    positions, judged = paper_links(page.page).places, page.marked
    count = len({page.blocks[link] for link in judged})
    found = method([positions[link] for link in judged], count)
    labels = [-1] * len(positions)
    for link, label in zip(judged, found, strict=True):
        labels[link] = label
    return labels


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
    groups: dict[str, list[BlockScore]] = {}
    for known in scores:
        groups.setdefault(known.method, []).append(known)
    return [
        ClusterScore(
            method=name,
            pages=len(group),
            ari=fmean(known.ari for known in group),
            ami=fmean(known.ami for known in group),
            blocks=fmean(known.blocks for known in group),
        )
        for name, group in groups.items()
    ]


def cross_validated_clusterings(pages: Sequence[MarkedPage]) -> list[BlockScore]:
    """Score our rule with its factor chosen, for each fold of sites, on the other folds."""
    judged = [page for page in pages if len(page.marked) > 1]
    table = {
        factor: [
            clustering_score("", page, numbered(Spread(factor).blocks(page.page)))
            for page in judged
        ]
        for factor in FACTORS
    }
    found = []
    for number, page in enumerate(judged):
        others = [
            index for index in range(len(judged)) if index % BLOCK_FOLDS != number % BLOCK_FOLDS
        ]
        means = {
            factor: fmean(scores[index].ari for index in others) for factor, scores in table.items()
        }
        best = max(means, key=means.__getitem__) if others else TIMES
        chosen = table[best][number]
        found.append(
            BlockScore("ours, cross-validated", page.name, chosen.ari, chosen.ami, chosen.blocks)
        )
    return found


def with_factors(pages: Sequence[MarkedPage]) -> list[ClusterScore]:
    """Score our rule with each factor, with and without whole lists."""
    rules = [Spread(factor, lists) for lists in (True, False) for factor in FACTORS]
    scores = [
        clustering_score(str(rule), page, numbered(rule.blocks(page.page)))
        for rule in rules
        for page in pages
        if len(page.marked) > 1
    ]
    return mean_clusterings(scores)


def cumulative(scores: Sequence[BlockScore], measure: str) -> list[PlotLine]:
    """Return the share of pages below each score, method by method (Figures 5 and 6)."""
    groups: dict[str, list[float]] = {}
    for known in scores:
        groups.setdefault(known.method, []).append(getattr(known, measure))
    levels = [step / CURVE_STEPS for step in range(CURVE_STEPS + 1)]
    return [
        PlotLine(
            name,
            tuple(
                (level, sum(value < level for value in values) / len(values)) for level in levels
            ),
        )
        for name, values in groups.items()
    ]
