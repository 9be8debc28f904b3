"""The FastContentExtractor paper's tables on other sites: time, blocks and words.

A template is prepared on some pages and judged on others. A site of 60 pages or more is split once,
a smaller one five times, so that each of its pages is judged. Every page is judged with the one
template of its site, as in the paper, and again with the template of the pages that match it.
Times are processor times of cutting a parsed page and comparing its blocks, the best of three.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from time import thread_time

from webstencil import markup
from webstencil.errors import SourceError
from webstencil.evaluate.clusters import path_stencil
from webstencil.evaluate.labelled_data import (
    REDIRECT,
    ROWS_ENDING,
    SITES_NAME,
    LeftOut,
    existing_folder,
    labelled_sites,
    nobody,
    read_page,
    read_rows,
    readable_page,
    row_page,
)
from webstencil.evaluate.scores import WordScore, compare_words, score_counts, words_and_signs
from webstencil.evaluate.tables import Evaluated, ScoreTable, mean_row, means, score_table
from webstencil.markup.parse import parse
from webstencil.model import Page, RawPage, Stencil
from webstencil.output.plot import PlotLine, plot
from webstencil.paper.content import (
    BLOCK_TAGS,
    FEWEST,
    METHODS,
    BlockTemplate,
    Chosen,
    ContentExtractor,
    Detector,
    FastContentExtractor,
    Method,
    Sorted,
    cut,
    distinct,
    sort_out,
    tags_of,
)
from webstencil.paper.match import nearest
from webstencil.settings import THRESHOLD
from webstencil.urls import url_hash

# Sites with the main content of their pages: marked by hand, or given by a selector.


LARGEST = 240  # pages taken of a whole site
NO_PAGES = (REDIRECT, "feed")  # labels


@dataclass(frozen=True, slots=True)
class SiteGold:
    """A page and its main content, if it is known: as text, or as a selector of its elements."""

    raw: RawPage
    gold: str | None = None
    selector: str | None = None


@dataclass(frozen=True, slots=True)
class GoldSite:
    """The pages of a site, in a mixed order that is always the same."""

    group: str  # the set that it belongs to
    name: str
    pages: tuple[SiteGold, ...]


def read_gold_sites(path: Path, pages_root: Path | None = None) -> Iterator[GoldSite]:
    """Read the sites of a file of pages, or of a sites.json with labels beside it."""
    if not path.is_file():
        raise SourceError(f"{path} is not a file; give a file of pages or {SITES_NAME}")
    if path.name == SITES_NAME:
        yield from selected_sites(path, pages_root)
    elif path.name.endswith(ROWS_ENDING):
        yield from marked_sites(path)
    else:
        raise SourceError(f"{path} is neither a file of pages ({ROWS_ENDING}) nor {SITES_NAME}")


def marked_sites(path: Path) -> Iterator[GoldSite]:
    """Read pages whose content was marked by hand."""
    sites: dict[tuple[str, str], list[SiteGold]] = {}
    for row in read_rows(path, ("set", "site", "id", "html", "gold")):
        page = SiteGold(row_page(row), row["gold"])
        sites.setdefault((row["set"], row["site"]), []).append(page)
    for (group, name), pages in sites.items():
        ordered = sorted(pages, key=lambda page: url_hash(page.raw.url))
        yield GoldSite(group, name, tuple(ordered))


def selected_sites(path: Path, pages_root: Path | None) -> Iterator[GoldSite]:
    """Read pages of whole sites, where a selector gives the content of articles."""
    for site in labelled_sites(path, pages_root):
        folder = existing_folder(site.folder)
        labels = {file: label for file, label in site.labels if label not in NO_PAGES}
        pages = [
            SiteGold(
                read_page(folder, file),
                selector=site.content if labels[file] in site.articles else None,
            )
            for file in sorted(labels, key=url_hash)[:LARGEST]
        ]
        yield GoldSite("sites", site.name, tuple(pages))


def gold_of(page: SiteGold) -> str | None:
    """Return the main content of a page as text, None if it is not known."""
    if page.gold is not None or page.selector is None:
        return page.gold
    parsed = readable_page(page.raw)
    if parsed is None:
        return None
    return markup.text(parsed.markup.root.select(page.selector)) or None


PREPARED = 30  # pages at most, as in the paper (section IV: 20 to 30)
LARGE = 60  # pages of a site that is split once
FOLDS = 5
JUDGED = 30  # pages at most of a large site
SMALLEST = 6  # pages of a site: each has five others
ROUNDS = 3  # of timing
MILLI = 1000  # ms in a second


class Scope(StrEnum):
    """Which pages share a template."""

    SITE = "site"
    STENCIL = "stencil"


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """The score of a method on a page."""

    method: str
    scope: Scope
    own: bool  # it has a template of its stencil, not only that of the site
    compared: int  # blocks of the template: the paper's NumBlockTemp
    blocks: int  # of the page: NumBlock
    time: float  # ms
    word: WordScore
    block: WordScore
    empty: bool  # nothing was found


@dataclass(frozen=True, slots=True)
class ContentRow:
    """The scores of a method on a site: means over its pages."""

    group: str
    site: str
    method: str
    scope: Scope
    pages: int
    own: float  # 0..1, share of pages with a template of their stencil
    compared: float
    blocks: float
    time: float  # ms a page
    precision: float  # 0..1, over words; likewise the next two
    recall: float
    f: float
    block_precision: float  # 0..1, over blocks
    block_recall: float
    block_f: float
    empty: int  # pages without any result


@dataclass(frozen=True, slots=True)
class Kit:
    """A template in use, and the pages that it is for."""

    first: Stencil | None  # None for all of the site
    template: BlockTemplate
    detector: Detector


def published_rows(
    path: Path,
    methods: Mapping[str, Method] = METHODS,
    pages_root: Path | None = None,
    left_out: LeftOut = nobody,
) -> Iterator[ContentRow]:
    """Yield the rows of each site with enough pages, site by site."""
    found = False
    for site in read_gold_sites(path, pages_root):
        if len(site.pages) >= SMALLEST:
            found = True
            yield from measure_site(site, methods, left_out)
    if not found:
        raise SourceError(f"{path} has no site with {SMALLEST} pages or more")


def measure_site(
    site: GoldSite, methods: Mapping[str, Method], left_out: LeftOut = nobody
) -> list[ContentRow]:
    """Judge the pages of a site."""
    scores: list[PublishedScore] = []
    for pool, judged in splits(site.pages):
        pages = [page for known in pool if (page := readable_page(known.raw, left_out)) is not None]
        kits = kits_of(methods, pages)
        for known in judged:
            scores += score_page(known, kits, left_out)
    return [
        content_row(site, name, scope, chosen)
        for name in methods
        for scope in Scope
        if (chosen := [score for score in scores if (score.method, score.scope) == (name, scope)])
    ]


def splits(pages: Sequence[SiteGold]) -> Iterator[tuple[list[SiteGold], list[SiteGold]]]:
    """Yield pages to prepare on and pages to judge."""
    if len(pages) >= LARGE:
        half = len(pages) // 2
        known = [page for page in pages[half:] if page.gold or page.selector]
        yield list(pages[:half]), known[:JUDGED]
        return
    for fold in range(FOLDS):
        yield (
            [page for index, page in enumerate(pages) if index % FOLDS != fold],
            [page for index, page in enumerate(pages) if index % FOLDS == fold],
        )


def kits_of(methods: Mapping[str, Method], pages: Sequence[Page]) -> dict[str, list[Kit]]:
    """Prepare the templates of a site for each method, that of the whole site first."""
    groups: list[tuple[Stencil | None, list[Page]]] = [(None, list(pages)), *clusters_of(pages)]
    kits: dict[str, list[Kit]] = {name: [] for name in methods}
    for stencil, members in groups:
        if len(members) < FEWEST:
            continue
        known: dict[tuple[float, bool], Sorted] = {}
        for name, method in methods.items():
            kind = method.share, method.published_tags
            if kind not in known:
                tags = tags_of(published=method.published_tags)
                known[kind] = sort_out(members[:PREPARED], method.share, tags)
            template = method.learn(known[kind])
            kits[name].append(Kit(stencil, template, method.ready(template)))
    return kits


def clusters_of(pages: Sequence[Page]) -> list[tuple[Stencil, list[Page]]]:
    """Group pages by the first page that is near enough."""
    found: dict[str, tuple[Stencil, list[Page]]] = {}
    for page in pages:
        match = nearest(page, (stencil for stencil, _ in found.values()))
        if match is None or match.distance > THRESHOLD:
            stencil = path_stencil(page, len(found))
            found[stencil.key] = (stencil, [page])
        else:
            found[match.stencil.key][1].append(page)
    return list(found.values())


def score_page(
    known: SiteGold, kits: Mapping[str, Sequence[Kit]], left_out: LeftOut = nobody
) -> Iterator[PublishedScore]:
    """Judge a page with all methods, if its content is known and there is a template."""
    gold = gold_of(known)
    page = readable_page(known.raw, left_out)
    if not gold or page is None:
        return
    uses = [
        (name, scope, prepared[0] if scope is Scope.SITE else kit_for(page, prepared))
        for name, prepared in kits.items()
        for scope in (Scope if prepared else ())
    ]
    times = timed([kit.detector for _, _, kit in uses], known.raw)
    for (name, scope, used), time in zip(uses, times, strict=True):
        chosen = used.detector.choose(page)
        text = used.detector.text(chosen)
        yield PublishedScore(
            method=name,
            scope=scope,
            own=used.first is not None,
            compared=len(distinct(used.template.blocks)),
            blocks=chosen.made,
            time=time * MILLI,
            word=compare_words(words_and_signs(text), words_and_signs(gold)),
            block=block_overlap(page, chosen, gold, used.detector.tags),
            empty=not text,
        )


def kit_for(page: Page, kits: Sequence[Kit]) -> Kit:
    """Return the template of the pages that match this one, else that of the site."""
    match = nearest(page, (kit.first for kit in kits if kit.first is not None))
    if match is None or match.distance > THRESHOLD:
        return kits[0]
    return next(kit for kit in kits if kit.first is match.stencil)


def timed(detectors: Sequence[Detector], raw: RawPage) -> list[float]:
    """Return the least time (s) of each detector for a page; they take turns on fresh pages."""
    least = [float("inf")] * len(detectors)
    for _ in range(ROUNDS):
        for index, detector in enumerate(detectors):
            page = parse(raw)
            start = thread_time()
            detector.choose(page)
            least[index] = min(least[index], thread_time() - start)
    return least


def block_overlap(
    page: Page, chosen: Chosen, gold: str, tags: frozenset[str] = BLOCK_TAGS
) -> WordScore:
    """Compare blocks; one is content if its words follow each other in the gold as well."""
    found = cut(page, blocks=tags)
    whole = f" {' '.join(words_and_signs(gold))} "
    said = {
        node: words
        for node, part in zip(found.nodes, found.parts(), strict=True)
        if (words := " ".join(words_and_signs(part.text)))
    }
    wanted = {node for node, words in said.items() if f" {words} " in whole}
    taken = chosen.nodes & said.keys()
    return score_counts(len(taken), len(wanted), len(taken & wanted))


def content_row(
    site: GoldSite, method: str, scope: Scope, scores: Sequence[PublishedScore]
) -> ContentRow:
    """Average the scores of a site's pages."""
    words = {"precision": "word.precision", "recall": "word.recall", "f": "word.f1"}
    blocks = {f"block_{name}": path.replace("word", "block") for name, path in words.items()}
    return ContentRow(
        group=site.group,
        site=site.name,
        method=method,
        scope=scope,
        pages=len(scores),
        **means(scores, "own", "compared", "blocks", "time", **words, **blocks),
        empty=sum(score.empty for score in scores),
    )


