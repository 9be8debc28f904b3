"""Scores of items against labelled sites."""

from typing import TYPE_CHECKING

from webstencil.evaluate.tables import Evaluated, grouped, means, score_table

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import TypedDict, Unpack
from urllib.parse import unquote, urlsplit

import click

from research.papers.published_content import gold_of, read_gold_sites
from webstencil.cli.evaluate_commands import evaluation, with_cache
from webstencil.cli.method_options import (
    PAPER,
    chosen_segmenters,
    preset_option,
    segmenters_option,
    set_options,
)
from webstencil.cli.options import pages_root_option
from webstencil.errors import RenderError
from webstencil.evaluate.labelled_data import (
    REDIRECT,
    LabelledSite,
    LeftOut,
    labelled_sites,
    nobody,
    read_page,
    readable_page,
)
from webstencil.evaluate.locating import AttributeSite, read_attribute_sites
from webstencil.evaluate.scores import WordScore, compare_words, score_counts, words_and_signs
from webstencil.evaluate.snapshots import KeepingRenderer
from webstencil.items.headlines import BODY, HEADLINE, kind_items, marked_items
from webstencil.items.metadata import metadata
from webstencil.items.products import amount, find_prices, product
from webstencil.items.rows import rows
from webstencil.markup.parse import links, parse
from webstencil.model import Item, Page, Snapshot
from webstencil.protocols import Renderer, Segmenter
from webstencil.site.lay import describe_own
from webstencil.sources import Folder
from webstencil.stages import find_areas
from webstencil.urls import url_hash

# Products of pages against their prices (SWDE).


PRICE = "price"
NAMES = ("model", "title")  # attributes of SWDE that name the product
PRODUCT_COLUMNS = ("site=name", "pages", "found", "priced", "right", "wrong", "named")

_LOOSE = re.compile(r"\d[\d.,]*\d|\d")


@dataclass(frozen=True, slots=True)
class ProductRow:
    """Counts of a site, or of all sites of a vertical."""

    name: str
    pages: int
    found: int  # pages with a product
    priced: int  # pages whose gold has a price
    right: int  # pages whose product has that price
    wrong: int  # pages whose product has another price than the gold
    named: int  # pages whose product has the name of the gold, or a part of it


def product_rows(sites: Sequence[AttributeSite]) -> list[ProductRow]:
    """Count for each site, and for all sites of each vertical."""
    by_site = [(site.vertical, measure_site(site)) for site in sites]
    verticals = sorted({vertical for vertical, _ in by_site})
    return [row for _, row in by_site] + [
        total_products(f"all of {kind}", [row for vertical, row in by_site if vertical == kind])
        for kind in verticals
    ]


def measure_site(site: AttributeSite) -> ProductRow:
    """Look for a product on each page of a site."""
    rows = []
    for page in site.pages:
        found = product(parse(page.raw))
        prices = frozenset(map(plain_price, page.gold.get(PRICE, ())))
        names = [name.lower() for known in NAMES for name in page.gold.get(known, ())]
        price = plain_price(dict(found[0].fields).get(PRICE, "")) if found else ""
        name = found[0].text.lower() if found else ""
        rows.append(
            ProductRow(
                name=site.name,
                pages=1,
                found=len(found),
                priced=bool(prices),
                right=price != "" and price in prices,
                wrong=price != "" and bool(prices) and price not in prices,
                named=name != "" and any(one in name or name in one for one in names),
            )
        )
    return total_products(site.name, rows)


def plain_price(text: str) -> str:
    """Write a price as digits without zero cents."""
    known = find_prices(text)
    loose = _LOOSE.search(text)
    digits = known[0].amount if known else amount(loose[0]) if loose else ""
    return digits.removesuffix(".00")


def total_products(name: str, rows: Iterable[ProductRow]) -> ProductRow:
    """Add up counts."""
    counts = [[int(value) for key, value in asdict(row).items() if key != "name"] for row in rows]
    return ProductRow(name, *[sum(column) for column in zip(*counts, strict=True)])


# Headlines and bodies of articles: by size, as in the CPS paper, and by kinds of areas.
#
# A headline is right if it contains the page's title from its metadata; bodies are compared word by
# word with the content that a selector gives. Pages are rendered; hits have the same headlines and
# bodies, as far as their areas are located.


HEADLINE_COLUMNS = (
    *("segmenter", "rule", "pages", "headlines:.1f", "title in one=titled:.2f", "bodies:.1f"),
    *("P=precision:.3f", "R=recall:.3f", "F=f:.3f"),
)
SIZE, KIND = "size", "kind"


@dataclass(frozen=True, slots=True)
class HeadlineScore:
    """The headlines and bodies of a page."""

    segmenter: str
    rule: str
    headlines: int
    titled: bool  # one of them has the page's title
    bodies: int
    word: WordScore


@dataclass(frozen=True, slots=True)
class HeadlineRow:
    """The scores of a rule on the areas of a segmenter: means over pages."""

    segmenter: str
    rule: str
    pages: int
    headlines: float
    titled: float  # 0..1
    bodies: float
    precision: float  # 0..1, over words of bodies
    recall: float  # 0..1
    f: float  # 0..1


