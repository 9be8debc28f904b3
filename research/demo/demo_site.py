"""The demo site: content from the data files, written through the templates into a folder.

A smaller site has the newest articles and the first products; what would lead to a page that it
does not have leads to another one.
"""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from webstencil.errors import SettingsError, WebstencilError

try:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
except ImportError as error:
    raise WebstencilError(
        "the demo site is written by jinja2; install it with `pip install webstencil[web]`"
    ) from error

Record: TypeAlias = dict[str, Any]  # as the data files have it; templates read it by name

PAGES = 320  # all that there is content for
FEWEST_PAGES = 60  # each template, list and special page once
FIXED_PAGES = 21  # front page, ten authors, eight static pages, the broken and the empty one
FEWEST_ARTICLES = 12  # two a section
FEWEST_PRODUCTS = 6  # one a shelf
ARTICLES_PER_PRODUCT = 2
ROWS_PER_PAGE = 10  # articles of a section
CARDS_PER_PAGE = 9  # products of a shelf
FIRST_POST = 1200  # number of the oldest article
BASE_URL = "http://demo.example/"
BROKEN_PATH = "harbour/notices.html"
EMPTY_PATH = "town/minutes-draft.html"
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class DemoSite:
    """A written site."""

    folder: Path
    base_url: str
    gold: tuple[tuple[str, str], ...]  # path and template of each page, sorted by path
    broken: str  # path of the page with broken markup
    empty: str  # path of the page without content
    legacy: str  # path of the page that is not in UTF-8; empty after the redesign
    redesigned: tuple[str, ...]  # paths of the articles in the new look


def build(folder: Path, *, pages: int = PAGES, redesign: bool = False) -> DemoSite:
    """Write a site of at least `pages` pages, always the same bytes.

    After its redesign it has the same stories at the same URLs in other templates.
    """
    if not FEWEST_PAGES <= pages <= PAGES:
        raise SettingsError(f"pages must be up to {PAGES} and at least {FEWEST_PAGES}, not {pages}")
    site, templates = read_site(pages), open_templates()
    new = {Path(name).name for name in templates.list_templates() if name.startswith("redesign/")}
    gold = []
    for path, name, page in files_of(site):
        anew = redesign and name in new
        template = templates.get_template(f"redesign/{name}" if anew else name)
        text = template.render(
            site=site, page=page | {"path": path}, base_url=BASE_URL, to=partial(relative, path)
        )
        charset = "utf-8" if anew else page.get("charset", "utf-8")
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode(charset, "xmlcharrefreplace"))
        if path.endswith(".html"):
            gold.append((path, f"new-{Path(name).stem}" if anew else Path(name).stem))
    shutil.copytree(HERE / "static", folder, dirs_exist_ok=True)
    gold.sort()
    legacy = "" if redesign else next(one["path"] for one in site["articles"] if "charset" in one)
    longreads = tuple(path for path, name in gold if name == "longread")
    return DemoSite(folder, BASE_URL, tuple(gold), BROKEN_PATH, EMPTY_PATH, legacy, longreads)


def files_of(site: Record) -> Iterator[tuple[str, str, Record]]:
    """Yield path, template and content of each page and drawing."""
    yield "index.html", "front.html", {}
    yield BROKEN_PATH, "broken.html", {"charset": "ascii"}
    yield EMPTY_PATH, "empty.html", {}
    for article in site["articles"]:
        yield article["path"], f"{article.get('layout', 'article')}.html", article
    for product in site["products"]:
        yield product["path"], "product.html", product
    for section in (site["news"], *site["sections"]):
        for path, page in list_pages(section, ROWS_PER_PAGE):
            yield path, "section.html", page
    for shelf in (site["shop"], *site["shelves"]):
        for path, page in list_pages(shelf, CARDS_PER_PAGE):
            yield path, "product-list.html", page
    for author in site["authors"]:
        yield author["path"], "author.html", author
        yield f"images/people/{author['slug']}.svg", "images/portrait.svg", author["look"]
    for static in site["statics"]:
        yield static["path"], "static.html", static
    for name, colours in site["colours"].items():
        for kind in (shelf["gear"] for shelf in site["shelves"]):
            yield f"images/gear/{kind}-{name}.svg", "images/gear.svg", {"kind": kind, **colours}


