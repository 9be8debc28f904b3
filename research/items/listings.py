"""How well the rows of list pages are found, against links to pages that are known as articles.

On a site with labels, a page that is no article lists what it links to, if that is an article. What
a fifth of these pages link to is taken out: it stands in a sidebar. So the gold is near the truth,
not the truth: a teaser may link to a page without a label, and a text on a page to an article.
"""

import csv
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from urllib.parse import unquote, urlsplit

from webstencil.cli import screen
from webstencil.errors import SourceError
from webstencil.evaluate.clusters import LEFT_OUT, read_page, readable
from webstencil.evaluate.words import Overlap, overlap
from webstencil.extract.rows import rows
from webstencil.markup.parse import links
from webstencil.urls import url_hash

LISTS = 60  # pages of a site at most that are no articles
ARTICLES = 30  # articles of a site at most
EVERYWHERE = 0.2  # share of the list pages that link to what is in a sidebar
FEWEST = 3  # articles linked to by a page that is a list page
COLUMNS = ("site", "list pages", "P", "R", "F", "dated", "with teaser", "rows on articles")


@dataclass(frozen=True, slots=True)
class ListingRow:
    """How a site did."""

    site: str
    pages: int  # list pages
    precision: float  # 0..1, links of rows that lead to articles listed
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


def evaluate(path: Path, pages_root: Path | None = None) -> list[ListingRow]:
    """Judge each site of a sites.json."""
    try:
        sites = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} cannot be read: {error}; name a sites.json") from error
    found = []
    for name, said in sites.items():
        with (path.parent / "labels" / f"{name}.csv").open(newline="", encoding="utf-8") as table:
            labels = {row["path"]: row["label"] for row in csv.DictReader(table)}
        folder = (pages_root or path.parent) / name
        row = measure(name, folder, labels, frozenset(said["article_labels"]))
        if row is not None:
            found.append(row)
    return found


def measure(
    name: str, folder: Path, labels: Mapping[str, str], article_labels: frozenset[str]
) -> ListingRow | None:
    """Judge a site; None if it has no list pages."""
    ordered = [file for file in sorted(labels, key=url_hash) if labels[file] not in LEFT_OUT]
    articles = frozenset(file for file in ordered if labels[file] in article_labels)
    others = [file for file in ordered if file not in articles][:LISTS]
    site = (frozenset(labels), articles)
    pages = [page for page in (list_page(folder, file, *site) for file in others) if page]
    often = Counter(file for page in pages for file in page.linked)
    least = max(EVERYWHERE * len(pages), FEWEST)
    beside = {file for file, count in often.items() if count > least}
    judged = [page for page in pages if len(page.linked - beside) >= FEWEST]
    if not judged:
        return None
    scores = [score(page, beside) for page in judged]
    number = sum(page.number for page in judged) or 1
    alarms = [page for page in ordered if page in articles][:ARTICLES]
    return ListingRow(
        site=name,
        pages=len(judged),
        precision=fmean(score.precision for score in scores),
        recall=fmean(score.recall for score in scores),
        f=fmean(score.f for score in scores),
        dated=sum(page.dated for page in judged) / number,
        teased=sum(page.teased for page in judged) / number,
        alarms=fmean(has_rows(folder, file) for file in alarms),
    )


def list_page(
    folder: Path, file: str, known: frozenset[str], articles: frozenset[str]
) -> ListPage | None:
    """Find the rows of a page, and the articles that it links to."""
    page = readable(read_page(folder, file))
    if page is None:
        return None
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
    """Return the page at an address, on whatever host; None if the site as it was saved has none.

    Of such pages it is not known what they are.
    """
    parts = urlsplit(link)
    path = unquote(parts.path).lstrip("/")
    if parts.query:
        path = f"{path}?{unquote(parts.query)}"
    names = (path, f"{path.rstrip('/')}/index.html", f"{path}.html")
    return next((name for name in names if name in known), None)


def score(page: ListPage, beside: set[str]) -> Overlap:
    """Compare the links of rows with the articles listed."""
    wanted = page.linked - beside
    found = page.rows - beside
    return overlap(len(found), len(wanted), len(found & wanted))


def has_rows(folder: Path, file: str) -> bool:
    """Tell whether rows are found on a page."""
    page = readable(read_page(folder, file))
    return page is not None and bool(rows(page))


def report(found: Sequence[ListingRow]) -> str:
    """Write all scores as JSON."""
    return json.dumps([asdict(row) for row in found])


def show(found: Sequence[ListingRow]) -> None:
    """Print a table."""
    table = screen.plain_table(*COLUMNS)
    for row in found:
        scores = (row.precision, row.recall, row.f, row.dated, row.teased, row.alarms)
        table.add_row(row.site, str(row.pages), *(f"{value:.3f}" for value in scores))
    screen.show(table)