@dataclass(frozen=True, slots=True)
class Articles:
    """Some articles of each site of a sites.json."""

    path: Path
    pages_root: Path | None  # folder of the sites, that of the file if there is none
    pages: int  # of each site


def headline_rows(
    articles: Articles,
    segmenters: Mapping[str, Segmenter],
    renderer: Renderer,
    left_out: LeftOut = nobody,
) -> list[HeadlineRow]:
    """Judge some articles of each site of a sites.json."""
    scores: list[HeadlineScore] = []
    for site in read_gold_sites(articles.path, articles.pages_root):
        source = Folder((articles.pages_root or articles.path.parent) / site.name)
        for known in [known for known in site.pages if known.selector][: articles.pages]:
            page, gold = readable_page(known.raw, left_out), gold_of(known)
            if page is not None and gold:
                try:
                    snapshot = renderer.render(page, source)
                except RenderError:
                    continue
                scores += judged(page, snapshot, gold, segmenters)
    return averaged_headlines(scores)


def judged(
    page: Page, snapshot: Snapshot, gold: str, segmenters: Mapping[str, Segmenter]
) -> Iterator[HeadlineScore]:
    """Find headlines and bodies in the areas of each segmenter, by each rule."""
    title = next((item.text for item in metadata(page) if item.kind == "title"), "")
    for name, segmenter in segmenters.items():
        described = describe_own(page, find_areas(page, snapshot, segmenter))
        yield score_headlines(name, SIZE, marked_items(described), title, gold)
        yield score_headlines(name, KIND, kind_items(described), title, gold)


def score_headlines(
    segmenter: str, rule: str, items: Sequence[Item], title: str, gold: str
) -> HeadlineScore:
    """Judge the items of a page."""
    headlines = [item.text for item in items if item.kind == HEADLINE]
    bodies = [item.text for item in items if item.kind == BODY]
    wanted = plain_words(title)
    return HeadlineScore(
        segmenter=segmenter,
        rule=rule,
        headlines=len(headlines),
        titled=bool(wanted) and any(wanted in plain_words(text) for text in headlines),
        bodies=len(bodies),
        word=compare_words(words_and_signs("\n".join(bodies)), words_and_signs(gold)),
    )


def plain_words(text: str) -> str:
    """Write the words of a text with one space around each."""
    words = words_and_signs(text)
    return f" {' '.join(words)} " if words else ""


def averaged_headlines(scores: Sequence[HeadlineScore]) -> list[HeadlineRow]:
    """Average the scores of each segmenter and rule."""
    words = {"precision": "word.precision", "recall": "word.recall", "f": "word.f1"}
    return [
        HeadlineRow(
            segmenter, rule, len(own), **means(own, "headlines", "titled", "bodies", **words)
        )
        for (segmenter, rule), own in grouped(scores, "segmenter", "rule").items()
    ]


# Rows of list pages against links to articles.
#
# On a site with labels, a page that is not an article lists the articles it links to. Articles that
# a fifth of these pages link to are left out: they are in a sidebar. So the gold is approximate: a
# teaser may link to a page without a label, and a text to an article.


MOST_LISTS = 60  # pages of a site at most that are not articles
MOST_ARTICLES = 30  # articles of a site at most
EVERYWHERE = 0.2  # share of the list pages that link to an article in a sidebar
FEWEST_ARTICLES = 3  # articles that a list page links to
LISTING_COLUMNS = (
    *("site", "list pages=pages", "P=precision:.3f", "R=recall:.3f", "F=f:.3f", "dated:.3f"),
    *("with teaser=teased:.3f", "rows on articles=alarms:.3f"),
)


@dataclass(frozen=True, slots=True)
class ListingRow:
    """The scores of a site."""

    site: str
    pages: int  # list pages
    precision: float  # 0..1, rows that link to a listed article
    recall: float  # 0..1
    f: float  # 0..1
    dated: float  # 0..1, share of rows with a date
    teased: float  # 0..1, share of rows with a teaser
    alarms: float  # 0..1, share of articles on which rows were found


@dataclass(frozen=True, slots=True)
class ListPage:
    """What a page lists, by our rows and by its links to articles."""

    rows: frozenset[str]
    linked: frozenset[str]
    number: int  # of rows
    dated: int
    teased: int


def listing_rows(
    path: Path, pages_root: Path | None = None, left_out: LeftOut = nobody
) -> list[ListingRow]:
    """Judge each site of a sites.json that has list pages."""
    found = [measure_lists(site, left_out) for site in labelled_sites(path, pages_root)]
    return [row for row in found if row is not None]