# Scores of the published content extractors: the paper's tables, with ours and its own.


TIME_COLUMNS = ("set", "site", "pages", "CE: NBT / NB / ms", "FastCE: NBT / NB / ms", "CE / FastCE")
TITLES = {
    Scope.SITE: "time with one template a site: blocks compared with / blocks of a page / ms",
    Scope.STENCIL: "the same with one template a stencil",
}

PAPER = "the paper's own figures: other sites and another machine; times in s"
PAPER_COLUMNS = (
    *("site", "CE: NBT / NB / s", "FastCE: NBT / NB / s", "CE / FastCE"),
    *("block F, CE", "block F, FastCE", "word F, CE", "word F, FastCE"),
)
PAPER_ROWS = (
    ("dantri.com.vn", "86 / 319 / 1.914", "14 / 41 / 0.964", "1.99", ".97", ".97", ".978", ".991"),
    ("kenh14.vn", "247 / 500 / 18.4", "26 / 46 / 1.39", "13.24", "1.00", "1.00", "1.00", "1.00"),
    (
        *("thanhnien.com.vn", "111 / 326 / 1.817", "19 / 14 / 0.703", "2.59"),
        *(".90", ".89", ".978", ".992"),
    ),
    ("vietnamnet.vn", "23 / 121 / 0.563", "3 / 22 / 0.527", "1.07", ".83", "1.00", ".99", ".999"),
    ("news.yahoo.com", "114 / 171 / 1.883", "34 / 48 / 0.938", "2.01", ".86", ".92", ".89", ".958"),
    ("cnn.com", "112 / 266 / 2.924", "20 / 15 / 2.002", "1.47", ".91", ".75", ".99", ".99"),
    ("news.bbc.co.uk", "77 / 174 / 1.401", "16 / 45 / 0.565", "2.48", ".88", ".94", ".957", ".96"),
    ("nytimes.com", "318 / 146 / 2.273", "58 / 17 / 1.557", "1.46", ".90", ".91", ".966", ".966"),
)


