"""Write the demo site into a folder."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from research.demo.album import picture_files
from research.demo.newsroom import LETTER
from research.demo.templates.front import front_page
from research.demo.templates.longread import longread_page
from research.demo.templates.news import article_page, author_page, section_page
from research.demo.templates.odd import broken_page
from research.demo.templates.plain import static_page
from research.demo.templates.redesign import redesigned_pages
from research.demo.templates.shop import product_page, shelf_page
from research.demo.templates.widgets import BROKEN_PATH, EMPTY_PATH
from research.demo.values import BASE_URL, World
from research.demo.world import invent
from webstencil.errors import SettingsError

PAGES = 320
FEWEST_PAGES = 60  # each template, list and special page once
STYLES = ("site.css", "longread.css", "redesign.css")


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """A page to write."""

    path: str
    template: str
    html: str
    charset: str = "utf-8"


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


def build(folder: Path, *, seed: int = 1, pages: int = PAGES, redesign: bool = False) -> DemoSite:
    """Write a site of at least `pages` pages; the same seed gives the same bytes.

    After its redesign it has the same stories at the same URLs in other templates.
    """
    if pages < FEWEST_PAGES:
        raise SettingsError(f"pages must be at least {FEWEST_PAGES}, not {pages}")
    world = invent(seed, pages)
    looks = redesign_pages if redesign else write_pages
    written = sorted(looks(world), key=lambda page: page.path)
    for page in written:
        save(folder / page.path, page.html.encode(page.charset, "xmlcharrefreplace"))
    for path, content in (*picture_files(seed, world.authors), *style_files()):
        save(folder / path, content)
    return DemoSite(
        folder=folder,
        base_url=BASE_URL,
        gold=tuple((page.path, page.template) for page in written),
        broken=BROKEN_PATH,
        empty=EMPTY_PATH,
        legacy="" if redesign else world.articles[LETTER].path,
        redesigned=tuple(article.path for article in world.articles if article.longread),
    )


def write_pages(world: World) -> Iterator[WrittenPage]:
    """Yield all pages of the site."""
    yield WrittenPage("index.html", "front", front_page(world))
    for index, article in enumerate(world.articles):
        if article.longread:
            yield WrittenPage(article.path, "longread", longread_page(world, index))
        else:
            html = article_page(world, index)
            yield WrittenPage(article.path, "article", html, article.charset)
    for product in world.products:
        yield WrittenPage(product.path, "product", product_page(world, product))
    for page in world.news_lists:
        yield WrittenPage(page.path, "section", section_page(world, page))
    for page in world.shop_lists:
        yield WrittenPage(page.path, "product-list", shelf_page(world, page))
    for author in world.authors:
        yield WrittenPage(author.path, "author", author_page(world, author))
    for static in world.statics:
        yield WrittenPage(static.path, "static", static_page(world, static))
    yield WrittenPage(BROKEN_PATH, "broken", broken_page(world), "ascii")
    yield WrittenPage(EMPTY_PATH, "empty", "")


def redesign_pages(world: World) -> Iterator[WrittenPage]:
    """Yield all pages of the site after the redesign; some look as they did before."""
    anew = {path: WrittenPage(path, name, html) for path, name, html in redesigned_pages(world)}
    for page in write_pages(world):
        yield anew.get(page.path, page)


def style_files() -> Iterator[tuple[str, bytes]]:
    """Yield the style sheets."""
    for name in STYLES:
        yield f"style/{name}", (files("research.demo") / "style" / name).read_bytes()


def save(path: Path, content: bytes) -> None:
    """Write a file and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