def measure_lists(site: LabelledSite, left_out: LeftOut) -> ListingRow | None:
    """Judge a site; None if it has no list pages."""
    folder, labels = site.folder, dict(site.labels)
    ordered = [file for file in sorted(labels, key=url_hash) if labels[file] != REDIRECT]
    articles = frozenset(file for file in ordered if labels[file] in site.articles)
    read = {
        file: readable_page(read_page(folder, file), left_out)
        for file in chosen_files(ordered, articles)
    }
    pages = [
        list_page(page, frozenset(labels), articles)
        for file, page in read.items()
        if page is not None and file not in articles
    ]
    often = Counter(file for page in pages for file in page.linked)
    least = max(EVERYWHERE * len(pages), FEWEST_ARTICLES)
    beside = {file for file, count in often.items() if count > least}
    judged = [page for page in pages if len(page.linked - beside) >= FEWEST_ARTICLES]
    if not judged:
        return None
    scores = [score_list(page, beside) for page in judged]
    number = sum(page.number for page in judged) or 1
    return ListingRow(
        site=folder.name,
        pages=len(judged),
        precision=fmean(score.precision for score in scores),
        recall=fmean(score.recall for score in scores),
        f=fmean(score.f1 for score in scores),
        dated=sum(page.dated for page in judged) / number,
        teased=sum(page.teased for page in judged) / number,
        alarms=fmean(
            page is not None and bool(rows(page)) for file, page in read.items() if file in articles
        ),
    )


def chosen_files(ordered: Sequence[str], articles: frozenset[str]) -> list[str]:
    """Choose the first pages that are not articles, and the first articles."""
    others = [file for file in ordered if file not in articles]
    return [*others[:MOST_LISTS], *[file for file in ordered if file in articles][:MOST_ARTICLES]]


def list_page(page: Page, known: frozenset[str], articles: frozenset[str]) -> ListPage:
    """Find the rows of a page, and the articles that it links to."""
    parts = [dict(item.fields) for item in rows(page)]
    targets = {saved_target(part.get("link", ""), known) for part in parts}
    linked = {saved_target(link, known) for link in links(page)}
    return ListPage(
        rows=frozenset(name for name in targets if name is not None),
        linked=frozenset(name for name in linked if name in articles),
        number=len(parts),
        dated=sum("date" in part for part in parts),
        teased=sum("teaser" in part for part in parts),
    )


def saved_target(link: str, known: frozenset[str]) -> str | None:
    """Return the page at a URL, on any host; None if it was not saved."""
    parts = urlsplit(link)
    path = unquote(parts.path).lstrip("/")
    if parts.query:
        path = f"{path}?{unquote(parts.query)}"
    names = (path, f"{path.rstrip('/')}/index.html", f"{path}.html")
    return next((name for name in names if name in known), None)


def score_list(page: ListPage, beside: set[str]) -> WordScore:
    """Compare the links of rows with the listed articles."""
    wanted = page.linked - beside
    found = page.rows - beside
    return score_counts(len(found), len(wanted), len(found & wanted))


class SegmentersOptions(TypedDict):
    """Options that choose segmenters."""

    names: tuple[str, ...]
    values: tuple[str, ...]
    preset: str | None


# `webstencil evaluate rows`, `... headlines` and `... products`.


@evaluation("rows")
@pages_root_option
def rows_command(path: Path, pages_root: Path | None) -> Evaluated:
    """Score the rows of list pages against the articles they link to.

    PATH is a sites.json with labels beside it.
    """
    left_out: list[str] = []
    found = listing_rows(path, pages_root, left_out.append)
    return scored_items(LISTING_COLUMNS, found, left_out)


def scored_items(
    columns: Sequence[str], rows: Sequence["DataclassInstance"], left_out: Sequence[str]
) -> Evaluated:
    """Show the scores of items."""
    values = [asdict(row) for row in rows]
    return Evaluated([score_table("", columns, rows)], values, left_out=left_out)


@evaluation("headlines")
@pages_root_option
@click.option(
    "--pages", type=click.IntRange(1), default=4, show_default=True, help="Articles of each site."
)
@segmenters_option
@set_options
@preset_option
@with_cache
def headlines_command(
    path: Path,
    pages_root: Path | None,
    pages: int,
    cache: Path,
    **options: Unpack[SegmentersOptions],
) -> Evaluated:
    """Score headlines and bodies against titles and content of articles.

    PATH is a sites.json with labels beside it. Headlines are found by size and by kind.
    """
    segmenters = chosen_segmenters(
        options["names"], options["values"], published=options["preset"] == PAPER
    )
    left_out: list[str] = []
    with KeepingRenderer(cache / "snapshots") as renderer:
        articles = Articles(path, pages_root, pages)
        rows = headline_rows(articles, segmenters, renderer, left_out.append)
    return scored_items(HEADLINE_COLUMNS, rows, left_out)


@evaluation("products", "all counts")
def products_command(path: Path) -> Evaluated:
    """Score the prices of products.

    PATH is a file X.jsonl.xz of pages with the texts of their attributes, such as SWDE's.
    """
    left_out: list[str] = []
    found = product_rows(read_attribute_sites(path, left_out.append))
    return scored_items(PRODUCT_COLUMNS, found, left_out)
