"""Rows of list pages against links to articles.

On a site with labels, a page that is not an article lists the articles it links to. Articles that a
fifth of these pages link to are left out: they are in a sidebar. So the gold is approximate: a
teaser may link to a page without a label, and a text to an article.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from urllib.parse import unquote, urlsplit

from webstencil.evaluate.labelled_data import (
    REDIRECT,
    LeftOut,
    nobody,
    read_page,
    read_sites_file,
    readable,
    site_labels,
)
from webstencil.evaluate.words import WordScore, score_counts
from webstencil.items.rows import rows
from webstencil.markup.parse import links
from webstencil.model import Page
from webstencil.urls import url_hash

LISTS = 60  # pages of a site at most that are not articles
ARTICLES = 30  # articles of a site at most
EVERYWHERE = 0.2  # share of the list pages that link to an article in a sidebar
FEWEST = 3  # articles that a list page links to
COLUMNS = ("site", "list pages", "P", "R", "F", "dated", "with teaser", "rows on articles")


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


def evaluate(
    path: Path, pages_root: Path | None = None, left_out: LeftOut = nobody
) -> list[ListingRow]:
    """Judge each site of a sites.json that has list pages."""
    found = []
    for name, facts in read_sites_file(path).items():
        labels = dict(site_labels(path, name))
        articles = frozenset(facts["article_labels"])
        row = measure((pages_root or path.parent) / name, labels, articles, left_out)
        if row is not None:
            found.append(row)
    return found


def measure(
    folder: Path, labels: Mapping[str, str], article_labels: frozenset[str], left_out: LeftOut
) -> ListingRow | None:
    """Judge a site; None if it has no list pages."""
    ordered = [file for file in sorted(labels, key=url_hash) if labels[file] != REDIRECT]
    articles = frozenset(file for file in ordered if labels[file] in article_labels)
    read = {file: readable(read_page(folder, file), left_out) for file in chosen(ordered, articles)}
    pages = [
        list_page(page, frozenset(labels), articles)
        for file, page in read.items()
        if page is not None and file not in articles
    ]
    often = Counter(file for page in pages for file in page.linked)
    least = max(EVERYWHERE * len(pages), FEWEST)
    beside = {file for file, count in often.items() if count > least}
    judged = [page for page in pages if len(page.linked - beside) >= FEWEST]
    if not judged:
        return None
    scores = [score(page, beside) for page in judged]
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


def chosen(ordered: Sequence[str], articles: frozenset[str]) -> list[str]:
    """Choose the first pages that are not articles, and the first articles."""
    others = [file for file in ordered if file not in articles]
    return [*others[:LISTS], *[file for file in ordered if file in articles][:ARTICLES]]


def list_page(page: Page, known: frozenset[str], articles: frozenset[str]) -> ListPage:
    """Find the rows of a page, and the articles that it links to."""
    parts = [dict(item.fields) for item in rows(page)]
    targets = {target(part.get("link", ""), known) for part in parts}
    linked = {target(link, known) for link in links(page)}
    return ListPage(
        rows=frozenset(name for name in targets if name is not None),
        linked=frozenset(name for name in linked if name in articles),
        number=len(parts),
        dated=sum("date" in part for part in parts),
        teased=sum("teaser" in part for part in parts),
    )


def target(link: str, known: frozenset[str]) -> str | None:
    """Return the page at a URL, on any host; None if it was not saved."""
    parts = urlsplit(link)
    path = unquote(parts.path).lstrip("/")
    if parts.query:
        path = f"{path}?{unquote(parts.query)}"
    names = (path, f"{path.rstrip('/')}/index.html", f"{path}.html")
    return next((name for name in names if name in known), None)


def score(page: ListPage, beside: set[str]) -> WordScore:
    """Compare the links of rows with the listed articles."""
    wanted = page.linked - beside
    found = page.rows - beside
    return score_counts(len(found), len(wanted), len(found & wanted))


def report(found: Sequence[ListingRow]) -> str:
    """Write all scores as JSON."""
    return json.dumps([asdict(row) for row in found])


def cells(row: ListingRow) -> list[str]:
    """Write a row."""
    scores = (row.precision, row.recall, row.f, row.dated, row.teased, row.alarms)
    return [row.site, str(row.pages), *(f"{value:.3f}" for value in scores)]