def list_pages(section: Record, per_page: int) -> Iterator[tuple[str, Record]]:
    """Yield path and content of the pages of a section's list; the first is its index."""
    index, entries = section["path"], section["entries"]
    parts = [entries[start : start + per_page] for start in range(0, len(entries), per_page)]
    paths = [index, *(index.replace("index", f"page-{n}") for n in range(2, len(parts) + 1))]
    for number, (path, part) in enumerate(zip(paths, parts, strict=True), start=1):
        yield path, {"section": section, "entries": part, "number": number, "pages": paths}


def read_site(pages: int) -> Record:
    """Return the content of a site of at least `pages` pages, with as few more as lists need."""
    count, products = shares(pages)
    site: Record = {name: read(name) for name in ("authors", "statics", "products")} | read("site")
    news = chain.from_iterable(read(f"news/{section['slug']}") for section in site["sections"])
    articles: list[Record] = sorted(news, key=itemgetter("published"), reverse=True)[:count]
    site |= {"articles": articles, "products": site["products"][:products]}
    for kind, path in site["paths"].items():
        for record in site[kind]:
            record["path"] = path.format(**record)
    site["news"]["entries"], site["shop"]["entries"] = articles, site["products"]
    gather(articles, "section", site["sections"])
    gather(articles, "author", site["authors"])
    gather(site["products"], "shelf", site["shelves"])
    for index, article in enumerate(articles):
        article["number"] = FIRST_POST + 3 * (count - index)
        article["hero"] = site["pictures"].get(article["hero"])
        article["later"] = articles[index - 1] if index else None
        article["earlier"] = articles[index + 1] if index + 1 < count else None
        article["related"] = related(article, article["section"]["entries"])
    for product in site["products"]:
        product["related"] = related(product, site["products"])
    site["most_read"] = sorted(articles, key=lambda one: len(one["comments"]), reverse=True)
    tags = {tag: article["section"] for article in articles for tag in article["tags"]}
    return site | {"tags": sorted(tags.items())}


def read(name: str) -> Any:
    """Read a data file."""
    return json.loads((HERE / "data" / f"{name}.json").read_text("utf-8"))


def shares(pages: int) -> tuple[int, int]:
    """Return how many articles and products make a site of at least `pages` pages."""
    articles, products = FEWEST_ARTICLES, FEWEST_PRODUCTS
    while FIXED_PAGES + listed(articles, ROWS_PER_PAGE) + listed(products, CARDS_PER_PAGE) < pages:
        if articles < products * ARTICLES_PER_PRODUCT:
            articles += 1
        else:
            products += 1
    return articles, products


def listed(entries: int, per_page: int) -> int:
    """Count entries with the pages of their lists: of all of them, and of each of six sections."""
    sizes = [entries, *(len(range(n, entries, 6)) for n in range(6))]
    return entries + sum(-(-size // per_page) for size in sizes)


def gather(records: list[Record], name: str, groups: list[Record]) -> None:
    """Let each record lead to its group instead of naming it, and each group to its records."""
    for group in groups:
        group["entries"] = [record for record in records if record[name] == group["slug"]]
        for record in group["entries"]:
            record[name] = group


def related(record: Record, others: list[Record]) -> list[Record]:
    """Return the others whose numbers a record has."""
    numbers = dict.fromkeys(number % len(others) for number in record["related"])
    return [others[number] for number in numbers if others[number] is not record]


def open_templates() -> Environment:
    """Open the templates."""
    templates = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.policies["json.dumps_kwargs"] = {}  # keys as a template has them, not sorted
    return templates


def relative(here: str, target: str) -> str:
    """Return the URL of `target`, relative to the page at `here`."""
    folder = here[: here.rfind("/") + 1]
    inside = target.startswith(folder)
    return target.removeprefix(folder) if inside else "../" * folder.count("/") + target