def time_cells(rows: Sequence[ContentRow], scope: Scope) -> Iterable[list[str]]:
    """Write Table II: both methods side by side."""
    for one, other in pairs(rows, scope):
        yield [
            one.group,
            one.site,
            str(one.pages),
            page_cost(one),
            page_cost(other),
            times_faster(one, other),
        ]


def pairs(rows: Sequence[ContentRow], scope: Scope) -> list[tuple[ContentRow, ContentRow]]:
    """Return the rows of both methods for each site that has both."""
    both = {(row.group, row.site, row.method): row for row in rows if row.scope is scope}
    return [
        (row, both[group, site, "fastce"])
        for (group, site, method), row in both.items()
        if method == "ce" and (group, site, "fastce") in both
    ]


def page_cost(row: ContentRow) -> str:
    """Write the cost of a page."""
    return f"{row.compared:.0f} / {row.blocks:.0f} / {row.time:.2f}"


def times_faster(one: ContentRow, other: ContentRow) -> str:
    """Write how many times faster the other one is."""
    return f"{one.time / other.time:.2f}" if other.time else "-"


ACCURACY_COLUMNS = (
    *("set=group", "site", "method", "template of=scope", "own:.0%", "pages"),
    *("block P=block_precision:.3f", "block R=block_recall:.3f", "block F=block_f:.3f"),
    *("word P=precision:.3f", "word R=recall:.3f", "word F=f:.3f", "empty"),
)


def evaluate_published(
    path: Path,
    names: Sequence[str],
    *,
    pages_root: Path | None,
    share: float,
    published_tags: bool,
    plots: Path | None,
) -> Evaluated:
    """Score published methods: times, accuracy, the means, and the paper's own figures."""
    known: dict[str, Method] = {
        "ce": ContentExtractor(share, published_tags),
        "fastce": FastContentExtractor(share, published_tags),
    }
    left_out: list[str] = []
    methods = {name: known[name] for name in names}
    rows = list(published_rows(path, methods, pages_root, left_out.append))
    if plots is not None:
        plot_times(plots / "figure-6-times.svg", rows)
    sums = mean_rows(rows)
    parts: list[ScoreTable | str] = [
        *(ScoreTable(TITLES[one], TIME_COLUMNS, tuple(time_cells(rows, one))) for one in Scope),
        score_table("blocks and words of each site", ACCURACY_COLUMNS, rows),
        score_table("means over the pages of each set", ACCURACY_COLUMNS, sums),
        ScoreTable(PAPER, PAPER_COLUMNS, PAPER_ROWS),
        *slower(rows),
    ]
    values = {
        "rows": [asdict(row) for row in rows],
        "sums": [asdict(row) for row in sums],
        "paper": {"source": PAPER, "columns": PAPER_COLUMNS, "rows": PAPER_ROWS},
    }
    every_row = score_table("", ACCURACY_COLUMNS, rows)
    return Evaluated(parts, values, every_row, left_out=left_out)


def slower(rows: Sequence[ContentRow]) -> Iterable[str]:
    """Write on which sites FastCE is slower."""
    for scope in Scope:
        found = pairs(rows, scope)
        lost = [one.site for one, other in found if other.time >= one.time]
        words = f": {', '.join(lost)}" if lost else ""
        yield f"template of {scope}: FastCE is slower on {len(lost)} of {len(found)} sites{words}"


def plot_times(path: Path, rows: Sequence[ContentRow]) -> None:
    """Draw the time of both methods on each site (Figure 6), in the order of the table."""
    found = pairs(rows, Scope.SITE)
    lines = [
        PlotLine(
            name, tuple((float(place), pair[which].time) for place, pair in enumerate(found, 1))
        )
        for which, name in enumerate(("CE", "FastCE"))
    ]
    plot(path, lines, title="Time of a page", x="site, in the order of the table", y="ms")


def mean_rows(rows: Sequence[ContentRow]) -> list[ContentRow]:
    """Average over the pages of each set, and over all."""
    groups = [*dict.fromkeys(row.group for row in rows)]
    kinds = dict.fromkeys((row.method, row.scope) for row in rows)
    sums = []
    for group in [*groups, "all"] if len(groups) > 1 else groups:
        for kind in kinds:
            members = [row for row in rows if (row.method, row.scope) == kind]
            sums.append(
                mean_content([row for row in members if group in {row.group, "all"}], group)
            )
    return sums


def mean_content(rows: Sequence[ContentRow], group: str) -> ContentRow:
    """Average rows, weighted by their pages."""
    pages = [row.pages for row in rows]
    return replace(
        mean_row(rows, weights=pages),
        group=group,
        site=f"{len(rows)} sites",
        pages=sum(pages),
        empty=sum(row.empty for row in rows),
    )
